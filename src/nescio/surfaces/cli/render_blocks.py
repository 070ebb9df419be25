"""The blocks of a quote on a terminal, as a reader of the page sees them: text wrapped, lists set in, code as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from rich.cells import cell_len

from nescio.domain.display import ShownBlock, ShownRun
from nescio.domain.documents import BlockKind
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, Screen
from nescio.surfaces.cli.render_tables import table
from nescio.surfaces.cli.wrapping import Parts, wrapped
from nescio.surfaces.terminal import escape, escape_line

WIDEST = 100  # cells of a line of text: longer ones are hard to read, however wide the terminal is
NARROWEST = 20  # cells that text has however deep it stands
CODE_INDENT = 4
ITEM_INDENT = 2  # of what stands in an item that has no marker, or none in the quote
DEEPEST = 8  # levels that are set in

# `#.` is counted by whoever makes the page: which number it is cannot be told from a part of a list.
_BULLET = re.compile(r"(?:(?:[-*+•‣⁃–]|\(?#[.)])\s*)?(?P<box>\[[ xX]\])?")
_CODE = {True: Mark.CODE, False: Mark.PLAIN}


def blocks(shown: Iterable[ShownBlock], screen: Screen) -> list[Line]:
    """The blocks in order, a blank line between them, none between items that follow one another."""
    lines: list[Line] = []
    before: BlockKind | None = None
    bodies: list[int] = [0]  # the columns at which the text of each level starts
    for block in shown:
        if before is not None and not before is block.kind is BlockKind.LIST_ITEM:
            lines.append(BLANK)
        level = 0 if block.kind is BlockKind.HEADING else min(block.level, DEEPEST)
        bodies = _bodies(bodies, level)
        drawn = _block(block, Screen(max(min(screen.width, WIDEST) - bodies[level], NARROWEST), screen.has_colours))
        lines += [replace(line, indent=line.indent + bodies[level]) if line.parts else line for line in drawn]
        if block.kind is BlockKind.LIST_ITEM:
            bodies.append(bodies[level] + _hanging(_marker(block)))
        before = block.kind
    return lines


def _bodies(bodies: Sequence[int], level: int) -> list[int]:
    """As far as a level, those that were not seen set in by as much as most are."""
    missing = range(1, level + 2 - len(bodies))
    return [*bodies[: level + 1], *(bodies[-1] + ITEM_INDENT * one for one in missing)]


def _block(block: ShownBlock, screen: Screen) -> Iterable[Line]:
    if block.kind is BlockKind.CODE:
        return _code(block, screen)
    if block.rows:
        rows = [[_parts(cell, screen) for cell in row] for row in block.rows]
        return table(rows, screen.width, block.marked)
    if block.kind is BlockKind.LIST_ITEM:
        return _item(block, screen)
    parts = _parts(block.runs, screen)
    if block.kind is BlockKind.HEADING:
        parts = tuple(replace(part, mark=Mark.HEADING) for part in parts)
    return map(Line, wrapped(parts, screen.width))


def _item(block: ShownBlock, screen: Screen) -> Iterator[Line]:
    marker = _marker(block)
    hanging = _hanging(marker)
    first, *others = wrapped(_parts(block.runs, screen), screen.width - hanging)
    yield Line((Part(f"{marker} ", Mark.QUIET), *first) if marker else first)
    yield from (Line(line, hanging) for line in others)


def _hanging(marker: str) -> int:
    """By how much the lines after the first of an item are set in."""
    return cell_len(marker) + 1 if marker else ITEM_INDENT


def _marker(block: ShownBlock) -> str:
    """A hyphen for every bullet, the box of a task, else the number or letter as it is written; nothing where none is seen."""
    if block.marker == "":
        return ""
    bullet = _BULLET.fullmatch(block.marker or "")
    return escape_line(block.marker or "") if bullet is None else bullet["box"] or "-"


def _parts(runs: Iterable[ShownRun], screen: Screen) -> Parts:
    """Safe text. Code has a colour, or its backticks where there are none."""
    parts: list[Part] = []
    for is_code, group in groupby(runs, key=attrgetter("code")):
        stretch = [Part(escape(run.text).replace("\t", " "), _CODE[is_code], run.mark) for run in group]
        if is_code and not screen.has_colours:
            stretch[0] = replace(stretch[0], text=f"`{stretch[0].text}")
            stretch[-1] = replace(stretch[-1], text=f"{stretch[-1].text}`")
        parts += stretch
    return tuple(parts)


def _code(block: ShownBlock, screen: Screen) -> Iterator[Line]:
    """Line for line, whatever their length, in the colours of its language."""
    code = escape(block.code)
    marked = frozenset(block.marked)
    for number, parts in enumerate(_rows(code, block.language, screen)):
        yield Line(tuple(replace(part, strong=number in marked) for part in parts), CODE_INDENT, exact=True)


def _rows(code: str, language: str | None, screen: Screen) -> Iterator[Parts]:
    row: list[Part] = []
    for name, text in _tokens(code, language) if screen.has_colours else [("", code)]:
        first, *others = text.split("\n")
        row.append(Part(first, Mark(name or "plain")))
        for other in others:
            yield tuple(part for part in row if part.text)
            row = [Part(other, Mark(name or "plain"))]
    yield tuple(part for part in row if part.text)


def _tokens(code: str, language: str | None) -> Sequence[tuple[str, str]]:
    from nescio.surfaces.highlighting import tokens

    return tokens(code, language)
