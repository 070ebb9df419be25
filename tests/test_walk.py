"""The walk finds each document once, in one order, and survives what lies beside them."""

from __future__ import annotations

import os
import random
import shutil
import socket
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.errors import IngestFault, NotFoundFault
from nescio.ingest.walk import WalkResult, walk

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs links, modes and pipes")
NOBODY = 65534


def write(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# Words\n", encoding="utf-8")


def paths_of(result: WalkResult) -> list[str]:
    return [found.path for found in result.files]


def notices_of(result: WalkResult) -> list[tuple[str, str]]:
    return [(notice.code, notice.path) for notice in result.notices]


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that another user may enter, unlike tmp_path."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def without_privileges() -> Iterator[None]:
    """As an ordinary user, for whom modes mean something."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_documents_are_found_in_order_of_their_path(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/z.rst", "a.md", "a/b/c.TXT", "Z.html", "n.ipynb", "é.md", "a-b.md")
    found = walk(tmp_path)
    assert paths_of(found) == ["Z.html", "a-b.md", "a.md", "a/b/c.TXT", "a/z.rst", "b.md", "n.ipynb", "é.md"]
    assert found.notices == ()
    assert found.files[0].absolute == str(tmp_path.resolve() / "Z.html")
    assert found.files[0].size == len("# Words\n")


def test_what_is_no_document_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "logo.png", "Makefile", "README")
    assert paths_of(walk(tmp_path)) == ["a.md"]
    assert paths_of(walk(tmp_path, suffixes=())) == ["Makefile", "README", "a.md", "logo.png"]


def test_hidden_and_machine_folders_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.md",
        ".git/a.md",
        ".nescio/a.md",
        ".venv/a.md",
        ".x/a.md",
        "node_modules/p/a.md",
        "__pycache__/a.md",
        ".h.md",
    )
    assert paths_of(walk(tmp_path)) == ["a.md"]


def test_a_negated_exclude_brings_back_what_is_hidden_but_never_what_is_private(tmp_path: Path) -> None:
    write(tmp_path, ".github/a.md", "node_modules/b.md", ".git/c.md", ".nescio/d.md")
    found = walk(tmp_path, exclude=["!.github/", "!node_modules/", "!.git/", "!.nescio/"])
    assert paths_of(found) == [".github/a.md", "node_modules/b.md"]


def test_an_index_is_not_documentation(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "idx/CURRENT", "idx/.gitignore", "idx/pages/b.md", "plain/CURRENT", "plain/c.md")
    assert paths_of(walk(tmp_path)) == ["a.md", "plain/c.md"]


def test_include_takes_files_and_whole_folders(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "guide/b.md", "guide/deep/c.md", "guide/logo.png", "other/d.md", "other/d.rst")
    assert paths_of(walk(tmp_path, include=["guide/"])) == ["guide/b.md", "guide/deep/c.md"]
    assert paths_of(walk(tmp_path, include=["*.rst", "/a.md"])) == ["a.md", "other/d.rst"]
    assert paths_of(walk(tmp_path, include=["guide/", "!guide/deep/"])) == ["guide/b.md"]
    assert paths_of(walk(tmp_path, include=["!other/"])) == ["a.md", "guide/b.md", "guide/deep/c.md"]


def test_exclude_leaves_out_files_and_whole_folders(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "drafts/b.md", "x/drafts/c.md", "x/d_draft.md")
    assert paths_of(walk(tmp_path, exclude=["drafts/", "*_draft.md"])) == ["a.md"]
    assert paths_of(walk(tmp_path, exclude=["/drafts"])) == ["a.md", "x/d_draft.md", "x/drafts/c.md"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_pattern_matches_a_name_whatever_way_its_accents_are_written(tmp_path: Path, form: str) -> None:
    stored = unicodedata.normalize("NFD", "café.md")
    write(tmp_path, stored, "tea.md")
    assert paths_of(walk(tmp_path, include=[unicodedata.normalize(form, "café.*")])) == [stored]


def test_what_git_ignores_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "out/b.md", "c_gen.md", "keep_gen.md", "sub/d.md", "sub/e.md", "sub/out.md")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfout/\r\n*_gen.md\r\n!keep_gen.md\r\n/d.md\r\n")
    (tmp_path / "sub" / ".gitignore").write_text("/e.md\n")
    assert paths_of(walk(tmp_path)) == ["a.md", "keep_gen.md", "sub/d.md", "sub/out.md"]


def test_a_deeper_gitignore_overrides_a_higher_one(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "sub/b.txt")
    (tmp_path / ".gitignore").write_text("*.txt\n")
    (tmp_path / "sub" / ".gitignore").write_text("!b.txt\n")
    assert paths_of(walk(tmp_path)) == ["sub/b.txt"]


def test_an_ignored_folder_cannot_be_brought_back_by_what_lies_in_it(tmp_path: Path) -> None:
    write(tmp_path, "out/a.md")
    (tmp_path / ".gitignore").write_text("out/\n!out/a.md\n")
    assert paths_of(walk(tmp_path)) == []
    assert paths_of(walk(tmp_path, exclude=["!out/"])) == ["out/a.md"]


def test_the_whole_repository_says_what_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, "repo/docs/a.md", "repo/docs/api/b.md", "repo/docs/local.md", "repo/docs/c.md")
    (tmp_path / ".gitignore").write_text("*.md\n")  # above the repository: not its word
    (tmp_path / "repo" / ".gitignore").write_text("/docs/api/\n/c.md\n")
    (tmp_path / "repo" / ".git" / "info").mkdir(parents=True)
    (tmp_path / "repo" / ".git" / "info" / "exclude").write_text("local.md\n")
    assert paths_of(walk(tmp_path / "repo" / "docs")) == ["a.md", "c.md"]


def test_a_folder_named_outright_is_read_although_it_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, "site/a.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("site/\n")
    assert paths_of(walk(tmp_path / "site")) == ["a.md"]


def test_a_gitignore_that_is_too_large_or_no_file_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b/c.md")
    (tmp_path / ".gitignore").write_text("*.md\n" * 20_000)
    (tmp_path / "b" / ".gitignore").mkdir()
    found = walk(tmp_path)
    assert paths_of(found) == ["a.md", "b/c.md"]
    assert notices_of(found) == [("gitignore-unreadable", ".gitignore"), ("gitignore-unreadable", "b/.gitignore")]


@posix_only
def test_loops_of_links_are_survived_and_each_file_is_found_once(tmp_path: Path) -> None:
    write(tmp_path, "docs/one.md", "docs/a/two.md")
    docs = tmp_path / "docs"
    (docs / "self").symlink_to("self")
    (docs / "loop").symlink_to(".")
    (docs / "a" / "b").symlink_to("../../docs")
    (docs / "ping").symlink_to("pong")
    (docs / "pong").symlink_to("ping")
    found = walk(docs)
    assert paths_of(found) == ["a/two.md", "one.md"]
    assert notices_of(found) == [("link-loop", path) for path in ("a/b", "loop", "ping", "pong", "self")]


@posix_only
def test_a_link_inside_the_root_is_read_under_the_real_path_only(tmp_path: Path) -> None:
    write(tmp_path, "real.md", "dir/x.md")
    (tmp_path / "alias.md").symlink_to("real.md")
    (tmp_path / "other").symlink_to("dir")
    (tmp_path / "lib.so").symlink_to("real.md")
    found = walk(tmp_path)
    assert paths_of(found) == ["dir/x.md", "real.md"]
    assert notices_of(found) == [("link-inside-root", "alias.md"), ("link-inside-root", "other")]
    assert "real.md" in found.notices[0].message


@posix_only
def test_a_link_that_leaves_the_root_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs-private/secret.md", "outside.md")
    (tmp_path / "docs" / "out.md").symlink_to("../outside.md")
    (tmp_path / "docs" / "sibling").symlink_to("../docs-private")
    (tmp_path / "docs" / "absolute.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "docs" / "nowhere.md").symlink_to("missing.md")
    found = walk(tmp_path / "docs")
    assert paths_of(found) == ["a.md"]
    assert notices_of(found) == [
        ("link-leaves-root", "absolute.md"),
        ("link-broken", "nowhere.md"),
        ("link-leaves-root", "out.md"),
        ("link-leaves-root", "sibling"),
    ]


@posix_only
def test_a_root_that_is_a_link_is_read(tmp_path: Path) -> None:
    write(tmp_path, "real/a.md")
    (tmp_path / "docs").symlink_to("real")
    assert paths_of(walk(tmp_path / "docs")) == ["a.md"]


@posix_only
def test_pipes_and_sockets_are_reported_and_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.md")
        found = walk(tmp_path)
    assert paths_of(found) == ["a.md"]
    assert notices_of(found) == [("not-a-file", "pipe.md"), ("not-a-file", "socket.md")]


@pytest.mark.skipif(os.name != "posix" or os.uname().sysname == "Darwin", reason="needs names of any bytes")
def test_names_that_are_not_utf8_are_reported_and_can_be_written_out(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md")).write_text("x")
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/dir\xfe"))
    folder.mkdir()
    (folder / "b.md").write_text("x")
    found = walk(tmp_path)
    assert paths_of(found) == ["a.md"]
    assert notices_of(found) == [("name-not-utf8", "bad\\udcff.md"), ("name-not-utf8", "dir\\udcfe")]


@posix_only
def test_a_folder_that_cannot_be_listed_is_unseen_not_removed(shared_folder: Path) -> None:
    write(shared_folder, "a.md", "shut/b.md", "shutter/c.md")
    (shared_folder / "shut").chmod(0)
    with without_privileges():
        found = walk(shared_folder)
    assert paths_of(found) == ["a.md", "shutter/c.md"]
    assert notices_of(found) == [("folder-unreadable", "shut")]
    assert found.is_unseen("shut/b.md")
    assert not found.is_unseen("shutter/gone.md")
    assert not found.is_unseen("gone.md")


@posix_only
def test_files_that_cannot_be_looked_at_are_unseen(shared_folder: Path) -> None:
    write(shared_folder, "shut/b.md")
    (shared_folder / "shut").chmod(0o644)
    with without_privileges():
        found = walk(shared_folder)
    assert notices_of(found) == [("file-unreadable", "shut/b.md")]
    assert found.is_unseen("shut/b.md")
    assert not found.is_unseen("shut/b.md.md")


@posix_only
def test_a_root_that_cannot_be_listed_hides_everything(shared_folder: Path) -> None:
    write(shared_folder, "docs/a.md")
    (shared_folder / "docs").chmod(0)
    with without_privileges():
        found = walk(shared_folder / "docs")
    assert notices_of(found) == [("folder-unreadable", ".")]
    assert found.is_unseen("a.md")


def test_paths_that_differ_only_in_case_or_accents_are_reported_and_both_read(tmp_path: Path) -> None:
    names = ["README.md", "readme.md", unicodedata.normalize("NFC", "é.md"), unicodedata.normalize("NFD", "é.md")]
    write(tmp_path, *names)
    if len(list(tmp_path.iterdir())) < len(names):
        pytest.skip("this file system holds only one of each")
    found = walk(tmp_path)
    assert paths_of(found) == sorted(names)
    assert notices_of(found) == [("case-duplicate", "readme.md"), ("case-duplicate", names[2])]


@pytest.mark.parametrize("name", ["missing", "file.md", "file.md/x", "nul\0"])
def test_a_root_that_is_no_folder_is_a_fault(tmp_path: Path, name: str) -> None:
    write(tmp_path, "file.md")
    with pytest.raises(NotFoundFault) as caught:
        walk(tmp_path / name)
    assert caught.value.code == "docs-not-found"


def test_too_many_documents_are_a_fault(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md", "c.md", "d.png")
    assert len(walk(tmp_path, max_files=3).files) == 3
    with pytest.raises(IngestFault) as caught:
        walk(tmp_path, max_files=2)
    assert caught.value.code == "too-many-files"


def test_an_empty_folder_has_no_documents(tmp_path: Path) -> None:
    assert walk(tmp_path) == WalkResult(())


@posix_only
def test_a_deep_tree_needs_no_recursion(tmp_path: Path) -> None:
    folders = [tmp_path]
    for _ in range(sys.getrecursionlimit() + 200):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    file = folders[-1] / "a.md"
    file.write_text("x")
    found = walk(tmp_path)
    file.unlink()
    for folder in reversed(folders[1:]):  # what clears up after tests does recurse
        folder.rmdir()
    assert len(found.files) == 1


NAMES = st.sampled_from(["a", "b.md", "B.md", "c.rst", "é.md", "e\u0301.md", "x.txt", ".h", "z z.md"])


@settings(max_examples=30, deadline=None)
@given(tree=st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=12), seed=st.integers(0, 99))
def test_the_walk_does_not_depend_on_the_order_in_which_files_were_made(tree: list[str], seed: int) -> None:
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        make(Path(first), sorted(tree))
        kept = {path.relative_to(first).as_posix() for path in Path(first).rglob("*") if path.is_file()}
        shuffled = sorted(kept)
        random.Random(seed).shuffle(shuffled)
        make(Path(second), shuffled)
        one, two = walk(Path(first)), walk(Path(second))
        assert paths_of(one) == paths_of(two) == sorted(paths_of(one))
        assert one.notices == two.notices
        assert set(paths_of(one)) <= kept


def make(root: Path, paths: list[str]) -> None:
    """The files of `paths` that can be: where a file stands, there can be no folder."""
    for path in paths:
        folders = [root / folder for folder in Path(path).parents]
        if not any(folder.is_file() for folder in folders) and not (root / path).is_dir():
            write(root, path)
