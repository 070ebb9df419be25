"""The JSON of a calibration: the floor or why there is none, how often it is wrong, and what it was read from."""

from __future__ import annotations

from typing import Any

from nescio.domain.floors import FLOORS
from nescio.evaluate.calibrating.values import Calibrated, CalibrationReport, NotSeparable, Rates
from nescio.surfaces.wire import SCHEMA_VERSION, Json, estimate_json, share_json


def calibration_json(report: CalibrationReport, *, written: str | None, overridden_by: str | None) -> Json:
    """A calibration, every key there whether a floor was chosen or not. `written` is the file that has the floor now."""
    return {
        "schema_version": SCHEMA_VERSION,
        "questions": report.file,
        "questions_sha256": report.file_sha256,
        "index_id": report.index_id,
        "answerable": report.answerable,
        "unanswerable": report.unanswerable,
        "faults": report.faults,
        "by": report.aim.said,
        "confidence": report.aim.confidence,
        "auroc": estimate_json(report.auroc),
        **_result(report.result),
        "named": [{"name": named.name, **_rates(rates)} for named, rates in zip(FLOORS, report.named, strict=True)],
        "curve": [_rates(rates) for rates in report.curve],
        "histogram": [
            {"low": part.low, "high": part.high, "answerable": part.answerable, "unanswerable": part.unanswerable}
            for part in report.bins
        ],
        "written": written,
        "overridden_by": overridden_by,
    }


def _result(result: Calibrated | NotSeparable) -> Json:
    empty: dict[str, Any] = dict.fromkeys(
        ("floor", "wrongly_answered", "wrongly_refused", "held_out_wrong", "held_out_refused", "wrong_bound")
    )
    if isinstance(result, NotSeparable):
        return {"status": "not_separable", "message": result.sentence, "needed": result.needed, **empty}
    return {
        "status": "chosen",
        "message": "",
        "needed": None,
        **_rates(result.rates),
        "held_out_wrong": share_json(result.held_out.wrongly_answered),
        "held_out_refused": share_json(result.held_out.wrongly_refused),
        "wrong_bound": result.wrong_bound,
    }


def _rates(rates: Rates) -> Json:
    return {
        "floor": rates.floor,
        "wrongly_answered": share_json(rates.wrongly_answered),
        "wrongly_refused": share_json(rates.wrongly_refused),
    }
