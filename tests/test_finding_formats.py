"""Findings in every format: what a service reads comes back as it was, and no text of a document can break out of its place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator

from nescio.domain.findings import Finding, FindingKind, Level
from nescio.surfaces import wire
from nescio.surfaces.cli import render_findings
from nescio.surfaces.cli.findings import FORMATS
from nescio.surfaces.cli.options import Format
from nescio.surfaces.reports.finding_context import Context, with_fingerprints
from nescio.surfaces.reports.finding_rules import RULES, rule_id
from nescio.surfaces.reports.findings_markdown import MOST_ROWS

SARIF = Draft7Validator(json.loads((Path(__file__).parent / "support" / "sarif-2.1.0.schema.json").read_text("utf-8")))
CONTEXT = Context("nescio check", summary="Checked 2 documents and the index.")
HOSTILE = "a\n::error::b %0A 100% | `x` [l](http://e.example) <b>&amp;</b> \x1b[31m\u202e\u2028 @you \x00 \ud800 {0}"
HASH = "0123456789abcdef" * 4


def finding(**values: object) -> Finding:
    given_values = {
        "kind": FindingKind.INDEX_CHANGED,
        "level": Level.ERROR,
        "path": "docs/a.md",
        "start_line": 3,
        "end_line": 5,
        "message": "The document changed.",
    } | values
    return Finding(**given_values)  # type: ignore[arg-type]


def written(format_name: str, findings: Sequence[Finding], context: Context = CONTEXT) -> str:
    return FORMATS[Format(format_name)](findings, context).decode("utf-8")


EVERY_KIND = tuple(finding(kind=kind, rule="one" if kind is FindingKind.SECRET else "") for kind in FindingKind)
texts = st.text(max_size=40) | st.just(HOSTILE)
findings_of_any_sort = st.lists(
    st.builds(
        Finding,
        kind=st.sampled_from(FindingKind),
        level=st.sampled_from(Level),
        path=texts.filter(bool),
        start_line=st.just(4) | st.just(0),
        end_line=st.just(9),
        message=texts,
        old=texts,
        new=texts,
        rule=st.sampled_from(["", "aws-key"]),
        fix=st.sampled_from(["", "nescio build"]),
    ),
    max_size=4,
)


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def annotations(told: str) -> list[tuple[str, dict[str, str], str]]:
    """Workflow commands as GitHub's runner reads them: the command, its properties and its message."""
    read = []
    for row in told.split("\n")[:-1]:
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", row)
        assert match is not None, row
        pairs = (pair.partition("=") for pair in match[2].split(","))
        read.append((match[1], {name: unescaped(value) for name, _, value in pairs}, unescaped(match[3])))
    return read


def test_every_kind_of_finding_has_a_title_and_a_remedy() -> None:
    assert set(RULES) == set(FindingKind)
    assert all(rule.title and rule.remedy.endswith(".") for rule in RULES.values())
    assert len({rule.title for rule in RULES.values()}) == len(RULES)


def test_every_format_has_a_writer() -> None:
    assert set(FORMATS) == set(Format)


@pytest.mark.parametrize("name", [one.value for one in Format])
@given(found=findings_of_any_sort)
def test_every_format_takes_any_text_and_shows_nothing_that_a_terminal_obeys(name: str, found: list[Finding]) -> None:
    told = FORMATS[Format(name)](found, CONTEXT).decode("utf-8")
    assert told.endswith("\n") or (not found and name == "github")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", told)
    assert told == FORMATS[Format(name)](found, CONTEXT).decode("utf-8")


# GitHub


def test_an_annotation_comes_back_as_it_was() -> None:
    one = finding(path="docs/a,b:c 100%.md", message="first: 50%\nsecond, third", fix="nescio build")
    [(command, properties, message)] = annotations(written("github", [one]))
    assert command == "error"
    assert (properties["file"], properties["line"], properties["endLine"]) == ("docs/a,b:c 100%.md", "3", "5")
    assert properties["title"] == "Document changed since it was indexed (index_changed)"
    assert message == "first: 50%\nsecond, third Run `nescio build`."


def test_levels_are_those_of_annotations() -> None:
    told = annotations(written("github", [finding(level=level) for level in Level]))
    assert [command for command, _, _ in told] == ["error", "warning", "notice"]


def test_a_whole_file_has_no_lines_in_its_annotation() -> None:
    [(_, properties, _)] = annotations(written("github", [finding(start_line=0, end_line=0)]))
    assert set(properties) == {"file", "title"}


@given(found=findings_of_any_sort)
def test_no_text_begins_a_second_annotation(found: list[Finding]) -> None:
    assert len(annotations(written("github", found))) == len(found)


def test_a_warning_that_fails_is_shown_as_an_error() -> None:
    strict = Context("nescio check", is_strict=True)
    [(command, _, _)] = annotations(written("github", [finding(level=Level.WARNING)], strict))
    assert command == "error"


# SARIF


@given(found=findings_of_any_sort)
def test_sarif_is_valid_whatever_was_found(found: list[Finding]) -> None:
    SARIF.validate(json.loads(written("sarif", found)))


def test_sarif_of_every_kind_is_valid_and_names_its_rules() -> None:
    log = json.loads(written("sarif", EVERY_KIND))
    SARIF.validate(log)
    [run] = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids == [rule_id(one) for one in EVERY_KIND]
    assert "index_changed" in ids
    assert "secret/one" in ids
    assert [ids[result["ruleIndex"]] for result in run["results"]] == [result["ruleId"] for result in run["results"]]


def test_sarif_has_line_ranges_levels_and_encoded_paths() -> None:
    context = Context("nescio check", base="manual")
    found = [finding(path="docs/ä b:%.md"), finding(level=Level.NOTE, start_line=0, end_line=0)]
    first, second = json.loads(written("sarif", found, context))["runs"][0]["results"]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "manual/docs/%C3%A4%20b%3A%25.md", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 3, "endLine": 5}
    assert "region" not in second["locations"][0]["physicalLocation"]
    assert (first["level"], second["level"]) == ("error", "note")


def test_brackets_in_a_sarif_message_are_no_link() -> None:
    [result] = json.loads(written("sarif", [finding(message="see [here](http://e.example)")]))["runs"][0]["results"]
    assert result["message"]["text"].startswith("see \\[here\\](http://e.example)")


def test_a_fingerprint_stays_when_lines_move_and_tells_alike_findings_apart() -> None:
    before = [mark for _, mark in with_fingerprints([finding(new="x"), finding(new="x"), finding(new="y")])]
    after = [mark for _, mark in with_fingerprints([finding(new="x", start_line=7, end_line=9, message="other")])]
    assert len(set(before)) == 3
    assert before[0] == after[0]


# JUnit, GitLab, Markdown


def test_junit_fails_what_fails_and_tells_the_rest() -> None:
    found = [finding(message=HOSTILE), finding(level=Level.WARNING, kind=FindingKind.FENCE_UNCLOSED, start_line=0, end_line=0)]
    root = ET.fromstring(written("junit", found))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")
    failed, passed = root.findall("testsuite/testcase")
    assert (failed.get("file"), failed.get("line")) == ("docs/a.md", "3")
    assert failed.find("failure").get("type") == "index_changed"  # type: ignore[union-attr]
    assert passed.find("failure") is None
    assert passed.get("line") is None
    assert (passed.findtext("system-out") or "").startswith("warning: ")


def test_junit_without_a_finding_has_a_case_that_passed() -> None:
    root = ET.fromstring(written("junit", []))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_gitlab_has_the_fields_that_it_needs() -> None:
    found = [finding(), finding(level=Level.WARNING, start_line=0, end_line=0, rule="ab"), finding(level=Level.NOTE)]
    issues = json.loads(written("gitlab", found))
    assert [issue["severity"] for issue in issues] == ["major", "minor", "info"]
    assert issues[0]["location"] == {"path": "docs/a.md", "lines": {"begin": 3, "end": 5}}
    assert issues[1]["location"]["lines"] == {"begin": 1, "end": 1}
    assert issues[1]["check_name"] == "index_changed/ab"
    assert len({issue["fingerprint"] for issue in issues}) == 3
    assert json.loads(written("gitlab", [])) == []


def test_a_row_of_markdown_holds_no_markup_of_a_document() -> None:
    told = written("markdown", [finding(message=HOSTILE, path="docs/a|b.md", new=HOSTILE, start_line=3)])
    rows = [row for row in told.split("\n") if row.startswith("| error")]
    [row] = rows
    assert row.count("|") == 5
    text = row.replace("**Document changed since it was indexed.**", "").replace("<br>", "")
    assert not re.search(r"[`\[\]<>*@]|https?:", text)
    assert "lines 3 to 5" in row


def test_markdown_has_a_most_of_rows() -> None:
    told = written("markdown", [finding()] * (MOST_ROWS + 7))
    assert told.count("\n| error") == MOST_ROWS
    assert told.endswith("\n7 more are not shown.\n")


def test_markdown_without_a_finding_says_so() -> None:
    assert written("markdown", []) == "## nescio check\n\nChecked 2 documents and the index. Nothing found.\n"


# Text and JSON


def test_the_text_fits_eighty_columns() -> None:
    found = [finding(message="a word " * 60, old="was " * 90, new=HASH), *EVERY_KIND]
    told = written("text", found)
    assert max(map(len, told.split("\n"))) <= 80
    assert f"now: {HASH[:12]}\n" in told


def test_what_fails_is_told_last_and_counted() -> None:
    found = [finding(), finding(level=Level.WARNING, kind=FindingKind.FENCE_UNCLOSED)]
    told = written("text", found)
    assert told.index("fence_unclosed") < told.index("index_changed")
    assert told.endswith("1 error, 1 warning.\n")
    assert written("text", found[1:]).endswith("1 warning: nothing that fails.\n")
    assert written("text", []).endswith("Nothing found.\n")
    assert render_findings.findings([], CONTEXT)


@given(found=findings_of_any_sort)
def test_the_json_keeps_to_its_schema_and_is_exact(found: list[Finding]) -> None:
    told = json.loads(written("json", found))
    Draft202012Validator(wire.schema("findings")).validate(told)
    assert [one["message"] for one in told["findings"]] == [one.message for one in found]
    assert told["passed"] == (told["errors"] == 0)


def test_paths_for_services_count_from_the_top_of_the_repository() -> None:
    context = Context("nescio check", base="manual")
    outside = finding(path="../README.md")
    assert context.path(outside) == "README.md"
    [(_, properties, _)] = annotations(written("github", [outside], context))
    assert properties["file"] == "README.md"
    assert json.loads(written("json", [outside], context))["findings"][0]["path"] == "../README.md"
