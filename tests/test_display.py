"""A quote is shown as blocks: all of its visible words, none else, and no markup left to parse."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.answer.quoting import quoted
from nescio.answer.section import passage_alone
from nescio.assembly.showing.display import display
from nescio.assembly.showing.text import flowing
from nescio.domain.answers import Quote
from nescio.domain.display import ShownBlock, ShownRun
from nescio.domain.documents import BlockKind, Document
from nescio.domain.spans import Span
from nescio.ingest.splitter import Section
from nescio.surfaces import wire
from nescio.surfaces.wire_display import display_json
from support.shelf import Shelf, read

WORD = re.compile(r"\w+")


def document(text: str, path: str = "guide/page.md") -> Document:
    return Document.from_bytes("docs", path, text.encode())


def quoted_sections(found: Document) -> list[tuple[Section, Quote]]:
    shelf = Shelf(read(found))
    alone = (passage_alone(shelf.index, key) for key in shelf.all_keys())
    return [(section, quoted(one.at, one.pieces)) for section, one in zip(shelf.sections, alone, strict=True)]


def quotes_of(found: Document) -> list[Quote]:
    return [quote for _, quote in quoted_sections(found)]


def shown(text: str, path: str = "guide/page.md") -> list[ShownBlock]:
    found = document(text, path)
    return [block for quote in quotes_of(found) for block in display(quote, found)]


def shown_alone(text: str, path: str = "guide/page.md") -> list[ShownBlock]:
    return [block for quote in quotes_of(document(text, path)) for block in display(quote)]


def told(runs: Iterable[ShownRun]) -> str:
    """Runs in one line, code in backticks and links in brackets."""
    return "".join(f"`{run.text}`" if run.code else f"[{run.text}]" if run.link else run.text for run in runs)


def text_of(block: ShownBlock) -> str:
    if block.kind is BlockKind.CODE:
        return block.code
    if block.kind is BlockKind.TABLE:
        return "\n".join(" ".join("".join(run.text for run in cell) for cell in row) for row in block.rows)
    return "".join(run.text for run in block.runs)


def lines(blocks: Iterable[ShownBlock]) -> list[str]:
    """Each block with its kind, level and marker in front."""
    return [
        " ".join(
            filter(None, [block.kind.value, str(block.level), block.marker, block.language, block.code or told(block.runs)])
        )
        for block in blocks
    ]


def cells(block: ShownBlock) -> list[list[str]]:
    return [[told(cell) for cell in row] for row in block.rows]


# --- Formats ---------------------------------------------------------------------------------------------------------

LISTED = """\
Do *this*
now:\x20\x20
soon.

- one `x`
  - [x] two
    with a [link](https://example.org/a?b=c)

    ```python title="a.py"
    def f():

        return 1
    ```

  back in one
- three

1. first

> quoted
"""


def test_markdown_is_shown_as_blocks_without_its_markup() -> None:
    assert lines(shown(LISTED)) == [
        "paragraph 0 Do this now:\nsoon.",
        "list_item 0 - one `x`",
        "list_item 1 - [x] two with a [link]",
        "code 2 python def f():\n\n    return 1",
        "paragraph 1 back in one",
        "list_item 0 - three",
        "list_item 0 1. first",
        "paragraph 0 quoted",
    ]


def test_lists_and_quotations_may_hold_each_other() -> None:
    text = "> - a\n>   - b\n>\n>   c\n\nd\n\n- e\n\n  > f\n\n> g\n"
    assert lines(shown(text)) == [
        "list_item 0 - a",
        "list_item 1 - b",
        "paragraph 1 c",
        "paragraph 0 d",
        "list_item 0 - e",
        "paragraph 1 f",
        "paragraph 0 g",
    ]


def test_code_keeps_its_indentation_and_loses_that_of_its_container() -> None:
    text = "!!! note\n    Look:\n\n    ```yaml\n    a:\n      - b\n    ```\n\nThen\n\n      deep\n        deeper\n"
    codes = [(block.language, block.code) for block in shown(text) if block.kind is BlockKind.CODE]
    assert codes == [("yaml", "a:\n  - b"), (None, "  deep\n    deeper")]


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("py", "py"),
        ("", None),
        ("{.python .numbered}", "python"),
        ("python {1,3}", "python"),
        ("rust,ignore", "rust"),
        ("js:line-numbers", "js"),
        ("c++", "c++"),
        ("{code-block} ruby", "ruby"),
    ],
)
def test_the_language_is_what_the_fence_says(info: str, language: str | None) -> None:
    assert [block.language for block in shown(f"Text.\n\n```{info}\nx = 1\n```\n")] == [None, language]


def test_cells_of_a_markdown_table_stay_in_their_columns() -> None:
    text = "| a | b | c |\n|---|---|---|\n| 1 |  | `x \\| y`z |\n| [l](u) | *m* |\n"
    (table,) = shown(text)
    assert cells(table) == [["a", "b", "c"], ["1", "", "`x | y`z"], ["[l]", "m"]]


def test_lines_and_items_in_a_cell_of_a_table_stay_apart() -> None:
    (table,) = shown("| a | b |\n|---|---|\n| c | d<br>e<ul><li>f</li><li>`g` h</li></ul> |\n")
    assert cells(table)[1] == ["c", "d\ne\nf\n`g` h"]
    (table,) = shown("<table><tr><th>a<th>b<tr><td>c<td><p>d</p><p>e<br>f</p> <b>g</b>h</table>", "page.html")
    assert cells(table)[1] == ["c", "d\ne\nf\ngh"]


def test_a_table_that_is_cut_shows_its_header_again() -> None:
    text = "| name | what |\n|---|---|\n" + "".join(f"| n{row} | {'word ' * 40}|\n" for row in range(60))
    tables = shown(text)
    assert len(tables) > 1
    assert all(cells(table)[0] == ["name", "what"] for table in tables)
    assert sum(len(table.rows) - 1 for table in tables) == 60


def test_a_link_whose_target_stands_elsewhere_is_shown_as_in_the_page() -> None:
    text = "# A\n\nSee [the guide][far].\n\n# B\n\nMore.\n\n[far]: https://example.org\n"
    assert lines(shown(text)) == ["paragraph 0 See [the guide].", "paragraph 0 More."]


RST = """\
Title
=====

One ``x`` and
:doc:`a guide <guide/page>`:

.. code-block:: python
   :linenos:

   def f():
       return 1

| line
| two

- item

  1. nested

Example::

    $ ls  -l

+-----+-----+
| a   | b   |
+=====+=====+
| c d | e   |
| d   |     |
+-----+-----+

==== =====
k    v
==== =====
``x`` yes
==== =====

.. list-table::

   * - x
     - y, z
   * - w
     - v

.. csv-table::

   p, q
   r, s
"""


def test_restructuredtext_is_shown_as_blocks_with_the_language_of_its_directives() -> None:
    blocks = shown(RST, "page.rst")
    assert lines(block for block in blocks if not block.rows) == [
        "paragraph 0 One `x` and [a guide]:",
        "code 0 python def f():\n    return 1",
        "paragraph 0 line\ntwo",
        "list_item 0 - item",
        "list_item 1 1. nested",
        "paragraph 0 Example:",
        "code 0 $ ls  -l",
    ]
    assert [cells(block) for block in blocks if block.rows] == [
        [["a", "b"], ["c d d", "e"]],
        [["k", "v"], ["`x`", "yes"]],
        [["x", "y, z"], ["w", "v"]],
        [["p", "q"], ["r", "s"]],
    ]


HTML = """\
<main><p>one <b>two</b>
 three<br>four &amp; <a href="javascript:alert(1)">five</a></p>
<ul><li>x<ul><li>y <code>z</code></li></ul></li></ul>
<pre><code class="language-js">a
  b &lt;</code></pre>
<table><tr><th>a<th>b c<tr><td><code>x</code> <i>y</i><td><p>d</p><p>e</p></table></main>
"""


def test_a_term_stands_on_a_line_of_its_own_and_has_no_marker() -> None:
    text = "One : two\n    three\n    four.\n\n    Five.\n\n``six``\n    :ref:`seven`\n\n"
    text += "- eight\n  nine\n\n:ten: eleven\n  twelve\n"
    blocks = shown(text, "page.rst")
    assert [told(block.runs) for block in blocks] == [
        "One : two\nthree four.",
        "Five.",
        "`six`\n[seven]",
        "eight nine",
        "ten: eleven twelve",
    ]
    assert [block.marker for block in blocks] == ["", None, "", "-", ""]
    term, item = shown("<dl><dt>one<dd>two</dl><ul><li>three</ul>", "page.html")
    assert (told(term.runs), term.marker, item.marker) == ("one\ntwo", "", None)


def test_html_is_shown_decoded_with_lists_and_tables() -> None:
    blocks = shown(HTML, "page.html")
    assert lines(blocks[:-1]) == [
        "paragraph 0 one two three\nfour & [five]",
        "list_item 0 x",
        "list_item 1 y `z`",
        "code 0 js a\n  b <",
    ]
    assert cells(blocks[-1]) == [["a", "b c"], ["`x` y", "d\ne"]]


def notebook(*cells: tuple[str, str]) -> str:
    found = [{"cell_type": kind, "source": re.findall(r".*\n", text), "metadata": {}} for kind, text in cells]
    return json.dumps({"cells": found, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}, indent=1)


def test_a_notebook_shows_its_cells() -> None:
    text = notebook(
        ("markdown", "- a\n  b  \n  c\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```\n"), ("code", "x = [\n\n  1]\n")
    )
    blocks = shown(text, "page.ipynb")
    assert cells(blocks[1]) == [["h", "i"], ["1", "2"]]
    assert lines([blocks[0], *blocks[2:]]) == ["list_item 0 - a b\nc", "code 0 sh ls", "code 0 python x = [\n\n  1]"]


def test_plain_text_keeps_its_lines() -> None:
    text = "First line\n  second line\n\n* item\n\n    $ run --all;\n"
    blocks = shown(text, "page.txt")
    assert lines(blocks) == ["paragraph 0 First line\nsecond line", "list_item 0 * item", "paragraph 1 $ run --all;"]


def test_a_source_file_is_one_block_of_code() -> None:
    quote = replace(quotes_of(document("a\n"))[0], path="src/a.py", text="def f():\n\n    *a*\n")
    assert display(quote) == (ShownBlock(BlockKind.CODE, code="def f():\n\n    *a*", language="py"),)


# --- Without the document --------------------------------------------------------------------------------------------


def test_a_quote_alone_is_read_by_the_parser_of_its_file() -> None:
    assert lines(shown_alone(LISTED)) == lines(shown(LISTED))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "page.md",
            "<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td rowspan=2>c</td><td>d</td></tr><tr><td>e</td></tr>\n</table>\n",
        ),
        ("page.html", "<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=2>c</td><td>d</td></tr><tr><td>e</td></tr></table>"),
    ],
)
def test_rows_that_a_cell_spans_are_shown_as_rows(path: str, text: str) -> None:
    (table,) = shown(text, path)
    assert [["".join(run.text for run in cell) for cell in row] for row in table.rows] == [["A", "B"], ["c", "d"], ["e"]]


def test_the_rows_of_a_written_head_are_shown_as_rows() -> None:
    text = ".. list-table::\n   :header-rows: 2\n\n   * - a\n     - b\n   * - c\n     - * d\n       * e\n   * - f\n     - g\n"
    (table,) = shown(text, "page.rst")
    assert [["".join(run.text for run in cell) for cell in row] for row in table.rows] == [["a", "b"], ["c", "d e"], ["f", "g"]]


def test_the_title_of_a_fence_is_no_code() -> None:
    (block,) = shown_alone('```py title="a.py"\nx = 1\n```\n')
    assert (block.code, block.language) == ("x = 1", "py")


def test_what_stood_in_a_container_is_moved_to_the_edge() -> None:
    assert lines(shown_alone("!!! note\n    Look `here`.\n\n    - item\n\nAfter.\n")) == [
        "paragraph 0 note",
        "paragraph 0 Look `here`.",
        "list_item 0 - item",
        "paragraph 0 After.",
    ]


def test_decoded_text_alone_shows_tables_and_code() -> None:
    blocks = shown_alone("<main><p>Text</p><pre>a:\n\n  b</pre><table><tr><td>a<td>b<tr><td>c<td>d</table></main>", "p.html")
    assert lines(blocks[:-1]) == ["paragraph 0 Text", "code 0 a:\n\n  b"] or "  b" in text_of(blocks[-2])
    assert cells(blocks[-1]) == [["a", "b"], ["c", "d"]]


def test_another_document_is_not_used() -> None:
    found = document("One *two*.\n")
    (quote,) = quotes_of(found)
    assert display(quote, document("Quite another text.\n")) == display(quote)


def test_nothing_is_lost_where_the_document_is_read_in_another_format() -> None:
    found = document("One.\n\n<div>\n\nTwo.\n\n</div>\n")
    (quote,) = quotes_of(found)
    for name in ("text", "rst", "html"):
        words = " ".join(map(text_of, display(quote, found, name)))
        assert {"One", "Two"} <= set(WORD.findall(words))


# --- Words -----------------------------------------------------------------------------------------------------------

PIECES = {
    "page.md": [
        "# Head\n\n",
        "A *b* `c` [d][e] &amp; f\n",
        "g\\\nh  \ni\n\n",
        "- j\n- [ ] k\n\n  l\n",
        "   1. m\n\n",
        "```py\nn  o\n\n  p\n```\n\n",
        "    q\n      r\n\n",
        "> s\n> t\n\n",
        "| u | v |\n|--|--|\n| w | `x` |\n\n",
        "<p>y <b>z</b><br>aa</p>\n\n",
        "!!! note\n    bb\n\n",
        "[e]: https://example.org\n\n",
        "<!-- cc -->\n",
        "\n",
    ],
    "page.rst": [
        "Head\n====\n\n",
        "A *b* ``c`` :ref:`d <e>` f_\n",
        "g\n  h\n\n",
        "- i\n\n  - j\n\n",
        "k::\n\n   l\n     m\n\n",
        ".. code-block:: py\n\n   n\n\n",
        "=== ===\no   p\n=== ===\nq   r\n=== ===\n\n",
        "+---+---+\n| s | t |\n+---+---+\n\n",
        "| u\n| v\n\n",
        ".. note:: w\n\n   x\n\n",
        "\n",
    ],
    "page.html": [
        "<h2>a</h2>",
        "<p>b <b>c</b>d &lt; ",
        "<ul><li>e",
        "</ul>",
        "<pre>f\n  g</pre>",
        "<table><tr><th>h<td>i<tr><td><p>j</p>k</table>",
        "<br>",
        " l\n",
        "<a href='m'>n</a>",
    ],
    "page.txt": ["a\n", "  b c\n", "* d\n", "    e();\n\n", "# F\n\n", "```\ng\n```\n", "\n", "h:: i\n"],
}


@given(st.sampled_from(sorted(PIECES)).flatmap(lambda name: st.tuples(st.just(name), st.lists(st.sampled_from(PIECES[name])))))
def test_the_words_shown_are_those_that_were_read(case: tuple[str, list[str]]) -> None:
    path, pieces = case
    found = document("".join(pieces), path)
    for section, quote in quoted_sections(found):
        blocks = [block for block in section.blocks if block.kind is not BlockKind.TABLE]
        read = ["".join(run.visible(found.text) for run in block.runs) for block in blocks]
        all_read = "".join(run.visible(found.text) for block in section.blocks for run in block.runs)
        blocks_shown = display(quote, found)
        not_tables = [text_of(block) for block in blocks_shown if block.kind is not BlockKind.TABLE]
        assert WORD.findall("\n".join(not_tables)) == WORD.findall("\n".join(read))
        assert "".join("".join(map(text_of, blocks_shown)).split()) == "".join(all_read.split())


@given(st.text(min_size=1), st.sampled_from(sorted([*PIECES, "page.mdx", "page.ipynb", "page.py"])), st.booleans())
def test_any_text_is_shown_somehow(text: str, path: str, is_alone: bool) -> None:
    found = document(re.sub("[\ud800-\udfff]", "?", text), path)
    quote = replace(quotes_of(document("x"))[0], path=path, text=found.text, document_sha256=found.sha256)
    blocks = display(quote, None if is_alone else found)
    assert blocks
    json.dumps(display_json(blocks))


# --- Hostile text ----------------------------------------------------------------------------------------------------

HOSTILE = [
    "| a " * 2,
    "- ",
    "> ",
    ">- ",
    "* - ",
    "<td>",
    "<ul><li>",
    '"',
    "a,",
    "`",
    "[a][",
    " \n",
    "+-",
    "= ",
    "\t",
    "class=",
    "| \\",
    "1. ",
]


@pytest.mark.parametrize("path", ["page.md", "page.rst", "page.html", "page.txt"])
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_shown_in_time_in_proportion_to_its_length(unit: str, path: str) -> None:
    lead = {"page.rst": ".. csv-table::\n\n   ", "page.html": "<table><tr><td>x"}.get(path, "| a | b |\n|---|---|\n| x ")
    text = lead + unit * (40_000 // len(unit)) + "x\n"
    found = document(text, path)
    quote = replace(quotes_of(document("x"))[0], path=path, text=text, document_sha256=found.sha256)
    quote = replace(quote, spans=(replace(quote.spans[0], start=0, end=len(text)),))
    start = time.process_time()
    display(quote, found)
    display(quote)
    assert time.process_time() - start < 2.0


def test_markup_in_text_is_text() -> None:
    (block,) = shown("`<script>alert(1)</script>` &lt;img onerror=x&gt; [go](javascript:alert(1))\n")
    assert told(block.runs) == "`<script>alert(1)</script>` <img onerror=x> [go]"
    assert "javascript" not in json.dumps(display_json([block]))


# --- JSON and colours ------------------------------------------------------------------------------------------------


def test_the_json_keeps_to_the_schema() -> None:
    schema = wire.schema("answer")
    of_block = {"$ref": "#/$defs/block", "$defs": schema["$defs"]}
    for block in display_json([*shown(LISTED), *shown(RST, "page.rst"), *shown(HTML, "page.html")]):
        jsonschema.validate(block, of_block)


def test_code_is_plain_without_a_lexer() -> None:
    (block,) = display_json([ShownBlock(BlockKind.CODE, code="a = 1", language="py")])
    assert block["tokens"] == [["", "a = 1"]]


def tokens(code: str, language: str | None) -> list[tuple[str, str]]:
    from nescio.surfaces.highlighting import tokens as coloured

    return coloured(code, language)


def test_tokens_have_the_classes_of_what_they_are() -> None:
    found = tokens('def f(x):  # why\n    return len("a") + 1', "python")
    classes = {text.strip(): name for name, text in found}
    assert (classes["def"], classes["f"], classes["# why"]) == ("keyword", "name", "comment")
    assert (classes["len"], classes['"a"'], classes["1"], classes["+"]) == ("builtin", "string", "number", "operator")


@pytest.mark.parametrize("language", [None, "", "no-such-language", "../../etc", "text"])
def test_an_unknown_language_is_never_guessed(language: str | None) -> None:
    assert tokens("def f(): pass", language) == [("", "def f(): pass")]


def test_code_that_is_too_long_or_too_wide_is_plain() -> None:
    for code in ("x = 1\n" * 2_000, "x" * 400 + " = 1", "x = 1" + " " * 100):
        assert tokens(code, "python") == [("", code)]


LANGUAGES = ["python", "bash", "console", "yaml", "json", "toml", "html", "js", "ts", "rust", "c++", "sql", "diff", "Makefile"]


@given(st.text(), st.sampled_from(LANGUAGES))
def test_tokens_joined_are_the_code(code: str, language: str) -> None:
    assert "".join(text for _, text in tokens(code, language)) == code


@pytest.mark.parametrize("code", ["\n\n  x = 1", "x = 1\n\n", "\tif x:\r\n  y", "  ", "\ufeffx", ""])
def test_white_space_at_the_ends_of_code_is_kept(code: str) -> None:
    assert "".join(text for _, text in tokens(code, "python")) == code


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_code_is_coloured_quickly_or_not_at_all(language: str) -> None:
    for unit in ("(", '"\\', "<a ", "/*", "\n a", "a=", "//", "''' ", "&", "{{", "@a\n", "  \n"):
        start = time.process_time()
        tokens((unit * 6_000)[:6_000], language)
        assert time.process_time() - start < 1.0


# --- Marks -----------------------------------------------------------------------------------------------------------


def with_marks(text: str, *words: str, path: str = "guide/page.md") -> list[ShownBlock]:
    """The blocks of a document, with each of these words marked where it stands first."""
    found = document(text, path)
    marks = [Span(text.index(word), text.index(word) + len(word)) for word in words]
    return [block for quote in quotes_of(found) for block in display(quote, found, marks=marks)]


def marked_words(block: ShownBlock) -> list[str]:
    return [run.text for run in block.runs if run.mark]


def test_marks_cut_runs_exactly() -> None:
    (block,) = with_marks("One *two*\nthree `four` five &amp; six.\n", "wo", "ree `four` five", "amp")
    assert marked_words(block) == ["wo", "ree ", "four", " five &"]
    assert told(block.runs) == "One two three `four` five & six."
    assert [run.text for run in block.runs][:2] == ["One t", "wo"]


def test_marks_may_come_in_any_order_touch_and_reach_over_blocks() -> None:
    first, second = with_marks("- One *two* three.\n- Four.\n", "two* three.\n- Fo", "two", "e *t")
    assert (marked_words(first), marked_words(second)) == (["e two three."], ["Fo"])


def test_white_space_at_the_ends_of_a_mark_is_not_marked() -> None:
    (block,) = with_marks("One two three.\n", " two ")
    assert [(run.text, run.mark) for run in block.runs] == [("One ", False), ("two", True), (" three.", False)]


def test_lines_of_code_and_rows_of_tables_are_marked_whole() -> None:
    (code,) = with_marks("- Use:\n\n  ```py\n  a = 1\n\n  b = 2\n  c = 3\n  ```\n", "= 2\n  c")[1:]
    assert code.marked == (2, 3)
    (table,) = with_marks("| a | b |\n|---|---|\n| one | two |\n| three | four |\n", "four")
    assert table.marked == (2,)
    (html,) = with_marks("<pre><b>a</b>\n<b>b</b>\n\n&lt;c></pre>", "&lt;", path="page.html")
    assert html.marked == (3,)


def test_without_the_document_nothing_is_marked() -> None:
    found = document("One two.\n")
    (quote,) = quotes_of(found)
    (block,) = display(quote, marks=[Span(0, 3)])
    assert marked_words(block) == []


def without_marks(blocks: Iterable[ShownBlock]) -> list[ShownBlock]:
    return [replace(block, runs=flowing(replace(run, mark=False) for run in block.runs), marked=()) for block in blocks]


SPANS = st.lists(st.tuples(st.integers(0, 120), st.integers(0, 40)).map(lambda at: Span(at[0], at[0] + at[1])))


@given(
    st.sampled_from(sorted(PIECES)).flatmap(lambda name: st.tuples(st.just(name), st.lists(st.sampled_from(PIECES[name])))),
    SPANS,
)
def test_the_text_is_the_same_with_marks_and_without(case: tuple[str, list[str]], marks: list[Span]) -> None:
    path, pieces = case
    found = document("".join(pieces), path)
    for quote in quotes_of(found):
        assert without_marks(display(quote, found, marks=marks)) == list(display(quote, found))


@given(
    st.sampled_from(sorted(PIECES)).flatmap(lambda name: st.tuples(st.just(name), st.lists(st.sampled_from(PIECES[name])))),
    SPANS,
)
def test_what_is_marked_is_what_stands_in_the_marks(case: tuple[str, list[str]], marks: list[Span]) -> None:
    path, pieces = case
    found = document("".join(pieces), path)
    inside = {at for mark in marks for at in range(mark.start, mark.end)}
    for section, quote in quoted_sections(found):
        kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.HEADING)
        runs = [run for block in section.blocks if block.kind in kinds for run in block.runs]
        wanted = "".join(
            "".join(found.text[at] for at in range(run.span.start, run.span.end) if at in inside)
            if run.text is None
            else run.text * (not inside.isdisjoint(range(run.span.start, run.span.end)))
            for run in runs
        )
        blocks = [block for block in display(quote, found, marks=marks) if block.kind in kinds]
        assert "".join("".join(map("".join, map(marked_words, blocks))).split()) == "".join(wanted.split())
