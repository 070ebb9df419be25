"""What came of a case: right, or wrong in which way?"""

from __future__ import annotations

from nescio.evaluate.measuring.outcomes import Outcome, Verdict
from nescio.evaluate.measuring.places import quotes_right_page

_RIGHT = frozenset({Verdict.ANSWERED, Verdict.REFUSED})


def verdict(outcome: Outcome) -> Verdict:
    """The verdict. Where the file names no page, an answer is right from anywhere."""
    case = outcome.case
    if outcome.result is None:
        return Verdict.FAULT
    if not case.answerable:
        return Verdict.WRONGLY_ANSWERED if outcome.is_answered else Verdict.REFUSED
    if not outcome.is_answered:
        return Verdict.WRONGLY_REFUSED
    return Verdict.ANSWERED if not case.expect or quotes_right_page(outcome) else Verdict.WRONG_PAGE


def is_wrong(outcome: Outcome) -> bool:
    """Whether it came out otherwise than the file says; a question that could not be asked did."""
    return verdict(outcome) not in _RIGHT
