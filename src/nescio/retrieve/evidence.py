"""How much of a question does one passage cover? One score of four measures, all of the same passage.

- r: BM25 of the passage, p: BM25 of its page, both scaled to [0, 1] (`Candidate.passage_bm25`, `page_bm25`).
- s: the best sentence's share of the question's content. A word in the sentence counts 1; one only in link text, in the
  heading or path, in the same paragraph or in another form .6. A sentence that merely points elsewhere counts .8 of that,
  and so does one without a number where only a number answers.
- w: the best window's share: 12 words, with the gap between paragraphs; a word of heading or path counts .7 wherever it is.

What decides is e = (p + s + w) / 3, and what orders begins with r, p, s and w: once p, s and w are known, r says which passage
is the better one and nothing about whether any is an answer. Measured with a whole question set left out each time:
benchmarks/README.md.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.candidates import Candidate, Key, Question

ELSEWHERE = 0.6  # worth of a word near the sentence: in link text, in the heading or path, or in the same paragraph
REFERRING = 0.8  # of a sentence that merely points elsewhere
NO_NUMBER = 0.8  # of a sentence without a number, where one is asked for
WINDOW_WORDS = 12
WINDOW_HEADING = 0.7
# A heading is the question where it has this share of the question's content, and the question this idf share of its words
# (stop words are among those, and not all are looked for).
ASKED_RECALL = 0.9
ASKED_PRECISION = 0.5
NEXT_PAGES = 3  # pages that the best one is compared with
# What a next page counts for at least, though it has no word of the question: in a corpus of thousands the next pages are
# seldom further off, and a lead over nothing is worth no more in a corpus of a few pages (benchmarks/small.py).
LEAST_NEXT = 0.4
# What each measure is worth in the order of passages, summing to 1 (see `retrieve.ordering`).
OF_PASSAGE, OF_PAGE, OF_SENTENCE, OF_WINDOW = 0.28, 0.31, 0.2, 0.21
COUNTS = 2  # of `Sentence.packed`: that it holds a number
END = 1 << 30  # beyond every place

# score = 1 / (1 + exp(OFFSET - EVIDENCE E - STANDOUT D)): a logistic regression on all sets, the sets and both sorts weighing
# equally, held flat by a penalty so that it is a probability on sets that it has not seen too: benchmarks/fitting.py.
OFFSET = 4.85
EVIDENCE = 6.5
STANDOUT = 3.5


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
        """e: what decides."""
        return (self.page_bm25 + self.sentence + self.window) / 3

    @property
    def rank(self) -> float:
        """What orders, before any preference."""
        return OF_PASSAGE * self.passage_bm25 + OF_PAGE * self.page_bm25 + OF_SENTENCE * self.sentence + OF_WINDOW * self.window


def evidence(question: Question, candidate: Candidate) -> Evidence:
    """The measures of one candidate. Terms without a share (stop words, parts) count in BM25 alone.

    Where the heading is the question, what stands under it answers, in whatever words: its words count as those of a sentence.
    """
    terms = [
        (term.share, candidate.places[at], candidate.in_heading[at] or candidate.in_path[at])
        for at, term in enumerate(question.terms)
        if term.share and (candidate.places[at] or candidate.in_heading[at] or candidate.in_path[at])
    ]
    total = question.share_total
    asked = _asked_by_heading(question, candidate) if total and candidate.heading_precision >= ASKED_PRECISION else 0.0
    return Evidence(
        candidate.key,
        candidate.passage_bm25,
        candidate.page_bm25,
        max(asked, _best_sentence(terms, candidate, asks_number=question.asks_number) / total) if total else 0.0,
        max(asked, _best_window(terms) / total) if total else 0.0,
        candidate.extra_bm25,
    )


def _asked_by_heading(question: Question, candidate: Candidate) -> float:
    """The share of the question's content that its heading has, where it has nearly all of it; 0 where a number is asked for
    and there is none.
    """
    if question.asks_number and not any(packed & COUNTS for packed in candidate.sentences):
        return 0.0
    found = sum(term.share for term, there in zip(question.terms, candidate.in_heading, strict=True) if there)
    return found / question.share_total if found >= ASKED_RECALL * question.share_total else 0.0


# A content term in one passage: its share, its places in the body, whether it stands in the heading or path above.
_Term = tuple[float, Sequence[int], bool]


def _best_sentence(terms: Sequence[_Term], candidate: Candidate, *, asks_number: bool) -> float:
    """The best sum over one sentence. A term adds to its paragraph once, and to its sentences what it is worth there beyond."""
    sentences, paragraphs = candidate.sentences, candidate.paragraphs
    granted = sum(share * ELSEWHERE for share, _, is_above in terms if is_above)
    gains: dict[int, float] = {}
    near: dict[int, float] = {}
    paragraph_of: dict[int, int] = {}
    for share, places, is_above in terms:
        met = -1
        for sentence, is_weak in _sentences_with(places, sentences):
            gains[sentence] = gains.get(sentence, 0.0) + (0.0 if is_weak else share * (1 - ELSEWHERE))
            paragraph = paragraph_of.get(sentence, -1)
            if paragraph < 0:
                paragraph = paragraph_of[sentence] = bisect_right(paragraphs, sentences[sentence] >> 2) - 1
            if paragraph != met and not is_above:
                near[paragraph] = near.get(paragraph, 0.0) + share * ELSEWHERE
            met = paragraph
    best = granted * NO_NUMBER if asks_number else granted
    for sentence, gain in gains.items():
        found = granted + gain + near.get(paragraph_of[sentence], 0.0)
        best = max(best, found * _worth_of(sentences[sentence], asks_number=asks_number))
    return best


def _worth_of(packed: int, *, asks_number: bool) -> float:
    """How much of what a sentence holds counts (`Sentence.packed`)."""
    referring = REFERRING if packed & 1 else 1.0
    return referring * NO_NUMBER if asks_number and not packed & COUNTS else referring


def _sentences_with(places: Sequence[int], sentences: Sequence[int]) -> list[tuple[int, int]]:
    """The sentences that hold a term, in order, and 1 where it stands there only in link text or in another form, else 0."""
    found: list[tuple[int, int]] = []
    end = sentence = -1  # of the sentence that the place before is in: where it ends, and which it is
    for place in places:
        if place < end:
            found[-1] = sentence, found[-1][1] & place
            continue
        sentence = bisect_right(sentences, place * 2 + 1 | 3) - 1
        end = sentences[sentence + 1] >> 1 & ~1 if sentence + 1 < len(sentences) else END
        found.append((sentence, place & 1))
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


def standout(found: Sequence[Evidence], pages: int) -> float:
    """D: the best page's e less the mean e of the NEXT_PAGES next pages, each of them LEAST_NEXT at least.

    `pages` is how many pages there are in all: of a corpus of one page it is e itself.
    """
    best_of: dict[int, float] = {}
    for one in found:
        best_of[one.key.page] = max(one.mean, best_of.get(one.key.page, 0.0))
    if not best_of:
        return 0.0
    best, *others = sorted(best_of.values(), reverse=True)
    count = min(NEXT_PAGES, max(pages, len(best_of)) - 1)
    if not count:
        return best
    nexts = [max(LEAST_NEXT, e) for e in others[:count]]
    return best - (sum(nexts) + LEAST_NEXT * (count - len(nexts))) / count


def score(mean: float, stands_out: float) -> float:
    """The base of a passage with evidence `mean`: in (0, 1), .5 where both sorts of questions are equally likely."""
    return 1 / (1 + math.exp(OFFSET - EVIDENCE * mean - STANDOUT * stands_out))
