"""What is risked when more is answered? Selective answering, from the most confident down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

# (confidence, was it wrong to answer): one question.
Judged = tuple[float, bool]


def risk_points(judged: Iterable[Judged]) -> list[tuple[float, float, float]]:
    """(coverage, risk, confidence), the greatest confidence first: were only questions with at least that confidence answered,
    the share answered and the share of those that is wrong. Questions of one confidence make one point.

    El-Yaniv and Wiener, On the foundations of noise-free selective classification, 2010.
    """
    everything = list(judged)
    points = []
    seen = wrong = 0
    for confidence, count, more_wrong in _groups(everything):
        seen, wrong = seen + count, wrong + more_wrong
        points.append((seen / len(everything), wrong / seen, confidence))
    return points


def risk_area(judged: Iterable[Judged]) -> float | None:
    """The area under the risk-coverage curve: the mean of the risk over the coverages 1/n, 2/n ... 1; None of nothing.

    Those of one confidence are wrong at their even rate, so that the order of a file does not matter. Geifman and El-Yaniv,
    Selective classification for deep neural networks, 2017.
    """
    everything = list(judged)
    if not everything:
        return None
    total = 0.0
    seen = wrong = 0
    for _, count, more_wrong in _groups(everything):
        rate = more_wrong / count
        total += sum((wrong + rate * at) / (seen + at) for at in range(1, count + 1))
        seen, wrong = seen + count, wrong + more_wrong
    return total / len(everything)


def _groups(judged: Sequence[Judged]) -> Iterator[tuple[float, int, int]]:
    """(confidence, how many, how many of them wrong), the greatest confidence first."""
    ordered = sorted(judged, key=lambda one: -one[0])
    for confidence, group in groupby(ordered, key=lambda one: one[0]):
        outcomes = [is_wrong for _, is_wrong in group]
        yield confidence, len(outcomes), sum(outcomes)
