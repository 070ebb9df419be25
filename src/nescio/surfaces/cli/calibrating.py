"""The `calibrate` command: asks every question of a file, chooses a floor by what came of it, and writes that down."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nescio.errors import UsageFault
from nescio.surfaces import wire
from nescio.surfaces.cli import measuring, output, workspace

if TYPE_CHECKING:
    from nescio.config.loading import Configuration
    from nescio.config.model import Calibration
    from nescio.evaluate.calibrating.values import Aim, Calibrated, CalibrationReport

CHOSEN, NOT_SEPARABLE = 0, 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the floor is chosen by (None: not said), and whether it is only to be shown."""

    cost: float | None = None
    max_wrong: float | None = None
    confidence: float | None = None
    dry_run: bool = False
    as_json: bool = False


def calibrate(named: workspace.Named, file: Path, wanted: Wanted) -> int:
    """Choose a floor, write it, and tell how. 1 where the sorts cannot be told apart: then nothing is written.

    Raises the faults of the question file, the aim, the index and the configuration.
    """
    from nescio.evaluate.calibrating import choosing, values
    from nescio.evaluate.questions.reading import read_cases

    aim = _aim(wanted)
    report = choosing.calibrate(measuring.evaluated(named, read_cases(file)), aim)
    chosen = report.result if isinstance(report.result, values.Calibrated) else None
    configuration = workspace.find(named, needs_docs=False).configuration
    written = None if chosen is None or wanted.dry_run else _write(configuration, file, report, chosen)
    _tell(report, chosen, written, configuration, as_json=wanted.as_json)
    return NOT_SEPARABLE if chosen is None else CHOSEN


def _aim(wanted: Wanted) -> Aim:
    from nescio.evaluate.calibrating.values import Aim

    if wanted.cost is not None and wanted.max_wrong is not None:
        message = "A floor is chosen by a cost or by the most wrong answers, and both were given."
        raise UsageFault("calibrate-two-ways", message, "Leave out --cost or --max-wrong.")
    given = {"cost": wanted.cost, "max_wrong": wanted.max_wrong, "confidence": wanted.confidence}
    return Aim(**{name: value for name, value in given.items() if value is not None})


def _write(configuration: Configuration, file: Path, report: CalibrationReport, chosen: Calibrated) -> Path:
    from nescio.config.writing import write_floor

    return write_floor(configuration, chosen.rates.floor, _evidence(configuration.root, file, report, chosen))


def _evidence(root: Path, file: Path, report: CalibrationReport, chosen: Calibrated) -> Calibration:
    """What stands beside the floor in the file; rates have four decimals there."""
    from nescio.config.model import Calibration

    return Calibration(
        questions=_seen_from(root, file),
        questions_sha256=report.file_sha256,
        answerable=report.answerable,
        unanswerable=report.unanswerable,
        floor=chosen.rates.floor,
        by=report.aim.said,
        wrongly_answered=round(chosen.rates.wrongly_answered.value, 4),
        wrongly_refused=round(chosen.rates.wrongly_refused.value, 4),
        wrong_bound=round(chosen.wrong_bound, 4),
        held_out_wrong=round(chosen.held_out.wrongly_answered.value, 4),
        held_out_refused=round(chosen.held_out.wrongly_refused.value, 4),
        auroc=round(report.auroc.value, 4),
        index_id=report.index_id,
    )


def _seen_from(root: Path, file: Path) -> str:
    """The path of the question file from the configuration's folder; the whole path where they are on two drives."""
    try:
        path = os.path.relpath(file.absolute(), root)
    except ValueError:
        path = str(file.absolute())
    return os.fsencode(Path(path).as_posix()).decode("utf-8", "replace")


def _tell(
    report: CalibrationReport, chosen: Calibrated | None, written: Path | None, configuration: Configuration, *, as_json: bool
) -> None:
    origin = configuration.origins.get("floor", "")
    overridden_by = origin if written and origin.startswith("environment") else None
    if as_json:
        from nescio.surfaces.wire_calibration import calibration_json

        told = calibration_json(report, written=str(written) if written else None, overridden_by=overridden_by)
        output.write_result(wire.encode(told, indented=True))
        return
    from nescio.surfaces.cli import render_calibration

    lines = render_calibration.report(report)
    if chosen is not None:
        floor = chosen.rates.floor
        lines += (
            render_calibration.written(floor, str(written), overridden_by) if written else render_calibration.not_written(floor)
        )
    output.print_result(lines)
