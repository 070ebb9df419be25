"""From candidates to hits in order, and whether any of them is evidence enough. The floor reads the base alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nescio.domain.candidates import Candidate, Key, Question, Scope
from nescio.protocols import Index
from nescio.retrieve.evidence import Evidence, evidence, score, standout
from nescio.retrieve.ordering import preferences
from nescio.retrieve.question import Understood

NEAR = 0.4  # evidence from which a passage that is no answer is still shown as related: right for a quarter of the refused

_ABOUT_CHANGES = re.compile(
    r"\b(?:chang(?:e|es|ed|ing|elogs?)|releas(?:e|es|ed)|new|news|latest|newest|version|versions|since|history|added|removed|deprecat\w*|"
    r"breaking|migrat\w*|upgrad\w*|updat(?:e|es|ed|ing)|drop(?:ped|s)?|when (?:was|were|did)|introduced|v?\d+\.\d+\S*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Base:
    """How much of the question is covered. Only this is compared with the floor; a preference is of another type."""

    value: float

    def clears(self, floor: float) -> bool:
        """Whether it is evidence enough."""
        return self.value >= floor


@dataclass(frozen=True, slots=True)
class Preference:
    """What orders the passages that qualified. Never added to a base."""

    value: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its evidence. `candidate` says where the question's words stand in it."""

    key: Key
    evidence: Evidence
    base: Base
    preference: Preference
    candidate: Candidate

    @property
    def order(self) -> tuple[float, Key]:
        """Sorts the better first; ties go to the smaller key."""
        return -(self.evidence.rank + self.preference.value), self.key


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was found. `hits` are in order of evidence and preference; `standout` is D, over everything in view.

    `best` is the greatest base in the scope asked for, `best_anywhere` without the narrowing.
    """

    hits: tuple[Hit, ...]
    standout: float
    best: float
    best_anywhere: float

    def qualified(self, floor: float) -> list[Hit]:
        """The hits whose base clears the floor, in order; of those with one text on several pages the first."""
        found: dict[tuple[object, ...], Hit] = {}
        for hit in self.hits:
            if hit.base.clears(floor):
                found.setdefault(_layout(hit.candidate), hit)
        return list(found.values())

    def near(self, floor: float) -> list[Hit]:
        """Hits that are no answer but near one, in order."""
        return [hit for hit in self.hits if not hit.base.clears(floor) and hit.evidence.mean >= NEAR]


def is_about_changes(text: str) -> bool:
    """Whether a question may be answered from a changelog."""
    return _ABOUT_CHANGES.search(text) is not None


def rank(index: Index, understood: Understood, scope: Scope) -> Ranking:
    """All candidates with their scores. How far the best page stands out is taken without the scope's narrowing."""
    everywhere = _measured(index, understood, replace(scope, under=()))
    stands_out = standout(list(_once(everywhere)), index.pages)
    inside = _measured(index, understood, scope) if scope.under else everywhere
    hits = [
        Hit(found.key, found, Base(score(found.mean, stands_out)), Preference(preference), candidate)
        for (found, candidate), preference in zip(inside, preferences(understood.question, inside), strict=True)
    ]
    return Ranking(
        tuple(sorted(hits, key=lambda hit: hit.order)),
        stands_out,
        max((hit.base.value for hit in hits), default=0.0),
        max((score(found.mean, stands_out) for found, _ in everywhere), default=0.0),
    )


def covered_terms(question: Question, candidate: Candidate) -> frozenset[str]:
    """The question's content words that a passage has in its text or above it."""
    places = zip(candidate.places, candidate.in_heading, candidate.in_path, strict=True)
    found = zip(question.terms, places, strict=True)
    return frozenset(term.term for term, where in found if term.share and any(map(bool, where)))


def _once(measured: Iterable[tuple[Evidence, Candidate]]) -> Iterator[Evidence]:
    """The evidence of each text once, where there is most: what stands on many pages alike is no page beside the best one."""
    best: dict[tuple[object, ...], Evidence] = {}
    for found, candidate in measured:
        told = _layout(candidate)
        if told not in best or best[told].mean < found.mean:
            best[told] = found
    yield from best.values()


def _layout(candidate: Candidate) -> tuple[object, ...]:
    """What tells texts apart: where the question's words, their sentences and their blocks stand in them."""
    places = map(tuple, candidate.places)
    sizes = (candidate.length, candidate.heading_precision)
    return (*sizes, *places, tuple(candidate.sentences), tuple(candidate.paragraphs))


def _measured(index: Index, understood: Understood, scope: Scope) -> Sequence[tuple[Evidence, Candidate]]:
    found = index.candidates(understood.question, scope)
    return [(evidence(understood.question, candidate), candidate) for candidate in found]
