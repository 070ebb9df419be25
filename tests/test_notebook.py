"""Notebooks as documents: tests/golden/notebook, and what is better said in code."""

from __future__ import annotations

import pytest

from golden_cases import cases, described
from nescio.domain.documents import Document
from nescio.domain.spans import Span
from nescio.errors import IngestFault
from nescio.ingest.parsers.json_spans import JoinedStrings, string_values
from nescio.ingest.parsers.notebook import parse_notebook

CASES = list(cases("notebook"))


@pytest.mark.parametrize(("source", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_blocks_are_as_the_golden_files_say(source: str, expected: str) -> None:
    page = parse_notebook(Document.from_bytes("docs", "page", source.encode()))
    assert described(page) == expected


@pytest.mark.parametrize(("text", "line"), [("{\n\r\nx", 3), ('\ufeff{"cells":\r[}', 2), ("", 1), ("[" * 100_000, 1)])
def test_what_is_not_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(IngestFault) as caught:
        parse_notebook(Document.from_bytes("docs", "a.ipynb", text.encode()))
    assert caught.value.code == "notebook-not-json"
    assert f"line {line}" in caught.value.message
    assert "a.ipynb" in caught.value.message


def test_an_offset_in_the_joined_text_leads_back_to_the_file() -> None:
    text = r'["a\"b", "\u0041\ud83d\ude00c"]'
    joined = JoinedStrings(text, [string.span for string in string_values(text, 1)])
    assert joined.text == 'a"bA😀c'
    assert [joined.offset(at) for at in range(7)] == [2, 3, 5, 10, 16, 28, 29]
    assert [(span.of(text), part) for span, part in joined.spans(Span(1, 5))] == [
        (r"\"b", '"b'),
        (r"\u0041\ud83d\ude00", "A😀"),
    ]


def test_keys_and_deep_strings_are_no_values() -> None:
    text = '{"a": "1", "b": [{"c": "2"}, 3, "4"], "d": {"e": {"f": {"g": "5"}}}}'
    assert [(string.path, string.span.of(text)) for string in string_values(text, 3)] == [
        (("a",), "1"),
        (("b", 0, "c"), "2"),
        (("b", 2), "4"),
    ]
