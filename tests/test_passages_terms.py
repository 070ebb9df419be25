"""A passage as its words: positions, sentences and paragraphs, link text, and what stands above."""

from __future__ import annotations

from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.analysis.passages import PARAGRAPH_GAP, passage_terms, written_words
from nescio.analysis.sentences import LONGEST_PARAGRAPH
from nescio.analysis.tokens import Analyzer
from nescio.domain.documents import Block, BlockKind, Document, Include, Run
from nescio.domain.spans import Span
from nescio.domain.terms import MAX_POSITION, PassageTerms
from nescio.ingest.parsers.html import parse_html
from nescio.ingest.parsers.markdown import parse_markdown
from nescio.ingest.splitter import split

PLAIN = Analyzer("xx")
ENGLISH = Analyzer("en")
WORDS = st.sampled_from(["apple", "pear", "plum", "fig", "the", "C++", "数据", "--flag"])


def terms(markdown: str, analyzer: Analyzer = PLAIN) -> PassageTerms:
    blocks = parse_markdown(Document.from_bytes("docs", "p.md", markdown.encode())).blocks
    return passage_terms(analyzer, [(block, markdown) for block in blocks], (), "", "p.md")


def positions(found: PassageTerms, term: str) -> list[int]:
    return [place >> 1 for place in found.places[term]]


def starts(found: PassageTerms) -> list[int]:
    return [sentence.position for sentence in found.sentences]


# --- Positions -------------------------------------------------------------------------------------------------------


def test_words_are_counted_from_zero_and_a_paragraph_ends_with_a_gap() -> None:
    found = terms("one two\n\nthree\n")
    assert [positions(found, word) for word in ("one", "two", "three")] == [[0], [1], [2 + PARAGRAPH_GAP]]
    assert found.paragraphs == (0, 2 + PARAGRAPH_GAP)


def test_a_compound_and_its_parts_stand_at_one_position() -> None:
    found = terms("the map_batches call\n")
    assert {term: positions(found, term) for term in ("map_batches", "map", "batches", "call")} == {
        "map_batches": [1],
        "map": [1],
        "batches": [1],
        "call": [2],
    }


def test_a_function_phrase_leaves_its_places_empty() -> None:
    found = terms("a number of workers\n", ENGLISH)
    assert dict(found.places) == {"worker": [3 * 2]}


def test_words_in_link_text_are_marked() -> None:
    found = terms("See [the guide](x.md) for the rest.\n")
    assert found.places["guide"] == [2 * 2 + 1]
    assert found.places["the"] == [1 * 2 + 1, 4 * 2]
    assert found.places["see"] == [0]


def test_a_word_in_a_linked_cell_of_a_table_is_marked() -> None:
    found = terms("| name | where |\n|---|---|\n| alpha | [beta](x.md) |\n")
    assert found.places["beta"][0] & 1 == 1
    assert found.places["alpha"][0] & 1 == 0


def test_cells_of_a_table_are_apart_and_an_escape_inside_a_word_is_not() -> None:
    found = terms("|a|b|\n|---|---|\n|d2\\.xlarge|two|\n")
    assert {"a", "b", "d2.xlarge", "two"} <= set(found.places)


def test_words_that_markup_divides_are_one_word() -> None:
    assert set(terms("un**believ**able\n").places) == {"unbelievable"}


def test_words_beyond_the_last_position_are_not_indexed() -> None:
    text = "\n\n".join(["word " * 10_000] * 5 + ["last"])
    found = terms(text)
    assert max(positions(found, "word")) <= MAX_POSITION
    assert "last" not in found.places
    assert len(found.paragraphs) == 6
    assert max(*found.paragraphs, *starts(found)) <= MAX_POSITION


# --- Sentences -------------------------------------------------------------------------------------------------------


def test_each_sentence_starts_at_its_first_word() -> None:
    assert starts(terms("Install the server. Then run it now.\n\nStop it.\n")) == [0, 3, 10]


def test_lines_of_code_and_rows_of_a_table_are_sentences() -> None:
    assert starts(terms("```\none line\nanother line. here\n\nthird\n```\n")) == [0, 2, 5]
    assert starts(terms("| a | b |\n|---|---|\n| c. d | e |\n| f | g |\n")) == [0, 2, 5]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_of_code_end_however_lines_end(line_end: str) -> None:
    assert starts(terms(line_end.join(["```", "one line", "another", "```", ""]))) == [0, 2]


@pytest.mark.parametrize(
    "sentence",
    [
        "For more information, see the guide.",
        "See the guide.",
        "See also: the guide.",
        "*See* the guide.",
        "Refer to the guide.",
        "To learn more about it, read the guide.",
        "For details, open the guide.",
        "For an example, open the guide.",
        "More information is in the guide.",
        "Related: the guide.",
    ],
)
def test_a_sentence_that_points_elsewhere_is_marked(sentence: str) -> None:
    assert [one.refers for one in terms(f"{sentence}\n", ENGLISH).sentences] == [True]


@pytest.mark.parametrize(
    "sentence", ["The seeds are in the guide.", "You can see it.", "Seeds are sown.", "For example, run it.", "Learned things."]
)
def test_a_sentence_that_says_something_itself_is_not_marked(sentence: str) -> None:
    assert [one.refers for one in terms(f"{sentence}\n", ENGLISH).sentences] == [False]


@pytest.mark.parametrize(
    "sentence", ["It takes 5 s.", "Three replicas run.", "There is no limit.", "Use v2.", "It runs twice."]
)
def test_a_sentence_that_holds_a_number_is_marked(sentence: str) -> None:
    assert [one.counts for one in terms(f"{sentence}\n", ENGLISH).sentences] == [True]


@pytest.mark.parametrize("sentence", ["It takes a while.", "Nobody is there.", "The bone is white.", "Attend to it."])
def test_a_sentence_without_a_number_is_not_marked(sentence: str) -> None:
    assert [one.counts for one in terms(f"{sentence}\n", ENGLISH).sentences] == [False]


def test_a_sentence_goes_on_through_a_link() -> None:
    found = terms("Read [the guide. All of it](x.md) today. Then rest.\n", ENGLISH)
    assert found.places["guid"] == [2 * 2 + 1]
    assert found.places["today"] == [6 * 2]
    assert starts(found)[-1] == 7


def test_text_longer_than_the_segmenter_takes_keeps_all_its_words() -> None:
    text = "word " * (LONGEST_PARAGRAPH // 2) + "end\n"
    assert len(terms(text).places["word"]) == LONGEST_PARAGRAPH // 2
    assert "x" * 79 in terms("y" * (LONGEST_PARAGRAPH + 5) + " " + "x" * 79 + "\n").places


# --- Paragraphs and blocks -------------------------------------------------------------------------------------------


def block_of(kind: BlockKind, text: str, start: int) -> Block:
    span = Span(start, start + len(text))
    runs = (Run(span, code=kind is BlockKind.CODE),) if text.strip() else ()
    return Block(kind, span, runs)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([BlockKind.PARAGRAPH, BlockKind.CODE, BlockKind.LIST_ITEM]),
            st.lists(WORDS, max_size=4).map(" ".join),
        ),
        max_size=8,
    )
)
def test_the_block_of_a_word_is_found_by_its_position(blocks: list[tuple[BlockKind, str]]) -> None:
    text, made = "", []
    for kind, words in blocks:
        made.append(block_of(kind, words, len(text)))
        text += words + "\n\n"
    found = passage_terms(PLAIN, [(block, text) for block in made], (), "", "p.md")
    assert len(found.paragraphs) == len(made)
    assert list(found.paragraphs) == sorted(found.paragraphs)
    for term, places in found.places.items():
        assert places == sorted(places)
        for place in places:
            block = made[bisect_right(found.paragraphs, place >> 1) - 1]
            assert any(term in token for token in PLAIN.tokens(block.span.of(text)))


@given(
    st.lists(
        st.sampled_from(["one two", "- item", "```\ncode\n```", "| a |\n|---|\n| b |", "<!-- x -->", "![](i.png)", "> quoted"]),
        max_size=8,
    )
)
def test_a_passage_has_a_paragraph_for_each_of_its_blocks(parts: list[str]) -> None:
    document = Document.from_bytes("docs", "p.md", "\n\n".join(parts).encode())
    for section in split(parse_markdown(document)):
        blocks = [(block, section.text) for block in section.blocks]
        found = passage_terms(PLAIN, blocks, (), "", "p.md")
        assert len(found.paragraphs) == len(section.passage.blocks)


def test_a_directive_that_nothing_can_be_read_of_is_no_paragraph() -> None:
    directive = Block(BlockKind.PARAGRAPH, Span(0, 4), include=Include("snippets", "a.md"))
    said = block_of(BlockKind.PARAGRAPH, "word", 5)
    assert passage_terms(PLAIN, [(directive, "xxxx word"), (said, "xxxx word")], (), "", "p.md").paragraphs == (0,)


def test_decoded_text_is_analysed_not_its_markup() -> None:
    text = "<p>caf&eacute; &lt;tag&gt; AT&amp;T</p>"
    blocks = parse_html(Document.from_bytes("docs", "p.html", text.encode())).blocks
    found = passage_terms(PLAIN, [(block, text) for block in blocks], (), "", "p.html")
    assert set(found.places) == {"café", "tag", "at", "t"}


# --- What stands above -----------------------------------------------------------------------------------------------


def test_the_own_heading_is_apart_from_what_stands_above_it() -> None:
    found = passage_terms(PLAIN, [], ("Guide", "Server", "Setup"), "Guide", "deep/first-steps/set_up.md")
    assert found.heading == ("setup",)
    assert found.path == ("guide", "server", "deep", "first", "steps", "set", "up")
    assert found.title == ("guide",)


def test_a_heading_that_is_the_title_counts_once() -> None:
    found = passage_terms(PLAIN, [], ("Guide",), "Guide", "a.md")
    assert (found.heading, found.path) == (("guide",), ("a",))


def test_a_passage_before_any_heading_stands_under_the_title() -> None:
    found = passage_terms(PLAIN, [], (), "Guide", "a.md")
    assert (found.heading, found.path) == ((), ("guide", "a"))


def test_headings_are_no_part_of_the_body() -> None:
    assert set(terms("# Heading\n\nbody\n").places) == {"body"}


def test_words_as_written_are_gathered_from_all_blocks() -> None:
    text = "Installing **servers**\n\n`response_model`\n"
    blocks = parse_markdown(Document.from_bytes("docs", "p.md", text.encode())).blocks
    assert written_words(ENGLISH, [(block, text) for block in blocks]) == {"installing", "servers", "response_model"}


@given(st.text(max_size=300))
def test_any_text_can_be_placed(text: str) -> None:
    document = Document.from_bytes("docs", "p.md", text.encode("utf-8", "replace"))
    for section in split(parse_markdown(document)):
        found = passage_terms(ENGLISH, [(block, section.text) for block in section.blocks], (), "", "p.md")
        assert starts(found) == sorted(set(starts(found)))
        used = {place >> 1 for places in found.places.values() for place in places}
        assert all(position >= min(starts(found), default=0) for position in used)
