"""From what came of each case to the figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from nescio.evaluate.measuring.figures import Calibration, Estimate, Figures, ReliabilityBin, RiskPoint
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.evaluate.measuring.places import (
    is_from_right_page,
    is_right_hit,
    pages,
    quotes_right_page,
    right_pages,
    right_sections,
    sections,
)
from nescio.evaluate.metrics import calibration, risk
from nescio.evaluate.metrics.auroc import auroc, auroc_interval
from nescio.evaluate.metrics.hits import hit
from nescio.evaluate.metrics.overlap import holds, overlap
from nescio.evaluate.metrics.shares import Share, share

DEPTHS = (1, 5)


def figures(outcomes: Sequence[Outcome], exact_citations: Share, limit: int) -> Figures:
    """Everything counted. `limit` is the most passages that an answer quotes: so many of a refused question's ranking stand for
    what would have been quoted. A question that could not be asked counts as refused, with no evidence.
    """
    covered = [one for one in outcomes if one.case.answerable]
    placed = [one for one in covered if one.case.expect]
    answered = [one for one in placed if one.is_answered]
    judged = [(one.confidence, _is_wrong_to_answer(one, limit)) for one in outcomes]
    overlaps = list(_overlaps(answered))
    return Figures(
        wrongly_answered=share(one.is_answered for one in outcomes if not one.case.answerable),
        wrongly_refused=share(not one.is_answered for one in covered),
        from_right_page=share(map(quotes_right_page, answered)),
        page_at=_at_depths(is_page_at, placed),
        section_at=_at_depths(_is_section_at, [one for one in placed if any(place.heading for place in one.case.expect)]),
        quote_held=share(bool(_best(holds, one, wanted)) for one, wanted in _with_quotes(answered)),
        quote_overlap=math.fsum(overlaps) / len(overlaps) if overlaps else None,
        right_citations=share(is_from_right_page(one.case, quote) for one in answered for quote in one.quotes),
        exact_citations=exact_citations,
        auroc=separation(*_sorts(outcomes, lambda one: one.base)),
        risk_coverage=tuple(RiskPoint(*point) for point in risk.risk_points(judged)),
        risk_area=risk.risk_area(judged),
        calibration=_calibration(outcomes),
        faults=sum(one.result is None for one in outcomes),
    )


def separation(covered: Sequence[float], uncovered: Sequence[float]) -> Estimate | None:
    """How well the evidence of the two sorts is told apart: the AUROC; None where one sort is absent."""
    area = auroc(covered, uncovered)
    return None if area is None else Estimate(area, *auroc_interval(area, len(covered), len(uncovered)))


def is_page_at(outcome: Outcome, depth: int) -> bool:
    """Whether a right page is among the first `depth` of what was ranked."""
    return hit(pages(outcome), right_pages(outcome), depth)


def _is_section_at(outcome: Outcome, depth: int) -> bool:
    return hit(sections(outcome), right_sections(outcome), depth)


def _at_depths(is_at: Callable[[Outcome, int], bool], outcomes: Sequence[Outcome]) -> tuple[tuple[int, Share], ...]:
    return tuple((depth, share(is_at(one, depth) for one in outcomes)) for depth in DEPTHS)


def _with_quotes(outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, tuple[str, ...]]]:
    """Those of which the file says what words an answer should show, with these words."""
    for one in outcomes:
        wanted = tuple(text for place in one.case.expect for text in place.quotes)
        if wanted:
            yield one, wanted


def _overlaps(outcomes: Iterable[Outcome]) -> Iterator[float]:
    return (_best(overlap, one, wanted) for one, wanted in _with_quotes(outcomes))


def _best(measure: Callable[[str, str], float], outcome: Outcome, wanted: Sequence[str]) -> float:
    """The most that one quote shows of one of the texts."""
    return max(measure(quote.text, text) for quote in outcome.quotes for text in wanted)


def _is_wrong_to_answer(outcome: Outcome, limit: int) -> bool:
    """Whether an answer is wrong, or would have been had it not been refused."""
    if not outcome.case.answerable or outcome.result is None:
        return True
    if not outcome.case.expect:
        return False
    if outcome.is_answered:
        return not quotes_right_page(outcome)
    return not any(is_right_hit(outcome.case, one) for one in outcome.hits[:limit])


def _sorts(outcomes: Sequence[Outcome], value: Callable[[Outcome], float]) -> tuple[list[float], list[float]]:
    """A value of the covered cases, and of the others."""
    covered, uncovered = ([value(one) for one in outcomes if one.case.answerable is sort] for sort in (True, False))
    return covered, uncovered


def _calibration(outcomes: Sequence[Outcome]) -> Calibration | None:
    covered, uncovered = _sorts(outcomes, lambda one: one.confidence)
    if not covered or not uncovered:
        return None
    return Calibration(
        bins=tuple(ReliabilityBin(*one) for one in calibration.reliability(covered, uncovered)),
        error=Estimate(calibration.calibration_error(covered, uncovered), *calibration.error_interval(covered, uncovered)),
        perfect=calibration.perfect_error(covered, uncovered),
        brier=calibration.brier(covered, uncovered),
    )
