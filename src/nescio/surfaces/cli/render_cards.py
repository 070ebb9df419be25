"""Fact cards as lines for people: each fact in its own words, with the file and line that say so."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nescio.cards.rendering import place, span_of
from nescio.cards.values import NO_SOURCE, Card, Fact, Section
from nescio.domain.answers import Refusal
from nescio.surfaces.cli import render_answers
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, columns, counted, exact, line
from nescio.surfaces.terminal import escape

if TYPE_CHECKING:
    from nescio.assembly.carding import BuiltCards, CardReply
    from nescio.cards.checking import Checked

_NOT_COVERED = "No card covers this, as far as its words show."
_OK = "ok"
WIDTH = 80


def built(done: BuiltCards, folder: str) -> list[Line]:
    """What a build did, and which sections have no source."""
    cards, files = done.collected.cards, done.files
    facts = sum(1 for one in cards for _ in one.facts())
    lines = [line(f"{counted(len(cards), 'card')} with {counted(facts, 'fact')} in {folder}.", Mark.GOOD)]
    rows = (("written", files.written), ("unchanged", files.unchanged), ("removed", files.removed))
    lines += columns([(name, f"{len(names):,}") for name, names in rows if names], indent=2)
    lines += [line(f"Left out: {one.path}: {one.message}", Mark.CAUTION) for one in done.collected.skipped]
    without = [(one.name, ", ".join(one.empty)) for one in cards if one.empty]
    return [*lines, *([BLANK, line(f"{NO_SOURCE.capitalize()}:"), *columns(without, indent=2)] if without else [])]


def verdicts(checked: Sequence[Checked]) -> list[Line]:
    """The cards that are not as they should be, with what is wrong."""
    rows = [(one.name, one.verdict.value) for one in checked if one.verdict.value != _OK]
    return [*columns(rows, marks=(Mark.HEADING, Mark.FAULT)), BLANK] if rows else []


def listed(cards: Sequence[Card]) -> list[Line]:
    """Each card with its place, and how much each of its sections has."""
    lines = []
    for one in cards:
        lines.append(Line((Part(one.name, Mark.HEADING), Part(f"  {one.path}", Mark.PLACE))))
        said = [f"{section.name} {len(section.facts)}" for section in one.sections]
        said += [f"identifiers {len(one.identifiers)}"] if one.identifiers else []
        lines += [line(row, Mark.QUIET, indent=2) for row in textwrap.wrap(", ".join(said), WIDTH - 2)]
    return lines


def card(shown: Card) -> list[Line]:
    """A whole card."""
    lines = [Line((Part(shown.name, Mark.HEADING), Part(f"  {shown.path}", Mark.PLACE)))]
    for section in shown.sections:
        lines += [BLANK, *_section(section)]
    if shown.identifiers:
        rows = [(one.name, one.kind.value, span_of(one.path, one.line, one.line)) for one in shown.identifiers]
        lines += [BLANK, line("identifiers", Mark.HEADING), *columns(rows, marks=(Mark.PLAIN, Mark.QUIET, Mark.PLACE))]
    return lines


def reply(shown: CardReply) -> list[Line]:
    """A section, quotes, or a refusal that shows what was looked at."""
    if shown.section is not None and shown.card is not None:
        return [line(shown.card.name, Mark.HEADING), *_section(shown.section)]
    if isinstance(shown.result, Refusal):
        return [*_refusal(shown, shown.result), *_empty(shown)]
    if shown.result is None:
        return []
    # The page of a fact is its card, which is told by the heading already.
    quotes = tuple(replace(quote, page_path=quote.path) for quote in shown.result.quotes)
    return render_answers.answer(replace(shown.result, quotes=quotes))


def _section(section: Section) -> list[Line]:
    lines = [line(section.name, Mark.HEADING)]
    if not section.facts:
        return [*lines, line(f"{NO_SOURCE.capitalize()}.", Mark.CAUTION)]
    for at, fact in enumerate(section.facts):
        before = section.facts[at - 1].introduction if at else ""
        lines += _fact(fact, introduced=bool(fact.introduction) and fact.introduction != before)
    return lines


def _fact(fact: Fact, *, introduced: bool) -> list[Line]:
    lead = exact(escape(fact.introduction)) if introduced else []
    return [*lead, *exact(escape(fact.text)), line(place(fact), Mark.PLACE, indent=2)]


def _refusal(shown: CardReply, refusal: Refusal) -> list[Line]:
    """As a refusal everywhere, but for what was searched: facts of cards."""
    lines = render_answers.refusal(refusal)
    searched = line(f"Searched {counted(shown.cards, 'card')}, {counted(shown.facts, 'fact')}.")
    is_count = [bool(one.parts) and one.parts[0].text.startswith("Searched ") for one in lines]
    lines = [searched if counts else one for one, counts in zip(lines, is_count, strict=True)]
    return [line(_NOT_COVERED, Mark.HEADING), *lines[1:]]


def _empty(shown: CardReply) -> list[Line]:
    if shown.card is None or not shown.card.empty:
        return []
    return [BLANK, line(f"{shown.card.name}, {NO_SOURCE}: {', '.join(shown.card.empty)}", Mark.CAUTION)]
