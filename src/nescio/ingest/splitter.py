"""From the blocks of a page to its passages: one for each heading's own text, cut at blocks only where it is long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from nescio.domain.documents import INTRODUCES, Basis, Block, BlockKind, Document, Page, Passage
from nescio.domain.spans import LINE_END, Span, clipped
from nescio.ingest.slugs import Slugs

# Code points. Evidence was measured on whole sections; see benchmarks/README.md for what other sizes give.
LONGEST_PASSAGE = 6_000
LONGEST_LEAD = 600  # code points; what is longer is more than an introduction to what follows
INTRODUCED = (BlockKind.CODE, BlockKind.LIST_ITEM, BlockKind.TABLE)
_GAP = re.compile(r"[\s>]*")
_BLANK_LINES = re.compile(r"[^\S\r\n]*(?:(?:\r\n|\n|\r)[^\S\r\n]*(?=\r|\n|$))*(?:\r\n|\n|\r)?")


@dataclass(frozen=True, slots=True)
class Section:
    """A passage with the blocks that it is made of, whose spans count in `text`."""

    passage: Passage
    blocks: tuple[Block, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: str
    anchor: str


def split(page: Page, slug_style: str = "github") -> list[Section]:
    """The passages of a page in reading order. Headings without text of their own make none."""
    title = page.title or next((block.title for block in page.blocks if block.kind is BlockKind.HEADING), "")
    anchors = _Anchors(slug_style, page.blocks)
    found: list[Section] = []
    trail: list[_Heading] = []
    body: list[Block] = []
    for block in page.blocks:
        if block.kind is not BlockKind.HEADING:
            body.append(block)
            continue
        found.extend(_passages(page, title, trail, body))
        body = []
        while trail and trail[-1].level >= block.level:
            trail.pop()
        trail.append(_Heading(block.level, block.title, anchors.of(block)))
    found.extend(_passages(page, title, trail, body))
    return found


class _Anchors:
    """The fragments of a page's headings. One that only says that its section goes on has the fragment of that section."""

    def __init__(self, slug_style: str, blocks: Sequence[Block]) -> None:
        self._slugs = Slugs(slug_style, (block.anchor for block in blocks if block.anchor))
        self._given: dict[tuple[int, str], str] = {}

    def of(self, heading: Block) -> str:
        """The fragment without `#`."""
        place = heading.level, heading.title
        if heading.span or place not in self._given:
            self._given[place] = self._slugs.take(heading.title, heading.anchor)
        return self._given[place]


def _passages(page: Page, title: str, trail: Sequence[_Heading], body: Sequence[Block]) -> Iterator[Section]:
    for group in _by_document(body):
        document = group[0].document or page.document
        lead = _lead(body, group[0])
        for blocks in _cut(group, document.text):
            yield _section(page, document, title, trail, blocks, lead)


def _lead(body: Sequence[Block], included: Block) -> Span | None:
    """The page's own block with text before what is included; of a list, all of it and what introduces it."""
    if included.document is None:
        return None
    before = [block for block in body[: body.index(included)] if block.document is None and block.runs]
    first = len(before) - 1
    while first > 0 and before[first].kind is BlockKind.LIST_ITEM:
        first -= 1
    lead = Span(before[first].span.start, before[-1].span.end) if before else None
    return lead if lead and len(lead) <= LONGEST_LEAD else None


def _section(
    page: Page, document: Document, title: str, trail: Sequence[_Heading], blocks: tuple[Block, ...], lead: Span | None
) -> Section:
    body = [block for block in blocks if block.include is None or block.runs]
    has_display = any(block.display is not None for block in body)
    passage = Passage(
        source=document.source,
        path=document.path,
        page_path=page.document.path,
        document_sha256=document.sha256,
        span=Span(body[0].span.start, body[-1].span.end),
        spans=quotable(body, document.text),
        blocks=tuple((block.kind, block.span) for block in body),
        title=title,
        heading_path=tuple(heading.title for heading in trail),
        anchor=trail[-1].anchor if trail else "",
        basis=Basis.DECODED if has_display or document.encoding != "utf-8" else Basis.VERBATIM,
        shown=tuple(_shown(block, document.text) for block in body) if has_display else None,
        lead=lead,
    )
    return Section(passage, blocks, document.text)


def _shown(block: Block, text: str) -> str:
    return block.span.of(text) if block.display is None else block.display


def quotable(blocks: Sequence[Block], text: str) -> tuple[Span, ...]:
    """The exact ranges of `blocks`: one where only white space and quotation marks stand between them, more where there is
    something hidden. A range that is followed by another reaches over the blank lines after it, so that the slices joined
    read as they should.
    """
    found: list[Span] = []
    for block in blocks:
        first, *others = block.pieces or (block.span,)
        if found and _GAP.fullmatch(text, found[-1].end, first.start):
            first = Span(found.pop().start, first.end)
        elif found:
            found[-1] = _with_line_end(found[-1], text, first.start)
            first = _with_line_end_before(first, text, found[-1])
        found += [first, *others]
    return tuple(found)


def _with_line_end(span: Span, text: str, limit: int) -> Span:
    match = _BLANK_LINES.match(text, span.end, limit)
    return Span(span.start, match.end()) if match else span


def _with_line_end_before(span: Span, text: str, before: Span) -> Span:
    """With the blank lines in front, where what is hidden before them stands on the last line of the text that goes before."""
    gap = text[before.end : span.start]
    blank = gap[len(gap.rstrip()) :]
    is_apart = before.of(text).endswith(("\n", "\r")) or not LINE_END.search(blank)
    return span if is_apart else Span(span.start - len(blank), span.end)


def _by_document(body: Sequence[Block]) -> Iterator[list[Block]]:
    """The page's own blocks together, then those of each included file; what nothing can be read of is left out."""
    own = [block for block in body if block.document is None]
    if any(block.runs for block in own):
        yield own
    included: list[Block] = []
    for block in body:
        if block.document is None or not block.runs:
            continue
        if included and (included[-1].document != block.document or included[-1].span.end > block.span.start):
            yield included
            included = []
        included.append(block)
    if included:
        yield included


def _cut(blocks: Sequence[Block], text: str) -> Iterator[tuple[Block, ...]]:
    """Groups of blocks that are not longer than LONGEST_PASSAGE together, unless one block alone is. What leads into code, a
    list or a table stays with it; a piece of a table that repeats the header row comes first.
    """
    group: list[Block] = []
    size = 0
    for block in chain.from_iterable(map(_rows, blocks)):
        if size + len(block.span) > LONGEST_PASSAGE or _repeats_header(block):
            whole = len(group) - _is_lead(group, block, text)
            if any(one.runs for one in group[:whole]):
                yield tuple(group[:whole])
                group = group[whole:]
                size = sum(len(one.span) for one in group)
        group.append(block)
        size += len(block.span)
    if any(block.runs for block in group):
        yield tuple(group)


def _repeats_header(block: Block) -> bool:
    return bool(block.pieces) and block.pieces[0].start < block.span.start


def _is_lead(group: Sequence[Block], block: Block, text: str) -> bool:
    """Whether the last of a group is a short text that ends in a colon, before something that it introduces."""
    if not group or block.kind not in INTRODUCED or len(group[-1].span) > LONGEST_LEAD or not group[-1].runs:
        return False
    is_text = group[-1].kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    return is_text and group[-1].runs[-1].visible(text).rstrip().endswith(INTRODUCES)


def _rows(block: Block) -> Iterator[Block]:
    """A table longer than a passage, cut between rows; every piece but the first has the header row as a piece of its own."""
    lines = None if block.display is None else block.display.split("\n")
    has_rows = len(block.parts) > 2 and (lines is None or len(lines) == len(block.parts))
    if len(block.span) <= LONGEST_PASSAGE or not has_rows:
        yield block
        return
    first = 1
    for at in range(2, len(block.parts) + 1):
        start = block.parts[0 if first == 1 else first].start
        if at == len(block.parts) or block.parts[at].end - start > LONGEST_PASSAGE:
            yield _table_piece(block, first, at, lines)
            first = at


def _table_piece(block: Block, first: int, end: int, lines: Sequence[str] | None) -> Block:
    """The rows from `first` up to `end` under the header row. `lines` are how the rows read when their slices are not it."""
    header = Span(block.parts[0].start, block.parts[1].start)
    begin = header.start if first == 1 else block.parts[first].start
    span = Span(begin, min(block.parts[end - 1].end, block.span.end))
    pieces = block.pieces or (block.span,)
    shown = () if first == 1 else clipped(pieces, header)
    return replace(
        block,
        span=span,
        runs=tuple(run for run in block.runs if run.span.is_within(span)),
        parts=block.parts[0 if first == 1 else first : end],
        display=None if lines is None else "\n".join([lines[0], *lines[first:end]]),
        pieces=(*shown, *clipped(pieces, span)) if shown or block.pieces else (),
    )
