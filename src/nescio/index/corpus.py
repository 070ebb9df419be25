"""The score of a passage and of a page for a question, from their records; and which passages are worth a closer look.

r and p of `retrieve.evidence`: the sum of weight x tf / (tf + k) over the question's terms, divided by the sum of the weights,
k = 1.2 x (.25 + .75 x length / mean length): BM25 (Robertson and Zaragoza 2009) without its constant factor, in [0, 1]. tf
counts the body and the own heading; a word of the path above counts a half.

Whatever proposes, the pool is the same: the PASSAGES best passages by r, and the PER_PAGE best by r of each of the PAGES best
pages by p; of these the POOL best by r + p. Ties go to the smaller key.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from nescio.domain.candidates import Candidate, Key, Question, Scope, idf, is_beside, is_changelog
from nescio.index.manifest import Manifest, PageRow
from nescio.index.packs import Packs
from nescio.index.records import ABSENT, PageRecord, PassageRecord, term_hash
from nescio.index.terms_search import KEY_BITS, Searcher
from nescio.index.vocabulary import Vocabulary

K1 = 1.2
LENGTH_SHARE = 0.75  # b
PASSAGES = 28
PAGES = 8
PER_PAGE = 3
POOL = 18
SPARE = 6  # proposals asked for beyond those wanted; twice as many in all each time that turns out too few
LAST_ASK = 32_768  # beyond, the bound is so flat that what is left cannot matter
CACHED_PAGES = 1024
CACHED_HEADINGS = 8192

Worths = tuple[tuple[int, float], ...]  # words by their hashes, each with its idf


@dataclass(frozen=True, slots=True)
class _Found:
    """A page for a question: where its terms are (place in the question, local number), r of its passages, and p."""

    record: PageRecord
    terms: Sequence[tuple[int, int]]
    passages: Mapping[int, float]
    page: float


class Corpus:
    """The pages of one generation, or those of a view of it, with the scores of `Question`s.

    `manifest.pages` are those in view and `vocabulary` counts theirs alone. `whole` is what the search index is over.
    """

    def __init__(self, manifest: Manifest, packs: Packs, vocabulary: Vocabulary, whole: Corpus | None = None) -> None:
        self.manifest = manifest
        self.vocabulary = vocabulary
        self._packs = packs
        self.rank_of = {page.slot: rank for rank, page in enumerate(manifest.pages)}
        self.passages = sum(page.passages for page in manifest.pages)
        with_text = [page for page in manifest.pages if page.passages]
        self.pages = len(with_text)
        self.mean_passage = sum(page.tokens for page in with_text) / max(1, self.passages)
        self.mean_page = sum(page.page_length for page in with_text) / max(1, self.pages)
        # Where passages are longer than in the whole, on average, length costs less in our scores than in the search index.
        self.slack = 1.0 if whole is None else max(1.0, _ratio(self, whole))
        # Neither cache points back here: what lets go of the corpus lets go of the mapped files with it.
        record: Callable[[int], PageRecord] = lru_cache(maxsize=CACHED_PAGES)(partial(_record, packs, manifest.pages))
        self.record = record
        worths: Callable[[Key], tuple[Worths, Worths]] = partial(_worths, record, vocabulary, self.passages)
        self.worths = lru_cache(maxsize=CACHED_HEADINGS)(worths)
        beside: Callable[[int], bool] = partial(_is_beside, manifest.pages)
        self.is_beside = lru_cache(maxsize=CACHED_HEADINGS)(beside)

    def record_bytes(self, page: PageRow) -> memoryview:
        """The record of a page as stored."""
        return _record_bytes(self._packs, page)

    def is_inside(self, page: PageRow, scope: Scope) -> bool:
        """Whether a page is at or below one of the scope's prefixes, and of a sort that it allows."""
        if not scope.changelogs and is_changelog(page.path):
            return False
        address = f"{page.source}/{page.path}"
        return not scope.under or any(address == under or address.startswith(under + "/") for under in scope.under)


def _record_bytes(packs: Packs, page: PageRow) -> memoryview:
    return packs.read(page.pack, page.offset, page.length)


def _record(packs: Packs, pages: Sequence[PageRow], rank: int) -> PageRecord:
    return PageRecord(_record_bytes(packs, pages[rank]))


def _is_beside(pages: Sequence[PageRow], rank: int) -> bool:
    return is_beside(pages[rank].path)


def _worths(record_of: Callable[[int], PageRecord], vocabulary: Vocabulary, passages: int, key: Key) -> tuple[Worths, Worths]:
    def worth(words: Sequence[int]) -> Worths:
        hashes = (record.hashes[local] for local in words)
        return tuple((hashed, idf(passages, vocabulary.count(hashed))) for hashed in hashes)

    record = record_of(key.page)
    return worth(record.title), worth(record.passage(key.number).heading)


def _ratio(part: Corpus, whole: Corpus) -> float:
    pairs = ((part.mean_passage, whole.mean_passage), (part.mean_page, whole.mean_page))
    return max(mean / overall if overall else 1.0 for mean, overall in pairs)


def _share(words: Worths, asked: set[int]) -> float:
    total = sum(worth for _, worth in words)
    return sum(worth for hashed, worth in words if hashed in asked) / total if total else 0.0


class Scorer:
    """The scores of one question."""

    def __init__(self, corpus: Corpus, question: Question) -> None:
        self._corpus = corpus
        self._question = question
        self._terms = [(at, term_hash(term.term), term.weight) for at, term in enumerate(question.terms)]
        self._forms = [
            (at, [tuple(map(term_hash, form)) for form in term.forms]) for at, term in enumerate(question.terms) if term.forms
        ]
        self._extra = [(at, term_hash(term.term), term.weight) for at, term in enumerate(question.extra)]
        self._asked = {hashed for _, hashed, _ in self._terms}
        self._pages: dict[int, _Found] = {}

    def passage(self, key: Key) -> float:
        """r of a passage."""
        return self._page(key.page).passages.get(key.number, 0.0)

    def page(self, rank: int) -> float:
        """p of a page."""
        return self._page(rank).page

    def best_on_page(self, rank: int) -> list[Key]:
        """The PER_PAGE best passages of a page by r, above 0."""
        scores = self._page(rank).passages
        best = heapq.nsmallest(PER_PAGE, scores, key=lambda number: (-scores[number], number))
        return [Key(rank, number) for number in best if scores[number] > 0]

    def candidate(self, key: Key) -> Candidate:
        """All that evidence is computed from."""
        found = self._page(key.page)
        passage = found.record.passage(key.number)
        heading, path = tuple(passage.heading), tuple(passage.path)
        title_worths, heading_worths = self._corpus.worths(key)
        count = len(self._question.terms)
        places: list[Sequence[int]] = [()] * count
        in_heading, in_path = [False] * count, [False] * count
        for term, local in found.terms:
            places[term] = passage.places(local)
            in_heading[term], in_path[term] = local in heading, local in path
        for term, forms in self._forms:
            if not places[term]:
                places[term] = _otherwise(found.record, passage, forms)
        return Candidate(
            key,
            found.passages.get(key.number, 0.0),
            found.page,
            self._extra_bm25(found.record, key.number) if self._extra else 0.0,
            tuple(places),
            tuple(in_heading),
            tuple(in_path),
            passage.sentences,
            passage.paragraphs,
            found.record.lengths[key.number],
            self._corpus.is_beside(key.page),
            _share(title_worths, self._asked),
            _share(heading_worths, self._asked),
        )

    def _page(self, rank: int) -> _Found:
        found = self._pages.get(rank)
        if found is None:
            record = self._corpus.record(rank)
            terms = _located(record, self._terms)
            found = self._pages[rank] = _Found(
                record,
                [(at, local) for at, local, _ in terms],
                self._passages_bm25(record, terms),
                self._page_bm25(record, terms),
            )
        return found

    def _passages_bm25(self, record: PageRecord, terms: Sequence[tuple[int, int, float]]) -> dict[int, float]:
        """r of each passage of a page that has a term, term by term: only what the page has of the question is touched."""
        fixed = 2 * K1 * (1 - LENGTH_SHARE)
        by_length = 2 * K1 * LENGTH_SHARE / self._corpus.mean_passage
        total = self._question.total
        scores: dict[int, float] = {}
        lengths, starts, numbers, frequencies = record.lengths, record.starts, record.numbers, record.frequencies
        for _, local, weight in terms:
            worth = weight / total
            for at in range(starts[local], starts[local + 1]):
                number, tf = numbers[at], frequencies[at]
                scores[number] = scores.get(number, 0.0) + worth * tf / (tf + fixed + by_length * lengths[number])
        return scores

    def _page_bm25(self, record: PageRecord, terms: Sequence[tuple[int, int, float]]) -> float:
        k = K1 * (1 - LENGTH_SHARE + LENGTH_SHARE * record.length / self._corpus.mean_page)
        counts = record.page_tf
        total = 0.0
        for _, local, weight in terms:
            total += weight * counts[local] / (counts[local] + k)
        return total / self._question.total

    def _extra_bm25(self, record: PageRecord, number: int) -> float:
        terms = _located(record, self._extra)
        return self._passages_bm25(record, terms).get(number, 0.0) + self._page_bm25(record, terms) if terms else 0.0


def _located(record: PageRecord, terms: Iterable[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """(place, hash, weight) to (place, local number, weight), of those that the page has."""
    hashes = record.hashes
    found = []
    for place, hashed, weight in terms:
        at = bisect_left(hashes, hashed)
        if at < len(hashes) and hashes[at] == hashed:
            found.append((place, at, weight))
    return found


def _otherwise(record: PageRecord, passage: PassageRecord, forms: Iterable[Sequence[int]]) -> list[int]:
    """Where a passage has any of the forms (terms as hashes): the place of each first term, marked as link text is."""
    starts: set[int] = set()
    for form in forms:
        numbers = [record.local(hashed) for hashed in form]
        if ABSENT not in numbers:
            starts |= _side_by_side([passage.places(number) for number in numbers])
    return [position * 2 + 1 for position in sorted(starts)]


def _side_by_side(places: Sequence[Sequence[int]]) -> set[int]:
    """The positions from which on the terms stand next to each other, in order."""
    if not all(map(len, places)):
        return set()
    return set.intersection(*({(place >> 1) - step for place in found} for step, found in enumerate(places)))


@dataclass(frozen=True, slots=True)
class _Proposing:
    """What is to be proposed, and how far our scores may be above the bounds of what proposes."""

    question: Question
    scope: Scope
    slack: float


def candidates(corpus: Corpus, question: Question, scope: Scope, passages: Searcher, pages: Searcher) -> list[Candidate]:
    """The pool for a question, best r + p first."""
    if not question.terms or not question.total:
        return []
    scorer = Scorer(corpus, question)
    proposing = _Proposing(question, scope, corpus.slack)
    keys = set(_best(passages, proposing, PASSAGES, lambda packed: _scored_passage(corpus, scorer, packed)))
    for page in _best(pages, proposing, PAGES, lambda packed: _scored_page(corpus, scorer, packed)):
        keys.update(scorer.best_on_page(page.page))
    ranked = heapq.nsmallest(POOL, keys, key=lambda key: (-(scorer.passage(key) + scorer.page(key.page)), key))
    return [scorer.candidate(key) for key in ranked]


def _scored_passage(corpus: Corpus, scorer: Scorer, packed: int) -> tuple[float, Key]:
    key = Key(corpus.rank_of[packed >> KEY_BITS], packed & ((1 << KEY_BITS) - 1))
    return scorer.passage(key), key


def _scored_page(corpus: Corpus, scorer: Scorer, packed: int) -> tuple[float, Key]:
    key = Key(corpus.rank_of[packed >> KEY_BITS], 0)
    return scorer.page(key.page), key


def _best(searcher: Searcher, wanted: _Proposing, count: int, score: Callable[[int], tuple[float, Key]]) -> list[Key]:
    """The `count` best by our own score, exactly: no bound of what was not proposed reaches the last of them."""
    total = wanted.question.total
    limit = count + SPARE
    known: dict[int, tuple[float, Key]] = {}
    while True:
        proposals = searcher.propose(wanted.question.terms, wanted.scope, limit)
        for packed in proposals.keys:
            if packed not in known:
                known[packed] = score(packed)
        best = heapq.nsmallest(count, known.values(), key=lambda one: (-one[0], one[1]))
        bound = 0.0 if proposals.bound is None or limit >= LAST_ASK else proposals.bound * wanted.slack
        if not bound or (len(best) == count and bound < best[-1][0] * total):
            return [key for value, key in best if value > 0]
        limit *= 2
