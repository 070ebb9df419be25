"""Passages that nescio wrote down once, read again in the documents as they are now: the same, moved, changed or gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nescio.citations.checking import check
from nescio.citations.claims import Citation, CitationCheck, Problem
from nescio.citations.library import Address, Library
from nescio.citations.measure import Unit, places, span_of
from nescio.citations.word_diff import word_diff
from nescio.domain.documents import Document, passage_id
from nescio.domain.findings import Finding, FindingKind, Level
from nescio.domain.spans import Place, Span


class Standing(StrEnum):
    """What became of a stored passage."""

    SAME = "same"  # its words stand where it says
    MOVED = "moved"  # the same words stand elsewhere in their document
    CHANGED = "changed"  # other words stand there
    GONE = "gone"  # its words, or their document, are not there


_GONE = frozenset({Problem.SOURCE_MISSING, Problem.NOT_FOUND, Problem.OTHER_SOURCE})
_KINDS = {
    Standing.MOVED: (FindingKind.PASSAGE_MOVED, Level.WARNING),
    Standing.CHANGED: (FindingKind.PASSAGE_CHANGED, Level.ERROR),
    Standing.GONE: (FindingKind.PASSAGE_GONE, Level.ERROR),
}


@dataclass(frozen=True, slots=True)
class Renewed:
    """Where a moved passage is now: each of its spans, the document's hash, and the id that it would have."""

    places: tuple[Place, ...]
    document_sha256: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage of a file and what became of it.

    `path` is its document as people write it, else as the passage names it. `lines` are those that it tells, (0, 0) where it
    tells none. `diff` shows in words what changed. `renewed` is there for a moved one that stands in JSON with its places.
    """

    citation: Citation
    standing: Standing
    path: str
    lines: tuple[int, int]
    check: CitationCheck
    diff: str = ""
    renewed: Renewed | None = None


def verify(citations: Sequence[Citation], library: Library) -> tuple[StoredPassage, ...]:
    """What became of each passage, in their order. Raises UsageFault (`cite-none`) without any."""
    return tuple(_stored(one, library) for one in check(citations, library))


def _stored(one: CitationCheck, library: Library) -> StoredPassage:
    citation = one.citation
    address = _address(one, library)
    document = None if address is None else library.document(address)
    standing = _standing(one, document)
    path = library.shown(address) if address is not None else citation.path or ""
    told = _told_lines(citation, document)
    if standing is Standing.MOVED and document is not None and address is not None and not citation.is_loose:
        return StoredPassage(citation, standing, path, told, one, "", _renewed(one, document, address, library))
    diff = ""
    if standing is Standing.CHANGED and citation.text is not None:
        now = one.like if one.like is not None else _found_words(one, document)
        diff = _difference(citation.text, now) if now is not None else ""
    return StoredPassage(citation, standing, path, told, one, diff)


def _difference(old: str, new: str) -> str:
    """What changed in words; in white space only where nothing else did."""
    before, after = (" ".join(text.split()) for text in (old, new))
    return word_diff(old, new) if before == after else word_diff(before, after)


def _address(one: CitationCheck, library: Library) -> Address | None:
    if one.path is None:
        return None
    return next(iter(library.find(one.path, one.source)), None)


def _found_words(one: CitationCheck, document: Document | None) -> str | None:
    return None if document is None or one.found_at is None else Span(*one.found_at).of(document.text)


def _standing(one: CitationCheck, document: Document | None) -> Standing:
    if document is None or _GONE.intersection(one.problems):
        return Standing.GONE
    if one.citation.text is None and not one.citation.pieces:
        return Standing.SAME if one.is_ok else Standing.GONE  # told by its id alone
    if one.found_at is None:
        return Standing.CHANGED if one.problems and set(one.problems) != {Problem.OTHER_VERSION} else Standing.SAME
    if not _has_same_words(one, document):
        return Standing.CHANGED
    return Standing.SAME if _is_where_it_says(one, document) else Standing.MOVED


def _has_same_words(one: CitationCheck, document: Document) -> bool:
    """Whether the words that were found are those stored, line breaks apart where they come from prose."""
    citation = one.citation
    if Problem.TEXT_CHANGED in one.problems or Problem.ELLIPSIS_DROPS_WORDS in one.problems:
        return False
    if citation.is_loose or citation.is_shown or citation.text is None:
        return True
    return "".join(Span(*at).of(document.text) for at in one.pieces_at) == citation.text


def _is_where_it_says(one: CitationCheck, document: Document) -> bool:
    """Whether every range that is told, in every unit, is where the words are."""
    for piece, at in zip(one.citation.pieces, one.pieces_at, strict=True):
        for told in piece.ranges:
            span = span_of(document, told.unit, told.start, told.end)
            if span is None or not Span(*at).is_within(span) or (told.unit is not Unit.LINES and len(span) != at[1] - at[0]):
                return False
    return True


def _told_lines(citation: Citation, document: Document | None) -> tuple[int, int]:
    told = [one for piece in citation.pieces for one in piece.ranges if one.unit is Unit.LINES]
    return (told[0].start, told[-1].end) if told else (0, 0)


def _renewed(one: CitationCheck, document: Document, address: Address, library: Library) -> Renewed:
    spans = [Span(*at) for at in one.pieces_at]
    return Renewed(places(document, spans), document.sha256, _new_id(one.citation, spans, document, address, library))


def _new_id(citation: Citation, spans: Sequence[Span], document: Document, address: Address, library: Library) -> str:
    """The id of its own range where it had that kind, else that of the passage which holds it now."""
    whole = Span(spans[0].start, spans[-1].end)
    source, path = citation.source or document.source, citation.path or document.path
    own = passage_id(source, path, document.sha256, whole)
    if _was_own(citation):
        return own
    pages = library.find(citation.page_path, citation.source) if citation.page_path else (address,)
    held = (passage for page in pages[:1] for passage in library.passages(page) if passage.path == document.path)
    return next((passage.id for passage in held if whole.is_within(passage.span)), own)


def _was_own(citation: Citation) -> bool:
    told = [one for piece in citation.pieces for one in piece.ranges if one.unit is Unit.CODE_POINTS]
    if not told or citation.document_sha256 is None:
        return False
    span = Span(told[0].start, max(told[0].start, told[-1].end))
    return citation.passage_id == passage_id(citation.source or "", citation.path or "", citation.document_sha256, span)


def findings(stored: Sequence[StoredPassage], file: str) -> Iterator[Finding]:
    """What is not the same, as a check tells it. `file` is the one that was read."""
    for one in stored:
        if one.standing is Standing.SAME:
            continue
        kind, level = _KINDS[one.standing]
        lines = one.check.lines or one.lines
        yield Finding(
            kind,
            level,
            one.path,
            *(lines if one.standing is not Standing.GONE else one.lines),
            message=f"{one.citation.where}: {said(one)}",
            old=one.citation.text or "",
            new=one.check.like or "",
            fix=f"nescio verify --fix {file}" if one.renewed is not None else "",
        )


def said(one: StoredPassage) -> str:
    """What became of it, in one sentence."""
    if one.standing is Standing.SAME:
        return "the same words stand there."
    if one.standing is Standing.MOVED and one.check.lines is not None:
        first, last = one.check.lines
        return f"the words moved to line {first}." if first == last else f"the words moved to lines {first}-{last}."
    if one.standing is Standing.CHANGED:
        return "the words were changed."
    if one.check.found_in:
        return f"the words are not there any more; {one.check.found_in[0]} has them."
    return "the document is not there any more." if Problem.SOURCE_MISSING in one.check.problems else "the words are gone."
