"""A question with what is right, and what came of asking it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nescio.domain.answers import Answer, Quote, Refusal
from nescio.domain.reports import HitExplanation


@dataclass(frozen=True, slots=True)
class Expected:
    """A right place. `path` is a page's, below its source (or with the source's name before it); `heading` one of its headings;
    `quotes` are words that an answer from there should show, any of which is right. `pages` are the pages of an index that
    `path` names, as `source/path`: empty until it was looked up, and where there is none.
    """

    path: str
    heading: str | None = None
    quotes: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a question file. Any of `expect` is right; an unanswerable question has none. `line` is where it stands."""

    id: str
    question: str
    answerable: bool
    expect: tuple[Expected, ...] = ()
    line: int = 0


class Verdict(StrEnum):
    """What came of a case. The first two are right, as far as the file can tell."""

    ANSWERED = "answered"  # covered, and answered; from a right page where the file names one
    REFUSED = "refused"  # not covered, and refused
    WRONG_PAGE = "wrong_page"  # covered, answered, and no quote is from a page that the file names
    WRONGLY_REFUSED = "wrongly_refused"  # covered, and refused
    WRONGLY_ANSWERED = "wrongly_answered"  # not covered, and answered
    FAULT = "fault"  # it could not be asked (too long)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case with its result; `result` is None after a fault, whose code is `fault`. `hits` are what was ranked, no floor
    applied. `lacking` are content words of the question in no quote and no heading over one; nothing of a refusal.
    """

    case: Case
    result: Answer | Refusal | None
    hits: tuple[HitExplanation, ...] = ()
    fault: str = ""
    lacking: tuple[str, ...] = ()

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """What was quoted; nothing of a refusal."""
        return self.result.quotes if isinstance(self.result, Answer) else ()

    @property
    def is_answered(self) -> bool:
        """Whether anything was quoted."""
        return isinstance(self.result, Answer)

    @property
    def base(self) -> float:
        """The best evidence that was found, whatever the floor; what the floor is compared with."""
        return self.result.searched.best if self.result else 0.0

    @property
    def confidence(self) -> float:
        """How probable it was said to be that the documents cover the question."""
        return self.result.confidence if self.result else 0.0
