"""An engine that follows the index: whoever builds, the next question is answered from the newest whole generation."""

from __future__ import annotations

import gc
import shutil
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from nescio.assembly.live.following import Following
from nescio.assembly.live.turns import Turns
from nescio.domain.answers import Answer
from nescio.errors import Fault, NotFoundFault, StorageFault, UsageFault
from nescio.index.store import Store
from support.projects import Project, command

QUESTION = "What is the base fact?"
PATIENCE = 20.0
WITH_READERS = '[facets]\naudience = "audience"\n\n[[source]]\npath = "docs"\n'


def fact(number: int) -> str:
    return f"# Base\n\nThe base fact is {number}.\n"


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.005)


def said(following: Following) -> str:
    with following.engine() as engine:
        answer = engine.ask(QUESTION)
    assert isinstance(answer, Answer)
    return answer.quotes[0].text.strip()


@pytest.fixture
def built(project: Project) -> Project:
    project.write("base.md", fact(41))
    project.build()
    return project


def test_a_build_is_seen_by_itself(built: Project) -> None:
    with Following(built.configuration(), built.index) as following:
        assert said(following) == "The base fact is 41."
        before = following.generation
        built.write("base.md", fact(42))
        report = built.build()
        until(lambda: following.generation == report.generation)
        assert following.generation != before
        assert following.index_id == report.index_id
        assert said(following) == "The base fact is 42."


def test_a_build_of_another_process_is_seen(built: Project) -> None:
    with Following(built.configuration(), built.index) as following:
        assert said(following) == "The base fact is 41."
        built.write("base.md", fact(42))
        assert command(built.root, "build").returncode == 0
        until(lambda: said(following) == "The base fact is 42.")


def test_a_look_sees_a_build_at_once(built: Project) -> None:
    following = Following(built.configuration(), built.index)
    first = following.look()
    built.write("base.md", fact(42))
    report = built.build()
    assert following.index_id == first
    assert following.look() == report.index_id
    assert said(following) == "The base fact is 42."
    following.close()


def test_without_an_index_it_is_a_fault_until_there_is_one(project: Project) -> None:
    with Following(project.configuration(), project.index) as following:
        with pytest.raises(NotFoundFault) as caught, following.engine():
            pass
        assert caught.value.code == "no-index"
        assert caught.value.hint
        assert (following.index_id, following.generation) == (None, None)
        with pytest.raises(NotFoundFault):
            following.look()
        project.write("base.md", fact(41))
        project.build()
        until(lambda: following.index_id is not None)
        assert said(following) == "The base fact is 41."
        assert following.fault is None


def test_a_generation_that_cannot_be_opened_leaves_the_older_one(built: Project) -> None:
    with Following(built.configuration(), built.index) as following:
        assert said(following) == "The base fact is 41."
        built.write("base.md", fact(42))
        name = built.build().generation
        until(lambda: following.generation == name)
        manifest = Store(built.index).generation() / "manifest.json"
        broken = Store(built.index).generations / "g999999-00000000"
        shutil.copytree(manifest.parent, broken)
        (broken / "manifest.json").write_text("{", "ascii")
        Store(built.index).point_to(broken.name)
        until(lambda: following.fault is not None)
        assert following.fault is not None
        assert following.fault.code == "index-damaged"
        assert said(following) == "The base fact is 42."
        with pytest.raises(StorageFault):
            following.look()
        Store(built.index).point_to(name)
        until(lambda: following.fault is None)
        assert following.generation == name


def test_the_folder_may_vanish_and_come_back(built: Project) -> None:
    with Following(built.configuration(), built.index) as following:
        assert said(following) == "The base fact is 41."
        away = built.root / "away"
        built.index.rename(away)
        until(lambda: following.fault is not None)
        assert following.fault is not None
        assert following.fault.code == "no-index"
        assert said(following) == "The base fact is 41."
        away.rename(built.index)
        until(lambda: following.fault is None)
        assert said(following) == "The base fact is 41."


def test_a_pointer_that_is_no_file_leaves_the_older_one(built: Project) -> None:
    with Following(built.configuration(), built.index) as following:
        assert said(following) == "The base fact is 41."
        pointer = built.index / "CURRENT"
        name = pointer.read_bytes()
        pointer.unlink()
        pointer.mkdir()
        until(lambda: following.fault is not None)
        assert said(following) == "The base fact is 41."
        pointer.rmdir()
        pointer.write_bytes(name)
        until(lambda: following.fault is None)


def test_every_change_is_told_once(built: Project) -> None:
    told: list[str] = []
    threads: set[str] = set()

    def listen(index_id: str) -> None:
        told.append(index_id)
        threads.add(threading.current_thread().name)
        raise RuntimeError("what a listener raises stops nothing")

    following = Following(built.configuration(), built.index)
    following.on_change(listen)
    with following:
        expected = [built.build().index_id]
        until(lambda: told == expected)
        for number in (42, 43):
            built.write("base.md", fact(number))
            expected.append(built.build().index_id)
            until(lambda: told[-1] == expected[-1])
            following.look()
        time.sleep(0.25)
    assert list(dict.fromkeys(told)) == expected
    assert threads == {"nescio-following"}


def test_after_it_was_closed_nothing_is_answered(built: Project) -> None:
    following = Following(built.configuration(), built.index)
    following.start()
    assert said(following) == "The base fact is 41."
    following.close()
    following.close()
    for ask in (following.look, lambda: said(following)):
        with pytest.raises(UsageFault) as caught:
            ask()
        assert caught.value.code == "index-closed"
    assert "nescio-following" not in {thread.name for thread in threading.enumerate()}


def test_closing_gives_everything_back_without_a_collection(built: Project) -> None:
    """A collection of a large index's objects would stop all answering meanwhile."""
    (built.root / "nescio.toml").write_text(WITH_READERS, "utf-8")
    for audience in ("customers", "staff"):
        built.write(f"{audience}.md", f"---\naudience: {audience}\n---\n# For {audience}\n\nThe {audience} fact is 7.\n")
    built.build()
    gc.collect()
    gc.disable()
    try:
        engine = built.engine()
        for asked in (engine, engine.within(reader_view=["audience=customers"]), engine.within(reader_view=["audience=none"])):
            asked.ask(QUESTION)
            asked.ask("What is the bsae fact?")
            asked.ask("What does frobnicatt mean?")
            asked.show(asked.search(QUESTION).hits[0].quote.passage_id)
        kept = [weakref.ref(one) for one in (engine, engine.index, asked, asked.index)]
        engine.close()
        del engine, asked
        assert [one() for one in kept] == [None] * len(kept)
    finally:
        gc.enable()


def test_no_question_sees_half_of_an_index_or_none(built: Project) -> None:
    """Each answer is wholly of one index, while twenty builds pass and one of them fails half way."""
    numbers = {built.build().index_id: 41}
    seen: list[tuple[str, str]] = []
    faults: list[Fault] = []
    done = threading.Event()

    def ask(following: Following) -> None:
        while not done.is_set():
            try:
                with following.engine() as engine:
                    answer = engine.ask(QUESTION)
                    assert answer.searched.index_id == engine.index_id
            except Fault as fault:
                faults.append(fault)
                continue
            seen.append((answer.searched.index_id, answer.quotes[0].text if isinstance(answer, Answer) else "refused"))

    with Following(built.configuration(), built.index) as following:
        askers = [threading.Thread(target=ask, args=(following,)) for _ in range(3)]
        for asker in askers:
            asker.start()
        for number in range(20):
            built.write("base.md", fact(42 + number))
            built.write("other.md", f"# Other\n\nA page about the herons of {number}.\n")
            if number == 10:
                built.write("other.md", "# Other\n\nkey = AKIA" + "QX3ZJ7LMNP2RSTUV" + "\n")
                with pytest.raises(Fault):
                    built.build()
                continue
            report = built.build()
            numbers[report.index_id] = 42 + number
            until(lambda name=report.index_id: following.index_id == name)  # type: ignore[misc]
        done.set()
        for asker in askers:
            asker.join()
    assert not faults
    assert {index_id for index_id, _ in seen} <= set(numbers)
    assert all(text.strip() == f"The base fact is {numbers[index_id]}." for index_id, text in seen)
    assert len({index_id for index_id, _ in seen}) > 10


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_many_swaps_leave_nothing_behind(built: Project) -> None:
    def held() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    with Following(built.configuration(), built.index) as following:
        files: list[int] = []
        memory: list[int] = []
        for number in range(50):
            built.write("base.md", fact(number))
            name = built.build().generation
            until(lambda name=name: following.generation == name)  # type: ignore[misc]
            assert said(following) == f"The base fact is {number}."
            found = held()
            files.append(found[0])
            memory.append(found[1])
    assert max(files[10:]) <= max(files[:10]) + 16
    assert memory[-1] - memory[25] < 64 * 1024 * 1024


def test_turns_are_taken_in_the_order_of_asking() -> None:
    turns = Turns()
    order: list[int] = []

    def take(number: int) -> None:
        with turns:
            order.append(number)

    takers = [threading.Thread(target=take, args=(number,)) for number in range(8)]
    with turns:
        for count, taker in enumerate(takers, 1):
            taker.start()
            until(lambda count=count: len(turns._waiting) == count)  # type: ignore[misc]
    for taker in takers:
        taker.join()
    assert order == list(range(8))
    with turns:
        order.append(8)


def test_what_is_typed_is_completed_from_the_newest_generation(built: Project) -> None:
    def suggested(following: Following) -> list[str]:
        with following.engine() as engine:
            return [one.text for one in engine.suggest("b")]

    with Following(built.configuration(), built.index) as following:
        assert suggested(following) == ["Base"]
        built.write("more.md", "# Better\n\nMore text.\n")
        built.build()
        until(lambda: suggested(following) == ["Base", "Better"])
