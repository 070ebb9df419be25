"""Other searches of the same passages by the same terms, to set nescio's time beside: rank-bm25, and tantivy alone."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from nescio.domain.answers import TermKind
from nescio.engine import Engine
from nescio.index.reading import StoredIndex
from nescio.index.records import PageRecord, texts

BEST = 10  # passages that a rival is asked for
WRITER_BYTES = 100_000_000


class Rival(Protocol):
    """Finds the best passages for terms."""

    def __call__(self, terms: Sequence[str]) -> object:
        """The BEST passages that hold any of `terms`, in the rival's own form."""
        ...


def passages(index: StoredIndex) -> Iterator[str]:
    """The terms of every passage as nescio indexed them, with a space between."""
    words = dict(zip(index.corpus.vocabulary.hashes, index.corpus.vocabulary.terms(), strict=True))
    for page in index.manifest.pages:
        record = PageRecord(index.corpus.record_bytes(page))
        yield from texts(record, tuple(words[hashed] for hashed in record.hashes))[0]


def terms_of(engine: Engine, question: str) -> list[str]:
    """The terms of a question that the index has, as nescio searched for them, expansions apart."""
    terms = engine.ask(question).searched.terms
    return [term.term for term in terms if term.documents and term.kind is not TermKind.EXPANSION]


def bare_tantivy(given: Sequence[str]) -> Rival:
    """tantivy in memory, one term query each, its own scores, nothing read but the addresses."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(heap_size=WRITER_BYTES, num_threads=1)
    for text in given:
        document = tantivy.Document()
        document.add_text("terms", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(terms: Sequence[str]) -> object:
        parts = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "terms", term, "freq")) for term in terms]
        return searcher.search(tantivy.Query.boolean_query(parts), limit=BEST, count=False).hits

    return search


def rank_bm25(given: Sequence[str]) -> Rival:
    """rank-bm25's BM25Okapi. Raises ImportError where it is not installed."""
    library: Any = importlib.import_module("rank_bm25")
    numpy: Any = importlib.import_module("numpy")
    model = library.BM25Okapi([text.split() for text in given])

    def search(terms: Sequence[str]) -> object:
        return numpy.argpartition(model.get_scores(terms), -BEST)[-BEST:]

    return search
