"""A quote as blocks that can be shown without parsing markup: headings, paragraphs, list items, code and tables.

With the document, the blocks are those that were indexed: what the words of a quote mean can depend on text that is not in
it (a directive above, a link's target at the end of the page, the cell of a notebook). Without it, the quote's own text is
parsed, which is right for most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath

from nescio.assembly.showing.alone import cells_of, decoded_blocks, moved_left
from nescio.assembly.showing.code import language_of, outdented, shown_code, with_line_feeds
from nescio.assembly.showing.lists import placed, shown_marker, term_end
from nescio.assembly.showing.marks import joined, marked
from nescio.assembly.showing.tables import shown_rows
from nescio.assembly.showing.text import Written, shown_runs
from nescio.domain.answers import Quote
from nescio.domain.display import ShownBlock, ShownRun
from nescio.domain.documents import Basis, Block, BlockKind, Document, Run
from nescio.domain.spans import Span, clipped, meeting, remaining
from nescio.errors import IngestFault
from nescio.ingest.parsers.choice import PARSERS, parser_for

LONGEST_PARSED = (
    300_000  # characters of a document: a quarter of a second of parsing; of a longer one the quote is parsed alone
)
KEPT_PARSED = 2  # texts whose blocks are kept: the quotes of an answer are often of one document
_BETWEEN = re.compile(r"[\s>]*")  # what a quote has between its blocks


def display(
    quote: Quote, document: Document | None = None, format_name: str | None = None, marks: Sequence[Span] = ()
) -> tuple[ShownBlock, ...]:
    """The quote's visible text, in order, at least one block.

    `document` is the file that holds it, as the index keeps it (`Index.document`); another one is not used. `format_name` is
    the format that is configured for its source. `marks` are what to mark, in the document and in any order; without the
    document nothing is marked. The text is the same with marks and without. Time goes with the length of the document, or of
    the quote without one. What no parser makes anything of is one block with the text.
    """
    name = _format(quote.path, format_name, quote.text if document is None else document.text)
    shown: tuple[ShownBlock, ...] = ()
    if name and document and document.sha256 == quote.document_sha256 and len(document.text) <= LONGEST_PARSED:
        shown = _in_document(quote, Written(document.text, name), joined(marks))
    return shown or _alone(quote, name) or (_as_it_is(quote, name),)


def _in_document(quote: Quote, written: Written, marks: Sequence[Span]) -> tuple[ShownBlock, ...]:
    """The blocks of the whole document as far as they stand in the quote; nothing where they leave out some of it."""
    spans = [Span(place.start, place.end) for place in quote.spans]
    blocks = _blocks(written, quote.path)
    between = remaining(spans, [block.span for block in blocks])
    if not all(_BETWEEN.fullmatch(written.text, span.start, span.end) for span in between):
        return ()
    return _shown(written, [cut for block in blocks for cut in _inside(block, spans)], marks)


def _alone(quote: Quote, name: str | None) -> tuple[ShownBlock, ...]:
    """What the quote's own text shows; nothing when it is of no document, or of none that can be read."""
    text = with_line_feeds(quote.text)
    if name is None:
        return ()
    if name == "html":
        return decoded_blocks(text)
    if name == "notebook":
        return tuple(block for is_code, part in cells_of(text) for block in _cell(part, is_code))
    return _parsed(text, name, quote.path)


def _cell(text: str, is_code: bool) -> tuple[ShownBlock, ...]:
    return (ShownBlock(BlockKind.CODE, code=text.strip("\n")),) if is_code else _parsed(text, "markdown", "")


def _parsed(text: str, name: str, path: str) -> tuple[ShownBlock, ...]:
    written = Written(moved_left(text), name)
    return _shown(written, _blocks(written, path))


def _as_it_is(quote: Quote, name: str | None) -> ShownBlock:
    """The text of an included source file as code, of anything else as a paragraph."""
    text = with_line_feeds(quote.text)
    if name is None and quote.basis is not Basis.EXTRACTED:
        return ShownBlock(BlockKind.CODE, code=text.removesuffix("\n"), language=PurePosixPath(quote.path).suffix[1:] or None)
    return ShownBlock(BlockKind.PARAGRAPH, (ShownRun(text.strip("\n")),))


def _format(path: str, configured: str | None, text: str) -> str | None:
    """The name of the parser of a file, None when it is no document."""
    parser = parser_for(path, configured, text)
    return next((name for name, one in PARSERS.items() if one is parser), None)


@lru_cache(KEPT_PARSED)
def _blocks(written: Written, path: str) -> Sequence[Block]:
    """What the parser finds; nothing in a notebook that is none."""
    try:
        return PARSERS[written.format](Document("", path, b"", written.text, "utf-8", "")).blocks
    except IngestFault:
        return ()


def _inside(block: Block, spans: Sequence[Span]) -> Iterator[Block]:
    """The block, or what of it stands in `spans`."""
    found = meeting(spans, block.span)
    if not found:
        return
    if block.pieces or not block.span.is_within(found[0]):
        runs = tuple(cut for run in block.runs for cut in _run_inside(run, found))
        block = replace(block, runs=runs)
    if block.runs:
        yield block


def _run_inside(run: Run, spans: Sequence[Span]) -> Iterator[Run]:
    if run.text is None and run.span:
        yield from (replace(run, span=piece) for piece in clipped(meeting(spans, run.span), run.span))
    elif meeting(spans, Span(max(run.span.start - 1, 0), run.span.end + 1)):
        yield run


def _shown(written: Written, blocks: Sequence[Block], marks: Sequence[Span] = ()) -> tuple[ShownBlock, ...]:
    shown = ((block, _SHOWN[block.kind](written, block, level, marker)) for block, level, marker in placed(written, blocks))
    return tuple(marked(one, written, block, marks) if marks else one for block, one in shown if one is not None)


def _prose(written: Written, block: Block, level: int, marker: str | None) -> ShownBlock | None:
    runs = shown_runs(written, block, term_end(written, block, marker))
    return ShownBlock(block.kind, runs, level=level, marker=shown_marker(written, block, marker)) if runs else None


def _code(written: Written, block: Block, level: int, _: str | None) -> ShownBlock | None:
    code = shown_code(written, block)
    language = language_of(written, block)
    return ShownBlock(block.kind, code=code, language=language, level=level) if code.strip() else None


def _table(written: Written, block: Block, level: int, _: str | None) -> ShownBlock | None:
    if written.format == "notebook" and block.display is not None:
        lines = Written(outdented(block.display), "markdown")
        table = next((one for one in _blocks(lines, "") if one.kind is BlockKind.TABLE), None)
        rows = shown_rows(lines, table) if table else ()
    else:
        rows = shown_rows(written, block)
    if rows:
        return ShownBlock(block.kind, rows=rows, level=level)
    return _prose(written, replace(block, kind=BlockKind.PARAGRAPH), level, None)


_SHOWN: dict[BlockKind, Callable[[Written, Block, int, str | None], ShownBlock | None]] = {
    BlockKind.HEADING: _prose,
    BlockKind.PARAGRAPH: _prose,
    BlockKind.LIST_ITEM: _prose,
    BlockKind.CODE: _code,
    BlockKind.TABLE: _table,
}
