"""The score of a passage and of a page for a question, from their records; and which passages are worth a closer look.

r and p of `retrieve.evidence`: the sum of weight x tf / (tf + k) over the question's terms, divided by the sum of the weights, k = 1.2 x
(.25 + .75 x length / mean length): BM25 (Robertson and Zaragoza 2009) without its constant factor, in [0, 1]. tf counts
the body and the own heading; a word of the path above counts a half.

Whatever proposes, the pool is the same: the PASSAGES best passages by r, and the PER_PAGE best by r of each of the PAGES best
pages by p; of these the POOL best by r + p. Ties go to the smaller key.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nescio.domain.candidates import Candidate, Key, Question, Scope, idf, is_changelog
from nescio.index.manifest import Manifest, PageRow
from nescio.index.packs import Packs
from nescio.index.records import ABSENT, PageRecord, PassageRecord, term_hash
from nescio.index.terms_search import KEY_BITS, Searcher
from nescio.index.vocabulary import Vocabulary

K1 = 1.2
LENGTH_SHARE = 0.75  # b
PATH_WEIGHT = 0.5
PASSAGES = 40
PAGES = 12
PER_PAGE = 3
POOL = 24
FIRST_ASK = 48  # proposals asked for at first; twice as many each time it turns out too few
LAST_ASK = 4096  # beyond, the bound is so flat that what is left cannot matter
CACHED_PAGES = 512


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a question's terms are on a page: (place in the question, local number, weight)."""

    record: PageRecord
    terms: tuple[tuple[int, int, float], ...]
    extra: tuple[tuple[int, float], ...]


class Corpus:
    """The pages of one generation, with the scores of `Question`s."""

    def __init__(self, manifest: Manifest, packs: Packs, vocabulary: Vocabulary) -> None:
        self.manifest = manifest
        self.vocabulary = vocabulary
        self._packs = packs
        self.rank_of = {page.slot: rank for rank, page in enumerate(manifest.pages)}
        self.passages = sum(page.passages for page in manifest.pages)
        with_text = [page for page in manifest.pages if page.passages]
        self.pages = len(with_text)
        self.mean_passage = sum(page.tokens for page in with_text) / max(1, self.passages)
        self.mean_page = sum(page.page_length for page in with_text) / max(1, self.pages)
        self.record: Callable[[int], PageRecord] = lru_cache(maxsize=CACHED_PAGES)(self._record)

    def _record(self, rank: int) -> PageRecord:
        page = self.manifest.pages[rank]
        return PageRecord(self._packs.read(page.pack, page.offset, page.length))

    def is_inside(self, page: PageRow, scope: Scope) -> bool:
        """Whether a page is at or below one of the scope's prefixes, and of a sort that it allows."""
        if not scope.changelogs and is_changelog(page.path):
            return False
        address = f"{page.source}/{page.path}"
        return not scope.under or any(address == under or address.startswith(under + "/") for under in scope.under)

    def precision(self, key: Key, terms: frozenset[str]) -> tuple[float, float]:
        """The idf share of the words of the page's title, and of the passage's own heading, that are among `terms`."""
        record = self.record(key.page)
        asked = {term_hash(term) for term in terms}
        return self._share(record, record.title, asked), self._share(record, record.passage(key.number).heading, asked)

    def _share(self, record: PageRecord, words: Sequence[int], asked: set[int]) -> float:
        inside = total = 0.0
        for local in words:
            hashed = record.hashes[local]
            worth = idf(self.passages, self.vocabulary.count(hashed))
            total += worth
            inside += worth if hashed in asked else 0.0
        return inside / total if total else 0.0


class Scorer:
    """The scores of one question."""

    def __init__(self, corpus: Corpus, question: Question, scope: Scope) -> None:
        self._corpus = corpus
        self._question = question
        self._scope = scope
        self._hashes = [(at, term_hash(term.term), term.weight) for at, term in enumerate(question.terms)]
        self._extra = [(term_hash(term.term), term.weight) for term in question.extra]
        self._pages: dict[int, _Found] = {}

    def passage(self, rank: int, number: int) -> float:
        """r of a passage."""
        found = self._page(rank)
        passage = found.record.passage(number)
        return self._passage_bm25(passage, [(local, weight) for _, local, weight in found.terms])

    def page(self, rank: int) -> float:
        """p of a page."""
        found = self._page(rank)
        return self._page_bm25(found.record, [(local, weight) for _, local, weight in found.terms])

    def best_on_page(self, rank: int) -> list[tuple[float, int]]:
        """The PER_PAGE best passages of a page by r, above 0: (r, number)."""
        numbers = range(len(self._page(rank).record))
        scored = ((self.passage(rank, number), number) for number in numbers)
        return heapq.nsmallest(PER_PAGE, (one for one in scored if one[0] > 0), key=lambda one: (-one[0], one[1]))

    def candidate(self, key: Key, passage_bm25: float, page_bm25: float) -> Candidate:
        """All that evidence is computed from."""
        found = self._page(key.page)
        passage = found.record.passage(key.number)
        heading, path = frozenset(passage.heading), frozenset(passage.path)
        count = len(self._question.terms)
        places: list[Sequence[int]] = [()] * count
        in_heading, in_path = [False] * count, [False] * count
        for at, local, _ in found.terms:
            places[at] = passage.places(local)
            in_heading[at], in_path[at] = local in heading, local in path
        extra = 0.0
        if found.extra:
            extra = self._passage_bm25(passage, found.extra) + self._page_bm25(found.record, found.extra)
        return Candidate(
            key,
            passage_bm25,
            page_bm25,
            extra,
            tuple(places),
            tuple(in_heading),
            tuple(in_path),
            passage.sentences,
            passage.paragraphs,
        )

    def _page(self, rank: int) -> _Found:
        found = self._pages.get(rank)
        if found is None:
            record = self._corpus.record(rank)
            terms = ((at, record.local(hashed), weight) for at, hashed, weight in self._hashes)
            extra = ((record.local(hashed), weight) for hashed, weight in self._extra)
            found = self._pages[rank] = _Found(
                record,
                tuple(one for one in terms if one[1] != ABSENT),
                tuple(one for one in extra if one[0] != ABSENT),
            )
        return found

    def _passage_bm25(self, passage: PassageRecord, terms: Iterable[tuple[int, float]]) -> float:
        k = K1 * (1 - LENGTH_SHARE + LENGTH_SHARE * passage.length / self._corpus.mean_passage)
        heading, path = tuple(passage.heading), tuple(passage.path)
        total = 0.0
        for local, weight in terms:
            tf = passage.count(local) + (local in heading) + PATH_WEIGHT * (local in path)
            total += weight * tf / (tf + k)
        return total / self._question.total

    def _page_bm25(self, record: PageRecord, terms: Iterable[tuple[int, float]]) -> float:
        k = K1 * (1 - LENGTH_SHARE + LENGTH_SHARE * record.length / self._corpus.mean_page)
        counts = record.page_tf
        total = 0.0
        for local, weight in terms:
            total += weight * counts[local] / (counts[local] + k)
        return total / self._question.total


def candidates(corpus: Corpus, question: Question, scope: Scope, passages: Searcher, pages: Searcher) -> list[Candidate]:
    """The pool for a question, best r + p first."""
    if not question.terms or not question.total:
        return []
    scorer = Scorer(corpus, question, scope)
    best = _best(passages, question, scope, PASSAGES, lambda key: _passage_score(corpus, scorer, key))
    scores = {key: score for score, key in best}
    for score, key in _best(pages, question, scope, PAGES, lambda key: _page_score(corpus, scorer, key)):
        if score > 0:
            scores.update((Key(key.page, number), r) for r, number in scorer.best_on_page(key.page))
    whole = {page: scorer.page(page) for page in {key.page for key in scores}}
    ranked = heapq.nsmallest(POOL, scores, key=lambda key: (-(scores[key] + whole[key.page]), key))
    return [scorer.candidate(key, scores[key], whole[key.page]) for key in ranked]


def _passage_score(corpus: Corpus, scorer: Scorer, packed: int) -> tuple[float, Key]:
    key = Key(corpus.rank_of[packed >> KEY_BITS], packed & ((1 << KEY_BITS) - 1))
    return scorer.passage(key.page, key.number), key


def _page_score(corpus: Corpus, scorer: Scorer, packed: int) -> tuple[float, Key]:
    key = Key(corpus.rank_of[packed >> KEY_BITS], 0)
    return scorer.page(key.page), key


def _best(
    searcher: Searcher,
    question: Question,
    scope: Scope,
    count: int,
    score: Callable[[int], tuple[float, Key]],
) -> list[tuple[float, Key]]:
    """The `count` best by our own score, exactly: no bound that was not proposed reaches the last of them."""
    limit = FIRST_ASK
    known: dict[int, tuple[float, Key]] = {}
    while True:
        proposals = searcher.propose(question.terms, scope, limit)
        for packed in proposals.keys:
            if packed not in known:
                known[packed] = score(packed)
        best = heapq.nsmallest(count, known.values(), key=lambda one: (-one[0], one[1]))
        if proposals.bound is None or limit >= LAST_ASK:
            return best
        if len(best) == count and proposals.bound < best[-1][0] * question.total:
            return best
        limit *= 2
