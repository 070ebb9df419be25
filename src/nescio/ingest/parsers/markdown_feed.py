"""The Markdown parser reads a text of its own (a directive's body moved left, a marker left out); offsets lead back.

pulldown-cmark counts UTF-8 bytes of what it was given. A feed knows for each of these bytes the code point of the page
that it stands for, so that nothing has to be searched for.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

_LONE_CR = re.compile(r"\r(?!\n)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HEAD_OF_CHARACTER = bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256))


@dataclass(frozen=True, slots=True)
class Feed:
    """`text` is what the parser reads; `offsets[b]` is the code point in the page of the character that holds its byte `b`.

    `gapped` says that something was left out between characters: a range over several lines is then read line by line.
    """

    text: str
    offsets: Sequence[int]
    gapped: bool = False


@dataclass(frozen=True, slots=True)
class Texts:
    """A page as it is, with LF for a lone CR, and so with what no reader sees masked: three texts of one length."""

    text: str
    lines: str
    seen: str


class FeedBuilder:
    """Puts a feed together from stretches of a page, in order, and of text that is not in it."""

    def __init__(self, lines: str) -> None:
        self._lines = lines
        self._pieces: list[tuple[str, int, bool]] = []
        self._start = self._end = 0

    def keep(self, start: int, end: int) -> None:
        """Go on with `[start, end)` of the page."""
        if start == self._end:
            self._end = end
            return
        self._flush()
        self._start, self._end = start, end

    def insert(self, text: str, at: int) -> None:
        """Go on with ASCII text that stands for the offset `at`."""
        self._flush()
        self._pieces.append((text, at, False))
        self._start = self._end = at

    def _flush(self) -> None:
        if self._end > self._start:
            self._pieces.append((self._lines[self._start : self._end], self._start, True))

    def build(self) -> Feed:
        """The feed of all that was put in."""
        self._flush()
        self._start = self._end
        offsets = array("I")
        for text, start, is_kept in self._pieces:
            offsets.extend(_byte_offsets(text, start) if is_kept else _inserted_offsets(text, start))
        return Feed("".join(piece[0] for piece in self._pieces), offsets, gapped=True)


def _inserted_offsets(text: str, at: int) -> list[int]:
    """Of text that stands for an offset; a line end that it begins with ends what stands before, and nothing after it."""
    ends_line = text.startswith("\n") and at > 0
    return [at - ends_line, *[at] * (len(text) - 1)] if text else []


def plain_feed(lines: str, start: int) -> Feed:
    """The feed of a page that is read as it is, from `start` on."""
    text = lines[start:] if start else lines
    return Feed(text, _byte_offsets(text, start))


def _byte_offsets(text: str, start: int) -> Sequence[int]:
    if text.isascii():
        return range(start, start + len(text))
    heads = text.encode().translate(_HEAD_OF_CHARACTER)
    return array("I", accumulate(chain((start,), heads[1:])))


def readable(text: str) -> str:
    """`text` with line ends that are LF or CR LF and characters that UTF-8 can write, at the same length."""
    if "\r" in text:
        text = _LONE_CR.sub("\n", text)
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges, sorted, with those that touch or overlap made one."""
    whole: list[tuple[int, int]] = []
    for start, end in ranges:
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return whole
