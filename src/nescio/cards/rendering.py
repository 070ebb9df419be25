"""How is a card written? Markdown for people and JSON for programs, the same bytes on every machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from nescio.cards.values import NO_SOURCE, Card, Fact, Identifier, hash_of
from nescio.domain.documents import BlockKind

SCHEMA_VERSION = 1
MARK = "<!-- A fact card of nescio. Edit the sources that it names, then run: nescio cards build -->"
PAGE, DATA = ".md", ".json"
IDENTIFIERS = "identifiers"
# What would begin a block of its own where a line of a fact starts.
_BLOCK = re.compile(
    r"(?P<number>\d{1,9})[.)](?=\s|$)|#{1,6}(?=\s|$)|[+*-](?=\s|$)|>|`{3}|~{3}|(?:=+|-+|_+)\s*$|(?:[*_-]\s?){3,}$"
    r"|<(?:[!?]|(?:script|pre|style|textarea)\b)",
    re.IGNORECASE,
)
_TICKS = re.compile(r"`+")
_INDENT = 2


def rendered(card: Card) -> dict[str, bytes]:
    """The files of a card with their bytes: `NAME.md` and `NAME.json`. LF, UTF-8, no time and no absolute path."""
    return {card.name + PAGE: markdown(card).encode("utf-8"), card.name + DATA: data(card)}


def data(card: Card) -> bytes:
    """The card as JSON. Hashes are over text with LF."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "card": card.name,
        "path": card.path,
        "sections": [
            {
                "name": section.name,
                "note": None if section.facts else NO_SOURCE,
                "facts": [fact_values(fact) for fact in section.facts],
            }
            for section in card.sections
        ],
        IDENTIFIERS: [identifier_values(one) for one in card.identifiers],
    }
    return json.dumps(value, ensure_ascii=False, indent=_INDENT).encode("utf-8") + b"\n"


def fact_values(fact: Fact) -> dict[str, Any]:
    """A fact as JSON has it."""
    return {
        "text": fact.text,
        "introduction": fact.introduction,
        "path": fact.path,
        "start_line": fact.start_line,
        "end_line": fact.end_line,
        "sha256": hash_of(fact.text),
    }


def identifier_values(one: Identifier) -> dict[str, Any]:
    """An identifier as JSON has it."""
    return {"kind": one.kind.value, "name": one.name, "path": one.path, "line": one.line}


def markdown(card: Card) -> str:
    """The card as a page to read and to review."""
    blocks = [MARK, f"# {card.name}", f"What is said of {_code(card.path)}, each in its own words with its place."]
    for section in card.sections:
        blocks += [heading(section.name), "\n".join(_listed(section.facts)) if section.facts else f"_{NO_SOURCE}_"]
    if card.identifiers:
        blocks += [heading(IDENTIFIERS), "\n".join(map(_identifier, card.identifiers))]
    return "\n\n".join(blocks) + "\n"


def heading(section: str) -> str:
    """The line over a section."""
    return f"## {section}"


def place(fact: Fact) -> str:
    """`path:line`, or `path:first-last`."""
    return span_of(fact.path, fact.start_line, fact.end_line)


def span_of(path: str, first: int, last: int) -> str:
    """`path:line`, or `path:first-last`."""
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _listed(facts: tuple[Fact, ...]) -> Iterator[str]:
    """The facts as list items; those that the same words introduce stand below these."""
    for lead, group in groupby(facts, key=lambda fact: (fact.path, fact.lead.span) if fact.lead else None):
        several = list(group)
        if lead is None:
            yield from (_item(fact, 0) for fact in several)
        else:
            yield _bulleted(_said(several[0].introduction), 0)
            yield from (_item(fact, _INDENT) for fact in several)


def _item(fact: Fact, indent: int) -> str:
    said = _runnable(fact.text) if fact.block.kind is BlockKind.CODE else _said(fact.text)
    return _bulleted(f"{said}\n{_code(place(fact))}", indent)


def _bulleted(text: str, indent: int) -> str:
    lead = " " * indent
    return "\n".join((f"{lead}- " if at == 0 else f"{lead}  ") + row for at, row in enumerate(text.split("\n")))


def _said(text: str) -> str:
    """Lines of a document that stay a paragraph where they stand now."""
    rows = (row.strip(" \t") for row in text.split("\n"))
    return "\n".join(_plain(row) for row in rows if row)


def _plain(row: str) -> str:
    begins = _BLOCK.match(row)
    at = begins.end("number") if begins and begins["number"] else 0
    return f"{row[:at]}\\{row[at:]}" if begins else row


def _runnable(text: str) -> str:
    if "\n" not in text:
        return _code(text)
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in _TICKS.findall(text)), default=0))
    return f"{fence}sh\n{text}\n{fence}"


def _code(text: str) -> str:
    """A code span that holds any text of one line."""
    ticks = "`" * (1 + max((len(ticks) for ticks in _TICKS.findall(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _identifier(one: Identifier) -> str:
    return f"- {_code(one.name)} ({one.kind.value}) {_code(span_of(one.path, one.line, one.line))}"
