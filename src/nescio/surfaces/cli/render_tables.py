"""A table of a quote on a terminal: in columns where they fit and are not much longer, else rows of `Header: value`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from nescio.surfaces.cli.layout import BLANK, TAB_STOP, Line, Mark, Part
from nescio.surfaces.cli.wrapping import Parts, longest_word, padded, widest, wrapped

NARROWEST = 16  # cells of a column whose cells are wrapped: in fewer there is a word or two on a line

MUCH_LONGER = 1.5  # times as many lines: then narrow columns of long text are easier to read by the row

Cells = Sequence[Parts]


def table(rows: Sequence[Cells], width: int, marked: Collection[int] = ()) -> list[Line]:
    """The rows, of which the first is the header, within `width` cells. Those in `marked` are strong. What the cells hold has
    been made safe.
    """
    count = max(map(len, rows), default=0)
    whole = [(*row, *((),) * (count - len(row))) for row in rows]
    strong = [_strong(row) if number in marked else row for number, row in enumerate(whole)]
    widths = _widths(whole, width)
    one_by_one = list(_one_by_one(strong, width))
    if not widths:
        return one_by_one
    in_columns = list(_in_columns([list(map(wrapped, row, widths)) for row in strong], widths))
    return one_by_one if len(in_columns) > MUCH_LONGER * len(one_by_one) else in_columns


def _strong(cells: Cells) -> Cells:
    return [tuple(replace(part, strong=True) for part in cell) for cell in cells]


def _widths(rows: Sequence[Cells], width: int) -> list[int]:
    """The cells of each column: as many as it needs, where that is too many as even as they can be. None where that would
    break words or leave too little.
    """
    columns = list(zip(*rows, strict=True))
    needed = [max(map(widest, column)) for column in columns]
    least = [min(need, max(NARROWEST, *map(longest_word, column))) for need, column in zip(needed, columns, strict=True)]
    there = width - TAB_STOP * (len(columns) - 1)
    if sum(needed) <= there:
        return needed
    if not columns or sum(least) > there:
        return []
    level = max(level for level in range(there + 1) if sum(_at(level, needed, least)) <= there)
    return _at(level, needed, least)


def _at(level: int, needed: Sequence[int], least: Sequence[int]) -> list[int]:
    return [min(need, max(low, level)) for need, low in zip(needed, least, strict=True)]


def _in_columns(rows: Sequence[Sequence[list[Parts]]], widths: Sequence[int]) -> Iterator[Line]:
    """The header with a rule below it, then the rows, apart where one has several lines."""
    is_tall = any(len(cell) > 1 for row in rows[1:] for cell in row)
    for number, row in enumerate(rows):
        if number > 1 and is_tall:
            yield BLANK
        for cells in zip_longest(*row, fillvalue=()):
            yield Line(_row(cells, widths, Mark.PLAIN if number else Mark.HEADING))
        if not number:
            rules = [(Part("-" * size, Mark.QUIET),) for size in widths]
            yield Line(_row(rules, widths, Mark.QUIET))


def _row(cells: Sequence[Parts], widths: Sequence[int], mark: Mark) -> Parts:
    filled = max((at for at, cell in enumerate(cells) if cell), default=0)
    parts: list[Part] = []
    for at, (cell, size) in enumerate(zip(cells[: filled + 1], widths, strict=False)):
        looks = tuple(replace(part, mark=mark) if part.mark is Mark.PLAIN else part for part in cell)
        parts += looks if at == filled else padded(looks, size + TAB_STOP)
    return tuple(parts)


def _one_by_one(rows: Sequence[Cells], width: int) -> Iterator[Line]:
    """Each row but the header by itself; a header alone is one."""
    header = rows[0]
    others = [row for row in rows[1:] if any(row)]
    for number, row in enumerate(others or [header]):
        if number:
            yield BLANK
        for name, cell in zip(header if others else ((),) * len(header), row, strict=True):
            yield from _field(name, cell, width)


def _field(name: Parts, cell: Parts, width: int) -> Iterator[Line]:
    """`Header: value`, the lines after the first set in; nothing of an empty cell."""
    if not cell:
        return
    label = (*(replace(part, text=part.text.replace("\n", " "), mark=Mark.HEADING) for part in name), Part(": "))
    first, *others = wrapped((*label, *cell) if name else cell, width)
    yield Line(first)
    rest = tuple(part for line in others for part in (*line, Part(" ")))
    yield from (Line(line, TAB_STOP) for line in (wrapped(rest, width - TAB_STOP) if rest else ()))
