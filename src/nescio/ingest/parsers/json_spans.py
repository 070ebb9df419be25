"""Where the strings of a JSON file stand: exact ranges, decoded text, and the way back from one to the other."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nescio.domain.spans import Span

STRING_OR_SIGN = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"|[\[\]{},:]', re.DOTALL)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
SHORT_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}  # the others stand for themselves
REPLACEMENT = "\ufffd"  # for half a surrogate pair, which is no character


@dataclass(frozen=True, slots=True)
class JsonString:
    """A string value in a JSON file. `span` is what stands between its quotation marks, `path` the keys and indices to it."""

    path: tuple[str | int, ...]
    span: Span


def string_values(text: str, deepest: int) -> Iterator[JsonString]:
    """The string values of a valid JSON text that stand at most `deepest` levels down, in the order of the file.

    Keys are left out. Nothing is checked here: a text that is no JSON gives strings that mean nothing.
    """
    keys: list[str | int] = []
    is_key = False
    for match in STRING_OR_SIGN.finditer(text):
        sign = match.group()
        if match.group(1) is not None:
            span = Span(match.start(1), match.end(1))
            if is_key:
                keys[-1] = decoded(span.of(text)).text
            elif len(keys) <= deepest:
                yield JsonString(tuple(keys), span)
        elif sign in "{[":
            is_key = sign == "{"
            keys.append("" if is_key else 0)
        elif sign in "}]":
            keys.pop()
            is_key = False
        elif sign == ":":
            is_key = False
        else:
            is_key = _next_member(keys)


def _next_member(keys: list[str | int]) -> bool:
    """After a comma: the next index of a list, or the next key of an object, which is to be read (true)."""
    last = keys[-1]
    if isinstance(last, int):
        keys[-1] = last + 1
        return False
    return True


@dataclass(frozen=True, slots=True)
class Decoded:
    """A JSON string decoded. `points` are (decoded offset, raw offset) where the two begin to run side by side."""

    text: str
    points: tuple[tuple[int, int], ...]
    raw_length: int


def decoded(raw: str) -> Decoded:
    """What stands between the quotation marks of a JSON string, its escapes undone."""
    pieces: list[str] = []
    points, length, position = [(0, 0)], 0, 0
    for piece, start, end in _escapes(raw):
        length += start - position
        pieces += [raw[position:start], piece]
        length, position = length + 1, end
        points.append((length, position))
    pieces.append(raw[position:])
    return Decoded("".join(pieces), tuple(points), len(raw))


def _escapes(raw: str) -> Iterator[tuple[str, int, int]]:
    """Each escape as the character it stands for and its range; the two halves of a pair are one character."""
    position = 0
    while match := ESCAPE.search(raw, position):
        position = match.end()
        if match.group(1) is None:
            yield SHORT_ESCAPES.get(match.group(2), match.group(2)), match.start(), position
            continue
        unit = int(match.group(1), 16)
        low = ESCAPE.match(raw, position) if 0xD800 <= unit < 0xDC00 else None
        if low and low.group(1) and 0xDC00 <= (second := int(low.group(1), 16)) < 0xE000:
            position = low.end()
            yield chr(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00)), match.start(), position
        else:
            yield REPLACEMENT if 0xD800 <= unit < 0xE000 else chr(unit), match.start(), position


@dataclass(frozen=True, slots=True)
class Piece:
    """A decoded string and where it stands: from `start` in the joined text, with its content at `span` of the file."""

    start: int
    span: Span
    decoded: Decoded

    @property
    def end(self) -> int:
        """Where it ends in the joined text."""
        return self.start + len(self.decoded.text)

    def raw(self, start: int, end: int) -> Span:
        """The range in the file of the part of the joined text from `start` to `end` that is in this piece."""
        first = self._raw_offset(max(start, self.start) - self.start)
        last = self._raw_offset(min(end, self.end) - self.start)
        return Span(self.span.start + first, self.span.start + last)

    def _raw_offset(self, offset: int) -> int:
        if offset == len(self.decoded.text):
            return self.decoded.raw_length
        points = self.decoded.points
        at, raw = points[bisect_right(points, (offset, self.decoded.raw_length)) - 1]
        return raw + offset - at


class JoinedStrings:
    """Several JSON strings read as one text, with the way back to the file."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._pieces: list[Piece] = []
        start = 0
        for span in spans:
            piece = Piece(start, span, decoded(span.of(text)))
            if piece.decoded.text:
                self._pieces.append(piece)
            start = piece.end
        self._starts = [piece.start for piece in self._pieces]
        self.text = "".join(piece.decoded.text for piece in self._pieces)

    def spans(self, span: Span) -> list[tuple[Span, str]]:
        """The ranges in the file that hold `span` of the joined text, each with its decoded text; none for an empty span."""
        found = []
        index = max(bisect_right(self._starts, span.start) - 1, 0)
        while index < len(self._pieces) and self._starts[index] < span.end:
            piece = self._pieces[index]
            start, end = max(span.start, piece.start), min(span.end, piece.end)
            if end > start:
                found.append((piece.raw(start, end), self.text[start:end]))
            index += 1
        return found

    def offset(self, at: int) -> int:
        """Where the character at `at` of the joined text stands in the file."""
        piece = self._pieces[max(bisect_right(self._starts, at) - 1, 0)]
        return piece.raw(at, at).start
