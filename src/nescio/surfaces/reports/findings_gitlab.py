"""Findings as a Code Quality report, which GitLab shows in merge requests."""

from __future__ import annotations

import json
from collections.abc import Sequence

from nescio.domain.findings import Finding, Level
from nescio.surfaces.reports.finding_context import Context, with_fingerprints
from nescio.surfaces.reports.finding_rules import rule_id, said
from nescio.surfaces.terminal import escape_json

_SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}


def gitlab(findings: Sequence[Finding], context: Context) -> bytes:
    """A JSON list with an object for each finding. A finding on a whole file is shown at its first line: one is needed."""
    issues = [
        {
            "description": said(finding),
            "check_name": rule_id(finding),
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[Level.ERROR if context.fails(finding) else finding.level],
            "location": {
                "path": context.path(finding),
                "lines": {"begin": max(finding.start_line, 1), "end": max(finding.end_line, 1)},
            },
        }
        for finding, fingerprint in with_fingerprints(findings)
    ]
    return escape_json(json.dumps(issues, ensure_ascii=False, indent=2)).encode("utf-8") + b"\n"
