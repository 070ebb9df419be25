"""HTML pages as documents: tests/golden/html, and what is better said in code."""

from __future__ import annotations

import pytest

from golden_cases import cases, described, is_grouped
from nescio.domain.documents import Document
from nescio.ingest.parsers.html import parse_html

CASES = list(cases("html"))


@pytest.mark.parametrize(("title", "source", "expected"), CASES, ids=[case[0] for case in CASES])
def test_blocks_are_as_the_golden_files_say(title: str, source: str, expected: str) -> None:
    page = parse_html(Document.from_bytes("docs", "page", source.encode()))
    assert described(page, grouped=is_grouped(title)) == expected


def test_a_span_goes_from_start_tag_to_end_tag() -> None:
    text = "<p class='a'>One</p>\r\n<ul><li>Two</li></ul><pre>x\n</pre>"
    page = parse_html(Document.from_bytes("docs", "page", text.encode()))
    assert [block.span.of(text) for block in page.blocks] == ["<p class='a'>One</p>", "<li>Two</li>", "<pre>x\n</pre>"]


def test_runs_say_what_is_a_link_and_what_is_code() -> None:
    text = "<p>a <a href=x>b</a> <code>c</code> <a name=y>d</a></p>"
    page = parse_html(Document.from_bytes("docs", "page", text.encode()))
    runs = {run.span.of(text): (run.link, run.code) for run in page.blocks[0].runs if run.span.of(text).strip()}
    assert runs == {"a ": (False, False), "b": (True, False), "c": (False, True), "d": (False, False)}


def test_a_link_that_is_not_closed_ends_with_its_block() -> None:
    text = "<p><a href=x>one</p><p>two</p>"
    page = parse_html(Document.from_bytes("docs", "page", text.encode()))
    assert [block.runs[0].link for block in page.blocks] == [True, False]
