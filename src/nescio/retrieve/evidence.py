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
OFFSET = 5.85
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
        (term.share, candidate.places[at], candidate.in_heading[at] or candidate.in_path[at])
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


# A content term in one passage: its share, its places in the body, whether it stands in the heading or path above.
_Term = tuple[float, Sequence[int], bool]


def _best_sentence(terms: Sequence[_Term], candidate: Candidate) -> float:
    """The best sum over one sentence. A term adds to its paragraph once, and to its sentences what it is worth there beyond."""
    sentences, paragraphs = candidate.sentences, candidate.paragraphs
    granted = 0.0
    gains: dict[int, float] = {}
    near: dict[int, float] = {}
    paragraph_of: dict[int, int] = {}
    for share, places, is_above in terms:
        granted += share * ELSEWHERE if is_above else 0.0
        ground = ELSEWHERE if is_above else SAME_PARAGRAPH
        met = set()
        for sentence, in_link in _sentences_with(places, sentences).items():
            gains[sentence] = gains.get(sentence, 0.0) + share * ((ELSEWHERE if in_link else 1.0) - ground)
            paragraph = paragraph_of.get(sentence, -1)
            if paragraph < 0:
                paragraph = paragraph_of[sentence] = bisect_right(paragraphs, sentences[sentence] >> 1) - 1
            met.add(paragraph)
        if not is_above:
            for paragraph in met:
                near[paragraph] = near.get(paragraph, 0.0) + share * SAME_PARAGRAPH
    best = 0.0
    for sentence, gain in gains.items():
        found = gain + near.get(paragraph_of[sentence], 0.0)
        best = max(best, (granted + found) * REFERRING - granted if sentences[sentence] & 1 else found)
    return granted + best


def _sentences_with(places: Sequence[int], sentences: Sequence[int]) -> dict[int, bool]:
    """The sentences that hold a term, and whether each has it in link text only."""
    found: dict[int, bool] = {}
    for place in places:
        sentence = bisect_right(sentences, place | 1) - 1
        found[sentence] = bool(place & 1) and found.get(sentence, True)
    return found


def _best_window(terms: Sequence[_Term]) -> float:
    """The best sum over WINDOW_WORDS positions, from one end of the passage to the other."""
    granted = sum(share * WINDOW_HEADING for share, _, is_above in terms if is_above)
    gains = [share * (1 - WINDOW_HEADING) if is_above else share for share, _, is_above in terms]
    if len(terms) == 1:
        return granted + (gains[0] if terms[0][1] else 0.0)
    found = sorted([(place >> 1, at) for at, term in enumerate(terms) for place in term[1]])
    inside = [0] * len(terms)
    best = gained = 0.0
    first = 0
    for position, at in found:
        if not inside[at]:
            gained += gains[at]
        inside[at] += 1
        while found[first][0] <= position - WINDOW_WORDS:
            gone = found[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                gained -= gains[gone]
            first += 1
        if gained > best:
            best = gained
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
