"""One word in several spellings: British and American, a number with its unit, joined or apart. The same word, not another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from nescio.analysis.tokens import Token

# Endings and middles that British and American spelling write otherwise; both ways, one at a time. What they make of a word is
# only ever used where the documents have it.
_PAIRS = (
    ("our", "or"),
    ("ise", "ize"),
    ("isa", "iza"),
    ("isi", "izi"),
    ("yse", "yze"),
    ("ysi", "yzi"),
    ("tre", "ter"),
    ("bre", "ber"),
    ("ence", "ense"),
    ("ogue", "og"),
    ("ll", "l"),
    ("ey", "ay"),
    ("amme", "am"),
    ("eque", "eck"),
    ("ement", "ment"),
    ("ae", "e"),
    ("oe", "e"),
)
SHORTEST = 4  # letters of a word that has two spellings (grey)
_UNIT = re.compile(
    r"(?:[kmgtp]i?b|b|bits?|bytes?|[mnu]?s|secs?|mins?|hrs?|h|[kmg]?hz|px|r?em|pt|%|k|m|mm|cm|km|kg|g|[kmg]w|v)$"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*$")
_NUMBER_WITH_UNIT = re.compile(r"(\d+(?:[.,]\d+)*)([a-z%]+)$")


def spellings(word: str) -> Iterator[str]:
    """Other spellings of a word in lower case, whether anybody uses them or not; each once, the word itself not among them."""
    if len(word) < SHORTEST or not word.isalpha():
        return
    seen = {word}
    for pair in _PAIRS:
        for before, after in (pair, pair[::-1]):
            for found in re.finditer(before, word):
                other = word[: found.start()] + after + word[found.end() :]
                if other not in seen:
                    seen.add(other)
                    yield other


def with_units(words: Sequence[tuple[str, Token]], count: Callable[[str], int]) -> list[tuple[str, Token]]:
    """The words with numbers and their units written as the documents do: together where they have that, else apart."""
    found: list[tuple[str, Token]] = []
    for word, token in words:
        before = found[-1][0] if found else ""
        if _UNIT.match(word) and _NUMBER.match(before) and count(before + word) and not _is_apart(before, word, count):
            found[-1] = (before + word, (before + word,))
            continue
        parts = _NUMBER_WITH_UNIT.match(word)
        if parts and not count(token[0]) and _UNIT.match(parts[2]) and all(map(count, parts.groups())):
            found += [(part, (part,)) for part in parts.groups()]
        else:
            found.append((word, token))
    return found


def _is_apart(number: str, unit: str, count: Callable[[str], int]) -> bool:
    """Whether the documents have both as words of their own, the number as often as with its unit."""
    return bool(count(unit)) and count(number) >= count(number + unit)
