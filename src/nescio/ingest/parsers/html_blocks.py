"""Gathers the text of one block of HTML: its visible runs with exact ranges, and how it reads without its tags."""

from __future__ import annotations

import html
from dataclasses import replace

from nescio.domain.documents import Block, BlockKind, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.table_rows import TableRow, row_groups

# Marks a line end that the page shows, which white space in the file is not. A NUL can't come from decoded HTML.
SHOWN_BREAK = "\0"
CELL_SEPARATOR = " | "
LONGEST_ROWSPAN = 4  # digits


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

    def add(self, span: Span, *, link: bool, code: bool, is_flowing: bool) -> None:
        """A text node. White space alone makes a run only between others, where text is flowing."""
        raw = span.of(self._text)
        decoded = self._decoded(span) if "&" in raw or SHOWN_BREAK in raw else raw
        self._pieces.append(decoded)
        if decoded.strip() or (self.runs and is_flowing):
            self.runs.append(Run(span, link, code, None if decoded == raw else decoded))

    def break_line(self, span: Span | None) -> None:
        """A line end that the reader sees, made by the tag at `span`."""
        self._pieces.append(SHOWN_BREAK)
        if self.runs and span:
            self.runs.append(Run(span, text="\n"))

    def trim(self, *, exact: bool) -> None:
        """Take white space from the end of the runs, and from their start unless `exact`."""
        while self.runs and not self.runs[-1].visible(self._text).strip():
            self.runs.pop()
        if self.runs:
            self._cut(-1, 0, len(self.runs[-1].span.of(self._text).rstrip()))
            raw = self.runs[0].span.of(self._text)
            self._cut(0, 0 if exact else len(raw) - len(raw.lstrip()), len(raw))

    def _cut(self, index: int, start: int, end: int) -> None:
        """Leave of a run what stands from `start` to `end` in it."""
        run = self.runs[index]
        span = Span(run.span.start + start, run.span.start + end)
        self.runs[index] = replace(run, span=span, text=None if run.text is None else self._decoded(span))

    def _decoded(self, span: Span) -> str:
        return html.unescape(span.of(self._text)).replace(SHOWN_BREAK, "\ufffd")

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


class TableText:
    """The rows of the table that is being read; their text is in the `BlockText` they share."""

    def __init__(self, content: BlockText, start: int, place: int) -> None:
        self._content = content
        self._start = start
        self._row = -1
        self._cells: list[str] = []
        self._mark = 0
        self._rows: list[TableRow] = []
        self._reach, self._is_head = 1, False
        self.place = place  # of the table on the stack of open elements

    @property
    def is_in_row(self) -> bool:
        """Whether a row is open."""
        return self._row >= 0

    @property
    def is_before_rows(self) -> bool:
        """Whether no row has begun yet."""
        return self._row < 0 and not self._rows

    def begin_row(self, start: int, *, is_head: bool = False) -> None:
        """A row opens at `start`, in the head of the table or not."""
        self._row, self._cells, self._mark = start, [], self._content.mark
        self._reach, self._is_head = 1, is_head

    def reach(self, rowspan: str) -> None:
        """A cell of the open row spans this many rows."""
        if rowspan.isascii() and rowspan.isdigit() and len(rowspan) <= LONGEST_ROWSPAN:
            self._reach = max(self._reach, int(rowspan))

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
            words = CELL_SEPARATOR.join(self._cells)
            self._rows.append(TableRow(Span(self._row, end), self._reach, self._is_head, words))
        self._row = -1

    def caption_taken(self) -> None:
        """The caption has become a block of its own, so that the table's starts with its first row."""
        self._start = -1

    def block(self, end: int) -> Block | None:
        """The table as a block, `display` with a line for each part; None when it has no words."""
        if not self._rows:
            return None
        groups = row_groups(self._rows)
        parts = tuple(Span(rows[0].span.start, rows[-1].span.end) for rows in groups)
        span = Span(parts[0].start if self._start < 0 else self._start, max(end, parts[-1].end))
        display = "\n".join(CELL_SEPARATOR.join(row.words for row in rows) for rows in groups)
        return Block(BlockKind.TABLE, span, tuple(self._content.runs), parts=parts, display=display)
