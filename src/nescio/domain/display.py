"""A quote taken apart for showing: blocks of plain text with their kind, so that whoever shows them parses no markup."""

from __future__ import annotations

from dataclasses import dataclass

from nescio.domain.documents import BlockKind


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A stretch of visible text. Spaces are as a reader sees them, a line feed is a line end that is seen."""

    text: str
    code: bool = False
    link: bool = False  # the words of a link; where it leads is left out
    mark: bool = False  # of what answers: it stands out from the rest of the quote


Cell = tuple[ShownRun, ...]
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """One block. `runs` hold the text of headings, paragraphs and list items, `code` that of code, `rows` that of tables.

    `level` is that of a heading, 1 to 6; of other blocks in how many list items of the quote they stand. `marker` is a list
    item's bullet or number as written, with the box of a task (`- [x]`); None where one is seen and not written (HTML), empty
    where none is seen (definitions, fields).
    `language` is the name that a fence or directive gives, or the suffix of an included file. `code` has line feeds only and
    none at its end. The first of `rows` is the header; a row has no empty cells at its end. `marked` are the lines of code, or
    the rows of a table, that have something of what answers, counted from 0 and in order: they are marked whole.
    """

    kind: BlockKind
    runs: tuple[ShownRun, ...] = ()
    code: str = ""
    language: str | None = None
    rows: tuple[Row, ...] = ()
    level: int = 0
    marker: str | None = None
    marked: tuple[int, ...] = ()
