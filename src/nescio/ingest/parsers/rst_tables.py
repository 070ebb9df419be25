"""Tables of reStructuredText: their rows with exact ranges, and the words in their cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from nescio.domain.documents import Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.rst_inline import inline_runs
from nescio.ingest.parsers.text_lines import Line

GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+$")
SIMPLE_BORDER = re.compile(r"=+(?:[ \t]+=+)+$")
SPAN_LINE = re.compile(r"-+(?:[ \t]+-+)*$")
RULE = re.compile(r"[-=+|\s]*$")
CORNER = re.compile(r"\+")
COLUMN = re.compile(r"=+")
# Two blank lines in a row end a simple table that nothing else ends; a bound on how far a missing border is looked for.
BLANK_LINES_THAT_END = 2


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the rows (the first with the header and its rules), the visible runs, and the index of the line after it."""

    rows: tuple[Span, ...]
    runs: tuple[Run, ...]
    after: int

    @property
    def span(self) -> Span:
        return Span(self.rows[0].start, self.rows[-1].end)


def grid_table(text: str, lines: list[Line], index: int) -> Table | None:
    """The grid table whose top border is line `index`; None when no row follows."""
    after = index + 1
    while after < len(lines) and text[lines[after].first : lines[after].first + 1] in ("|", "+"):
        after += 1
    borders = [i for i in range(index, after) if GRID_BORDER.match(text, lines[i].first, lines[i].end)]
    if len(borders) < 2:
        return None
    heads = [i for i in borders[1:] if "=" in text[lines[i].first : lines[i].end]]
    return Table(
        _rows(lines, [heads[0] if heads else borders[1], *borders], index, after), _grid_runs(text, lines, index, after), after
    )


def _rows(lines: list[Line], ends: list[int], index: int, after: int) -> tuple[Span, ...]:
    """Rows that end with the lines `ends`; the first of these is the end of the header. What follows the last is one more."""
    rows, start = [], index
    for end in sorted({end for end in ends if end >= ends[0]} | {after - 1}):
        last = end
        while last > start and lines[last].first == lines[last].end:
            last -= 1
        rows.append(Span(lines[start].start, lines[last].end))
        start = end + 1
    return tuple(rows)


def _grid_runs(text: str, lines: list[Line], index: int, after: int) -> tuple[Run, ...]:
    runs: list[Run] = []
    borders = [line for line in lines[index:after] if GRID_BORDER.match(text, line.first, line.end)]
    columns = sorted({match.start() - line.start for line in borders for match in CORNER.finditer(text, line.first, line.end)})
    for line in lines[index:after]:
        edges = [line.start + column for column in columns if line.first <= line.start + column < line.end]
        cuts = [edge for edge in edges if text[edge] in "|+"]
        for start, end in zip(cuts, [*cuts[1:], line.end], strict=True):
            if not RULE.match(text, start + 1, end):
                runs += inline_runs(text, *_trimmed(text, start + 1, end))
    return tuple(runs)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    content = text[start:end]
    lead = len(content) - len(content.lstrip())
    return start + lead, max(start + lead, start + len(content.rstrip()))


def simple_table(text: str, lines: list[Line], index: int) -> Table | None:
    """The simple table whose top border is line `index`; None when no bottom border is found."""
    borders = _simple_borders(text, lines, index)
    if len(borders) < 2:
        return None
    after = borders[-1] + 1
    columns = [match.start() - lines[index].start for match in COLUMN.finditer(text, lines[index].first, lines[index].end)]
    first_row = borders[1] + 1 if len(borders) == 3 else index + 1
    starts = [i for i in range(first_row, borders[-1]) if _begins_row(text, lines[i], columns)]
    header_end = borders[1] if len(borders) == 3 else (starts[1] - 1 if len(starts) > 1 else borders[-1])
    ends = [header_end, *(start - 1 for start in starts if start - 1 > header_end)]
    return Table(_rows(lines, ends, index, after), _simple_runs(text, lines[index + 1 : after - 1], columns), after)


def _simple_borders(text: str, lines: list[Line], index: int) -> list[int]:
    """The borders of the table from the top one to the last: the third, or the second when a blank line follows it."""
    found, blank = [index], 0
    for i in range(index + 1, len(lines)):
        line = lines[i]
        blank = blank + 1 if line.first == line.end else 0
        if blank == BLANK_LINES_THAT_END or (not blank and line.indent < lines[index].indent):
            break
        if not blank and line.indent == lines[index].indent and SIMPLE_BORDER.match(text, line.first, line.end):
            found.append(i)
            if len(found) == 3 or i + 1 == len(lines) or lines[i + 1].first == lines[i + 1].end:
                return found
    return found if len(found) == 2 else []


def _begins_row(text: str, line: Line, columns: list[int]) -> bool:
    """A row begins where its first column is filled; a line under it with the first column empty goes on with it."""
    if line.first == line.end or SPAN_LINE.match(text, line.first, line.end):
        return False
    return line.first - line.start < (columns[1] if len(columns) > 1 else columns[0] + 1)


def _simple_runs(text: str, lines: list[Line], columns: list[int]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for line in lines:
        if SIMPLE_BORDER.match(text, line.first, line.end) or SPAN_LINE.match(text, line.first, line.end):
            continue
        for start, end in _cells(text, line, columns):
            runs += inline_runs(text, *_trimmed(text, start, end))
    return tuple(runs)


def _cells(text: str, line: Line, columns: list[int]) -> list[tuple[int, int]]:
    """The stretches of a line in its columns; text that runs over a column's edge stays whole."""
    edges = [line.start + column for column in columns[1:]]
    cuts = [edge for edge in edges if line.first < edge < line.end and text[edge - 1].isspace()]
    points = [line.first, *cuts, line.end]
    return list(pairwise(points))


def list_rows(text: str, lines: list[Line], index: int, after: int, heads: int = 1) -> Table | None:
    """A `list-table`: each outermost bullet begins a row. `heads` rows are the header, which is one part."""
    filled = [i for i in range(index, after) if lines[i].first != lines[i].end]
    if not filled:
        return None
    edge = min(lines[i].indent for i in filled)
    starts = [i for i in filled if lines[i].indent == edge]
    runs: list[Run] = []
    for i in filled:
        start = lines[i].first
        while text[start : start + 2] in ("* ", "- "):
            start = _trimmed(text, start + 2, lines[i].end)[0]
        runs += inline_runs(text, start, lines[i].end)
    return Table(_written_rows(lines, starts, filled, heads), tuple(runs), after)


def csv_rows(text: str, lines: list[Line], index: int, after: int, heads: int = 1) -> Table | None:
    """A `csv-table`: each line begins a row, but for one inside of quotation marks. `heads` rows are the header."""
    filled = [i for i in range(index, after) if lines[i].first != lines[i].end]
    if not filled:
        return None
    starts, is_open = [], False
    runs: list[Run] = []
    for i in filled:
        if not is_open:
            starts.append(i)
        is_open ^= text.count('"', lines[i].first, lines[i].end) % 2 == 1
        runs += inline_runs(text, lines[i].first, lines[i].end)
    return Table(_written_rows(lines, starts, filled, heads), tuple(runs), after)


def _written_rows(lines: list[Line], starts: list[int], filled: list[int], heads: int) -> tuple[Span, ...]:
    """The rows that start on the lines `starts`; the first `heads` of them are one."""
    ends = [*(start - 1 for start in starts[1:]), filled[-1]]
    return _rows(lines, ends[max(heads, 1) - 1 :] or ends[-1:], filled[0], filled[-1] + 1)
