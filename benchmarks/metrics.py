"""The figures that the benchmarks report, from plain values to a number: those of `nescio eval`, and a few more."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from nescio.evaluate.metrics.auroc import auroc
from nescio.evaluate.metrics.hits import hit
from nescio.evaluate.metrics.overlap import holds
from nescio.evaluate.metrics.shares import Share, share, wilson

# What the product counts with is what the benchmarks count with.
__all__ = ["Share", "auroc", "hit", "holds", "mean", "median", "ndcg", "percentile", "share", "wilson"]


def mean(values: Collection[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def ndcg(ranked: Sequence[str], right: Collection[str], depth: int) -> float:
    """Normalised discounted cumulative gain of the first `depth`, gains 0 or 1, discount log2(rank + 1).

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002, in the form that trec_eval has.
    """
    gained = sum(_discount(at) for at, one in enumerate(ranked[:depth]) if one in right)
    ideal = sum(map(_discount, range(min(depth, len(right)))))
    return gained / ideal if ideal else 0.0


def _discount(at: int) -> float:
    return 1 / math.log2(at + 2)


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
