"""Which blocks of a passage are shown? Those that hold the question's words, with the code that a sentence leads into."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nescio.domain.candidates import Candidate, Question
from nescio.domain.documents import INTRODUCES, BlockKind, Passage
from nescio.domain.spans import Span, clipped

ENOUGH = 0.98  # share of what the whole passage has of the question, from which one block is shown alone


@dataclass(frozen=True, slots=True)
class Choice:
    """The first block shown, and the one after the last."""

    start: int
    end: int


def excerpt(question: Question, candidate: Candidate, passage: Passage, text: str, longest: int) -> Passage:
    """The passage narrowed to what answers: at most `longest` code points where blocks allow it, never less than one block.

    A piece of a table with its header row is shown whole.
    """
    if len(passage.blocks) < 2 or (len(passage.spans) > 1 and _has_header(passage)):
        return passage
    shown = passage.shown or tuple(span.of(text) for _, span in passage.blocks)
    choice = _chosen(question, candidate, _Blocks(tuple(kind for kind, _ in passage.blocks), shown), longest)
    blocks = passage.blocks[choice.start : choice.end]
    inside = Span(blocks[0][1].start, blocks[-1][1].end)
    return replace(
        passage,
        span=inside,
        spans=clipped(passage.spans, inside),
        blocks=blocks,
        shown=passage.shown[choice.start : choice.end] if passage.shown else None,
    )


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a passage: of what kind each is, and what is shown of it."""

    kinds: tuple[BlockKind, ...]
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kinds)

    def length(self, choice: Choice) -> int:
        """How many code points are shown."""
        return sum(map(len, self.texts[choice.start : choice.end]))

    def leads(self, at: int) -> bool:
        """Whether a block ends in a colon: what comes next belongs to it."""
        return self.kinds[at] is not BlockKind.CODE and self.texts[at].rstrip().rstrip("*_").endswith(INTRODUCES)


def _has_header(passage: Passage) -> bool:
    return passage.spans[0].end <= passage.span.start


def _chosen(question: Question, candidate: Candidate, blocks: _Blocks, longest: int) -> Choice:
    held = _held(question, candidate, len(blocks))
    shares = [sum(question.terms[term].share for term in terms) for terms in held]
    everything = sum(question.terms[term].share for term in frozenset().union(*held))
    best = max(range(len(shares)), key=lambda at: (shares[at], -at))
    if not everything:
        return _grown(Choice(0, 1), blocks, longest)
    if shares[best] >= ENOUGH * everything:
        return _with_neighbours(Choice(best, best + 1), blocks, longest)
    whole = Choice(0, len(blocks))
    return (
        whole
        if blocks.length(whole) <= longest
        else _with_neighbours(_spread(question, held, best, blocks, longest), blocks, longest)
    )


def _held(question: Question, candidate: Candidate, count: int) -> list[frozenset[int]]:
    """The content terms that stand in each block."""
    held: list[set[int]] = [set() for _ in range(count)]
    for term, places in enumerate(candidate.places):
        if question.terms[term].share:
            for place in places:
                block = bisect_right(candidate.paragraphs, place >> 1) - 1
                if 0 <= block < count:
                    held[block].add(term)
    return [frozenset(terms) for terms in held]


def _spread(question: Question, held: Sequence[frozenset[int]], best: int, blocks: _Blocks, longest: int) -> Choice:
    """Blocks around the best one, to the side that brings more, as far as they fit."""
    chosen = Choice(best, best + 1)
    while True:
        start, end = chosen.start, chosen.end
        sides = [Choice(start - 1, end)] if start else []
        sides += [Choice(start, end + 1)] if end < len(held) else []
        fitting = [side for side in sides if blocks.length(side) <= longest]
        if not fitting:
            return chosen
        inside = frozenset().union(*held[start:end])
        chosen = max(fitting, key=lambda side: (_gain(question, held, side, inside), side.end))


def _gain(question: Question, held: Sequence[frozenset[int]], side: Choice, inside: frozenset[int]) -> float:
    new = frozenset().union(*held[side.start : side.end]) - inside
    return sum(question.terms[term].share for term in new)


def _with_neighbours(choice: Choice, blocks: _Blocks, longest: int) -> Choice:
    """Code keeps the sentence that leads into it, and a sentence that leads into something keeps that."""
    start, end = choice.start, choice.end
    if (
        start
        and blocks.kinds[start] is BlockKind.CODE
        and blocks.kinds[start - 1] in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    ):
        start -= 1
    leads = blocks.leads(end - 1)
    while end < len(blocks) and _follows(blocks.kinds[end], leads) and blocks.length(Choice(start, end + 1)) <= longest:
        end += 1
    return Choice(start, end)


def _follows(kind: BlockKind, leads: bool) -> bool:
    return kind is BlockKind.CODE or (leads and kind in (BlockKind.LIST_ITEM, BlockKind.TABLE))


def _grown(choice: Choice, blocks: _Blocks, longest: int) -> Choice:
    end = choice.end
    while end < len(blocks) and blocks.length(Choice(choice.start, end + 1)) <= longest:
        end += 1
    return _with_neighbours(Choice(choice.start, end), blocks, longest)
