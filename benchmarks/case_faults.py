"""Cases in which something breaks while an index is written or read. Each is played in a simple form, a few rounds of it."""

from __future__ import annotations

import errno
import io
import os
import random
import resource
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

from case_checks import differences
from case_files import DONE, SOURCE, Json, Stage
from case_steps import asked, like_cold, still_answers
from processes import in_fresh_process
from reporting import note

ROUNDS = 5
BUSY, STORAGE = 4, 5
NOBODY = 65534
MOST_SYNCS = 200
FILE_SIZES = (0, 100, 1_000, 10_000)  # bytes that a file may have at most
KILLED_AFTER = (0.1, 0.7)  # seconds, from the start of the interpreter to the end of a small build


def two_writers(stage: Stage) -> list[str]:
    """Two builds at once, with a reader."""
    wrong = stage.build(SOURCE)
    for number in range(ROUNDS):
        (stage.docs / "more.md").write_text(f"# More\n\nRound {number} of writing.\n", encoding="utf-8")
        both = [subprocess.Popen(stage.command("build", SOURCE), cwd=stage.folder, **_quiet()) for _ in range(2)]
        while any(one.poll() is None for one in both):
            wrong += still_answers(stage, f"round {number}")
        wrong += [f"a build ended with {one.returncode}" for one in both if one.returncode not in (DONE, BUSY)]
    return [*wrong, *like_cold(stage)]


def _quiet() -> dict[str, Any]:
    return {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def read_only(stage: Stage) -> list[str]:
    """Another user reads an index that nobody can write, without a home or a temporary folder."""
    wrong = stage.build(SOURCE)
    paths = [stage.folder, *stage.folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        answer = in_fresh_process(_as_nobody, stage.folder, stage.index, stage.case.question)
    except OSError as error:
        return [*wrong, f"not played: only root can become another user ({error})"]
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)
    return [*wrong, *differences(stage, answer)]


def _as_nobody(folder: Path, index: Path, question: str) -> Json:
    """Asked once before, so that everything is imported: the interpreter itself may be closed to the other user."""
    _in_process(folder, index, question)
    os.environ.pop("HOME", None)
    os.environ["TMPDIR"] = str(folder)
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    return _in_process(folder, index, question)


def _in_process(folder: Path, index: Path, question: str) -> Json:
    from nescio.assembly.opening import open_index
    from nescio.config.loading import load
    from nescio.surfaces import wire

    with open_index(load(folder, environ={}, flags={}, docs=[folder / SOURCE]), index) as engine:
        return wire.answer_json(engine.ask(question))


def killed(stage: Stage) -> list[str]:
    """Builds killed at random times; the one before answers, or the new one."""
    wrong = stage.build(SOURCE)
    chance = random.Random(0)
    for number in range(ROUNDS):
        (stage.docs / "more.md").write_text(f"# More\n\nKilled {number} times.\n", encoding="utf-8")
        build = subprocess.Popen(stage.command("build", SOURCE), cwd=stage.folder, **_quiet())
        time.sleep(chance.uniform(*KILLED_AFTER))
        build.send_signal(signal.SIGKILL)
        build.wait()
        wrong += still_answers(stage, f"kill {number}")
    return [*wrong, *like_cold(stage)]


def disk_full(stage: Stage) -> list[str]:
    """No room at the n-th sync, for every n; then files that cannot grow beyond a size."""
    wrong = stage.build(SOURCE)
    _grow(stage, "syncs")
    for number in range(MOST_SYNCS):
        code, _ = _built_with(stage, _full_at(number))
        if code == DONE:
            note(f"{stage.case.id}: a build syncs {number} times")
            break
        wrong += [f"full at sync {number}: build ended with {code}"] if code != STORAGE else []
        wrong += still_answers(stage, f"full at sync {number}")
    for size in FILE_SIZES:
        _grow(stage, f"{size} bytes")
        code = _limited(stage, size)
        wrong += [f"files of {size} bytes at most: build ended with {code}"] if code not in (DONE, STORAGE) else []
        wrong += still_answers(stage, f"files of {size} bytes at most")
    return [*wrong, *like_cold(stage)]


def no_folder_sync(stage: Stage) -> list[str]:
    """A file system that cannot sync folders."""
    code, said = _built_with(stage, _no_sync_of_folders)
    return [*([f"build ended with {code}: {said}"] if code != DONE else []), *asked(stage)]


def _grow(stage: Stage, why: str) -> None:
    (stage.docs / "more.md").write_text(f"# More\n\nA page that needs room ({why}).\n", encoding="utf-8")


def _full_at(number: int) -> Callable[[int], None]:
    """An os.fsync that fails for want of room at its n-th call."""
    calls = iter(range(MOST_SYNCS))
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        if next(calls) == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    return fsync


def _no_sync_of_folders(descriptor: int) -> None:
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))


def _built_with(stage: Stage, fsync: Callable[[int], None]) -> tuple[int, str]:
    """The exit code of a build in this process with another os.fsync, and what it said."""
    from nescio.surfaces.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with mock.patch.object(os, "fsync", fsync), redirect_stdout(out), redirect_stderr(err):
        code = main(["build", "--index", str(stage.index), str(stage.docs)])
    err.seek(0)
    return code, err.read().strip()


def _limited(stage: Stage, size: int) -> int:
    """The exit code of a build that cannot write more than `size` bytes into any file."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        stage.command("build", SOURCE),
        cwd=stage.folder,
        preexec_fn=limit,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode
