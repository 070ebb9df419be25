"""What is kept of a passage beside its words: enough to quote it. JSON in and out, lists in the order of the fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nescio.domain.documents import Basis, BlockKind, Group, GroupKind, Passage, PassageBlock
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
        [_block(block) for block in passage.blocks],
        list(passage.heading_path),
        passage.anchor,
        passage.basis.value,
        list(passage.shown) if passage.shown is not None else None,
        passage.place,
        [[group.kind.value, *_pair(group.span)] for group in passage.groups],
        line,
    ]


def _block(block: PassageBlock) -> list[Any]:
    """Kind, start and end; then, where there are any, the starts and ends of rows, and of what is needed, a list each."""
    told = [block.kind.value, *_pair(block.span)]
    return [*told, _flat(block.rows), _flat(block.needs)] if block.rows or block.needs else told


def _flat(spans: Sequence[Span]) -> list[int]:
    return [offset for span in spans for offset in _pair(span)]


def _pair(span: Span) -> list[int]:
    return [span.start, span.end]


_KINDS = {kind.value: kind for kind in BlockKind}
_GROUPS = {kind.value: kind for kind in GroupKind}


def decoded(row: Sequence[Any], source: str, page_path: str) -> tuple[Passage, int]:
    """The passage, and the line it starts on."""
    title, path, sha256, span, spans, blocks, heading_path, anchor, basis, shown, place, groups, line = row
    passage = Passage(
        source,
        path,
        page_path,
        sha256,
        Span(*span),
        tuple(Span(*pair) for pair in spans),
        tuple(_decoded_block(*block) for block in blocks),
        title,
        tuple(heading_path),
        anchor,
        Basis(basis),
        tuple(shown) if shown is not None else None,
        place,
        tuple(Group(_GROUPS[kind], Span(start, end)) for kind, start, end in groups),
    )
    return passage, line


def _decoded_block(kind: str, start: int, end: int, rows: Sequence[int] = (), needs: Sequence[int] = ()) -> PassageBlock:
    return PassageBlock(_KINDS[kind], Span(start, end), _spans(rows), _spans(needs))


def _spans(flat: Sequence[int]) -> tuple[Span, ...]:
    return tuple(map(Span, flat[::2], flat[1::2]))
