"""From the blocks of a page to its passages: one for each heading's own text, cut at blocks only where it is long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from nescio.domain.documents import INTRODUCES, Basis, Block, BlockKind, Document, Group, Page, Passage, PassageBlock
from nescio.domain.spans import Span, clipped, readable
from nescio.ingest.slugs import Slugs

# Code points. Evidence was measured on whole sections; see benchmarks/README.md for what other sizes give.
LONGEST_PASSAGE = 6_000
LONGEST_LEAD = 600  # code points; what is longer is more than an introduction to what follows
INTRODUCED = (BlockKind.CODE, BlockKind.LIST_ITEM, BlockKind.TABLE)


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
        place = _place(body, group[0])
        for blocks in _cut(group, document.text):
            yield _section(page, document, title, trail, blocks, place)


def _place(body: Sequence[Block], included: Block) -> int | None:
    """Where the page includes a block of another file: the start of the page's own block before it, which is the directive."""
    if included.document is None:
        return None
    at = next(at for at, block in enumerate(body) if block is included)  # an equal one may stand in another place
    own = [block.span.start for block in body[:at] if block.document is None]
    return own[-1] if own else None


def _section(
    page: Page, document: Document, title: str, trail: Sequence[_Heading], blocks: tuple[Block, ...], place: int | None
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
        blocks=tuple(PassageBlock(block.kind, block.span, block.parts, block.needs) for block in body),
        title=title,
        heading_path=tuple(heading.title for heading in trail),
        anchor=trail[-1].anchor if trail else "",
        basis=Basis.DECODED if has_display or document.encoding != "utf-8" else Basis.VERBATIM,
        shown=tuple(_shown(block, document.text) for block in body) if has_display else None,
        place=place,
        groups=_groups(body),
    )
    return Section(passage, blocks, document.text)


def _groups(body: Sequence[Block]) -> tuple[Group, ...]:
    """What the blocks stand in, the outer ones before the inner ones."""
    found = dict.fromkeys(group for block in body for group in block.groups)
    return tuple(sorted(found, key=lambda group: (group.span.start, -group.span.end)))


def _shown(block: Block, text: str) -> str:
    return block.span.of(text) if block.display is None else block.display


def quotable(blocks: Sequence[Block], text: str) -> tuple[Span, ...]:
    """The exact ranges of `blocks`, as `readable` gives them."""
    return readable((block.pieces or (block.span,) for block in blocks), text)


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
    """The rows from `first` up to `end` under the header row. `lines` are how the rows read when their slices are not it.

    The words of the header are words of each piece: a cell says nothing without its column.
    """
    header = Span(block.parts[0].start, block.parts[1].start)
    begin = header.start if first == 1 else block.parts[first].start
    span = Span(begin, min(block.parts[end - 1].end, block.span.end))
    pieces = block.pieces or (block.span,)
    shown = () if first == 1 else clipped(pieces, header)
    return replace(
        block,
        span=span,
        runs=tuple(run for run in block.runs if run.span.is_within(span) or run.span.is_within(header)),
        parts=(block.parts[0], *block.parts[first:end]),
        display=None if lines is None else "\n".join([lines[0], *lines[first:end]]),
        pieces=(*shown, *clipped(pieces, span)) if shown or block.pieces else (),
    )
