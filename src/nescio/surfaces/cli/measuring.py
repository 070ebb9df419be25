"""The `eval` command: asks every question of a file, tells how often it was right, and checks that this is good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nescio.files import write_whole
from nescio.surfaces import wire
from nescio.surfaces.cli import output, workspace
from nescio.surfaces.cli.layout import Mark, line

if TYPE_CHECKING:
    from nescio.evaluate.measuring.figures import Evaluation
    from nescio.evaluate.measuring.gate import Check
    from nescio.evaluate.questions.reading import QuestionFile

PASSED, FAILED = 0, 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What has to hold for the run to pass; None leaves a limit at its default."""

    min_answered: float | None = None
    max_wrong: float | None = None
    max_refused: float | None = None
    baseline: Path | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """How the outcome is told, and where to."""

    html: Path | None = None
    junit: Path | None = None
    explain: bool = False
    as_json: bool = False


def measure(named: workspace.Named, file: Path, limits: Limits, told: Told) -> int:
    """Ask the questions of `file` and tell what came of it. 0 when every check passed, else 1.

    The files are written before anything is printed. Raises the faults of the question file, the baseline and the index.
    """
    from nescio.evaluate.measuring import gate
    from nescio.evaluate.measuring.baseline import read_baseline
    from nescio.evaluate.questions.reading import read_cases

    questions = read_cases(file)
    baseline = None if limits.baseline is None else read_baseline(limits.baseline)
    evaluation = evaluated(named, questions)
    wanted = gate.Gate(limits.min_answered, limits.max_wrong, limits.max_refused)
    checks = gate.checks(evaluation, wanted, baseline)
    _write_files(evaluation, checks, told)
    _print(evaluation, checks, told)
    return PASSED if all(check.passed for check in checks) else FAILED


def evaluated(named: workspace.Named, questions: QuestionFile) -> Evaluation:
    """What came of all the questions; a bar shows how far it is."""
    from nescio.evaluate.measuring.evaluating import evaluate

    with workspace.ready_engine(named) as engine, output.progress_bar() as progress:
        return evaluate(engine, questions, progress=progress)


def _write_files(evaluation: Evaluation, checks: Sequence[Check], told: Told) -> None:
    if told.junit is not None:
        from nescio.surfaces.reports.junit import junit

        write_whole(told.junit, junit(evaluation, checks))
        output.print_note([line(f"Wrote {told.junit}.", Mark.QUIET)])
    if told.html is not None:
        from nescio.surfaces.reports.html import html

        write_whole(told.html, html(evaluation, checks))
        output.print_note([line(f"Wrote {told.html}.", Mark.QUIET)])


def _print(evaluation: Evaluation, checks: Sequence[Check], told: Told) -> None:
    if told.as_json:
        from nescio.surfaces.wire_measures import evaluation_json

        output.write_result(wire.encode(evaluation_json(evaluation, checks, explain=told.explain), indented=True))
    else:
        from nescio.surfaces.cli import render_measures

        output.print_result(render_measures.evaluation(evaluation, checks, explain=told.explain))
