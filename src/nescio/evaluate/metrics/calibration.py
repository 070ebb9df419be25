"""Is a confidence what it says? Questions put in bins of like confidence: what was said there, and what is so.

Both sorts weigh equally, whatever a file has of each: a case weighs 1 / (how many there are of its sort). Sampling is seeded:
the same cases give the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

BINS = 5
RESAMPLES = 200  # an interval's ends are then known to about a tenth of its width, in a second for some thousand cases
SEED = 0
TAIL = 0.025  # on either side of a 95 % interval

# low, high, how many, the mean confidence, the share that is covered
Bin = tuple[float, float, int, float, float]


def reliability(covered: Sequence[float], uncovered: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Bins of equal mass, the lowest confidence first: low, high, how many, mean confidence, share covered (both weighted).

    Cases of one confidence stay together: a bin may be larger than others, or absent. The arguments are the confidences of the
    covered and of the uncovered questions; there must be some of each.
    """
    cases = _Cases.of(covered, uncovered)
    return [
        (cases.levels[one.start], cases.levels[one.end - 1], one.count, one.said / one.mass, one.covered / one.mass)
        for one in _bins(cases, bins)
    ]


def calibration_error(covered: Sequence[float], uncovered: Sequence[float], bins: int = BINS) -> float:
    """The expected calibration error: sum over the bins of mass * |mean confidence - share covered|, masses adding up to 1.

    Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, 2015; bins of equal mass.
    """
    return _error(_Cases.of(covered, uncovered), bins)


def error_interval(covered: Sequence[float], uncovered: Sequence[float], bins: int = BINS) -> tuple[float, float]:
    """The 95 % interval of the error by the percentiles of RESAMPLES resamples, each sort resampled by itself.

    It is widened to hold the error itself: that of a resample has its noise twice, and can lie above it throughout.
    """
    cases, random = _Cases.of(covered, uncovered), Random(SEED)  # noqa: S311  (no secret: figures that come out the same again)
    found = sorted(_error(cases.resampled(random), bins) for _ in range(RESAMPLES))
    own, cut = _error(cases, bins), round(TAIL * RESAMPLES)
    return min(own, found[cut]), max(own, found[-1 - cut])


def perfect_error(covered: Sequence[float], uncovered: Sequence[float], bins: int = BINS) -> float:
    """The mean error that chance alone leaves with these confidences: each case keeps its weight, and is covered as often as
    its confidence says, RESAMPLES times.
    """
    cases, random = _Cases.of(covered, uncovered), Random(SEED)  # noqa: S311  (as above)
    return sum(_perfect(one, random) for one in [_bins(cases, bins)] * RESAMPLES) / RESAMPLES


def brier(covered: Sequence[float], uncovered: Sequence[float]) -> float:
    """The mean squared distance of confidence from 1 where covered and from 0 where not: the mean of both sorts' means.

    Brier, Verification of forecasts expressed in terms of probability, 1950.
    """
    right = math.fsum((1 - one) ** 2 for one in covered) / len(covered)
    return (right + math.fsum(one**2 for one in uncovered) / len(uncovered)) / 2


@dataclass(frozen=True, slots=True)
class _Cases:
    """`levels` are the confidences there are, ascending, and beside each how many covered and uncovered cases have it.

    Counts, not lists: nothing depends on the order of cases, not even the last bit of a sum.
    """

    levels: tuple[float, ...]
    covered: tuple[int, ...]
    uncovered: tuple[int, ...]

    @classmethod
    def of(cls, covered: Sequence[float], uncovered: Sequence[float]) -> _Cases:
        """Raises ValueError where one sort is absent: there is nothing to weigh."""
        if not covered or not uncovered:
            raise ValueError("one sort of case is absent")
        levels = tuple(sorted({*covered, *uncovered}))
        return cls(levels, _counted(levels, covered), _counted(levels, uncovered))

    def resampled(self, random: Random) -> _Cases:
        """As many of each sort, drawn with replacement."""
        return _Cases(self.levels, _drawn(self.covered, random), _drawn(self.uncovered, random))

    @property
    def weights(self) -> tuple[float, float]:
        """Of a covered and of an uncovered case; all add up to 1."""
        return 0.5 / sum(self.covered), 0.5 / sum(self.uncovered)


def _counted(levels: Sequence[float], values: Sequence[float]) -> tuple[int, ...]:
    counts = dict.fromkeys(levels, 0)
    for value in values:
        counts[value] += 1
    return tuple(counts.values())


def _drawn(counts: Sequence[int], random: Random) -> tuple[int, ...]:
    drawn = [0] * len(counts)
    everything = [level for level, count in enumerate(counts) for _ in range(count)]
    for level in random.choices(everything, k=len(everything)):
        drawn[level] += 1
    return tuple(drawn)


@dataclass(frozen=True, slots=True)
class _Binned:
    """Levels from `start` up to `end`: how many cases, their mass, and its parts: what was said of it, what is covered.

    `parts` are (confidence, weight, cases of that sort and level).
    """

    start: int
    end: int
    count: int
    mass: float
    said: float
    covered: float
    parts: tuple[tuple[float, float, int], ...]


def _bins(cases: _Cases, bins: int) -> list[_Binned]:
    return [_binned(cases, start, end) for start, end in _cuts(cases, bins)]


def _cuts(cases: _Cases, bins: int) -> Iterator[tuple[int, int]]:
    """Ranges of levels: a level belongs to the bin that the middle of its mass falls into."""
    weight, other_weight = cases.weights
    start, before, current = 0, 0.0, 0
    covered = uncovered = 0
    for level, (more, other) in enumerate(zip(cases.covered, cases.uncovered, strict=True)):
        covered, uncovered = covered + more, uncovered + other
        after = covered * weight + uncovered * other_weight
        number = min(int((before + after) / 2 * bins), bins - 1)
        if number != current and before:
            yield start, level
            start = level
        current, before = number, after
    yield start, len(cases.levels)


def _binned(cases: _Cases, start: int, end: int) -> _Binned:
    weight, other_weight = cases.weights
    parts = [
        part
        for level in range(start, end)
        for part in (
            (cases.levels[level], weight, cases.covered[level]),
            (cases.levels[level], other_weight, cases.uncovered[level]),
        )
        if part[2]
    ]
    said = sum(confidence * one_weight * count for confidence, one_weight, count in parts)
    covered, uncovered = sum(cases.covered[start:end]), sum(cases.uncovered[start:end])
    is_so, is_not = covered * weight, uncovered * other_weight
    return _Binned(start, end, covered + uncovered, is_so + is_not, said, is_so, tuple(parts))


def _error(cases: _Cases, bins: int) -> float:
    return sum(abs(one.said - one.covered) for one in _bins(cases, bins))


def _perfect(binned: Sequence[_Binned], random: Random) -> float:
    """The error of one drawing: of each part so many are covered as chance has it."""
    return sum(abs(one.said - sum(_chance(part, random) for part in one.parts)) for one in binned)


def _chance(part: tuple[float, float, int], random: Random) -> float:
    confidence, weight, count = part
    return weight * sum(random.random() < confidence for _ in range(count))
