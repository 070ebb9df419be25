"""The JSON of an evaluation, which is also what the next one is compared with. Beside wire.py, which has everything else."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.answers import Refusal
from nescio.evaluate.cases import Expected, Outcome
from nescio.evaluate.evaluating import is_wrong, verdict, why
from nescio.evaluate.figures import Calibration, Estimate, Evaluation, Figures, ReliabilityBin, RiskPoint
from nescio.evaluate.gate import Check
from nescio.evaluate.metrics.shares import Share
from nescio.surfaces.wire import SCHEMA_VERSION, Json, working_json

WORKED_HITS = 10  # of the ranking behind a wrong case: two screens of passages


def evaluation_json(evaluation: Evaluation, checks: Sequence[Check], *, explain: bool = False) -> Json:
    """Everything that an evaluation says. `explain` adds the working of each wrong case, else null like that of the others."""
    return {
        "schema_version": SCHEMA_VERSION,
        "file": evaluation.file,
        "file_sha256": evaluation.file_sha256,
        "index_id": evaluation.index_id,
        "documents": evaluation.documents,
        "passages": evaluation.passages,
        "floor": evaluation.floor,
        "passed": all(check.passed for check in checks),
        "checks": [_check(check) for check in checks],
        "figures": _figures(evaluation.figures),
        "cases": [_case(outcome, explain=explain) for outcome in evaluation.outcomes],
    }


def _check(check: Check) -> Json:
    return {
        "name": check.name,
        "passed": check.passed,
        "value": check.value,
        "limit": check.limit,
        "sentence": check.sentence,
    }


def _figures(figures: Figures) -> Json:
    return {
        "wrongly_answered": _share(figures.wrongly_answered),
        "wrongly_refused": _share(figures.wrongly_refused),
        "from_right_page": _share(figures.from_right_page),
        "page_at": {str(depth): _share(found) for depth, found in figures.page_at},
        "section_at": {str(depth): _share(found) for depth, found in figures.section_at},
        "quote_held": _share(figures.quote_held),
        "quote_overlap": figures.quote_overlap,
        "right_citations": _share(figures.right_citations),
        "exact_citations": _share(figures.exact_citations),
        "auroc": None if figures.auroc is None else _estimate(figures.auroc),
        "risk_area": figures.risk_area,
        "risk_coverage": [_point(point) for point in figures.risk_coverage],
        "calibration": None if figures.calibration is None else _calibration(figures.calibration),
        "faults": figures.faults,
    }


def _share(share: Share) -> Json:
    """`share` and its interval are null where nothing was counted."""
    low, high = share.interval if share.of else (None, None)
    return {"hits": share.hits, "of": share.of, "share": share.value if share.of else None, "low": low, "high": high}


def _estimate(estimate: Estimate) -> Json:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _point(point: RiskPoint) -> Json:
    return {"coverage": point.coverage, "risk": point.risk, "confidence": point.confidence}


def _calibration(calibration: Calibration) -> Json:
    return {
        "bins": [_bin(one) for one in calibration.bins],
        "error": _estimate(calibration.error),
        "perfect": calibration.perfect,
        "brier": calibration.brier,
    }


def _bin(one: ReliabilityBin) -> Json:
    return {"low": one.low, "high": one.high, "count": one.count, "said": one.said, "covered": one.covered}


def _case(outcome: Outcome, *, explain: bool) -> Json:
    case, result = outcome.case, outcome.result
    wrong = is_wrong(outcome)
    return {
        "id": case.id,
        "line": case.line,
        "question": case.question,
        "answerable": case.answerable,
        "expect": [_expected(expected) for expected in case.expect],
        "verdict": verdict(outcome).value,
        "why": why(outcome) if wrong else None,
        "reason": result.reason.value if isinstance(result, Refusal) else None,
        "fault": outcome.fault or None,
        "base": outcome.base,
        "confidence": outcome.confidence,
        "lacking": list(outcome.lacking),
        "pages": list(dict.fromkeys(quote.page_path for quote in outcome.quotes)),
        "working": _working(outcome) if explain and wrong else None,
    }


def _expected(expected: Expected) -> Json:
    return {"path": expected.path, "heading": expected.heading, "quotes": list(expected.quotes), "pages": list(expected.pages)}


def _working(outcome: Outcome) -> Json:
    terms = outcome.result.searched.terms if outcome.result else ()
    return working_json(terms, outcome.hits[:WORKED_HITS])
