"""Findings as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nescio.domain.findings import Finding, Level
from nescio.surfaces.reports.finding_context import Context
from nescio.surfaces.reports.finding_rules import RULES, said
from nescio.surfaces.terminal import escape, escape_line

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def github(findings: Sequence[Finding], context: Context) -> bytes:
    """A line for each finding, `::error file=,line=,endLine=,title=::message`; lines are left out where it is the whole file.

    A warning that fails the command is an error here too. No text can end its command or begin another: percent signs and line
    ends are written as %25, %0D and %0A, in properties colons and commas too.
    """
    return "".join(map(_line, findings, (context.fails(one) for one in findings), map(context.path, findings))).encode(
        "utf-8", "backslashreplace"
    )


def _line(finding: Finding, fails: bool, path: str) -> str:
    command = _COMMANDS[Level.ERROR if fails else finding.level]
    properties = ",".join(f"{name}={_property(value)}" for name, value in _properties(finding, path))
    return f"::{command} {properties}::{_data(said(finding))}\n"


def _properties(finding: Finding, path: str) -> Iterator[tuple[str, str]]:
    yield "file", path
    if finding.start_line:
        yield "line", str(finding.start_line)
        yield "endLine", str(finding.end_line)
    yield "title", f"{RULES[finding.kind].title} ({finding.kind.value})"


def _data(text: str) -> str:
    return escape(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return escape_line(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
