"""What stands around a quote: whole lines of the file, exactly, and nothing that is masked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.answer.surroundings import MOST_CHARACTERS, surrounded
from nescio.domain.answers import Quote
from nescio.domain.documents import Basis, Document
from nescio.domain.spans import LINE_END, Offsets, Span


def document(text: str, masked: tuple[Span, ...] = ()) -> Document:
    return replace(Document.from_bytes("docs", "a.md", text.encode("utf-8", "surrogatepass")), masked=masked)


def quote(found: Document, *spans: Span) -> Quote:
    places = tuple(Offsets(found.text).place(span) for span in spans)
    text = "".join(span.of(found.text) for span in spans)
    return Quote(text, Basis.VERBATIM, places, "id", "docs", "a.md", "a.md", None, "", (), None, found.sha256, "", 0.0, 0.0)


def around(text: str, quoted: str, lines: int) -> tuple[str, str, int, int]:
    found = document(text)
    start = text.index(quoted)
    near = surrounded(found, quote(found, Span(start, start + len(quoted))), lines)
    return near.before, near.after, near.start_line, near.end_line


TEXT = "one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("quoted", "lines", "expected"),
    [
        ("three", 1, ("two\n", "\nfour\n", 2, 4)),
        ("three", 0, ("", "\n", 3, 3)),
        ("three\n", 1, ("two\n", "four\n", 2, 4)),
        ("three", 9, ("one\ntwo\n", "\nfour\nfive\n", 1, 5)),
        ("hre", 0, ("t", "e\n", 3, 3)),
        ("hre", 1, ("two\nt", "e\nfour\n", 2, 4)),
        ("one", 1, ("", "\ntwo\n", 1, 2)),
        (TEXT, 3, ("", "", 1, 5)),
    ],
)
def test_so_many_whole_lines_are_shown(quoted: str, lines: int, expected: tuple[str, str, int, int]) -> None:
    assert around(TEXT, quoted, lines) == expected


def test_every_kind_of_line_end_ends_a_line() -> None:
    assert around("a\r\nb\rc\nQ\r\nd\re\nf", "Q", 2) == ("b\rc\n", "\r\nd\re\n", 2, 6)


def test_other_separators_end_no_line() -> None:
    assert around("a\x0cb\u2028c\nQ\x85d\n", "Q", 1) == ("a\x0cb\u2028c\n", "\x85d\n", 1, 2)


def test_text_stops_at_what_is_masked() -> None:
    text = "a\nkey: ****\nb\nQ\nc\n****\nd\n"
    masked = (Span(7, 11), Span(text.rindex("****"), text.rindex("****") + 4))
    found = document(text, masked)
    at = text.index("Q")
    near = surrounded(found, quote(found, Span(at, at + 1)), 5)
    assert (near.before, near.after) == ("\nb\n", "\nc\n")
    assert (near.start_line, near.end_line) == (2, 5)


def test_with_several_spans_the_first_and_the_last_count() -> None:
    text = "a\nB\nc\nD\ne\n"
    found = document(text)
    near = surrounded(found, quote(found, Span(2, 3), Span(6, 7)), 1)
    assert (near.before, near.after, near.start_line, near.end_line) == ("a\n", "\ne\n", 1, 5)


def test_a_byte_order_mark_is_not_shown() -> None:
    assert around("\ufeffa\nQ\n", "Q", 3) == ("a\n", "\n", 1, 2)


def test_a_file_without_lines_is_not_shown_whole() -> None:
    before, after, _, _ = around("x" * 100_000 + "Q" + "y" * 100_000, "Q", 1)
    assert (len(before), len(after)) == (MOST_CHARACTERS, MOST_CHARACTERS)


@given(st.text(alphabet="ab \r\n\x0c\u2028", max_size=40), st.integers(0, 40), st.integers(0, 40), st.integers(-1, 6))
def test_before_the_quote_and_after_are_one_slice_of_whole_lines(text: str, one: int, other: int, lines: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    found = document(text)
    near = surrounded(found, quote(found, Span(start, end)), lines)
    assert text[start - len(near.before) : end + len(near.after)] == near.before + text[start:end] + near.after
    first, last = start - len(near.before), end + len(near.after)
    ends = {match.end() for match in LINE_END.finditer(text)} | {0}
    assert first in ends or first == start
    assert last in ends or last == len(text) or last == end
    assert len(LINE_END.findall(near.before)) <= max(lines, 0) + 1
    assert 1 <= near.start_line <= near.end_line <= Offsets(text).line_count + 1
