"""reStructuredText pages as documents: tests/golden/rst, and what is better said in code."""

from __future__ import annotations

import pytest

from golden_cases import cases, described, is_grouped
from nescio.domain.documents import BlockKind, Document
from nescio.ingest.parsers.rst import parse_rst

CASES = list(cases("rst"))


@pytest.mark.parametrize(("title", "source", "expected"), CASES, ids=[case[0] for case in CASES])
def test_blocks_are_as_the_golden_files_say(title: str, source: str, expected: str) -> None:
    page = parse_rst(Document.from_bytes("docs", "page", source.encode()))
    assert described(page, grouped=is_grouped(title)) == expected


def headings(text: str) -> list[tuple[int, str]]:
    page = parse_rst(Document.from_bytes("docs", "page", text.encode()))
    return [(block.level, block.title) for block in page.blocks if block.kind is BlockKind.HEADING]


def test_levels_stop_at_six_however_deep_objects_stand() -> None:
    text = "".join(f"{'  ' * depth}.. class:: C{depth}\n\n" for depth in range(9)) + f"{'  ' * 9}Text.\n"
    assert [level for level, _ in headings(text)] == [1, 2, 3, 4, 5, 6, 6, 6, 6]


def test_a_section_goes_on_once_for_all_that_follows_an_object() -> None:
    text = "A\n=\n\n.. data:: X\n\n   D.\n\nOne.\n\nTwo.\n"
    assert headings(text) == [(1, "A"), (2, "X"), (1, "A")]


def test_spans_count_code_points_whatever_the_text() -> None:
    text = "Ünïcode 😀\n==========\n\n中文 ``x`` 😀.\n"
    page = parse_rst(Document.from_bytes("docs", "page", text.encode()))
    assert [block.span.of(text) for block in page.blocks] == ["Ünïcode 😀\n==========", "中文 ``x`` 😀."]
    assert [run.span.of(text) for run in page.blocks[1].runs if run.code] == ["x"]


@pytest.mark.parametrize(
    ("role", "link", "code"),
    [(":ref:`x`", True, False), (":func:`x`", False, True), (":emphasis:`x`", False, False), ("`x`_", True, False)],
)
def test_runs_say_what_is_a_link_and_what_is_code(role: str, link: bool, code: bool) -> None:
    page = parse_rst(Document.from_bytes("docs", "page", f"{role}\n".encode()))
    run = page.blocks[0].runs[0]
    assert (run.link, run.code) == (link, code)
