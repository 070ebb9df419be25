"""Which blocks of a passage are shown: those that hold the question's words, with what leads into them and what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.analysis.passages import passage_terms
from nescio.analysis.tokens import Analyzer
from nescio.answer.excerpt import excerpt
from nescio.domain.candidates import Candidate, Key, Question, WeightedTerm
from nescio.domain.documents import Document, Passage
from nescio.domain.spans import Span
from nescio.ingest.parsers.markdown import parse_markdown
from nescio.ingest.splitter import LONGEST_PASSAGE, Section, split

PLAIN = Analyzer("xx")
LONGEST = 1_200
FILLER = "filler " * 60 + "end."


def section_of(markdown: str) -> Section:
    return split(parse_markdown(Document.from_bytes("docs", "p.md", markdown.encode())))[-1]


def narrowed(section: Section, words: str, longest: int = LONGEST) -> Passage:
    """The passage as it is shown to somebody who asks these words, all worth the same."""
    terms = tuple(WeightedTerm(word, 1.0, 1.0) for word in words.split())
    blocks = [(block, section.text) for block in section.blocks]
    found = passage_terms(PLAIN, blocks, (), "", "p.md")
    places = tuple(found.places.get(term.term, []) for term in terms)
    nowhere = tuple(False for _ in terms)
    sentences = [one.packed for one in found.sentences]
    candidate = Candidate(Key(0, 0), 0, 0, 0, places, nowhere, nowhere, sentences, found.paragraphs)
    total = float(len(terms))
    return excerpt(Question(terms, total, total), candidate, section.passage, section.text, longest)


def shown(markdown: str, words: str, longest: int = LONGEST) -> str:
    section = section_of(markdown)
    return "".join(span.of(section.text) for span in narrowed(section, words, longest).spans)


# --- What answers ----------------------------------------------------------------------------------------------------


def test_a_block_that_holds_every_word_is_shown_alone() -> None:
    assert shown("One here.\n\nThe apple and the pear.\n\nThree there.\n", "apple pear") == "The apple and the pear."


def test_the_first_of_two_blocks_that_hold_as_much_is_shown() -> None:
    assert shown("An apple.\n\nMore.\n\nAn apple again.\n", "apple") == "An apple."


def test_a_short_passage_whose_blocks_share_the_words_is_shown_whole() -> None:
    text = "An apple.\n\nNothing.\n\nA pear.\n"
    assert shown(text, "apple pear") == text.rstrip()


def test_a_long_passage_is_narrowed_to_what_brings_the_words() -> None:
    text = f"{FILLER}\n\nAn apple.\n\nA plum.\n\nA pear.\n\n{FILLER}\n\n{FILLER}\n"
    found = shown(text, "apple pear")
    assert "An apple.\n\nA plum.\n\nA pear." in found
    assert len(found) <= LONGEST


def test_a_word_that_the_passage_lacks_does_not_widen_the_excerpt() -> None:
    assert shown("An apple.\n\nMore.\n", "apple zebra") == "An apple."


def test_a_passage_found_by_its_heading_is_shown_from_its_start() -> None:
    found = shown("# Apple\n\n" + "\n\n".join([FILLER] * 8), "apple")
    assert found.startswith("filler")
    assert found.count("end.") == 2


# --- What belongs together -------------------------------------------------------------------------------------------


def test_code_is_shown_with_the_sentence_that_leads_into_it() -> None:
    text = f"{FILLER}\n\nRun this first.\n\n```\napple --now\n```\n\nThen rest.\n"
    assert shown(text, "apple") == "Run this first.\n\n```\napple --now\n```"


def test_code_that_follows_a_sentence_is_shown_with_it() -> None:
    text = f"Zero.\n\nInstall the apple now.\n\n```\npip install it\n```\n\nAfter.\n\n{FILLER}\n"
    assert shown(text, "apple") == "Install the apple now.\n\n```\npip install it\n```"


@pytest.mark.parametrize("colon", [":", "：", ":**"])
@pytest.mark.parametrize("follows", ["- first\n- second", "| a | b |\n|---|---|\n| c | d |", "```\ncode\n```"])
def test_a_sentence_that_ends_in_a_colon_is_shown_with_what_it_introduces(colon: str, follows: str) -> None:
    lead = f"**The apple options{colon}" if colon.endswith("*") else f"The apple options{colon}"
    assert shown(f"Before.\n\n{lead}\n\n{follows}\n\nAfter that.\n", "apple") == f"{lead}\n\n{follows}"


def test_a_list_after_a_full_stop_is_not_taken_along() -> None:
    assert shown("The apple is round.\n\n- first\n- second\n", "apple") == "The apple is round."


def test_code_is_exactly_as_in_the_source() -> None:
    code = "```python\n\tif apple:\n\n        go()   \n```"
    assert shown(f"Before.\n\n{code}\n", "apple") == f"Before.\n\n{code}"


# --- Lengths ---------------------------------------------------------------------------------------------------------


def test_what_is_introduced_is_left_out_where_it_does_not_fit() -> None:
    text = "The apple options:\n\n- " + "x" * 80 + "\n- " + "y" * 80 + "\n"
    assert shown(text, "apple", longest=110) == "The apple options:\n\n- " + "x" * 80


def test_one_block_that_is_too_long_is_shown_whole() -> None:
    code = "```\n" + "apple\n" * 400 + "```"
    assert shown(f"{FILLER}\n\n{FILLER}\n\n{code}\n", "apple").endswith(code)


BLOCKS = st.sampled_from(
    [
        "apple here",
        "a pear.",
        "plum and apple:",
        FILLER,
        "- apple\n- pear",
        "```\nplum\n```",
        "| apple | b |\n|---|---|\n| c | d |",
        "<!-- hidden -->",
        "> quoted pear",
        "***",
        "![](image.png)",
        "1. one:\n\n    ```\n    pear\n    ```",
    ]
)


@given(
    st.lists(BLOCKS, min_size=1, max_size=8),
    st.sets(st.sampled_from(["apple", "pear", "plum", "zebra"])),
    st.integers(1, 1_500),
)
def test_an_excerpt_is_whole_neighbouring_blocks_of_its_passage(parts: list[str], words: set[str], longest: int) -> None:
    for section in split(parse_markdown(Document.from_bytes("docs", "p.md", "\n\n".join(parts).encode()))):
        passage = section.passage
        found = narrowed(section, " ".join(sorted(words)), longest)
        first = passage.blocks.index(found.blocks[0])
        assert found.blocks == passage.blocks[first : first + len(found.blocks)]
        assert found.span == Span(found.blocks[0][1].start, found.blocks[-1][1].end)
        assert found.span.is_within(passage.span)
        held = {at for span in passage.spans for at in range(span.start, span.end)}
        kept = [at for span in found.spans for at in range(span.start, span.end)]
        assert kept == sorted(held & set(range(found.span.start, found.span.end)))
        assert (found.heading_path, found.anchor, found.title) == (passage.heading_path, passage.anchor, passage.title)


@given(st.lists(BLOCKS, min_size=1, max_size=8), st.sets(st.sampled_from(["apple", "pear", "plum"]), min_size=1))
def test_the_block_that_holds_most_is_in_the_excerpt(parts: list[str], words: set[str]) -> None:
    for section in split(parse_markdown(Document.from_bytes("docs", "p.md", "\n\n".join(parts).encode()))):
        found = narrowed(section, " ".join(words))
        held = {
            span: len(words & {term for token in PLAIN.tokens(span.of(section.text)) for term in token})
            for _, span in section.passage.blocks
        }
        assert max(held[span] for _, span in found.blocks) == max(held.values())


# --- Decoded text, tables, hidden text ---------------------------------------------------------------------------------


def test_text_that_is_shown_decoded_is_narrowed_with_its_blocks() -> None:
    section = section_of("An apple.\n\nA pear.\n\nA plum.\n")
    decoded = replace(section, passage=replace(section.passage, shown=("an apple", "a pear", "a plum")))
    found = narrowed(decoded, "pear")
    assert (found.shown, [span.of(section.text) for span in found.spans]) == (("a pear",), ["A pear."])


def test_a_piece_of_a_table_keeps_its_header_row() -> None:
    rows = "".join(f"| key{number} | {'value ' * 12} |\n" for number in range(LONGEST_PASSAGE // 80))
    section = section_of("# A\n\n| Key | Meaning |\n|---|---|\n" + rows + "\nAfter the apple.\n")
    assert len(section.passage.spans) == 2
    assert narrowed(section, "apple") == section.passage


def test_a_comment_between_two_blocks_that_are_shown_stays_hidden() -> None:
    assert shown("An apple:\n\n<!-- SECRET -->\n\n```\ncode\n```\n\nMore.\n", "apple") == "An apple:\n\n```\ncode\n```"
