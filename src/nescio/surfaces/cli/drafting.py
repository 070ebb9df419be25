"""The `eval draft` command: proposes a question file, writes it, and says what a person has to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nescio.errors import UsageFault
from nescio.files import write_whole
from nescio.surfaces import wire, wire_drafting
from nescio.surfaces.cli import output, workspace
from nescio.surfaces.cli.layout import Line, Mark, columns, counted, line

if TYPE_CHECKING:
    from nescio.evaluate.drafting.values import Draft

DONE = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many questions of each sort, and where to write them; `out` None is standard output."""

    out: Path | None = None
    answerable: int = 20
    unanswerable: int = 20
    seed: int = 0
    force: bool = False


def draft(named: workspace.Named, wanted: Wanted, *, as_json: bool) -> int:
    """Propose questions and write them as JSON lines. Raises UsageFault where the file is there, or nothing can be proposed."""
    from nescio.evaluate.drafting import proposing, values

    _check(wanted)
    asked_for = values.Wanted(wanted.answerable, wanted.unanswerable, wanted.seed)
    with workspace.ready_engine(named) as engine:
        drafts = proposing.drafts(engine, asked_for)
    if not drafts:
        raise UsageFault(
            "draft-nothing",
            "No question could be drafted from these documents.",
            "Questions are drafted in English, from headings and sentences: write the file by hand.",
        )
    _write(drafts, wanted, as_json=as_json)
    output.print_note(_summary(drafts, wanted))
    return DONE


def _check(wanted: Wanted) -> None:
    if not wanted.answerable and not wanted.unanswerable:
        raise UsageFault("draft-nothing", "No question was asked for.", "Ask for some with --answerable or --unanswerable.")
    if wanted.out is not None and wanted.out.is_file() and not wanted.force:
        raise UsageFault("draft-exists", f"{wanted.out} is there already.", "Name another file, or add --force to replace it.")


def _write(drafts: Sequence[Draft], wanted: Wanted, *, as_json: bool) -> None:
    lines = b"".join(wire.encode(wire_drafting.draft_line(one)) for one in drafts)
    if wanted.out is not None:
        write_whole(wanted.out, lines)
    if as_json:
        out = None if wanted.out is None else str(wanted.out)
        output.write_result(wire.encode(wire_drafting.drafts_json(drafts, out), indented=True))
    elif wanted.out is None:
        output.write_result(lines)


def _summary(drafts: Sequence[Draft], wanted: Wanted) -> list[Line]:
    """How many of each kind, what is missing, and what comes next."""
    covered = sum(one.answerable for one in drafts)
    counts = wire_drafting.counts_of(drafts)
    shown = [(kind, str(count)) for kind, count in counts.items() if count]
    next_file = wanted.out or "FILE"
    return [
        line(f"Drafted {counted(len(drafts), 'question')}: {covered} covered, {len(drafts) - covered} not covered.", Mark.GOOD),
        *columns(shown, indent=2, marks=(Mark.QUIET,)),
        *_shortfall("covered", covered, wanted.answerable, "a heading or a sentence that makes a plain question"),
        *_shortfall("not covered", len(drafts) - covered, wanted.unanswerable, "a change that the documents lack for certain"),
        line("They are drafts. Read each line: remove it, or put it into words that your users use."),
        line("Look for an answer to those that should have none: each says in its note why."),
        line(f"Then run `nescio eval {next_file}`."),
    ]


def _shortfall(sort: str, found: int, wanted: int, needed: str) -> list[Line]:
    if found >= wanted:
        return []
    said = f"Fewer than the {wanted} wanted that are {sort}: no more pages have {needed}."
    return [line(said, Mark.CAUTION)]
