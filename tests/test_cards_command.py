"""The `cards` commands, as they are used: screens, JSON, exit codes, and what is said when something is wrong."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from nescio.surfaces import wire
from support.projects import Run

SOURCES = Path(__file__).parent / "golden" / "cards" / "sources"
WIDTH = 80
SKILL = Path("skills/gmailtriage/SKILL.md")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the golden sources, to work in."""
    shutil.copytree(SOURCES, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def told(out: str, schema: str) -> Any:
    value = json.loads(out)
    Draft202012Validator(wire.schema(schema)).validate(value)
    return value


def edit(old: bytes, new: bytes) -> None:
    content = SKILL.read_bytes()
    assert old in content
    SKILL.write_bytes(content.replace(old, new))


def test_a_build_writes_the_cards_and_says_what_is_empty(here: Path, run_here: Run) -> None:
    code, out, err = run_here("cards", "build")
    assert (code, err) == (0, "")
    assert out.startswith("2 cards with 19 facts in cards.\n  written  4\n")
    assert "gmailtriage  troubleshooting" in out
    assert sorted(file.name for file in (here / "cards").iterdir()) == [
        "gmailtriage.json",
        "gmailtriage.md",
        "newsdigest.json",
        "newsdigest.md",
    ]


def test_a_build_tells_programs_the_same(here: Path, run_here: Run) -> None:
    value = told(run_here("cards", "build", "--json")[1], "cards_build")
    assert (value["cards"], value["facts"], len(value["written"])) == (2, 19, 4)
    assert {"card": "gmailtriage", "section": "troubleshooting"} in value["empty"]
    again = told(run_here("cards", "build", "--json")[1], "cards_build")
    assert (again["written"], len(again["unchanged"])) == ([], 4)


def test_a_written_card_keeps_to_the_schema_of_a_shown_one(here: Path, run_here: Run) -> None:
    run_here("cards", "build")
    written = told((here / "cards" / "newsdigest.json").read_text("utf-8"), "cards_show")
    assert told(run_here("cards", "show", "newsdigest", "--json")[1], "cards_show") == written


def test_cards_that_are_as_they_should_be_pass(here: Path, run_here: Run) -> None:
    run_here("cards", "build")
    code, out, err = run_here("cards", "check")
    assert (code, err) == (0, "")
    assert "Checked 2 cards with 19 facts: 2 ok." in out
    code, out, _ = run_here("cards", "check", "--json")
    value = told(out, "cards_check")
    assert (code, value["passed"], value["findings"]) == (0, True, [])
    assert [one["verdict"] for one in value["cards"]] == ["ok", "ok"]


def test_drift_exits_with_1_and_tells_fact_file_line_and_the_command(here: Path, run_here: Run) -> None:
    run_here("cards", "build")
    edit(b"older than an hour", b"older than a day")
    code, out, _ = run_here("cards", "check")
    assert code == 1
    for said in (
        "would-change",
        "skills/gmailtriage/SKILL.md:32",
        "older than an hour",
        "older than a day",
        "nescio cards build",
    ):
        assert said in " ".join(out.split()), said
    code, out, _ = run_here("cards", "check", "--json")
    (finding,) = told(out, "cards_check")["findings"]
    assert (code, finding["kind"], finding["start_line"], finding["fix"]) == (1, "card_changed", 32, "nescio cards build")
    assert run_here("cards", "build")[0] == run_here("cards", "check")[0] == 0


@pytest.mark.parametrize("name", ["github", "sarif", "junit", "gitlab", "markdown"])
def test_drift_is_told_in_every_format(name: str, here: Path, run_here: Run) -> None:
    run_here("cards", "build")
    edit(b"older than an hour", b"older than a day")
    code, out, _ = run_here("cards", "check", "--format", name)
    assert code == 1
    assert "older than a day" in out
    assert run_here("cards", "check", "--format", name, "--out", "told")[0] == 1
    assert Path("told").read_text("utf-8") == out


def test_no_card_at_all_is_never_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_here: Run) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("build", "check", "list"):
        code, out, err = run_here("cards", command)
        assert (code, out) == (2, "")
        assert "[cards-none]" in err


def test_before_the_first_build_every_card_is_missing(here: Path, run_here: Run) -> None:
    code, out, _ = run_here("cards", "check", "--json")
    assert code == 1
    assert [one["verdict"] for one in told(out, "cards_check")["cards"]] == ["missing", "missing"]


def test_the_setup_of_gmailtriage_is_answered_with_file_and_line(here: Path, run_here: Run) -> None:
    code, out, err = run_here("cards", "ask", "how", "do", "I", "set", "up", "gmailtriage")
    assert (code, err) == (0, "")
    assert "To set up gmailtriage, run `gmailtriage auth` once" in out
    assert "skills/gmailtriage/SKILL.md:12\n" in out


def test_an_answer_names_what_apply_refuses(here: Path, run_here: Run) -> None:
    code, out, _ = run_here("cards", "ask", "what does apply refuse", "--limit", "1")
    assert code == 0
    assert "| `apply` | refuses a plan that is older than an hour, or made for another account |" in out
    assert "skills/gmailtriage/SKILL.md:30-31,32" in out


def test_a_refusal_shows_cards_facts_terms_and_floor(here: Path, run_here: Run) -> None:
    question = "what is the retry limit and timeout for this command"
    code, out, _ = run_here("cards", "ask", question)
    assert code == 1
    assert "Searched 2 cards, 19 facts." in out
    for said in ("retry, limit, timeout", "command (2)", "an answer needs 0.50"):
        assert said in out
    code, out, _ = run_here("cards", "ask", question, "--json")
    value = told(out, "cards_ask")
    assert (code, value["status"], value["cards"], value["facts"]) == (1, "refused", 2, 19)
    assert value["result"]["floor"] == 0.5


def test_the_floor_can_be_named(here: Path, run_here: Run) -> None:
    value = told(run_here("cards", "ask", "what does apply refuse", "--floor", "strict", "--json")[1], "cards_ask")
    assert value["result"]["floor"] == 0.65


def test_a_section_is_listed_and_an_empty_one_said_to_be(here: Path, run_here: Run) -> None:
    code, out, _ = run_here("cards", "ask", "what are the commands of gmailtriage")
    assert code == 0
    assert out.split("\n")[:4] == ["gmailtriage", "commands", "gmailtriage plan --since 7d", "  skills/gmailtriage/SKILL.md:19"]
    code, out, _ = run_here("cards", "ask", "troubleshooting of gmailtriage")
    assert (code, out) == (1, "gmailtriage\ntroubleshooting\nNo source for this section.\n")
    value = told(run_here("cards", "ask", "troubleshooting of gmailtriage", "--json")[1], "cards_ask")
    assert (value["section"]["facts"], value["section"]["note"], value["result"]) == ([], "no source for this section", None)


def test_the_list_says_how_much_each_section_has(here: Path, run_here: Run) -> None:
    code, out, _ = run_here("cards", "list")
    assert code == 0
    assert "gmailtriage  skills/gmailtriage\n  setup 2, commands 3, architecture 1, refusals 2, troubleshooting 0" in out
    assert run_here("cards")[1] == out
    value = told(run_here("cards", "list", "--json")[1], "cards_list")
    assert [one["card"] for one in value["cards"]] == ["gmailtriage", "newsdigest"]
    assert told(run_here("cards", "--json")[1], "cards_list") == value


def test_a_card_is_shown_as_it_is_now(here: Path, run_here: Run) -> None:
    code, out, _ = run_here("cards", "show", "GmailTriage")
    assert code == 0
    assert "troubleshooting\nNo source for this section." in out
    assert "--dry-run" in out


def test_a_card_that_is_not_there_is_told(here: Path, run_here: Run) -> None:
    code, _, err = run_here("cards", "show", "other")
    assert code == 2
    assert "[card-not-found]" in err


def test_an_option_before_the_command_is_wrong_use(here: Path, run_here: Run) -> None:
    code, _, err = run_here("cards", "--json", "build")
    assert code == 2
    assert "nescio cards build --json" in err


def test_what_a_terminal_obeys_is_written_out(here: Path, run_here: Run) -> None:
    edit(b"older than an hour", b"older \x1b[31mthan an hour")
    out = run_here("cards", "show", "gmailtriage")[1]
    assert "\x1b" not in out
    assert "\\x1b" in out


@pytest.mark.parametrize(
    "arguments",
    [("build",), ("check",), ("list",), ("ask", "troubleshooting of gmailtriage"), ()],
)
def test_screens_fit_eighty_columns(arguments: tuple[str, ...], here: Path, run_here: Run) -> None:
    out = run_here("cards", *arguments)[1]
    assert max(map(len, out.split("\n"))) <= WIDTH


def test_the_schemas_of_cards_hold_those_that_they_repeat() -> None:
    asked, answer = wire.schema("cards_ask"), wire.schema("answer")
    assert asked["properties"]["result"]["anyOf"][0]["properties"] == answer["properties"]
    assert asked.get("$defs") == answer.get("$defs")
    checked = wire.schema("cards_check")["properties"]
    assert {name: checked[name] for name in wire.schema("findings")["properties"]} == wire.schema("findings")["properties"]
