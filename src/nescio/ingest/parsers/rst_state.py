"""Where the reStructuredText parser is: the line, what the indentation is inside of, and the blocks found so far."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.documents import Block, BlockKind, Document, Notice, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.blobs import code_runs
from nescio.ingest.parsers.outline import PAGE, Outline, Section
from nescio.ingest.parsers.rst_directives import identifier
from nescio.ingest.parsers.rst_groups import Listed, RstGroups
from nescio.ingest.parsers.rst_inline import inline_runs
from nescio.ingest.parsers.rst_references import References
from nescio.ingest.parsers.text_lines import Line, body_end, lines_of, next_filled

QUOTED_LITERAL = re.compile(r"[!-/:-@\[-`{-~]")


@dataclass(frozen=True, slots=True)
class Frame:
    """What an indentation is inside of. Lines indented less than `indent` end it.

    `scope` is the dotted name of the class that is described here; `is_glossary` says that terms are definitions. `mark` is
    the number of what began in the groups of the page, -1 where nothing did.
    """

    indent: int
    section: Section
    scope: str = ""
    is_glossary: bool = False
    mark: int = -1


@dataclass(frozen=True, slots=True)
class Here:
    """Where a construct starts: the offset and column of its first character, and what a paragraph here would be.

    `hang` is the least indentation of the lines that go on with it.
    """

    offset: int
    column: int
    kind: BlockKind
    hang: int


class State:
    """The parser's one mutable value; the constructs read lines from it and add blocks to it."""

    def __init__(self, document: Document) -> None:
        self.path = document.path
        self.text = document.text
        self.lines: list[Line] = lines_of(document.text)
        self.index = 0
        self.frames = [Frame(0, PAGE)]
        self.outline = Outline()
        self.notices: list[Notice] = []
        self.styles: list[str] = []  # heading adornments in order of appearance
        self.module = ""
        self.ids: set[str] = set()  # of the headings so far
        self.label: str | None = None  # an explicit target that waits for its heading
        self.fallback_label: str | None = None  # the same from a directive that only marks a place
        self.groups = RstGroups()
        self.references = References(self.text)

    @property
    def line(self) -> Line:
        return self.lines[self.index]

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def leave(self, indent: int) -> None:
        """End what a line indented by `indent` is no longer inside of."""
        while self.frames[-1].indent > indent:
            self.groups.end(self.frames.pop().mark, self.line.start)

    def leave_all(self, section: Section) -> None:
        """End everything: a new section begins on the current line."""
        for frame in self.frames:
            self.groups.end(frame.mark, self.line.start)
        self.frames = [Frame(0, section)]

    def enter(self, indent: int, mark: int = -1) -> None:
        """Begin something with a body but no heading of its own."""
        frame = self.frame
        self.frames.append(Frame(indent, frame.section, frame.scope, frame.is_glossary, mark))

    def enter_item(self, here: Here, sort: Listed) -> None:
        """Begin an item of a list of this sort at `here`; it goes on with what is indented deeper."""
        self.enter(here.column + 1, self.groups.item(sort, here.offset, here.column, len(self.frames)))

    def enter_box(self, column: int, start: int, label: Span) -> None:
        """Begin a box at `column`, whose label stands in the range `label`."""
        self.enter(column + 1, self.groups.box(start, label))

    def take_label(self) -> str | None:
        """The target that stands before this heading, if any; it is used once."""
        label = self.label or self.fallback_label
        self.label = self.fallback_label = None
        return label

    def heading_id(self, title: str) -> str | None:
        """The id of a heading: of its target, else what docutils makes of its title, None where another has that already."""
        made = self.take_label() or identifier(title)
        if not made or made in self.ids:
            return None
        self.ids.add(made)
        return made

    def drop_label(self) -> None:
        """A target before anything but a heading marks no section."""
        self.label = self.fallback_label = None

    def add(self, block: Block) -> None:
        """Put a block under the section that the indentation is in; one without anything to see is left out."""
        if block.runs or block.include:
            self.drop_label()
            self.outline.add(self.frame.section, self.references.read(block))

    def blocks(self) -> tuple[Block, ...]:
        """All blocks with their groups and what they need, when the last line is read."""
        blocks = self.references.resolved(self.outline.blocks)
        for frame in self.frames:
            self.groups.end(frame.mark, len(self.text))
        return tuple(self.groups.put_on(blocks, self.text))

    def notice(self, code: str, message: str) -> None:
        """Say something about the current line."""
        self.notices.append(Notice(code, self.path, self.index + 1, message))

    def matches(self, pattern: re.Pattern[str], index: int) -> re.Match[str] | None:
        """`pattern` at the first visible character of a line, seeing nothing but the line."""
        if index >= len(self.lines):
            return None
        line = self.lines[index]
        return pattern.match(self.text, line.first, line.end)

    def is_filled(self, index: int) -> bool:
        """Whether there is such a line and it is not blank."""
        return index < len(self.lines) and self.lines[index].first != self.lines[index].end

    def goes_on(self, index: int, column: int) -> bool:
        """Whether line `index` is filled and indented deeper than `column`."""
        return self.is_filled(index) and self.lines[index].indent > column


def add_paragraph(state: State, here: Here, lead: Sequence[Run] = ()) -> None:
    """The paragraph that starts on the current line at `here`, and the literal block that its `::` announces.

    `lead` are runs that stand before it in the block.
    """
    first = state.index
    after = first + 1
    while state.is_filled(after) and state.lines[after].indent >= here.hang:
        after += 1
    add_lines(state, here, after, lead)


def add_lines(state: State, here: Here, after: int, lead: Sequence[Run] = (), begin: int = -1) -> None:
    """The current line from `here` and the lines up to `after` as one block, and the literal block announced by it.

    The block begins where the line does, or at `begin`.
    """
    start, end = state.line.start if begin < 0 else begin, state.lines[after - 1].end
    is_literal_next = end - 2 >= here.offset and state.text.startswith("::", end - 2)
    runs = (*lead, *inline_runs(state.text, here.offset, _shown_end(state.text, here.offset, end, is_literal_next)))
    if runs:
        state.add(Block(here.kind, Span(start, end), runs))
    state.index = after
    if is_literal_next:
        add_literal(state, here.column)


def _shown_end(text: str, start: int, end: int, is_literal_next: bool) -> int:
    """Of `text::` one colon is shown, of `text ::` and `::` none."""
    if not is_literal_next:
        return end
    before = text[start : end - 2]
    return start + len(before.rstrip()) if not before or before[-1].isspace() else end - 1


def add_literal(state: State, column: int) -> None:
    """The literal block after a `::` in text at `column`: indented lines, or lines that all begin with one sign."""
    begin = next_filled(state.lines, state.index)
    if begin == len(state.lines):
        return
    if state.lines[begin].indent > column:
        add_code(state, begin, body_end(state.lines, begin, column))
    elif begin > state.index and state.lines[begin].indent == column and (sign := state.matches(QUOTED_LITERAL, begin)):
        after = begin
        while state.is_filled(after) and state.text.startswith(sign.group(), state.lines[after].first):
            after += 1
        add_code(state, begin, after)


def add_code(state: State, begin: int, after: int) -> None:
    """The lines from `begin` up to `after` as code, indentation kept; blank lines at the ends are no part of it."""
    begin = next_filled(state.lines, begin)
    if begin < after:
        span = Span(state.lines[begin].start, state.lines[after - 1].end)
        state.add(Block(BlockKind.CODE, span, code_runs(state.text, [(span.start, span.end)])))
    state.index = max(after, state.index)
