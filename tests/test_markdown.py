"""Markdown pages as documents: tests/golden/markdown/*.md hold a title, an input and the blocks that are to come of it.

A case reads

    Title
    .
    input
    .
    what is expected, a block a line
    .

In inputs ⟨BOM⟩, ⟨CR⟩, ⟨FF⟩, ⟨NEL⟩, ⟨LS⟩ and ⟨TAB⟩ stand for these characters; in visible text ⏎ is a line end and ⇥ parts the
cells of a table. A block is its kind, its lines and its visible text; files named mdx*.md hold MDX. In files named
*groups.md its groups come before it, the outermost first, and what it needs of the page after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nescio.domain.documents import Block, Document, Page
from nescio.domain.spans import Offsets, Span
from nescio.ingest.parsers.blobs import MAX_CODE_LINE, MAX_UNBROKEN
from nescio.ingest.parsers.front_matter import MAX_FRONT_MATTER, UNREADABLE
from nescio.ingest.parsers.markdown import markdown_blocks, parse_markdown

GOLDEN = Path(__file__).parent / "golden" / "markdown"
NAMED = {"BOM": "\ufeff", "CR": "\r", "FF": "\f", "NEL": "\x85", "LS": "\u2028", "TAB": "\t"}


def page_of(text: str, *, mdx: bool = False) -> Page:
    return parse_markdown(Document.from_bytes("docs", "page.md", text.encode()), mdx=mdx)


def visible(block: Block, text: str) -> str:
    return "".join(run.visible(text) for run in block.runs)


def visible_of(page: Page) -> list[str]:
    return [visible(block, page.document.text) for block in page.blocks]


def described(page: Page, *, grouped: bool = False) -> str:
    """The page as the golden files write it."""
    text = page.document.text
    offsets = Offsets(text)
    lines = [f"title {page.title}"] if page.front_matter else []
    for block in page.blocks:
        words = [f"{group.kind.value} {_lines(offsets, group.span)}," for group in block.groups if grouped]
        words += [block.kind.value + (f" {block.level}" if block.level else ""), _lines(offsets, block.span)]
        words += [f"#{block.anchor}"] if block.anchor else []
        words += ["parts " + " ".join(_lines(offsets, part) for part in block.parts)] if block.parts else []
        words += ["pieces " + " ".join(repr(piece.of(text)) for piece in block.pieces)] if block.pieces else []
        if block.include:
            ranges = "".join(f" {first}-{last}" for first, last in block.include.lines)
            region = f" [{block.include.anchor}]" if block.include.anchor else ""
            words += [f"includes {block.include.dialect} {block.include.target}{ranges}{region}"]
        shown = visible(block, text).rstrip().replace("\r", "").replace("\n", "⏎").replace("\t", "⇥")
        needs = "".join(f" (needs {_lines(offsets, span)})" for span in block.needs if grouped)
        lines.append(" ".join(words) + (f": {shown}" if shown else "") + needs)
    lines += [f"notice {notice.code} {notice.line}" for notice in page.notices]
    return "".join(line + "\n" for line in lines)


def _lines(offsets: Offsets, span: Span) -> str:
    place = offsets.place(span)
    return f"{place.start_line}-{place.end_line}"


def golden_cases() -> Iterator[tuple[str, str, str, str]]:
    for path in sorted(GOLDEN.glob("*.md")):
        parts = path.read_bytes().decode().split("\n.\n")
        for title, given, expected in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
            for name, character in NAMED.items():
                given = given.replace(f"⟨{name}⟩", character)
            yield path.name, title.strip(), given + "\n", expected


@pytest.mark.parametrize(
    ("file", "given", "expected"),
    [pytest.param(file, given, expected, id=f"{file}: {title}") for file, title, given, expected in golden_cases()],
)
def test_a_page_is_read_as_the_golden_file_says(file: str, given: str, expected: str) -> None:
    page = page_of(given, mdx=file.startswith("mdx"))
    assert described(page, grouped=file.endswith("groups.md")).rstrip("\n") == expected.rstrip("\n")


def test_every_block_is_a_slice_of_the_page() -> None:
    page = page_of("\ufeff# Café 👩‍💻\r\n\r\n- eins\r\n- `zwei`\r\n")
    slices = [block.span.of(page.document.text) for block in page.blocks]
    assert slices == ["# Café 👩‍💻", "- eins", "- `zwei`"]


def test_an_escape_or_an_entity_does_not_part_a_word() -> None:
    assert visible_of(page_of("Take a d2\\.xlarge, R&amp;D says.\n")) == ["Take a d2.xlarge, R&D says."]


def test_runs_say_what_is_a_link_and_what_is_code() -> None:
    page = page_of("See [the *guide*](there.md) for `--flag`.\n")
    runs = [(run.visible(page.document.text), run.link, run.code) for run in page.blocks[0].runs]
    assert runs == [
        ("See ", False, False),
        ("the ", True, False),
        ("guide", True, False),
        (" for ", False, False),
        ("--flag", False, True),
        (".", False, False),
    ]


def test_inline_code_over_two_lines_or_with_an_escaped_pipe_is_read_as_shown() -> None:
    assert visible_of(page_of("A `b\nc` d.\n")) == ["A b c d."]
    assert visible_of(page_of("| a |\n|---|\n| `x \\| y` |\n")) == ["a\nx | y"]


def test_pasted_data_is_neither_text_nor_quoted() -> None:
    image, minified = "QUJD" * MAX_UNBROKEN, '{"a": 1, ' * MAX_CODE_LINE
    text = f"# Screens\n\n![logo](data:image/png;base64,{image})\n\n```json\n{minified}\n```\n\nThey refresh.\n"
    page = page_of(text)
    assert visible_of(page) == ["Screens", "They refresh."]


def test_pasted_data_inside_a_sentence_leaves_the_sentence() -> None:
    blob = "QUJD" * MAX_UNBROKEN
    page = page_of(f"Before it {blob} after it.\n")
    assert [piece.of(page.document.text) for piece in page.blocks[0].pieces] == ["Before it ", " after it."]
    assert visible_of(page) == ["Before it  after it."]


def test_a_long_line_of_code_is_left_out_and_its_neighbours_stay() -> None:
    page = page_of(f"```\nfirst\n{'x y ' * MAX_CODE_LINE}\nlast\n```\n")
    assert visible_of(page) == ["first\nlast\n"]
    assert [piece.of(page.document.text) for piece in page.blocks[0].pieces] == ["```\nfirst\n", "last\n```"]


def test_an_unclosed_fence_is_named_with_its_line() -> None:
    page = page_of("# Guide\n\nIntro.\n\n```\n$ tool\n\nBackups are written.\n")
    assert [(notice.code, notice.line, notice.message) for notice in page.notices] == [
        ("fence-unclosed", 5, "fence opened at line 5 is never closed")
    ]
    assert "Backups are written." in visible_of(page)[-1]


@pytest.mark.parametrize(
    "block",
    [
        "**bold**\nwords",
        "- a\n- b",
        "a: *b",
        "a: &x [1]\nb: *x",
        "[" * 5000,
        "? " * 5000,
        "date: 2001-99-99",
        "!!python/object:os.system {}",
        "a: b: c",
        '!!int ""',
    ],
)
def test_front_matter_that_is_no_plain_mapping_stays_text(block: str) -> None:
    page = page_of(f"---\n{block}\n---\n\nText.\n")
    assert [notice.code for notice in page.notices] == ["front-matter-not-yaml"]
    assert set(page.front_matter.values()) <= {UNREADABLE}
    assert visible_of(page)[-1] == "Text."


def test_front_matter_has_a_size_limit() -> None:
    page = page_of("---\ntitle: x\nlong: " + "y" * MAX_FRONT_MATTER + "\n---\n\nText.\n")
    assert set(page.front_matter.values()) <= {UNREADABLE}


def test_a_title_comes_from_front_matter_else_from_the_first_heading() -> None:
    assert page_of("---\ntitle:  A   b\n---\n# C\n").title == "A b"
    assert page_of("---\ntitle: [a]\n---\n# C\n").title == "C"
    assert page_of("Text.\n").title == ""


def test_a_cell_of_a_notebook_has_no_front_matter_and_counts_from_its_own_start() -> None:
    blocks, flaws = markdown_blocks("---\n\n# A\n\n~~~\nopen\n")
    assert [(block.kind.value, block.span) for block in blocks] == [("heading", Span(5, 8)), ("code", Span(10, 18))]
    assert [(flaw.code, flaw.offset) for flaw in flaws] == [("fence-unclosed", 10)]


def test_a_lone_surrogate_is_survived() -> None:
    blocks, _ = markdown_blocks("a \ud800 b\n")
    assert [block.span for block in blocks] == [Span(0, 5)]


def test_a_page_without_words_has_no_blocks() -> None:
    for text in ("", "\ufeff", "\n\n   \n", "---\n", "<!-- x -->\n", "![](a.png)\n"):
        assert page_of(text).blocks == (), text


def test_a_label_and_its_text_on_one_line_are_cut_where_they_meet() -> None:
    text = "<Note>Keep embeds small.</Note>\n\n<Tip title='x'>Hello *you*.</Tip>\n"
    blocks = parse_markdown(Document.from_bytes("docs", "a.mdx", text.encode()), mdx=True).blocks
    assert [block.span.of(text) for block in blocks] == ["<Note>", "Keep embeds small.", "<Tip title='x'>", "Hello *you*."]
