"""The reference: every page looked at. It must agree with the search index hit for hit, and serves where that cannot be opened."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.candidates import Scope, WeightedTerm
from nescio.index.corpus import Corpus
from nescio.index.records import ABSENT, term_hash
from nescio.index.terms_search import KEY_BITS, Proposals


class MemorySearcher:
    """Proposes everything that holds a term of the question: all passages of such pages, or the pages."""

    def __init__(self, corpus: Corpus, *, pages: bool) -> None:
        self._corpus = corpus
        self._pages = pages

    def propose(self, terms: Sequence[WeightedTerm], scope: Scope, limit: int) -> Proposals:  # noqa: ARG002
        """See `Searcher`; complete whatever the limit."""
        hashes = [term_hash(term.term) for term in terms]
        keys: list[int] = []
        for rank, page in enumerate(self._corpus.manifest.pages):
            if not page.passages or not self._corpus.is_inside(page, scope):
                continue
            record = self._corpus.record(rank)
            if any(record.local(hashed) != ABSENT for hashed in hashes):
                numbers = range(1 if self._pages else page.passages)
                keys.extend(page.slot << KEY_BITS | number for number in numbers)
        return Proposals(keys, None)
