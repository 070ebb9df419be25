"""Plain texts as documents: tests/golden/plain."""

from __future__ import annotations

import pytest

from golden_cases import cases, described
from nescio.domain.documents import Document
from nescio.ingest.parsers.plain import parse_plain

CASES = list(cases("plain"))


@pytest.mark.parametrize(("source", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_blocks_are_as_the_golden_files_say(source: str, expected: str) -> None:
    page = parse_plain(Document.from_bytes("docs", "page", source.encode()))
    assert described(page) == expected
