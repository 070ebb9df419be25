"""A quote is the file's own bytes, told in every unit, with a link to where it is read."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.answer.excerpt import excerpt
from nescio.answer.highlights import highlights
from nescio.answer.quoting import Worth, has_typographic_flag, quoted, related
from nescio.answer.section import Section, passage_alone, section_of
from nescio.domain.answers import Quote
from nescio.domain.candidates import Key
from nescio.domain.documents import Basis, Document
from nescio.errors import IndexFault
from support.projects import Project
from support.shelf import Shelf, focus_on, read

BOMS = {"utf-8": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


def document(text: str, encoding: str = "utf-8", path: str = "guide/p.md", *, bom: bool = False) -> Document:
    marked = "\ufeff" + text if bom or encoding != "utf-8" else text
    return Document.from_bytes("docs", path, marked.encode(encoding), encoding)


def alone(found: Document) -> list[Section]:
    """Each passage of a document as what is quoted of it."""
    shelf = Shelf(read(found), version="1.2")
    return [passage_alone(shelf.index, key) for key in shelf.all_keys()]


def quotes(found: Document) -> list[Quote]:
    return [quoted(one.at, one.pieces) for one in alone(found)]


# --- The bytes -------------------------------------------------------------------------------------------------------

TEXTS = [
    "# Title\n\nOne line.\n\n## Next\n\nTwo\nlines.\n",
    "# Títle\r\n\r\nEmoji 🚀 before.\r\n\r\n- naïve\r\n- 数据库\r\n",
    "# Old\r\rMac line ends 🚀.\r\rMore.\r",
    "# A\n\none <!-- hidden 🚀 --> two\n\n<!-- hidden -->\n\nthree\n",
    "para\u2028same line\x0cstill\x85here\n\nnext 🤝\n",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("encoding", "bom"), [("utf-8", False), ("utf-8", True), ("utf-16-le", True), ("utf-16-be", True)])
def test_a_quote_tells_its_bytes_lines_and_units(text: str, encoding: str, bom: bool) -> None:
    found = document(text, encoding, bom=bom)
    made = quotes(found)
    assert made
    for quote in made:
        slices = [found.data[span.start_byte : span.end_byte] for span in quote.spans]
        assert quote.text == b"".join(slices).decode(encoding)
        assert quote.quote_sha256 == hashlib.sha256(b"".join(slices)).hexdigest()
        assert quote.document_sha256 == hashlib.sha256(found.data).hexdigest()
        assert quote.basis is (Basis.VERBATIM if encoding == "utf-8" else Basis.DECODED)
        for span, piece in zip(quote.spans, slices, strict=True):
            before = found.data[: span.start_byte].decode(encoding)
            inside = piece.decode(encoding)
            assert (span.start, span.end) == (len(before), len(before) + len(inside))
            units = [len(part.encode("utf-16-le")) // 2 for part in (before, inside)]
            assert (span.start_utf16, span.end_utf16) == (units[0], sum(units))
            lines = [len(re.findall(r"\r\n|\r|\n", part)) for part in (before, inside[:-1])]
            assert (span.start_line, span.end_line) == (1 + lines[0], 1 + sum(lines))


def test_a_byte_order_mark_counts_and_is_not_quoted() -> None:
    (quote,) = quotes(document("Text.\n", bom=True))
    assert (quote.text, quote.spans[0].start, quote.spans[0].start_byte) == ("Text.", 1, 3)


@given(st.text(alphabet="ab 🚀é数\n\r#-`", max_size=60))
def test_what_is_quoted_is_what_the_bytes_say(text: str) -> None:
    found = document(text)
    for quote in quotes(found):
        assert quote.text.encode() == b"".join(found.data[span.start_byte : span.end_byte] for span in quote.spans)


# --- Several files ---------------------------------------------------------------------------------------------------

LINES = st.sampled_from(["One.", "Zwei 🚀 é.", "- item", "", "```", "x = 1", "    deep", "<!-- hidden -->", "Lead:"])
INCLUDES = st.sampled_from(["{* a.py *}", "{* b.py ln[2:3] *}", '--8<-- "c.md"', "{* a.py ln[1,3] *}", "{* missing.py *}"])
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def written(lines: list[str], end: str, *, is_ended: bool) -> str:
    return end.join(lines) + (end if is_ended else "")


FILES = st.builds(written, st.lists(LINES, min_size=1, max_size=5), ENDS, is_ended=st.booleans())
PAGES = st.builds(
    written,
    st.lists(LINES | INCLUDES, min_size=1, max_size=12).map(lambda lines: ["# A", "", *lines]),
    ENDS,
    is_ended=st.booleans(),
)


@settings(max_examples=200)
@given(PAGES, FILES, FILES, FILES, st.integers(1, 200), st.sampled_from(["item", "one", "x"]))
def test_every_span_of_a_quote_is_its_own_file_s(page: str, a: str, b: str, c: str, longest: int, word: str) -> None:
    files = {"guide/p.md": page, "guide/a.py": a, "guide/b.py": b, "guide/c.md": c}
    shelf = Shelf(read(document(page), **{"guide/a__py": a, "guide/b__py": b, "guide/c__md": c}))
    hashes = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    for key in shelf.all_keys():
        section = section_of(shelf.index, key)
        pieces = excerpt(section, focus_on(word), longest)
        quote = quoted(section.at, pieces, highlights(pieces, focus_on(word)))
        data = b""
        text = ""
        for span in quote.spans:
            assert span.document_sha256 == hashes[span.path]
            own = files[span.path].encode()[span.start_byte : span.end_byte]
            assert own.decode() == files[span.path][span.start : span.end]
            data += own
        for file, spans in quote.by_file():
            assert [one for one in spans if (one.path, one.document_sha256) != (file.path, file.document_sha256)] == []
            said = "".join(files[file.path][span.start : span.end] for span in spans)
            text += said if not text or text.endswith(("\n", "\r")) else "\n" + said
        assert quote.text == text
        assert quote.quote_sha256 == hashlib.sha256(data).hexdigest()
        assert (quote.basis is Basis.VERBATIM) == (text.encode() == data)
        own_spans = [span for span in quote.spans if span.path == "guide/p.md"]
        assert all(one.end <= other.start for one, other in pairwise(own_spans)), "the page's words once, in their order"
        for mark in quote.highlights:
            assert any(map(mark.is_inside, quote.spans))


def test_a_quote_is_its_page_s_where_something_of_the_page_is_shown() -> None:
    shelf = Shelf(read(document("# A\n\n{* a.py *}\n\nAfter.\n"), **{"guide/a__py": "run()\n"}))
    section = section_of(shelf.index, Key(0, 0))
    both = quoted(section.at, section.pieces)
    code = quoted(section.at, section.pieces[:1])
    assert [(quote.path, quote.page_path) for quote in (both, code)] == [
        ("guide/p.md", "guide/p.md"),
        ("guide/a.py", "guide/p.md"),
    ]
    assert [quote.document_sha256 for quote in (both, code)] == [both.spans[1].document_sha256, both.spans[0].document_sha256]
    assert both.text == "run()\nAfter."


def test_a_quote_is_within_another_only_where_every_file_s_words_are() -> None:
    shelf = Shelf(read(document("# A\n\nBefore.\n\n{* a.py *}\n\nAfter.\n"), **{"guide/a__py": "run()\n"}))
    section = section_of(shelf.index, Key(0, 0))
    whole, code, text = (quoted(section.at, pieces) for pieces in (section.pieces, section.pieces[1:2], section.pieces[:1]))
    assert [one.is_within(whole) for one in (whole, code, text)] == [True, True, True]
    assert [whole.is_within(code), code.is_within(text)] == [False, False]


def test_decoded_text_is_shown_and_its_source_is_cited() -> None:
    found = document("<h1>A</h1><p>caf&eacute; <b>au</b> lait</p><p>More</p>", path="p.html")
    (quote,) = quotes(found)
    assert (quote.text, quote.basis) == ("café au lait\n\nMore", Basis.DECODED)
    assert "".join(found.text[span.start : span.end] for span in quote.spans) == "<p>caf&eacute; <b>au</b> lait</p><p>More</p>"


def test_a_quote_names_where_it_comes_from() -> None:
    found = document("# Title\n\n## Next\n\nText.\n")
    (quote,) = quotes(found)
    assert (quote.source, quote.path, quote.page_path, quote.version) == ("docs", "guide/p.md", "guide/p.md", "1.2")
    assert (quote.title, quote.heading_path, quote.url) == ("Title", ("Title", "Next"), "guide/p.md#next")
    assert quote.passage_id == alone(found)[0].at.passage.id


def test_a_part_of_a_passage_has_the_id_of_the_whole() -> None:
    found = document("One.\n\nTwo.\n")
    (whole,) = alone(found)
    quote = quoted(whole.at, whole.pieces[1:], worth=Worth(0.7, 0.1))
    assert (quote.text, quote.passage_id, quote.base, quote.preference) == ("Two.", whole.at.passage.id, 0.7, 0.1)


def test_a_text_that_is_not_what_the_bytes_say_is_never_shown() -> None:
    found = document("One apple.\n")
    (whole,) = alone(found)
    damaged = [piece._replace(document=replace(found, data=b"Two apples")) for piece in whole.pieces]
    with pytest.raises(IndexFault) as caught:
        quoted(whole.at, damaged)
    assert caught.value.code == "index-damaged"
    assert caught.value.hint


def test_stored_bytes_that_were_tampered_with_are_never_quoted(project: Project) -> None:
    project.write("a.md", "# Apple\n\nThe apple is as red as a cherry.\n")
    project.build()
    packs: list[Path] = sorted((project.index / "packs").iterdir())
    for pack in packs:
        data = pack.read_bytes()
        pack.chmod(0o644)
        pack.write_bytes(data.replace(b"as red as", b"as sad as"))
    with pytest.raises(IndexFault) as caught, project.engine() as engine:
        engine.ask("how red is the apple")
    assert caught.value.hint


def test_a_related_place_has_no_words_and_no_hash() -> None:
    (one,) = alone(document("# Title\n\nSecret words.\n"))
    place = related(one.at, 0.3)
    assert (place.path, place.heading_path, place.start_line, place.base) == ("guide/p.md", ("Title",), 1, 0.3)
    assert "Secret" not in repr(place)
    assert one.at.passage.document_sha256 not in repr(place)


# --- Dashes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("run \u2013verbose now", True),
        ("\u2013x", True),
        ("run --verbose", False),
        ("pages 1\u20132", False),
        ("one \u2013 two", False),
    ],
)
def test_an_en_dash_before_a_word_is_seen(text: str, is_there: bool) -> None:
    assert has_typographic_flag(text) is is_there
