"""The figures that the benchmarks report, one function each, from plain values to a number."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

Z_95 = 1.959964  # the standard normal's 97.5 % point: two-sided 95 % intervals


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """Between 0 and 1; 0 where there is nothing to count."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the time the true share is between these."""
        return wilson(self.hits, self.of)


def share(outcomes: Iterable[bool]) -> Share:
    """How many of the outcomes are true."""
    found = list(outcomes)
    return Share(sum(found), len(found))


def mean(values: Collection[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def hit(ranked: Sequence[str], right: Collection[str], depth: int) -> bool:
    """Whether one of the right ones is among the first `depth`."""
    return any(one in right for one in ranked[:depth])


def ndcg(ranked: Sequence[str], right: Collection[str], depth: int) -> float:
    """Normalised discounted cumulative gain of the first `depth`, gains 0 or 1, discount log2(rank + 1).

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002, in the form that trec_eval has.
    """
    gained = sum(_discount(at) for at, one in enumerate(ranked[:depth]) if one in right)
    ideal = sum(map(_discount, range(min(depth, len(right)))))
    return gained / ideal if ideal else 0.0


def _discount(at: int) -> float:
    return 1 / math.log2(at + 2)


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a random positive scores above a random negative, a tie counting half; None where one sort is absent.

    The area under the ROC curve, by Mann and Whitney's U: Hanley and McNeil, The meaning and use of the area, 1982.
    """
    if not positives or not negatives:
        return None
    ordered = sorted(negatives)
    below = sum(bisect_left(ordered, one) + bisect_right(ordered, one) for one in positives)
    return below / (2 * len(positives) * len(negatives))


def wilson(hits: int, of: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a share, sound for small counts and near 0 and 1; (0, 1) of nothing.

    Probable inference, the law of succession, and statistical inference, 1927.
    """
    if not of:
        return 0.0, 1.0
    observed = hits / of
    scale = 1 + z * z / of
    centre = (observed + z * z / (2 * of)) / scale
    reach = z / scale * math.sqrt(observed * (1 - observed) / of + z * z / (4 * of * of))
    return centre - reach if hits else 0.0, centre + reach if hits < of else 1.0


def percentile(values: Sequence[float], wanted: float) -> float:
    """The smallest value that `wanted` of all values (0 to 1) do not exceed: the nearest rank. Raises ValueError of nothing."""
    if not values:
        raise ValueError("no values")
    return sorted(values)[max(0, math.ceil(wanted * len(values)) - 1)]


def median(values: Sequence[float]) -> float:
    """The value in the middle, or the mean of the two in the middle. Raises ValueError of nothing."""
    if not values:
        raise ValueError("no values")
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
