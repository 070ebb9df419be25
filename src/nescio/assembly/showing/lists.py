"""How deep in lists the blocks of a quote stand, and the markers of their items as written."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from nescio.assembly.showing.text import Written
from nescio.domain.documents import Block, BlockKind
from nescio.domain.spans import LINE_END

TAB_STOP = 4
WIDEST_GAP = 4  # columns after a marker from which on they are the indentation of code

_MARKDOWN_MARKER = r"[-*+]|\d{1,9}[.)]"
_MARKER = r"[-*+•‣⁃–]|\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]{1,9}|#)[.)]"
# The last marker of a line, since an item may begin inside of another; with the box of a task.
_MARKDOWN_ITEM = re.compile(
    rf"[ \t>]*+(?:(?:{_MARKDOWN_MARKER})[ \t]++)*(?P<marker>(?:{_MARKDOWN_MARKER})(?P<task>[ \t]++\[[ xX]\](?=\s))?)(?=\s|$)"
)
_ITEM = re.compile(rf"[ \t]*+(?:(?:{_MARKER})[ \t]++)*(?P<marker>{_MARKER})(?=\s|$)")
# What begins an item of reStructuredText that has no marker and is no definition: a field, which is no role, or an option.
_FIELD_OR_OPTION = re.compile(r"[ \t]*+(?::(?!(?:[\w.+-]++:)++`)|[-/])")
_TERM_TAG = re.compile(r"<dt\b", re.IGNORECASE)
_LIST_TAG = re.compile(r"<(?P<close>/?)[uo]l\b", re.IGNORECASE)


def placed(written: Written, blocks: Sequence[Block]) -> Iterator[tuple[Block, int, str | None]]:
    """Each block with its level (of a heading its own, else in how many items it stands) and the marker of an item."""
    return _placed_by_tags(written.text, blocks) if written.format == "html" else _placed_by_columns(written, blocks)


def shown_marker(written: Written, block: Block, marker: str | None) -> str | None:
    """The marker as written; empty for an item that the page shows without one: a definition, a field, an option."""
    if block.kind is not BlockKind.LIST_ITEM or marker is not None:
        return marker
    is_term = written.format == "html" and _TERM_TAG.match(block.span.of(written.text)) is not None
    return "" if is_term or written.format == "rst" else None


def term_end(written: Written, block: Block, marker: str | None) -> int | None:
    """Where the line of a term ends that is defined below it; None for anything else. In HTML the runs tell."""
    if written.format != "rst" or block.kind is not BlockKind.LIST_ITEM or marker:
        return None
    text = block.span.of(written.text)
    end = LINE_END.search(text)
    return None if end is None or _FIELD_OR_OPTION.match(text) else block.span.start + end.start()


def _placed_by_columns(written: Written, blocks: Sequence[Block]) -> Iterator[tuple[Block, int, str | None]]:
    bodies: list[_Body] = []  # of the open items, outer ones first
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            bodies = []
            yield block, block.level, None
            continue
        text = written.of(block)
        item = _item(written, block, text) if block.kind is BlockKind.LIST_ITEM else None
        lead = text[: item.start("marker")] if item else _lead(text)
        while bodies and not bodies[-1].holds(lead):
            bodies.pop()
        yield block, len(bodies), item["marker"] if item else None
        if block.kind is BlockKind.LIST_ITEM:
            bodies.append(_Body(lead.count(">"), _body(written, text, item, _width(lead))))


@dataclass(frozen=True, slots=True)
class _Body:
    """The body of an item: in how many quotations it stands, and the column at which it starts."""

    quotations: int
    column: int

    def holds(self, lead: str) -> bool:
        """Whether a block stands in it, given what stands before its first character."""
        at = 0
        for _ in range(self.quotations):
            at = lead.find(">", at) + 1
            if not at:
                return False
        inner = lead.find(">", at)
        return _width(lead if inner < 0 else lead[:inner]) >= self.column


def _item(written: Written, block: Block, text: str) -> re.Match[str] | None:
    if written.is_markdown:
        return _MARKDOWN_ITEM.match(text)
    return _ITEM.match(text, 0, block.runs[0].span.start - block.span.start)


def _body(written: Written, text: str, item: re.Match[str] | None, column: int) -> int:
    """The column from which on blocks stand in the item."""
    if not written.is_markdown or item is None:
        return column + 1
    end = item.start("task") if item["task"] else item.end("marker")
    spaces = _width(_lead(text[end : end + WIDEST_GAP + 1]))
    return column + end - item.start("marker") + (spaces if 0 < spaces <= WIDEST_GAP else 1)


def _lead(text: str) -> str:
    """The white space and signs of quotations that a text begins with."""
    return text[: len(text) - len(text.lstrip(" \t>"))]


def _width(lead: str) -> int:
    return len(lead.expandtabs(TAB_STOP))


def _placed_by_tags(text: str, blocks: Sequence[Block]) -> Iterator[tuple[Block, int, str | None]]:
    """In HTML by the lists that are open; the outermost item of the quote has level 0."""
    tags = list(_LIST_TAG.finditer(text)) if any(block.kind is BlockKind.LIST_ITEM for block in blocks) else []
    starts = [tag.start() for tag in tags]
    depths = list(accumulate((-1 if tag["close"] else 1 for tag in tags), initial=0))
    depth = [depths[bisect_left(starts, block.span.start)] for block in blocks]
    least = min((at for at, block in zip(depth, blocks, strict=True) if block.kind is BlockKind.LIST_ITEM), default=0)
    for block, at in zip(blocks, depth, strict=True):
        yield block, block.level if block.kind is BlockKind.HEADING else max(at - least, 0), None
