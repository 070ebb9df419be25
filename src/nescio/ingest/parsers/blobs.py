"""Data that is pasted into a page (a base64 image, minified JSON) is no text: it must neither be indexed nor quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from nescio.domain.documents import Block, BlockKind, Run
from nescio.domain.spans import LINE_END, Span

MAX_CODE_LINE = 2_000  # characters; nobody writes or reads longer lines of code, generators do
MAX_UNBROKEN = 1_000  # printable ASCII characters without a space; the longest real URLs stay below

_PRINTABLE = re.compile(r"[!-~]++")


def code_runs(text: str, ranges: Iterable[tuple[int, int]]) -> tuple[Run, ...]:
    """Runs over the given ranges of a code block's body, without the lines that are too long to be written by hand."""
    return tuple(Run(Span(start, end), code=True) for a, b in ranges for start, end in _short_lines(text, a, b))


def _short_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= MAX_CODE_LINE:
        if end > start:
            yield start, end
        return
    kept = line = start
    for match in LINE_END.finditer(text, start, end):
        if match.start() - line > MAX_CODE_LINE:
            if line > kept:
                yield kept, line
            kept = match.end()
        line = match.end()
    last = line if end - line > MAX_CODE_LINE else end
    if last > kept:
        yield kept, last


def without_holes(text: str, block: Block, holes: list[tuple[int, int]]) -> Block | None:
    """`block` without the ranges `holes` and without blobs: runs cut, what is left in `pieces`. None when nothing is left."""
    span = block.span
    found = [*holes, *_blobs(text, block)] if _may_hold_blob(text, block) else holes
    if not found:
        return block
    cuts = sorted(found)
    pieces = tuple(piece for piece in _rest(span, cuts) if piece.of(text).strip())
    runs = tuple(cut_runs(block.runs, cuts))
    if not pieces or not any(run.visible(text).strip() for run in runs):
        return None
    return replace(block, runs=runs, pieces=pieces)


def clipped(block: Block) -> Block:
    """The block without the white space that its last runs and its last part have after its last visible character."""
    runs, end = block.runs, block.span.end
    if block.parts and block.parts[-1].end > end:
        parts = (Span(part.start, min(part.end, end)) for part in block.parts if part.start < end)
        block = replace(block, parts=tuple(parts))
    if not runs or runs[-1].span.end <= end:
        return block
    kept = (replace(run, span=Span(run.span.start, min(run.span.end, end))) for run in runs if run.span.start < end)
    return replace(block, runs=tuple(kept))


def _may_hold_blob(text: str, block: Block) -> bool:
    """Whether a line of code, or a stretch of text without a space, is longer than its limit. Looks at few characters."""
    at, end = block.span.start, block.span.end
    limit, breaker = (MAX_CODE_LINE, "\n") if block.kind is BlockKind.CODE else (MAX_UNBROKEN, " ")
    while end - at > limit:
        found = text.rfind(breaker, at, at + limit + 1)
        if found < 0:
            return True
        at = found + 1
    return False


def cut_runs(runs: Iterable[Run], cuts: list[tuple[int, int]]) -> Iterator[Run]:
    """The runs without the ranges `cuts` (in order). A run whose text is not its slice goes as a whole where it is touched."""
    for run in runs:
        start, end = run.span.start, run.span.end
        touching = [cut for cut in cuts if cut[0] < end and cut[1] > start]
        if not touching:
            yield run
        elif run.text is None:
            yield from (replace(run, span=rest) for rest in _rest(run.span, touching))


def _rest(span: Span, cuts: list[tuple[int, int]]) -> Iterator[Span]:
    at = span.start
    for start, end in cuts:
        if start > at:
            yield Span(at, min(start, span.end))
        at = max(at, end)
        if at >= span.end:
            return
    yield Span(at, span.end)


def _blobs(text: str, block: Block) -> Iterator[tuple[int, int]]:
    start, end = block.span.start, block.span.end
    if block.kind is not BlockKind.CODE:
        yield from ((m.start(), m.end()) for m in _PRINTABLE.finditer(text, start, end) if m.end() - m.start() > MAX_UNBROKEN)
        return
    line = start
    for match in LINE_END.finditer(text, start, end):
        if match.start() - line > MAX_CODE_LINE:
            yield line, match.end()
        line = match.end()
    if end - line > MAX_CODE_LINE:
        yield line, end
