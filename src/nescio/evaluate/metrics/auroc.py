"""How well does a score tell two sorts apart? The area under the ROC curve, and how sure it is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from nescio.evaluate.metrics.shares import Z_95

HALVINGS = 60  # of an interval of at most 1: more than a float can tell apart


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a random positive scores above a random negative, a tie counting half; None where one sort is absent.

    U / (m n), Mann and Whitney's U: Hanley and McNeil, The meaning and use of the area, 1982.
    """
    if not positives or not negatives:
        return None
    ordered = sorted(negatives)
    below = sum(bisect_left(ordered, one) + bisect_right(ordered, one) for one in positives)
    return below / (2 * len(positives) * len(negatives))


def auroc_interval(area: float, positives: int, negatives: int, z: float = Z_95) -> tuple[float, float]:
    """The 95 % interval of an area found with so many positives and negatives: (0, 1) where one sort is absent.

    All areas A with (area - A)^2 <= z^2 V(A), where V is Hanley and McNeil's variance in the form that is blind to which sort
    is the larger: V(A) = A (1 - A) (1 + n' (1 - A) / (2 - A) + n' A / (1 + A)) / (m n), n' = (m + n) / 2 - 1. It stays between
    0 and 1, and keeps a width where the sorts were told apart without a fault: Newcombe, Confidence intervals for an effect
    size measure based on the Mann-Whitney statistic, part 2, 2006, method 5.
    """
    if not positives or not negatives:
        return 0.0, 1.0

    def is_outside(guess: float) -> bool:
        return (area - guess) ** 2 > z * z * _variance(guess, positives, negatives)

    return _edge(0.0, area, is_outside), _edge(1.0, area, is_outside)


def _variance(area: float, positives: int, negatives: int) -> float:
    more = (positives + negatives) / 2 - 1
    spread = 1 + more * (1 - area) / (2 - area) + more * area / (1 + area)
    return area * (1 - area) * spread / (positives * negatives)


def _edge(outside: float, inside: float, is_outside: Callable[[float], bool]) -> float:
    """Where `is_outside` ends to hold, between a place where it does and one where it does not."""
    if not is_outside(outside):
        return outside
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        if is_outside(middle):
            outside = middle
        else:
            inside = middle
    return inside
