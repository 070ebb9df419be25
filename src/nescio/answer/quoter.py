"""Quotes from an index: a passage narrowed to what answers, with what leads into it, or whole; places that are only related."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from nescio.answer.excerpt import excerpt
from nescio.answer.quoting import quoted, related, unmasked
from nescio.domain.answers import Quote, Related
from nescio.domain.candidates import Candidate, Key, Question
from nescio.domain.documents import Passage
from nescio.protocols import Index, PassageAt


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hit's quotes are labelled with."""

    base: float = 0.0
    preference: float = 0.0


class Quoter:
    """Makes quotes of at most `longest` code points, where blocks allow it."""

    def __init__(self, index: Index, longest: int) -> None:
        self._index = index
        self._longest = longest

    def whole(self, key: Key, worth: Worth | None = None) -> Quote:
        """The passage as it is."""
        at = self._index.passage(key)
        return self._quoted(at, at.passage, worth or Worth())

    def quotes(self, question: Question, candidate: Candidate, worth: Worth) -> list[Quote]:
        """What of a candidate answers; text from an included file comes after the page's sentence that leads into it."""
        at = self._index.passage(candidate.key)
        document = self._index.document(at.passage.document_sha256)
        narrowed = excerpt(question, candidate, at.passage, document.text, self._longest)
        lead = self._lead(at, worth)
        return [*([lead] if lead else []), self._quoted(at, narrowed, worth)]

    def related(self, near: Iterable[tuple[Key, float, tuple[str, ...]]], most: int) -> tuple[Related, ...]:
        """Places near a question, each heading once, at most `most`. Each of `near` has its base and the words it has not."""
        places: dict[tuple[object, ...], Related] = {}
        for key, base, missing in near:
            place = replace(related(self._index.passage(key), base), missing=missing)
            places.setdefault((place.source, place.path, place.heading_path), place)
            if len(places) == most:
                break
        return tuple(places.values())

    def _lead(self, at: PassageAt, worth: Worth) -> Quote | None:
        lead = at.passage.lead
        if lead is None:
            return None
        for number in range(at.key.number - 1, -1, -1):
            page = self._index.passage(Key(at.key.page, number))
            own = page.passage
            if own.path == own.page_path and lead.is_within(own.span):
                return self._quoted(page, replace(own, span=lead, spans=(lead,)), worth) if own.shown is None else None
        return None

    def _quoted(self, at: PassageAt, passage: Passage, worth: Worth) -> Quote:
        document = self._index.document(passage.document_sha256)
        # Where all that was chosen is masked, the whole passage has something else.
        chosen = passage if unmasked(passage, document).spans else at.passage
        return quoted(at, chosen, document, worth.base, worth.preference)
