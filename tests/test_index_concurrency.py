"""Several writers and readers at once: one writes at a time, and every reader sees one generation whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from nescio.assembly import building
from nescio.errors import BusyFault
from nescio.index.store import Store
from support import racing
from support.corpora import pages, questions
from support.projects import TIMEOUT_SECONDS, Project, command, environment, fault_code, said_by

SEED = 51
ASKED = [*questions(SEED, 3), "which leg does the heron stand on?"]
ROUNDS = 20


@pytest.fixture
def made(project: Project) -> Project:
    project.write_all(pages(SEED, 12)).build()
    return project


# Two writers


def test_a_second_writer_is_told_who_writes(made: Project) -> None:
    with Store(made.index).writing(0):
        done = command(made.root, "build", "--json", "--wait", "0.1")
    assert (done.returncode, fault_code(done)) == (4, "index-busy")
    assert str(os.getpid()) in done.stderr


def test_a_second_writer_waits_for_the_first(made: Project) -> None:
    locked, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with Store(made.index).writing(0):
            locked.set()
            may_end.wait(TIMEOUT_SECONDS)

    holder = threading.Thread(target=hold)
    holder.start()
    assert locked.wait(TIMEOUT_SECONDS)
    threading.Timer(0.3, may_end.set).start()
    started = time.monotonic()
    made.write("new.md", "# New\n\nA page.\n")
    report = building.build(made.configuration(), made.index, wait_seconds=TIMEOUT_SECONDS)
    holder.join()
    assert time.monotonic() - started >= 0.25
    assert report.added == 1


def test_a_writer_in_the_same_process_is_busy_too(made: Project) -> None:
    with Store(made.index).writing(0), pytest.raises(BusyFault) as caught, Store(made.index).writing(0):
        pass
    assert caught.value.code == "index-busy"
    assert str(os.getpid()) in caught.value.message


def test_the_lock_is_free_after_a_fault(made: Project) -> None:
    with pytest.raises(ZeroDivisionError), Store(made.index).writing(0):
        raise ZeroDivisionError
    assert made.build().unchanged == 12


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_the_lock_of_a_killed_writer_is_free(made: Project) -> None:
    script = (
        "import sys, time; from pathlib import Path; from nescio.index.store import Store\n"
        "with Store(Path(sys.argv[1])).writing(0):\n    print('locked', flush=True); time.sleep(600)"
    )
    arguments = [sys.executable, "-c", script, str(made.index)]
    with subprocess.Popen(arguments, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(BusyFault) as caught:
            building.build(made.configuration(), made.index, wait_seconds=0)
        assert str(process.pid) in caught.value.message
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert building.build(made.configuration(), made.index, wait_seconds=0).unchanged == 12


def test_two_writers_and_a_reader_never_meet_a_mix(made: Project) -> None:
    """Twenty rounds of two builders; the same index_id always comes with the same answers, and nothing ever fails."""
    first = made.stored().index_id
    arguments = [[sys.executable, racing.__file__, str(made.root), name, str(ROUNDS)] for name in ("left", "right")]
    builders = [subprocess.Popen(one, env=environment(), stdout=subprocess.PIPE, text=True) for one in arguments]
    seen: dict[str, list[Any]] = {}
    readings = 0
    while any(builder.poll() is None for builder in builders):
        with made.engine() as engine:
            for _ in range(2):
                said = unwarned(said_by(engine, ASKED))
                assert {one["answer"]["searched"]["index_id"] for one in said} == {engine.index_id}
                assert seen.setdefault(engine.index_id, said) == said
                readings += 1
    ids = {first}
    for builder in builders:
        told, _ = builder.communicate(timeout=TIMEOUT_SECONDS)
        assert builder.returncode == 0
        ids.update(told.split())
    assert set(seen) <= ids
    assert readings > 5
    assert len(seen) > 2
    made.build()
    cold = made.root / "cold"
    assert made.build(cold).index_id == made.stored().index_id
    assert made.answers(ASKED) == made.answers(ASKED, cold)


def unwarned(said: list[Any]) -> list[Any]:
    """Without warnings, which compare with the documents of this moment."""
    return [{**one, "answer": {**one["answer"], "warnings": []}} for one in said]


# Readers while an index changes


def rebuilt(project: Project, times: int) -> None:
    for number in range(times):
        for path in sorted(project.docs.rglob("*.md")):
            path.write_text(f"# Other\n\nOther words of round {number} in {path.name}.\n", encoding="utf-8")
        project.build()


@pytest.mark.parametrize("has_asked", [True, False])
def test_an_open_reader_stays_with_its_generation(made: Project, has_asked: bool) -> None:
    said = unwarned(made.answers(ASKED))
    with made.engine() as engine:
        if has_asked:
            said_by(engine, ASKED)
        rebuilt(made, 4)
        assert unwarned(said_by(engine, ASKED)) == said
    assert unwarned(made.answers(ASKED)) != said


@pytest.mark.parametrize("has_asked", [True, False])
def test_an_open_reader_survives_the_removal_of_the_index(made: Project, has_asked: bool, tmp_path: Path) -> None:
    said = unwarned(made.answers(ASKED))
    with made.engine() as engine:
        if has_asked:
            said_by(engine, ASKED)
        made.index.rename(tmp_path / "elsewhere")
        assert unwarned(said_by(engine, ASKED)) == said


def test_several_threads_may_each_have_an_engine(made: Project) -> None:
    said = made.answers(ASKED)
    found: list[list[Any]] = []

    def read() -> None:
        for _ in range(3):
            found.append(made.answers(ASKED))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert found == [said] * 12


def test_a_build_may_run_beside_an_open_engine_in_the_same_process(made: Project) -> None:
    made.write_all(pages(SEED + 1, 120))
    with made.engine() as engine:
        said = unwarned(said_by(engine, ASKED))
        report = made.build(jobs=2)
        assert report.added > 100
        assert unwarned(said_by(engine, ASKED)) == said
    cold = made.root / "cold"
    made.build(cold)
    assert made.answers(ASKED) == made.answers(ASKED, cold)
