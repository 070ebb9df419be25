"""Which known word did the reader mean? Only for words that occur nowhere, and never for codes, versions or flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

ONE_EDIT_UP_TO = 8  # letters; longer words may differ in two
SHORTEST = 5  # letters; a shorter word is too near to too many others
MOST = 20  # nearest words looked at before the most frequent of the nearest is taken

_CORRECTABLE = re.compile(r"[^\W\d]+(?:[-_.][^\W\d]+)*$")


def is_correctable(word: str) -> bool:
    """Whether a word may be read as another: letters only, more than four of them, no flag, no code, no version."""
    return len(word) >= SHORTEST and _CORRECTABLE.match(word) is not None


def edits_allowed(word: str) -> int:
    """1 edit up to 8 letters, 2 above (optimal string alignment: insert, delete, replace, swap neighbours)."""
    return 1 if len(word) <= ONE_EDIT_UP_TO else 2


def nearest(word: str, known: Iterable[str], count: Callable[[str], int], edits: int) -> str | None:
    """The known word with the fewest edits, at most `edits`; of equals the most frequent, then the first by letters."""
    near = [other for other in known if abs(len(other) - len(word)) <= edits and is_correctable(other)]
    found = extract(word, near, scorer=OSA.distance, score_cutoff=edits, limit=MOST)
    if not found:
        return None
    return min(found, key=lambda one: (one[1], -count(one[0]), one[0]))[0]
