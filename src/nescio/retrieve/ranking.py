"""From candidates to hits in order, and whether any of them is evidence enough. The floor reads the base alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nescio.domain.candidates import Candidate, Key, Scope
from nescio.protocols import Index
from nescio.retrieve.evidence import Evidence, evidence, score, standout
from nescio.retrieve.question import Understood

# Worth of a title or heading all of whose words are asked for. The larger of both counts: adding them up counted a page's first
# heading, which is its title, twice (raydocs and awsdocs page@1 .310 .600 -> .327 .630; benchmarks/README.md).
PRECISION = 0.2
ONE_IS_ENOUGH = 0.1  # lead in evidence and preference with which a passage that covers every word is quoted alone
COVERED = 0.99
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
        """The hits whose base clears the floor, in order."""
        return [hit for hit in self.hits if hit.base.clears(floor)]

    def near(self, floor: float) -> list[Hit]:
        """Hits that are no answer but near one, in order."""
        return [hit for hit in self.hits if not hit.base.clears(floor) and hit.evidence.mean >= NEAR]


def is_about_changes(text: str) -> bool:
    """Whether a question may be answered from a changelog."""
    return _ABOUT_CHANGES.search(text) is not None


def rank(index: Index, understood: Understood, scope: Scope) -> Ranking:
    """All candidates with their scores. How far the best page stands out is taken without the scope's narrowing."""
    everywhere = _measured(index, understood, replace(scope, under=()))
    stands_out = standout([found for found, _ in everywhere], index.pages)
    inside = _measured(index, understood, scope) if scope.under else everywhere
    asked = frozenset(term.term for term in understood.question.terms)
    hits = [
        Hit(
            found.key,
            found,
            Base(score(found.mean, stands_out)),
            Preference(_preference(found, index.precision(found.key, asked))),
            candidate,
        )
        for found, candidate in inside
    ]
    return Ranking(
        tuple(sorted(hits, key=lambda hit: hit.order)),
        stands_out,
        max((hit.base.value for hit in hits), default=0.0),
        max((score(found.mean, stands_out) for found, _ in everywhere), default=0.0),
    )


def enough(qualified: Sequence[Hit], limit: int) -> Sequence[Hit]:
    """The hits to quote: one where it covers every word in one sentence and leads clearly, else up to `limit`."""
    if len(qualified) > 1 and qualified[0].evidence.sentence >= COVERED:
        lead = qualified[1].order[0] - qualified[0].order[0]
        if lead >= ONE_IS_ENOUGH:
            return qualified[:1]
    return qualified[:limit]


def _measured(index: Index, understood: Understood, scope: Scope) -> Sequence[tuple[Evidence, Candidate]]:
    found = index.candidates(understood.question, scope)
    return [(evidence(understood.question, candidate), candidate) for candidate in found]


def _preference(found: Evidence, precision: tuple[float, float]) -> float:
    """A fourth of what synonyms would add to r and p: as much as they would add to the mean of the four measures."""
    return PRECISION * max(precision) + found.extra / 4
