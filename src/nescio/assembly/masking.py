"""What is left of a passage where secrets are masked? Text that says little but a secret is no evidence of anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from nescio.domain.documents import Block, Run
from nescio.domain.spans import LINE_END, Span, clipped, meeting, remaining
from nescio.ingest.splitter import Section


def audible(section: Section, masked: Sequence[Span]) -> Section | None:
    """The section without the words of lines that are mostly masked, for its evidence; None when there is nothing to quote.

    `masked` are the ranges of its document, in order and apart. `TOKEN=` before a masked token answers no question about it.
    """
    passage = section.passage
    near = list(dict.fromkeys(hole for span in passage.spans for hole in meeting(masked, span)))
    if not near:
        return section
    blocks = tuple(_without(block, section.text, near, whole=passage.shown is not None) for block in section.blocks)
    said = (run.visible(section.text) for block in blocks for run in block.runs)
    return replace(section, blocks=blocks) if any(character.isalnum() for text in said for character in text) else None


def _without(block: Block, text: str, masked: Sequence[Span], *, whole: bool) -> Block:
    """The block without what says nothing; without any words where it is shown `whole` or not at all, as decoded text is."""
    if not meeting(masked, block.span):
        return block
    return replace(block, runs=() if whole else tuple(_audible(block.runs, tuple(_silent_lines(text, masked, block.span)))))


def _audible(runs: Iterable[Run], silent: Sequence[Span]) -> Iterator[Run]:
    for run in runs:
        if run.text is None:
            yield from (replace(run, span=span) for span in remaining((run.span,), silent))
        elif not meeting(silent, run.span):
            yield run


def _silent_lines(text: str, masked: Sequence[Span], inside: Span) -> Iterator[Span]:
    """What lies `inside` of the lines of masked ranges that have no more letters and digits there than is masked; in order."""
    done = -1
    for span in meeting(masked, inside):
        if span.start < done:
            continue
        (lines,) = clipped((_lines(text, span),), inside)
        done = lines.end
        hidden = sum(map(len, meeting(masked, lines)))
        if sum(map(str.isalnum, "".join(rest.of(text) for rest in remaining((lines,), masked)))) <= hidden:
            yield lines


def _lines(text: str, span: Span) -> Span:
    """The whole lines of a span, the last line end left out."""
    start = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    end = LINE_END.search(text, span.end)
    return Span(start, end.start() if end else len(text))
