"""Text in lines that fit: broken at spaces, measured in the cells of a terminal."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from rich.cells import cell_len, chop_cells

from nescio.surfaces.cli.layout import Part

Parts = tuple[Part, ...]

_WORD = re.compile(r"[^ ]+")


def wrapped(parts: Sequence[Part], width: int) -> list[Parts]:
    """The parts, which have been made safe, in lines of at most `width` cells. A word is broken only where it is longer than a
    line; a line feed ends a line. Spaces at the ends of lines are left out. At least one line.
    """
    text = "".join(part.text for part in parts)
    ends = list(accumulate((len(part.text) for part in parts), initial=0))
    lines: list[Parts] = []
    start = 0
    for row in text.split("\n"):
        ranges = list(_ranges(row, max(width, 1))) or [(0, 0)]
        lines += [_inside(parts, ends, start + first, start + last) for first, last in ranges]
        start += len(row) + 1
    return lines


def widest(parts: Sequence[Part]) -> int:
    """The cells of the longest line, were nothing wrapped."""
    return max(map(cell_len, "".join(part.text for part in parts).split("\n")))


def longest_word(parts: Sequence[Part]) -> int:
    """The cells of the longest word: in less, one is broken."""
    return max(map(cell_len, "".join(part.text for part in parts).split()), default=0)


def padded(parts: Parts, width: int) -> Parts:
    """The parts of one line with spaces after them, up to `width` cells."""
    missing = width - sum(cell_len(part.text) for part in parts)
    return (*parts, Part(" " * missing)) if missing > 0 else parts


def _ranges(row: str, width: int) -> Iterator[tuple[int, int]]:
    """From where to where each line goes."""
    start = end = taken = 0  # of the line that is being filled; `taken` cells
    for first, last in _words(row, width):
        more = cell_len(row[end:last])
        if end > start and taken + more <= width:
            taken += more
        else:
            if end > start:
                yield start, end
            start, taken = first, cell_len(row[first:last])
        end = last
    if end > start:
        yield start, end


def _words(row: str, width: int) -> Iterator[tuple[int, int]]:
    """The words, those that are too long in pieces."""
    for word in _WORD.finditer(row):
        start = word.start()
        pieces = [word[0]] if len(word[0]) * 2 <= width or cell_len(word[0]) <= width else chop_cells(word[0], width)
        for piece in pieces:
            yield start, start + len(piece)
            start += len(piece)


def _inside(parts: Sequence[Part], ends: Sequence[int], start: int, end: int) -> Parts:
    """What of the parts stands in a range; `ends` say where each begins, and where the last one ends."""
    found: list[Part] = []
    at = max(bisect_right(ends, start) - 1, 0)
    while at < len(parts) and ends[at] < end:
        piece = parts[at].text[max(start - ends[at], 0) : end - ends[at]]
        if piece:
            found.append(replace(parts[at], text=piece))
        at += 1
    return tuple(found)
