"""The rows and cells of a table, found by where its runs stand: between bars, in columns, under bullets, in tags."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from nescio.assembly.showing.text import Written, collapsed, flowing
from nescio.domain.display import Cell, Row, ShownRun
from nescio.domain.documents import Block, Run
from nescio.domain.spans import LINE_END, Span, line_starts

_BAR = re.compile(r"\\.|(?P<bar>\|)", re.DOTALL)
_QUOTED_START = re.compile(r"[ \t>]*+\|")
_CORNER = re.compile(r"\+")
_COLUMN = re.compile(r"=+")
_LISTED = re.compile(r"[ \t]*+[*+-][ \t]++(?=[*+-](?:[ \t]|$))", re.MULTILINE)
_COMMA = re.compile(r"\"[^\"]*+\"|(?P<comma>,)")
_TAG = re.compile(r"<[^<>]*+>")
_ROW_TAG = re.compile(r"<tr(?=[\s/>])", re.IGNORECASE)
_HTML_PART = re.compile(r"[\s>]*+<")
_CELL_TAG = re.compile(r"<t[dh]\b", re.IGNORECASE)
_LINE_TAG = re.compile(r"</?(?:blockquote|br|dd|div|dl|dt|li|ol|p|pre|table|tr|ul)\b", re.IGNORECASE)  # begins a line in a cell
_INLINE_TAGS = re.compile(
    r"(?:</?(?:a|abbr|b|big|cite|code|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)\b[^<>]*+>)*+",
    re.IGNORECASE,
)

# Of a run's offset, in which cell it stands.
Place = Callable[[int], int]


def shown_rows(written: Written, block: Block) -> tuple[Row, ...]:
    """The rows that have words, the header first; cells are in their columns as far as the document tells."""
    lines = [block.span.start + start for start in line_starts(block.span.of(written.text))]
    columns = _columns(written, block, lines)
    rows = []
    for part, runs in _by_part(written, block):
        place = columns or _place(written, part)
        if columns is None and written.format == "rst":
            runs = list(_cut_at_commas(written.text, part, runs))
        if row := _row(written, runs, place, lines):
            rows.append(row)
    return tuple(rows)


def _by_part(written: Written, block: Block) -> Iterator[tuple[Span, list[Run]]]:
    """Each row with its runs. Those without a range only keep words apart."""
    parts = [row for part in block.parts or (block.span,) for row in _rows_in(written, part)]
    found: list[list[Run]] = [[] for _ in parts]
    at = 0
    for run in block.runs:
        while at + 1 < len(parts) and run.span.start >= parts[at].end:
            at += 1
        if run.span:
            found[at].append(run)
    return zip(parts, found, strict=True)


def _rows_in(written: Written, part: Span) -> Iterator[Span]:
    """A part may be several rows: those that a cell spans, those of the head."""
    text = part.of(written.text)
    starts: list[int] = []
    if written.format == "html" or (written.is_markdown and _HTML_PART.match(text)):
        starts = [match.start() for match in _ROW_TAG.finditer(text)]
    elif written.format == "rst" and (listed := _LISTED.match(text)):
        starts = [start for start in line_starts(text) if (row := _LISTED.match(text, start)) and _is_outer(row, listed)]
    for start, end in pairwise([0, *starts[1:], len(text)]):
        yield Span(part.start + start, part.start + end)


def _is_outer(row: re.Match[str], first: re.Match[str]) -> bool:
    """Whether a row is of the table that `first` begins, and not of a list in a cell."""
    return row.end() - row.start() == first.end() - first.start()


def _row(written: Written, runs: Sequence[Run], place: Place, lines: Sequence[int]) -> Row:
    cells: list[list[Run]] = []
    for run in runs:
        at = place(run.span.start)
        cells.extend([] for _ in range(at + 1 - len(cells)))
        cells[at].append(run)
    return tuple(_cell(written, cell, lines) for cell in cells)


def _cell(written: Written, runs: Sequence[Run], lines: Sequence[int]) -> Cell:
    """The runs of a cell with white space where something between them parts words or lines."""
    pieces: list[ShownRun] = []
    for at, run in enumerate(runs):
        if at and (space := _space(written, runs[at - 1].span.end, run.span.start, lines)):
            pieces.append(ShownRun(space))
        is_break = run.text == "\n" and (written.is_markdown or written.format == "html")
        text = "\n" if is_break else collapsed(run.visible(written.text))
        pieces.append(ShownRun(text, run.code, run.link))
    return flowing(pieces)


def _space(written: Written, end: int, start: int, lines: Sequence[int]) -> str:
    """In HTML and Markdown by the tags between, in drawn tables by the line; what lies between may be whole other cells."""
    gap = written.text[end:start]
    if written.is_markdown:
        return "\n" if _LINE_TAG.search(gap) else ""
    if written.format != "html":
        return " " if bisect_right(lines, end) != bisect_right(lines, start) else ""
    if any(map(str.isspace, _TAG.sub("", gap))) or _INLINE_TAGS.fullmatch(gap) is None:
        return "\n" if _LINE_TAG.search(gap) else " "
    return ""


def _columns(written: Written, block: Block, lines: Sequence[int]) -> Place | None:
    """For a table of reStructuredText that is drawn: the column of an offset; None for others."""
    if written.format != "rst":
        return None
    text = block.span.of(written.text)
    first = LINE_END.split(text, maxsplit=1)[0]
    sign = first.strip()[:1]
    if sign not in ("+", "="):
        return None
    edges = [match.start() for match in (_CORNER if sign == "+" else _COLUMN).finditer(first)]

    def column(offset: int) -> int:
        in_line = offset - lines[bisect_right(lines, offset) - 1]
        return max(bisect_right(edges, in_line) - 1, 0)

    return column


def _place(written: Written, part: Span) -> Place:
    """The cell of an offset in the row `part`, by the signs between cells."""
    text = part.of(written.text)
    if written.format == "html" or (written.is_markdown and _HTML_PART.match(text)):
        edges = [match.start() for match in _CELL_TAG.finditer(text)]
        skipped = 1
    elif written.is_markdown:
        edges = [match.start() for match in _BAR.finditer(text) if match["bar"]]
        skipped = 1 if _QUOTED_START.match(text) else 0
    elif listed := _LISTED.match(text):
        edges = list(_bullets(text, listed.end()))
        skipped = 1
    else:
        edges, skipped = _commas(text), 0
    return lambda offset: max(bisect_right(edges, offset - part.start) - skipped, 0)


def _bullets(text: str, column: int) -> Iterator[int]:
    """Where the lines begin that have a bullet in `column`: a cell each."""
    for start in line_starts(text):
        if text[start + column : start + column + 1] in ("*", "+", "-") and (
            start == 0 or not text[start : start + column].strip()
        ):
            yield start + column


def _commas(text: str) -> list[int]:
    return [match.start() for match in _COMMA.finditer(text) if match["comma"]]


def _cut_at_commas(text: str, part: Span, runs: Sequence[Run]) -> Iterator[Run]:
    """The runs of a line of comma-separated values, cut between values; of a row written as a list they stay whole."""
    row = part.of(text)
    commas = [] if _LISTED.match(row) else [part.start + comma for comma in _commas(row)]
    for run in runs:
        inside = commas[bisect_left(commas, run.span.start) : bisect_left(commas, run.span.end)] if run.text is None else []
        for start, end in pairwise([run.span.start - 1, *inside, run.span.end]):
            yield replace(run, span=Span(start + 1, end))
