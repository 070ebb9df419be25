"""What is kept of a passage beside its words: enough to quote it. JSON in and out, lists in the order of the fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nescio.domain.documents import Basis, BlockKind, Passage
from nescio.domain.spans import Span


def encoded(passages: Sequence[Passage], lines: Sequence[int]) -> list[list[Any]]:
    """The facts of each passage. `lines` are the 1-based lines on which the passages start."""
    return [_row(passage, line) for passage, line in zip(passages, lines, strict=True)]


def _row(passage: Passage, line: int) -> list[Any]:
    return [
        passage.title,
        passage.path,
        passage.document_sha256,
        _pair(passage.span),
        [_pair(span) for span in passage.spans],
        [[kind.value, *_pair(span)] for kind, span in passage.blocks],
        list(passage.heading_path),
        passage.anchor,
        passage.basis.value,
        list(passage.shown) if passage.shown is not None else None,
        _pair(passage.lead) if passage.lead else None,
        line,
    ]


def _pair(span: Span) -> list[int]:
    return [span.start, span.end]


_KINDS = {kind.value: kind for kind in BlockKind}


def decoded(row: Sequence[Any], source: str, page_path: str) -> tuple[Passage, int]:
    """The passage, and the line it starts on."""
    title, path, sha256, span, spans, blocks, heading_path, anchor, basis, shown, lead, line = row
    passage = Passage(
        source,
        path,
        page_path,
        sha256,
        Span(*span),
        tuple(Span(*pair) for pair in spans),
        tuple((_KINDS[kind], Span(start, end)) for kind, start, end in blocks),
        title,
        tuple(heading_path),
        anchor,
        Basis(basis),
        tuple(shown) if shown is not None else None,
        Span(*lead) if lead else None,
    )
    return passage, line
