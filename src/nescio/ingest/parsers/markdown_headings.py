"""Identifiers that are written into the text (`{ #id }`, `{: .class }`) address it and are no words of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nescio.domain.documents import Block, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.blobs import cut_runs

_ITEM = r"(?:[.#][^\s{}\"'=]++|[\w:.-]++=(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s\"'{}]++))"
_LIST = rf"\{{:?[ \t]*+{_ITEM}(?:[ \t]++{_ITEM})*+[ \t]*+\}}"
_AT_END = re.compile(_LIST)
_ALONE = re.compile(rf"[ \t]*+{_LIST}[ \t\r]*+")
_COLON_LIST = re.compile(r"\{:[^{}\n]{0,300}\}")
_AFTER_LINK = re.compile(rf"(?<=[)`*]){_LIST}")
_IDENTIFIER = re.compile(r"(?:^|[\s{:])#([^\s{}\"'=]++)")


def addressed(text: str, block: Block) -> Block:
    """The heading `block` with its title, and the attribute list at its end taken for its anchor (where it gives an id)."""
    runs, anchor = block.runs, block.anchor
    if runs and not runs[-1].code:
        first, last = runs[0].span.start, runs[-1].span.end
        opened = text.rfind("{", first, last)
        match = _AT_END.fullmatch(text[opened:last].rstrip()) if opened >= 0 else None
        if match:
            anchor = identifier_in(match[0]) or anchor
            runs = tuple(cut_runs(runs, [(opened, last)]))
    title = " ".join("".join(run.visible(text) for run in runs).split())
    return replace(block, runs=runs, title=title, anchor=anchor)


def is_attribute_list(content: str) -> bool:
    """Whether `content` is nothing but an attribute list, which belongs to the block above."""
    return content[:1] == "{" and _ALONE.fullmatch(content) is not None


def identifier_in(attributes: str) -> str | None:
    """The id that an attribute list gives, or None."""
    match = _IDENTIFIER.search(attributes)
    return match[1] if match else None


def attribute_lists(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges of attribute lists inside a text: `{: ... }` anywhere, `{ .class }` after a link, code or emphasis."""
    for pattern in (_COLON_LIST, _AFTER_LINK):
        for match in pattern.finditer(text, start, end):
            yield match.span()


def without_lines(lines: str, span: Span, runs: list[Run], lists: list[tuple[int, int]]) -> tuple[Span, list[Run]]:
    """A block's range and runs without the lines at its ends that hold nothing but one of the attribute lists."""
    first, last = lists[0], lists[-1]
    line_end = lines.find("\n", first[1], span.end)
    if line_end >= 0 and not lines[span.start : first[0]].strip(" \t>") and not lines[first[1] : line_end].strip():
        span = Span(line_end + 1, span.end)
    line = lines.rfind("\n", span.start, last[0])
    if line >= 0 and not lines[line : last[0]].strip(" \t>\n") and not lines[last[1] : span.end].strip():
        span = Span(span.start, span.start + len(lines[span.start : line].rstrip()))
    return span, [run for run in runs if run.span.is_within(span)]
