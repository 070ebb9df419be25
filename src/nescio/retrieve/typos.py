"""Which known word did the reader mean? Only for words that occur nowhere, and never for codes, versions or flags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

ONE_EDIT_UP_TO = 8  # letters; longer words may differ in two
KEPT = 64  # words whose neighbours are at hand: a question is read several times, and its words are looked for once
SHORTEST = 5  # letters; a shorter word is too near to too many others

# Beginnings of words that turn their sense, or say when or where; none is one too.
_TURNING = (
    *("", "a", "anti", "de", "dis", "down", "en", "ex", "il", "im", "in", "inter", "intra", "ir", "mis", "non", "off", "on"),
    *("out", "over", "post", "pre", "re", "sub", "super", "un", "under", "up"),
)
_CORRECTABLE = re.compile(r"[^\W\d]+(?:[-_.][^\W\d]+)*$")


def is_correctable(word: str) -> bool:
    """Whether a word may be read as another: letters only, more than four of them, no flag, no code, no version."""
    return len(word) >= SHORTEST and _CORRECTABLE.match(word) is not None


def edits_allowed(word: str) -> int:
    """1 edit up to 8 letters, 2 above (optimal string alignment: insert, delete, replace, swap neighbours)."""
    return 1 if len(word) <= ONE_EDIT_UP_TO else 2


def is_slip(word: str, other: str) -> bool:
    """Whether `word` is `other` with two neighbouring letters swapped, or with one letter typed twice."""
    first = next((at for at, (mine, its) in enumerate(zip(word, other, strict=False)) if mine != its), len(other))
    if len(word) == len(other):
        swapped = word[:first] + word[first : first + 2][::-1] + word[first + 2 :]
        return word != other and swapped == other
    is_doubled = first > 0 and len(word) == len(other) + 1 and word[first] == word[first - 1]
    return is_doubled and word[:first] + word[first + 1 :] == other


def is_opposite(word: str, other: str) -> bool:
    """Whether one of two words is the other with a beginning that turns its sense or moves it (unpublish, publish; decryption,
    encryption; include, exclude): no slip of a finger, however near they are.
    """
    return any(
        word.removeprefix(mine) == other.removeprefix(its)
        for mine in _TURNING
        for its in _TURNING
        if mine != its and word.startswith(mine) and other.startswith(its)
    )


class Spelling:
    """The words of an index, ready to be compared with. Building it costs some milliseconds for each 100,000 words."""

    def __init__(self, words: Iterable[str]) -> None:
        by_length: dict[int, list[str]] = {}
        for word in words:
            by_length.setdefault(len(word), []).append(word)
        self._near = lru_cache(maxsize=KEPT)(partial(_near, by_length))

    def near(self, word: str, edits: int) -> list[tuple[int, str]]:
        """The words at most `edits` away that a reader may have meant: (distance, word), in order."""
        return list(self._near(word, edits))


def _near(by_length: Mapping[int, Sequence[str]], word: str, edits: int) -> tuple[tuple[int, str], ...]:
    found = (
        (round(distance), other)
        for length in range(len(word) - edits, len(word) + edits + 1)
        for other, distance, _ in extract(word, by_length.get(length, ()), scorer=OSA.distance, score_cutoff=edits, limit=None)
    )
    return tuple(sorted(found))
