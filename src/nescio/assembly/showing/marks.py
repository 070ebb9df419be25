"""Which words of a shown block are marked, given where in the document the marks stand.

A shown block and the block of the document have the same visible characters in the same order (of a row of a table: the same
ones) and differ in white space alone, so that places are told by how many visible characters stand before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from nescio.assembly.showing.text import Written
from nescio.domain.display import ShownBlock, ShownRun
from nescio.domain.documents import Block, Run
from nescio.domain.spans import Span, clipped, meeting


def joined(marks: Iterable[Span]) -> tuple[Span, ...]:
    """The marks in order and apart; those that touch become one."""
    found: list[Span] = []
    for mark in sorted(mark for mark in marks if mark):
        if found and mark.start <= found[-1].end:
            mark = Span(found[-1].start, max(found.pop().end, mark.end))
        found.append(mark)
    return tuple(found)


def marked(shown: ShownBlock, written: Written, block: Block, marks: Sequence[Span]) -> ShownBlock:
    """`shown`, which is `block` shown, with what stands in `marks` marked: runs are cut, of code and tables whole lines and
    rows are named. `marks` are in order and apart. White space is marked between two marked characters, and not at the ends of
    a mark. Where the characters are not those of the block, nothing is marked.
    """
    ranges = _ranges(written, block, marks)
    rows = ["".join(run.text for cell in row for run in cell) for row in shown.rows] or shown.code.split("\n")
    texts = [run.text for run in shown.runs] or rows
    if not ranges or sum(map(_visible, texts)) != sum(_visible(run.visible(written.text)) for run in block.runs):
        return shown
    if shown.runs:
        return replace(shown, runs=tuple(_cut(shown.runs, ranges)))
    return replace(shown, marked=tuple(_meeting(rows, ranges)))


def _visible(text: str) -> int:
    """How many characters are not white space."""
    return len("".join(text.split()))


def _ranges(written: Written, block: Block, marks: Sequence[Span]) -> tuple[Span, ...]:
    """The marks, counted in visible characters of the block."""
    found: list[Span] = []
    before = 0
    for run in block.runs:
        text = run.visible(written.text)
        found.extend(Span(before + _visible(text[:start]), before + _visible(text[:end])) for start, end in _inside(run, marks))
        before += _visible(text)
    return joined(found)


def _inside(run: Run, marks: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """The ranges of a run's visible text that are marked. One that has a text of its own (an entity) is not cut."""
    met = meeting(marks, run.span) if run.span else ()
    if met and run.text is not None:
        yield 0, len(run.text)
    elif met:
        yield from ((piece.start - run.span.start, piece.end - run.span.start) for piece in clipped(met, run.span))


def _cut(runs: Sequence[ShownRun], ranges: Sequence[Span]) -> Iterator[ShownRun]:
    """The runs cut where a range starts or ends; white space inside of a range is of it."""
    before = 0
    for run in runs:
        size = _visible(run.text)
        at = 0
        for start, end in _places(run.text, before, meeting(ranges, Span(before, before + size))):
            yield from _pieces(run, (at, False), (start, True), (end, False))
            at = end
        yield from _pieces(run, (at, False), (len(run.text), False))
        before += size


def _places(text: str, before: int, ranges: Iterable[Span]) -> Iterator[tuple[int, int]]:
    """Where in a text ranges begin and end; `before` visible characters stand before the text."""
    offsets = [offset for offset, character in enumerate(text) if not character.isspace()]
    for one in ranges:
        start = 0 if one.start < before else offsets[one.start - before]
        yield start, len(text) if one.end > before + len(offsets) else offsets[one.end - before - 1] + 1


def _pieces(run: ShownRun, *edges: tuple[int, bool]) -> Iterator[ShownRun]:
    """What stands between neighbouring edges, marked as the first of them says; nothing of no length."""
    for (start, mark), (end, _) in pairwise(edges):
        if start < end:
            yield replace(run, text=run.text[start:end], mark=mark)


def _meeting(lines: Sequence[str], ranges: Sequence[Span]) -> Iterator[int]:
    """The numbers of the lines in which some of a range stands."""
    ends = list(accumulate((_visible(line) for line in lines), initial=0))
    for number, (start, end) in enumerate(pairwise(ends)):
        if start < end and meeting(ranges, Span(start, end)):
            yield number
