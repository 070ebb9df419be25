"""Whatever the text, Markdown is read without a fault, and every range is where it says."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nescio.domain.documents import BlockKind, Document, Page
from nescio.domain.spans import Span
from nescio.ingest.parsers.fences import find_fences
from nescio.ingest.parsers.markdown import markdown_blocks, parse_markdown
from nescio.ingest.parsers.markdown_feed import readable
from nescio.ingest.parsers.masking import mask
from nescio.ingest.parsers.mdx import mdx_spans
from nescio.ingest.parsers.templates import template_spans
from support.blocks import assert_groups_nest, assert_needed

FRAGMENTS = st.sampled_from(
    [
        *(
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "\t",
            "    ",
            "  ",
            " ",
            "> ",
            "- ",
            "1. ",
            "* ",
            "# ",
            "## ",
            "---",
            "===",
            "***",
            "+++",
        ),
        *(
            "```",
            "````py",
            "~~~",
            "`",
            "``",
            "|",
            "| a | b |\n|---|---|\n",
            "| c |",
            "[x]",
            "[ ] ",
            "(u)",
            "![",
            "](",
            "[^1]",
            ": ",
        ),
        *("<!--", "-->", "<div>", "</div>", "<a name='x'></a>", "<script>", "</script>", "<pre>", "<h2 id=q>", "</h2>", "<br>"),
        *("<", ">", "&amp;", "&nbsp;", "&#x41;", "\\", "\\_", "*", "**", "_", "~~", "{ #id }", "{#id}", "{: .c }", "{", "}"),
        *(
            "!!! note\n",
            '!!! tip "T"\n    ',
            "??? ",
            '=== "A"\n\n    ',
            "/// tip | T\n",
            "///\n",
            "::: tip T\n",
            ":::\n",
            "> [!NOTE]\n",
        ),
        *(
            "{{< x >}}",
            '{{< t text="v" >}}',
            "{% if %}",
            "{{ v }}",
            "{* a.py *}\n",
            '--8<-- "a"\n',
            "{{#include a:1:2}}\n",
            "--8<--\n",
        ),
        *(
            "import a from 'b'\n",
            "export {",
            "<Tab a={1}>",
            "</Tab>",
            "{/* c */}",
            "```{note} T\n",
            ":class: x\n",
            "---\ntitle: x\n---\n",
        ),
        *("<details>\n", "<summary>", "</summary>", "</details>", "<TabItem label='L'>", "</TabItem>", "<Steps>", "</Steps>"),
        *("<table>\n", "<caption>", "</caption>", "<tr>", "<td rowspan=2>", "</td>", "</tr>", "<thead>", "</table>", "<th>"),
        *("{% comment %}", "{% endcomment %}", "{# ", " #}", "{::comment}", "{:/}", "%%", "\n% ", "{: .a }\n"),
        *("{% tab title='T' %}", "{% endtab %}", "{{< tab 'T' >}}", "{{< /tab >}}", "**W?**\n\n", "Q: a\n\n", "[^1]: d\n\n"),
        *("word", "C#", "d2.x", "é", "e\u0301", "👩‍💻", "漢字", "\ufeff", "\u2028", "\x0c", "\x85", "\xa0", "\0", "Title"),
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=4), max_size=40).map("".join)
BOTH = pytest.mark.parametrize("mdx", [False, True])


def page_of(text: str, mdx: bool) -> Page:
    return parse_markdown(Document.from_bytes("docs", "a.md", text.encode("utf-8", "replace")), mdx=mdx)


@BOTH
@given(text=TEXTS)
@settings(max_examples=400, deadline=None)
def test_blocks_are_in_order_and_do_not_overlap(text: str, mdx: bool) -> None:
    page = page_of(text, mdx)
    last = 0
    for block in page.blocks:
        assert last <= block.span.start < block.span.end <= len(page.document.text)
        assert not page.document.text[block.span.end - 1].isspace()
        last = block.span.end


@BOTH
@given(text=TEXTS)
@settings(max_examples=400, deadline=None)
@example(text="<table>\n<th>> ")
def test_runs_parts_and_pieces_are_in_order_inside_their_block(text: str, mdx: bool) -> None:
    page = page_of(text, mdx)
    for block in page.blocks:
        assert block.runs or block.include
        for spans in ([run.span for run in block.runs], list(block.parts), list(block.pieces)):
            last = block.span.start
            for span in spans:
                assert last <= span.start
                assert span.is_within(block.span)
                last = span.end
        assert bool(block.title) == (block.kind is BlockKind.HEADING)


@BOTH
@given(text=TEXTS)
@settings(max_examples=400, deadline=None)
def test_groups_nest_and_hold_whole_blocks(text: str, mdx: bool) -> None:
    page = page_of(text, mdx)
    assert_groups_nest(page.blocks)
    for block in page.blocks:
        assert_needed(block, len(page.document.text))


@BOTH
@given(text=TEXTS)
@settings(max_examples=200, deadline=None)
def test_reading_twice_gives_the_same(text: str, mdx: bool) -> None:
    assert page_of(text, mdx) == page_of(text, mdx)


@given(text=TEXTS)
@settings(max_examples=400, deadline=None)
def test_a_mask_has_the_length_and_the_lines_of_what_it_hides(text: str) -> None:
    lines = readable(text)
    fences = find_fences(lines)
    for spans in (list(mdx_spans(lines, fences)), list(template_spans(lines, fences))):
        masked = mask(lines, spans)
        assert len(masked) == len(lines) == len(text)
        assert [at for at, c in enumerate(masked) if c == "\n"] == [at for at, c in enumerate(lines) if c == "\n"]


@given(
    spans=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))),
    text=st.text(alphabet="ab \n](", min_size=30, max_size=30),
)
def test_a_mask_touches_nothing_else(spans: list[tuple[int, int]], text: str) -> None:
    ranges = [(min(pair), max(pair)) for pair in spans]
    masked = mask(text, ranges)
    hidden = {at for start, end in ranges for at in range(start, end)}
    assert all(masked[at] == text[at] for at in range(len(text)) if at not in hidden)


@given(
    words=st.lists(st.sampled_from(["Use", "C#", "`x`", "**b**", "é", "漢", "1.2"]), min_size=1, max_size=4),
    identifier=st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True),
    shape=st.sampled_from(["{{ #{} }}", "{{#{}}}", "{{: #{} .c }}", "{{#{} k=v}}"]),
)
def test_an_id_is_the_anchor_of_a_heading_and_no_word_of_it(words: list[str], identifier: str, shape: str) -> None:
    attributes = shape.format(identifier)
    for text in (f"## {' '.join(words)} {attributes}\n", f"{' '.join(words)} {attributes}\n====\n"):
        (heading,) = page_of(text, False).blocks
        assert heading.anchor == identifier
        assert "#" + identifier not in heading.title
        assert heading.title == " ".join(words).replace("`", "").replace("**", "")


@given(text=TEXTS, before=st.text(alphabet="ab\n", max_size=5))
@settings(max_examples=200, deadline=None)
def test_text_before_the_page_moves_its_blocks_alone(text: str, before: str) -> None:
    moved, _ = markdown_blocks(f"{before}\n\n" + text)
    own, _ = markdown_blocks("\n\n" + text)
    shift = len(before)
    tail = [block.span for block in moved if block.span.start >= shift]
    assert tail[-len(own) :] == [Span(block.span.start + shift, block.span.end + shift) for block in own] or not own


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "`",
            "[",
            "![",
            "<",
            "<a ",
            '<a "',
            "<!--",
            "{{<",
            "{{< a",
            "{%",
            "{",
            "<b {",
            "<b x={`",
            "\\",
            "*a ",
            "> ",
            "- ",
            "    - ",
        ),
        *(
            "export {\n\n",
            "import a\n",
            "!!! a\n",
            "!!! a\n\n    ",
            "::: a\n",
            "::: a ",
            "/// a |\n",
            "> [!a] b\n",
            "|",
            "| a ",
            "&",
            "&amp",
        ),
        *(
            "--8<--\n",
            "{* a ",
            "{: a",
            "- ```\n",
            "{ .a ",
            "# a {#b ",
            "```\n",
            "```{note}\n",
            "<script>\n\n",
            "<div>\n",
            "](",
            "\r",
            "---\n",
            "a: b\n",
        ),
        *(
            "<details>\n<summary>a</summary>\n\n",
            "<Tab title='a'>",
            "<A ",
            "<A '",
            "<Tab title='a'>b</Tab>",
            "</Tab>",
            "{% tab",
        ),
        *(
            "<table>",
            "<tr>",
            "<tr><td>a",
            "<table><caption>a</caption><tr><td>b</td></tr></table>\n",
            "<td rowspan=9>",
            ">\n\n",
        ),
        *("{% comment %}", "{# ", "{::comment}", "%% ", "%% a\n", "```{a}\n```\n% "),
        *("::: tip\n", "> [!NOTE]\n> ", "**a?**\n\n", "[^1] [^1]: a\n\n", "a\n: b\n\n", ":   a\n", "{{< tab 'a' >}}"),
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    started = time.process_time()
    for mdx in (False, True):
        page_of(text, mdx)
        page_of("---\n" + text, mdx)
    assert time.process_time() - started < 8  # quadratic ones take minutes
