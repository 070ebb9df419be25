"""The reader gives every byte as it was at one moment, or says why not."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nescio.config.model import Limits
from nescio.domain.documents import COARSEST_TIME_NS, Document, Notice, Signature
from nescio.ingest.files import read_up_to
from nescio.ingest.reader import Skip, git_top, read, read_inside
from nescio.ingest.walk import Found

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs links, modes and pipes")
LIMITS = Limits()
NOBODY = 65534


def found(file: Path) -> Found:
    return Found(file.name, str(file), Signature.of(file.lstat()))


def reading(tmp_path: Path, data: bytes, limits: Limits = LIMITS) -> Document | Skip:
    file = tmp_path / "page.md"
    file.write_bytes(data)
    return read(found(file), "docs", limits)


def document(tmp_path: Path, data: bytes) -> Document:
    result = reading(tmp_path, data)
    assert isinstance(result, Document), result
    return result


def skip(result: Document | Skip) -> Skip:
    assert isinstance(result, Skip), result
    return result


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that another user may enter, unlike tmp_path."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
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


def test_a_document_is_its_bytes_and_their_hash(tmp_path: Path) -> None:
    data = "# Größe\r\n\r\nEins 🎉\r".encode()
    page = document(tmp_path, data)
    assert (page.source, page.path, page.encoding) == ("docs", "page.md", "utf-8")
    assert page.data == data
    assert page.text == "# Größe\r\n\r\nEins 🎉\r"
    assert page.sha256 == hashlib.sha256(data).hexdigest()


def test_an_empty_file_is_a_document(tmp_path: Path) -> None:
    assert document(tmp_path, b"").text == ""


@pytest.mark.parametrize(
    ("mark", "encoding"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_a_byte_order_mark_is_kept_and_counted(tmp_path: Path, mark: bytes, encoding: str) -> None:
    page = document(tmp_path, mark + "é🎉\n".encode(encoding))
    assert page.text == "\ufeffé🎉\n"
    assert page.encoding == encoding
    assert page.text.encode(page.encoding) == page.data


def test_bytes_that_are_not_utf8_are_told_with_their_position(tmp_path: Path) -> None:
    result = skip(reading(tmp_path, b"# Safe mode\n\nThen \x96 now\n"))
    assert (result.code, result.path, result.vanished, result.keeps_old) == ("not-utf8", "page.md", False, False)
    assert "byte 18 is 0x96" in result.message
    assert result.notice() == Notice("not-utf8", "page.md", 0, result.message)


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b"\xff\xfea\0\x00\xd8", 4),  # half of a surrogate pair
        (b"\xff\xfea\0b", 4),  # half of a unit
        (b"\xfe\xff\xdc\x00\0a", 2),
    ],
)
def test_broken_utf16_is_told_with_its_position(tmp_path: Path, data: bytes, position: int) -> None:
    result = skip(reading(tmp_path, data))
    assert result.code == "not-utf8"
    assert f"from byte {position} on" in result.message


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 8),
        (b"text\0text", 4),
        ("a page".encode("utf-16-le"), 1),
        ("a page".encode("utf-32"), 2),
        (b"\xff\xfe" + "ab\0".encode("utf-16-le"), 6),
    ],
)
def test_a_binary_file_is_told_with_the_position_of_its_nul(tmp_path: Path, data: bytes, position: int) -> None:
    result = skip(reading(tmp_path, data))
    assert result.code == "binary-file"
    assert f"at byte {position}." in result.message


def test_utf16_whose_bytes_hold_zeros_side_by_side_is_text(tmp_path: Path) -> None:
    text = "\ufeff\u0100\u0001Āa"
    assert document(tmp_path, text.encode("utf-16-be")).text == text
    assert document(tmp_path, text.encode("utf-16-le")).text == text


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    assert isinstance(reading(tmp_path, b"x" * 10, Limits(max_file_bytes=10)), Document)
    result = skip(reading(tmp_path, b"x" * 11, Limits(max_file_bytes=10)))
    assert result.code == "file-too-large"
    assert "11 bytes" in result.message
    assert "is 10" in result.message


def test_a_file_that_vanished_counts_as_removed(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"x")
    gone = found(file)
    file.unlink()
    result = skip(read(gone, "docs", LIMITS))
    assert (result.code, result.vanished, result.keeps_old) == ("file-vanished", True, False)


@posix_only
def test_a_file_that_may_not_be_read_keeps_what_was_read_before(shared_folder: Path) -> None:
    file = shared_folder / "page.md"
    file.write_bytes(b"x")
    file.chmod(0)
    with without_privileges():
        result = skip(read(found(file), "docs", LIMITS))
    assert (result.code, result.vanished, result.keeps_old) == ("file-unreadable", False, True)


@posix_only
@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_became_no_plain_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"x")
    met = found(file)
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "link":
        (tmp_path / "other.md").write_bytes(b"secret")
        file.symlink_to("other.md")
    else:
        file.mkdir()
    assert skip(read(met, "docs", LIMITS)).code == "not-a-file"


class Meddler:
    """Takes the bytes, and changes the file before anyone can look again; so many times."""

    def __init__(self, file: Path, times: int, change: bytes) -> None:
        self.file = file
        self.times = times
        self.change = change

    def __call__(self, descriptor: int, size: int) -> bytes:
        data = read_up_to(descriptor, size)
        if self.times:
            self.times -= 1
            self.file.write_bytes(self.change)
        return data


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path, times: int) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"old")
    result = read(found(file), "docs", LIMITS, Meddler(file, times, b"new and longer"))
    assert isinstance(result, Document)
    assert result.text == "new and longer"


def test_a_file_that_keeps_changing_keeps_what_was_read_before(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"old")
    result = skip(read(found(file), "docs", LIMITS, Meddler(file, 100, b"new and longer")))
    assert (result.code, result.keeps_old) == ("file-unstable", True)


def test_a_change_of_the_same_length_is_seen_too(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"old")
    os.utime(file, ns=(0, 0))
    result = read(found(file), "docs", LIMITS, Meddler(file, 1, b"new"))
    assert isinstance(result, Document)
    assert result.text == "new"


def test_a_file_that_outgrows_the_limit_while_it_is_read_is_too_large(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"old")
    result = skip(read(found(file), "docs", Limits(max_file_bytes=5), Meddler(file, 1, b"much longer")))
    assert result.code == "file-too-large"


def test_a_file_replaced_since_the_walk_is_read_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"old")
    met = found(file)
    (tmp_path / "new.md").write_bytes(b"new and longer")
    (tmp_path / "new.md").replace(file)
    result = read(met, "docs", LIMITS)
    assert isinstance(result, Document)
    assert result.text == "new and longer"


def test_a_signature_written_just_now_is_not_settled() -> None:
    signature = Signature(size=1, mtime_ns=5, ctime_ns=10, inode=1)
    assert not signature.is_settled(10 + COARSEST_TIME_NS)
    assert signature.is_settled(11 + COARSEST_TIME_NS)


@pytest.mark.parametrize("relative", ["src/a.py", "docs/../src/a.py", "./src/./a.py", "docs/deep/../../src/a.py"])
def test_an_include_inside_the_root_is_read_under_its_real_path(tmp_path: Path, relative: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "a.py").write_bytes(b"x = 1\n")
    result = read_inside(tmp_path, relative, "docs", LIMITS)
    assert isinstance(result, Document)
    assert (result.path, result.text) == ("src/a.py", "x = 1\n")


@pytest.mark.parametrize(
    "relative",
    [
        "../secret.md",
        "docs/../../secret.md",
        "../root-private/a.md",
        "/etc/hostname",
        "a\0.md",
        "..\\secret.md",
        "..",
        "../nothing",
    ],
)
def test_an_include_that_leads_out_of_the_root_is_refused(tmp_path: Path, relative: str) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (tmp_path / "root-private").mkdir()
    (tmp_path / "root-private" / "a.md").write_text("secret")
    (tmp_path / "secret.md").write_text("secret")
    assert skip(read_inside(root, relative, "docs", LIMITS)).code == "leaves-root"


def test_an_include_by_its_absolute_path_is_refused_even_inside_the_root(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert skip(read_inside(tmp_path, str(tmp_path / "a.md"), "docs", LIMITS)).code == "leaves-root"


@pytest.mark.parametrize("relative", [".git/config", "docs/../.git/config", ".nescio/CURRENT"])
def test_what_git_and_nescio_keep_is_not_included(tmp_path: Path, relative: str) -> None:
    for folder in (".git", ".nescio", "docs"):
        (tmp_path / folder).mkdir()
    (tmp_path / ".git" / "config").write_text("token")
    (tmp_path / ".nescio" / "CURRENT").write_text("1")
    assert skip(read_inside(tmp_path, relative, "docs", LIMITS)).code == "leaves-root"


@posix_only
def test_an_include_through_a_link_is_cited_by_the_real_path_or_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "real" / "a.md").write_text("inside")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.md").write_text("secret")
    (root / "alias").symlink_to("real")
    (root / "away").symlink_to("../out")
    (root / "away.md").symlink_to(tmp_path / "out" / "a.md")
    (root / "loop").symlink_to("loop")
    inside = read_inside(root, "alias/a.md", "docs", LIMITS)
    assert isinstance(inside, Document)
    assert inside.path == "real/a.md"
    codes = [skip(read_inside(root, relative, "docs", LIMITS)).code for relative in ("away/a.md", "away.md", "loop")]
    assert codes == ["leaves-root", "leaves-root", "not-a-file"]


@pytest.mark.parametrize(("relative", "code"), [("gone.md", "file-vanished"), ("a.md/b", "file-vanished"), ("", "not-a-file")])
def test_an_include_that_is_not_there_is_skipped(tmp_path: Path, relative: str, code: str) -> None:
    (tmp_path / "a.md").write_text("x")
    assert skip(read_inside(tmp_path, relative, "docs", LIMITS)).code == code
    assert skip(read_inside(tmp_path, "x" * 5000, "docs", LIMITS)).code == "file-vanished"


def test_the_top_of_a_repository_is_the_nearest_folder_with_git_in_it(tmp_path: Path) -> None:
    (tmp_path / "one" / "two" / "docs").mkdir(parents=True)
    (tmp_path / "one" / ".git").mkdir()
    assert git_top(tmp_path / "one" / "two" / "docs") == Path(os.path.realpath(tmp_path / "one"))
    assert git_top(tmp_path / "one") == Path(os.path.realpath(tmp_path / "one"))
    (tmp_path / "one" / "two" / ".git").write_text("gitdir: elsewhere")
    assert git_top(tmp_path / "one" / "two" / "docs") == Path(os.path.realpath(tmp_path / "one" / "two"))
