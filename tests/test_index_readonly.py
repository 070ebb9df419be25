"""A reader never writes: an index on a read-only disk, or of somebody else, answers all the same."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.corpora import Words, pages, questions
from support.processes import all_bound_by_modes, bound_by_modes, give_away, make_unwritable, make_writable
from support.projects import Project, listing

SEED = 31
ASKED = questions(SEED, 12)
WORDS = Words(SEED).words[0]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes are a matter of POSIX")


@pytest.fixture
def made(project: Project) -> Iterator[Project]:
    """Documents that cannot be written, with an index that can."""
    project.write_all(pages(SEED, 30))
    make_unwritable(project.docs)
    project.build()
    yield project
    make_writable(project.root)


def everything(project: Project, **surroundings: str) -> str:
    """What all commands that read say, from a process to which modes apply."""
    commands = [["ask", "--json", question] for question in ASKED]
    commands += [["search", "--json", WORDS], ["show", "--json", an_id(project)], ["status", "--json"]]
    return all_bound_by_modes(project.root, commands, **surroundings)


def an_id(project: Project) -> str:
    with project.engine() as engine:
        return engine.search(WORDS).hits[0].quote.passage_id


def test_a_reader_changes_nothing_in_the_index_or_the_documents(made: Project) -> None:
    before = listing(made.root)
    made.answers(ASKED)
    everything(made)
    assert listing(made.root) == before


def test_a_read_only_index_answers_as_a_writable_one(made: Project) -> None:
    said = everything(made)
    make_unwritable(made.index)
    before = listing(made.root)
    assert everything(made) == said
    assert listing(made.root) == before


def test_an_index_of_somebody_else_answers(made: Project) -> None:
    said = everything(made)
    give_away(made.index)
    assert everything(made) == said
    make_unwritable(made.index)
    assert everything(made) == said


def test_no_home_and_no_place_for_temporary_files_are_needed(made: Project) -> None:
    said = everything(made)
    make_unwritable(made.index)
    give_away(made.index)
    nowhere = {"HOME": "", "TMPDIR": "/nonexistent", "TMP": "/nonexistent", "TEMP": "/nonexistent"}
    assert everything(made, **nowhere) == said


def test_nothing_is_left_behind_where_temporary_files_are(made: Project, tmp_path: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    place.chmod(0o777)
    give_away(made.index)
    make_unwritable(made.index)
    everything(made, TMPDIR=str(place))
    assert list(place.iterdir()) == []


def test_every_file_may_be_read_by_everybody_that_the_umask_allows(project: Project) -> None:
    project.write_all(pages(SEED, 10))
    before = os.umask(0o022)
    try:
        project.build()
        project.write("fresh.md", "# Fresh\n\nFresh words.\n")
        project.build()
    finally:
        os.umask(before)
    for path in project.index.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o755 if path.is_dir() else 0o644), path


def test_the_umask_is_kept(project: Project) -> None:
    project.write_all(pages(SEED, 5))
    before = os.umask(0o077)
    try:
        project.build()
    finally:
        os.umask(before)
    # the lock has nothing in it, and its mode is its library's
    assert not [path for path in project.index.rglob("*") if path.stat().st_mode & 0o077 and path.name != "lock"]


def test_an_index_without_its_lock_files_answers(made: Project, tmp_path: Path) -> None:
    """As after a copy that leaves hidden files out."""
    said = made.answers(ASKED)
    other = tmp_path / "copied"
    shutil.copytree(made.index, other, ignore=shutil.ignore_patterns(".*"))
    assert made.answers(ASKED, other) == said
    assert not [path for path in other.rglob("*") if path.name.startswith(".")]
    assert made.build(other).unchanged == 30
    make_writable(made.docs)
    made.write("fresh.md", "# Fresh\n\nFresh words.\n")
    assert made.build(other).added == 1


def test_a_build_of_a_read_only_index_is_a_clear_fault(made: Project) -> None:
    make_writable(made.docs)
    made.write("fresh.md", "# Fresh\n\nFresh words.\n")
    said = everything(made)
    give_away(made.index)
    make_unwritable(made.index)
    done = bound_by_modes(made.root, "build", "--json")
    assert done.returncode == 5
    assert json.loads(done.stderr)["error"]["code"] == "permission-denied"
    assert everything(made) == said


def test_an_answer_stands_and_warns_where_the_documents_may_not_be_read(made: Project) -> None:
    answered = next(said["answer"]["question"] for said in made.answers(ASKED) if said["answer"]["status"] == "answered")
    made.docs.chmod(0)
    done = bound_by_modes(made.root, "ask", "--json", answered)
    made.docs.chmod(0o755)
    assert done.returncode == 0
    assert json.loads(done.stdout)["warnings"]
