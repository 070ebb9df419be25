"""Which pieces of a section are shown: all of a short one; of a long one what answers, with all that it hangs on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.answer.excerpt import LONGEST_LEAD, MOST_ROWS, excerpt
from nescio.answer.quoting import quoted
from nescio.answer.section import Piece, Section, section_of
from nescio.domain.answers import Quote
from nescio.domain.candidates import Key
from nescio.domain.documents import Block, BlockKind, Document, Group, GroupKind, Page, Run
from nescio.domain.spans import Span
from support.shelf import Shelf, focus_on

LONGEST = 400
FILLER = "filler " * 40 + "end."  # too much to be shown beside anything else


def quote_of(shelf: Shelf, words: str, longest: int = LONGEST, number: int = 0) -> Quote:
    section = section_of(shelf.index, Key(0, number))
    return quoted(section.at, excerpt(section, focus_on(words), longest))


def shown(markdown: str, words: str, longest: int = LONGEST) -> str:
    """What is quoted of the one section of a page."""
    return quote_of(Shelf.of(markdown), words, longest).text


def between(*parts: str) -> str:
    """A long section with these blocks in the middle."""
    return "# Title\n\n" + "\n\n".join((FILLER, FILLER, *parts, FILLER, FILLER)) + "\n"


# --- What answers ----------------------------------------------------------------------------------------------------


def test_a_section_that_is_short_enough_is_shown_whole() -> None:
    text = "Nothing of it.\n\nAn apple.\n\nA red apple.\n\nNothing again."
    assert shown(f"# Title\n\n{text}\n", "apple", len(text.replace("\n", ""))) == text


def test_of_short_statements_side_by_side_the_one_that_says_it_is_shown() -> None:
    text = "A plum.\n\nA pear and an apple.\n\nA pear."
    assert shown(f"# Title\n\n{text}\n", "apple pear") == "A pear and an apple."
    led = "What there is of pears:\n\nA pear and an apple."
    assert shown(f"# Title\n\n{led}\n", "apple pear") == led


def test_of_a_longer_section_what_has_the_words_is_shown() -> None:
    found = shown(between("An apple and a pear."), "apple pear")
    assert "An apple and a pear." in found
    assert len(found) <= LONGEST


def test_what_holds_more_of_the_question_is_shown() -> None:
    text = between("An apple.", FILLER, FILLER, "An apple and a pear.", FILLER, FILLER, "A pear.")
    assert "An apple and a pear." in shown(text, "apple pear")


def test_words_side_by_side_as_asked_tell_apart_what_has_the_same_words() -> None:
    text = between("The member may hold a long wait.", FILLER, FILLER, "A member may wait so long.")
    assert "A member may wait so long." in shown(text, "long member may wait")


def test_a_word_of_the_heading_is_worth_less_than_one_that_is_not_there() -> None:
    text = between("The apple is round. The apple is an apple.", FILLER, FILLER, "It is stored cold.").replace("Title", "Apple")
    assert "It is stored cold." in shown(text, "apple stored")


def test_a_section_that_is_found_by_its_heading_is_shown_from_its_start() -> None:
    first = "The first says what it is. " + "More " * 30
    assert shown(f"# Apple\n\n{first}\n\n{FILLER}\n\n{FILLER}\n", "apple").startswith(first.strip())


def test_neighbours_with_words_of_the_question_come_along() -> None:
    found = shown(between("The apple is red.", "The pear is green."), "apple pear red")
    assert "The apple is red.\n\nThe pear is green." in found


def test_where_a_link_leads_is_not_what_it_says() -> None:
    text = between("See [here](apple/pear.md).", FILLER, FILLER, "An apple.")
    assert "An apple." in shown(text, "apple pear")


def test_of_a_section_that_was_cut_the_passage_that_was_found_is_looked_through() -> None:
    long = "\n\n".join([FILLER] * 30)
    shelf = Shelf.of(f"# A\n\nThe apple pie first.\n\n{long}\n\nThe apple last.\n")
    assert len(shelf.sections) == 2
    assert "The apple pie first." in quote_of(shelf, "apple pie").text
    assert "The apple last." in quote_of(shelf, "apple pie", number=1).text


# --- Procedures ------------------------------------------------------------------------------------------------------


def steps(count: int, words: int = 1) -> str:
    return "\n".join(f"{number}. step{number} {'word ' * words}is done" for number in range(1, count + 1))


def test_a_procedure_that_fits_is_shown_whole() -> None:
    assert steps(5) in shown(between("Do this:", steps(5)), "step3")


def test_a_procedure_comes_with_what_leads_into_it() -> None:
    assert f"Do this:\n\n{steps(5)}" in shown(between("Do this:", steps(5)), "step3")


def steps_in(found: str) -> list[int]:
    return [int(number) for number in re.findall(r"step(\d+)", found)]


def test_a_procedure_that_is_too_long_is_shown_from_its_first_step_to_the_one_that_answers() -> None:
    found = steps_in(shown(between(steps(9, 12)), "step4"))
    assert found[:4] == [1, 2, 3, 4]
    assert 9 not in found


def test_a_step_that_stands_too_far_down_is_shown_with_the_first_one() -> None:
    found = steps_in(shown(between("Do this:", steps(30, 12)), "step20"))
    assert found[0] == 1
    assert 20 in found
    assert len(found) < 10


def test_a_step_is_shown_with_all_that_stands_in_it() -> None:
    text = between("1. first\n\n2. apple\n\n    ```\n    run it\n    ```\n\n    It takes long.\n\n3. third")
    assert "    ```\n    run it\n    ```\n\n    It takes long." in shown(text, "apple")


# --- Lists -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", ["The fruits:", "The fruits are these.", "The fruits\uff1a", "**The fruits:**"])
def test_what_leads_into_a_list_is_kept(lead: str) -> None:
    items = "\n".join(f"- fruit{number} {'word ' * 12}" for number in range(9))
    found = shown(between(lead, items), "fruit6")
    assert found.startswith(lead)
    assert "- fruit6" in found


def test_a_long_paragraph_before_a_list_is_no_lead() -> None:
    long = "filler " * (LONGEST_LEAD // 7 + 1) + "end."
    items = "\n".join(f"- fruit{number} {'word ' * 12}" for number in range(9))
    assert shown(f"# Title\n\n{long}\n\n{items}\n", "fruit6").startswith("- fruit")


def test_an_item_is_shown_with_its_name_and_all_that_stands_in_it() -> None:
    text = between("- **--apple**\n\n    Says the colour.\n\n    It is red by default.\n\n- **--pear**\n\n    Says more.")
    found = shown(text, "red default")
    assert "- **--apple**\n\n    Says the colour.\n\n    It is red by default." in found


# --- Code ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lead", ["Run this first.", "- Run this first."])
def test_code_is_never_shown_without_the_sentence_before_it(lead: str) -> None:
    code = "```\napple --now\n```"
    assert f"{lead}\n\n{code}" in shown(between(lead, code), "apple")


def test_code_that_follows_what_answers_comes_along() -> None:
    assert "Install the apple.\n\n```\npip install it\n```" in shown(
        between("Install the apple.", "```\npip install it\n```"), "apple"
    )


def test_included_code_is_shown_with_the_sentence_before_it_and_exactly_as_in_its_file() -> None:
    shelf = Shelf.of(between("Run this first.", "{* main.py *}"), main__py="\tif apple:\n\n        go()   \n")
    quote = quote_of(shelf, "apple", number=1)
    assert "Run this first.\n\n\tif apple:\n\n        go()" in quote.text
    assert "main.py" in {span.path for span in quote.spans}


def test_of_long_code_the_stanza_with_its_comment_is_shown() -> None:
    stanzas = "\n".join(f"# of key{number}\nkey{number}: {'x' * 40}\n" for number in range(40))
    found = shown(f"# Title\n\nAll keys:\n\n```yaml\n{stanzas}```\n", "key30")
    assert f"# of key30\nkey30: {'x' * 40}\n" in found
    assert "key3:" not in found
    assert len(found) <= LONGEST


# --- Tables ----------------------------------------------------------------------------------------------------------

HEADER = "| Key | Meaning |\n|---|---|\n"


def table(count: int) -> str:
    return HEADER + "\n".join(f"| key{number} | meaning{number % 7} {'x' * 40} |" for number in range(count))


def rows_in(found: str) -> list[int]:
    return [int(number) for number in re.findall(r"^\| key(\d+)", found, re.MULTILINE)]


def test_a_row_of_a_long_table_is_shown_with_its_header_and_what_leads_into_it() -> None:
    found = shown(between("The keys:", table(40)), "key30")
    assert found.startswith(f"The keys:\n\n{HEADER}| key30 | meaning2 ")
    assert rows_in(found) == [30]


def test_at_most_three_rows_of_a_long_table_are_shown() -> None:
    assert rows_in(shown(between("The keys:", table(40)), "meaning2")) == [2, 9, 16]
    assert MOST_ROWS == 3


def test_more_rows_are_shown_where_more_are_asked_for() -> None:
    section = section_of(Shelf.of(between("The keys:", table(40))).index, Key(0, 0))
    pieces = excerpt(section, focus_on("meaning2"), LONGEST, rows=5)
    assert rows_in("".join(piece.text for piece in pieces)) == [2, 9, 16, 23, 30]


def test_a_row_that_has_much_less_than_the_best_is_not_shown_beside_it() -> None:
    assert rows_in(shown(between("The keys:", table(40)), "key9 meaning2")) == [9]


@pytest.mark.parametrize("words", ["listed", "meaning"])
def test_the_header_of_a_long_table_is_never_shown_without_a_row(words: str) -> None:
    assert rows_in(shown(between("All are listed here:", table(40)), words)) == [0, 1, 2]


def test_a_row_of_a_later_piece_of_a_very_long_table_has_the_header_too() -> None:
    shelf = Shelf.of("# Title\n\nThe keys:\n\n" + table(300))
    number = next(at for at, one in enumerate(shelf.sections) if "| key250 |" in one.passage.span.of(one.text))
    assert number > 1
    found = quote_of(shelf, "key250", number=number).text
    assert found.startswith(HEADER + "| key250 |")
    assert rows_in(found) == [250]


def test_a_short_table_is_shown_whole() -> None:
    assert table(2) in shown(between("The keys:", table(2)), "key1")


# --- Labels ----------------------------------------------------------------------------------------------------------

BOXES = [
    ("<details>\n<summary>About apples</summary>\n\n{}\n\n</details>", "About apples"),
    ('!!! note "About apples"\n    {}', "About apples"),
    ('=== "About apples"\n\n    {}', "About apples"),
    ("**About apples?**\n\n{}", "**About apples?**"),
]


@pytest.mark.parametrize(("box", "label"), BOXES)
def test_a_label_is_never_lost(box: str, label: str) -> None:
    found = shown(between(box.format("They are stored cold.")), "stored cold")
    assert label in found
    assert "They are stored cold." in found


@pytest.mark.parametrize(("box", "label"), BOXES)
def test_a_label_is_never_alone(box: str, label: str) -> None:
    found = shown(between(box.format(f"They are stored cold. {'word ' * 30}")), "about apples")
    assert label in found
    assert "They are stored cold." in found


def test_of_tabs_side_by_side_the_one_that_is_named_is_shown() -> None:
    tabs = "\n\n".join(f'=== "{name}"\n\n    Run the {name.lower()} installer.' for name in ("Linux", "Windows", "Solaris"))
    found = shown(f"# Install\n\nChoose.\n\n{tabs}\n\nDone.\n", "install windows")
    assert found == 'Choose.\n\n=== "Windows"\n\n    Run the windows installer.\n\nDone.'


def test_tabs_that_are_not_named_are_all_shown() -> None:
    tabs = "\n\n".join(f'=== "{name}"\n\n    Run the {name.lower()} installer.' for name in ("Linux", "Windows"))
    assert shown(f"# Install\n\nChoose.\n\n{tabs}\n", "install runner") == f"Choose.\n\n{tabs}"


def test_a_section_of_which_only_what_was_not_found_is_named_is_shown_nevertheless() -> None:
    pear, apple = ("word " * 120, "apple " * 1_200)
    tabs = f'=== "Linux"\n\n    {pear}\n\n=== "Windows"\n\n    {apple}\n'
    shelf = Shelf.of(f"# A\n\n{'filler ' * 700}\n\n{tabs}")
    assert len(shelf.sections) == 2
    assert '=== "Linux"' in quote_of(shelf, "linux apple", number=1).text


# --- Ends and what is needed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("colon", [":", "\uff1a", ":**"])
@pytest.mark.parametrize("follows", ["- first\n- second", "| a | b |\n|---|---|\n| c | d |", "```\ncode\n```", "Plain words."])
def test_what_is_shown_never_ends_on_a_colon(colon: str, follows: str) -> None:
    lead = f"**The apple options{colon}" if colon.endswith("*") else f"The apple options{colon}"
    assert f"{lead}\n\n{follows.split(chr(10))[0]}" in shown(between(lead, follows), "apple options")


def test_a_footnote_comes_along() -> None:
    text = between("The apple is red[^1].") + "\n[^1]: But for some.\n"
    assert shown(text, "apple red").endswith("[^1]: But for some.")


def test_a_footnote_that_is_shown_anyway_is_shown_once() -> None:
    text = "# Title\n\nThe apple is red[^1].\n\n[^1]: But for some.\n"
    assert shown(text, "apple red", 4_000).count("But for some.") == 1


def test_a_comment_between_two_blocks_that_are_shown_stays_hidden() -> None:
    assert "An apple:\n\n```\ncode\n```" in shown(between("An apple:", "<!-- SECRET -->", "```\ncode\n```"), "apple")


# --- Any section -----------------------------------------------------------------------------------------------------

WORDS = ("apple", "pear", "plum", "filler", "word", "and", "more")


LEAVES = st.sampled_from(
    [(BlockKind.PARAGRAPH, "."), (BlockKind.PARAGRAPH, ":"), (BlockKind.CODE, "\n"), (BlockKind.TABLE, "|")]
)
BELOW = st.sampled_from([(BlockKind.PARAGRAPH, "."), (BlockKind.CODE, "\n")])
ITEMS = st.sampled_from([(BlockKind.LIST_ITEM, "."), (BlockKind.LIST_ITEM, ":")])
# A leaf; a box as its label and what is in it; a list as its items, each with what stands below it.
BOXES_OF_LEAVES = st.lists(BELOW, min_size=1, max_size=2).map(
    lambda below: (GroupKind.BOX, [(BlockKind.PARAGRAPH, "?"), *below])
)
ENTRIES = st.tuples(ITEMS, st.lists(BELOW, max_size=2)).map(lambda entry: (GroupKind.ENTRY, [entry[0], *entry[1]]))
LISTS = st.tuples(st.sampled_from([GroupKind.STEPS, GroupKind.LIST]), st.lists(ENTRIES, min_size=1, max_size=4))
PARTS = st.lists(LEAVES | BOXES_OF_LEAVES | LISTS, min_size=1, max_size=8)


@st.composite
def made_sections(draw: st.DrawFn) -> Shelf:
    """A page of one section, made of blocks and groups as parsers make them."""
    texts: list[str] = []
    blocks: list[tuple[BlockKind, Span, list[Group]]] = []

    def add(part: Any) -> None:
        kind, below = part
        if isinstance(kind, GroupKind):
            first = len(blocks)
            for one in below:
                add(one)
            group = Group(kind, Span(blocks[first][1].start, blocks[-1][1].end))
            for _, _, groups in blocks[first:]:
                groups.insert(0, group)
            return
        words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=draw(st.sampled_from([3, 15]))))
        start = sum(len(text) + 2 for text in texts)
        texts.append(" ".join(words) + below)
        blocks.append((kind, Span(start, start + len(texts[-1])), []))

    for part in draw(PARTS):
        add(part)
    document = Document.from_bytes("docs", "p.md", "\n\n".join(texts).encode())
    return Shelf(
        Page(document, "Title", tuple(Block(kind, span, (Run(span),), groups=tuple(groups)) for kind, span, groups in blocks))
    )


def is_lead(piece: Piece) -> bool:
    return piece.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) and piece.text.endswith(":")


@settings(max_examples=300)
@given(made_sections(), st.sets(st.sampled_from(["apple", "pear", "plum", "zebra"]), min_size=1), st.integers(1, 400))
def test_an_excerpt_keeps_together_what_belongs_together(shelf: Shelf, words: set[str], longest: int) -> None:
    (key,) = shelf.all_keys()
    section = section_of(shelf.index, key)
    pieces = excerpt(section, focus_on(" ".join(sorted(words))), longest)
    if section.length <= longest and len(pieces) == len(section):
        assert pieces == section.pieces
    kept = [section.pieces.index(piece) for piece in pieces]
    assert kept
    assert kept == sorted(set(kept)), "pieces are in order, each once"
    left_out = without_boxes_beside(section, set(kept))
    for at in kept:
        before = section.pieces[at - 1] if at else None
        if before and section.pieces[at].kind is BlockKind.CODE and before.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            assert at - 1 in kept or at - 1 in left_out, "code with the text before it"
        if is_lead(section.pieces[at]) and at + 1 < len(section):
            assert at + 1 in kept or at + 1 in left_out, "no end on a colon"
        for group in (one for one in section.ranges if one.holds(at)):
            if group.kind is GroupKind.STEPS:
                so_far = {*kept, *range(group.start, at + 1)}
                assert group.start in kept, "a procedure from its first step"
                assert so_far == set(kept) or sum(len(section.pieces[one].text) for one in so_far) > longest, "no step left out"
            if group.kind not in (GroupKind.LIST, GroupKind.STEPS):
                assert group.start in kept, "an item with its first block, a box with its label"
            elif group.start:
                lead = section.pieces[group.start - 1]
                is_text = lead.kind is BlockKind.PARAGRAPH and len(lead.text) <= LONGEST_LEAD
                assert not is_text or group.start - 1 in kept or group.start - 1 in left_out, "a list with its lead"
            if group.kind is GroupKind.BOX:
                assert group.end - group.start == 1 or len({*range(group.start, group.end)} & set(kept)) > 1, "no label alone"


def without_boxes_beside(section: Section, kept: set[int]) -> set[int]:
    """The pieces of boxes that are left out whole: they stand beside one that the question names."""
    boxes = [one for one in section.ranges if one.kind is GroupKind.BOX]
    return {at for box in boxes if kept.isdisjoint(range(box.start, box.end)) for at in range(box.start, box.end)}


@given(made_sections(), st.sets(st.sampled_from(["apple", "pear", "plum"]), min_size=1))
def test_an_excerpt_has_the_piece_that_has_most_of_the_question(shelf: Shelf, words: set[str]) -> None:
    (key,) = shelf.all_keys()
    section = section_of(shelf.index, key)
    focus = focus_on(" ".join(sorted(words)))
    pieces = excerpt(section, focus, 1)
    left_out = without_boxes_beside(section, {section.pieces.index(piece) for piece in pieces})
    shares = [focus.share(focus.held(piece.text)) for at, piece in enumerate(section.pieces) if at not in left_out]
    near = 0.25  # of a box's label, words in order, the first piece
    assert max(focus.share(focus.held(piece.text)) for piece in pieces) >= max(shares) - near - 0.6 * bool(section.ranges)


@given(made_sections(), st.sets(st.sampled_from(["apple", "pear", "plum"]), min_size=1), st.integers(150, 400))
def test_an_excerpt_is_not_longer_than_about_twice_what_is_wanted(shelf: Shelf, words: set[str], longest: int) -> None:
    (key,) = shelf.all_keys()
    section = section_of(shelf.index, key)
    pieces = excerpt(section, focus_on(" ".join(sorted(words))), longest)
    longest_group = max(
        (sum(len(section.pieces[at].text) for at in range(one.start, one.end)) for one in section.ranges), default=0
    )
    bound = max(longest, longest_group) + longest
    assert sum(len(piece.text) for piece in pieces) <= bound


@given(made_sections(), st.integers(1, 400))
def test_an_excerpt_says_the_same_each_time(shelf: Shelf, longest: int) -> None:
    section = section_of(shelf.index, Key(0, 0))
    assert excerpt(section, focus_on("apple pear"), longest) == excerpt(section, focus_on("apple pear"), longest)
