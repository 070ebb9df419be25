"""The `gaps` commands: what was refused, in groups; its export, its way into a question file, and its end."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nescio.errors import UsageFault
from nescio.files import write_whole
from nescio.surfaces.cli.options import ConfigOption, JsonOption

if TYPE_CHECKING:
    from nescio.evaluate.gaps.groups import GapReport
    from nescio.surfaces.cli.layout import Line
    from nescio.surfaces.wire import Json

STDOUT = "-"
DONE = 0
DAY = 24 * 3600
_SINCE_HELP = "Count only what was refused in the last DAYS days."

SinceOption = Annotated[int | None, typer.Option("--since", metavar="DAYS", min=1, help=_SINCE_HELP)]


class Format(StrEnum):
    """How a table of questions is written."""

    CSV = "csv"
    JSONL = "jsonl"


class Sort(StrEnum):
    """What a question that was refused is taken for until a person has looked at it."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"


app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def gaps(
    context: typer.Context,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Most groups to show.")] = 20,
    since: SinceOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show what was asked and refused, grouped by what is missing.

    Refused questions are kept only where gaps.log is set to hashed or text.
    """
    if context.invoked_subcommand is not None:
        _options_come_after(context)
        return DONE
    from nescio.surfaces import wire_gaps
    from nescio.surfaces.cli import render_gaps

    report = _report(config_file, since)
    lines = render_gaps.off(report.file) if _is_off(report) else render_gaps.report(report, top)
    return _tell(wire_gaps.gaps_json(report, top), lines, as_json=as_json)


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write; - is standard output.")],
    form: Annotated[
        Format | None, typer.Option("--format", metavar="FORMAT", help="csv or jsonl. Default: by the ending of FILE.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    since: SinceOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Write the refused questions as a table, one row each."""
    from nescio.surfaces import wire_gaps
    from nescio.surfaces.cli import output, render_gaps

    chosen = _format(file, form)
    table = wire_gaps.rows(_report(config_file, since))
    data = wire_gaps.csv_table(table) if chosen is Format.CSV else wire_gaps.json_lines(table)
    if str(file) == STDOUT:
        output.write_result(data)
        return DONE
    if file.exists() and not force:
        raise UsageFault("gaps-export-exists", f"{file} is there already.", "Name another file, or add --force to replace it.")
    write_whole(file, data)
    done = wire_gaps.gaps_done_json("export", [str(file)], count=len(table))
    return _tell(done, render_gaps.written(len(table), str(file)), as_json=as_json)


@app.command()
def add(
    file: Annotated[
        Path,
        typer.Argument(metavar="QUESTIONS", help="The question file, of JSON lines or plain lines; made where there is none."),
    ],
    sort: Annotated[
        Sort,
        typer.Option("--as", metavar="SORT", help="What they are taken for: answerable or unanswerable."),
    ] = Sort.UNANSWERABLE,
    since: SinceOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Add the refused questions to a question file for review.

    Each once, and as unanswerable unless you say otherwise: it must be refused until the documentation covers it.
    """
    from nescio.evaluate.gaps.additions import addition
    from nescio.surfaces import wire_gaps
    from nescio.surfaces.cli import render_gaps

    asked = _report(config_file, since).asked
    hidden = sum(one.text is None for one in asked)
    if hidden and hidden == len(asked):
        raise UsageFault(
            "gaps-hashed",
            "No text is kept of the refused questions, so there is nothing to add.",
            "Set gaps.log to text: what is refused from then on can be added.",
        )
    new = addition(file, asked, answerable=sort is Sort.ANSWERABLE)
    if new.data:
        with file.open("ab") as stream:
            stream.write(new.data)
    left_out = hidden + new.unwritable
    done = wire_gaps.gaps_done_json("add", [str(file)], count=new.added, known=new.known, left_out=left_out)
    lines = render_gaps.added(str(file), count=new.added, known=new.known, left_out=left_out, sort=sort.value)
    return _tell(done, lines, as_json=as_json)


@app.command()
def purge(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Remove the refused questions and the key of their hashes."""
    from nescio.surfaces import wire_gaps
    from nescio.surfaces.cli import gap_logging, render_gaps, workspace
    from nescio.surfaces.cli.workspace import Named

    log = gap_logging.log_of(workspace.find(Named(config_file), needs_docs=False))
    if not yes and not _is_confirmed(log.path, can_ask=not as_json and sys.stdin is not None and sys.stdin.isatty()):
        return DONE
    removed = [str(path) for path in log.purge()]
    return _tell(wire_gaps.gaps_done_json("purge", removed, count=len(removed)), render_gaps.purged(removed), as_json=as_json)


def _options_come_after(context: typer.Context) -> None:
    """Raises UsageFault where an option stands before `export` and the like, which would not see it."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name != "DEFAULT":
            name = parameter.opts[0]
            raise UsageFault(
                "usage",
                f"{name} stands before {context.invoked_subcommand}.",
                f"Options go after it: nescio gaps {context.invoked_subcommand} {name} ...",
            )


def _report(config_file: Path | None, since: int | None) -> GapReport:
    """What the log of the configuration holds, in groups."""
    import time
    from datetime import UTC, datetime

    from nescio.evaluate.gaps.groups import GapReport
    from nescio.evaluate.gaps.groups import gaps as grouped
    from nescio.surfaces.cli import gap_logging, workspace
    from nescio.surfaces.cli.workspace import Named

    place = workspace.find(Named(config_file), needs_docs=False)
    log, now = gap_logging.log_of(place), time.time()
    kept = log.read(now)
    start = None if since is None else max(0.0, now - since * DAY)
    entries = [entry for entry in kept.entries if start is None or entry.at >= start]
    day = None if start is None else datetime.fromtimestamp(start, UTC).date()
    mode = place.configuration.settings.gaps.log
    return GapReport(str(log.path), mode, day, len(entries), kept.damaged, grouped(entries))


def _is_off(report: GapReport) -> bool:
    from nescio.surfaces.cli.gap_logging import OFF

    return report.log == OFF and not Path(report.file).exists()


def _format(file: Path, chosen: Format | None) -> Format:
    if chosen is not None:
        return chosen
    ending = file.suffix.lower().removeprefix(".")
    if str(file) == STDOUT:
        return Format.JSONL
    if ending not in tuple(Format):
        raise UsageFault("gaps-format", f"{file} says no format.", "End its name in .csv or .jsonl, or add --format.")
    return Format(ending)


def _is_confirmed(path: Path, *, can_ask: bool) -> bool:
    if not path.exists():
        return True
    if not can_ask:
        raise UsageFault("gaps-purge-unconfirmed", f"{path} would be removed, and nobody is there to be asked.", "Add --yes.")
    from nescio.surfaces.terminal import escape_line

    return typer.confirm(f"Remove {escape_line(str(path))} with all refused questions?", err=True)


def _tell(result: Json, lines: list[Line], *, as_json: bool) -> int:
    from nescio.surfaces import wire
    from nescio.surfaces.cli import output

    if as_json:
        output.write_result(wire.encode(result, indented=True))
    else:
        output.print_result(lines)
    return DONE
