"""In which order are passages shown that are evidence enough? The page first, then the section of it.

Which page is right, and which of its sections is to be shown, are told by different things: the words of the title and of all
of the page by the one, the words of the section itself by the other, and how much it says: the longer of two sections that
fit is the one that explains. So a page is placed by its best passage, and its passages are ordered among themselves.

The weights are those of a listwise regression over ten sets of questions in people's own words, with marked lines, and four of
right pages, each left out in turn; of several that did equally well those were taken with which no set of pages lost anything
(benchmarks/README.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.candidates import Candidate, Question
from nescio.retrieve.evidence import ASKED_PRECISION, ASKED_RECALL, COUNTS, Evidence

# Of a page's best passage, beside `Evidence.rank`. Precisions are idf shares of the words of a title or heading that are asked
# for, the recall is the share of the question that stands above a passage.
TITLE_PRECISION = 0.07
HEADING_PRECISION = 0.03
LARGER_PRECISION = 0.05
RECALL = 0.02
SYNONYMS = 0.25  # of what they would add to r and p
BESIDE = 0.04  # for pages of news, history, plans and research
MEANING = 0.05  # for a heading that is what the meaning is asked of
NUMBER = 0.08  # for a section with a number, where only a number answers
ASKED = 0.1  # for a heading that is the question: of its page, since what stands below it may be the instruction

# Among the sections of one page.
SECTION_PASSAGE = 0.28
SECTION_SENTENCE = 0.085
SECTION_WINDOW = 0.065
SECTION_SYNONYMS = 0.12
SECTION_HEADING_PRECISION = 0.035
SECTION_RECALL = 0.04
SECTION_LENGTH = 0.017  # for each e-fold of a passage's number of terms
SECTION_MEANING = 0.09


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands above a passage of the question: shares in [0, 1].

    `recall` is the share of the question's content in the headings, title and path above, `meaning` how far the heading is
    what the question asks the meaning of, `is_asked` whether it is the question, `counts` whether the passage has a number
    where one is asked for.
    """

    recall: float
    meaning: float
    is_asked: bool
    counts: bool


def standing(question: Question, candidate: Candidate) -> Standing:
    """The standing of one candidate."""
    total = question.share_total or 1.0
    places = list(zip(question.terms, candidate.in_heading, candidate.in_path, strict=True))
    in_heading = sum(term.share for term, heading, _ in places if heading) / total
    above = sum(term.share for term, heading, path in places if heading or path) / total
    both = in_heading + candidate.heading_precision
    meaning = 2 * in_heading * candidate.heading_precision / both if question.asks_meaning and both else 0.0
    counts = question.asks_number and any(sentence & COUNTS for sentence in candidate.sentences)
    is_asked = in_heading >= ASKED_RECALL and candidate.heading_precision >= ASKED_PRECISION
    return Standing(above, meaning, is_asked and counts == question.asks_number, counts)


def preferences(question: Question, found: Sequence[tuple[Evidence, Candidate]]) -> list[float]:
    """What is added to each passage's `Evidence.rank`, so that the sums order: a page by its best passage, the passages of a
    page among themselves.
    """
    pages: dict[int, float] = {}
    sections: dict[int, float] = {}
    inside: list[float] = []
    for evidence, candidate in found:
        page, above = evidence.key.page, standing(question, candidate)
        own = _in_page(evidence, candidate, above)
        inside.append(own)
        pages[page] = max(pages.get(page, -math.inf), evidence.rank + _of_page(candidate, above))
        sections[page] = max(sections.get(page, -math.inf), own)
    lifts = {page: best - sections[page] for page, best in pages.items()}
    return [lifts[evidence.key.page] + own - evidence.rank for (evidence, _), own in zip(found, inside, strict=True)]


def _of_page(candidate: Candidate, standing: Standing) -> float:
    return (
        TITLE_PRECISION * candidate.title_precision
        + HEADING_PRECISION * candidate.heading_precision
        + LARGER_PRECISION * max(candidate.title_precision, candidate.heading_precision)
        + RECALL * standing.recall
        + SYNONYMS * candidate.extra_bm25
        + MEANING * standing.meaning
        + ASKED * standing.is_asked
        - BESIDE * candidate.is_beside
    )


def _in_page(evidence: Evidence, candidate: Candidate, standing: Standing) -> float:
    return (
        SECTION_PASSAGE * evidence.passage_bm25
        + SECTION_SENTENCE * evidence.sentence
        + SECTION_WINDOW * evidence.window
        + SECTION_SYNONYMS * candidate.extra_bm25
        + SECTION_HEADING_PRECISION * candidate.heading_precision
        + SECTION_RECALL * standing.recall
        + SECTION_LENGTH * math.log1p(candidate.length)
        + SECTION_MEANING * standing.meaning
        + NUMBER * standing.counts
    )
