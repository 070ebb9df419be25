"""What readers say of answers: kept only where a file is set, without secrets, up to a size."""

from __future__ import annotations

import json
import multiprocessing
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.config.loading import Configuration
from nescio.config.model import Serve, Settings
from nescio.errors import StorageFault, UsageFault
from nescio.surfaces.web.feedback import HEADER, Feedback, FeedbackLog

NOW = 1_767_323_045.9
FILE = "kept.jsonl"


def log_in(folder: Path, **values: Any) -> FeedbackLog:
    serve = Serve(**{"feedback_file": FILE, **values})
    return FeedbackLog(Configuration(Settings.model_validate({"serve": serve}), {}, folder))


def kept(folder: Path) -> list[dict[str, Any]]:
    first, *lines = (folder / FILE).read_bytes().split(b"\n")
    assert first + b"\n" == HEADER
    assert lines.pop() == b""
    return [json.loads(line) for line in lines]


def test_without_a_file_nothing_is_kept(tmp_path: Path) -> None:
    log = log_in(tmp_path, feedback_file="")
    assert not log.is_on
    with pytest.raises(UsageFault) as raised:
        log.add(Feedback("helpful", "q"), NOW)
    assert raised.value.code == "feedback-off"
    assert list(tmp_path.iterdir()) == []


def test_what_is_said_is_kept_as_it_was_said(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    log.add(Feedback("gap", "how do I\r\nfly?", "please \u2028 tell\x1b[31m", "0123abcd", "docs/a.md#1"), NOW)
    log.add(Feedback("helpful", "q"), NOW + 1)
    assert kept(tmp_path) == [
        {
            "at": "2026-01-02T03:04:05Z",
            "verdict": "gap",
            "question": "how do I\r\nfly?",
            "comment": "please \u2028 tell\x1b[31m",
            "index_id": "0123abcd",
            "passage_id": "docs/a.md#1",
        },
        {
            "at": "2026-01-02T03:04:06Z",
            "verdict": "helpful",
            "question": "q",
            "comment": "",
            "index_id": None,
            "passage_id": None,
        },
    ]
    assert b"\x1b" not in (tmp_path / FILE).read_bytes()


@settings(max_examples=40)
@given(question=st.text(max_size=100), comment=st.text(max_size=100))
def test_whatever_is_said_is_one_line(tmp_path_factory: pytest.TempPathFactory, question: str, comment: str) -> None:
    folder = tmp_path_factory.mktemp("feedback")
    log_in(folder).add(Feedback("unhelpful", question, comment), NOW)
    assert len(kept(folder)) == 1


def test_a_secret_is_not_kept(tmp_path: Path) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    log_in(tmp_path).add(Feedback("unhelpful", f"why does {secret} fail", f"it is {secret}"), NOW)
    assert secret not in (tmp_path / FILE).read_text(encoding="utf-8")
    assert kept(tmp_path)[0]["question"].startswith("why does ")


@pytest.mark.parametrize(
    "said",
    [
        Feedback("gap", "x" * 2_001),
        Feedback("gap", "x", "x" * 2_001),
        Feedback("gap", "x", index_id="x" * 201),
        Feedback("gap", "x", passage_id="x" * 201),
    ],
)
def test_only_so_much_is_taken(tmp_path: Path, said: Feedback) -> None:
    with pytest.raises(UsageFault) as raised:
        log_in(tmp_path).add(said, NOW)
    assert raised.value.code == "feedback-invalid"
    assert not (tmp_path / FILE).exists()


def test_the_oldest_go_when_the_file_is_full(tmp_path: Path) -> None:
    log = log_in(tmp_path, max_feedback_bytes=65_536)
    for number in range(200):
        log.add(Feedback("gap", f"{number}", "x" * 1_000), NOW)
        assert (tmp_path / FILE).stat().st_size <= 65_536
    numbers = [int(entry["question"]) for entry in kept(tmp_path)]
    assert numbers == list(range(numbers[0], 200))
    assert len(numbers) > 30


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    log_in(tmp_path).add(Feedback("gap", "q"), NOW)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_file_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("# Notes\n", encoding="utf-8")
    with pytest.raises(StorageFault) as raised:
        log_in(tmp_path).add(Feedback("gap", "q"), NOW)
    assert raised.value.code == "feedback-not-kept"
    assert (tmp_path / FILE).read_text(encoding="utf-8") == "# Notes\n"


def test_a_place_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("", encoding="utf-8")
    with pytest.raises(StorageFault) as raised:
        log_in(tmp_path, feedback_file="a file/kept.jsonl").add(Feedback("gap", "q"), NOW)
    assert raised.value.code == "feedback-not-kept"


def test_a_line_that_was_left_half_is_closed(tmp_path: Path) -> None:
    log = log_in(tmp_path)
    log.add(Feedback("gap", "first"), NOW)
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"at": "2026')
    log.add(Feedback("gap", "last"), NOW)
    lines = (tmp_path / FILE).read_bytes().split(b"\n")
    assert lines[2] == b'{"at": "2026'
    assert json.loads(lines[3])["question"] == "last"


def say_some(folder: str, first: int) -> None:
    log = log_in(Path(folder))
    for number in range(first, first + 20):
        log.add(Feedback("gap", f"{number}"), NOW)


def test_nothing_is_lost_where_several_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writing = [context.Process(target=say_some, args=(str(tmp_path), 100 * number)) for number in range(2)]
    for process in writing:
        process.start()
    for process in writing:
        process.join()
    assert [process.exitcode for process in writing] == [0, 0]
    assert len({entry["question"] for entry in kept(tmp_path)}) == 40
