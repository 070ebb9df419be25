"""Quotes from an index: the section of a passage, or what of it answers; a passage alone; places that are only related."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from nescio.answer.excerpt import MOST_ROWS, excerpt
from nescio.answer.focus import Focus
from nescio.answer.highlights import highlighted, highlights
from nescio.answer.quoting import NO_WORTH, Worth, first_words, quoted, related
from nescio.answer.section import Section, passage_alone, section_of
from nescio.domain.answers import Detail, Quote, Related
from nescio.domain.candidates import Key
from nescio.domain.rules import Wanted
from nescio.protocols import Index

KEPT_SECTIONS = 64  # each holds on to its documents


@dataclass(frozen=True, slots=True)
class Amount:
    """How much of a place is quoted, and how many rows of a long table at most."""

    detail: Detail = Detail.SECTION
    rows: int = MOST_ROWS

    @classmethod
    def of(cls, wanted: Wanted) -> Amount:
        """Who asks for more quotes than a table usually shows rows gets as many rows."""
        return cls(wanted.detail, max(MOST_ROWS, wanted.limit or 0))


USUAL = Amount()


@dataclass(frozen=True, slots=True)
class Near:
    """A passage near a question, with the question's words that it has and has not."""

    key: Key
    base: float
    present: tuple[str, ...]
    missing: tuple[str, ...]


class Quoter:
    """Makes quotes of at most `longest` code points, where blocks allow it."""

    def __init__(self, index: Index, longest: int) -> None:
        self._index = index
        self._longest = longest
        section: Callable[[Key], Section] = partial(section_of, index)
        self._section = lru_cache(maxsize=KEPT_SECTIONS)(section)

    def whole(self, key: Key, worth: Worth = NO_WORTH) -> Quote:
        """The passage as it is."""
        alone = passage_alone(self._index, key)
        return quoted(alone.at, alone.pieces, worth=worth)

    def quote(self, key: Key, focus: Focus, worth: Worth, amount: Amount = USUAL) -> Quote:
        """What of the section of a passage answers, with what its page includes there, and the words that do so marked."""
        section = self._section(key)
        pieces = excerpt(section, focus, self._longest, amount.rows)
        marks = highlights(pieces, focus)
        if amount.detail is Detail.HIGHLIGHTS:
            pieces, marks = highlighted(pieces, marks)
        return quoted(section.at, pieces, marks, worth)

    def is_shown(self, key: Key, quotes: Iterable[Quote]) -> bool:
        """Whether some of a passage stands in one of the quotes."""
        own = self._index.passage(key).passage
        spans = (span for quote in quotes for span in quote.spans if quote.source == own.source)
        return any(
            (span.path, span.document_sha256) == (own.path, own.document_sha256)
            and span.start < own.span.end
            and own.span.start < span.end
            for span in spans
        )

    def related(self, near: Iterable[Near], most: int, *, with_words: bool) -> tuple[Related, ...]:
        """Places near a question, each heading once, at most `most`; `with_words`: with what they begin with."""
        places: dict[tuple[object, ...], Related] = {}
        for one in near:
            at = self._index.passage(one.key)
            place = related(at, one.base)
            named = (place.source, place.path, place.heading_path)
            if named not in places:
                words = first_words(at.passage, self._index.document(at.passage.document_sha256)) if with_words else ""
                places[named] = replace(place, present=one.present, missing=one.missing, first_words=words)
            if len(places) == most:
                break
        return tuple(places.values())
