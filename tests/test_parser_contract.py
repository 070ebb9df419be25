"""What every parser keeps to: blocks in order, exact ranges, no fault but one, and time in proportion to the text."""

from __future__ import annotations

import html
import json
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nescio.domain.documents import Block, BlockKind, Document, Page
from nescio.errors import IngestFault
from nescio.ingest.parsers.choice import DOCUMENT_EXTENSIONS, PARSERS, looks_like_rst, parser_for
from nescio.ingest.parsers.html import parse_html
from nescio.ingest.parsers.json_spans import decoded
from nescio.ingest.parsers.notebook import parse_notebook
from support.blocks import assert_groups_nest, assert_needed

PIECES = (
    "a,b c,é,😀,*,**,`,``,:,::,_,|,=====,----,~~~,```,+--+,==  ==,- ,1. ,# ,<,>,&amp;,\\,\u2028,\x0c,\x00,\ufeff,[NOTE],A:: ,"
    ">>> ,.. ,.. note::,.. class:: A,.. function:: f(x),.. _a:,.. list-table::,.. include:: x,.. code-block:: x,.. glossary::,"
    ".. setting:: A,.. [1] ,[1]_,:a: ,--a  ,* ,| ,.. tab:: A,.. code-tab:: c,.. rubric:: Why?,**Why?**,Q: a,|a|,"
    ".. |a| replace:: b,.. csv-table:: A,:header: a,.. [#] ,[#]_"
)
PLAIN_PIECES = PIECES.split(",")
NAMES = "p div b ul li table tr td th caption pre code h1 h2 dl dt dd main nav body section article aside blockquote span title"
TAGS = NAMES.split()
HTML_PIECES = (
    *(f"<{tag}>" for tag in TAGS),
    *(f"</{tag}>" for tag in TAGS),
    *("<dt id=q>", "<h2 id=z>", "<div id=x>", "<a href=x>", "</a>", "<a id=w>", "<br>", "<hr>", "<p hidden>", "<span/>"),
    *("<ol>", "<details>", "</details>", "<summary>", "</summary>", "<p class=admonition-title>", "<td rowspan=2>", "<thead>"),
    *("<label class=sd-tab-label for=a>", "<button role=tab id=t>", "<div role=tabpanel>", "<div role=tablist>", "</label>"),
    *("<a href=#fn1>", "<li id=fn1>", "<b>W?</b>", "<p><b>W?</b></p>"),
    *("&amp;", "&lt", "&#0;", "&nbsp;", "&", "<", ">", "<!--", "-->", "text", "a b", "¶", "é", "😀", "\x00", "\ufeff", "\x0c"),
)
LINE_ENDS = ("\n", "\n\n", "\r\n", "\r", "\n   ", "\n\n   ", "\n    ", " ", "\t")
TEXTS = {
    "rst": st.lists(st.sampled_from((*PLAIN_PIECES, *LINE_ENDS)), max_size=40).map("".join),
    "text": st.lists(st.sampled_from((*PLAIN_PIECES, *LINE_ENDS)), max_size=40).map("".join),
    "html": st.lists(st.sampled_from((*HTML_PIECES, *LINE_ENDS)), max_size=40).map("".join),
}


def page_of(parse: Callable[[Document], Page], text: str) -> Page:
    return parse(Document.from_bytes("docs", "page", text.encode()))


def visible(block: Block, text: str) -> str:
    return "".join(run.visible(text) for run in block.runs)


def assert_sound(page: Page) -> None:
    """The promises of `Block`, for every block of a page."""
    text, last = page.document.text, 0
    for block in page.blocks:
        assert last <= block.span.start <= block.span.end <= len(text), f"out of order: {block}"
        last = block.span.end
        inside = block.span.start
        for run in block.runs:
            assert inside <= run.span.start <= run.span.end <= block.span.end, f"run out of its block: {run} in {block}"
            inside = run.span.end
        for ranges in (block.parts, block.pieces):
            at = block.span.start
            for part in ranges:
                assert at <= part.start < part.end <= block.span.end, f"part out of its block: {part} in {block}"
                at = part.end
        assert_needed(block, len(text))
        assert (1 <= block.level <= 6) == (block.kind is BlockKind.HEADING)
        assert block.include or not block.span or visible(block, text).strip(), f"nothing to see: {block}"
        assert block.include or not block.span or not text[block.span.end - 1].isspace(), f"ends in white space: {block}"
    assert_groups_nest(page.blocks)


@pytest.mark.parametrize("name", sorted(TEXTS))
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_marked_up_text_is_read_without_a_fault(name: str, data: st.DataObject) -> None:
    assert_sound(page_of(PARSERS[name], data.draw(TEXTS[name])))


@pytest.mark.parametrize("name", ["html", "rst", "text"])
@given(text=st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_without_a_fault(name: str, text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert_sound(page_of(PARSERS[name], text))


@given(text=TEXTS["html"])
@settings(max_examples=150, deadline=None)
def test_html_runs_are_the_decoded_slices_or_the_line_ends_that_tags_make(text: str) -> None:
    for block in page_of(parse_html, text).blocks:
        for run in block.runs:
            raw = run.span.of(text)
            is_break = run.text == "\n" and raw.startswith("<") and raw.endswith(">")
            assert is_break or run.visible(text) == html.unescape(raw).replace("\0", "\ufffd")


@given(text=st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_what_is_no_json_is_refused_as_a_notebook(text: str) -> None:
    text = "x" + text.encode("utf-8", "replace").decode()
    with pytest.raises(IngestFault) as caught:
        page_of(parse_notebook, text)
    assert caught.value.code == "notebook-not-json"


KEYS = st.sampled_from(["cells", "source", "cell_type", "worksheets", "input", "x"])
LEAVES = st.none() | st.integers() | st.sampled_from(["code", "markdown", "# A", ""])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))


@given(content=JSON)
@settings(max_examples=100, deadline=None)
def test_json_of_any_shape_is_read_without_a_fault(content: object) -> None:
    assert_sound(page_of(parse_notebook, json.dumps(content)))


CELL_LINES = st.lists(
    st.sampled_from(["# A", "\n", "b *c*", '"', "\\", "😀", "é\t", "- x\n", "```\n", "|a|b|\n|-|-|\n", "&amp;"]), max_size=8
)


@given(cells=st.lists(st.tuples(st.sampled_from(["code", "markdown"]), CELL_LINES), max_size=4), escaped=st.booleans())
@example(cells=[("markdown", ["|a|b|\n|-|-|\n", "b *c*", "# A", "\n"])], escaped=False)  # an empty run at a string's end
@settings(max_examples=120, deadline=None)
def test_the_strings_of_a_notebook_give_back_what_is_shown(cells: list[tuple[str, list[str]]], escaped: bool) -> None:
    content = {"cells": [{"cell_type": kind, "source": lines} for kind, lines in cells]}
    page = page_of(parse_notebook, json.dumps(content, ensure_ascii=escaped, indent=1))
    assert_sound(page)
    for block in page.blocks:
        assert "".join(decoded(piece.of(page.document.text)).text for piece in block.pieces) == block.display
        for run in block.runs:
            if run.text is None:
                assert "\\" not in run.span.of(page.document.text)


SIZE = 60_000
HOSTILE = {
    "rst": [
        "*a ",
        "`a ",
        "``a ",
        "|a ",
        "a_ ",
        "\\",
        "- ",
        ":a:",
        "a::\n",
        ".. x::\n",
        ".. note:: a\n\n",
        ".. csv-table:: a\n   :header: a\n\n   b\n\n",
        ".. |a| replace:: b\n|a| ",
        "[#]_ .. [#] a\n",
        "a [#]_\n\n.. [#] a\n\n",
        "**a?**\n\n",
        "|a|",
        "[a]_",
        "- a\n\n",
        "+-+\n",
        "== ==\n\n",
        "a\n=\n",
        "_`a",
        "1. ",
    ],
    "text": ["    a b\n\n", "[A]\n----\n", "```\n", "# a\n\n", "a::\n", "* ", "a\n-\n", " ", "(1) "],
    "html": [
        "<",
        "<!",
        "<!--",
        "</",
        "<a ",
        '<a b="',
        "<div>",
        "<b>",
        "<b><p></b>",
        "<li>",
        "<table><tr><td>",
        "<dl><dt id=a>x",
        "<ol><li>a",
        "<details><summary>a</summary>",
        "<p><b>a?</b></p>",
        "<div><p class=admonition-title>a</p>b",
        "<label class=sd-tab-label>a</label>b",
        "<div role=tablist><button role=tab>a</button></div><div role=tabpanel>b</div>",
        "<div role=tabpanel>",
        "<i role=tab>a</i><div role=tablist><i role=tab>a</i></div><div role=tabpanel>b<p>c",
        "<a href=#fn1>a</a><p id=fn1>b",
        "<td rowspan=9>a<tr>",
        "<dl><dt>a<dd>b",
        "&",
        "<pre>",
    ],
}


@pytest.mark.parametrize(("name", "piece"), [(name, piece) for name, pieces in HOSTILE.items() for piece in pieces])
def test_hostile_text_takes_time_in_proportion(name: str, piece: str) -> None:
    """Quadratic time would be minutes here; the bound leaves room for a slow machine."""
    began = time.process_time()
    page_of(PARSERS[name], piece * (SIZE // len(piece)))
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("name", "text"), [("rst", "".join(f"{' ' * depth}- a\n" for depth in range(400))), ("html", "<div>" * 100_000 + "x")]
)
def test_depth_is_no_matter(name: str, text: str) -> None:
    assert_sound(page_of(PARSERS[name], text))


@pytest.mark.parametrize("text", ["", "\ufeff", "\n", " \r\n\t"])
@pytest.mark.parametrize("name", sorted(PARSERS.keys() - {"notebook"}))
def test_nothing_to_read_gives_no_blocks(name: str, text: str) -> None:
    assert page_of(PARSERS[name], text).blocks == ()


def test_every_extension_of_a_document_has_its_parser() -> None:
    for extension, name in DOCUMENT_EXTENSIONS.items():
        assert parser_for(f"a/b{extension.upper()}", None, "plain words") is PARSERS[name]


@pytest.mark.parametrize("path", ["a.py", "Makefile", "a/.md", "md", "x.md/y", "a.txt~"])
def test_other_files_are_no_documents(path: str) -> None:
    assert parser_for(path, "auto", "text") is None
    assert parser_for(path, "markdown", "text") is None


def test_a_configured_format_goes_before_the_extension() -> None:
    assert parser_for("a.txt", "rst", "plain words") is PARSERS["rst"]
    assert parser_for("a.md", "mdx", "plain words") is PARSERS["mdx"]
    assert parser_for("a.txt", "text", ".. note:: x") is PARSERS["text"]


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=====\n\nSee ``open``.\n",
        "=====\nTitle\n=====\n\nText.\n",
        "Text.\n\n.. note::\n\n   x\n",
        "Text with :ref:`a-label`.\n",
        ".. _label:\n\nText\n",
        "Run::\n\n    make\n\nand ``x``.\r\n",
    ],
)
def test_a_txt_that_looks_like_restructuredtext_is_read_as_that(text: str) -> None:
    assert parser_for("a.txt", None, text) is PARSERS["rst"]


@pytest.mark.parametrize(
    "text",
    [
        "Just words.\n\nMore words.\n",
        "Title\n=====\n\nWords.\n",
        "# Title\n\nType:: object\n\n[NOTE]\n----\nMind ``this``.\n----\n",
        "Words\n\n```yaml\na: 1\n```\n\n.. note:: x\n",
        "1.2.3..4 :) `x`\n",
    ],
)
def test_any_other_txt_is_plain_text(text: str) -> None:
    assert parser_for("a.txt", None, text) is PARSERS["text"]


def test_looking_at_a_file_takes_time_in_proportion() -> None:
    began = time.process_time()
    for piece in ("`a<", ".. _a", ":a", "a::", "=\n", "``a", " ", "\n\n", ".. |a"):
        looks_like_rst(piece * (SIZE // len(piece)))
    assert time.process_time() - began < 5


def test_the_sources_that_sphinx_publishes_are_restructuredtext() -> None:
    assert parser_for("a.rst.txt", None, "Just words.") is PARSERS["rst"]
