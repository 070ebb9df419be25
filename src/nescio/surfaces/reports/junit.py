"""JUnit XML, which build servers show question by question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from nescio.evaluate.measuring.explaining import why
from nescio.evaluate.measuring.figures import Evaluation
from nescio.evaluate.measuring.gate import Check
from nescio.evaluate.measuring.outcomes import Outcome, Verdict
from nescio.evaluate.measuring.verdicts import is_wrong, verdict
from nescio.surfaces.reports.rows import entry_line
from nescio.surfaces.terminal import escape

# What no XML 1.0 document may hold, not even as a reference.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(evaluation: Evaluation, checks: Sequence[Check]) -> bytes:
    """UTF-8 XML: a suite of the covered questions, one of those not covered, one of the checks.

    A wrong case is a failure whose type is its verdict, one that could not be asked an error; a check that failed is a failure.
    """
    covered = [outcome for outcome in evaluation.outcomes if outcome.case.answerable]
    uncovered = [outcome for outcome in evaluation.outcomes if not outcome.case.answerable]
    questions = [
        suite_of(name, [_case(outcome, evaluation.file) for outcome in outcomes])
        for name, outcomes in (("covered", covered), ("not covered", uncovered))
    ]
    return document("nescio eval", [*questions, suite_of("checks", [_check(check) for check in checks])])


def document(name: str, suites: Sequence[ET.Element]) -> bytes:
    """Suites under one name with their counts added up, as indented UTF-8."""
    root = ET.Element("testsuites", name=name)
    root.extend(suites)
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def suite_of(name: str, cases: Sequence[ET.Element]) -> ET.Element:
    """Test cases as a suite that counts them."""
    suite = ET.Element("testsuite", name=name, tests=str(len(cases)))
    for count, kind in (("failures", "failure"), ("errors", "error")):
        suite.set(count, str(sum(case.find(kind) is not None for case in cases)))
    suite.set("skipped", "0")
    suite.extend(cases)
    return suite


def _case(outcome: Outcome, file: str) -> ET.Element:
    case = outcome.case
    element = ET.Element("testcase", classname=clean(file), name=clean(f"{case.id}: {case.question}"))
    line = entry_line(file, outcome)
    if line is not None:
        element.set("file", clean(file))
        element.set("line", str(line))
    if is_wrong(outcome):
        said = verdict(outcome)
        add_failure(element, "error" if said is Verdict.FAULT else "failure", said.value, why(outcome))
    return element


def _check(check: Check) -> ET.Element:
    element = ET.Element("testcase", classname="checks", name=clean(check.name))
    if not check.passed:
        add_failure(element, "failure", "check", check.sentence)
    return element


def add_failure(case: ET.Element, kind: str, sort: str, sentence: str) -> None:
    """Let a test case fail: `kind` is `failure` or `error`, `sort` what it is of its kind."""
    ET.SubElement(case, kind, type=sort, message=clean(sentence)).text = clean(sentence)


def clean(text: str) -> str:
    """Text that XML may hold and that is safe in the log of a build; escaping is the serializer's."""
    return _NO_XML.sub("\ufffd", escape(text))
