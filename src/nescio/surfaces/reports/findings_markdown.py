"""Findings as a table in Markdown, for the summary of a job or a comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nescio.domain.findings import Finding
from nescio.surfaces.reports.finding_context import Context, counts
from nescio.surfaces.reports.finding_rules import RULES, changes, remedy
from nescio.surfaces.terminal import escape_line

MOST_ROWS = 500  # a summary on GitHub holds 1 MiB, and nobody reads further
LONGEST_CELL = 600  # characters
# Everything that Markdown, HTML or a site's own marks (mentions, emoji, issues, addresses) could take for more than text.
_MARKS = re.compile(r"[\\`*_{}\[\]()<>#+!|~&@:$^=]|(?<=\w)\.(?=\w)|--")


def markdown(findings: Sequence[Finding], context: Context) -> bytes:
    """A heading, a line with the counts, and a row for each finding, at most MOST_ROWS."""
    lines = [f"## {_text(context.command)}", "", _counted(findings, context), ""]
    if findings:
        lines += ["| Level | Where | What | What to do |", "|---|---|---|---|"]
        lines += [_row(finding, context) for finding in findings[:MOST_ROWS]]
    if len(findings) > MOST_ROWS:
        lines += ["", f"{len(findings) - MOST_ROWS} more are not shown."]
    return ("\n".join(lines).rstrip("\n") + "\n").encode("utf-8", "backslashreplace")


def _counted(findings: Sequence[Finding], context: Context) -> str:
    said = ", ".join(f"{count} {level.value}{'s' * (count != 1)}" for level, count in counts(findings).items() if count)
    return f"{_text(context.summary)} {said or 'Nothing found'}.".strip()


def _row(finding: Finding, context: Context) -> str:
    lines = f" line {finding.start_line}" if finding.start_line else ""
    if finding.end_line > finding.start_line:
        lines = f" lines {finding.start_line} to {finding.end_line}"
    words = "".join(f"<br>{name.capitalize()}: {_text(words)}" for name, words in changes(finding))
    what = f"**{RULES[finding.kind].title}.** {_text(finding.message)}{words}"
    return f"| {finding.level.value} | {_text(context.path(finding))}{lines} | {what} | {_text(remedy(finding))} |"


def _text(text: str) -> str:
    """Any text as the text of a cell: one line, nothing in it marked up."""
    shown = escape_line(text if len(text) <= LONGEST_CELL else text[:LONGEST_CELL] + "...")
    return _MARKS.sub(lambda match: "".join(f"&#{ord(character)};" for character in match[0]), shown)
