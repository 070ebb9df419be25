"""Quotes from an index: the section of a passage, or what of it answers; a passage alone; places that are only related."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nescio.answer.excerpt import Lengths, excerpt
from nescio.answer.focus import Focus
from nescio.answer.highlights import highlights
from nescio.answer.quoting import NO_WORTH, Worth, quoted, related
from nescio.answer.section import passage_alone, section_of
from nescio.domain.answers import Quote, Related
from nescio.domain.candidates import Key
from nescio.protocols import Index


class Quoter:
    """Makes quotes of the lengths that are wanted, where blocks allow it."""

    def __init__(self, index: Index, lengths: Lengths) -> None:
        self._index = index
        self._lengths = lengths

    def whole(self, key: Key, worth: Worth = NO_WORTH) -> Quote:
        """The passage as it is."""
        alone = passage_alone(self._index, key)
        return quoted(alone.at, alone.pieces, worth=worth)

    def quote(self, key: Key, focus: Focus, worth: Worth) -> Quote:
        """What of the section of a passage answers, with what its page includes there, and the words that do so marked."""
        section = section_of(self._index, key)
        pieces = excerpt(section, focus, self._lengths)
        return quoted(section.at, pieces, highlights(pieces, focus), worth)

    def is_shown(self, key: Key, quotes: Iterable[Quote]) -> bool:
        """Whether a passage stands in one of the quotes, or around it."""
        own = self._index.passage(key).passage
        return any(
            place.path == own.path and place.document_sha256 == own.document_sha256 and place.start < own.span.end and own.span.start < place.end
            for quote in quotes
            for place in quote.spans
        )

    def related(self, near: Iterable[tuple[Key, float, tuple[str, ...]]], most: int) -> tuple[Related, ...]:
        """Places near a question, each heading once, at most `most`. Each of `near` has its base and the words it has not."""
        places: dict[tuple[object, ...], Related] = {}
        for key, base, missing in near:
            place = replace(related(self._index.passage(key), base), missing=missing)
            places.setdefault((place.source, place.path, place.heading_path), place)
            if len(places) == most:
                break
        return tuple(places.values())
