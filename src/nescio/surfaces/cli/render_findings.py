"""Findings as lines for people: where, what, and what to do, at eighty columns."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.findings import Finding, Level
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, counted, line
from nescio.surfaces.reports.finding_context import Context, counts
from nescio.surfaces.reports.finding_rules import changes, remedy

WIDTH = 80
_INDENT = 4
_MARKS = {Level.ERROR: Mark.FAULT, Level.WARNING: Mark.CAUTION, Level.NOTE: Mark.QUIET}
_NAMES = {Level.ERROR: ("error", "errors"), Level.WARNING: ("warning", "warnings"), Level.NOTE: ("note", "notes")}


def findings(found: Sequence[Finding], context: Context) -> list[Line]:
    """Each finding under its place, those that fail last where they are seen first, and a line with the counts at the end."""
    ordered = sorted(found, key=context.fails)
    lines = [part for one in ordered for part in (*_finding(one), BLANK)]
    if context.summary:
        lines += _wrapped(context.summary, Mark.QUIET)
    return [*lines, _total(found, context)]


def _finding(one: Finding) -> list[Line]:
    place = Part(f"{one.path}:{one.start_line}" if one.start_line else one.path, Mark.PLACE)
    lines = [Line((place, Part("  "), Part(f"{one.level.value}: {one.kind.value}", _MARKS[one.level])))]
    lines += _wrapped(one.message, indent=_INDENT)
    for name, words in changes(one):
        lines += _wrapped(f"{name}: {words}", Mark.QUIET, indent=_INDENT)
    return [*lines, *_wrapped(remedy(one), Mark.GOOD, indent=_INDENT)]


def _total(found: Sequence[Finding], context: Context) -> Line:
    said = ", ".join(counted(count, *_NAMES[level]) for level, count in counts(found).items() if count)
    if not said:
        return line("Nothing found.", Mark.GOOD)
    if any(context.fails(one) for one in found):
        return line(f"{said}.", Mark.FAULT)
    return line(f"{said}: nothing that fails.", Mark.GOOD)


def _wrapped(text: str, mark: Mark = Mark.PLAIN, indent: int = 0) -> list[Line]:
    """Text in lines that fit beside their indentation, white space in it made one space; a longer word stands alone."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH - indent:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [line(one, mark, indent=indent) for one in lines]
