"""Indexes made of words directly, without documents: hundreds of pages in a moment, and scores by the definitions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from nescio.domain.candidates import Candidate, Key, Question, Scope, WeightedTerm, idf
from nescio.domain.documents import Basis, Document, Passage, Signature
from nescio.domain.spans import Span
from nescio.domain.terms import PassageTerms, Sentence
from nescio.index import corpus as corpus_module
from nescio.index import facts
from nescio.index.manifest import SourceRow
from nescio.index.memory import MemorySearcher
from nescio.index.reading import StoredIndex, open_stored
from nescio.index.records import PageRecord, encode, texts
from nescio.index.store import Store
from nescio.index.writing import GenerationWriter, Header, NewPage

HEADER = Header("test-analyzer", "configuration", (SourceRow("docs", "docs", None, None, None, "github", "en"),))
Pages = Mapping[str, Sequence[PassageTerms]]


def made_page(chance: random.Random, words: Sequence[str], weights: Sequence[float]) -> list[PassageTerms]:
    """The passages of one page, words drawn by `weights` (cumulative)."""
    title = tuple(dict.fromkeys(chance.choices(words, cum_weights=weights, k=2)))
    return [_made_passage(chance, words, weights, title) for _ in range(chance.randint(0, 6))]


def _made_passage(
    chance: random.Random, words: Sequence[str], weights: Sequence[float], title: tuple[str, ...]
) -> PassageTerms:
    places: dict[str, list[int]] = {}
    count = chance.randint(0, 60)
    for position, word in enumerate(chance.choices(words, cum_weights=weights, k=count)):
        places.setdefault(word, []).append(2 * position + (chance.random() < 0.1))
    starts = sorted(chance.sample(range(count), min(count, 3)))
    heading = tuple(dict.fromkeys(chance.choices(words, cum_weights=weights, k=chance.randint(0, 3))))
    sentences = tuple(Sentence(at, chance.random() < 0.2, chance.random() < 0.5) for at in starts)
    return PassageTerms(places, sentences, tuple(starts[:1]), heading, title, title)


def new_page(path: str, passages: Sequence[PassageTerms], text: str = "") -> NewPage:
    """The page as a build hands it over."""
    document = Document.from_bytes("docs", path, f"{path}\n{text}\n".encode())
    quoted = [
        Passage("docs", path, path, document.sha256, Span(0, at), (Span(0, at),), (), path, (), "", Basis.VERBATIM)
        for at in range(len(passages))
    ]
    encoded = encode(passages, [passage.id for passage in quoted], (), facts.encoded(quoted, [1] * len(quoted)))
    said = texts(PageRecord(memoryview(encoded.record)), encoded.terms)
    return NewPage("docs", path, encoded, said, (document,), Signature(1, 2, 3, 4), True, {}, ())


def commit(folder: Path, pages: Pages, gone: frozenset[str] = frozenset()) -> None:
    """Write a generation that has what was there but for `gone` and what `pages` replace, and `pages`."""
    store = Store(folder)
    store.prepare()
    previous = open_stored(folder) if store.current() else None
    with GenerationWriter(store, HEADER, previous) as writer:
        for row in previous.manifest.pages if previous else ():
            if row.path not in pages and row.path not in gone:
                writer.keep(row)
        for path, passages in pages.items():
            writer.add(new_page(path, passages))
        writer.commit()
    if previous is not None:
        previous.close()


@contextmanager
def opened(folder: Path) -> Iterator[StoredIndex]:
    stored = open_stored(folder)
    try:
        yield stored
    finally:
        stored.close()


def by_memory(stored: StoredIndex, question: Question, scope: Scope) -> list[Candidate]:
    """What the index would give if every page were looked at."""
    corpus = stored.corpus
    searchers = MemorySearcher(corpus, pages=False), MemorySearcher(corpus, pages=True)
    return corpus_module.candidates(corpus, question, scope, *searchers)


def plain(candidate: Candidate) -> Candidate:
    """With lists for views, so that two can be compared."""
    return replace(
        candidate,
        places=tuple(tuple(places) for places in candidate.places),
        sentences=tuple(candidate.sentences),
        paragraphs=tuple(candidate.paragraphs),
    )


def asked(stored: StoredIndex, words: Sequence[str], extra: Sequence[str] = (), missing: float = 0.0) -> Question:
    """A question of these words, each worth its idf, unknown ones left out; `missing` is what those would be worth."""
    terms = tuple(_weighted(stored, word) for word in dict.fromkeys(words) if stored.count(word))
    helping = tuple(_weighted(stored, word) for word in dict.fromkeys(extra) if stored.count(word) and word not in words)
    total = sum(term.weight for term in terms) + missing
    return Question(terms, total, total, tuple(WeightedTerm(term.term, term.weight / 3, 0.0) for term in helping))


def _weighted(stored: StoredIndex, word: str) -> WeightedTerm:
    worth = idf(stored.passages, stored.count(word))
    return WeightedTerm(word, worth, worth)


@dataclass(frozen=True)
class Naive:
    """The scores of the definitions, from the words themselves."""

    pages: Pages

    def scores(self, question: Question) -> dict[Key, tuple[float, float, float]]:
        """(r, p, extra) of every passage that shares a word with the question, or is on a page that does."""
        paths = sorted(self.pages)
        passages = [one for path in paths for one in self.pages[path]]
        lengths = [sum(map(len, one.places.values())) + len(one.heading) + len(one.path) for one in passages]
        mean_passage = sum(lengths) / len(passages)
        counts = {path: self._page_counts(path) for path in paths if self.pages[path]}
        mean_page = sum(count.total() for count in counts.values()) / len(counts)
        found = {}
        for rank, path in enumerate(paths):
            for number, one in enumerate(self.pages[path]):
                length = sum(map(len, one.places.values())) + len(one.heading) + len(one.path)
                k, page_k = 1.2 * (0.25 + 0.75 * length / mean_passage), 1.2 * (0.25 + 0.75 * counts[path].total() / mean_page)
                r, extra_r = (_bm25(self._passage_counts(one), terms, k) for terms in (question.terms, question.extra))
                p, extra_p = (_bm25(counts[path], terms, page_k) for terms in (question.terms, question.extra))
                if r or p:
                    total = question.total
                    found[Key(rank, number)] = r / total, p / total, (extra_r + extra_p) / total
        return found

    def _passage_counts(self, one: PassageTerms) -> dict[str, float]:
        counts: dict[str, float] = {term: float(len(places)) for term, places in one.places.items()}
        for words, worth in ((one.heading, 1.0), (one.path, 0.5)):
            for word in words:
                counts[word] = counts.get(word, 0.0) + worth
        return counts

    def _page_counts(self, path: str) -> Counter[str]:
        counts: Counter[str] = Counter()
        for one in self.pages[path]:
            counts.update({term: len(places) for term, places in one.places.items()})
            counts.update(one.heading)
        return counts

    def pool(self, question: Question) -> list[float]:
        """r + p of the pool, best first: the best passages by r, the best few of the best pages by p, of these the best."""
        scores = self.scores(question)
        by_r = sorted((key for key in scores if scores[key][0] > 0), key=lambda key: (-scores[key][0], key))
        pages = {key.page: scores[key][1] for key in scores if scores[key][1] > 0}
        best_pages = sorted(pages, key=lambda page: (-pages[page], page))[: corpus_module.PAGES]
        chosen = set(by_r[: corpus_module.PASSAGES])
        for page in best_pages:
            chosen.update([key for key in by_r if key.page == page][: corpus_module.PER_PAGE])
        return sorted((scores[key][0] + scores[key][1] for key in chosen), reverse=True)[: corpus_module.POOL]


def _bm25(counts: Mapping[str, float], terms: Sequence[WeightedTerm], k: float) -> float:
    return sum(term.weight * counts.get(term.term, 0.0) / (counts.get(term.term, 0.0) + k) for term in terms)
