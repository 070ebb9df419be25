"""The JSON of findings, the same for every command that checks something."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.findings import Finding, Level
from nescio.surfaces.wire import SCHEMA_VERSION, Json


def findings_json(findings: Sequence[Finding], *, command: str, passed: bool, summary: str) -> Json:
    """Everything that a check says. `passed` is whether its exit code is 0."""
    counts = {level: sum(1 for one in findings if one.level is level) for level in Level}
    return {
        "schema_version": SCHEMA_VERSION,
        "command": command,
        "passed": passed,
        "summary": summary,
        "errors": counts[Level.ERROR],
        "warnings": counts[Level.WARNING],
        "notes": counts[Level.NOTE],
        "findings": [finding_json(finding) for finding in findings],
    }


def finding_json(finding: Finding) -> Json:
    """One finding. Lines are null where it is on a whole file; texts that mean nothing are empty."""
    return {
        "kind": finding.kind.value,
        "level": finding.level.value,
        "path": finding.path,
        "start_line": finding.start_line or None,
        "end_line": finding.end_line or None,
        "message": finding.message,
        "old": finding.old,
        "new": finding.new,
        "rule": finding.rule,
        "fix": finding.fix,
    }
