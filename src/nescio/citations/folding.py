"""A text as other programs may have read it, with the way back: line ends made one, accents composed, marks dropped."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from nescio.domain.spans import Span

Edit = tuple[int, int, str]  # what stands from start to end of the text is read as this; in order, without overlap
Folding = Callable[[str], Iterable[Edit]]

_LINE_END = re.compile(r"\r\n|\r")
_SPACES = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
# "n't" goes with its apostrophe, a whole word with the white space after it.
NEGATION = re.compile(r"n['\u2019]t\b|(?<=\bcan)not\b|\b(?:not|no|never|nor|none|without)\b", re.IGNORECASE)
_NEGATION_AND_SPACE = re.compile(rf"(?:{NEGATION.pattern})\s*", re.IGNORECASE)
_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_JAMO = re.compile("[\u1160-\u11ff]")  # vowels and final consonants: they join the letter before without being marks
_BOM = "\ufeff"


class View:
    """A text under some foldings, one after the other. `text` is what it reads as."""

    def __init__(self, text: str, foldings: Sequence[Folding] = ()) -> None:
        self._layers: list[_Layer] = []
        for folding in foldings:
            layer = _Layer(text, folding(text))
            if not layer.is_same:
                self._layers.append(layer)
            text = layer.text
        self.text = text

    @property
    def is_same(self) -> bool:
        """Whether it reads as it is written."""
        return not self._layers

    def back(self, start: int, end: int) -> Span:
        """The range of the written text that reads as `text[start:end]`."""
        for layer in reversed(self._layers):
            start, end = layer.start(start), layer.end(end)
        return Span(start, max(start, end))

    def forth(self, offset: int) -> int:
        """Where the character at `offset` of the written text is in `text`, or what it became part of."""
        for layer in self._layers:
            offset = layer.forth(offset)
        return offset


class _Layer:
    def __init__(self, text: str, edits: Iterable[Edit]) -> None:
        self._from: list[int] = []  # starts of edits in the written text, ends, and the same in the text read
        self._to: list[int] = []
        self._new_from: list[int] = []
        self._new_to: list[int] = []
        pieces: list[str] = []
        at = length = 0
        for start, end, new in edits:
            pieces += (text[at:start], new)
            length += start - at
            self._from.append(start)
            self._to.append(end)
            self._new_from.append(length)
            length += len(new)
            self._new_to.append(length)
            at = end
        self.is_same = not self._from
        self.text = text if self.is_same else "".join((*pieces, text[at:]))

    def start(self, offset: int) -> int:
        edit = bisect_right(self._new_from, offset) - 1
        if edit < 0:
            return offset
        if offset < self._new_to[edit]:
            return self._from[edit]
        return self._to[edit] + offset - self._new_to[edit]

    def end(self, offset: int) -> int:
        edit = bisect_left(self._new_from, offset) - 1
        if edit < 0:
            return offset
        return self._to[edit] + max(offset - self._new_to[edit], 0)

    def forth(self, offset: int) -> int:
        edit = bisect_right(self._from, offset) - 1
        if edit < 0:
            return offset
        if offset < self._to[edit]:
            return self._new_from[edit]
        return self._new_to[edit] + offset - self._to[edit]


def line_ends(text: str) -> Iterator[Edit]:
    """CR LF and CR as LF."""
    return ((match.start(), match.end(), "\n") for match in _LINE_END.finditer(text)) if "\r" in text else iter(())


def mark(text: str) -> Iterator[Edit]:
    """Without the byte order mark."""
    return iter(((0, 1, ""),) if text.startswith(_BOM) else ())


def composed(text: str) -> Iterator[Edit]:
    """In Unicode's form NFC."""
    return _normalised(text, "NFC")


def decomposed(text: str) -> Iterator[Edit]:
    """In Unicode's form NFD."""
    return _normalised(text, "NFD")


def spaces(text: str) -> Iterator[Edit]:
    """Each run of white space as one space."""
    return _replaced(text, _SPACES, " ")


def digits(text: str) -> Iterator[Edit]:
    """Each number as 0."""
    return _replaced(text, _DIGITS, "0")


def negations(text: str) -> Iterator[Edit]:
    """Without not, no, never and their like."""
    return _replaced(text, _NEGATION_AND_SPACE, "")


def _replaced(text: str, pattern: re.Pattern[str], new: str) -> Iterator[Edit]:
    return ((match.start(), match.end(), new) for match in pattern.finditer(text) if match.group() != new)


def _normalised(text: str, form: Literal["NFC", "NFD"]) -> Iterator[Edit]:
    if text.isascii() or unicodedata.is_normalized(form, text):
        return
    for run in _BEYOND_ASCII.finditer(text):
        for start, end in _clusters(text, run.start(), run.end()):
            new = unicodedata.normalize(form, text[start:end])
            if new != text[start:end]:
                yield start, end, new


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A character with the marks that follow it."""
    first = start
    for at in range(start + 1, end):
        if not unicodedata.combining(text[at]) and not _JAMO.match(text[at]):
            yield first, at
            first = at
    yield first, end


@dataclass(frozen=True, slots=True)
class Nearest:
    """An occurrence in a view's text, and how many there are."""

    start: int
    end: int
    count: int


def nearest(text: str, words: str, claimed: int) -> Nearest | None:
    """The occurrence of `words` that starts nearest to `claimed`, the earlier of two; None where there is none."""
    if not words:
        return None
    claimed = max(claimed, 0)
    after = text.find(words, claimed)
    before = after if after == claimed else _last(text[: claimed + len(words)], words)
    starts = [start for start in (before, after) if start >= 0]
    if not starts:
        return None
    start = min(starts, key=lambda one: (abs(one - claimed), one))
    return Nearest(start, start + len(words), text.count(words))


def _last(text: str, words: str) -> int:
    """What `text.rfind(words)` gives. Searching backwards takes quadratic time on hostile text, so both are turned around."""
    found = text[::-1].find(words[::-1])
    return -1 if found < 0 else len(text) - found - len(words)
