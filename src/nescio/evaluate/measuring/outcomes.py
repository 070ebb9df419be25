"""What came of asking a question: what was quoted and ranked, and the verdicts there are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nescio.domain.answers import Answer, Quote, Refusal
from nescio.domain.reports import HitExplanation
from nescio.evaluate.questions.cases import Case


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
