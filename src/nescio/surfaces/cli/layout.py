"""What a screen is made of: lines of marked text, the same for a terminal and for a pipe. Only `output` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

TAB_STOP = 2  # columns between the columns of a table


class Mark(StrEnum):
    """What a stretch of text is; the terminal's colours follow from it."""

    PLAIN = "plain"
    HEADING = "heading"
    PLACE = "place"
    QUIET = "quiet"
    GOOD = "good"
    CAUTION = "caution"
    FAULT = "fault"
    CODE = "code"  # inline, in a text
    KEYWORD = "keyword"  # this and those below: tokens of code, by the classes of `surfaces.highlighting`
    NAME = "name"
    STRING = "string"
    NUMBER = "number"
    COMMENT = "comment"
    OPERATOR = "operator"
    BUILTIN = "builtin"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text with its mark, bold where `strong`. It may hold anything: whoever shows it makes it safe for a
    terminal.
    """

    text: str
    mark: Mark = Mark.PLAIN
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `exact` lines (code, the bytes of a quote, addresses) are never wrapped and keep their tabs; `indent` is in
    columns, wrapped lines too.
    """

    parts: tuple[Part, ...] = ()
    indent: int = 0
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """A terminal: how many columns it has, and whether it shows colours."""

    width: int
    has_colours: bool


BLANK = Line()


def line(text: str, mark: Mark = Mark.PLAIN, *, indent: int = 0) -> Line:
    """A line of one mark."""
    return Line((Part(text, mark),), indent)


def exact(text: str) -> list[Line]:
    """Text that has been made safe, line by line as it stands."""
    return [Line((Part(row),), exact=True) for row in text.split("\n")]


def columns(rows: Iterable[Sequence[str]], *, indent: int = 0, marks: Sequence[Mark] = ()) -> list[Line]:
    """Rows with their cells under each other; the last cell may be of any length. `marks` are by column."""
    kept = [tuple(row) for row in rows]
    widths = [max(len(row[column]) for row in kept) for column in range(max(map(len, kept), default=0) - 1)]
    return [Line(_cells(row, widths, marks), indent) for row in kept]


def _cells(row: Sequence[str], widths: Sequence[int], marks: Sequence[Mark]) -> tuple[Part, ...]:
    last = len(row) - 1
    padded = [cell if place == last else cell.ljust(widths[place] + TAB_STOP) for place, cell in enumerate(row)]
    return tuple(Part(cell, marks[place] if place < len(marks) else Mark.PLAIN) for place, cell in enumerate(padded))


def shortened(text: str, most: int) -> str:
    """The first `most` characters, with a sign that there are more."""
    return text if len(text) <= most else text[:most] + " ..."


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
