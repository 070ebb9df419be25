"""How much of a question does one passage cover? One score of four measures, all of the same passage.

- r: BM25 of the passage, p: BM25 of its page, both scaled to [0, 1] (`Candidate.passage_bm25`, `page_bm25`).
- s: the best sentence's share of the question's content. A word in the sentence counts 1; one only in link text, or only in
  the heading or path, .6; one only in the same paragraph .4. A sentence that merely points elsewhere counts .8 of that.
- w: the best window's share: 12 words, with the gap between paragraphs; a word of heading or path counts .65 wherever it is.

e = (r + p + s + w) / 4. The constants were measured with a whole question set left out each time: benchmarks/README.md.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.candidates import Candidate, Key, Question

ELSEWHERE = 0.6  # worth of a word that is only in link text, in the heading or in the path
SAME_PARAGRAPH = 0.4
REFERRING = 0.8
WINDOW_WORDS = 12
WINDOW_HEADING = 0.65
NEXT_PAGES = 7  # pages that the best one is compared with

# score = 1 / (1 + exp(OFFSET - EVIDENCE E - STANDOUT D)), fitted once on all sets, sets and both sorts weighing equally.
OFFSET = 5.9
EVIDENCE = 8.2
STANDOUT = 4.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """The four measures of one passage, each in [0, 1]."""

    key: Key
    passage_bm25: float
    page_bm25: float
    sentence: float
    window: float
    extra: float

    @property
    def mean(self) -> float:
        """e."""
        return (self.passage_bm25 + self.page_bm25 + self.sentence + self.window) / 4


def evidence(question: Question, candidate: Candidate) -> Evidence:
    """The measures of one candidate. Terms without a share (stop words, parts) count in BM25 alone."""
    terms = [
        _Term(term.share, candidate.places[at], candidate.in_heading[at] or candidate.in_path[at])
        for at, term in enumerate(question.terms)
        if term.share and (candidate.places[at] or candidate.in_heading[at] or candidate.in_path[at])
    ]
    total = question.share_total
    return Evidence(
        candidate.key,
        candidate.passage_bm25,
        candidate.page_bm25,
        _best_sentence(terms, candidate) / total if total else 0.0,
        _best_window(terms) / total if total else 0.0,
        candidate.extra_bm25,
    )


@dataclass(frozen=True, slots=True)
class _Term:
    share: float
    places: Sequence[int]
    above: bool


def _best_sentence(terms: Sequence[_Term], candidate: Candidate) -> float:
    """The best sum over one sentence. A term adds to its paragraph once, and to its sentences what it is worth there beyond."""
    sentences, paragraphs = candidate.sentences, candidate.paragraphs
    granted = sum(term.share * ELSEWHERE for term in terms if term.above)
    gains: dict[int, float] = {}
    near: dict[int, float] = {}
    paragraph_of: dict[int, int] = {}
    for term in terms:
        ground = ELSEWHERE if term.above else SAME_PARAGRAPH
        for sentence, in_link in _sentences_with(term.places, sentences).items():
            worth = ELSEWHERE if in_link else 1.0
            gains[sentence] = gains.get(sentence, 0.0) + term.share * (worth - ground)
            if sentence not in paragraph_of:
                paragraph_of[sentence] = bisect_right(paragraphs, sentences[sentence] >> 1) - 1
        if not term.above:
            for paragraph in {bisect_right(paragraphs, place >> 1) - 1 for place in term.places}:
                near[paragraph] = near.get(paragraph, 0.0) + term.share * SAME_PARAGRAPH
    best = granted
    for sentence, gain in gains.items():
        found = granted + gain + near.get(paragraph_of[sentence], 0.0)
        best = max(best, found * REFERRING if sentences[sentence] & 1 else found)
    return best


def _sentences_with(places: Sequence[int], sentences: Sequence[int]) -> dict[int, bool]:
    """The sentences that hold a term, and whether each has it in link text only."""
    found: dict[int, bool] = {}
    for place in places:
        sentence = bisect_right(sentences, place | 1) - 1
        found[sentence] = bool(place & 1) and found.get(sentence, True)
    return found


def _best_window(terms: Sequence[_Term]) -> float:
    granted = sum(term.share * WINDOW_HEADING for term in terms if term.above)
    gains = [term.share * (1 - WINDOW_HEADING if term.above else 1.0) for term in terms]
    places = sorted((place >> 1, at) for at, term in enumerate(terms) for place in term.places)
    inside = [0] * len(terms)
    best = gained = 0.0
    first = 0
    for position, at in places:
        gained += gains[at] if not inside[at] else 0.0
        inside[at] += 1
        while places[first][0] <= position - WINDOW_WORDS:
            gone = places[first][1]
            inside[gone] -= 1
            gained -= gains[gone] if not inside[gone] else 0.0
            first += 1
        best = max(best, gained)
    return granted + best


def standout(found: Sequence[Evidence]) -> float:
    """D: the best page's e less the mean e of the next pages. With no other page it is e itself."""
    pages: dict[int, float] = {}
    for one in found:
        pages[one.key.page] = max(one.mean, pages.get(one.key.page, 0.0))
    best, *others = sorted(pages.values(), reverse=True) or [0.0]
    others = others[:NEXT_PAGES]
    return best - sum(others) / len(others) if others else best


def score(mean: float, stands_out: float) -> float:
    """The base of a passage with evidence `mean`: in (0, 1), .5 where both sorts of questions are equally likely."""
    return 1 / (1 + math.exp(OFFSET - EVIDENCE * mean - STANDOUT * stands_out))
