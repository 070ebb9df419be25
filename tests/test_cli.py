"""The command line as its users meet it: what stands on which stream, the exit codes, and no traceback, whatever comes in."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from nescio.errors import InternalFault
from nescio.surfaces import wire
from nescio.surfaces.cli import ending, workspace
from nescio.surfaces.cli.main import app
from nescio.surfaces.cli.workspace import Named
from support.projects import Run

FRUIT = """# Fruit

How the kitchen keeps its fruit.

## Apples

Apples are kept in the cellar at four degrees, because warm apples go soft within a week.

## Pears

Pears ripen in a paper bag beside a banana, which gives off the ethylene that they need.

```python
\tdef ripen(pear):
\t    return pear.in_bag()
```
"""
MARKS = "# Marks\n\nThe 🤝 icon marks a shared page — 共有.\n\nA \x1b[31mred\u202e word stands here.\n"
TOOLS = "# Tools\n\nSharpen the bread knife with a rod, never with a stone.\n\n## Ladle\n\nThe ladle hangs on the left hook.\n"


@pytest.fixture
def project(tmp_path: Path, bare_environment: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with docs/, which is the working directory, and an environment without settings of ours."""
    docs = tmp_path / "docs"
    (docs / "kitchen").mkdir(parents=True)
    (docs / "kitchen" / "fruit.md").write_text(FRUIT, encoding="utf-8")
    (docs / "kitchen" / "tools.md").write_text(TOOLS, encoding="utf-8")
    (docs / "marks.md").write_text(MARKS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(project: Path, run_here: Run) -> Run:
    """Runs a command there."""
    return run_here


def process(project: Path, *arguments: str, data: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the real command in a process of its own, with pipes for all three streams."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("NESCIO_", "PYTHONIO"))}
    return subprocess.run(
        [sys.executable, "-m", "nescio", *arguments],
        cwd=project,
        env={**surroundings, **environment},
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
    )


def validated(name: str, printed: str) -> Any:
    value = json.loads(printed)
    Draft202012Validator(wire.schema(name)).validate(value)
    return value


def commands() -> dict[str, Any]:
    return dict(typer.main.get_group(app).commands)


COMMANDS = (
    "ask",
    "build",
    "calibrate",
    "cards",
    "check",
    "chunk",
    "cite",
    "config",
    "eval",
    "gaps",
    "init",
    "llms",
    "mcp",
    "search",
    "secrets",
    "serve",
    "show",
    "status",
    "verify",
)
NO_JSON = ("mcp", "secrets", "serve")  # that print no result, or have commands below them that do
NO_INDEX = ("cards", "chunk", "cite", "gaps", "verify")  # commands that need none


# Help and options


def test_the_commands_are_these() -> None:
    assert sorted(commands()) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_a_help_text(name: str) -> None:
    command = commands()[name]
    assert command.help
    for parameter in command.params:
        assert parameter.help, parameter.name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_json_and_an_index_folder(name: str) -> None:
    options = {option for parameter in commands()[name].params for option in parameter.opts}
    needed = {"--json"} | ({"--index"} if name not in NO_INDEX else set())
    assert name in NO_JSON or needed <= options


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_eighty_columns(name: str, flag: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run(*filter(None, [name]), flag)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: nescio")
    assert max(map(len, out.split("\n"))) <= 80


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    code, out, _ = run()
    assert code == 0
    assert "ask" in out


def test_the_version_is_printed(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert out.startswith("nescio ")


@pytest.mark.parametrize(
    "arguments", [("asks", "x"), ("ask",), ("ask", "x", "--jsno"), ("ask", "x", "--limit", "0"), ("show",)]
)
def test_a_wrong_command_line_exits_with_2_and_says_how(arguments: tuple[str, ...], run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert "--help" in err


def test_with_json_even_a_wrong_command_line_is_told_as_json(run: Run) -> None:
    code, out, err = run("ask", "--json", "--nope", "x")
    assert (code, out) == (2, "")
    assert validated("fault", err)["error"]["code"] == "usage"


def test_importing_the_command_line_loads_nothing_heavy(project: Path) -> None:
    script = "import sys, nescio.surfaces.cli.main; print(sorted({'rich', 'pydantic', 'tantivy', 'yaml'} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, timeout=60).stdout
    assert printed.strip() == b"[]"


# Asking


def test_an_answer_is_the_quote_with_its_place_and_exits_with_0(run: Run) -> None:
    code, out, err = run("ask", "where are apples kept?")
    assert code == 0
    assert "Apples are kept in the cellar at four degrees, because warm apples go soft within a week.\n" in out
    assert "kitchen/fruit.md:7" in out
    assert "Confidence" in out
    assert "\x1b" not in out
    assert "Building the index of docs/" in err


def test_the_index_is_built_only_when_there_is_none(run: Run) -> None:
    run("ask", "where are apples kept?")
    code, _, err = run("ask", "where are apples kept?")
    assert (code, err) == (0, "")


def test_an_index_that_is_named_and_not_there_is_a_fault_and_is_not_built(run: Run, project: Path) -> None:
    code, out, err = run("ask", "--index", "elsewhere", "how long are backups kept", "--json")
    assert (code, out, json.loads(err)["error"]["code"]) == (2, "", "no-index")
    assert not (project / "elsewhere").exists()


def test_words_need_no_quotes(run: Run) -> None:
    assert run("ask", "where", "are", "apples", "kept")[1] == run("ask", "where are apples kept")[1]


def test_code_keeps_its_indentation(run: Run) -> None:
    _, out, _ = run("ask", "how do pears ripen in a paper bag")
    assert "\tdef ripen(pear):\n\t    return pear.in_bag()\n" in out


def test_a_refusal_says_so_first_shows_what_was_searched_and_exits_with_1(run: Run) -> None:
    code, out, _ = run("ask", "what is quantum chromodynamics")
    assert code == 1
    assert out.startswith("The documentation does not cover this")
    assert "Searched 3 documents" in out
    assert "quantum" in out


def test_json_of_an_answer_and_of_a_refusal_keeps_to_the_schema(run: Run) -> None:
    code, out, _ = run("ask", "where are apples kept?", "--json")
    answer = validated("answer", out)
    assert (code, answer["status"], answer["quotes"][0]["path"]) == (0, "answered", "kitchen/fruit.md")
    code, out, _ = run("ask", "what is quantum chromodynamics", "--json")
    refusal = validated("answer", out)
    assert (code, refusal["status"], refusal["quotes"]) == (1, "refused", [])


def test_the_quote_of_the_json_is_the_bytes_of_the_file(run: Run, project: Path) -> None:
    _, out, _ = run("ask", "where are apples kept?", "--json")
    quote = json.loads(out)["quotes"][0]
    stored = (project / "docs" / quote["path"]).read_bytes()
    assert "".join(stored[span["start_byte"] : span["end_byte"]].decode() for span in quote["spans"]) == quote["text"]


def test_control_characters_are_shown_to_people_and_exact_in_json(run: Run) -> None:
    question = "which word stands here"
    _, out, _ = run("ask", question)
    assert "\\x1b[31mred\\u202e word" in out
    _, out, _ = run("ask", question, "--json")
    assert "\x1b[31mred\u202e word" in json.loads(out)["quotes"][0]["text"]


def test_explain_shows_terms_weights_and_scores(run: Run) -> None:
    code, out, _ = run("ask", "where are apples kept?", "--explain")
    assert code == 0
    assert "How it was found" in out
    assert "weight" in out
    _, out, _ = run("ask", "where are apples kept?", "--explain", "--json")
    explanation = validated("answer", out)["explanation"]
    assert explanation["hits"]
    assert {term["kind"] for term in explanation["terms"]} <= {"content", "part", "stop", "unknown", "corrected", "expansion"}


def test_a_floor_from_the_command_line_is_in_force(run: Run) -> None:
    code, out, _ = run("ask", "where are apples kept?", "--floor", "1", "--json")
    assert code in (0, 1)
    assert json.loads(out)["floor"] == 1


def test_under_searches_only_there(run: Run) -> None:
    code, out, _ = run("ask", "where are apples kept?", "--under", "kitchen", "--json")
    assert (code, json.loads(out)["quotes"][0]["path"]) == (0, "kitchen/fruit.md")
    assert run("ask", "which icon marks a shared page", "--under", "kitchen")[0] == 1


def test_a_limit_is_kept_to(run: Run) -> None:
    _, out, _ = run("ask", "apples and pears", "--limit", "1", "--json")
    assert len(json.loads(out)["quotes"]) <= 1


def test_named_folders_are_built_first(run: Run, project: Path) -> None:
    (project / "other").mkdir()
    (project / "other" / "a.md").write_text("# Boats\n\nThe red boat leaves the harbour at noon.\n", encoding="utf-8")
    code, out, err = run("ask", "when does the red boat leave the harbour", "--docs", "other", "--index", "boats")
    assert code == 0
    assert "The red boat leaves the harbour at noon." in out
    assert "Building the index of other/" in err
    assert (project / "boats").is_dir()
    assert not (project / ".nescio").exists()


def test_the_index_folder_may_come_from_the_environment(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESCIO_INDEX", "elsewhere")
    assert run("ask", "where are apples kept?")[0] == 0
    assert (project / "elsewhere").is_dir()
    assert not (project / ".nescio").exists()


@pytest.mark.parametrize("question", ["", "   ", "what is it", "?!", "[bold]", "\x00\x1b[2J"])
def test_a_question_with_nothing_to_search_for_is_refused(question: str, run: Run) -> None:
    code, out, err = run("ask", question, "--json")
    assert code == 1
    assert validated("answer", out)["status"] == "refused"
    assert "Error" not in err
    assert "\x1b" not in run("ask", question)[1]


def test_a_question_that_is_too_long_is_a_fault(run: Run) -> None:
    code, out, err = run("ask", "apples " * 20_000)
    assert (code, out) == (2, "")
    assert "Error: " in err


# Many questions


def test_each_line_gets_one_line_of_json_in_order(project: Path) -> None:
    questions = "where are apples kept?\nwhat is quantum chromodynamics\r\n\nhow do pears ripen in a paper bag"
    done = process(project, "ask", "-", "--jsonl", data=questions.encode())
    assert done.returncode == 0
    answers = [validated("answer", row) for row in done.stdout.decode().rstrip("\n").split("\n")]
    assert [answer["status"] for answer in answers] == ["answered", "refused", "refused", "answered"]
    assert [answer["question"] for answer in answers[:2]] == ["where are apples kept?", "what is quantum chromodynamics"]
    assert answers[2]["reason"] == "question_empty"


def test_a_line_that_cannot_be_asked_has_its_error_in_its_place(project: Path) -> None:
    done = process(project, "ask", "-", "--jsonl", data=b"apples " * 20_000 + b"\nwhere are apples kept?\n")
    rows = [json.loads(row) for row in done.stdout.decode().rstrip("\n").split("\n")]
    assert done.returncode == 2
    assert set(rows[0]) == {"error"}
    assert rows[1]["status"] == "answered"


def test_many_questions_as_json_are_one_array(project: Path) -> None:
    done = process(project, "ask", "-", "--json", data=b"where are apples kept?\nwhat is quantum chromodynamics\n")
    assert [answer["status"] for answer in json.loads(done.stdout)] == ["answered", "refused"]


def test_no_question_at_all_is_no_error(project: Path) -> None:
    done = process(project, "ask", "-", "--jsonl")
    assert (done.returncode, done.stdout) == (0, b"")


def test_bytes_that_are_no_text_are_told_not_tripped_over(project: Path) -> None:
    done = process(project, "ask", "-", "--jsonl", data=b"\xff\xfe\x00apples\nwhere are apples kept?\n")
    rows = [json.loads(row) for row in done.stdout.decode("utf-8").rstrip("\n").split("\n")]
    assert len(rows) == 2
    assert rows[1]["status"] == "answered"
    assert b"Traceback" not in done.stderr


# Building, searching, showing


def test_a_build_says_what_it_did_and_the_next_one_reads_nothing(run: Run) -> None:
    code, out, _ = run("build")
    assert code == 0
    assert out.startswith("Indexed 3 files, ")
    assert "3 added" in out
    code, out, _ = run("build", "--json")
    report = validated("build", out)
    assert (code, report["files"], report["unchanged"], report["added"]) == (0, 3, 3, 0)


def test_a_file_that_cannot_be_read_is_reported_and_the_rest_is_built(run: Run, project: Path) -> None:
    (project / "docs" / "bad.md").write_bytes(b"# Bad\n\xff\xfa\n")
    code, out, err = run("build")
    assert code == 3
    assert "bad.md" in out
    assert "--allow-skips" in err
    assert run("ask", "where are apples kept?")[0] == 0
    assert run("build", "--allow-skips")[0] == 0
    code, out, _ = run("build", "--json")
    assert (code, [notice["path"] for notice in validated("build", out)["skipped"]]) == (3, ["docs/bad.md"])


def test_a_folder_can_be_named(run: Run) -> None:
    code, out, _ = run("build", "docs/kitchen", "--json")
    assert (code, json.loads(out)["files"]) == (0, 2)


def test_a_search_is_marked_as_no_answer(run: Run) -> None:
    code, out, _ = run("search", "apples pears")
    assert code == 0
    assert out.startswith("Ranked passages, no floor applied")
    assert "kitchen/fruit.md:" in out
    code, out, _ = run("search", "apples pears", "--limit", "1", "--json")
    found = validated("search", out)
    assert (found["floor_applied"], len(found["hits"]), found["hits"][0]["rank"]) == (False, 1, 1)


def test_a_passage_is_shown_by_its_id_until_the_file_is_edited(run: Run, project: Path) -> None:
    _, out, _ = run("ask", "where are apples kept?", "--json")
    passage_id = json.loads(out)["quotes"][0]["passage_id"]
    code, out, _ = run("show", passage_id)
    assert code == 0
    assert "Apples are kept in the cellar" in out
    assert validated("show", run("show", passage_id, "--json")[1])["passage_id"] == passage_id
    (project / "docs" / "kitchen" / "fruit.md").write_text(FRUIT + "\nNew.\n", encoding="utf-8")
    run("build")
    code, out, err = run("show", passage_id)
    assert (code, out) == (2, "")
    assert "passage-not-found" in err


def test_the_status_tells_whether_the_index_is_up_to_date(run: Run, project: Path) -> None:
    run("build")
    code, out, _ = run("status")
    assert code == 0
    assert "unchanged since" in out
    (project / "docs" / "marks.md").write_text(MARKS + "\nMore.\n", encoding="utf-8")
    (project / "docs" / "kitchen" / "tools.md").unlink()
    code, out, _ = run("status", "--json")
    source = validated("status", out)["sources"][0]
    assert (source["changed"], source["missing"]) == (1, 1)
    assert "nescio build" in run("status")[1]


@pytest.mark.parametrize("arguments", [("show", "a" * 26), ("status",)])
def test_without_an_index_the_fault_says_what_to_do(arguments: tuple[str, ...], run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "no-index" in err
    assert "nescio build" in err
    code, _, err = run(*arguments, "--json")
    assert validated("fault", err)["error"]["code"] == "no-index"


# Configuration


def test_init_writes_a_file_that_config_reads(run: Run, project: Path) -> None:
    code, out, _ = run("init")
    assert code == 0
    assert "nescio.toml" in out
    code, out, _ = run("config", "--json")
    shown = validated("config", out)
    assert code == 0
    assert shown["file"] == str(project / "nescio.toml")
    assert shown["index"] == str(project / ".nescio")


def test_init_replaces_nothing_unless_forced(run: Run, project: Path) -> None:
    (project / "nescio.toml").write_text("floor = 0.9\n", encoding="utf-8")
    code, _, err = run("init")
    assert code == 2
    assert "config-exists" in err
    assert (project / "nescio.toml").read_text("utf-8") == "floor = 0.9\n"
    assert run("init", "--force")[0] == 0
    code, out, _ = run("init", "fresh", "--json")
    assert (code, validated("init", out)["written"]) == (0, str(Path("fresh", "nescio.toml")))


def test_config_shows_every_value_with_its_origin(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "nescio.toml").write_text("floor = 0.9\n", encoding="utf-8")
    monkeypatch.setenv("NESCIO_LIMIT", "2")
    _, out, _ = run("config", "--json")
    shown = {setting["key"]: (setting["value"], setting["origin"]) for setting in json.loads(out)["settings"]}
    assert shown["floor"][0] == 0.9
    assert "nescio.toml" in shown["floor"][1]
    assert shown["limit"][0] == 2
    assert "NESCIO_LIMIT" in shown["limit"][1]
    assert shown["limits.max_question_characters"] == (2000, "default")
    _, out, _ = run("config")
    assert "floor = 0.9" in out


def test_a_configuration_file_can_be_named(run: Run, project: Path) -> None:
    (project / "etc").mkdir()
    (project / "etc" / "own.toml").write_text("floor = 0.25\n", encoding="utf-8")
    code, out, _ = run("config", "--config", "etc/own.toml", "--json")
    assert code == 0
    assert next(setting["value"] for setting in json.loads(out)["settings"] if setting["key"] == "floor") == 0.25


@pytest.mark.parametrize("text", ["flor = 0.9\n", "floor = [\n", "floor = 'high'\n"])
def test_a_wrong_configuration_is_told_with_exit_2(text: str, run: Run, project: Path) -> None:
    (project / "nescio.toml").write_text(text, encoding="utf-8")
    code, out, err = run("ask", "where are apples kept?")
    assert (code, out) == (2, "")
    assert "nescio.toml" in err


def test_without_documentation_the_fault_says_what_to_do(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "empty").mkdir()
    monkeypatch.chdir(project / "empty")
    code, out, err = run("ask", "where are apples kept?")
    assert (code, out) == (2, "")
    assert "docs" in err


# Streams, encodings, ends


def test_a_console_of_another_code_page_stops_nothing(project: Path) -> None:
    done = process(project, "ask", "What does the 🤝 icon mark?", PYTHONIOENCODING="cp1252")
    assert done.returncode == 0
    assert "marks a shared page \N{EM DASH} \\u5171\\u6709.".encode("cp1252") in done.stdout
    done = process(project, "ask", "What does the 🤝 icon mark?", "--json", PYTHONIOENCODING="cp1252")
    assert "The 🤝 icon marks a shared page — 共有." in json.loads(done.stdout.decode("utf-8"))["quotes"][0]["text"]


def test_output_to_a_pipe_is_plain(project: Path) -> None:
    done = process(project, "build", TERM="xterm-256color", FORCE_COLOR="1")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr
    done = process(project, "ask", "where are apples kept?", TERM="xterm-256color", COLUMNS="20")
    assert b"\x1b" not in done.stdout
    assert b"because warm apples go soft within a week.\n" in done.stdout


def test_a_reader_that_leaves_early_is_no_error(project: Path) -> None:
    process(project, "build")
    script = f"{sys.executable} -m nescio ask - --jsonl | head -n 1"
    questions = b"where are apples kept?\n" * 2000
    done = subprocess.run(script, shell=True, cwd=project, input=questions, capture_output=True, timeout=60, check=False)
    assert len(done.stdout.split(b"\n")) == 2
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_the_output_is_a_fault(project: Path) -> None:
    process(project, "build")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "nescio", "status", "--json"],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 5
    assert validated("fault", done.stderr.decode())["error"]["code"] == "output-failed"


def test_an_index_path_that_is_a_file_is_told(run: Run, project: Path) -> None:
    (project / "file").write_text("not an index", encoding="utf-8")
    code, out, err = run("ask", "where are apples kept?", "--index", "file")
    assert code in (2, 5)
    assert out == ""
    assert "Error: " in err


def test_what_nobody_expected_exits_with_70_and_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    broken = typer.Typer()

    @broken.command()
    def fail() -> None:
        raise ValueError("a promise\x1b was broken")

    assert ending.finish(broken, []) == 70
    written = capfd.readouterr().err
    assert "[internal-error]" in written
    assert "a promise\\x1b was broken" in written
    assert "Traceback" not in written


def test_a_traceback_is_there_for_those_who_ask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESCIO_DEBUG", "1")
    broken = typer.Typer()

    @broken.command()
    def fail() -> None:
        raise InternalFault("quote-changed", "The hash is another.")

    assert ending.finish(broken, []) == 70
    assert "Traceback" in capfd.readouterr().err


def test_ctrl_c_exits_with_130(capfd: pytest.CaptureFixture[str]) -> None:
    stopped = typer.Typer()

    @stopped.command()
    def stop() -> None:
        raise KeyboardInterrupt

    assert ending.finish(stopped, []) == 130
    assert "Interrupted" in capfd.readouterr().err


def test_the_index_lies_beside_the_configuration(project: Path) -> None:
    (project / "nescio.toml").write_text("", encoding="utf-8")
    os.chdir(project / "docs")
    assert workspace.find(Named(), needs_docs=False).index == project / ".nescio"
    assert workspace.find(Named(index=Path("here")), needs_docs=False).index == Path("here")
