"""Where text stands: half-open ranges, and the same place in the units that other programs count in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

# CommonMark: a line ending is LF, CR not followed by LF, or CR LF. Nothing else ends a line (form feed, NEL and U+2028
# do for str.splitlines, which is why it is used nowhere on the way of a citation).
LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range `[start, end)` in code points of one document's text. Empty spans are allowed."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a half-open range: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        return self.end > self.start

    def is_within(self, other: Span) -> bool:
        """Whether every code point of this span is in `other`."""
        return other.start <= self.start and self.end <= other.end

    def of(self, text: str) -> str:
        """The slice of `text`."""
        return text[self.start : self.end]


def clipped(spans: Iterable[Span], inside: Span) -> tuple[Span, ...]:
    """What of `spans` lies in one span, in order; what has nothing in it is left out."""
    meeting = (span for span in spans if span.start < inside.end and inside.start < span.end)
    return tuple(Span(max(span.start, inside.start), min(span.end, inside.end)) for span in meeting)


def meeting(spans: Sequence[Span], inside: Span) -> Sequence[Span]:
    """Those of `spans`, which are in order and apart, that have something in one span; quick however many there are."""
    first = bisect_right(spans, inside.start, key=attrgetter("end"))
    return spans[first : bisect_left(spans, inside.end, lo=first, key=attrgetter("start"))]


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same ranges in order and apart: those that touch or overlap are one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def remaining(spans: Iterable[Span], without: Sequence[Span]) -> tuple[Span, ...]:
    """What of `spans` lies in none of `without`, which are in order and apart; empty pieces are left out."""
    found: list[Span] = []
    for span in spans:
        at = span.start
        for hole in clipped(meeting(without, span), span):
            found.append(Span(at, hole.start))
            at = hole.end
        found.append(Span(at, span.end))
    return tuple(span for span in found if span)


_GAP = re.compile(r"[\s>]*")
_BLANK_LINES = re.compile(r"[^\S\r\n]*(?:(?:\r\n|\n|\r)[^\S\r\n]*(?=\r|\n|$))*(?:\r\n|\n|\r)?")


def readable(stretches: Iterable[Sequence[Span]], text: str) -> tuple[Span, ...]:
    """The ranges of `stretches`, each one or more of them, in the order given: one range where only white space and quotation
    marks stand between two, more where something is left out. A range that is followed by another reaches over the blank
    lines after it, so that the slices joined read as they should.
    """
    found: list[Span] = []
    for stretch in stretches:
        first, *others = stretch
        is_after = bool(found) and found[-1].end <= first.start
        if is_after and _GAP.fullmatch(text, found[-1].end, first.start):
            first = Span(found.pop().start, first.end)
        elif found:
            found[-1] = with_line_end(found[-1], text, first.start if is_after else None)
            first = _with_line_end_before(first, text, found[-1]) if is_after else first
        found += [first, *others]
    return tuple(found)


def with_line_end(span: Span, text: str, limit: int | None = None) -> Span:
    """`span` with its line end and the blank lines after it, up to `limit`; as it is where more of the line follows."""
    match = _BLANK_LINES.match(text, span.end, len(text) if limit is None else limit)
    return Span(span.start, match.end()) if match else span


def _with_line_end_before(span: Span, text: str, before: Span) -> Span:
    """With the blank lines in front, where what is left out before them stands on the last line of what goes before."""
    gap = text[before.end : span.start]
    blank = gap[len(gap.rstrip()) :]
    is_apart = before.of(text).endswith(("\n", "\r")) or not LINE_END.search(blank)
    return span if is_apart else Span(span.start - len(blank), span.end)


def line_starts(text: str) -> list[int]:
    """Code-point offsets at which lines start, first 0. A line end at the very end of the text starts one more line."""
    if "\r" in text:
        return [0, *(match.end() for match in LINE_END.finditer(text))]
    return list(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))


@dataclass(frozen=True, slots=True)
class Place:
    """One span in every unit. Lines are 1-based and inclusive, every other pair is half-open and 0-based.

    `start`/`end` count code points, `*_byte` the bytes of the file as stored (a BOM counts), `*_utf16` UTF-16 code units
    (what JavaScript, Java and C# count).
    """

    start: int
    end: int
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    start_utf16: int
    end_utf16: int


class Offsets:
    """Derives every unit from code points, for one text in one encoding.

    `encoding` is the codec of the stored bytes, `utf-8`, `utf-16-le` or `utf-16-be`; the text holds a BOM as U+FEFF when
    the bytes have one, so that encoding the text gives the bytes again.
    """

    def __init__(self, text: str, encoding: str = "utf-8") -> None:
        self._text = text
        self._encoding = encoding

    @cached_property
    def _lines(self) -> Sequence[int]:
        return line_starts(self._text)

    def line_of(self, offset: int) -> int:
        """The 1-based line that holds the code point at `offset`."""
        return bisect_right(self._lines, offset)

    def line_span(self, line: int) -> Span:
        """The span of a 1-based line with its line end. Raises IndexError when there is no such line."""
        if not 1 <= line <= len(self._lines):
            raise IndexError(line)
        end = self._lines[line] if line < len(self._lines) else len(self._text)
        return Span(self._lines[line - 1], end)

    @property
    def line_count(self) -> int:
        """How many lines there are; a final line end does not make one more."""
        count = len(self._lines)
        return count - 1 if count > 1 and self._lines[-1] == len(self._text) else count

    def place(self, span: Span) -> Place:
        """`span` in every unit. An empty span stands on the line of its start."""
        text = self._text
        before, inside = text[: span.start], span.of(text)
        start_byte, start_utf16 = self._bytes(before), _utf16_units(before)
        last = span.end - 1 if span else span.start
        return Place(
            start=span.start,
            end=span.end,
            start_line=1 + _line_ends(text, span.start),
            end_line=1 + _line_ends(text, last),
            start_byte=start_byte,
            end_byte=start_byte + self._bytes(inside),
            start_utf16=start_utf16,
            end_utf16=start_utf16 + _utf16_units(inside),
        )

    def _bytes(self, text: str) -> int:
        return len(text.encode(self._encoding))


def _line_ends(text: str, offset: int) -> int:
    """How many lines end before `offset`: quicker for a few places of a text than to find where all of its lines start."""
    ends = text.count("\n", 0, offset) + text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
    return ends - (text[offset - 1 : offset + 1] == "\r\n" if offset else 0)


def _utf16_units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
