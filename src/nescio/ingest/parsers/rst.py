"""reStructuredText to blocks with exact ranges, line by line.

A parser of our own and not a grammar: tree-sitter-rst takes quadratic time on a row of unclosed stars, ticks or bars, gives
byte offsets, and leaves the bodies of directives to be parsed again. The lines are read once, from the first to the last;
what a line is inside of is kept on a stack of indentations.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nescio.domain.documents import Block, BlockKind, Document, Page, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.outline import DEEPEST_LEVEL, Section, first_title
from nescio.ingest.parsers.rst_explicit import EXPLICIT, explicit, glossary_term
from nescio.ingest.parsers.rst_groups import Listed
from nescio.ingest.parsers.rst_inline import inline_runs, title_of
from nescio.ingest.parsers.rst_state import Here, State, add_code, add_lines, add_paragraph
from nescio.ingest.parsers.rst_tables import GRID_BORDER, SIMPLE_BORDER, grid_table, simple_table

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
BULLET = re.compile(r"[*+\-•‣⁃](?:[ \t]+|$)")
ENUMERATOR = re.compile(r"\(?(?:[0-9]{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9}|#)[.)](?:[ \t]+|$)")
FIELD = re.compile(r":(?![:\s])[^:`\r\n]+(?::(?![\s`])[^:`\r\n]*)*:(?:[ \t]+|$)")
OPTION_LIST = re.compile(r"(?:--?|/)\w[\w-]*(?:[ =]<?\w+>?)?(?:, (?:--?|/)\w[\w-]*(?:[ =]<?\w+>?)?)*  +(?=\S)")
DOCTEST = re.compile(r">>>(?: |$)")
LINE_BLOCK = re.compile(r"\|(?:[ \t]+|$)")
# A line under a term that begins one of these is not the term's first paragraph.
NOT_PROSE = (EXPLICIT, BULLET, ENUMERATOR, FIELD, DOCTEST, LINE_BLOCK, GRID_BORDER, SIMPLE_BORDER)
SHORTEST_ADORNMENT = 4  # docutils takes a shorter one only where it is as long as the title
# Fields for the renderer, not for the reader.
FILE_FIELDS = frozenset([":orphan:", ":tocdepth:", ":nocomments:", ":nosearch:", ":no-search:", ":allow_comments:"])


def parse_rst(document: Document) -> Page:
    """The blocks of a reStructuredText document.

    Levels of headings follow the order in which their adornments appear. A described object (`.. function::`), and a term
    of a glossary, is a heading one level below the section that it stands in, titled with its signature and followed by
    its body; where that section goes on afterwards, an empty heading block repeats its title (see `Outline`). Never
    raises: what is no valid markup is read as text.
    """
    state = State(document)
    while state.index < len(state.lines):
        line = state.line
        if line.first == line.end:
            state.index += 1
            continue
        state.leave(line.indent)
        _read(state, Here(line.first, line.indent, BlockKind.PARAGRAPH, line.indent))
    return Page(document, _title(state), state.blocks(), notices=tuple(state.notices))


def _title(state: State) -> str:
    blocks = state.outline.blocks
    return next((b.title for b in blocks if b.kind is BlockKind.HEADING and b.level == 1 and b.span), first_title(blocks))


def _read(state: State, here: Here) -> None:
    """One construct at `here`; the state moves past it."""
    here = _list_markers(state, here)
    if here.offset >= state.line.end:
        state.index += 1
        return
    if not any(construct(state, here) for construct in CONSTRUCTS):
        add_paragraph(state, here)


def _list_markers(state: State, here: Here) -> Here:
    """Step over the markers of list items, also several on one line, and into their bodies."""
    end = state.line.end
    while marker := _marker(state, here):
        width = marker.end() - here.offset
        is_bullet = BULLET.match(state.text, here.offset, end) is not None
        state.enter_item(here, Listed.BULLETS if is_bullet else Listed.STEPS)
        here = Here(marker.end(), here.column + width, BlockKind.LIST_ITEM, here.column + 1)
        if here.offset >= end:
            break
    return here


def _marker(state: State, here: Here) -> re.Match[str] | None:
    end = state.line.end
    if bullet := BULLET.match(state.text, here.offset, end):
        return bullet
    enumerator = ENUMERATOR.match(state.text, here.offset, end)
    return enumerator if enumerator and _is_list_below(state, here.column, enumerator) else None


def _is_list_below(state: State, column: int, enumerator: re.Match[str]) -> bool:
    """`A. Person wrote` opens no list: the next line must be blank, go on indented, or be the next item."""
    below = state.index + 1
    if not state.is_filled(below) or state.lines[below].indent != column:
        return True
    return bool(state.matches(ENUMERATOR, below) or state.matches(EXPLICIT, below) or state.matches(BULLET, below))


def _section(state: State, here: Here) -> bool:
    """A title with a line under it, or over and under it; also a line between paragraphs, of which nothing is shown."""
    if here.column or here.kind is BlockKind.LIST_ITEM:
        return False
    over = ADORNMENT.match(state.text, here.offset, state.line.end)
    if not over:
        return _underlined(state, state.index, "", state.index)
    sign = over.group(1)
    if _underlined(state, state.index + 1, sign, state.index):
        return True
    if len(over.group()) < SHORTEST_ADORNMENT:
        return False
    state.index += 1
    return True


def _underlined(state: State, index: int, over: str, first: int) -> bool:
    """The title on line `index`, the section starting on line `first`; `over` is the sign above it, if any."""
    under = state.matches(ADORNMENT, index + 1)
    if not under or not state.is_filled(index) or state.lines[index + 1].indent:
        return False
    line = state.lines[index]
    if (over and under.group(1) != over) or state.matches(ADORNMENT, index) or under.group() in ("::", ".."):
        return False
    if len(under.group()) < min(SHORTEST_ADORNMENT, line.end - line.first):
        return False
    style = over + under.group(1)
    if style not in state.styles:
        state.styles.append(style)
    _open_section(state, first, index, state.styles.index(style) + 1)
    return True


def _open_section(state: State, first: int, index: int, level: int) -> None:
    line = state.lines[index]
    span = Span(state.lines[first].start, state.lines[index + 1].end)
    heading = state.references.read(Block(BlockKind.HEADING, span, tuple(inline_runs(state.text, line.first, line.end))))
    title = title_of(state.text, heading.runs)
    section = Section(min(level, DEEPEST_LEVEL), title, state.heading_id(title))
    state.outline.open(section, heading)
    state.leave_all(section)
    state.index = index + 2


def _table(state: State, here: Here) -> bool:
    if here.offset != state.line.first:
        return False
    if state.matches(GRID_BORDER, state.index):
        table = grid_table(state.text, state.lines, state.index)
    elif state.matches(SIMPLE_BORDER, state.index):
        table = simple_table(state.text, state.lines, state.index)
    else:
        return False
    if table:
        state.add(Block(BlockKind.TABLE, table.span, table.runs, parts=table.rows))
        state.index = table.after
    return table is not None


def _field(state: State, here: Here) -> bool:
    """`:name: body`. Its name is read too, unless the field speaks to the renderer."""
    field = FIELD.match(state.text, here.offset, state.line.end)
    if not field:
        return False
    if field.group().strip() in FILE_FIELDS and not state.outline.blocks:
        state.index += 1
        return True
    state.enter_item(here, Listed.FIELDS)
    add_paragraph(state, Here(here.offset + 1, here.column, BlockKind.LIST_ITEM, here.column + 1))
    return True


def _option(state: State, here: Here) -> bool:
    """`-a, --all  description`."""
    if not OPTION_LIST.match(state.text, here.offset, state.line.end):
        return False
    state.enter_item(here, Listed.OPTIONS)
    add_paragraph(state, Here(here.offset, here.column, BlockKind.LIST_ITEM, here.column + 1))
    return True


def _doctest(state: State, here: Here) -> bool:
    if not DOCTEST.match(state.text, here.offset, state.line.end):
        return False
    after = state.index
    while state.is_filled(after) and state.lines[after].indent >= min(here.column, state.line.indent):
        after += 1
    add_code(state, state.index, after)
    return True


def _line_block(state: State, here: Here) -> bool:
    """Lines that begin with a bar keep their line ends; the bars are not shown."""
    if not LINE_BLOCK.match(state.text, here.offset, state.line.end):
        return False
    runs, offset, after = [], here.offset, state.index
    while after == state.index or (state.is_filled(after) and state.lines[after].indent >= here.hang):
        line = state.lines[after]
        start = max(offset, line.first)
        bar = LINE_BLOCK.match(state.text, start, line.end)
        runs += inline_runs(state.text, bar.end() if bar else start, line.end)
        after += 1
        if runs and state.is_filled(after):
            runs.append(Run(Span(line.end, state.lines[after].start)))  # the line end is seen too
    if any(run.visible(state.text).strip() for run in runs):
        runs = runs[: -1 if runs[-1].span.end > state.lines[after - 1].end else len(runs)]
        state.add(Block(here.kind, Span(state.line.start, state.lines[after - 1].end), tuple(runs)))
    state.index = after
    return True


def _definition(state: State, here: Here) -> bool:
    """A line with a deeper one right under it: a term, and its definition's first paragraph."""
    below = state.index + 1
    if not state.is_filled(below) or state.lines[below].indent <= here.column:
        return False
    is_literal = state.text.endswith("::", here.offset, state.line.end)
    if is_literal or any(state.matches(pattern, below) for pattern in NOT_PROSE):
        kind = here.kind if is_literal else BlockKind.LIST_ITEM
        if not is_literal:
            state.enter_item(here, Listed.TERMS)
        add_lines(state, Here(here.offset, here.column, kind, here.hang), below)
        return True
    depth, after = state.lines[below].indent, below
    state.enter_item(here, Listed.TERMS)
    while state.is_filled(after) and state.lines[after].indent >= depth:
        after += 1
    add_lines(state, Here(here.offset, depth, BlockKind.LIST_ITEM, here.hang), after)
    return True


def _glossary_entry(state: State, here: Here) -> bool:
    """The terms of one entry, one a line; their definition is indented deeper."""
    if not state.frame.is_glossary:
        return False
    after = state.index + 1
    while state.is_filled(after) and state.lines[after].indent == here.column:
        after += 1
    glossary_term(state, here, after)
    return True


CONSTRUCTS: tuple[Callable[[State, Here], bool], ...] = (
    explicit,
    _glossary_entry,
    _section,
    _table,
    _field,
    _doctest,
    _line_block,
    _option,
    _definition,
)
