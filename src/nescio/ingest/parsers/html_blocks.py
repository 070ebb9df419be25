"""Gathers the text of one block of HTML: its visible runs with exact ranges, and how it reads without its tags."""

from __future__ import annotations

import html
from dataclasses import dataclass

from nescio.domain.documents import Block, BlockKind, Run
from nescio.domain.spans import Span

# Marks a line end that the page shows, which white space in the file is not. A NUL can't come from decoded HTML.
SHOWN_BREAK = "\0"
CELL_SEPARATOR = " | "


class BlockText:
    """The text of the block that is being read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.runs: list[Run] = []
        self._pieces: list[str] = []

    def clear(self) -> None:
        """Begin a block."""
        self.runs = []
        self._pieces = []

    def add(self, span: Span, *, link: bool, code: bool, exact: bool) -> None:
        """A text node. Its run leaves out white space at its ends unless `exact`; white space alone makes none."""
        raw = span.of(self._text)
        decoded = (html.unescape(raw) if "&" in raw else raw).replace(SHOWN_BREAK, "\ufffd")
        self._pieces.append(decoded)
        if not decoded.strip():
            return
        if not exact:
            start = span.start + len(raw) - len(raw.lstrip())
            span = Span(start, span.start + len(raw.rstrip()))
        shown = html.unescape(span.of(self._text))
        self.runs.append(Run(span, link, code, None if shown == span.of(self._text) else shown))

    def break_line(self) -> None:
        """A line end that the reader sees."""
        self._pieces.append(SHOWN_BREAK)

    @property
    def mark(self) -> int:
        """How many pieces there are, for `words`."""
        return len(self._pieces)

    def words(self, since: int = 0) -> str:
        """The words added since a mark, in one line."""
        return " ".join("".join(self._pieces[since:]).replace(SHOWN_BREAK, " ").split())

    def flowing(self) -> str:
        """The words, white space collapsed, lines broken where the page breaks them."""
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split(SHOWN_BREAK))
        return "\n".join(line for line in lines if line)

    def preformatted(self) -> str:
        """The text as it is, without the line end after `<pre>` and the white space at the end."""
        whole = "".join(self._pieces).replace(SHOWN_BREAK, "\n").replace("\r\n", "\n").replace("\r", "\n")
        return whole.removeprefix("\n").rstrip()


@dataclass(frozen=True, slots=True)
class Row:
    """A table row: its range in the file and its cells joined."""

    span: Span
    words: str


class TableText:
    """The rows of the table that is being read; their text is in the `BlockText` they share."""

    def __init__(self, content: BlockText, start: int, place: int) -> None:
        self._content = content
        self._start = start
        self._row = -1
        self._cells: list[str] = []
        self._mark = 0
        self._rows: list[Row] = []
        self.place = place  # of the table on the stack of open elements

    @property
    def is_in_row(self) -> bool:
        """Whether a row is open."""
        return self._row >= 0

    def begin_row(self, start: int) -> None:
        """A row opens at `start`."""
        self._row, self._cells, self._mark = start, [], self._content.mark

    def begin_cell(self) -> None:
        """A cell opens; the one before it is complete."""
        if words := self._content.words(self._mark):
            self._cells.append(words)
        self._mark = self._content.mark

    def end_row(self, end: int) -> None:
        """The row is complete. One without words is no row."""
        if self._row < 0:
            return
        self.begin_cell()
        if self._cells:
            self._rows.append(Row(Span(self._row, end), CELL_SEPARATOR.join(self._cells)))
        self._row = -1

    def caption_taken(self) -> None:
        """The caption has become a block of its own, so that the table's starts with its first row."""
        self._start = -1

    def block(self, end: int) -> Block | None:
        """The table as a block, `display` with a line for each part; None when it has no words."""
        if not self._rows:
            return None
        parts = tuple(row.span for row in self._rows)
        span = Span(parts[0].start if self._start < 0 else self._start, max(end, parts[-1].end))
        display = "\n".join(row.words for row in self._rows)
        return Block(BlockKind.TABLE, span, tuple(self._content.runs), parts=parts, display=display)
