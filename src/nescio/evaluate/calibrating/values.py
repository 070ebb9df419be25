"""What a floor is chosen by, and what comes of choosing, as values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nescio.errors import UsageFault
from nescio.evaluate.measuring.figures import Estimate
from nescio.evaluate.metrics.shares import Share


@dataclass(frozen=True, slots=True)
class Aim:
    """What to choose the floor by: `cost`, how much worse a wrong answer is than a refused question that is covered; or, where
    it is given, `max_wrong`, the share of wrong answers that must not be exceeded, with `confidence`.

    Raises UsageFault (`calibrate-out-of-range`).
    """

    cost: float = 1.0
    max_wrong: float | None = None
    confidence: float = 0.9

    def __post_init__(self) -> None:
        if not (0 < self.cost < math.inf):
            raise _out_of_range("cost", self.cost, "a number above 0")
        if self.max_wrong is not None and not 0 < self.max_wrong < 1:
            raise _out_of_range("share of wrong answers", self.max_wrong, "a number between 0 and 1")
        if not 0 < self.confidence < 1:
            raise _out_of_range("confidence", self.confidence, "a number between 0 and 1")

    @property
    def said(self) -> str:
        """The aim in a few words, as it is written beside the floor."""
        if self.max_wrong is None:
            return f"cost {self.cost:g}"
        return f"max-wrong {self.max_wrong:g}, confidence {self.confidence:g}"


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with the evidence that was found; it is answered at every floor above 0 that is no more than `base`."""

    id: str
    base: float
    answerable: bool


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a floor is wrong: of the questions that are not covered, and of those that are."""

    floor: float
    wrongly_answered: Share
    wrongly_refused: Share


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """How many questions of each sort score at least `low` and less than `high` (the last bin: at most)."""

    low: float
    high: float
    answerable: int
    unanswerable: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The floor that was chosen, to three decimals, and how often it is wrong.

    `rates` are of the questions that it was chosen on, `held_out` of the same questions, each fifth of them decided by a floor
    that the rest chose. `wrong_bound` is the most that the true share of wrong answers is, with the aim's confidence; where the
    floor was chosen by a cost, the choice has seen these questions, and the bound is a little low.
    """

    rates: Rates
    held_out: Rates
    wrong_bound: float


@dataclass(frozen=True, slots=True)
class NotSeparable:
    """No floor is of use, and why. `needed`: how many unanswerable questions the target takes, when there are fewer."""

    sentence: str
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a calibration found. `named` are the named floors on these questions, `curve` twenty floors up to 1."""

    file: str
    file_sha256: str
    index_id: str
    aim: Aim
    answerable: int
    unanswerable: int
    faults: int
    auroc: Estimate
    bins: tuple[ScoreBin, ...]
    named: tuple[Rates, ...]
    curve: tuple[Rates, ...]
    result: Calibrated | NotSeparable


def _out_of_range(what: str, given: float, expected: str) -> UsageFault:
    message = f"The {what} is {given:g}; expected: {expected}."
    return UsageFault("calibrate-out-of-range", message, "Run `nescio calibrate --help`.")
