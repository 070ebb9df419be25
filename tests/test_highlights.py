"""What of a quote is marked: a few sentences, rows or lines, inside of what is shown, with the words of the question."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.answer.excerpt import excerpt
from nescio.answer.highlights import LONGEST_CODE, LONGEST_LOOKED_AT, MOST_HIGHLIGHTS, WORTH_MARKING, highlighted, highlights
from nescio.answer.quoting import quoted
from nescio.answer.section import Section, section_of
from nescio.domain.candidates import Key
from nescio.domain.documents import BlockKind
from support.shelf import Shelf, focus_on
from test_splitter import DOCUMENTS


def section(text: str, path: str = "p.md", **files: str) -> Section:
    return section_of(Shelf.of(text, path, **files).index, Key(0, 0))


def marked(found: Section, words: str) -> list[str]:
    marks = highlights(found.pieces, focus_on(words))
    return [mark.span.of(found.pieces[mark.piece].document.text) for mark in marks]


def marks_in(text: str, words: str, path: str = "p.md", **files: str) -> list[str]:
    """What is marked of the whole section of a page."""
    return marked(section(text, path, **files), words)


# --- Which -----------------------------------------------------------------------------------------------------------


def test_the_sentence_that_has_the_words_is_marked_alone() -> None:
    assert marks_in("# A\n\nIt is old. The apple is red. It grows.\n", "apple red") == ["The apple is red."]


def test_sentences_that_add_words_are_marked_too_in_the_order_of_the_text() -> None:
    text = "# A\n\nA pear is green. It is old. The apple is red and sweet.\n\nThe apple is red.\n"
    assert marks_in(text, "apple red sweet pear") == ["A pear is green.", "The apple is red and sweet."]


def test_at_most_three_are_marked() -> None:
    words = [f"word{number}" for number in range(6)]
    assert marks_in("# A\n\n" + " ".join(f"It has {word}." for word in words), " ".join(words)) == [
        "It has word0.",
        "It has word1.",
        "It has word2.",
    ]
    assert MOST_HIGHLIGHTS == 3


def test_a_sentence_that_adds_little_is_not_marked() -> None:
    words = [f"word{number}" for number in range(1 + int(1 / WORTH_MARKING))]
    first = f"It has {' '.join(words[:-1])}."
    assert marks_in(f"# A\n\n{first} And {words[-1]} too.\n", " ".join(words)) == [first]


def test_of_sentences_with_the_same_words_the_one_that_has_them_as_asked_is_marked() -> None:
    text = "# A\n\nThe member may hold a long wait. A member may wait long.\n"
    assert marks_in(text, "member may wait long") == ["A member may wait long."]


def test_where_the_heading_is_the_question_the_first_sentence_is_marked() -> None:
    assert marks_in("# Apple\n\n```\nx\n```\n\nIt is a fruit. It is red.\n", "apple") == ["It is a fruit."]


def test_nothing_is_marked_where_there_is_no_text_and_no_word() -> None:
    assert marks_in("# Apple\n\n```\nx\n```\n", "apple") == []


# --- What sort of stretch ---------------------------------------------------------------------------------------------


def test_of_a_table_a_row_is_marked_and_never_the_header() -> None:
    table = "| Apple | Red |\n|---|---|\n| pear | green |\n| apple | sweet |\n"
    assert marks_in(f"# A\n\n{table}", "apple") == ["| apple | sweet |"]
    assert marks_in(f"# A\n\n{table}", "red") == []


def test_of_code_a_line_is_marked_without_its_end() -> None:
    assert marks_in("# A\n\n```\none\n  apple = 1\ntwo\n```\n", "apple") == ["  apple = 1"]


def test_code_that_the_marked_sentence_leads_into_is_marked_with_it() -> None:
    text = "# A\n\nIt is old. Pick the apple:\n\n```\npick(it)\n```\n"
    assert marks_in(text, "apple") == ["Pick the apple:", "```\npick(it)\n```"]
    long = f"# A\n\nPick the apple:\n\n```\n{'x' * LONGEST_CODE}\n```\n"
    assert marks_in(long, "apple") == ["Pick the apple:"]


def test_a_line_of_an_included_file_is_marked_there() -> None:
    found = section("# A\n\nRun this.\n\n{* main.py *}\n", main__py="import it\napple = 1\n")
    pieces = found.pieces
    quote = quoted(found.at, pieces, highlights(pieces, focus_on("apple")))
    (mark,) = quote.highlights
    assert (mark.path, mark.start_line, mark.end_line) == ("main.py", 2, 2)


def test_what_stands_far_below_is_not_looked_through() -> None:
    text = "# A\n\n" + "It is old. " * (LONGEST_LOOKED_AT // 10 + 1) + "The apple.\n"
    assert marks_in(text, "apple") == ["It is old."]


# --- Only what is marked ------------------------------------------------------------------------------------------------


def test_only_the_marked_sentences_can_be_quoted() -> None:
    found = section("# A\n\nIt is old. The apple is red. It grows.\n\nMore of it.\n")
    pieces, marks = highlighted(found.pieces, highlights(found.pieces, focus_on("apple")))
    quote = quoted(found.at, pieces, marks)
    assert quote.text == "The apple is red."
    assert [(mark.start, mark.end) for mark in quote.highlights] == [(quote.spans[0].start, quote.spans[0].end)]


def test_a_marked_row_is_quoted_with_its_header() -> None:
    found = section("# A\n\n| Key | Meaning |\n|---|---|\n| pear | green |\n| apple | sweet |\n| plum | blue |\n")
    pieces, marks = highlighted(found.pieces, highlights(found.pieces, focus_on("apple")))
    assert quoted(found.at, pieces, marks).text == "| Key | Meaning |\n|---|---|\n| apple | sweet |"


def test_rows_of_a_long_table_are_quoted_with_its_header_once() -> None:
    rows = "".join(f"| key{number} | meaning{number % 7} {'x' * 40} |\n" for number in range(40))
    found = section(f"# A\n\nThe keys:\n\n| Key | Meaning |\n|---|---|\n{rows}")
    focus = focus_on("key3 key9")
    pieces = excerpt(found, focus, 300)
    text = quoted(found.at, *highlighted(pieces, highlights(pieces, focus))).text
    assert text.startswith("| Key | Meaning |\n|---|---|\n| key3 |")
    assert [line[:6] for line in text.split("\n")[2:]] == ["| key3", "| key9"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is a pear. It is old. An apple too.", "It is a pear. An apple too."),
        ("```\na pear\nold\nan apple\n```", "a pear\nan apple"),
        ("It is a pear. It is old.\n\nOld.\n\nIt is old. An apple too.", "It is a pear. An apple too."),
    ],
)
def test_what_is_quoted_alone_does_not_run_together(text: str, shown: str) -> None:
    found = section(f"# A\n\n{text}\n")
    pieces, marks = highlighted(found.pieces, highlights(found.pieces, focus_on("pear apple")))
    assert quoted(found.at, pieces, marks).text == shown


def test_where_nothing_is_marked_all_can_be_quoted() -> None:
    found = section("# Apple\n\n```\nx\n```\n")
    assert highlighted(found.pieces, highlights(found.pieces, focus_on("apple"))) == (found.pieces, ())


# --- Any text ------------------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(DOCUMENTS, st.sampled_from(["plain text", "item nested", "code quoted", "zebra"]), st.integers(1, 200), st.booleans())
def test_marks_lie_inside_of_the_quote_and_hold_words_of_the_question(
    text: str, words: str, longest: int, is_short: bool
) -> None:
    shelf = Shelf.of(text)
    focus = focus_on(words)
    for key in shelf.all_keys():
        found = section_of(shelf.index, key)
        pieces = excerpt(found, focus, longest)
        marks = highlights(pieces, focus)
        told = [mark for mark in marks if focus.held(mark.span.of(pieces[mark.piece].document.text))]
        assert len(told) <= MOST_HIGHLIGHTS
        assert len(told) == len(marks) or len(marks) == 1 or any(pieces[mark.piece].kind is BlockKind.CODE for mark in marks)
        assert [mark.piece for mark in marks] == sorted(mark.piece for mark in marks)
        if is_short:
            pieces, marks = highlighted(pieces, marks)
        for mark in marks:
            assert any(mark.span.is_within(span) for span in pieces[mark.piece].spans)
            assert mark.span
        quote = quoted(found.at, pieces, marks)
        assert len(quote.highlights) == len(marks)
        assert all(any(map(mark.is_inside, quote.spans)) for mark in quote.highlights)
        for one in quote.highlights:
            assert text.encode()[one.start_byte : one.end_byte].decode() == text[one.start : one.end]
            if pieces[0].decoded is None:
                assert text[one.start : one.end] in quote.text


@pytest.mark.parametrize("part", ["a. ", "apple. ", "x\n", "| a |\n"])
def test_marks_of_long_text_take_no_longer_than_its_length(part: str) -> None:
    text = "# A\n\n" + ("| h |\n|---|\n" if part.startswith("|") else "") + part * (200_000 // len(part))
    assert len(marks_in(text, "apple a x")) <= MOST_HIGHLIGHTS
