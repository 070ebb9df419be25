"""A build that is killed, or runs out of room, leaves the old index or the new one, whole, and the next one tidies up."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nescio.index.store import Store
from nescio.surfaces.faults import exit_code, fault_of
from support import crashing
from support.corpora import pages, questions
from support.projects import TIMEOUT_SECONDS, Project, command, environment

SEED = 41
ASKED = questions(SEED, 4)
OLD = "# Weights\n\nThe ostrich weighs a hundred and forty kilograms.\n"
NEW = "# Weights\n\nThe ostrich weighs a hundred and fifty kilograms.\n"
WEIGHT = "how much does the ostrich weigh?"

posix = pytest.mark.skipif(os.name == "nt", reason="signals, forks and modes are a matter of POSIX")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """In memory where that can be had: a hundred builds would wait for a disk to sync most of the time."""
    memory = Path("/dev/shm")
    if not (memory.is_dir() and os.access(memory, os.W_OK)):
        yield Project(tmp_path)
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="nescio-") as folder:
        yield Project(Path(folder))


@pytest.fixture
def made(project: Project) -> Project:
    project.write_all(pages(SEED, 12)).write("ostrich.md", OLD)
    project.build()
    return project


def weight(project: Project) -> str:
    """What the index says the ostrich weighs: forty or fifty, whole and from one page."""
    answer = project.answers([WEIGHT])[0]["answer"]
    assert answer["status"] == "answered"
    (text,) = {quote["text"] for quote in answer["quotes"] if quote["path"] == "ostrich.md"}
    return "forty" if "forty" in text else "fifty" if "fifty" in text else text


# Killed


def killed_at_every_step(project: Project) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, crashing.__file__, str(project.root), WEIGHT],
        env=environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=3 * TIMEOUT_SECONDS,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.split("\n") if line]


@posix
def test_a_build_killed_at_any_step_leaves_the_old_index_or_the_new_one(made: Project) -> None:
    old = made.stored().index_id
    made.write("ostrich.md", NEW)
    outcomes = killed_at_every_step(made)
    new = outcomes[-1]["index_id"]
    assert old != new
    assert len(outcomes) > 20
    for one in outcomes:
        assert one["index_id"] in (old, new), one
        text = json.dumps(one["said"])
        assert ("forty" in text) == (one["index_id"] == old), one
        assert ("fifty" in text) == (one["index_id"] == new), one
        assert len(one["strays"]) <= 1, one  # the previous generation stays for readers
    assert {one["index_id"] for one in outcomes if one["killed"]} == {old, new}


@posix
def test_a_first_build_killed_at_any_step_can_be_done_again(project: Project) -> None:
    project.write_all({"ostrich.md": NEW})
    outcomes = killed_at_every_step(project)
    assert len(outcomes) > 10
    for one in outcomes:
        assert one["strays"] == [], one
        assert one["said"] is None or "fifty" in json.dumps(one["said"])
    assert outcomes[-1]["said"]


@posix
def test_builds_killed_at_chance_times_break_nothing(made: Project) -> None:
    chance = random.Random(SEED)
    started = time.monotonic()
    assert command(made.root, "build").returncode == 0
    usual = time.monotonic() - started
    killed = 0
    for number in range(12):
        made.write("ostrich.md", (OLD, NEW)[number % 2])
        made.write(f"more/{number}.md", f"# Number {number}\n\nPage {number} of many.\n")
        process = subprocess.Popen([sys.executable, "-m", "nescio", "build"], cwd=made.root, env=environment())
        try:
            process.wait(chance.uniform(0.5 * usual, 1.2 * usual))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        assert weight(made) in ("forty", "fifty")
    made.build()
    assert killed > 0
    assert weight(made) == "fifty"
    made.settle()
    assert made.strays() == []
    cold = made.root / "cold"
    made.build(cold)
    assert made.answers(ASKED) == made.answers(ASKED, cold)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_build_takes_its_processes_along(made: Project) -> None:
    """A process that outlived it would hold the lock."""
    made.write_all(pages(SEED + 3, 400))
    arguments = [sys.executable, "-m", "nescio", "build", "--jobs", "2"]
    process = subprocess.Popen(arguments, cwd=made.root, env=environment(), stdout=subprocess.DEVNULL)
    children: list[str] = []
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while len(children) < 2 and process.poll() is None and time.monotonic() < deadline:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii").split()
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert len(children) == 2
    assert made.build(limits__lock_seconds=10.0).files > 400
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert time.monotonic() < deadline


def interrupted_build(made: Project) -> tuple[bool, int, str]:
    """A build that is interrupted while it writes: whether it was caught before its end, its exit code and what it said.

    It is held while we look, so that the interrupt meets it in the state that we saw.
    """
    arguments = [sys.executable, "-m", "nescio", "build", "--jobs", "1"]
    before = (made.index / "CURRENT").read_text("ascii")
    known = len(list((made.index / "generations").iterdir()))
    process = subprocess.Popen(arguments, cwd=made.root, env=environment(), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while len(list((made.index / "generations").iterdir())) <= known and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGSTOP)
    is_caught = (made.index / "CURRENT").read_text("ascii") == before
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    _, said = process.communicate(timeout=TIMEOUT_SECONDS)
    return is_caught, process.returncode, said


@posix
def test_an_interrupt_leaves_the_old_index(made: Project) -> None:
    for attempt in range(5):
        made.write_all({f"{attempt}-{path}": text for path, text in pages(SEED + 1, 300).items()})
        made_current = (made.index / "CURRENT").read_text("ascii")
        is_caught, code, said = interrupted_build(made)
        if is_caught:
            break
        made.settle()
    assert is_caught
    assert code == 130
    assert "Traceback" not in said
    assert (made.index / "CURRENT").read_text("ascii") == made_current
    assert made.strays() == []
    assert weight(made) == "forty"


# Faults of the disk


class Disk:
    """Counts the steps of a build that write, and fails one of them. Only what lies in the index folder is looked at."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.number = str(folder), number
        self.fails_at = self.raised = 0
        self.steps: list[str] = []

    def step(self, name: str, path: object) -> None:
        if not isinstance(path, int) and not str(path).startswith(self.folder):
            return
        self.steps.append(name)
        if len(self.steps) == self.fails_at:
            self.raised = self.fails_at
            raise OSError(self.number, os.strerror(self.number), self.folder)


class Failing(io.FileIO):
    """A file that tells the disk before it writes."""

    disk: Disk

    def write(self, data: Any) -> int:
        self.disk.step("write", self.name)
        return super().write(data)


@pytest.fixture
def disk(made: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk(made.index, errno.ENOSPC)
    with monkeypatch.context() as patch:
        for name in ("fsync", "replace", "mkdir", "link", "chmod"):
            patch.setattr(os, name, told(disk, name, getattr(os, name)))
        opened = Path.open

        def open_told(self: Path, mode: str = "r", *rest: Any, **named: Any) -> Any:
            if "b" not in mode or "r" in mode or not str(self).startswith(disk.folder):
                return opened(self, mode, *rest, **named)
            disk.step("open", self)
            raw = Failing(self, mode.replace("b", ""))
            raw.disk = disk
            return io.BufferedWriter(raw)

        patch.setattr(Path, "open", open_told)
        yield disk


def told(disk: Disk, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(first: Any, *rest: Any, **named: Any) -> Any:
        disk.step(name, first)
        return real(first, *rest, **named)

    return call


def fail_each_step(project: Project, disk: Disk) -> Iterator[tuple[str, str]]:
    """For each step of the same build: its name, and what the ostrich weighs once it failed. Afterwards a build must work."""
    snapshot = project.root / "snapshot"
    shutil.copytree(project.index, snapshot)
    project.write("ostrich.md", NEW)
    for at in range(1, 500):
        shutil.rmtree(project.index)
        shutil.copytree(snapshot, project.index)
        contents = project.contents()
        disk.steps, disk.fails_at = [], at
        with suppress(OSError):
            project.build()
            if len(disk.steps) < at:
                return
            continue  # a link that fails is a copy, and who writes is only told if it can be
        assert disk.raised == at
        disk.fails_at = 0
        after, name = weight(project), disk.steps[at - 1]
        assert after == "fifty" or project.contents() == contents, name
        project.build()
        assert weight(project) == "fifty"
        yield name, after
    raise AssertionError("a build has no end")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_write_that_fails_at_any_step_leaves_the_old_index(made: Project, disk: Disk, number: int) -> None:
    disk.number = number
    found = list(fail_each_step(made, disk))
    assert {"fsync", "write", "open", "mkdir", "replace"} <= {name for name, _ in found}
    before_the_pointer = found[: [name for name, _ in found].index("replace") + 1]
    assert len(before_the_pointer) > 15
    assert {after for _, after in before_the_pointer} == {"forty"}
    cold = made.root / "cold"
    made.build()
    made.build(cold)
    assert made.answers(ASKED) == made.answers(ASKED, cold)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_told_as_such(number: int) -> None:
    fault = fault_of(OSError(number, os.strerror(number), "/somewhere/.nescio"))
    assert (fault.code, exit_code(fault)) == ("disk-full", 5)


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP])
def test_folders_that_cannot_be_synced_are_no_fault(made: Project, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    real = os.fsync
    files = []

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))
        files.append(handle)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    made.write("ostrich.md", NEW)
    made.build()
    assert weight(made) == "fifty"
    assert len(files) >= 4  # the pack, the vocabularies, the manifest, the pointer


def test_a_fault_after_the_pointer_was_renamed_leaves_the_new_index(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    point_to = Store.point_to

    def then_fail(self: Store, name: str) -> None:
        point_to(self, name)
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(self.folder))

    made.write("ostrich.md", NEW)
    with monkeypatch.context() as patch:
        patch.setattr(Store, "point_to", then_fail)
        with pytest.raises(OSError):
            made.build()
    assert weight(made) == "fifty"
    made.settle()
    assert made.strays() == []


_LIMITED = """
import os, resource, sys
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execv(sys.executable, [sys.executable, "-m", "nescio", *sys.argv[2:]])
"""


@posix
@pytest.mark.parametrize("size", [0, 60, 300, 1_000, 3_000, 8_000])
def test_a_file_that_the_system_refuses_to_write_is_a_storage_fault(made: Project, size: int) -> None:
    """The search engine writes files of its own, and says it in its own way."""
    made.write_all(pages(SEED + 2, 40))
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(size), "build", "--json", "--jobs", "1"],
        cwd=made.root,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 5, done.stderr
    fault = json.loads(done.stderr.strip().split("\n")[-1])["error"]
    assert fault["code"] == "io-error"
    assert ".nescio" in fault["message"]
    assert weight(made) == "forty"
    assert made.strays() == []
    report = made.build()
    assert report.added + report.changed == 40
