"""Logistic regression in plain Python, by Newton's method: few features, some thousand examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MOST_STEPS = 100
MOST_HALVINGS = 30  # of one step, which can leap too far where the curve is flat
NEAR_ENOUGH = 1e-9  # the largest change of a coefficient in the last step
FURTHEST = 700.0  # exp of more is no float


@dataclass(frozen=True, slots=True)
class Example:
    """What is known of a case, whether it is of the one sort or the other, and how much it weighs."""

    features: tuple[float, ...]
    outcome: bool
    weight: float


def probability(log_odds: float) -> float:
    """The inverse of the logit."""
    return 1 / (1 + math.exp(min(-log_odds, FURTHEST)))


def fitted(examples: Sequence[Example], ridge: float) -> tuple[float, ...]:
    """The slope of each feature, and the intercept last.

    They are where sum weight x -ln(probability of the outcome) + ridge / 2 x sum slope^2 is least: the intercept is free, so
    that a penalty makes the curve flatter and does not move it. Raises ValueError of no examples.
    """
    if not examples:
        raise ValueError("no examples")
    rows = [(*example.features, 1.0) for example in examples]
    penalties = [ridge] * len(examples[0].features) + [0.0]
    at = [0.0] * len(penalties)
    loss = _loss(at, rows, examples, penalties)
    for _ in range(MOST_STEPS):
        step = _newton_step(at, rows, examples, penalties)
        for _ in range(MOST_HALVINGS):
            tried = [one - change for one, change in zip(at, step, strict=True)]
            its_loss = _loss(tried, rows, examples, penalties)
            if its_loss <= loss:
                break
            step = [change / 2 for change in step]
        at, loss = tried, its_loss
        if max(map(abs, step)) < NEAR_ENOUGH:
            break
    return tuple(at)


def _dot(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(one * other for one, other in zip(first, second, strict=True))


def _loss(
    at: Sequence[float], rows: Sequence[Sequence[float]], examples: Sequence[Example], penalties: Sequence[float]
) -> float:
    total = sum(penalty * one * one / 2 for penalty, one in zip(penalties, at, strict=True))
    for row, example in zip(rows, examples, strict=True):
        against = _dot(row, at) * (-1 if example.outcome else 1)  # -ln p = ln(1 + e^against)
        total += example.weight * (max(against, 0.0) + math.log1p(math.exp(-abs(against))))
    return total


def _newton_step(
    at: Sequence[float], rows: Sequence[Sequence[float]], examples: Sequence[Example], penalties: Sequence[float]
) -> list[float]:
    """What is to be taken from each coefficient: the gradient, seen through the inverse of the second derivatives."""
    count = range(len(at))
    gradient = [penalty * one for penalty, one in zip(penalties, at, strict=True)]
    curvature = [[penalties[one] if one == other else 0.0 for other in count] for one in count]
    for row, example in zip(rows, examples, strict=True):
        guess = probability(_dot(row, at))
        error, bend = example.weight * (guess - example.outcome), example.weight * guess * (1 - guess)
        for one in count:
            gradient[one] += error * row[one]
            for other in count:
                curvature[one][other] += bend * row[one] * row[other]
    return solved(curvature, gradient)


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """x of matrix x = right, by Gauss's elimination with the largest pivot. Raises ZeroDivisionError when there is no one x."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda at: abs(rows[at][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for below in range(column + 1, size):
            factor = rows[below][column] / rows[column][column]
            rows[below] = [value - factor * above for value, above in zip(rows[below], rows[column], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][size] - _dot(rows[at][at + 1 : size], found[at + 1 :])) / rows[at][at]
    return found
