"""Refused questions: none is kept unless asked for, no word of it when hashed, nothing is lost, and the groups are right."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.domain.answers import Reason, Refusal, Related, Searched
from nescio.errors import UsageFault
from nescio.evaluate.gaps.additions import addition, question_id
from nescio.evaluate.gaps.groups import GapKind, GapReport, gaps
from nescio.evaluate.gaps.log import DAY, HEADER, GapLog, Kept
from nescio.evaluate.gaps.logged import HASH_LENGTH, NO_GAP, Logged, Mode, Near, decoded, encoded, logged, normalised
from nescio.evaluate.questions.reading import read_cases
from nescio.surfaces import wire, wire_gaps
from support.projects import Project, Run

NOW = 1_790_000_000.5
KEY = bytes(range(32))
TESTS = Path(__file__).resolve().parent
needs_modes = pytest.mark.skipif(os.name != "posix", reason="needs POSIX file modes")


def near(path: str, *headings: str, base: float = 0.2) -> Related:
    return Related("a" * 26, "docs", path, None, headings[0] if headings else "", headings, 1, None, base)


def refusal(
    question: str, *, unknown: Sequence[str] = (), related: Sequence[Related] = (), reason: Reason = Reason.BELOW_FLOOR
) -> Refusal:
    searched = Searched(3, 9, (), (), tuple(unknown), (), 0.5, 0.25, (), (), "0123abcd")
    return Refusal(question, reason, "Not covered.", 0.25, 0.25, 0.5, tuple(related), (), (), (), searched)


def entry(question: str, *, at: float = NOW, key: bytes | None = None, **more: Sequence[str] | Sequence[Related]) -> Logged:
    found = logged(refusal(question, **more), at, key)  # type: ignore[arg-type]
    assert found is not None
    return found


def questions(kept: Kept) -> list[str | None]:
    return [one.question for one in kept.entries]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def log(tmp_path: Path) -> GapLog:
    return GapLog(tmp_path / "gaps.jsonl")


# What is kept of a question


@settings(max_examples=200)
@given(st.text(st.characters(exclude_categories=[]), max_size=60), st.lists(st.text(max_size=8), max_size=3))
def test_a_question_kept_as_text_comes_back_whatever_its_characters(question: str, unknown: list[str]) -> None:
    kept = entry(question, unknown=unknown, related=[near("a\n.md", "A\x1b", "\u2028")])
    line = encoded(kept)
    assert line.isascii()
    assert line.count(b"\n") == 1
    again = decoded(line)
    assert again is not None
    # a high surrogate beside a low one is one character to every reader of JSON
    assert _joined(again.question or "") == _joined(question)
    assert [_joined(word) for word in again.unknown] == [_joined(word) for word in unknown]
    assert again.nearest == kept.nearest


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@settings(max_examples=100)
@given(st.lists(st.text("zqxjvkw", min_size=4, max_size=12), min_size=1, max_size=8), st.binary(min_size=32, max_size=32))
def test_a_hashed_refusal_holds_no_word_of_the_question(words: list[str], key: bytes) -> None:
    line = encoded(entry(" ".join(words) + "?", key=key, unknown=words[:3], related=[near("guide.md", "Guide")])).decode()
    assert all(word not in line for word in words)
    kept = decoded(line.encode())
    assert kept is not None
    assert kept.question is None
    assert len(kept.question_hash) == HASH_LENGTH
    assert "guide.md" in line


def test_hashes_depend_on_the_key_and_are_the_same_for_the_same_question() -> None:
    first, second = entry("Where is  Mars?", key=KEY, unknown=["mars"]), entry("where is mars", key=KEY, unknown=["mars"])
    assert (first.identity, first.unknown) == (second.identity, second.unknown)
    other = entry("where is mars", key=bytes(32), unknown=["mars"])
    assert first.identity != other.identity
    assert first.unknown != other.unknown
    alone = entry("mars", key=KEY, unknown=["mars"])
    assert alone.identity not in alone.unknown


def test_the_time_is_kept_to_the_hour() -> None:
    assert entry("x", at=NOW).at == 1_789_999_200
    assert entry("x", at=NOW).at % 3600 == 0


@pytest.mark.parametrize("reason", sorted(NO_GAP))
def test_a_refusal_that_shows_no_gap_is_not_kept(reason: Reason, log: GapLog, tmp_path: Path) -> None:
    assert logged(refusal("where is mars", reason=reason), NOW, None) is None
    assert log.add(refusal("where is mars", reason=reason), Mode.TEXT, NOW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("How DO  I run it??", "how do i run it"), ("\uff28ow\u3000?", "how"), ("x\u2026", "X."), ("Straße", "STRASSE!")],
)
def test_case_spaces_and_closing_punctuation_make_no_other_question(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


# The file


@needs_modes
@pytest.mark.parametrize("mode", list(Mode))
def test_only_its_owner_can_read_the_log(mode: Mode, log: GapLog, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert log.add(refusal("where is mars"), mode, NOW)
    finally:
        os.umask(before)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"gaps.jsonl", "gaps.jsonl.lock"} | ({"gaps.jsonl.key"} if mode is Mode.HASHED else set())
    assert {mode_of(path) for path in tmp_path.iterdir()} == {0o600}


def test_what_was_added_is_read_in_its_order(log: GapLog) -> None:
    assert log.read(NOW) == Kept()
    for number in range(5):
        assert log.add(refusal(f"question {number}"), Mode.TEXT, NOW + number)
    assert questions(log.read(NOW)) == [f"question {number}" for number in range(5)]


def test_a_hashed_log_counts_the_same_question_across_processes(log: GapLog) -> None:
    assert log.add(refusal("where is mars"), Mode.HASHED, NOW)
    assert GapLog(log.path).add(refusal("Where is Mars?"), Mode.HASHED, NOW)
    assert len({one.identity for one in log.read(NOW).entries}) == 1
    assert b"mars" not in log.path.read_bytes().lower()


def append_many(path: str, name: str, count: int) -> None:
    """Run by the processes of the next test."""
    log = GapLog(Path(path))
    assert all(log.add(refusal(f"{name} {number} {'x' * 300}"), Mode.HASHED, NOW) for number in range(count))


def test_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    path, count = tmp_path / "gaps.jsonl", 100
    program = "import sys, test_gaps; test_gaps.append_many(sys.argv[1], sys.argv[2], int(sys.argv[3]))"
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(path), name, str(count)], cwd=TESTS, stderr=subprocess.PIPE)
        for name in ("one", "two", "three")
    ]
    assert [(process.communicate(timeout=60)[1], process.returncode) for process in started] == [(b"", 0)] * 3
    kept = GapLog(path).read(NOW)
    assert (len(kept.entries), kept.damaged) == (3 * count, 0)
    assert len({one.identity for one in kept.entries}) == 3 * count


def test_what_is_too_old_goes(tmp_path: Path) -> None:
    log = GapLog(tmp_path / "gaps.jsonl", keep_days=10)
    for day in range(8):
        assert log.add(refusal(f"day {day}"), Mode.TEXT, NOW + day * DAY)
    later = NOW + 13 * DAY + 3600
    assert questions(log.read(later)) == ["day 4", "day 5", "day 6", "day 7"]
    assert b"day 3" not in log.path.read_bytes()
    assert log.add(refusal("new"), Mode.TEXT, NOW + 40 * DAY)
    assert log.path.read_bytes().count(b"\n") == 2


def test_a_log_is_written_anew_for_old_lines_once_a_day_at_most(tmp_path: Path) -> None:
    log = GapLog(tmp_path / "gaps.jsonl", keep_days=10)
    assert log.add(refusal("old"), Mode.TEXT, NOW)
    first = log.path.stat().st_ino
    assert log.add(refusal("new"), Mode.TEXT, NOW + 10.5 * DAY)
    assert log.path.stat().st_ino == first
    assert questions(log.read(NOW + 10.5 * DAY)) == ["new"]
    assert log.add(refusal("newer"), Mode.TEXT, NOW + 11.5 * DAY)
    assert b"old" not in log.path.read_bytes()


def test_the_file_keeps_its_size_and_the_oldest_go_first(tmp_path: Path) -> None:
    largest = 20_000
    log = GapLog(tmp_path / "gaps.jsonl", max_bytes=largest)
    for number in range(400):
        assert log.add(refusal(f"question {number}"), Mode.TEXT, NOW)
        assert log.path.stat().st_size <= largest
    kept = questions(log.read(NOW))
    assert kept == [f"question {number}" for number in range(400 - len(kept), 400)]
    assert 40 < len(kept) < 120
    assert not log.add(refusal("x" * largest), Mode.TEXT, NOW)
    assert questions(log.read(NOW)) == kept


def test_a_line_that_was_left_half_written_is_counted_and_spoils_no_other(log: GapLog) -> None:
    assert log.add(refusal("first"), Mode.TEXT, NOW)
    with log.path.open("ab") as file:
        file.write(encoded(entry("half"))[:40])
    assert log.add(refusal("last"), Mode.TEXT, NOW)
    kept = log.read(NOW)
    assert (questions(kept), kept.damaged) == (["first", "last"], 1)


@pytest.mark.parametrize(
    "change",
    [
        {"at": -1},
        {"at": 10**15},
        {"at": True},
        {"best": "high"},
        {"unknown": [3]},
        {"question": None},
        {"nearest": [{"path": "a"}]},
        {"reason": None},
    ],
)
def test_a_line_with_a_value_that_cannot_be_is_damaged(change: dict[str, object]) -> None:
    values = json.loads(encoded(entry("x")))
    assert decoded(json.dumps(values).encode()) == entry("x")
    assert decoded(json.dumps(values | change).encode()) is None


@pytest.mark.parametrize("line", [b"", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"at": NaN}', b"9" * 10_000])
def test_what_is_no_entry_is_damaged(line: bytes) -> None:
    assert decoded(line) is None


def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("# Read me\n", encoding="utf-8")
    log = GapLog(path)
    assert not log.add(refusal("where is mars"), Mode.TEXT, NOW)
    for use in (lambda: log.read(NOW), log.purge):
        with pytest.raises(UsageFault) as caught:
            use()
        assert caught.value.code == "gaps-foreign-file"
    assert path.read_text(encoding="utf-8") == "# Read me\n"


def test_a_log_that_cannot_be_written_is_told_and_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert not GapLog(tmp_path / "file" / "gaps.jsonl").add(refusal("where is mars"), Mode.TEXT, NOW)
    assert not GapLog(tmp_path).add(refusal("where is mars"), Mode.HASHED, NOW)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_device_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "gaps.jsonl").symlink_to("/dev/full")
    log = GapLog(tmp_path / "gaps.jsonl")
    assert log.path == Path("/dev/full")
    with pytest.raises(UsageFault):
        log.read(NOW)


def test_a_purge_removes_the_log_and_its_key(log: GapLog, tmp_path: Path) -> None:
    assert log.purge() == ()
    assert log.add(refusal("where is mars"), Mode.HASHED, NOW)
    assert {path.name for path in log.purge()} == {"gaps.jsonl", "gaps.jsonl.key"}
    assert list(tmp_path.glob("gaps*")) == []
    assert log.add(refusal("where is mars"), Mode.TEXT, NOW)
    assert log.path.read_bytes().startswith(HEADER)


# Groups

PLACES = (near("errors.md", "Errors", "Handlers"), near("deploy.md", "Deploy", base=0.3))
ENTRIES = (
    entry("How do I run it on Kubernetes?", unknown=["kubernetes"], related=PLACES),
    entry("how do I run it on kubernetes", unknown=["kubernetes"], related=PLACES[1:], at=NOW - 3 * DAY),
    entry("helm charts for kubernetes", unknown=["helm", "charts", "kubernetes"]),
    entry("which helm", unknown=["helm"]),
    entry("retry a failed handler", related=PLACES),
    entry("retry a failed handler!", related=PLACES),
    entry("handlers in order", related=PLACES[:1]),
    entry("what is the meaning of it"),
)


def test_questions_are_grouped_by_shared_unknown_words_then_by_the_nearest_place() -> None:
    found = gaps(ENTRIES)
    assert [(gap.kind, gap.label, gap.count, len(gap.asked)) for gap in found] == [
        (GapKind.NEAR_HEADING, "errors.md: Errors > Handlers", 3, 2),
        (GapKind.UNKNOWN_WORD, "kubernetes", 3, 2),
        (GapKind.UNKNOWN_WORD, "helm", 1, 1),
        (GapKind.NOTHING_NEAR, "", 1, 1),
    ]
    kubernetes = found[1]
    assert (kubernetes.asked[0].text, kubernetes.asked[0].count) == ("How do I run it on Kubernetes?", 2)
    assert (kubernetes.first, kubernetes.last) == (date(2026, 9, 18), date(2026, 9, 21))
    assert kubernetes.nearest == (
        Near("deploy.md", ("Deploy",), 0.3, "docs"),
        Near("errors.md", ("Errors", "Handlers"), 0.2, "docs"),
    )


@settings(max_examples=60)
@given(st.permutations(ENTRIES * 2))
def test_the_order_of_the_refusals_makes_no_other_groups(shuffled: list[Logged]) -> None:
    assert gaps(shuffled) == gaps(ENTRIES * 2)


def test_hashed_questions_make_the_same_groups_without_their_words() -> None:
    def shapes(entries: Sequence[Logged]) -> list[tuple[GapKind, int, int]]:
        return sorted((gap.kind, gap.count, len(gap.asked)) for gap in gaps(entries))

    def asked(key: bytes | None) -> list[Logged]:
        words = [("mars and venus", ["mars", "venus"]), ("mars", ["mars"]), ("Mars?", ["mars"]), ("pluto", ["pluto"])]
        return [entry(text, key=key, unknown=unknown) for text, unknown in words]

    assert shapes(asked(KEY)) == shapes(asked(None))
    assert all(one.text is None for gap in gaps(asked(KEY)) for one in gap.asked)


# Outputs


def report(entries: Sequence[Logged] = ENTRIES) -> GapReport:
    return GapReport("gaps.jsonl", "text", None, len(entries), 0, gaps(entries))


hostile = st.text(st.characters(exclude_categories=[]), min_size=1, max_size=30)


@settings(max_examples=100)
@given(st.lists(st.tuples(hostile, st.lists(hostile, max_size=2)), min_size=1, max_size=4), st.sampled_from([KEY, None]))
def test_every_output_keeps_to_its_schema(asked: list[tuple[str, list[str]]], key: bytes | None) -> None:
    entries = [entry(text, unknown=unknown, key=key, related=[near(text, text)]) for text, unknown in asked]
    printed = json.loads(wire.encode(wire_gaps.gaps_json(report(entries), 2)))
    Draft202012Validator(wire.schema("gaps")).validate(printed)
    done = wire_gaps.gaps_done_json("export", ["x"], count=1)
    Draft202012Validator(wire.schema("gaps_done")).validate(json.loads(wire.encode(done)))


@settings(max_examples=100)
@given(st.lists(hostile | st.text("=+-@\t\r\n\"',;x", min_size=1, max_size=6), min_size=1, max_size=5))
def test_an_exported_table_is_read_again_and_no_cell_is_a_formula(texts: list[str]) -> None:
    table = wire_gaps.rows(report([entry(text, unknown=[text]) for text in texts]))
    data = wire_gaps.csv_table(table)
    read = list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))
    assert len(read) == len(table)
    assert data.count(b"\n") == len(table) + 1
    for row, told in zip(read, table, strict=True):
        assert tuple(row) == wire_gaps.COLUMNS
        assert not any(cell.startswith(wire_gaps.FORMULA_STARTS) for cell in row.values())
        if told["question"].isascii() and told["question"].isprintable():
            assert row["question"].removeprefix("'") == told["question"].removeprefix("'")
    exact = [json.loads(line) for line in wire_gaps.json_lines(table).decode("utf-8").split("\n")[:-1]]
    assert [set(row) for row in exact] == [set(wire_gaps.COLUMNS)] * len(table)


# The question file


@pytest.mark.parametrize("name", ["questions.jsonl", "questions.txt"])
@pytest.mark.parametrize("answerable", [True, False])
def test_a_question_is_added_once_and_read_as_what_it_is(name: str, answerable: bool, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(b'{"id": "a", "question": "which HELM?"}' if name.endswith("l") else b"# mine\nwhich HELM?")
    asked = report().asked
    new = addition(file, asked, answerable=answerable)
    assert (new.added, new.known) == (5, 1)
    with file.open("ab") as stream:
        stream.write(new.data)
    cases = read_cases(file).cases
    assert [case.question for case in cases[1:]] == [one.text for one in asked if one.text != "which helm"]
    assert {case.answerable for case in cases[1:]} == {answerable}
    again = addition(file, asked, answerable=not answerable)
    assert (again.data, again.added, again.known) == (b"", 0, 6)


def test_a_question_that_would_be_read_as_another_is_left_out_of_plain_lines(tmp_path: Path) -> None:
    asked = report([entry(text) for text in ("!important in css", "#include of headers", "two\nlines", "\udcff")]).asked
    covered = addition(tmp_path / "q.txt", asked, answerable=True)
    assert (covered.data, covered.unwritable) == (b"two lines\n", 3)
    refused = addition(tmp_path / "q.txt", asked, answerable=False)
    assert (refused.added, refused.unwritable) == (3, 1)
    (tmp_path / "q.txt").write_bytes(refused.data)
    read = [case.question for case in read_cases(tmp_path / "q.txt").cases]
    assert sorted(read) == ["!important in css", "#include of headers", "two lines"]
    assert addition(tmp_path / "q.txt", asked, answerable=False).added == 0
    assert addition(tmp_path / "q.jsonl", asked, answerable=True).added == 4


@pytest.mark.parametrize("name", ["q.yaml", "q.YML", "q.json"])
def test_nothing_is_added_to_a_file_that_is_one_list(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageFault) as caught:
        addition(tmp_path / name, report().asked, answerable=False)
    assert caught.value.code == "gaps-format"
    assert ".jsonl" in caught.value.hint


def test_an_id_is_the_same_everywhere_and_for_every_spelling() -> None:
    assert question_id("Where is Mars?") == question_id("where  is mars") == "gap-17d688a48168"
    assert question_id("where is mars") != question_id("where is venus")


# The command line

UNCOVERED = "how do I run it on Kubernetes?"


@pytest.fixture
def run(project: Project, monkeypatch: pytest.MonkeyPatch, run_here: Run) -> Run:
    """Runs a command beside a page about fruit: exit code, stdout, stderr."""
    project.write("fruit.md", "# Fruit\n\nApples are kept in the cellar at four degrees.\n")
    monkeypatch.chdir(project.root)

    def run_it(*arguments: str, log: str = "") -> tuple[int, str, str]:
        if log:
            (project.root / "nescio.toml").write_text(f'[gaps]\nlog = "{log}"\n', encoding="utf-8")
        return run_here(*arguments)

    return run_it


def kept_in(project: Project) -> list[str]:
    return sorted(path.name for path in project.root.glob(".nescio-gaps*"))


def test_with_the_log_off_nothing_at_all_is_written(run: Run, project: Project) -> None:
    assert run("ask", UNCOVERED)[0] == 1
    assert kept_in(project) == []
    code, out, err = run("gaps")
    assert (code, err) == (0, "")
    assert 'log = "hashed"' in out
    assert max(map(len, out.split("\n"))) <= 80 + len(str(project.root))
    code, out, _ = run("gaps", "--json")
    assert (code, json.loads(out)["log"], json.loads(out)["refusals"]) == (0, "off", 0)
    assert run("gaps", "purge", "--yes")[0] == 0
    assert kept_in(project) == []


@pytest.mark.parametrize("options", [(), ("--json",), ("--explain",)])
def test_a_refusal_is_kept_and_an_answer_is_not(options: tuple[str, ...], run: Run, project: Project) -> None:
    assert run("ask", UNCOVERED, *options, log="text")[0] == 1
    assert run("ask", "where are apples kept?", *options)[0] == 0
    assert run("ask", "is the", *options)[0] == 1
    printed = json.loads(run("gaps", "--json")[1])
    Draft202012Validator(wire.schema("gaps")).validate(printed)
    assert (printed["log"], printed["refusals"], printed["questions"], printed["damaged"]) == ("text", 1, 1, 0)
    assert printed["gaps"][0]["questions"][0]["question"] == UNCOVERED
    assert kept_in(project) == [".nescio-gaps.jsonl", ".nescio-gaps.jsonl.lock"]


def test_a_variable_turns_the_log_on(run: Run, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NESCIO_GAPS__LOG", "hashed")
    monkeypatch.setenv("NESCIO_GAPS__FILE", "kept/refused.jsonl")
    assert run("ask", UNCOVERED)[0] == 1
    assert b"ubernetes" not in (project.root / "kept" / "refused.jsonl").read_bytes()
    code, out, _ = run("gaps")
    assert code == 0
    assert "1 different question, kept without text" in out


def test_a_log_that_cannot_be_written_stops_no_answer(run: Run, project: Project) -> None:
    (project.root / ".nescio-gaps.jsonl").mkdir()
    code, out, err = run("ask", UNCOVERED, log="text")
    assert code == 1
    assert out.startswith("The documentation does not cover this")
    assert err.count("could not be kept") == 1
    code, out, err = run("gaps")
    assert (code, out) == (2, "")
    assert "gaps-foreign-file" in err


def test_a_stream_of_questions_is_kept_and_a_failure_is_told_once(project: Project, run: Run) -> None:
    run("build", log="text")
    data = f"{UNCOVERED}\nwhere are apples kept?\n{UNCOVERED.upper()}\nwhat is a proxy\n".encode()

    def ask_all() -> subprocess.CompletedProcess[bytes]:
        environ = {name: value for name, value in os.environ.items() if not name.startswith("NESCIO_")}
        command = [sys.executable, "-m", "nescio", "ask", "-", "--jsonl"]
        return subprocess.run(command, cwd=project.root, env=environ, input=data, capture_output=True, timeout=60, check=False)

    assert ask_all().returncode == 0
    shown = json.loads(run("gaps", "--json")[1])
    assert (shown["refusals"], shown["questions"], [gap["label"] for gap in shown["gaps"]]) == (3, 2, ["kubernetes", "proxy"])
    (project.root / ".nescio-gaps.jsonl").write_bytes(b"something else\n")
    done = ask_all()
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 4)
    assert done.stderr.count(b"could not be kept") == 1


def test_the_screen_shows_the_largest_groups_and_says_what_is_left_out(run: Run) -> None:
    for question in (UNCOVERED, UNCOVERED, "how do I configure a proxy"):
        run("ask", question, log="text")
    code, out, _ = run("gaps", "--top", "1", "--since", "2")
    assert code == 0
    assert out.startswith("Refused 3 times since ")
    assert '"kubernetes" is in no page' in out
    assert f"{UNCOVERED}  (2 times)" in out
    assert "1 smaller group more: add --top 2" in out
    assert "proxy" not in out
    run("build", log="off")
    assert "gaps.log is off" in run("gaps")[1]


def test_the_export_goes_by_the_ending_and_replaces_nothing_unless_forced(run: Run, project: Project) -> None:
    run("ask", UNCOVERED, log="text")
    code, out, _ = run("gaps", "export", "out.csv")
    assert (code, out) == (0, "Wrote 1 question to out.csv.\n")
    rows = list(csv.DictReader(io.StringIO((project.root / "out.csv").read_text(encoding="utf-8"), newline="")))
    assert [(row["gap"], row["question"], row["count"]) for row in rows] == [("kubernetes", UNCOVERED, "1")]
    code, out, err = run("gaps", "export", "out.csv")
    assert (code, out) == (2, "")
    assert "gaps-export-exists" in err
    code, out, _ = run("gaps", "export", "out.csv", "--force", "--format", "jsonl", "--json")
    Draft202012Validator(wire.schema("gaps_done")).validate(json.loads(out))
    line = (project.root / "out.csv").read_text(encoding="utf-8")
    assert json.loads(line)["question"] == UNCOVERED
    assert run("gaps", "export", "-")[1] == line
    assert run("gaps", "export", "-", "--format", "csv")[1].startswith("kind,gap,")
    assert "gaps-format" in run("gaps", "export", "out.xls")[2]


def test_refused_questions_are_added_to_a_question_file_once(run: Run, project: Project) -> None:
    run("ask", UNCOVERED, log="text")
    code, out, _ = run("gaps", "add", "questions.jsonl")
    assert code == 0
    assert out.startswith("Added 1 question to questions.jsonl as unanswerable.\n")
    text = (project.root / "questions.jsonl").read_text(encoding="utf-8")
    assert json.loads(text) == {"id": question_id(UNCOVERED), "question": UNCOVERED, "answerable": False}
    code, out, _ = run("gaps", "add", "questions.jsonl", "--as", "answerable", "--json")
    done = json.loads(out)
    assert (code, done["count"], done["known"]) == (0, 0, 1)
    assert (project.root / "questions.jsonl").read_text(encoding="utf-8") == text
    assert run("eval", "questions.jsonl", "--json")[0] in (0, 1)


def test_hashed_questions_cannot_be_added(run: Run, project: Project) -> None:
    run("ask", UNCOVERED, log="hashed")
    code, out, err = run("gaps", "add", "questions.jsonl")
    assert (code, out) == (2, "")
    assert "gaps-hashed" in err
    assert not (project.root / "questions.jsonl").exists()


def test_a_purge_wants_to_be_confirmed(run: Run, project: Project) -> None:
    run("ask", UNCOVERED, log="hashed")
    code, out, err = run("gaps", "purge", "--json")
    assert (code, out, json.loads(err)["error"]["code"]) == (2, "", "gaps-purge-unconfirmed")
    code, out, _ = run("gaps", "purge", "--yes")
    assert code == 0
    assert out.count("Removed ") == 2
    assert kept_in(project) == []


def test_an_option_before_the_command_is_told_rather_than_lost(run: Run) -> None:
    code, out, err = run("gaps", "--since", "3", "export", "-")
    assert (code, out) == (2, "")
    assert "--since stands before export" in err


def test_a_log_of_refusals_changes_no_index(project: Project) -> None:
    project.write("fruit.md", "# Fruit\n\nApples.\n")
    off, on = project.configuration(), project.configuration(gaps__log="text", gaps__keep_days=3)
    assert off.fingerprint() == on.fingerprint()
    assert {setting.key for setting in on.listing()} >= {"gaps.log", "gaps.file", "gaps.keep_days", "gaps.max_bytes"}
