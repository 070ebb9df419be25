"""A watcher builds what changes, by itself, in a process of its own: real files, real processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nescio.assembly.live.following import Following
from nescio.assembly.live.watched_files import WatchedFiles
from nescio.assembly.live.watching import Watcher, WatchState
from nescio.domain.answers import Answer
from support import corpora
from support.processes import is_root
from support.projects import Project

pytest.importorskip("watchfiles", reason="the extra serve is not installed")

QUESTION = "What is the base fact?"
PATIENCE = 30.0
SECRET = "AKIA" + "QX3ZJ7LMNP2RSTUV"


def fact(number: int) -> str:
    return f"# Base\n\nThe base fact is {number}.\n"


def until(holds: Callable[[], object], told: Callable[[], object] = lambda: "") -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, told()
        time.sleep(0.01)


@contextmanager
def watched(project: Project, **flags: object) -> Iterator[tuple[Watcher, Following]]:
    """A watcher that has built once, and an engine that follows it."""
    configuration = project.configuration(**flags)
    with Watcher(configuration, project.index) as watcher, Following(configuration, project.index) as following:
        until(lambda: watcher.state.state in ("watching", "failed"), lambda: watcher.state)
        yield watcher, following


def said(following: Following, question: str = QUESTION) -> str:
    with following.engine() as engine:
        answer = engine.ask(question)
    return answer.quotes[-1].text.strip() if isinstance(answer, Answer) else "refused"


def is_quiet(watcher: Watcher) -> bool:
    """Whether nothing is built now, and nothing is about to be."""
    before = watcher.state
    time.sleep(0.5)
    return watcher.state == before and before.state == "watching"


def cold(project: Project, tmp_path: Path) -> Path:
    """A new index of the same files."""
    index = tmp_path / "cold"
    shutil.rmtree(index, ignore_errors=True)
    project.build(index)
    return index


def test_what_an_editor_does_to_a_page_is_seen(project: Project) -> None:
    page = project.write("base.md", fact(1))
    with watched(project) as (watcher, following):
        assert said(following) == "The base fact is 1."
        page.write_text(fact(2), "utf-8")
        until(lambda: said(following) == "The base fact is 2.")
        beside = page.with_name(".base.md.swp")
        beside.write_text(fact(3), "utf-8")
        beside.replace(page)
        until(lambda: said(following) == "The base fact is 3.")
        page.rename(page.with_name("base.md~"))
        page.write_text(fact(4), "utf-8")
        until(lambda: said(following) == "The base fact is 4.")
        page.unlink()
        project.write("deep/down/moved.md", fact(5))
        until(lambda: said(following) == "The base fact is 5.")
        (project.docs / "deep").rename(project.root / "elsewhere")
        project.write("other.md", "# Other\n\nHerons stand on one leg.\n")
        until(lambda: said(following, "On how many legs do herons stand?").startswith("Herons"))
        assert said(following) == "refused"
        (project.root / "elsewhere").rename(project.docs / "back")
        until(lambda: said(following) == "The base fact is 5.")
        assert watcher.state.failed_builds == 0


def test_a_folder_that_is_moved_away_goes(project: Project) -> None:
    project.write_all({"stays.md": "# Stays\n\nHerons stand on one leg.\n", "deep/base.md": fact(1)})
    with watched(project) as (_, following):
        assert said(following) == "The base fact is 1."
        time.sleep(2.0)  # a quiet second, in which it learns which folders there are
        (project.docs / "deep").rename(project.root / "elsewhere")
        until(lambda: said(following) == "refused")


def test_after_many_changes_the_index_is_that_of_a_cold_build(project: Project, tmp_path: Path) -> None:
    pages = corpora.pages(7, 20)
    project.write_all(pages)
    with watched(project) as (watcher, following):
        for edit in corpora.edits(7, sorted(pages), 60):
            path = project.docs / edit.path
            if edit.to is not None:
                (project.docs / edit.to).parent.mkdir(parents=True, exist_ok=True)
                path.rename(project.docs / edit.to)
            elif edit.text is None:
                path.unlink()
            else:
                project.write(edit.path, edit.text)
        until(lambda: is_quiet(watcher))
        fresh = cold(project, tmp_path)
        with project.engine(fresh) as engine:
            until(lambda: following.index_id == engine.index_id, lambda: (watcher.state, following.fault))
        assert watcher.state.builds < 20
    asked = corpora.questions(7, 15)
    assert project.answers(asked) == project.answers(asked, fresh)


def test_a_switch_of_branches_takes_few_builds(project: Project, tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *names, *arguments], cwd=project.root, check=True, capture_output=True)

    if shutil.which("git") is None:
        pytest.skip("there is no git")
    (project.root / ".gitignore").write_text(".nescio/\n", "ascii")
    project.write_all({f"p{number:04}.md": f"# P {number}\n\nHeron {number} stands.\n" for number in range(300)})
    project.write("base.md", fact(1))
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "one")
    git("checkout", "-b", "other")
    project.write_all({f"p{number:04}.md": f"# P {number}\n\nCrane {number} flies.\n" for number in range(300)})
    project.write("base.md", fact(2))
    git("commit", "-am", "two")
    project.build()
    with watched(project) as (watcher, following):
        before = watcher.state.builds
        for branch, number in (("main", 1), ("other", 2)):
            git("checkout", branch)
            until(lambda number=number: said(following) == f"The base fact is {number}.")  # type: ignore[misc]
        until(lambda: is_quiet(watcher))
        assert watcher.state.builds - before <= 4
        assert watcher.state.index_id == following.look()
        assert project.build(cold(project, tmp_path)).index_id == following.index_id


def test_what_no_build_reads_is_left_alone(project: Project) -> None:
    project.write("base.md", fact(1))
    project.write(".gitignore", "drafts/\n")
    with watched(project) as (watcher, following):
        until(lambda: is_quiet(watcher))
        before = watcher.state.builds
        for path in ("picture.png", ".hidden.md", "node_modules/readme.md", "drafts/note.md", ".git/HEAD.md", "4913"):
            project.write(path, "nothing")
            (project.docs / path).unlink()
        time.sleep(0.6)
        folders = watcher.state.builds - before  # a new folder may hold anything
        assert folders <= 1
        project.write("base.md", fact(2))
        until(lambda: said(following) == "The base fact is 2.")


def test_included_files_elsewhere_are_watched(project: Project) -> None:
    (project.root / ".git").mkdir()
    code = project.root / "src" / "base.md"
    code.parent.mkdir()
    code.write_text("The base fact is 1.\n", "utf-8")
    project.write("page.md", '# Base\n\nWhat the base fact is:\n\n--8<-- "src/base.md"\n')
    with watched(project) as (watcher, following):
        assert said(following) == "What the base fact is:\n\nThe base fact is 1."
        until(lambda: is_quiet(watcher))
        code.write_text("The base fact is 2.\n", "utf-8")
        until(lambda: said(following) == "What the base fact is:\n\nThe base fact is 2.", lambda: watcher.state)


def test_a_folder_that_vanished_is_watched_again(project: Project) -> None:
    project.write("base.md", fact(1))
    with watched(project) as (watcher, following):
        away = project.root / "away"
        project.docs.rename(away)
        until(lambda: watcher.state.state == "failed")
        assert watcher.state.code == "docs-not-found"
        assert watcher.state.hint
        assert said(following) == "The base fact is 1."
        away.rename(project.docs)
        until(lambda: watcher.state.state == "watching")
        project.write("base.md", fact(2))
        until(lambda: said(following) == "The base fact is 2.")


def test_a_folder_that_is_empty_at_once_keeps_its_pages(project: Project) -> None:
    page = project.write("base.md", fact(1))
    with watched(project) as (watcher, following):
        page.unlink()
        until(lambda: watcher.state.code == "source-empty")
        assert said(following) == "The base fact is 1."
        project.write("base.md", fact(2))
        until(lambda: said(following) == "The base fact is 2.")
        assert watcher.state.code == ""


def test_a_secret_is_told_and_nothing_of_it_is_indexed(project: Project) -> None:
    project.write("base.md", fact(1))
    with watched(project) as (watcher, following):
        project.write("base.md", fact(2) + f"\nkey = {SECRET}\n")
        until(lambda: watcher.state.code == "secrets-found")
        assert watcher.state.state == "failed"
        assert SECRET not in watcher.state.message
        assert "docs/base.md:5" in watcher.state.message
        assert said(following) == "The base fact is 1."
        project.write("base.md", fact(2))
        until(lambda: said(following) == "The base fact is 2.")
        assert (watcher.state.state, watcher.state.code) == ("watching", "")


def test_files_that_cannot_be_read_are_told(project: Project) -> None:
    project.write("base.md", fact(1))
    with watched(project) as (watcher, following):
        (project.docs / "broken.md").write_bytes(b"# A\n\nnot \xff\xfe text\n")
        until(lambda: watcher.state.code == "files-skipped")
        assert watcher.state.state == "watching"
        assert "docs/broken.md (not-utf8)" in watcher.state.message
        if not is_root():
            (project.docs / "base.md").chmod(0)
            until(lambda: "docs/base.md" in watcher.state.message)
            assert said(following) == "The base fact is 1."
            (project.docs / "base.md").chmod(0o600)
        (project.docs / "broken.md").unlink()
        until(lambda: watcher.state.code == "")


def test_it_compares_when_asked_and_from_time_to_time(project: Project) -> None:
    project.write("base.md", fact(1))
    with watched(project, serve__reconcile_seconds=0.2) as (watcher, _):
        before = watcher.state.builds
        until(lambda: watcher.state.builds >= before + 2)
    with watched(project) as (watcher, _):
        until(lambda: is_quiet(watcher))
        before = watcher.state.builds
        watcher.reconcile()
        until(lambda: watcher.state.builds == before + 1)


def test_another_build_that_is_busy_is_told_and_waited_for(project: Project) -> None:
    project.write("base.md", fact(1))
    with watched(project, limits__lock_seconds=0.1) as (watcher, following):
        from nescio.index.store import Store

        with Store(project.index).writing(1.0):
            project.write("base.md", fact(2))
            until(lambda: watcher.state.code == "index-busy")
            assert said(following) == "The base fact is 1."
        watcher.reconcile()
        until(lambda: said(following) == "The base fact is 2.")


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_watching_process_that_is_lost_is_started_again(project: Project) -> None:
    project.write("base.md", fact(1))
    with watched(project) as (watcher, following):
        states: list[WatchState] = []
        watcher.on_state(states.append)
        builds = watcher.state.builds
        os.kill(_child_of(os.getpid()), signal.SIGKILL)
        until(lambda: any(state.code == "watcher-lost" for state in states))
        project.write("base.md", fact(2))
        until(lambda: said(following) == "The base fact is 2.")
        until(lambda: watcher.state.state == "watching")
        assert watcher.state.builds > builds
        child = _child_of(os.getpid())
    assert watcher.state.state == "ended"
    assert not Path(f"/proc/{child}").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
@pytest.mark.parametrize("end", ["killed", "interrupted", "over"])
def test_however_the_parent_ends_the_watching_process_ends(project: Project, end: str) -> None:
    project.write("base.md", fact(1))
    program = """
        import sys, time
        from pathlib import Path
        from nescio.assembly.live.watching import Watcher
        from nescio.config.loading import load

        if __name__ == "__main__":
            root = Path(sys.argv[1])
            watcher = Watcher(load(root, environ={}, flags={"jobs": 1}), root / ".nescio")
            watcher.start()
            while watcher.state.state != "watching":
                time.sleep(0.01)
            print("there", flush=True)
            sys.stdin.read()
    """
    file = project.root / "program.py"
    file.write_text(textwrap.dedent(program), "utf-8")
    arguments = [sys.executable, str(file), str(project.root)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdin is not None
        assert parent.stdout.readline() == b"there\n"
        child = _child_of(parent.pid)
        if end == "over":
            parent.stdin.close()
        else:
            parent.send_signal(signal.SIGKILL if end == "killed" else signal.SIGINT)
        until(lambda: not Path(f"/proc/{child}").exists())
        assert parent.wait(10) == (0 if end == "over" else -(signal.SIGKILL if end == "killed" else signal.SIGINT))


def _child_of(parent: int) -> int:
    """The process that watches for another: the one with threads of its own."""
    found = []
    for name in filter(str.isdigit, (path.name for path in Path("/proc").iterdir())):
        try:
            status = Path("/proc", name, "status").read_text("ascii")
            command = Path("/proc", name, "cmdline").read_bytes()
        except OSError:
            continue
        if f"\nPPid:\t{parent}\n" in status and b"spawn_main" in command:
            found.append(int(name))
    assert len(found) == 1, found
    return found[0]


def test_it_ends_quickly_in_the_middle_of_a_build(project: Project) -> None:
    project.write_all({f"p{number:04}.md": f"# P {number}\n\nHeron {number} stands.\n" for number in range(400)})
    watcher = Watcher(project.configuration(), project.index)
    watcher.start()
    until(lambda: watcher.state.state == "building")
    started = time.monotonic()
    watcher.close()
    watcher.close()
    assert time.monotonic() - started < 2.0
    assert watcher.state.state == "ended"
    assert not [thread for thread in threading.enumerate() if thread.name == "nescio-watching"]
    project.build()


def test_without_events_of_the_system_files_are_compared(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    project.write("base.md", fact(1))
    with watched(project) as (_, following):
        changed = project.write("base.md", fact(2))
        later = changed.stat().st_mtime + 5  # whoever compares files looks at whole seconds
        os.utime(changed, (later, later))
        until(lambda: said(following) == "The base fact is 2.")


def test_which_events_matter(project: Project) -> None:
    (project.root / ".git").mkdir()
    (project.root / ".gitignore").write_text("*.tmp.md\nout/\n", "ascii")
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\nexclude = ["private/", "*.x.md"]\n', "ascii")
    project.write("sub/.gitignore", "!keep.tmp.md\n")
    files = WatchedFiles(project.configuration(), project.docs / "index")
    docs = Path(os.path.realpath(project.docs))

    def matters(path: str) -> bool:
        return files.matter([str(docs / path)])

    kept = ("a.md", "sub/a.RST", "sub/keep.tmp.md", ".gitignore", "sub/.gitignore", "versions.json", "sub", "gone.ipynb")
    ignored = (
        "a.png",
        "a.tmp.md",
        "out/a.md",
        "sub/out/a.md",
        "private/a.md",
        "a.x.md",
        ".a.md",
        "index/a.md",
        "index",
        "gone",
    )
    assert [path for path in kept if not matters(path)] == []
    assert [path for path in ignored if matters(path)] == []
    assert not files.matter([str(docs.parent / "beside.md")])
