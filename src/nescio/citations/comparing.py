"""One citation beside one document: its words, its hashes and its id, each by what it says itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nescio.citations.claims import Citation, CitationCheck, Located, Problem
from nescio.citations.library import Address, Library
from nescio.citations.locating import Searched
from nescio.citations.measure import span_of
from nescio.domain.documents import Document, passage_id
from nescio.domain.spans import Span

_GONE = frozenset({Problem.NOT_FOUND, Problem.TEXT_CHANGED})


class Comparison:
    """A document that citations are compared with, read once for all of them."""

    def __init__(self, document: Document, address: Address, library: Library) -> None:
        self._document = document
        self._address = address
        self._library = library
        self._searched = Searched(document, library.go_on)

    def check(self, citation: Citation) -> CitationCheck:
        """What is right of a citation that means this document."""
        located, pieces_at = self._located(citation)
        problems = [*located.problems, *self._of_versions(citation)]
        if Problem.OTHER_VERSION not in problems and not self._knows_id(citation):
            problems.append(Problem.ID_UNKNOWN)
        at = located.found_at or located.like_at
        return CitationCheck(
            citation,
            tuple(dict.fromkeys(problems)),
            self._document.source,
            self._document.path,
            located.found_at,
            located.count,
            located.distance,
            self._lines(at) if at is not None else None,
            (),
            located.like_at,
            Span(*located.like_at).of(self._document.text) if located.like_at else None,
            located.details,
            pieces_at if located.found_at else (),
        )

    def _lines(self, at: tuple[int, int]) -> tuple[int, int]:
        offsets = self._searched.offsets
        return offsets.line_of(at[0]), offsets.line_of(max(at[0], at[1] - 1))

    def _of_versions(self, citation: Citation) -> list[Problem]:
        is_other = citation.document_sha256 is not None and citation.document_sha256.lower() != self._document.sha256
        return [Problem.OTHER_VERSION] if is_other else []

    def _located(self, citation: Citation) -> tuple[Located, tuple[tuple[int, int], ...]]:
        """Where it is, as a whole and by pieces."""
        if not citation.pieces:
            return self._by_id(citation), ()
        found = [self._searched.locate(piece, is_loose=citation.is_loose) for piece in citation.pieces]
        joined, pieces_at = _joined(found), tuple(one.found_at for one in found if one.found_at is not None)
        if citation.quote_sha256 is None:
            return joined, pieces_at
        spans = self._claimed(citation)
        if spans is None or self._hash(spans) != citation.quote_sha256.lower():
            return self._without_bytes(citation, joined), pieces_at
        if citation.is_shown or citation.text is None:
            return Located((), (spans[0].start, spans[-1].end), 1), tuple((span.start, span.end) for span in spans)
        return joined, pieces_at

    def _claimed(self, citation: Citation) -> list[Span] | None:
        """The ranges as the first unit of each tells them; None where one is none of this document."""
        spans = []
        for piece in citation.pieces:
            first = piece.ranges[0] if piece.ranges else None
            span = None if first is None else span_of(self._document, first.unit, first.start, first.end)
            if span is None:
                return None
            spans.append(span)
        return spans

    def _hash(self, spans: Sequence[Span]) -> str:
        text = "".join(span.of(self._document.text) for span in spans)
        return hashlib.sha256(text.encode(self._document.encoding)).hexdigest()

    def _without_bytes(self, citation: Citation, found: Located) -> Located:
        """Of a citation whose bytes are not where it says: what is known of its words."""
        words = citation.text is not None and all(piece.text is not None for piece in citation.pieces)
        if found.problems and words and not (citation.is_shown and _GONE.intersection(found.problems)):
            return found
        has_place = any(piece.ranges for piece in citation.pieces)
        if not found.problems and not has_place and words:
            return found
        kept = (problem for problem in found.problems if problem is not Problem.NOT_FOUND)
        problems = tuple(dict.fromkeys((*kept, Problem.TEXT_CHANGED)))
        return replace(found, problems=problems, found_at=None, count=0, details=("quote_sha256 is another",))

    def _by_id(self, citation: Citation) -> Located:
        for passage in self._library.passages(self._page(citation)):
            if passage.id == citation.passage_id:
                return Located((), (passage.span.start, passage.span.end), 1)
        return Located()

    def _page(self, citation: Citation) -> Address:
        """The page that the citation was read on: an included file has no passages by itself."""
        pages = self._library.find(citation.page_path, citation.source) if citation.page_path else ()
        return pages[0] if pages else self._address

    def _knows_id(self, citation: Citation) -> bool:
        """Whether its id is that of its own range, or of a passage of its page; true where it has none."""
        if citation.passage_id is None:
            return True
        if any(citation.passage_id == one for one in self._own_ids(citation)):
            return True
        return any(citation.passage_id == passage.id for passage in self._library.passages(self._page(citation)))

    def _own_ids(self, citation: Citation) -> Iterator[str]:
        spans = self._claimed(citation)
        if spans:
            span = Span(spans[0].start, max(spans[0].start, spans[-1].end))
            told = (citation.source or "", citation.path or "")
            for source, path in dict.fromkeys((told, (self._document.source, self._document.path))):
                yield passage_id(source, path, self._document.sha256, span)


def _joined(found: Sequence[Located]) -> Located:
    """What is known of all pieces together: from the start of the first to the end of the last, if each is there."""
    if len(found) == 1:
        return found[0]
    problems = tuple(dict.fromkeys(problem for one in found for problem in one.problems))
    places = [one.found_at for one in found if one.found_at is not None]
    at = (places[0][0], max(places[0][0], places[-1][1])) if len(places) == len(found) else None
    distance = next((one.distance for one in found if one.distance), None)
    like_at = next((one.like_at for one in found if one.like_at), None)
    details = tuple(detail for one in found for detail in one.details)
    return Located(problems, at, min(one.count for one in found) if at else 0, distance, like_at, details)
