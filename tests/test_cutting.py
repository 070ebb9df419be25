"""A long block is cut where a reader would: a table between rows, code between stanzas, text between sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.answer.cutting import LONGEST_CODE, LONGEST_TABLE, MOST_ROWS, Cut, cut
from nescio.answer.section import section_of
from nescio.domain.candidates import Key
from nescio.domain.documents import BlockKind
from support.shelf import Shelf


def parts(text: str, path: str = "p.md") -> Cut:
    return cut(section_of(Shelf.of(text, path).index, Key(0, 0)))


def texts(found: Cut) -> list[str]:
    return [piece.text for piece in found.pieces]


def table(rows: int, width: int = 40) -> str:
    return "| Key | Meaning |\n|---|---|\n" + "".join(f"| k{row} | {'x' * width} |\n" for row in range(rows))


# --- Tables ----------------------------------------------------------------------------------------------------------


def test_a_long_table_is_its_header_and_each_row() -> None:
    found = parts("# A\n\nThe keys.\n\n" + table(20) + "\nAfter.\n")
    assert texts(found)[:3] == ["The keys.", "| Key | Meaning |\n|---|---|\n", f"| k0 | {'x' * 40} |\n"]
    assert texts(found)[-2:] == [f"| k19 | {'x' * 40} |", "After."]
    assert found.header_of == dict.fromkeys(range(2, 22), 1)


@pytest.mark.parametrize("rows", [MOST_ROWS - 1, 20])
def test_a_table_that_is_short_or_has_few_rows_is_not_cut(rows: int) -> None:
    width = 5 if rows == 20 else LONGEST_TABLE
    assert len(parts("# A\n\n" + table(rows, width)).pieces) == 1


def test_rows_of_a_later_piece_of_a_table_have_its_header() -> None:
    shelf = Shelf.of("# A\n\n" + table(300))
    found = cut(section_of(shelf.index, Key(0, len(shelf.sections) - 1)))
    assert texts(found).count("| Key | Meaning |\n|---|---|") + texts(found).count("| Key | Meaning |\n|---|---|\n") == len(
        shelf.sections
    )
    rows = [at for at, text in enumerate(texts(found)) if text.startswith("| k")]
    assert len(rows) == 300
    for at in rows:
        assert texts(found)[found.header_of[at]].startswith("| Key | Meaning |\n|---|---|")
        assert found.header_of[at] < at


def test_the_first_part_of_a_table_has_what_is_drawn_above_its_header() -> None:
    rule = f"==== {'=' * 40}\n"
    rows = "".join(f"k{row:03} {'x' * 40}\n" for row in range(20))
    found = parts(f"A\n=\n\n{rule}Key  Meaning\n{rule}{rows}{rule}", "p.rst")
    assert texts(found)[0] == f"{rule}Key  Meaning\n{rule}"
    assert texts(found)[1] == f"k000 {'x' * 40}\n"
    assert "".join(texts(found)) == f"{rule}Key  Meaning\n{rule}{rows}{rule}".rstrip("\n")


def test_rows_of_a_decoded_table_read_as_they_are_shown() -> None:
    rows = "".join(f"<tr><td>k{row}</td><td>a &amp; b {'x' * 40}</td></tr>" for row in range(20))
    found = parts(f"<h1>A</h1><table><tr><th>Key</th><th>Meaning</th></tr>{rows}</table>", "p.html")
    assert [found.pieces[at].decoded for at in (0, 1, 20)] == [
        "Key | Meaning",
        f"k0 | a & b {'x' * 40}",
        f"k19 | a & b {'x' * 40}",
    ]
    assert found.pieces[1].spans[0].of(found.pieces[1].document.text).startswith("<tr><td>k0</td>")


# --- Code ------------------------------------------------------------------------------------------------------------


def code(body: str) -> list[str]:
    """The parts of the code with this body, and more of it so that it is long, without its fence."""
    filler = "".join(f"filler_{number}: {'x' * 40}\n" for number in range(LONGEST_CODE // 40))
    return texts(parts(f"# A\n\n```yaml\n{body}\n{filler}```\n"))


def test_long_code_is_cut_at_empty_lines() -> None:
    assert code("one: 1\ntwo: 2\n\nthree: 3\n")[:2] == ["```yaml\none: 1\ntwo: 2\n\n", "three: 3\n\n"]


def test_a_comment_goes_with_the_key_below_it() -> None:
    body = "# how many\nworkers: 4\n# how long\n# at most\ntimeout: 30\n"
    assert code(body)[1:3] == ["# how many\nworkers: 4\n", "# how long\n# at most\ntimeout: 30\n\n"]


def test_a_comment_that_stands_deeper_stays_with_what_it_stands_in() -> None:
    body = "server:\n  port: 80\n    # inside\n  host: a\n# next\nclient:\n  port: 81\n"
    assert "```yaml\nserver:\n  port: 80\n    # inside\n  host: a\n" in code(body)
    assert "# next\nclient:\n  port: 81\n\n" in code(body)


def test_short_code_is_not_cut() -> None:
    assert texts(parts("# A\n\n```\none\n\ntwo\n```\n")) == ["```\none\n\ntwo\n```"]


# --- Text ------------------------------------------------------------------------------------------------------------


def test_long_text_is_cut_between_sentences() -> None:
    sentences = [f"Sentence {number} has {'many ' * 20}words. " for number in range(20)]
    found = texts(parts("# A\n\n" + "".join(sentences) + "\n"))
    assert found == [*sentences[:-1], sentences[-1].rstrip()]


def test_decoded_text_is_not_cut() -> None:
    sentence = f"Sentence &amp; {'many ' * 20}words. "
    assert len(parts(f"<h1>A</h1><p>{sentence * 20}</p>", "p.html").pieces) == 1


def test_groups_hold_the_parts_of_their_blocks() -> None:
    long = " ".join(f"Sentence {number} has {'many ' * 20}words." for number in range(20))
    found = parts(f"# A\n\n1. first\n\n2. {long}\n\n3. third\n")
    steps = found.ranges[0]
    assert (steps.start, steps.end) == (0, len(found.pieces))
    second = found.ranges[2]
    assert found.pieces[second.start].text == f"2. Sentence 0 has {'many ' * 20}words. "
    assert second.end - second.start == 20


# --- Any text --------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["word", "word. ", "Word", "key: 1", "# comment", "    # deep", "\n", "\n\n", "\n    ", "|", "é🚀", "- "]
)


@given(
    st.lists(WORDS, min_size=1, max_size=60).map("".join),
    st.sampled_from(["{}", "```\n{}\n```", "- {}", "| a | b |\n|---|---|\n| {} |\n", "1. {}\n\n| a |\n|---|\n| b |\n| c |\n"]),
    st.integers(1, 60),
)
def test_the_parts_of_a_piece_are_its_spans_in_order(text: str, around: str, longest: int) -> None:
    shelf = Shelf.of("# A\n\n" + around.format(text) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LONGEST_TABLE", "LONGEST_CODE", "LONGEST_TEXT"):
            patch.setattr(f"nescio.answer.cutting.{name}", longest)
        patch.setattr("nescio.answer.cutting.MOST_ROWS", 1)
        for key in shelf.all_keys():
            section = section_of(shelf.index, key)
            found = cut(section)
            blocks = dict.fromkeys(piece.block for piece in found.pieces)
            assert list(blocks) == [piece.block for piece in section.pieces]
            for piece in section.pieces:
                own = [one for one in found.pieces if one.block == piece.block]
                held = [at for one in own for span in one.spans for at in range(span.start, span.end)]
                assert held == [at for span in piece.spans for at in range(span.start, span.end)]
                if piece.decoded is None:
                    assert "".join(one.text for one in own) == piece.text
            assert len(found.found) == len(found.pieces)
            for row, header in found.header_of.items():
                assert header < row
                assert found.pieces[header].block == found.pieces[row].block
                assert found.pieces[row].kind is BlockKind.TABLE
            assert [{found.pieces[at].block for at in range(one.start, one.end)} for one in found.ranges] == [
                {section.pieces[at].block for at in range(one.start, one.end)} for one in section.ranges
            ]


@pytest.mark.parametrize("line", ["#\n", "a. ", "x\n\n", "| a |\n"])
def test_hostile_blocks_are_cut_in_time_in_proportion_to_their_length(line: str) -> None:
    around = {"| a |\n": "# A\n\n| h |\n|---|\n", "a. ": "# A\n\n"}.get(line, "# A\n\n```\n")
    found = parts(around + line * (100_000 // len(line)))
    assert len(found.pieces) > 1
    for before, after in pairwise(found.pieces):
        assert before.block != after.block or before.spans[-1].end <= after.spans[0].start
