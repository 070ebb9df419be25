"""What an evaluation says, in words and numbers that are the same on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nescio.evaluate.measuring.explaining import why
from nescio.evaluate.measuring.figures import Calibration, Estimate, Evaluation, Figures, RiskPoint
from nescio.evaluate.measuring.outcomes import Outcome, Verdict
from nescio.evaluate.measuring.verdicts import is_wrong, verdict
from nescio.evaluate.metrics.shares import Share
from nescio.evaluate.questions.reading import LISTS

RISKS = (0.01, 0.05, 0.1, 0.2)  # the shares of wrong answers for which it is told how much could be answered
UNKNOWN = "-"  # the file does not say what is needed for the figure

# The titles of the wrong sorts, the worst first: a false answer misleads, a refusal only disappoints.
TITLES = {
    Verdict.WRONGLY_ANSWERED: "Answered, though not covered",
    Verdict.WRONG_PAGE: "Answered, but from no page that the file names",
    Verdict.WRONGLY_REFUSED: "Refused, though covered",
    Verdict.FAULT: "Could not be asked",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A figure: its value, the 95 % interval, what was counted; empty where there is none."""

    name: str
    value: str
    interval: str = ""
    counted: str = ""


@dataclass(frozen=True, slots=True)
class WrongCase:
    """A case that went wrong, with the sentence that says why."""

    outcome: Outcome
    why: str


def percent(value: float) -> str:
    """A share as people read it: `7.1 %`."""
    return f"{value * 100:.1f} %"


def error_rows(figures: Figures) -> tuple[Row, Row]:
    """The two ways to be wrong: answering what is not covered, refusing what is."""
    return (
        share_row(TITLES[Verdict.WRONGLY_ANSWERED], figures.wrongly_answered),
        share_row(TITLES[Verdict.WRONGLY_REFUSED], figures.wrongly_refused),
    )


def figure_rows(figures: Figures) -> tuple[Row, ...]:
    """All other figures, those of the ranking first, then of quotes, then of the score."""
    return (
        share_row("Covered and answered from a right page", figures.from_right_page),
        *(share_row(f"Right page {_depth(depth)}", found) for depth, found in figures.page_at),
        *(share_row(f"Right section {_depth(depth)}", found) for depth, found in figures.section_at),
        share_row("A quote holds the expected words", figures.quote_held),
        Row("Expected words that a quote shows", UNKNOWN if figures.quote_overlap is None else percent(figures.quote_overlap)),
        share_row("Citations of right pages", figures.right_citations),
        share_row("Citations that are the file's bytes", figures.exact_citations),
        _estimate_row("Covered told from not covered (AUROC)", figures.auroc),
        Row("Mean risk over all coverages", UNKNOWN if figures.risk_area is None else f"{figures.risk_area:.3f}"),
        *_calibration_rows(figures.calibration),
    )


def share_row(name: str, share: Share) -> Row:
    """So many of so many; unknown where there is nothing to count."""
    if not share.of:
        return Row(name, UNKNOWN)
    low, high = share.interval
    return Row(name, percent(share.value), f"{low * 100:.1f} to {high * 100:.1f} %", f"{share.hits:,} of {share.of:,}")


def coverage_rows(points: Iterable[RiskPoint]) -> tuple[tuple[float, RiskPoint | None], ...]:
    """For each of RISKS the point that answers most at no more than that risk; None where no point does."""
    known = list(points)
    found = []
    for risk in RISKS:
        within = [point for point in known if point.risk <= risk]
        found.append((risk, max(within, key=lambda point: point.coverage, default=None)))
    return tuple(found)


def wrong_cases(evaluation: Evaluation) -> tuple[tuple[Verdict, tuple[WrongCase, ...]], ...]:
    """The wrong cases by sort, in the order of TITLES, within a sort in the order of the file; no empty sorts."""
    wrong = [(verdict(outcome), outcome) for outcome in evaluation.outcomes if is_wrong(outcome)]
    sorts = [(sort, tuple(WrongCase(outcome, why(outcome)) for said, outcome in wrong if said is sort)) for sort in TITLES]
    return tuple((sort, cases) for sort, cases in sorts if cases)


def entry_line(file: str, outcome: Outcome) -> int | None:
    """The line on which the case stands; None in a file that is a list, where only its number is known."""
    return None if file.lower().endswith(LISTS) else outcome.case.line or None


def entry_place(file: str, outcome: Outcome) -> str:
    """Where the case stands: `questions.jsonl:7`, `questions.yaml, entry 7`."""
    line = entry_line(file, outcome)
    return f"{file}:{line}" if line else f"{file}, entry {outcome.case.line}" if outcome.case.line else outcome.case.id


def _depth(depth: int) -> str:
    return "first" if depth == 1 else f"among the first {depth}"


def _estimate_row(name: str, estimate: Estimate | None) -> Row:
    if estimate is None:
        return Row(name, UNKNOWN)
    return Row(name, f"{estimate.value:.3f}", f"{estimate.low:.3f} to {estimate.high:.3f}")


def _calibration_rows(calibration: Calibration | None) -> tuple[Row, ...]:
    if calibration is None:
        return (Row("Calibration error", UNKNOWN), Row("Brier score", UNKNOWN))
    perfect = f"perfect: {calibration.perfect:.3f}"
    error = _estimate_row("Calibration error", calibration.error)
    return (Row(error.name, error.value, error.interval, perfect), Row("Brier score", f"{calibration.brier:.3f}"))
