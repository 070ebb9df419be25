"""A section is all that a reader meets under a heading, in the order of the page, with the files that it includes there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.answer.section import Section, only, passage_alone, section_of
from nescio.assembly.carding import engine_of
from nescio.cards.collecting import collect
from nescio.config.loading import load
from nescio.domain.candidates import Key
from nescio.domain.documents import Document, GroupKind
from nescio.domain.spans import Span
from nescio.ingest.splitter import LONGEST_PASSAGE
from support.projects import Project
from support.shelf import Shelf, read
from test_splitter import DOCUMENTS

LONG = "word " * (LONGEST_PASSAGE // 5 - 20)


def section(shelf: Shelf, number: int = 0) -> Section:
    return section_of(shelf.index, Key(0, number))


def texts(found: Section) -> list[str]:
    return [piece.text for piece in found.pieces]


def grouped(found: Section) -> list[tuple[GroupKind, list[str]]]:
    return [(one.kind, texts(found)[one.start : one.end]) for one in found.ranges]


# --- The order -------------------------------------------------------------------------------------------------------


def test_an_included_file_stands_where_the_page_includes_it() -> None:
    shelf = Shelf.of("# A\n\nBefore.\n\n{* main.py *}\n\nAfter.\n\n{* end.py *}\n", main__py="run()\n", end__py="stop()\n")
    found = section(shelf)
    assert [(piece.path, piece.text) for piece in found.pieces] == [
        ("p.md", "Before."),
        ("main.py", "run()"),
        ("p.md", "After."),
        ("end.py", "stop()"),
    ]


def test_the_section_is_the_same_whichever_of_its_passages_was_found() -> None:
    shelf = Shelf.of("# A\n\nBefore.\n\n{* main.py *}\n\nAfter.\n", main__py="run()\n")
    assert [texts(section(shelf, key.number)) for key in shelf.all_keys()] == [["Before.", "run()", "After."]] * 2


def test_a_file_that_is_included_twice_stands_in_both_places() -> None:
    shelf = Shelf.of("# A\n\nOne.\n\n{* main.py *}\n\nTwo.\n\n{* main.py *}\n\nThree.\n", main__py="run()\n")
    assert texts(section(shelf)) == ["One.", "run()", "Two.", "run()", "Three."]


def test_files_that_are_included_side_by_side_keep_their_order() -> None:
    shelf = Shelf.of("# A\n\n{* z.py *}\n\n{* a.py *}\n\nAfter.\n", z__py="z()\n", a__py="a()\n")
    assert texts(section(shelf)) == ["z()", "a()", "After."]


def test_a_page_that_only_includes_is_what_it_includes() -> None:
    shelf = Shelf.of("# A\n\n{* main.py *}\n", main__py="run()\n")
    assert [(piece.path, piece.text) for piece in section(shelf).pieces] == [("main.py", "run()")]


def test_another_heading_is_another_section() -> None:
    shelf = Shelf.of("# A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n")
    assert [texts(section(shelf, number)) for number in range(3)] == [["One."], ["Two."], ["Three."]]


def test_sections_of_one_name_are_told_apart() -> None:
    shelf = Shelf.of("# A\n\n## Setup\n\nOne.\n\n## Setup\n\nTwo.\n")
    assert [texts(section(shelf, number)) for number in range(2)] == [["One."], ["Two."]]


def test_a_section_that_was_cut_is_one_again() -> None:
    shelf = Shelf.of(f"# A\n\n{LONG}\n\nSecond.\n\nThird.\n\n{LONG}\n")
    assert len(shelf.sections) > 1
    for key in shelf.all_keys():
        found = section(shelf, key.number)
        assert texts(found) == [LONG.strip(), "Second.", "Third.", LONG.strip()]
        own = [block.span for block in shelf.sections[key.number].passage.blocks]
        assert [piece.block.span for piece, is_found in zip(found.pieces, found.found, strict=True) if is_found] == own


def test_of_a_very_long_section_only_what_is_near_is_looked_at() -> None:
    shelf = Shelf.of("# A\n\n" + "\n\n".join(f"Part {number} {LONG}" for number in range(12)))
    assert len(shelf.sections) == 12
    assert [text.split()[1] for text in texts(section(shelf, 5))] == ["2", "3", "4", "5", "6", "7", "8"]


@given(DOCUMENTS)
def test_every_piece_is_a_block_of_its_passages_in_the_order_of_the_page(text: str) -> None:
    shelf = Shelf.of(text)
    for key in shelf.all_keys():
        found = section(shelf, key.number)
        assert found.at.key == key
        assert len(found.found) == len(found)
        assert any(found.found)
        blocks = [block for at in shelf.section(key, 3) for block in at.passage.blocks]
        assert [piece.block for piece in found.pieces] == blocks
        for piece in found.pieces:
            assert all(span.is_within(piece.block.span) for span in piece.spans)
        for one in found.ranges:
            assert 0 <= one.start < one.end <= len(found)


# --- What stands for itself ------------------------------------------------------------------------------------------


def test_a_passage_alone_has_nothing_of_its_neighbours() -> None:
    shelf = Shelf.of("# A\n\nBefore.\n\n{* main.py *}\n\nAfter.\n", main__py="run()\n")
    alone = [passage_alone(shelf.index, key) for key in shelf.all_keys()]
    assert [texts(one) for one in alone] == [["Before.", "After."], ["run()"]]


def test_a_fact_of_a_card_stands_alone(project: Project) -> None:
    project.write("mail.md", "# Mail\n\n## Setup\n\n- It takes old plans.\n- It takes new plans.\n")
    (project.root / "nescio.toml").write_text('[[card]]\nunit = "page"\n', "utf-8")
    configuration = load(project.root, environ={}, flags={"jobs": 1}, needs_docs=False)
    with engine_of(configuration, collect(configuration).cards) as engine:
        keys = engine.index.keys()
        found = [texts(section_of(engine.index, key)) for key in keys]
    assert found == [["It takes old plans."], ["It takes new plans."]]


# --- Masks -----------------------------------------------------------------------------------------------------------


def with_mask(text: str, path: str, *words: str) -> Shelf:
    """The page as a build keeps it where these words are masked."""
    document = Document.from_bytes("docs", path, text.encode())
    masked = tuple(Span(text.index(word), text.index(word) + len(word)) for word in words)
    return Shelf(replace(read(document), document=replace(document, masked=masked)))


def test_what_is_masked_is_in_no_piece() -> None:
    found = section(with_mask("# A\n\nThe token is SECRET here.\n\n```\nexport T=TOKEN\n```\n", "p.md", "SECRET", "TOKEN"))
    assert texts(found) == ["The token is  here.", "```\nexport T=\n```"]
    assert [len(piece.spans) for piece in found.pieces] == [2, 2]


def test_decoded_text_is_left_out_whole_where_some_of_it_is_masked() -> None:
    html = "<h1>A</h1><p>The token is SECRET here.</p><p>It &amp; others.</p>"
    assert texts(section(with_mask(html, "p.html", "SECRET"))) == ["It & others."]


# --- Tables and groups -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["p.md", "p.rst"])
def test_a_later_piece_of_a_long_table_begins_with_the_whole_header(path: str) -> None:
    rule = "====== " + "=" * 40
    heads = {"p.md": ("# A\n\n", "| Key | Meaning |\n|---|---|\n"), "p.rst": ("A\n=\n\n", f"{rule}\nKey    Meaning\n{rule}\n")}
    lead, header = heads[path]
    row = "| k{0:03} | {1} |\n" if path == "p.md" else "k{0:03}   {1}\n"
    rows = "".join(row.format(number, "x" * 38) for number in range(400))
    shelf = Shelf.of(lead + header + rows + (f"{rule}\n" if path == "p.rst" else ""), path)
    assert len(shelf.sections) > 2
    for key in shelf.all_keys():
        (piece,) = passage_alone(shelf.index, key).pieces
        first, *_ = piece.spans
        assert piece.text.startswith(header.rstrip("\n"))
        assert first.start == len(lead)


def test_groups_are_the_pieces_that_stand_in_them() -> None:
    shelf = Shelf.of("# A\n\nDo:\n\n1. one\n\n    more of one\n\n2. two\n\n!!! note\n\n    Careful.\n\nEnd.\n")
    assert grouped(section(shelf)) == [
        (GroupKind.STEPS, ["1. one", "    more of one", "2. two"]),
        (GroupKind.ENTRY, ["1. one", "    more of one"]),
        (GroupKind.ENTRY, ["2. two"]),
        (GroupKind.BOX, ["!!! note", "    Careful."]),
    ]


def test_a_file_that_is_included_in_a_step_is_of_the_procedure() -> None:
    shelf = Shelf.of("# A\n\n1. First:\n\n    {* main.py *}\n\n2. Then.\n\nEnd.\n", main__py="run()\n")
    (steps,) = [held for kind, held in grouped(section(shelf)) if kind is GroupKind.STEPS]
    assert steps == ["1. First:", "run()", "2. Then."]


def test_a_group_that_was_cut_by_the_end_of_a_passage_is_one_again() -> None:
    steps = "".join(f"{number}. step {number} {'x ' * 500}\n" for number in range(1, 10))
    shelf = Shelf.of(f"# A\n\n{steps}")
    assert len(shelf.sections) == 2
    (held,) = [held for kind, held in grouped(section(shelf, 1)) if kind is GroupKind.STEPS]
    assert len(held) == 9


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_a_section_with_some_of_its_pieces_has_their_groups(text: str, chance: object) -> None:
    shelf = Shelf.of(text)
    for key in shelf.all_keys():
        found = section(shelf, key.number)
        kept = [at for at in range(len(found)) if chance.random() < 0.6]  # type: ignore[attr-defined]
        part = only(found, kept)
        assert part.pieces == tuple(found.pieces[at] for at in kept)
        told = [{at for at in kept if one.holds(at)} for one in found.ranges]
        assert [{kept[at] for at in range(one.start, one.end)} for one in part.ranges] == [held for held in told if held]
