"""Explicit markup of reStructuredText: everything that begins with two dots."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from nescio.domain.documents import Block, BlockKind, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.outline import visible_words
from nescio.ingest.parsers.rst_directives import LABELS, Role, identifier, included, object_anchor, object_name, role_of
from nescio.ingest.parsers.rst_inline import inline_runs, title_of
from nescio.ingest.parsers.rst_state import Frame, Here, State, add_code, add_lines
from nescio.ingest.parsers.rst_tables import csv_rows, list_rows
from nescio.ingest.parsers.text_lines import body_end, next_filled

EXPLICIT = re.compile(r"\.\.(?:[ \t]+|$)")
DIRECTIVE = re.compile(r"([A-Za-z0-9][\w.+:-]*?) ?::(?:[ \t]+|$)")
TARGET = re.compile(r"_(?!_)(?:`([^`]+)`|((?:[^:`\\]|\\.|:(?![ \t]|$))+)):(?:[ \t]+|$)")
NOTE = re.compile(r"\[[^\]\s]+\](?:[ \t]+|$)")
OPTION = re.compile(r":([^:\s][^:`]*):(?:[ \t]+|$)")
CODE_TITLE = re.compile(r"\S+[ \t]+(?=\S)")  # the language that stands before the title of a tab with code
PLAIN_TERM = re.compile(r"[A-Za-z0-9_ -]+")  # terms of which Sphinx makes an id that can be foretold


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive's own lines. `arguments` are the stretches of its argument, `after` is the index of the line after them."""

    name: str
    name_span: Span
    column: int
    arguments: tuple[Span, ...]
    options: dict[str, Span]
    after: int
    has_body: bool
    start: int = 0  # of its two dots
    head: int = 0  # after its two colons


def explicit(state: State, here: Here) -> bool:
    """Explicit markup at `here`, if that is what stands there."""
    start = EXPLICIT.match(state.text, here.offset, state.line.end)
    if not start:
        return False
    at, end = start.end(), state.line.end
    if name := DIRECTIVE.match(state.text, at, end):
        _directive(state, here, name)
    elif note := NOTE.match(state.text, at, end):
        _footnote(state, here, note)
    else:
        _hidden_markup(state, here, at)
    return True


def _hidden_markup(state: State, here: Here, at: int) -> None:
    """Targets, substitutions and comments. Only a target is remembered."""
    end = state.line.end
    if target := TARGET.match(state.text, at, end):
        if target.end() == end:
            state.label = identifier(target.group(1) or target.group(2)) or state.label
        state.index = body_end(state.lines, state.index + 1, here.column)
    elif at == end and not state.is_filled(state.index + 1):
        state.index += 1  # an empty comment: what is indented after it is not part of it
    else:
        state.index = body_end(state.lines, state.index + 1, here.column)


def _footnote(state: State, here: Here, note: re.Match[str]) -> None:
    """A footnote or citation reads as a paragraph with its label masked."""
    last = body_end(state.lines, state.index + 1, here.column)
    state.references.define(note.group().strip()[1:-1], here.offset, state.lines[last - 1].end)
    state.enter(here.column + 1)
    if note.end() == state.line.end:
        state.index += 1
        return
    after = state.index + 1
    while state.goes_on(after, here.column):
        after += 1
    add_lines(state, Here(note.end(), here.column, BlockKind.PARAGRAPH, here.column + 1), after)


def _directive(state: State, here: Here, match: re.Match[str]) -> None:
    role = role_of(match.group(1))
    directive = _head(state, here, match, all_lines=role not in (Role.CODE, Role.ROWS, Role.HIDDEN))
    _ACTIONS[role](state, directive)


def _head(state: State, here: Here, match: re.Match[str], *, all_lines: bool) -> Directive:
    """Read the argument, which goes on until a blank line or an option when `all_lines`, and the options."""
    arguments = [Span(match.end(), state.line.end)] if match.end() < state.line.end else []
    index = state.index + 1
    while arguments and all_lines and state.goes_on(index, here.column) and not state.matches(OPTION, index):
        arguments.append(Span(state.lines[index].first, state.lines[index].end))
        index += 1
    options: dict[str, Span] = {}
    while state.goes_on(index, here.column) and (option := state.matches(OPTION, index)):
        options[option.group(1).lower()] = Span(option.end(), state.lines[index].end)
        column, index = state.lines[index].indent, index + 1
        while state.goes_on(index, column):
            index += 1
    body = next_filled(state.lines, index)
    has_body = body < len(state.lines) and state.lines[body].indent > here.column
    name = Span(match.start(1), match.end(1))
    head = match.start() + len(match.group().rstrip())
    return Directive(match.group(1), name, here.column, tuple(arguments), options, index, has_body, here.offset, head)


def _named(state: State, directive: Directive) -> None:
    """The name of the directive is a label: a block of its own. Argument and body are read."""
    label = Span(state.line.start, directive.head)
    state.enter_box(directive.column, directive.start, label)
    state.add(Block(BlockKind.PARAGRAPH, label, (Run(directive.name_span),)))
    if directive.arguments:
        first, after = directive.arguments[0].start, state.index + len(directive.arguments)
        here = Here(first, directive.column, BlockKind.PARAGRAPH, directive.column + 1)
        add_lines(state, here, after, begin=first)
    state.index = max(state.index, directive.after)


def _box(state: State, directive: Directive) -> None:
    """The argument is a label, the body what it is the label of, which may be code. Without an argument there is no label."""
    is_code = directive.name.lower() == "code-tab"
    if directive.arguments:
        first, last = directive.arguments[0].start, directive.arguments[-1].end
        if is_code and (title := CODE_TITLE.match(state.text, first, last)):
            first = title.end()
        label = Span(state.line.start, last)
        state.enter_box(directive.column, directive.start, label)
        state.add(Block(BlockKind.PARAGRAPH, label, tuple(inline_runs(state.text, first, last))))
    else:
        state.enter(directive.column + 1)
    if is_code:
        _code(state, directive)
    state.index = max(state.index, directive.after)


def _rubric(state: State, directive: Directive) -> None:
    if directive.arguments:
        first, last = directive.arguments[0].start, directive.arguments[-1].end
        state.groups.rubric(first)
        span = Span(state.line.start, last)
        state.add(Block(BlockKind.PARAGRAPH, span, tuple(inline_runs(state.text, first, last))))
    state.index = max(state.index + 1, directive.after)


def _prose(state: State, directive: Directive) -> None:
    """Argument and body are read; the first words may be what the directive prints by itself, and the label of the body."""
    first = directive.arguments[0].start if directive.arguments else state.line.end
    label = LABELS.get(directive.name.lower())
    if label and directive.arguments:
        state.enter_box(directive.column, directive.start, Span(state.line.start, directive.arguments[-1].end))
    else:
        state.enter(directive.column + 1)
    if directive.arguments:
        after = state.index + len(directive.arguments)
        lead = (Run(directive.name_span, text=f"{label} "),) if label else ()
        add_lines(state, Here(first, directive.column, BlockKind.PARAGRAPH, directive.column + 1), after, lead)
    state.index = max(state.index, directive.after)


def _body(state: State, directive: Directive) -> None:
    state.enter(directive.column + 1)
    state.index = directive.after


def _hidden(state: State, directive: Directive) -> None:
    if directive.name.lower().removeprefix("py:") in ("module", "currentmodule") and directive.arguments:
        state.module = visible_words(directive.arguments[0].of(state.text)).replace("None", "")
    state.index = body_end(state.lines, state.index + 1, directive.column)


def _code(state: State, directive: Directive) -> None:
    """The body as it is; a caption is its label."""
    caption = directive.options.get("caption")
    if caption and directive.has_body:
        label = Span(_line_start(state, caption), caption.end)
        state.enter_box(directive.column, directive.start, label)
        state.add(Block(BlockKind.PARAGRAPH, label, tuple(inline_runs(state.text, caption.start, caption.end))))
    add_code(state, directive.after, body_end(state.lines, directive.after, directive.column))
    state.index = max(state.index, directive.after)


def _rows(state: State, directive: Directive) -> None:
    """A table with its title as the label, if it has one. A header that is an option is the first row."""
    after = body_end(state.lines, directive.after, directive.column)
    if directive.arguments:
        title = directive.arguments[0]
        label = Span(state.line.start, title.end)
        state.enter_box(directive.column, directive.start, label)
        state.add(Block(BlockKind.PARAGRAPH, label, tuple(inline_runs(state.text, title.start, title.end))))
    header = directive.options.get("header")
    is_csv = directive.name.lower() == "csv-table"
    rows = csv_rows if is_csv else list_rows
    heads = directive.options["header-rows"].of(state.text) if "header-rows" in directive.options else ""
    count = int(heads) if heads.isascii() and heads.isdigit() and len(heads) < 3 else 1
    if table := rows(state.text, state.lines, directive.after, after, count if not (is_csv and header) else 1):
        block = Block(BlockKind.TABLE, table.span, table.runs, parts=table.rows)
        state.add(_with_header(state, block, header) if is_csv and header else block)
    state.index = max(after, directive.after)


def _with_header(state: State, table: Block, header: Span) -> Block:
    """The table with a header that stands before it, between other options: its range is one of two pieces."""
    start = _line_start(state, header)
    return replace(
        table,
        span=Span(start, table.span.end),
        runs=(*inline_runs(state.text, header.start, header.end), *table.runs),
        parts=(Span(start, header.end), *table.parts),
        pieces=(Span(start, _next_line(state, header)), table.span),
    )


def _next_line(state: State, option: Span) -> int:
    at = state.index
    while state.lines[at].start <= option.start:
        at += 1
    return state.lines[at].start


def _line_start(state: State, option: Span) -> int:
    """Where the line of an option of the directive on the current line starts."""
    at = state.index
    while state.lines[at].end < option.start:
        at += 1
    return state.lines[at].start


def _include(state: State, directive: Directive) -> None:
    """A block that stands for part of another file. Names in angle brackets are docutils' own files of symbols."""
    after = body_end(state.lines, state.index + 1, directive.column)
    argument = directive.arguments[0].of(state.text).strip() if directive.arguments else ""
    if argument and not argument.startswith("<"):
        is_code = directive.name.lower() == "literalinclude" or "literal" in directive.options or "code" in directive.options
        kind = BlockKind.CODE if is_code else BlockKind.PARAGRAPH
        span = Span(state.line.start, state.lines[max(after, state.index + 1) - 1].end)
        options = {name: value.of(state.text) for name, value in directive.options.items()}
        state.add(Block(kind, span, include=included(argument, options)))
    if not argument:
        state.notice("include-without-path", f"`{directive.name}` names no file")
    state.index = max(after, state.index + 1)


def _target(state: State, directive: Directive) -> None:
    """`.. setting:: NAME` stands before the heading of NAME; with a body it is a definition."""
    if directive.has_body:
        _object(state, directive)
        return
    signature = visible_words(directive.arguments[0].of(state.text)) if directive.arguments else ""
    state.fallback_label = object_anchor(directive.name, signature, "", "")
    state.index = directive.after


def _object(state: State, directive: Directive) -> None:
    """A described object: a heading one level down whose section is its body. Without a body it is one line of the section."""
    runs = _signature_runs(state.text, directive.arguments)
    span = Span(state.line.start, directive.arguments[-1].end if directive.arguments else state.line.end)
    frame = state.frame
    if not runs or not directive.has_body:
        if runs:
            state.add(Block(BlockKind.PARAGRAPH, span, tuple(runs)))
        state.enter(directive.column + 1)
        state.index = directive.after
        return
    signatures = [visible_words(argument.of(state.text)) for argument in directive.arguments]
    anchor = state.take_label() or object_anchor(directive.name, signatures[0], state.module, frame.scope)
    section = frame.section.below(", ".join(signatures).replace("\\", ""), anchor)
    scope = ".".join(part for part in (frame.scope, object_name(signatures[0])) if part)
    if "class" not in directive.name.lower() and "exception" not in directive.name.lower():
        scope = frame.scope
    elif state.module and not scope.startswith(state.module):
        scope = f"{state.module}.{scope}"
    state.outline.open(section, Block(BlockKind.HEADING, span, tuple(runs)))
    state.frames.append(Frame(directive.column + 1, section, scope))
    state.index = directive.after


def _signature_runs(text: str, signatures: tuple[Span, ...]) -> list[Run]:
    """Signatures are shown as they are, a backslash that continues or escapes left out; white space parts them."""
    runs: list[Run] = []
    start, end = (signatures[0].start, signatures[-1].end) if signatures else (0, 0)
    while start < end:
        stop = text.find("\\", start, end)
        stop = end if stop < 0 else stop
        if stop > start:
            runs.append(Run(Span(start, stop), code=True))
        start = stop + 1
    return runs


def _glossary(state: State, directive: Directive) -> None:
    frame = state.frame
    state.frames.append(Frame(directive.column + 1, frame.section, frame.scope, is_glossary=True))
    state.index = directive.after


def glossary_term(state: State, here: Here, after: int) -> None:
    """The current line up to line `after` as the terms of a glossary entry, its definition being their section."""
    span = Span(state.line.start, state.lines[after - 1].end)
    runs = inline_runs(state.text, here.offset, span.end)
    title = title_of(state.text, runs)
    anchor = state.take_label() or ("term-" + "-".join(title.split()) if PLAIN_TERM.fullmatch(title) else None)
    section = state.frame.section.below(title, anchor)
    state.outline.open(section, Block(BlockKind.HEADING, span, tuple(runs)))
    state.frames.append(Frame(here.column + 1, section))
    state.index = after


_ACTIONS: dict[Role, Callable[[State, Directive], None]] = {
    Role.PROSE: _prose,
    Role.NAMED: _named,
    Role.BOX: _box,
    Role.RUBRIC: _rubric,
    Role.BODY: _body,
    Role.HIDDEN: _hidden,
    Role.CODE: _code,
    Role.OBJECT: _object,
    Role.TARGET: _target,
    Role.GLOSSARY: _glossary,
    Role.INCLUDE: _include,
    Role.ROWS: _rows,
}
