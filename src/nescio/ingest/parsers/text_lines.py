"""The lines of a text file, measured once: where each starts, how far it is indented, where its visible text ends."""

from __future__ import annotations

from typing import NamedTuple

from nescio.domain.spans import LINE_END

TAB_STOP = 8  # as in terminals, and in reStructuredText
BYTE_ORDER_MARK = "\ufeff"


class Line(NamedTuple):
    """One line. Offsets are code points of the file; a blank line has `first == end`.

    `start` is the line's first character, `first` its first visible one, `end` follows the last visible one. `indent`
    counts columns, tabs expanded.
    """

    start: int
    first: int
    end: int
    indent: int


def lines_of(text: str) -> list[Line]:
    """All lines; a byte order mark belongs to none."""
    lines, start = [], 1 if text.startswith(BYTE_ORDER_MARK) else 0
    for match in LINE_END.finditer(text, start):
        lines.append(_line(text, start, match.start()))
        start = match.end()
    if start < len(text):
        lines.append(_line(text, start, len(text)))
    return lines


def _line(text: str, start: int, stop: int) -> Line:
    content = text[start:stop].rstrip()
    if not content:
        return Line(start, start, start, 0)
    lead = len(content) - len(content.lstrip(" \t"))
    indent = len(content[:lead].expandtabs(TAB_STOP)) if "\t" in content[:lead] else lead
    return Line(start, start + lead, start + len(content), indent)


def next_filled(lines: list[Line], index: int) -> int:
    """The index of the first line from `index` on that is not blank; the number of lines when there is none."""
    while index < len(lines) and lines[index].first == lines[index].end:
        index += 1
    return index


def body_end(lines: list[Line], index: int, indent: int) -> int:
    """Where the lines from `index` on that are blank or indented deeper than `indent` end, blank ones at the end left out."""
    end = index
    while index < len(lines):
        line = lines[index]
        if line.first != line.end:
            if line.indent <= indent:
                break
            end = index + 1
        index += 1
    return end
