"""How any command tells what it found: in the format that was asked for, to standard output or into a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nescio.files import write_whole
from nescio.surfaces import wire
from nescio.surfaces.cli import output, render_findings
from nescio.surfaces.cli.layout import Mark, line
from nescio.surfaces.cli.options import Format
from nescio.surfaces.reports.finding_context import Context
from nescio.surfaces.reports.findings_github import github
from nescio.surfaces.reports.findings_gitlab import gitlab
from nescio.surfaces.reports.findings_junit import junit
from nescio.surfaces.reports.findings_markdown import markdown
from nescio.surfaces.reports.findings_sarif import sarif
from nescio.surfaces.terminal import escape_line
from nescio.surfaces.wire_findings import findings_json

if TYPE_CHECKING:
    from nescio.domain.findings import Finding
    from nescio.surfaces.cli.layout import Line

NOTHING, FOUND = 0, 1

Written = Callable[[Sequence["Finding"], Context], bytes]


def _json(findings: Sequence[Finding], context: Context) -> bytes:
    passed = not any(map(context.fails, findings))
    told = findings_json(findings, command=context.command, passed=passed, summary=context.summary)
    return wire.encode(told, indented=True)


def _text(findings: Sequence[Finding], context: Context) -> bytes:
    lines = (_plain(one) for one in render_findings.findings(findings, context))
    return "".join(f"{one}\n" for one in lines).encode("utf-8")


def _plain(shown: Line) -> str:
    return " " * shown.indent + "".join(escape_line(part.text) for part in shown.parts)


FORMATS: dict[Format, Written] = {
    Format.TEXT: _text,
    Format.JSON: _json,
    Format.GITHUB: github,
    Format.SARIF: sarif,
    Format.JUNIT: junit,
    Format.GITLAB: gitlab,
    Format.MARKDOWN: markdown,
}


def report(
    findings: Sequence[Finding],
    format: Format,  # noqa: A002
    out: Path | None = None,
    *,
    command: str = "nescio check",
    root: Path | None = None,
    summary: str = "",
    strict: bool = False,
) -> int:
    """Tell what was found; the exit code: 1 where a finding is an error, or a warning and `strict`, else 0.

    Paths of findings count from `root`, the configuration's folder (the working directory unless given); formats that a service
    reads show them from the top of the repository. With `out` it is written there, whole, and said on stderr. Raises OSError.
    """
    context = Context(command, _base(root or Path.cwd()), summary, strict)
    if out is not None:
        write_whole(out, FORMATS[format](findings, context))
        output.print_note([line(f"Wrote {out}.", Mark.QUIET)])
    elif format is Format.TEXT:
        output.print_result(render_findings.findings(findings, context))
    else:
        output.write_result(FORMATS[format](findings, context))
    return FOUND if any(map(context.fails, findings)) else NOTHING


def _base(root: Path) -> str:
    """The way to `root` from the top of its repository; empty outside of any."""
    from nescio.ingest.files import git_top

    top = git_top(root)
    below = Path(os.path.relpath(os.path.realpath(root), top)).as_posix() if top else ""
    return "" if below == "." else below
