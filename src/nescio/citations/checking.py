"""Citations that somebody else holds, compared with the documents: what is right, what is wrong, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from nescio.citations.claims import Citation, CitationCheck, Problem
from nescio.citations.comparing import Comparison
from nescio.citations.elsewhere import found_in
from nescio.citations.library import Address, Library
from nescio.domain.documents import Passage
from nescio.errors import UsageFault

# What says that words are not there as they are cited.
_NOT_THERE = frozenset({Problem.NOT_FOUND, Problem.TEXT_CHANGED, Problem.SOURCE_MISSING})


def check(citations: Sequence[Citation], library: Library) -> tuple[CitationCheck, ...]:
    """What became of each citation, in their order.

    Each is compared with the document that it names, as it is now; only words that are not there are looked for in the others.
    Of several documents that it may mean, that counts in which least is wrong. Raises UsageFault (`cite-none`) without any.
    """
    if not citations:
        raise UsageFault("cite-none", "No citation was given.", "Give at least one: none is not the same as all right.")
    named = [_named(citation, library) for citation in citations]
    checked = _in_named(citations, named, library)
    return tuple(_elsewhere(checked, named, library))


def _named(citation: Citation, library: Library) -> tuple[Address, ...]:
    if citation.path is not None:
        return library.find(citation.path, citation.source)
    only = library.only_one if citation.text is None or len(library.folders) == 1 else None
    return () if only is None else (only,)


def _in_named(citations: Sequence[Citation], named: Sequence[tuple[Address, ...]], library: Library) -> list[CitationCheck]:
    """Document by document, so that each is read once."""
    waiting: defaultdict[Address, list[int]] = defaultdict(list)
    for number, addresses in enumerate(named):
        for address in addresses:
            waiting[address].append(number)
    best: dict[int, CitationCheck] = {}
    for address in sorted(waiting):
        document = library.document(address)
        if document is None:
            continue
        one = Comparison(document, address, library)
        for number in waiting[address]:
            library.go_on()
            found = one.check(citations[number])
            if number not in best or len(found.problems) < len(best[number].problems):
                best[number] = found
    unnamed = {number: citation for number, citation in enumerate(citations) if number not in best}
    known = _passages(ids_alone(unnamed.values()), library)
    return [best.get(number) or _unnamed(citation, known) for number, citation in enumerate(citations)]


def ids_alone(citations: Iterable[Citation]) -> frozenset[str]:
    """The ids of the citations that have nothing else, so that any document may be meant."""
    return frozenset(one.passage_id for one in citations if one.passage_id is not None and _has_id_only(one))


def _has_id_only(citation: Citation) -> bool:
    return citation.path is None and citation.text is None and citation.passage_id is not None


def _unnamed(citation: Citation, known: Mapping[str, Passage]) -> CitationCheck:
    """A citation of a document that is not there, or of none: by its id, else its words are looked for later."""
    if not _has_id_only(citation):
        return CitationCheck(citation, (Problem.NOT_FOUND if citation.path is None else Problem.SOURCE_MISSING,))
    passage = known.get(citation.passage_id or "")
    if passage is None:
        return CitationCheck(citation, (Problem.ID_UNKNOWN,))
    return CitationCheck(citation, (), passage.source, passage.path, (passage.span.start, passage.span.end), 1)


def _passages(ids: Collection[str], library: Library) -> dict[str, Passage]:
    """The passages with these ids, each document that may have one looked through once."""
    addresses = library.with_ids(ids) if ids else ()
    return {one.id: one for address in addresses for one in library.passages(address) if one.id in ids}


def _elsewhere(
    checked: Sequence[CitationCheck], named: Sequence[tuple[Address, ...]], library: Library
) -> Iterator[CitationCheck]:
    """The same, with the other documents that have the words of those that are not there."""
    lost = {number for number, one in enumerate(checked) if _NOT_THERE.intersection(one.problems) and one.citation.text}
    but: defaultdict[str, frozenset[Address]] = defaultdict(frozenset)
    for number in lost:
        but[checked[number].citation.text or ""] |= frozenset(named[number])
    found = found_in(library, list(but), but)
    for number, one in enumerate(checked):
        places = found.get(one.citation.text or "", []) if number in lost else []
        yield _with_others(one, places, library) if places else one


def _with_others(one: CitationCheck, places: Sequence[Address], library: Library) -> CitationCheck:
    others = tuple(library.shown(address) for address in places)
    if one.citation.path is not None:
        kept = tuple(problem for problem in one.problems if problem not in (Problem.NOT_FOUND, Problem.TEXT_CHANGED))
        return replace(one, problems=(*kept, Problem.OTHER_SOURCE), found_in=others, like_at=None, like=None, lines=None)
    document = library.document(places[0])
    if document is None:
        return one
    return replace(Comparison(document, places[0], library).check(one.citation), found_in=others)
