"""Which blocks of a passage are shown? Those that hold the question's words, with the code that a sentence leads into."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nescio.domain.candidates import Candidate, Question
from nescio.domain.documents import BlockKind, Passage
from nescio.domain.spans import Span

ENOUGH = 0.98  # share of what the whole passage has of the question, from which one block is shown alone
INTRODUCES = (":", "\uff1a")


@dataclass(frozen=True, slots=True)
class Choice:
    """The first block shown, and the one after the last."""

    start: int
    end: int


def excerpt(question: Question, candidate: Candidate, passage: Passage, text: str, longest: int) -> Passage:
    """The passage narrowed to what answers: at most `longest` code points where blocks allow it, never less than one block.

    Text that is not a plain slice (`shown`) and passages in several spans are not narrowed: they are shown whole.
    """
    if passage.shown is not None or len(passage.blocks) < 2 or (len(passage.spans) > 1 and _has_header(passage)):
        return passage
    choice = _chosen(question, candidate, passage, text, longest)
    if (choice.start, choice.end) == (0, len(passage.blocks)):
        return passage
    blocks = passage.blocks[choice.start : choice.end]
    inside = Span(blocks[0][1].start, blocks[-1][1].end)
    return replace(passage, span=inside, spans=_clipped(passage.spans, inside), blocks=blocks)


def _has_header(passage: Passage) -> bool:
    return passage.spans[0].end <= passage.span.start


def _clipped(spans: Sequence[Span], inside: Span) -> tuple[Span, ...]:
    clipped = (Span(max(span.start, inside.start), min(span.end, inside.end)) for span in spans if _meets(span, inside))
    return tuple(span for span in clipped if span)


def _meets(span: Span, inside: Span) -> bool:
    return span.start < inside.end and inside.start < span.end


def _chosen(question: Question, candidate: Candidate, passage: Passage, text: str, longest: int) -> Choice:
    held = _held(question, candidate, len(passage.blocks))
    shares = [sum(question.terms[term].share for term in terms) for terms in held]
    everything = sum(question.terms[term].share for term in frozenset().union(*held))
    best = max(range(len(shares)), key=lambda at: (shares[at], -at))
    if not everything:
        return _grown(Choice(0, 1), passage, longest, text)
    if shares[best] >= ENOUGH * everything:
        return _with_neighbours(Choice(best, best + 1), passage, text, longest)
    if len(passage.span) <= longest:
        return Choice(0, len(passage.blocks))
    return _with_neighbours(_spread(question, held, best, passage, longest), passage, text, longest)


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


def _spread(question: Question, held: Sequence[frozenset[int]], best: int, passage: Passage, longest: int) -> Choice:
    """Blocks around the best one, to the side that brings more, as far as they fit."""
    start, end = best, best + 1
    while True:
        inside = frozenset().union(*held[start:end])
        sides = [Choice(start - 1, end)] if start else []
        sides += [Choice(start, end + 1)] if end < len(held) else []
        fitting = [side for side in sides if _length(passage, side) <= longest]
        if not fitting:
            return Choice(start, end)
        gain = {side: _gain(question, held, side, inside) for side in fitting}
        chosen = max(fitting, key=lambda side: (gain[side], side.end))
        start, end = chosen.start, chosen.end


def _gain(question: Question, held: Sequence[frozenset[int]], side: Choice, inside: frozenset[int]) -> float:
    new = frozenset().union(*held[side.start : side.end]) - inside
    return sum(question.terms[term].share for term in new)


def _with_neighbours(choice: Choice, passage: Passage, text: str, longest: int) -> Choice:
    """Code keeps the sentence that leads into it, and a sentence that leads into something keeps that."""
    blocks = passage.blocks
    start, end = choice.start, choice.end
    if start and blocks[start][0] is BlockKind.CODE and blocks[start - 1][0] in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
        start -= 1
    leads = _leads(passage, text, end - 1)
    while end < len(blocks) and _follows(blocks[end][0], leads) and _length(passage, Choice(start, end + 1)) <= longest:
        end += 1
    return Choice(start, end)


def _leads(passage: Passage, text: str, at: int) -> bool:
    """Whether a block ends in a colon: what comes next belongs to it."""
    kind, span = passage.blocks[at]
    return kind is not BlockKind.CODE and span.of(text).rstrip().rstrip("*_").endswith(INTRODUCES)


def _follows(kind: BlockKind, leads: bool) -> bool:
    return kind is BlockKind.CODE or (leads and kind in (BlockKind.LIST_ITEM, BlockKind.TABLE))


def _grown(choice: Choice, passage: Passage, longest: int, text: str) -> Choice:
    end = choice.end
    while end < len(passage.blocks) and _length(passage, Choice(choice.start, end + 1)) <= longest:
        end += 1
    return _with_neighbours(Choice(choice.start, end), passage, text, longest)


def _length(passage: Passage, choice: Choice) -> int:
    return passage.blocks[choice.end - 1][1].end - passage.blocks[choice.start][1].start
