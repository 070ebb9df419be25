"""What an evaluation says, as values. The functions that work them out lie in `metrics`, one figure a file."""

from __future__ import annotations

from dataclasses import dataclass

from nescio.evaluate.measuring.outcomes import Outcome
from nescio.evaluate.metrics.shares import Share


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Were only the questions with a confidence of at least `confidence` answered: the share answered, and the share of those
    that should not have been (not covered, or no quote from a right page).
    """

    coverage: float
    risk: float
    confidence: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Some questions of neighbouring confidence: what was said on average, and the share that the documents do cover."""

    low: float
    high: float
    count: int
    said: float
    covered: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far confidence is from what is so, both sorts of questions weighing equally.

    `error` is the expected calibration error over bins of equal mass, `perfect` what a perfectly calibrated engine shows on
    average with so many questions, `brier` the mean squared distance.
    """

    bins: tuple[ReliabilityBin, ...]
    error: Estimate
    perfect: float
    brier: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything counted. A share `of` nothing, or None, means that the file does not say what is needed for it.

    `page_at`, `section_at`: depth (1, 5) and how often a right page, or a right section of it, is among the first.
    `from_right_page` is of the covered ones that were answered; `quote_held` and `quote_overlap` (mean share of an expected
    quote's words, in order, that one quote shows) likewise. `right_citations` counts quotes, those from right pages;
    `exact_citations` those whose words and hash are those of the stored bytes.
    """

    wrongly_answered: Share
    wrongly_refused: Share
    from_right_page: Share
    page_at: tuple[tuple[int, Share], ...]
    section_at: tuple[tuple[int, Share], ...]
    quote_held: Share
    quote_overlap: float | None
    right_citations: Share
    exact_citations: Share
    auroc: Estimate | None
    risk_coverage: tuple[RiskPoint, ...]
    risk_area: float | None
    calibration: Calibration | None
    faults: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of a question file at one floor. `outcomes` are in the order of the file."""

    file: str
    file_sha256: str
    index_id: str
    documents: int
    passages: int
    floor: float
    outcomes: tuple[Outcome, ...]
    figures: Figures
