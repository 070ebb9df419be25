"""Where are the fenced code blocks of a page? Directives, shortcodes and JSX inside them are somebody's example."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

# A fence at the start of a line, after any indentation, quotation marks and list markers. The info string of a backtick
# fence holds no backtick.
_FENCE = re.compile(
    r"^(?P<lead>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)(?P<fence>`{3,}+(?=[^`\n]*+$)|~{3,}+)(?P<info>[^\n]*+)$",
    re.MULTILINE,
)
# MyST writes directives as fences; the bodies of these are prose.
_PROSE = re.compile(
    r"\{(?:note|tip|hint|important|warning|caution|danger|attention|error|seealso|admonition|dropdown|card|grid|grid-item"
    r"|grid-item-card|tab-set|tab-item|margin|sidebar|versionadded|versionchanged|deprecated)\}"
)


@dataclass(frozen=True, slots=True)
class Fences:
    """The ranges of fenced code blocks, in order, from the start of the opening line to the end of the closing one.

    `markers` are the starts of the lines that open and close a fence whose body is prose; such a fence is no range.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    markers: frozenset[int]

    def holds(self, offset: int) -> bool:
        """Whether the character at `offset` is in a fenced code block, its fences included."""
        at = bisect_right(self.starts, offset) - 1
        return at >= 0 and offset < self.ends[at]

    def opens_at(self, offset: int) -> bool:
        """Whether a fenced code block starts at `offset`, the start of a line."""
        at = bisect_right(self.starts, offset) - 1
        return at >= 0 and self.starts[at] == offset


def find_fences(lines: str) -> Fences:
    """The fenced code blocks of a page whose lines end with LF or CR LF. One that is never closed goes to the end."""
    ranges: list[tuple[int, int]] = []
    markers: set[int] = set()
    prose: list[str] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(lines):
        if opened is not None:
            if _closes(match, opened["fence"]):
                ranges.append((opened.start(), match.end()))
                opened = None
        elif _PROSE.match(match["info"].strip()):
            prose.append(match["fence"])
            markers.add(match.start())
        elif prose and _closes(match, prose[-1]):
            prose.pop()
            markers.add(match.start())
        else:
            opened = match
    if opened is not None:
        ranges.append((opened.start(), len(lines)))
    return Fences(tuple(start for start, _ in ranges), tuple(end for _, end in ranges), frozenset(markers))


def _closes(match: re.Match[str], fence: str) -> bool:
    return match["fence"].startswith(fence) and not match["info"].strip() and not match["lead"].strip(" \t>")
