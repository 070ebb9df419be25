"""The JSON of an evaluation, which is also what the next one is compared with. Its shares are those of wire.py."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.answers import Refusal
from nescio.evaluate.measuring.explaining import why
from nescio.evaluate.measuring.figures import Calibration, Evaluation, Figures, ReliabilityBin, RiskPoint
from nescio.evaluate.measuring.gate import Check
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.evaluate.measuring.verdicts import is_wrong, verdict
from nescio.evaluate.questions.cases import Expected
from nescio.surfaces.wire import SCHEMA_VERSION, Json, estimate_json, share_json, working_json

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
        "wrongly_answered": share_json(figures.wrongly_answered),
        "wrongly_refused": share_json(figures.wrongly_refused),
        "from_right_page": share_json(figures.from_right_page),
        "page_at": {str(depth): share_json(found) for depth, found in figures.page_at},
        "section_at": {str(depth): share_json(found) for depth, found in figures.section_at},
        "quote_held": share_json(figures.quote_held),
        "quote_overlap": figures.quote_overlap,
        "right_citations": share_json(figures.right_citations),
        "exact_citations": share_json(figures.exact_citations),
        "auroc": None if figures.auroc is None else estimate_json(figures.auroc),
        "risk_area": figures.risk_area,
        "risk_coverage": [_point(point) for point in figures.risk_coverage],
        "calibration": None if figures.calibration is None else _calibration(figures.calibration),
        "faults": figures.faults,
    }


def _point(point: RiskPoint) -> Json:
    return {"coverage": point.coverage, "risk": point.risk, "confidence": point.confidence}


def _calibration(calibration: Calibration) -> Json:
    return {
        "bins": [_bin(one) for one in calibration.bins],
        "error": estimate_json(calibration.error),
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
