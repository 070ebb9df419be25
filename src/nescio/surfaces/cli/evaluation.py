"""The commands that measure, `eval`, `eval draft` and `calibrate`, with their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nescio.surfaces.cli.grouping import OwnUseGroup
from nescio.surfaces.cli.options import HELP, ConfigOption, DocsOption, FloorOption, IndexOption, JsonOption, share

QuestionsArgument = Annotated[
    Path,
    typer.Argument(metavar="QUESTIONS", help="The question file: JSONL, JSON, YAML or plain lines.", show_default=False),
]

app = typer.Typer(cls=OwnUseGroup, context_settings=HELP, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def measure(
    questions: QuestionsArgument,
    floor: FloorOption = None,
    min_answered: Annotated[
        float | None,
        typer.Option(
            "--min-answered",
            metavar="SHARE",
            callback=share,
            help="Least share of the covered questions that is answered, 0 to 1.",
        ),
    ] = None,
    max_wrong: Annotated[
        float | None,
        typer.Option(
            "--max-wrong",
            metavar="SHARE",
            callback=share,
            help="Most of the questions not covered that may be answered, 0 to 1.",
        ),
    ] = None,
    max_refused: Annotated[
        float | None,
        typer.Option(
            "--max-refused",
            metavar="SHARE",
            callback=share,
            help="Most of the covered questions that may be refused, 0 to 1.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Be no worse than this earlier output of --json.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a report with plots there too.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML there too.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show terms and scores of every wrong case too.")] = False,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Ask the questions of a file and tell how often it is right.

    Exit code: 0 every check passed, 1 a check failed, 2 wrong use, 4 index busy, 5 reading or writing failed.

    To begin without a question file, let `nescio eval draft` propose one from the documentation.
    """
    from nescio.surfaces.cli import measuring, workspace

    named = workspace.Named(config_file, index, tuple(docs or ()), {"floor": floor})
    limits = measuring.Limits(min_answered, max_wrong, max_refused, baseline)
    return measuring.measure(named, questions, limits, measuring.Told(html, junit, explain, as_json))


@app.command()
def draft(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write the questions. Default: standard output.")
    ] = None,
    answerable: Annotated[
        int, typer.Option("--answerable", metavar="N", min=0, help="Most questions that the documentation covers.")
    ] = 20,
    unanswerable: Annotated[
        int, typer.Option("--unanswerable", metavar="N", min=0, help="Most questions that it does not cover.")
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another number draws other questions.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Draft a question file from the documentation, for you to review.

    Exit code: 0 drafted, 2 wrong use, 4 index busy, 5 reading or writing failed.
    """
    from nescio.surfaces.cli import drafting, workspace

    named = workspace.Named(config_file, index, tuple(docs or ()))
    return drafting.draft(named, drafting.Wanted(out, answerable, unanswerable, seed, force), as_json=as_json)


def calibrate(
    questions: QuestionsArgument,
    cost: Annotated[
        float | None,
        typer.Option("--cost", metavar="RATIO", help="How much worse a wrong answer is than a wrong refusal. Default: 1."),
    ] = None,
    max_wrong: Annotated[
        float | None,
        typer.Option("--max-wrong", metavar="RATE", help="Instead of a cost: the largest share of wrong answers, 0 to 1."),
    ] = None,
    confidence: Annotated[
        float | None,
        typer.Option("--confidence", metavar="RATE", help="How sure the bound of wrong answers is, 0 to 1. Default: 0.9."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the floor and write nothing.")] = False,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Choose the floor from a question file, and write it to the configuration with its evidence.

    Exit code: 0 chosen, 1 the two sorts of questions cannot be told apart, 2 wrong use, 4 index busy, 5 reading or writing
    failed.
    """
    from nescio.surfaces.cli import calibrating, workspace

    named = workspace.Named(config_file, index, tuple(docs or ()))
    wanted = calibrating.Wanted(cost, max_wrong, confidence, dry_run, as_json)
    return calibrating.calibrate(named, questions, wanted)
