"""Findings as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from nescio.domain.findings import Finding, FindingKind, Level
from nescio.domain.release import VERSION
from nescio.surfaces.reports.finding_context import Context, with_fingerprints
from nescio.surfaces.reports.finding_rules import RULES, rule_id, said
from nescio.surfaces.terminal import escape_json

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "nescioFinding/v1"  # the next way of making fingerprints is v2
_TOP = "%SRCROOT%"  # what code scanning calls the repository's top
_NOT_IN_A_PATH = re.compile(rb"[^A-Za-z0-9._~/!$&'()*+,;=@-]")

Json = dict[str, Any]


def sarif(findings: Sequence[Finding], context: Context) -> bytes:
    """One run. Rule ids are the names of kinds, with a slash and the rule where a kind has several; paths are relative to the
    repository's top, percent-encoded; a finding on a whole file has no region.
    """
    rules = {rule_id(finding): finding.kind for finding in findings}
    places = {name: at for at, name in enumerate(rules)}
    driver = {
        "name": "nescio",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": [_rule(name, kind) for name, kind in rules.items()],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"{context.command}/"},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, mark, places, context) for one, mark in with_fingerprints(findings)],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return escape_json(json.dumps(log, ensure_ascii=False, indent=2)).encode("utf-8") + b"\n"


def _rule(name: str, kind: FindingKind) -> Json:
    rule = RULES[kind]
    return {
        "id": name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"{rule.title}."},
        "help": {"text": rule.remedy},
    }


def _result(finding: Finding, fingerprint: str, places: dict[str, int], context: Context) -> Json:
    place: Json = {"artifactLocation": {"uri": _uri(context.path(finding)), "uriBaseId": _TOP}}
    if finding.start_line:
        place["region"] = {"startLine": finding.start_line, "endLine": finding.end_line}
    level = Level.ERROR if context.fails(finding) else finding.level
    return {
        "ruleId": rule_id(finding),
        "ruleIndex": places[rule_id(finding)],
        "level": level.value,
        "message": {"text": _message(said(finding))},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"old": finding.old, "new": finding.new, "fix": finding.fix},
    }


def _message(text: str) -> str:
    """Plain text as SARIF has it: brackets that are no links have a backslash before them, and so has a backslash."""
    return re.sub(r"([\\\[\]])", r"\\\1", text)


def _uri(path: str) -> str:
    """A relative reference: a colon in the first part is encoded like all that a path may not hold."""
    return _NOT_IN_A_PATH.sub(lambda match: b"%%%02X" % match[0][0], path.encode("utf-8", "surrogatepass")).decode("ascii")
