"""What an index says depends on the documents and the configuration alone, not on the way it was built."""

from __future__ import annotations

import json
import os
import random
import shutil
import string
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nescio.assembly import building
from nescio.domain.documents import Signature
from nescio.errors import Fault, IngestFault, NotFoundFault
from nescio.index import writing
from nescio.index.manifest import FORMAT, Manifest, PageRow
from nescio.index.store import Store
from nescio.index.terms_search import is_segment
from nescio.index.writing import Carry
from support.corpora import Edit, Words, edits, page, pages, questions
from support.processes import bound_by_modes
from support.projects import Project, command

SEED = 11
ASKED = [*questions(SEED, 25), "what is nothing?", "the", "changes in version 2"]

INCLUDING = "# Tutorial\n\nRun the zebra example below.\n\n{* ../src/main.py *}\n\n{* ../src/absent.py *}\n"
ROW = PageRow("docs", "a.md", "", 1, "", 0, 0, 1, 1, 1, Signature(1, 2, 3, 4), True, {}, ())
MAIN = "def zebra():\n    return 'stripes'\n"


@pytest.fixture
def made(project: Project) -> Project:
    """Forty pages, built once."""
    project.write_all(pages(SEED, 40)).build()
    return project


def apply(project: Project, edit: Edit) -> None:
    path = project.docs / edit.path
    if edit.to is not None:
        (project.docs / edit.to).parent.mkdir(parents=True, exist_ok=True)
        path.rename(project.docs / edit.to)
    elif edit.text is not None:
        project.write(edit.path, edit.text)
    else:
        path.unlink()


def assert_as_cold(project: Project, asked: list[str] = ASKED) -> None:
    """The increments say what a cold build of the same folder says, to the last digit."""
    cold = project.root / "cold"
    shutil.rmtree(cold, ignore_errors=True)
    report = project.build(cold)
    with closing(project.stored()) as here, closing(project.stored(cold)) as there:
        assert here.index_id == there.index_id == report.index_id
        assert (here.documents, here.passages, here.pages) == (there.documents, there.passages, there.pages)
        assert here.corpus.vocabulary.terms() == there.corpus.vocabulary.terms()
        assert list(here.corpus.vocabulary.counts) == list(there.corpus.vocabulary.counts)
        assert here.words() == there.words()
        assert here.manifest.blobs.keys() == there.manifest.blobs.keys()
    assert project.answers(asked) == project.answers(asked, cold)


# Increments


def change_edit(project: Project) -> None:
    project.write(sorted(pages(SEED, 40))[3], "# Quokka\n\nThe quokka is kept in the cellar.\n")


def change_delete(project: Project) -> None:
    (project.docs / sorted(pages(SEED, 40))[5]).unlink()


def change_rename(project: Project) -> None:
    path = project.docs / sorted(pages(SEED, 40))[7]
    path.rename(path.with_name("aaa-renamed.md"))


def change_move(project: Project) -> None:
    (project.docs / "deep" / "er").mkdir(parents=True)
    for path in sorted(pages(SEED, 40))[:10]:
        (project.docs / path).rename(project.docs / "deep" / "er" / Path(path).name)


def change_add(project: Project) -> None:
    project.write("new/numbat.md", "# Numbat\n\nA numbat eats termites.\n")


def change_touch(project: Project) -> None:
    for path in project.docs.rglob("*.md"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def change_empty(project: Project) -> None:
    project.write(sorted(pages(SEED, 40))[9], "")


def change_swap(project: Project) -> None:
    first, second = (project.docs / path for path in sorted(pages(SEED, 40))[:2])
    texts = first.read_bytes(), second.read_bytes()
    first.write_bytes(texts[1])
    second.write_bytes(texts[0])


def change_same_size_and_time(project: Project) -> None:
    """As editors and `cp -p` can: only the inode and the change time tell."""
    path = project.docs / sorted(pages(SEED, 40))[11]
    status = path.stat()
    fresh = path.with_name("beside.tmp")
    fresh.write_bytes(b"x" * status.st_size)
    os.utime(fresh, ns=(status.st_atime_ns, status.st_mtime_ns))
    fresh.replace(path)


def change_nothing(project: Project) -> None:
    pass


CHANGES = [value for name, value in sorted(globals().items()) if name.startswith("change_")]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_an_increment_says_what_a_cold_build_says(made: Project, change: Callable[[Project], None]) -> None:
    change(made)
    made.build()
    assert_as_cold(made)
    assert not [stray for stray in made.strays() if stray.endswith(".tmp")]


def test_many_increments_say_what_a_cold_build_says_and_the_folder_stays_small(made: Project) -> None:
    """Sixty builds: packs are gathered up, the search index is written anew, nothing is left over."""
    sizes, rewritten, dead = [], 0, 0
    for number, edit in enumerate(edits(SEED, sorted(pages(SEED, 40)), 60)):
        apply(made, edit)
        made.build()
        with closing(made.stored()) as stored:
            rewritten += stored.manifest.dead < dead
            dead = stored.manifest.dead
            assert len({row.pack for row in stored.manifest.pages}) <= 50
        sizes.append(sum(path.stat().st_size for path in made.index.rglob("*") if path.is_file()))
        if number % 20 == 19:
            assert_as_cold(made)
    assert rewritten > 0
    assert max(sizes) < 8 * sizes[0]
    assert len(list((made.index / "generations").iterdir())) <= 2
    made.build()
    assert len(list((made.index / "generations").iterdir())) <= 2


def searching(project: Project) -> set[str]:
    """The files of the search index that never change."""
    with closing(project.stored()) as stored:
        return {name for name in stored.manifest.files if is_segment(name)}


def test_small_packs_are_copied_together_and_what_is_searched_stays(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_PACKS", 4)
    paths = sorted(pages(SEED, 40))
    for number in range(5):
        made.write(paths[number], f"# Page {number}\n\nThe quokka of page {number}.\n")
        before, packs = searching(made), len(list((made.index / "packs").iterdir()))
        made.build()
    with closing(made.stored()) as stored:
        assert packs == 5
        assert len(stored.manifest.packs) == 2
    assert len(before & searching(made)) >= len(before) - len(before) // 4  # but for what the search engine merged
    assert_as_cold(made)
    made.settle()
    assert made.strays() == []


def test_packs_that_are_larger_than_all_smaller_ones_stay() -> None:
    rows = [replace(ROW, pack=f"p{at:02d}", length=length) for at, length in enumerate([*[10] * 48, 5_000, 480, 100_000])]
    manifest = Manifest(FORMAT, "", "", (), tuple(rows), {}, 0, 1, {}, "")
    assert writing._small_packs(manifest) == {f"p{at:02d}" for at in (*range(48), 49)}
    assert writing._small_packs(replace(manifest, pages=manifest.pages[:48])) == frozenset()


def test_a_build_that_goes_on_from_memory_says_what_a_cold_build_says(made: Project) -> None:
    """Between two such builds another process builds, one comes to nothing, and one stops half way."""
    carry, secret = Carry(), "glpat-" + "".join(random.Random(SEED).choices(string.ascii_letters + string.digits, k=20))
    for number, edit in enumerate(edits(SEED + 1, sorted(pages(SEED, 40)), 24)):
        apply(made, edit)
        if number % 6 == 5:
            made.build()
        if number % 6 == 3:
            made.write("secret.md", f"# Secret\n\n{secret}\n")
            with pytest.raises(IngestFault):
                building.build(made.configuration(), made.index, carry=carry)
            (made.docs / "secret.md").unlink()
        building.build(made.configuration(), made.index, carry=carry)
        building.build(made.configuration(), made.index, carry=carry)
        if number % 8 == 7:
            assert_as_cold(made)
    made.write("last.md", "# Last\n\nThe numbat eats termites.\n")
    building.build(made.configuration(), made.index, carry=carry)
    assert carry.last is not None
    with closing(made.stored()) as stored:
        assert stored.manifest.encode() == carry.last.manifest.encode()


def test_what_is_in_memory_is_not_believed_where_the_disk_says_otherwise(made: Project) -> None:
    carry = Carry()
    made.write("new.md", "# New\n\nThe numbat eats termites.\n")
    building.build(made.configuration(), made.index, carry=carry)
    (Store(made.index).generation() / "manifest.json").write_bytes(b"{")
    report = building.build(made.configuration(), made.index, carry=carry)
    assert (report.added, report.unchanged) == (41, 0)
    assert_as_cold(made)


def test_an_urgent_build_leaves_a_worn_index_to_one_that_nobody_waits_for(made: Project) -> None:
    urgent = Carry(is_urgent=True)
    with closing(made.stored()) as stored:
        passages = stored.passages
    paths = iter(sorted(pages(SEED, 40)))
    dead = 0
    while dead <= 0.25 * passages:
        made.write(next(paths), "# Quokka\n\nThe quokka is kept in the cellar.\n")
        index_id = building.build(made.configuration(), made.index, carry=urgent).index_id
        with closing(made.stored()) as stored:
            assert stored.manifest.dead >= dead
            dead, passages = stored.manifest.dead, stored.passages
    report = building.build(made.configuration(), made.index, carry=Carry())
    assert (report.unchanged, report.index_id) == (40, index_id)
    with closing(made.stored()) as stored:
        assert stored.manifest.dead == 0
    assert_as_cold(made)


def test_packs_that_hold_nothing_any_more_are_removed(made: Project) -> None:
    for number in range(4):
        for at, path in enumerate(sorted(made.docs.rglob("*.md"))):
            path.write_text(f"# Page {at}\n\nRound {number} of page {at}.\n", encoding="utf-8")
        made.build()
    assert len(list((made.index / "packs").iterdir())) <= 2
    assert_as_cold(made)


def test_a_build_after_which_nothing_is_new_writes_nothing_new(made: Project) -> None:
    before = (made.index / "CURRENT").read_bytes()
    report = made.build()
    assert (made.index / "CURRENT").read_bytes() == before
    assert (report.added, report.changed, report.removed, report.unchanged) == (0, 0, 0, 40)


def test_the_report_counts_what_was_done(made: Project) -> None:
    known = sorted(pages(SEED, 40))
    made.write(known[0], "# New words\n\nAltogether.\n")
    (made.docs / known[1]).unlink()
    made.write("zz/added.md", "# Added\n\nWords.\n")
    report = made.build()
    assert (report.added, report.changed, report.removed, report.unchanged, report.files) == (1, 1, 1, 38, 40)


# Includes


@pytest.fixture
def including(project: Project) -> Project:
    (project.root / ".git").mkdir()
    (project.root / "src").mkdir()
    (project.root / "src" / "main.py").write_text(MAIN, encoding="utf-8")
    project.write_all({"guide/tutorial.md": INCLUDING, "other.md": "# Other\n\nAnother page.\n"}).build()
    return project


ZEBRA = ["what does zebra return?", "how do I run the okapi?", "zebra stripes example"]


def test_a_file_that_a_page_includes_is_followed(including: Project) -> None:
    (including.root / "src" / "main.py").write_text("def okapi():\n    return 'legs'\n", encoding="utf-8")
    report = including.build()
    assert report.changed == 1
    assert_as_cold(including, ZEBRA)
    assert json.dumps(including.answers(["okapi legs"])).count("src/main.py")


def test_a_file_that_a_page_includes_may_appear_and_go(including: Project) -> None:
    absent = including.root / "src" / "absent.py"
    absent.write_text("def okapi():\n    return 'stripes on its legs'\n", encoding="utf-8")
    assert including.build().changed == 1
    assert_as_cold(including, ZEBRA)
    absent.unlink()
    assert including.build().changed == 1
    assert_as_cold(including, ZEBRA)


def test_a_repository_that_begins_later_widens_what_may_be_included(project: Project) -> None:
    (project.root / "src").mkdir()
    (project.root / "src" / "main.py").write_text(MAIN, encoding="utf-8")
    project.write_all({"guide/tutorial.md": INCLUDING}).build()
    (project.root / ".git").mkdir()
    project.build()
    assert_as_cold(project, ZEBRA)


# What it does not depend on


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_number_of_processes_changes_nothing(project: Project, jobs: int) -> None:
    project.write_all(pages(SEED, 90))
    one, other = project.root / "one", project.root / "other"
    project.build(one)
    project.build(other, jobs=jobs)
    assert project.answers(ASKED, one) == project.answers(ASKED, other)


def _asked_in_a_process(project: Project, index: Path, **surroundings: str) -> str:
    built = command(project.root, "build", "docs", "--index", str(index), **surroundings)
    assert built.returncode == 0, built.stderr
    said = [command(project.root, "search", ASKED[0], "--json", "--index", str(index), **surroundings)]
    said += [command(project.root, "ask", one, "--jsonl", "--index", str(index), **surroundings) for one in ASKED[:2]]
    assert all(one.returncode in (0, 1) for one in said)
    return "".join(one.stdout for one in said)


def test_hash_seed_and_locale_change_nothing(project: Project) -> None:
    project.write_all(pages(SEED, 60))
    first = _asked_in_a_process(project, project.root / "one", PYTHONHASHSEED="1", LC_ALL="C", TZ="UTC")
    elsewhere = {"PYTHONHASHSEED": "99", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo", "NESCIO_JOBS": "2"}
    other = _asked_in_a_process(project, project.root / "two", **elsewhere)
    assert first == other


def test_the_order_in_which_files_were_made_changes_nothing(tmp_path: Path) -> None:
    made = pages(SEED, 40)
    said = []
    for number in range(3):
        project = Project(tmp_path / str(number))
        paths = list(made)
        random.Random(number).shuffle(paths)
        project.write_all({path: made[path] for path in paths}).build()
        said.append(project.answers(ASKED))
    assert said[0] == said[1] == said[2]


def test_an_index_copied_elsewhere_with_its_documents_says_the_same(made: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "far" / "away")
    other.root.mkdir(parents=True)
    shutil.copytree(made.docs, other.docs)
    shutil.copytree(made.index, other.index)
    said = made.answers(ASKED)
    copied = other.answers(ASKED)
    assert [without_warnings(one) for one in copied] == [without_warnings(one) for one in said]
    assert other.build().index_id == made.build().index_id
    assert other.answers(ASKED) == said
    assert_as_cold(other)


def test_an_index_copied_without_its_documents_says_that_it_could_not_compare(made: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "far")
    other.root.mkdir()
    shutil.copytree(made.index, other.index)
    copied = other.answers(ASKED)
    assert [without_warnings(one) for one in copied] == [without_warnings(one) for one in made.answers(ASKED)]
    codes = {warning["code"] for one in copied for warning in one["answer"]["warnings"]}
    assert "unchecked" in codes


def without_warnings(said: dict[str, Any]) -> dict[str, Any]:
    return {**said, "answer": {**said["answer"], "warnings": []}}


def test_documents_that_moved_are_looked_for_in_their_new_place(project: Project) -> None:
    settings = '[[source]]\nname = "docs"\npath = "{}"\n'
    (project.root / "nescio.toml").write_text(settings.format("docs"), encoding="utf-8")
    project.write("a.md", "# Apples\n\nApples are kept in the cellar.\n")
    first = project.build()
    project.docs.rename(project.root / "pages")
    (project.root / "nescio.toml").write_text(settings.format("pages"), encoding="utf-8")
    assert project.build().index_id == first.index_id
    assert project.answers(["where are apples kept?"])[0]["answer"]["warnings"] == []


def test_the_order_of_the_sources_changes_nothing(tmp_path: Path) -> None:
    said = []
    for number, order in enumerate([("de", "en"), ("en", "de")]):
        project = Project(tmp_path / str(number))
        (project.root / "de").mkdir(parents=True)
        (project.root / "en").mkdir()
        (project.root / "de" / "a.md").write_text("# Gärten\n\nDie Gärten sind offen. Die Katzen schlafen.\n", encoding="utf-8")
        (project.root / "en" / "a.md").write_text("# Gardens\n\nThe gardens are open. The cats sleep.\n", encoding="utf-8")
        tables = "".join(f'[[source]]\nname = "{name}"\npath = "{name}"\nlanguage = "{name}"\n' for name in order)
        (project.root / "nescio.toml").write_text(tables, encoding="utf-8")
        project.build()
        said.append(project.answers(["gardens open", "katzen", "Katzen schlafen", "unknown words", "garten"]))
    assert said[0] == said[1]


# Roots that are empty or gone


def test_a_root_that_was_full_and_is_empty_is_refused_and_the_index_stands(made: Project) -> None:
    said = made.answers(ASKED)
    shutil.rmtree(made.docs)
    made.docs.mkdir()
    with pytest.raises(IngestFault) as caught:
        made.build()
    assert caught.value.code == "source-empty"
    assert "--allow-empty" in caught.value.hint
    assert [without_warnings(one) for one in made.answers(ASKED)] == [without_warnings(one) for one in said]


def test_a_root_that_is_gone_is_refused_and_the_index_stands(made: Project) -> None:
    said = made.answers(ASKED)
    configuration = made.configuration()
    made.docs.rename(made.root / "elsewhere")
    with pytest.raises((IngestFault, NotFoundFault)) as caught:
        building.build(configuration, made.index)
    assert caught.value.code in ("source-empty", "docs-not-found")
    assert [without_warnings(one) for one in made.answers(ASKED)] == [without_warnings(one) for one in said]


@pytest.mark.parametrize("is_gone", [False, True])
def test_an_empty_or_absent_root_empties_the_index_where_that_is_allowed(made: Project, is_gone: bool) -> None:
    configuration = made.configuration()
    shutil.rmtree(made.docs)
    if not is_gone:
        made.docs.mkdir()
    report = building.build(configuration, made.index, allow_empty=True)
    assert (report.files, report.passages, report.removed) == (0, 0, 40)
    assert made.answers(["anything"])[0]["answer"]["status"] == "refused"


@pytest.mark.parametrize("is_gone", [False, True])
def test_the_command_refuses_a_root_that_was_full(project: Project, is_gone: bool) -> None:
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\n', encoding="utf-8")
    project.write("a.md", "# Apples\n\nApples are kept in the cellar.\n")
    assert command(project.root, "build").returncode == 0
    shutil.rmtree(project.docs)
    if not is_gone:
        project.docs.mkdir()
    refused = command(project.root, "build", "--json")
    assert refused.returncode == (2 if is_gone else 3)
    assert "docs" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "cellar" in command(project.root, "ask", "where are apples kept?").stdout
    assert command(project.root, "build", "--allow-empty").returncode == 0
    assert command(project.root, "ask", "where are apples kept?").returncode == 1


def test_a_source_that_never_had_a_page_may_be_empty(project: Project) -> None:
    assert project.build().files == 0
    assert project.build().files == 0


# Files that vanish, or cannot be read


def test_a_file_that_vanishes_during_the_build_counts_as_removed(made: Project) -> None:
    made.write("aaa.md", "# First\n\nThe first page of all.\n")
    victims = sorted(made.docs.rglob("*.md"))[-5:]
    for victim in victims:
        victim.write_text("# Changed\n\nWill not be seen.\n", encoding="utf-8")

    def vanish(done: int, total: int, path: str) -> None:
        for victim in victims:
            victim.unlink(missing_ok=True)

    report = building.build(made.configuration(), made.index, progress=vanish)
    assert report.skipped == ()
    assert report.removed == len(victims)
    assert_as_cold(made)


def test_a_file_that_vanishes_with_the_whole_folder_counts_as_removed(project: Project) -> None:
    project.write_all({"a.md": "# A\n\nFirst.\n", "b/c.md": "# C\n\nThird.\n"})
    report = building.build(project.configuration(), project.index, progress=lambda *_: shutil.rmtree(project.docs / "b", True))
    assert (report.files, report.skipped) == (1, ())


@pytest.mark.skipif(os.name == "nt", reason="modes are a matter of POSIX")
def test_a_file_that_can_no_longer_be_read_keeps_its_page(made: Project) -> None:
    said = made.answers(ASKED)
    victim = sorted(made.docs.glob("*.md"))[0]
    folder = sorted(path for path in made.docs.iterdir() if path.is_dir())[0]
    victim.chmod(0)
    folder.chmod(0)
    try:
        result = bound_by_modes(made.root, "build", "docs", "--json")
    finally:
        victim.chmod(0o644)
        folder.chmod(0o755)
    report = json.loads(result.stdout)
    assert result.returncode == 3
    assert {notice["code"] for notice in report["skipped"]} == {"file-unreadable", "folder-unreadable"}
    assert (report["files"], report["removed"]) == (40, 0)
    assert report["kept"] >= 2
    assert [without_warnings(one) for one in made.answers(ASKED)] == [without_warnings(one) for one in said]


@pytest.mark.skipif(os.name == "nt", reason="modes are a matter of POSIX")
def test_a_root_that_cannot_be_looked_at_never_empties_an_index(project: Project) -> None:
    """Not even with another configuration, with which nothing that was read before can be kept."""
    settings = '[[source]]\nname = "docs"\npath = "docs"\n'
    (project.root / "nescio.toml").write_text(settings, encoding="utf-8")
    project.write("a.md", "# Apples\n\nApples are kept in the cellar.\n")
    project.build()
    (project.root / "nescio.toml").write_text(settings + 'exclude = ["nothing"]\n', encoding="utf-8")
    project.docs.chmod(0)
    try:
        result = bound_by_modes(project.root, "build")
    finally:
        project.docs.chmod(0o755)
    assert result.returncode == 3
    assert project.answers(["where are apples kept?"])[0]["answer"]["status"] == "answered"


def test_a_page_that_is_no_document_any_more_leaves_the_index(made: Project) -> None:
    victim = sorted(made.docs.rglob("*.md"))[0]
    victim.write_bytes(b"\xff\xfe\x00broken\x00\x00")
    report = made.build()
    assert [notice.code for notice in report.skipped] != []
    assert report.files == 39
    assert_as_cold(made)


# The folder itself


def test_the_index_folder_inside_the_documents_is_not_read(project: Project) -> None:
    project.write("a.md", "# Apples\n\nApples are kept in the cellar.\n")
    for index in (project.docs / ".nescio", project.docs / "index-of-mine"):
        first = project.build(index)
        (index / "note.md").write_text("# Note\n\nNever to be read.\n", encoding="utf-8")
        assert project.build(index).index_id == first.index_id
        assert first.files == 1


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_index_folder_ignores_itself_in_git(project: Project) -> None:
    subprocess.run(["git", "init", "-q", str(project.root)], check=True)
    project.write("a.md", "# Apples\n\nApples are kept in the cellar.\n")
    project.build()
    status = subprocess.run(["git", "status", "--porcelain"], cwd=project.root, capture_output=True, text=True, check=True)
    assert status.stdout == "?? docs/\n"


def test_another_configuration_builds_everything_anew(made: Project) -> None:
    (made.root / "nescio.toml").write_text('[[source]]\nname = "docs"\npath = "docs"\nexclude = ["/guide"]\n', encoding="utf-8")
    report = made.build()
    assert report.unchanged == 0
    assert_as_cold(made)


def test_the_words_of_a_page_may_be_anything(project: Project) -> None:
    """Lone surrogates of a JSON string, controls, separators: they must not stop a build, and increments over them neither."""
    project.docs.mkdir(exist_ok=True)
    source = ["# Odd \ud800zebra\n", "\n", "Text \udfff\ud800 and \u2028 zebra\x0b\x1f here.\n"]
    cells = [{"cell_type": "markdown", "metadata": {}, "source": source}]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    project.write("odd.ipynb", notebook)
    project.write("plain.md", "# Plain\n\nA zebra.\n")
    assert project.build().skipped == ()
    project.write("odd.ipynb", notebook.replace("here", "there"))
    project.build()
    assert_as_cold(project, ["zebra", "odd \ud800zebra", "zebra there"])


def test_a_fault_in_a_progress_callback_leaves_the_index_alone(made: Project) -> None:
    said = made.answers(ASKED)
    made.write("zzz.md", "# New\n\nNew words.\n")

    def stop(done: int, total: int, path: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        building.build(made.configuration(), made.index, progress=stop)
    assert made.strays() == []
    assert made.answers(ASKED) == said


def test_faults_of_a_build_are_ours(project: Project) -> None:
    project.write("a.md", page(random.Random(1), Words(1)))
    (project.root / "file").write_text("", encoding="utf-8")
    with pytest.raises(Fault):
        project.build(project.root / "file")
