"""How large may a share truly be, when so many of so many were seen? Exact, from the tail of the binomial distribution."""

from __future__ import annotations

import math
from itertools import accumulate

_HALVINGS = 40  # of the interval from 0 to 1: twelve digits
_ROUNDING = 1e-9  # two ways to compute one probability may differ by this


def upper_bound(hits: int, of: int, confidence: float) -> float:
    """The one-sided upper bound of a share: with `confidence` the true share is at most this. 1 of nothing.

    The use of confidence or fiducial limits illustrated in the case of the binomial, Clopper and Pearson, 1934.
    """
    if hits >= of:
        return 1.0
    low, high = hits / of, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if at_most(hits, of, middle) > 1 - confidence else (low, middle)
    return high


def most_hits(of: int, target: float, confidence: float) -> int | None:
    """The most hits of `of` whose upper bound is no more than `target`; None where no hit at all is one too many."""
    below = accumulate(math.exp(term) for term in _log_terms(of, of, target))
    allowed = [hits for hits, probability in enumerate(below) if probability <= 1 - confidence + _ROUNDING]
    return max(allowed, default=None) if target < 1 else of


def least_of(target: float, confidence: float) -> int:
    """How many have to be looked at for the bound of no hit at all to be no more than `target`."""
    needed = math.log(1 - confidence) / math.log(1 - target)
    return math.ceil(needed - _ROUNDING)  # (1 - target) ** n = 1 - confidence exactly is enough


def at_most(hits: int, of: int, rate: float) -> float:
    """The probability of at most `hits` of `of`, each with the probability `rate`; between 0 and 1, ends excluded."""
    return math.fsum(math.exp(term) for term in _log_terms(hits, of, rate))


def _log_terms(hits: int, of: int, rate: float) -> list[float]:
    """The logarithms of the probabilities of 0, 1, ... `hits`: as numbers they would be too small for large counts."""
    yes, no, whole = math.log(rate), math.log1p(-rate), math.lgamma(of + 1)
    return [
        whole - math.lgamma(count + 1) - math.lgamma(of - count + 1) + count * yes + (of - count) * no
        for count in range(hits + 1)
    ]
