"""`nescio eval` as its users meet it: the screen, the files that it writes, and when it fails a job."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from nescio.surfaces import wire
from support.projects import Project, Run, command

PAGES = {
    "fruit.md": """# Fruit

## Apples

Apples are kept in the cellar at four degrees, because warm apples go soft within a week.

## Pears

Pears ripen in a paper bag beside a banana, which gives off the ethylene that they need.
""",
    "knives.md": "# Knives\n\nSharpen the bread knife with a ceramic rod, never with a stone.\n",
    "bread.md": "# Bread\n\nThe dough of a rye loaf rests for twelve hours in a covered bowl before it is shaped.\n",
    "cheese.md": "# Cheese\n\nWrap goat cheese in waxed paper and turn the wheels every second day.\n",
    "stove.md": "# Stove\n\nLight the gas burner with a match before the valve is fully open.\n",
    "fish.md": "# Fish\n\nScale a trout under running water, from the tail towards the head.\n",
}
COVERED = (
    ("How are apples kept in the cellar?", "fruit.md", "Apples", "kept in the cellar at four degrees"),
    ("How do pears ripen in a paper bag?", "fruit.md", "Pears", "beside a banana"),
    ("How do I sharpen the bread knife?", "knives.md", "Knives", "with a ceramic rod"),
    ("How long does the dough of a rye loaf rest?", "bread.md", "Bread", "for twelve hours"),
)
# Each has a word that a page has: at a floor of 0 that is enough for an answer.
UNCOVERED = (
    "Which proxy server does the cellar have?",
    "How do I insure a bicycle with a loose valve?",
    "How long does a violin string rest before a concert?",
)
HOSTILE = '<script>alert("1")</script> & \x1b[31m \x00 \u202e'


def lines(cases: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(case) + "\n" for case in cases)


def cases() -> list[dict[str, Any]]:
    covered = [
        {"id": f"c{number}", "question": question, "expect": [{"path": path, "heading": heading, "quote": quote}]}
        for number, (question, path, heading, quote) in enumerate(COVERED, 1)
    ]
    uncovered = [
        {"id": f"u{number}", "question": question, "answerable": False} for number, question in enumerate(UNCOVERED, 1)
    ]
    return [*covered, *uncovered]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """docs/ with its index and a question file."""
    project = Project(tmp_path_factory.mktemp("kitchen")).write_all(PAGES)
    project.build()
    (project.root / "questions.jsonl").write_text(lines(cases()), encoding="utf-8")
    return project.root


@pytest.fixture
def kitchen(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it as the working directory."""
    root = tmp_path / "kitchen"
    shutil.copytree(built, root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(kitchen: Path, run_here: Run) -> Run:
    """Runs a command there."""
    return run_here


def measured(run: Run, *arguments: str) -> Any:
    """The JSON, checked against its schema."""
    _, out, _ = run("eval", *arguments, "--json")
    value = json.loads(out)
    Draft202012Validator(wire.schema("eval")).validate(value)
    return value


def failed(value: Any) -> list[str]:
    return [check["name"] for check in value["checks"] if not check["passed"]]


# The gate


def test_a_good_engine_passes(run: Run) -> None:
    code, out, err = run("eval", "questions.jsonl")
    assert (code, err) == (0, "")
    assert out.endswith("\nPassed.\n")


def test_the_index_is_built_first_where_there_is_none(kitchen: Path, run: Run) -> None:
    shutil.rmtree(kitchen / ".nescio")
    code, _, err = run("eval", "questions.jsonl", "--json")
    assert code == 0
    assert err.startswith("Building the index of docs/ ...\n")


def test_an_engine_that_always_answers_fails(run: Run) -> None:
    value = measured(run, "questions.jsonl", "--floor", "0")
    assert run("eval", "questions.jsonl", "--floor", "0")[0] == 1
    assert failed(value) == ["max_wrong"]
    assert value["passed"] is False


def test_an_engine_that_always_refuses_fails(run: Run) -> None:
    code, out, _ = run("eval", "questions.jsonl", "--floor", "1")
    assert code == 1
    assert "Refused, though covered       100.0 %" in out
    assert "Failed: 1 of 3 checks.\n" in out
    assert failed(measured(run, "questions.jsonl", "--floor", "1")) == ["max_refused"]


@pytest.mark.parametrize(
    ("limit", "check"), [("--max-wrong", "max_wrong"), ("--max-refused", "max_refused"), ("--min-answered", "min_answered")]
)
def test_a_limit_of_the_user_s_is_a_check(limit: str, check: str, run: Run) -> None:
    floor, strict, mild = {
        "max_wrong": ("0", "0.4", "1"),
        "max_refused": ("1", "0.4", "1"),
        "min_answered": ("1", "0.4", "0"),
    }[check]
    assert check in failed(measured(run, "questions.jsonl", "--floor", floor, limit, strict))
    assert check not in failed(measured(run, "questions.jsonl", "--floor", floor, limit, mild))


@pytest.mark.parametrize("share", ["1.01", "-0.1", "nan", "many"])
def test_a_limit_that_is_no_share_is_wrong_use(share: str, run: Run) -> None:
    code, out, err = run("eval", "questions.jsonl", "--max-wrong", share, "--json")
    assert (code, out) == (2, "")
    assert json.loads(err)["error"]["code"] == "usage"


def test_a_file_with_one_sort_of_question_fails(kitchen: Path, run: Run) -> None:
    (kitchen / "one.txt").write_text("How are apples kept in the cellar?\n", encoding="utf-8")
    assert failed(measured(run, "one.txt")) == ["both_sorts"]


def test_no_worse_than_the_baseline_passes(kitchen: Path, run: Run) -> None:
    _, out, _ = run("eval", "questions.jsonl", "--json")
    (kitchen / "baseline.json").write_text(out, encoding="utf-8")
    code, _, _ = run("eval", "questions.jsonl", "--baseline", "baseline.json")
    assert code == 0


def test_worse_than_the_baseline_fails_and_better_passes(kitchen: Path, run: Run) -> None:
    _, good, _ = run("eval", "questions.jsonl", "--json")
    _, bad, _ = run("eval", "questions.jsonl", "--floor", "1", "--json")
    (kitchen / "good.json").write_text(good, encoding="utf-8")
    (kitchen / "bad.json").write_text(bad, encoding="utf-8")
    worse = measured(run, "questions.jsonl", "--floor", "1", "--max-refused", "1", "--baseline", "good.json")
    assert failed(worse) == ["baseline_wrongly_refused"]
    assert "c1" in next(check["sentence"] for check in worse["checks"] if not check["passed"])
    assert failed(measured(run, "questions.jsonl", "--baseline", "bad.json")) == []


# What is told


def test_the_json_tells_every_figure_of_a_good_engine(run: Run) -> None:
    value = measured(run, "questions.jsonl")
    figures = value["figures"]
    assert figures["wrongly_answered"] | {"high": None} == {"hits": 0, "of": 3, "share": 0.0, "low": 0.0, "high": None}
    assert figures["wrongly_refused"]["hits"] == 0
    assert figures["page_at"]["1"]["share"] == 1.0
    assert figures["section_at"]["5"]["share"] == 1.0
    assert figures["quote_held"]["share"] == 1.0
    assert figures["quote_overlap"] == 1.0
    assert figures["exact_citations"]["share"] == 1.0
    assert figures["auroc"]["value"] == 1.0
    assert figures["risk_coverage"][-1]["coverage"] == 1.0
    assert sum(one["count"] for one in figures["calibration"]["bins"]) == 7
    assert (value["documents"], value["file"], value["floor"]) == (6, "questions.jsonl", 0.5)
    assert [case["verdict"] for case in value["cases"]] == ["answered"] * 4 + ["refused"] * 3
    assert {case["why"] for case in value["cases"]} == {None}
    assert value["cases"][0]["pages"] == ["fruit.md"]


def test_the_same_evaluation_prints_the_same_bytes(kitchen: Path, run: Run) -> None:
    told = [run("eval", "questions.jsonl", "--json", "--html", "r.html", "--junit", "r.xml")[1] for _ in range(2)]
    first = (kitchen / "r.html").read_bytes(), (kitchen / "r.xml").read_bytes()
    run("eval", "questions.jsonl", "--html", "r.html", "--junit", "r.xml")
    assert told[0] == told[1]
    assert first == ((kitchen / "r.html").read_bytes(), (kitchen / "r.xml").read_bytes())


def test_each_wrong_case_is_told_with_its_line_and_why(run: Run) -> None:
    _, out, _ = run("eval", "questions.jsonl", "--floor", "1")
    assert "\nRefused, though covered: 4\n" in out
    shown = out.partition("questions.jsonl:3  How do I sharpen the bread knife?\n")[2]
    assert shown.startswith("    Refused (below_floor)")
    assert "knives.md" in shown.partition("\n")[0]
    assert "terms:" not in out


def test_an_answer_from_another_page_is_told_as_such(kitchen: Path, run: Run) -> None:
    case = {"question": COVERED[2][0], "expect": [{"path": "fish.md"}]}
    (kitchen / "other.jsonl").write_text(lines([case, *cases()]), encoding="utf-8")
    _, out, _ = run("eval", "other.jsonl")
    assert "Answered, but from no page that the file names: 1" in out
    assert measured(run, "other.jsonl")["cases"][0]["verdict"] == "wrong_page"


def test_explain_adds_terms_and_scores_of_the_wrong_cases(run: Run) -> None:
    _, out, _ = run("eval", "questions.jsonl", "--floor", "1", "--explain")
    assert "    terms: " in out
    assert re.search(r"^ {8}base \d\.\d{3} {3}passage ", out, re.MULTILINE)
    value = measured(run, "questions.jsonl", "--floor", "1", "--explain")
    working = [case["working"] for case in value["cases"]]
    assert all(one["terms"] and one["hits"] for one in working[:4])
    assert working[4:] == [None] * 3
    assert {case["working"] for case in measured(run, "questions.jsonl", "--floor", "1")["cases"]} == {None}


def test_the_tables_fit_eighty_columns(run: Run) -> None:
    _, out, _ = run("eval", "questions.jsonl", "--floor", "0")
    tables = out.partition("\nAnswered, though not covered:")[0]
    assert max(map(len, tables.split("\n"))) <= 80
    assert not any(row.endswith(" ") for row in out.split("\n"))


def test_a_question_that_cannot_be_asked_is_told_and_stops_nothing(kitchen: Path, run: Run) -> None:
    case = {"id": "long", "question": "apples " * 5_000}
    (kitchen / "long.jsonl").write_text(lines([*cases(), case]), encoding="utf-8")
    value = measured(run, "long.jsonl", "--junit", "r.xml", "--html", "r.html", "--explain")
    assert value["figures"]["faults"] == 1
    assert value["cases"][-1]["fault"] == "question-too-long"
    assert ET.parse(kitchen / "r.xml").getroot().get("errors") == "1"
    _, out, _ = run("eval", "long.jsonl", "--explain")
    assert "1 question could not be asked." in out
    assert max(map(len, out.split("\n"))) < 1_000


@pytest.mark.parametrize("name", ["plain.txt", "list.json", "list.yaml"])
def test_other_kinds_of_question_files_are_read(name: str, kitchen: Path, run: Run) -> None:
    plain = [question for question, *_ in COVERED] + [f"! {question}" for question in UNCOVERED]
    text = "# a comment\n" + "\n".join(plain) + "\n" if name == "plain.txt" else json.dumps(plain)
    (kitchen / name).write_text(text, encoding="utf-8")
    code, out, _ = run("eval", name, "--html", "r.html", "--floor", "0")
    assert code == 1
    assert "Right page first" in out
    place = "plain.txt:6  " if name == "plain.txt" else f"{name}, entry 5  "
    assert place + UNCOVERED[0] in out
    assert measured(run, name)["figures"]["page_at"]["1"] == {"hits": 0, "of": 0, "share": None, "low": None, "high": None}


# Faults and the command line


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nowhere.jsonl"], "questions-not-found"),
        (["docs"], "questions-not-found"),
        (["questions.jsonl", "--baseline", "nowhere.json"], "baseline-not-found"),
        (["questions.jsonl", "--baseline", "questions.jsonl"], "baseline-syntax"),
        (["questions.jsonl", "more.jsonl"], "usage"),
        ([], "usage"),
    ],
)
def test_what_cannot_be_done_is_a_fault(arguments: list[str], code: str, run: Run) -> None:
    exit_code, out, err = run("eval", *arguments, "--json")
    assert (exit_code, out) == (2, "")
    assert json.loads(err.strip().split("\n")[-1])["error"]["code"] == code


def test_options_may_stand_before_the_file(run: Run) -> None:
    assert run("eval", "--floor", "1", "questions.jsonl")[0] == 1


def test_help_shows_both_uses_in_eighty_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, own, _ = run("eval", "--help")
    _, below, _ = run("eval", "draft", "--help")
    assert own.startswith("Usage: nescio eval [OPTIONS] ")
    assert "nescio eval draft" in own
    assert below.startswith("Usage: nescio eval draft [OPTIONS]\n")
    assert max(map(len, (own + below).split("\n"))) <= 80


def test_a_report_that_cannot_be_written_fails_and_leaves_nothing_half(kitchen: Path, run: Run) -> None:
    (kitchen / "there").mkdir()
    code, out, err = run("eval", "questions.jsonl", "--html", "there/", "--json")
    assert (code, out) == (5, "")
    assert json.loads(err.strip().split("\n")[-1])["error"]["code"] == "io-error"
    run("eval", "questions.jsonl", "--html", "new/report.html", "--junit", "new/report.xml")
    assert sorted(path.name for path in (kitchen / "new").iterdir()) == ["report.html", "report.xml"]


def test_the_real_command_exits_with_one_when_a_check_fails(kitchen: Path) -> None:
    assert command(kitchen, "eval", "questions.jsonl").returncode == 0
    done = command(kitchen, "eval", "questions.jsonl", "--floor", "0")
    assert done.returncode == 1
    assert "Failed: 1 of 3 checks." in done.stdout


# JUnit XML


def test_build_servers_see_every_question_and_every_check(kitchen: Path, run: Run) -> None:
    run("eval", "questions.jsonl", "--floor", "1", "--junit", "r.xml")
    root = ET.parse(kitchen / "r.xml").getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["covered", "not covered", "checks"]
    assert {name: (suite.get("tests"), suite.get("failures")) for name, suite in suites.items()} == {
        "covered": ("4", "4"),
        "not covered": ("3", "0"),
        "checks": ("3", "1"),
    }
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("10", "5", "0")
    case = suites["covered"][0]
    assert (case.get("classname"), case.get("name")) == ("questions.jsonl", f"c1: {COVERED[0][0]}")
    assert (case.get("file"), case.get("line")) == ("questions.jsonl", "1")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "wrongly_refused"
    assert "Refused (below_floor)" in (failure.text or "")


def test_what_no_xml_may_hold_is_shown_otherwise(kitchen: Path, run: Run) -> None:
    hostile = {"question": HOSTILE + "\ufffe\ud800 apples cellar", "answerable": False}
    (kitchen / "hostile.jsonl").write_text(lines([hostile]), encoding="utf-8")
    run("eval", "hostile.jsonl", "--floor", "0", "--junit", "r.xml")
    name = ET.parse(kitchen / "r.xml").getroot().find(".//testcase").get("name")  # type: ignore[union-attr]
    assert name is not None
    assert '<script>alert("1")</script> &' in name
    assert "\\x00" in name
    assert "\ufffd\\ud800 apples cellar" in name


# The report


class Page(HTMLParser):
    """Every element with its attributes, and whether all were closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag == name]


@pytest.fixture
def report(kitchen: Path, run: Run) -> Page:
    """The report on questions of which one is hostile, and everything is answered."""
    hostile = {"question": f"{HOSTILE} apples cellar", "answerable": False}
    (kitchen / "mixed.jsonl").write_text(lines([*cases(), hostile]), encoding="utf-8")
    run("eval", "mixed.jsonl", "--floor", "0", "--html", "r.html")
    return Page((kitchen / "r.html").read_text(encoding="utf-8"))


def test_the_report_runs_nothing_and_fetches_nothing(kitchen: Path, report: Page) -> None:
    names = {name for name, _ in report.elements}
    assert names & {"script", "link", "img", "iframe", "object", "embed", "form", "a", "image", "use", "base"} == set()
    attributes = {key for _, found in report.elements for key in found}
    assert not {key for key in attributes if key.startswith("on")} | attributes & {"src", "href", "xlink:href", "style"}
    text = (kitchen / "r.html").read_text(encoding="utf-8")
    assert re.findall(r"\w+://|url\(|@import", text) == []
    policies = [found["content"] for found in report.named("meta") if found.get("http-equiv") == "Content-Security-Policy"]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]


def test_a_hostile_question_is_shown_and_not_obeyed(kitchen: Path, report: Page) -> None:
    text = (kitchen / "r.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
    assert any('<script>alert("1")</script> & \\x1b[31m \\x00 \\u202e apples cellar' in shown for shown in report.texts)


def test_the_report_is_well_formed_and_can_be_read_aloud(report: Page) -> None:
    assert report.open == []
    names = [name for name, _ in report.elements]
    plots = [found for found in report.named("svg") if found.get("role") == "img"]
    assert len(plots) == 3
    ids = {found["id"] for _, found in report.elements if found.get("id")}
    assert all(set((found["aria-labelledby"] or "").split()) <= ids for found in plots)
    assert all(found.get("aria-hidden") == "true" for found in report.named("svg") if found not in plots)
    assert names.count("table") == names.count("caption")
    assert all(found.get("scope") in ("row", "col") for found in report.named("th"))
    assert report.named("html") == [{"lang": "en"}]


def test_the_report_tells_the_errors_the_checks_and_each_wrong_case(report: Page) -> None:
    shown = " ".join(report.texts)
    assert "Failed: 1 of 3 checks" in shown
    assert "4 of 4; true rate 51.0 to 100.0 % (95 %)" in shown
    assert all(question in shown for question in UNCOVERED)
    assert "There are none." not in shown


def test_a_report_without_wrong_cases_or_without_a_sort_is_whole(kitchen: Path, run: Run) -> None:
    run("eval", "questions.jsonl", "--html", "r.html")
    assert "There are none." in (kitchen / "r.html").read_text(encoding="utf-8")
    (kitchen / "one.txt").write_text(f"! {UNCOVERED[0]}\n", encoding="utf-8")
    run("eval", "one.txt", "--html", "r.html")
    page = Page((kitchen / "r.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert "The file has no such question." in page.texts
