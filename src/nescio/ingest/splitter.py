"""From the blocks of a page to its passages: one for each heading's own text, cut at blocks only where it is long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from nescio.domain.documents import Basis, Block, BlockKind, Document, Page, Passage
from nescio.domain.spans import Span
from nescio.ingest.slugs import Slugs

# Code points. Evidence was measured on whole sections; see benchmarks/README.md for what other sizes give.
LONGEST_PASSAGE = 6_000
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


def split(page: Page, slug_style: str = "github") -> tuple[list[Section], str]:
    """The passages of a page in reading order, and the page's title. Headings without text of their own make none."""
    title = page.title or next((block.title for block in page.blocks if block.kind is BlockKind.HEADING), "")
    slugs = Slugs(slug_style)
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
        trail.append(_Heading(block.level, block.title, slugs.take(block.title, block.anchor)))
    found.extend(_passages(page, title, trail, body))
    return found, title


def _passages(page: Page, title: str, trail: Sequence[_Heading], body: Sequence[Block]) -> Iterator[Section]:
    for group in _by_document(body):
        document = group[0].document or page.document
        for blocks in _cut(group):
            yield _section(page, document, title, trail, blocks)


def _section(page: Page, document: Document, title: str, trail: Sequence[_Heading], blocks: tuple[Block, ...]) -> Section:
    decoded = document.encoding != "utf-8" or any(block.display is not None for block in blocks)
    spans = quotable(blocks, document.text)
    body = [block.span for block in blocks if block.include is None or block.runs]
    passage = Passage(
        source=document.source,
        path=document.path,
        page_path=page.document.path,
        document_sha256=document.sha256,
        span=Span(body[0].start, body[-1].end),
        spans=spans,
        blocks=tuple((block.kind, block.span) for block in blocks if block.include is None or block.runs),
        title=title,
        heading_path=tuple(heading.title for heading in trail),
        anchor=trail[-1].anchor if trail else "",
        basis=Basis.DECODED if decoded else Basis.VERBATIM,
        shown=_shown(blocks, document.text) if any(block.display is not None for block in blocks) else None,
    )
    return Section(passage, blocks, document.text)


def _shown(blocks: Iterable[Block], text: str) -> str:
    return "\n\n".join(block.span.of(text) if block.display is None else block.display for block in blocks)


def quotable(blocks: Sequence[Block], text: str) -> tuple[Span, ...]:
    """The exact ranges of `blocks`: one where only white space and quotation marks stand between them, more where there is
    something hidden. A range that is followed by another reaches over the blank lines after it, so that the slices joined
    read as they should.
    """
    found: list[Span] = []
    for block in blocks:
        if block.include is not None and not block.runs:
            continue
        for piece in block.pieces or (block.span,):
            if found and not block.pieces and _GAP.fullmatch(text, found[-1].end, piece.start):
                found[-1] = Span(found[-1].start, piece.end)
                continue
            if found and not block.pieces:
                found[-1] = _with_line_end(found[-1], text, piece.start)
            found.append(piece)
    return tuple(found)


def _with_line_end(span: Span, text: str, limit: int) -> Span:
    match = _BLANK_LINES.match(text, span.end, limit)
    return Span(span.start, match.end()) if match else span


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


def _cut(blocks: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """Groups of blocks that are not longer than LONGEST_PASSAGE together, unless one block alone is. What introduces code or a
    list (a paragraph that ends in a colon) stays with it.
    """
    group: list[Block] = []
    size = 0
    for block in chain.from_iterable(map(_rows, blocks)):
        if group and size + len(block.span) > LONGEST_PASSAGE and any(one.runs for one in group):
            yield tuple(group)
            group, size = [], 0
        group.append(block)
        size += len(block.span)
    if any(block.runs for block in group):
        yield tuple(group)


def _rows(block: Block) -> Iterator[Block]:
    """A table longer than a passage, cut between rows; every piece but the first has the header row as a piece of its own."""
    if len(block.span) <= LONGEST_PASSAGE or len(block.parts) < 3 or block.display is not None:
        yield block
        return
    header, *rows = block.parts
    group: list[Span] = []
    pieces: list[list[Span]] = []
    for row in rows:
        if group and row.end - group[0].start > LONGEST_PASSAGE:
            pieces.append(group)
            group = []
        group.append(row)
    pieces.append(group)
    header = Span(header.start, rows[0].start)
    for number, piece in enumerate(pieces):
        yield _table_piece(block, header, piece, first=number == 0)


def _table_piece(block: Block, header: Span, rows: Sequence[Span], *, first: bool) -> Block:
    start, end = (header.start if first else rows[0].start), min(rows[-1].end, block.span.end)
    runs = tuple(run for run in block.runs if run.span.is_within(Span(start, end)))
    span = Span(start, end)
    parts = (header, *rows) if first else tuple(rows)
    return replace(block, span=span, runs=runs, parts=parts, pieces=() if first else (header, span))
