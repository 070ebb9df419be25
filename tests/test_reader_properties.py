"""Whatever the text, its bytes come back; whatever the bytes, the reader says what they are."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.config.model import Limits
from nescio.domain.documents import Document
from nescio.domain.spans import Offsets, Span
from nescio.ingest.files import Found, Signature
from nescio.ingest.reader import Skip, read, read_inside

LIMITS = Limits()
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200)
ENCODINGS = st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"])


def reading(data: bytes) -> Document | Skip:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.md"
        file.write_bytes(data)
        return read(Found("page.md", str(file), Signature.of(file.stat())), "docs", LIMITS)


@settings(max_examples=150, deadline=None)
@given(text=TEXT, encoding=ENCODINGS)
def test_a_marked_text_comes_back_as_it_was_written(text: str, encoding: str) -> None:
    data = ("\ufeff" + text).encode(encoding)
    page = reading(data)
    assert isinstance(page, Document)
    assert (page.text, page.encoding, page.data) == ("\ufeff" + text, encoding, data)
    assert page.text.encode(page.encoding) == data
    place = Offsets(page.text, page.encoding).place(Span(1, len(page.text)))
    assert data[place.start_byte : place.end_byte].decode(encoding) == text


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=100))
def test_any_bytes_are_a_document_of_theirs_or_a_skip_with_a_reason(data: bytes) -> None:
    result = reading(data)
    if isinstance(result, Document):
        assert result.text.encode(result.encoding) == data
        assert result.sha256 == hashlib.sha256(data).hexdigest()
        assert "\0" not in result.text
    else:
        assert result.code in ("not-utf8", "binary-file")
        assert not result.vanished
        assert not result.keeps_old


@settings(max_examples=150, deadline=None)
@given(before=TEXT, bad=st.sampled_from([b"\x80", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5", b"\xc3"]), after=TEXT)
def test_the_first_byte_that_is_not_utf8_is_named(before: str, bad: bytes, after: str) -> None:
    position = len(before.encode())
    result = reading(before.encode() + bad + b" " + after.encode())
    assert isinstance(result, Skip)
    assert result.message == f"It is not UTF-8: byte {position} is 0x{bad[0]:02X}."


PARTS = st.lists(st.sampled_from(["..", ".", "in", "a.md", "out", "secret.md", "", "/"]), max_size=6)


@settings(max_examples=150, deadline=None)
@given(parts=PARTS)
def test_no_include_reads_what_lies_outside(parts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        (root / "in").mkdir(parents=True)
        (root / "in" / "a.md").write_text("inside")
        (Path(folder) / "secret.md").write_text("secret")
        (root / "out").symlink_to("..")
        result = read_inside(root, "/".join(parts), "docs", LIMITS)
        assert isinstance(result, Skip) or (result.path, result.text) == ("in/a.md", "inside")
