"""How much of the words that were expected does a quote show?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nescio.analysis.tokens import UNSPACED

# Words of a text that are compared; a quote has a few hundred. At this many the comparison takes some tens of milliseconds.
MOST_WORDS = 10_000
# A run of letters and digits; where no spaces are written, each letter.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


def holds(quote: str, expected: str) -> bool:
    """Whether the expected words stand in the quote as they are, white space apart."""
    return _without_space(expected) in _without_space(quote)


def overlap(quote: str, expected: str) -> float:
    """The share of the expected words that the quote shows in their order: LCS(expected, quote) / |expected|, in [0, 1].

    LCS is the longest common subsequence of words, case and punctuation apart: what ROUGE-L calls recall (Lin, ROUGE, 2004). An
    expectation without words is shown whole or not at all. Beyond the first MOST_WORDS words of either nothing is compared.
    """
    wanted = words(expected)
    if not wanted:
        return float(holds(quote, expected))
    return common_length(wanted, words(quote)) / len(wanted)


def words(text: str) -> list[str]:
    """The first MOST_WORDS words, case folded."""
    folded = text.casefold()
    return [match.group() for match, _ in zip(_WORD.finditer(folded), range(MOST_WORDS), strict=False)]


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence.

    Bit-parallel, a bit a word of `first`: Hyyrö, Bit-parallel LCS-length computation revisited, 2004.
    """
    places: dict[str, int] = {}
    for at, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << at
    everything = (1 << len(first)) - 1
    unmatched = everything
    for word in second:
        matched = unmatched & places.get(word, 0)
        unmatched = ((unmatched + matched) | (unmatched - matched)) & everything
    return len(first) - unmatched.bit_count()


def _without_space(text: str) -> str:
    return "".join(text.split())
