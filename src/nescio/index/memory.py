"""The reference: every page looked at. It must agree with the search index hit for hit, and serves where that won't open."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.candidates import Scope, WeightedTerm
from nescio.index.corpus import Corpus
from nescio.index.records import ABSENT, PageRecord, term_hash
from nescio.index.terms_search import KEY_BITS, Proposals


class MemorySearcher:
    """Proposes everything that holds a term of the question: passages, or whole pages."""

    def __init__(self, corpus: Corpus, *, pages: bool) -> None:
        self._corpus = corpus
        self._pages = pages

    def propose(self, terms: Sequence[WeightedTerm], scope: Scope, limit: int) -> Proposals:
        """See `Searcher`; complete whatever the limit."""
        hashes = [term_hash(term.term) for term in terms]
        keys: list[int] = []
        for rank, page in enumerate(self._corpus.manifest.pages):
            if not page.passages or not self._corpus.is_inside(page, scope):
                continue
            record = self._corpus.record(rank)
            asked = [local for local in map(record.local, hashes) if local != ABSENT]
            if asked:
                numbers = (0,) if self._pages else _holding(record, asked)
                keys.extend(page.slot << KEY_BITS | number for number in numbers)
        return Proposals(keys, None)


def _holding(record: PageRecord, asked: Sequence[int]) -> list[int]:
    """The passages that have one of these terms in the body, the heading or the path, ascending."""
    starts, numbers = record.starts, record.numbers
    return sorted({number for local in asked for number in numbers[starts[local] : starts[local + 1]]})
