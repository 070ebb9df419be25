"""What is asked of a question and of its answer, unless the caller says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from nescio.domain.answers import Detail
from nescio.errors import QuestionFault, UsageFault


@dataclass(frozen=True, slots=True)
class Rules:
    """Lengths count code points. Without a `docs_version` the index says which is asked."""

    floor: float = 0.5
    limit: int = 3
    longest_question: int = 2_000
    most_terms: int = 64
    longest_quote: int = 2_000
    docs_version: str = ""

    def limit_of(self, wanted: int | None) -> int:
        """How many quotes are wanted. Raises UsageFault (`limit-out-of-range`)."""
        if wanted is None:
            return self.limit
        if wanted < 1:
            raise UsageFault("limit-out-of-range", f"The limit is {wanted}.", "Ask for at least one quote.")
        return wanted

    def floor_of(self, wanted: float | None) -> float:
        """The floor that is wanted. Raises UsageFault (`floor-out-of-range`)."""
        if wanted is None:
            return self.floor
        if not 0 <= wanted <= 1:
            raise UsageFault("floor-out-of-range", f"The floor is {wanted}.", "Give a number from 0 to 1.")
        return wanted

    def check_words(self, count: int) -> None:
        """Raises QuestionFault (`question-too-many-terms`) for a question of so many different words."""
        if count > self.most_terms:
            raise QuestionFault(
                "question-too-many-terms",
                f"The question has {count} different words, and the limit is {self.most_terms}.",
                "Ask for one thing at a time, or raise limits.max_question_terms.",
            )


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of an answer is wanted: how many quotes (None: as many as are needed), and how much of each place."""

    limit: int | None = None
    detail: Detail = Detail.SECTION


def detail_of(name: str) -> Detail:
    """The detail with a name. Raises UsageFault (`detail-unknown`)."""
    try:
        return Detail(name)
    except ValueError as error:
        known = " or ".join(one.value for one in Detail)
        raise UsageFault("detail-unknown", f"There is no detail {name!r}.", f"Ask for {known}.") from error


def check_length(text: str, longest: int) -> None:
    """Raises QuestionFault (`question-too-long`) for a question of more than `longest` code points."""
    if len(text) > longest:
        raise QuestionFault(
            "question-too-long",
            f"The question has {len(text)} characters, and the limit is {longest}.",
            "Ask in fewer words, or raise limits.max_question_characters.",
        )
