"""What is wrong with citations, in words and as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nescio.citations.claims import CitationCheck, Problem
from nescio.domain.findings import Finding, FindingKind, Level

SENTENCES = {
    Problem.OFF_BY_ONE: "It is off by one",
    Problem.MOVED: "It stands elsewhere in the document",
    Problem.UTF16_UNITS: "UTF-16 units were given as code points",
    Problem.BYTES_AS_CHARACTERS: "Bytes were given as code points",
    Problem.OTHER_UNITS: "The offsets are right in another unit",
    Problem.UNITS_DISAGREE: "The offsets are right in one unit and wrong in another",
    Problem.CRLF_NORMALISED: "Line ends were changed before it was cited",
    Problem.BOM_DROPPED: "The byte order mark was not counted",
    Problem.NFC_NFD: "Accents are composed in another way (NFC or NFD)",
    Problem.WHITESPACE_CHANGED: "The white space is not the document's",
    Problem.ELLIPSIS_DROPS_WORDS: "The ellipsis leaves words out",
    Problem.NUMBER_CHANGED: "A number is not the document's",
    Problem.NEGATION_CHANGED: "A negation was added or dropped",
    Problem.TEXT_CHANGED: "The words are not the document's",
    Problem.NOT_FOUND: "The words are not there",
    Problem.OTHER_VERSION: "The document is another version than the one cited",
    Problem.OTHER_SOURCE: "The words are in another document",
    Problem.SOURCE_MISSING: "There is no such document",
    Problem.RANGE_OUTSIDE: "The range is none of the document's",
    Problem.ID_UNKNOWN: "No passage has this id",
}


def findings(checks: Iterable[CitationCheck]) -> Iterator[Finding]:
    """A finding for each citation that is wrong, at the place where its words are, or what stands there instead."""
    for one in checks:
        if not one.is_ok:
            problems = "; ".join(f"{SENTENCES[problem]} ({problem.value})" for problem in one.problems)
            yield Finding(
                FindingKind.CITATION_WRONG,
                Level.ERROR,
                _path(one),
                *(one.lines or (0, 0)),
                message=f"{one.citation.where}: {problems}.",
                old=one.citation.text or "",
                new=one.like or "",
            )


def _path(one: CitationCheck) -> str:
    if one.path is None:
        return one.citation.path or ""
    return f"{one.source}/{one.path}" if one.source else one.path
