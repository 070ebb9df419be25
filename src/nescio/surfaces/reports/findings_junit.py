"""Findings as JUnit XML, which build servers show as tests."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from nescio.domain.findings import Finding
from nescio.surfaces.reports.finding_context import Context
from nescio.surfaces.reports.finding_rules import RULES, rule_id, said
from nescio.surfaces.reports.junit import add_failure, clean, document, suite_of


def junit(findings: Sequence[Finding], context: Context) -> bytes:
    """One suite with a test case for each finding: one that fails the command is a failure, any other passes and says what it
    found in its output. Without a finding there is one case that passes.
    """
    cases = [_case(finding, context) for finding in findings]
    passed = ET.Element("testcase", classname=clean(context.command), name="nothing found")
    return document(context.command, [suite_of(context.command, cases or [passed])])


def _case(finding: Finding, context: Context) -> ET.Element:
    path, title = context.path(finding), RULES[finding.kind].title
    where = f"{path}:{finding.start_line}" if finding.start_line else path
    case = ET.Element("testcase", classname=clean(path), name=clean(f"{title}: {where}"), file=clean(path))
    if finding.start_line:
        case.set("line", str(finding.start_line))
    sentence = said(finding)
    if context.fails(finding):
        add_failure(case, "failure", rule_id(finding), sentence)
    else:
        ET.SubElement(case, "system-out").text = clean(f"{finding.level.value}: {sentence}")
    return case
