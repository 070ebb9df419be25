"""Which passages a page is cut into: each heading's own text, whole where it can be, with nothing hidden inside."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_cases import cases
from nescio.domain.documents import Basis, Block, BlockKind, Document, Page, Passage, Run
from nescio.domain.spans import LINE_END, Offsets, Span
from nescio.ingest.includes import resolve_includes
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.parsers.markdown import parse_markdown
from nescio.ingest.splitter import LONGEST_LEAD, LONGEST_PASSAGE, Section, split

SUFFIX = {"markdown": "md", "html": "html", "rst": "rst"}

LINES = st.sampled_from(
    [
        "# One",
        "## Two",
        "### Three",
        "Setext",
        "===",
        "---",
        "plain text",
        "more *text* here",
        "- item",
        "  - nested",
        "1. first",
        "> quoted",
        "```",
        "~~~py",
        "code();",
        "    indented",
        "| a | b |",
        "|---|---|",
        "| c | d |",
        "<!-- hidden -->",
        "<!--",
        "-->",
        "text <!-- hid --> on",
        "<div>",
        "</div>",
        "!!! note",
        "    body",
        "[ref]: http://example.org",
        "![](image.png)",
        "{* a.py *}",
        "",
        "\u200b",
        "emoji 🚀 here",
        '<a name="x"></a>',
        "$$",
        "$$",
        "{#id}",
        "## Named {#named}",
        ":::note",
        ":::",
    ]
)
DOCUMENTS = st.builds(
    lambda lines, end: end.join(lines), st.lists(LINES, max_size=25), st.sampled_from(["\n", "\r\n", "\r"])
) | st.text(alphabet="#-|`>*<!: \n\tab[](){}", max_size=120)  # fmt: skip


def page_of(text: str, path: str = "p.md") -> Page:
    parse = parser_for(path, None, text)
    assert parse is not None
    return parse(Document.from_bytes("docs", path, text.encode()))


def sections(text: str, path: str = "p.md", slug: str = "github") -> list[Section]:
    return split(page_of(text, path), slug)


def passages(text: str, path: str = "p.md", slug: str = "github") -> list[Passage]:
    return [section.passage for section in sections(text, path, slug)]


def quoted(passage: Passage, text: str) -> str:
    """What a reader is shown."""
    return "".join(span.of(text) for span in passage.spans) if passage.shown is None else "\n\n".join(passage.shown)


def described(text: str, path: str) -> str:
    """The passages as the golden files write them: headings, anchor, lines and kinds, then the slices quoted."""
    found = []
    offsets = Offsets(text)
    for one in passages(text, path):
        place = offsets.place(one.span)
        lines = f"{place.start_line}-{place.end_line}" if place.end_line > place.start_line else str(place.start_line)
        found.append(
            f"{' > '.join(one.heading_path) or '(none)'} #{one.anchor} {lines} {' '.join(block.kind for block in one.blocks)}"
        )
        found += ["    " + LINE_END.sub("⏎", span.of(text)) for span in one.spans]
        found += ["    shows: " + LINE_END.sub("⏎", shown) for shown in one.shown or ()]
    return "\n".join(found)


@pytest.mark.parametrize(("title", "source", "expected"), [pytest.param(*case, id=case[0]) for case in cases("passages")])
def test_a_document_has_these_passages(title: str, source: str, expected: str) -> None:
    assert described(source, "p." + SUFFIX[title.partition(":")[0]]) == expected


# --- Promises for any document ---------------------------------------------------------------------------------------


@given(DOCUMENTS)
def test_passages_are_exact_ranges_of_the_document_in_order(text: str) -> None:
    found = passages(text)
    assert len({passage.id for passage in found}) == len(found)
    for passage in found:
        blocks = [block.span for block in passage.blocks]
        assert passage.span == Span(blocks[0].start, blocks[-1].end)
        assert all(span.is_within(Span(0, len(text))) and span for span in (*passage.spans, *blocks))
        assert all(before.end <= after.start for before, after in pairwise(passage.spans))
    order = [block.span for passage in found for block in passage.blocks]
    assert all(before.end <= after.start for before, after in pairwise(order))


@given(DOCUMENTS)
def test_every_block_that_a_reader_sees_is_in_exactly_one_passage(text: str) -> None:
    page = page_of(text)
    readable = [block.span for block in page.blocks if block.kind is not BlockKind.HEADING and block.runs]
    held = [block.span for section in split(page) for block in section.blocks if block.runs]
    assert held == readable


@given(DOCUMENTS)
def test_a_quote_shows_what_is_seen_and_nothing_else_of_the_page(text: str) -> None:
    for section in sections(text):
        said = quoted(section.passage, section.text)
        for block in section.blocks:
            assert all(run.span.of(section.text).strip() in said for run in block.runs)
        hidden = [Span(before.end, after.start) for before, after in pairwise(section.passage.spans)]
        runs = [run.span for block in section.blocks for run in block.runs if run.visible(section.text).strip()]
        assert not any(run.start < gap.end and gap.start < run.end for run in runs for gap in hidden)


@given(DOCUMENTS)
def test_the_lines_of_blocks_stay_apart_in_a_quote(text: str) -> None:
    for section in sections(text):
        spans = (block.span for block in section.passage.blocks)
        for before, after in pairwise(spans):
            if LINE_END.search(text, before.end, after.start):
                at = sum(len(span) for span in section.passage.spans if span.end <= after.start)
                at += sum(after.start - span.start for span in section.passage.spans if span.start < after.start < span.end)
                assert quoted(section.passage, text)[:at].rstrip(" \t>")[-1:] in ("\n", "\r", "")


@given(DOCUMENTS, st.integers(20, 80))
def test_only_a_single_block_is_longer_than_a_passage_may_be(text: str, longest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nescio.ingest.splitter.LONGEST_PASSAGE", longest)
        patch.setattr("nescio.ingest.splitter.LONGEST_LEAD", 0)
        for section in sections(text):
            readable = [block for block in section.blocks if block.runs]
            assert len(readable) == 1 or sum(len(block.span) for block in section.blocks) <= longest


# --- Sections --------------------------------------------------------------------------------------------------------


def test_a_section_has_the_headings_above_it_by_their_levels() -> None:
    found = passages("# A\n\n### C\n\none\n\n## B\n\ntwo\n\n# D\n\nthree\n")
    assert [one.heading_path for one in found] == [("A", "C"), ("A", "B"), ("D",)]


def test_text_before_the_first_heading_has_no_heading_and_the_page_s_title() -> None:
    first, second = passages("intro\n\n# Title\n\ntext\n")
    assert (first.heading_path, first.anchor, first.title) == ((), "", "Title")
    assert (second.heading_path, second.anchor, second.title) == (("Title",), "title", "Title")


def test_a_heading_without_text_of_its_own_makes_no_passage() -> None:
    assert [one.heading_path for one in passages("# A\n\n## B\n\ntext\n\n## C\n\n<!-- nothing -->\n")] == [("A", "B")]


@pytest.mark.parametrize("text", ["", "\n\n", "# Only\n", "<!-- all hidden -->\n", "---\ntitle: x\n---\n", "\ufeff"])
def test_a_page_without_text_has_no_passages(text: str) -> None:
    assert passages(text) == []


def test_headings_of_the_same_name_have_their_own_anchors() -> None:
    found = passages("# A\n\nx\n\n## Setup\n\none\n\n## Setup\n\ntwo\n")
    assert [one.anchor for one in found] == ["a", "setup", "setup-1"]


@pytest.mark.parametrize("slug", ["github", "python-markdown", "sphinx"])
def test_a_section_that_goes_on_after_a_definition_keeps_its_anchor(slug: str) -> None:
    text = (
        "Title\n=====\n\nIntro.\n\n.. function:: foo()\n\n   Does it.\n\nAfter it.\n\n.. function:: bar()\n\n   Too.\n\nMore.\n"
    )
    found = passages(text, "p.rst", slug)
    assert [(one.heading_path, one.anchor) for one in found] == [
        (("Title",), "title"),
        (("Title", "foo()"), "foo"),
        (("Title",), "title"),
        (("Title", "bar()"), "bar"),
        (("Title",), "title"),
    ]


def test_a_section_that_goes_on_has_the_anchor_made_for_it() -> None:
    text = "AA one BB two"
    blocks = [
        Block(BlockKind.HEADING, Span(0, 2), level=1, title="A"),
        Block(BlockKind.PARAGRAPH, Span(3, 6), (Run(Span(3, 6)),)),
        Block(BlockKind.HEADING, Span(7, 9), level=2, title="B"),
        Block(BlockKind.HEADING, Span(10, 10), level=1, title="A"),
        Block(BlockKind.PARAGRAPH, Span(10, 13), (Run(Span(10, 13)),)),
    ]
    page = Page(Document.from_bytes("docs", "p.rst", text.encode()), "A", tuple(blocks))
    assert [(one.passage.heading_path, one.passage.anchor) for one in split(page)] == [(("A",), "a"), (("A",), "a")]


# --- Cuts ------------------------------------------------------------------------------------------------------------


def paragraphs(count: int, words: int = 100) -> str:
    return "\n\n".join(f"Paragraph {number} " + "word " * words for number in range(count))


def test_a_section_of_ordinary_length_is_one_passage() -> None:
    assert len(passages("# A\n\n" + paragraphs(5))) == 1


def test_a_long_section_is_cut_between_blocks() -> None:
    text = "# A\n\n" + paragraphs(30)
    found = passages(text)
    assert len(found) > 1
    assert [one.heading_path for one in found] == [("A",)] * len(found)
    assert all(sum(len(block.span) for block in one.blocks) <= LONGEST_PASSAGE for one in found)
    assert all(quoted(one, text).startswith("Paragraph ") for one in found)


@pytest.mark.parametrize("follows", ["```\ncode()\n```", "- an item of a list\n- item", "| a |\n|---|\n| b |"])
def test_what_leads_into_code_a_list_or_a_table_stays_with_it(follows: str) -> None:
    filling = "# A\n\n" + "x " * ((LONGEST_PASSAGE - 30) // 2)
    first, second = passages(f"{filling}\n\nRun this command first:\n\n{follows}\n")
    assert [block.kind for block in first.blocks] == [BlockKind.PARAGRAPH]
    assert second.blocks[0].kind is BlockKind.PARAGRAPH
    assert len(second.blocks) > 1


def test_a_long_paragraph_that_ends_in_a_colon_is_no_lead() -> None:
    text = (
        "# A\n\n"
        + "x " * ((LONGEST_PASSAGE - 900) // 2)
        + "\n\n"
        + "y" * (LONGEST_LEAD + 1)
        + ":\n\n```\n"
        + "z" * 900
        + "\n```\n"
    )
    assert [len(one.blocks) for one in passages(text)] == [2, 1]


def test_one_block_that_is_longer_than_a_passage_is_not_cut() -> None:
    body = "\n".join(f"line {number} of the code" for number in range(1_000))
    found = passages(f"# A\n\nbefore\n\n```\n{body}\n```\n\nafter\n")
    assert [[block.kind.value for block in one.blocks] for one in found] == [["paragraph"], ["code"], ["paragraph"]]


# --- Tables ----------------------------------------------------------------------------------------------------------


def table(rows: int, line_end: str = "\n", cell: str = "value") -> str:
    lines = ["| Key | Meaning |", "|-----|---------|", *(f"| key{number} | {cell} {'x' * 60} |" for number in range(rows))]
    return line_end.join(lines) + line_end


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_long_table_is_cut_between_rows_and_every_piece_shows_the_header(line_end: str) -> None:
    text = f"# A{line_end}{line_end}" + table(300, line_end)
    found = passages(text)
    header = f"| Key | Meaning |{line_end}|-----|---------|{line_end}"
    assert len(found) > 2
    assert [len(one.spans) for one in found] == [1] + [2] * (len(found) - 1)
    assert all(quoted(one, text).startswith(header + "| key") for one in found)
    rows = [row for one in found for row in LINE_END.split(quoted(one, text))[2:]]
    assert rows == LINE_END.split(table(300, line_end))[2:-1]


def test_a_piece_of_a_table_is_no_longer_than_a_passage() -> None:
    assert all(len(one.span) <= LONGEST_PASSAGE for one in passages("# A\n\n" + table(300)))


def test_text_around_a_long_table_stays_in_order() -> None:
    text = "# A\n\nThe keys:\n\n" + table(200) + "\nAfter the table.\n"
    found = passages(text)
    assert quoted(found[0], text).startswith("The keys:\n\n| Key | Meaning |")
    assert quoted(found[-1], text).endswith("|\n\nAfter the table.")


def test_rows_that_just_fill_a_passage_repeat_no_header_in_the_middle() -> None:
    header = "| Key | Meaning |\n|---|---|\n"
    for length in range(20):
        row = "| a | " + "x" * (LONGEST_PASSAGE - len(header) - 8 - length) + " |\n"
        text = "# A\n\n" + header + row + "| b | c |\n"
        assert all(quoted(one, text).count("| Key |") == 1 for one in passages(text))


def test_a_comment_in_a_long_table_stays_hidden() -> None:
    text = "# A\n\n" + table(300, cell="value <!-- secret -->")
    found = passages(text)
    assert len(found) > 2
    assert all("secret" not in quoted(one, text) for one in found)
    assert all(quoted(one, text).startswith("| Key | Meaning |\n|-----|---------|\n| key") for one in found)


def test_a_long_html_table_is_cut_between_rows_as_they_are_shown() -> None:
    rows = "\n".join(f"<tr><td>key{number}</td><td>caf&eacute; {'x' * 60}</td></tr>" for number in range(300))
    text = (
        f"<h1>A</h1><table><thead><tr><th>Key</th><th>Meaning</th></tr></thead><tbody>\n{rows}\n</tbody></table><p>After.</p>"
    )
    found = passages(text, "p.html")
    shown = [quoted(one, text).split("\n") for one in found]
    assert len(found) > 2
    assert all(one.basis is Basis.DECODED for one in found)
    assert all(lines[0] == "Key | Meaning" for lines in shown)
    assert [line for lines in shown for line in lines if line.startswith("key")] == [
        f"key{number} | café {'x' * 60}" for number in range(300)
    ]
    for one, lines in zip(found, shown, strict=True):
        slices = "".join(span.of(text) for span in one.spans)
        assert slices.count("<td>key") == sum(line.startswith("key") for line in lines)
        assert "<th>Key</th>" in slices


# --- Hidden text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- SECRET -->",
        "<!--\nSECRET\n\nSECRET\n-->",
        "[SECRET]: http://example.org",
        "QUJDREVG" * 2_000 + "SECRET",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_is_hidden_between_blocks_is_in_no_quote(hidden: str, line_end: str) -> None:
    text = line_end.join(["# A", "", "one", "", *hidden.split("\n"), "", "two", ""])
    (found,) = passages(text)
    assert LINE_END.split(quoted(found, text)) == ["one", "", "two"]


def test_what_is_hidden_inside_a_block_is_in_no_quote() -> None:
    text = "# A\n\none\n\ntwo <!-- SECRET --> three\n\n- four <!-- SECRET -->\n- five\n"
    (found,) = passages(text)
    assert quoted(found, text) == "one\n\ntwo  three\n\n- four \n- five"


def test_jsx_between_blocks_is_in_no_quote() -> None:
    text = "import Tabs from '@theme/Tabs';\n\n# A\n\none\n\n<Tabs values={['SECRET']}>\n\ntwo\n\n</Tabs>\n\nthree\n"
    (found,) = passages(text, "p.mdx")
    assert [line for line in quoted(found, text).split("\n") if line] == ["one", "two", "three"]


# --- Included files and notebooks ------------------------------------------------------------------------------------

INCLUDED = Document.from_bytes("docs", "../src/main.py", b"import zebra\n\nzebra.run()\n# hidden\nzebra.stop()\n")


def including(text: str) -> Page:
    page = parse_markdown(Document.from_bytes("docs", "guide/p.md", text.encode()))
    return resolve_includes(page, lambda path: INCLUDED if path == "src/main.py" else None, "docs/guide/p.md")[0]


def test_what_a_page_includes_is_a_passage_of_that_file() -> None:
    own, included = split(including("# A\n\nRun it:\n\n{* ../../src/main.py ln[1:3] *}\n\nThen stop.\n"))
    assert (own.passage.path, own.passage.page_path) == ("guide/p.md", "guide/p.md")
    assert [block.kind for block in own.passage.blocks] == [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]
    assert (included.passage.path, included.passage.page_path) == ("../src/main.py", "guide/p.md")
    assert included.passage.document_sha256 == INCLUDED.sha256
    assert included.passage.heading_path == ("A",)
    assert quoted(included.passage, included.text) == "import zebra\n\nzebra.run()"


def test_lines_that_an_include_leaves_out_are_in_no_quote() -> None:
    included = split(including("# A\n\n{* ../../src/main.py ln[1:3,5] *}\n"))[-1]
    assert quoted(included.passage, included.text) == "import zebra\n\nzebra.run()\nzebra.stop()"


def test_a_directive_is_not_quoted_with_the_text_around_it() -> None:
    own = split(including("# A\n\none\n\n{* ../../src/main.py *}\n\ntwo\n"))[0]
    assert quoted(own.passage, own.text) == "one\n\ntwo"


def test_a_notebook_s_passage_is_its_strings_and_shows_them_decoded() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A\n", "\n", 'Say "hi".\n', "\n", "More."]},
        {"cell_type": "code", "source": "print('hi')", "outputs": []},
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    (found,) = passages(text, "p.ipynb")
    assert found.shown == ('Say "hi".', "More.", "print('hi')")
    assert found.basis is Basis.DECODED
    slices = [span.of(text) for span in found.spans]
    assert slices[0].startswith('Say \\"hi\\".')
    assert "cell_type" not in "".join(slices)


def test_text_that_is_not_utf_8_is_shown_as_decoded() -> None:
    document = Document.from_bytes("docs", "p.md", "\ufeff# A\n\ntext\n".encode("utf-16-le"), "utf-16-le")
    assert [section.passage.basis for section in split(parse_markdown(document))] == [Basis.DECODED]


def test_an_edit_anywhere_in_the_file_makes_other_ids() -> None:
    before, after = passages("# A\n\none\n\n## B\n\ntwo\n"), passages("# A\n\none\n\n## B\n\ntwo.\n")
    assert not {one.id for one in before} & {one.id for one in after}


def test_the_same_words_at_two_addresses_are_two_passages() -> None:
    assert passages("# A\n\none\n", "a.md")[0].id != passages("# A\n\none\n", "b.md")[0].id
