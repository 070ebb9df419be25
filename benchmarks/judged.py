"""What the floor is compared with, of every question of a set that has both sorts: covered, and not covered."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engines import Corpus, engine_for
from logistic import Example, fitted, probability
from metrics import Share, share
from nescio.domain.answers import Answer, Reason, Refusal
from nescio.engine import Engine
from nescio.errors import QuestionFault
from questions import Question, QuestionSet, SetError
from reporting import note
from retrieval import One, folded

SORTS = (True, False)
RIDGE = 0.003  # on slopes: a flatter score is better calibrated on sets that it has not seen
NO_EVIDENCE = 0.005  # the least score that is told from another: what has no hit at all has 0, whose logarithm is none


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with E and D of `nescio.retrieve.evidence`, and the score that they make.

    `is_open` says whether the floor decides: what is refused for another reason is refused at every floor.
    """

    question: Question
    evidence: float
    standout: float
    base: float
    is_open: bool


def judge(engine: Engine, question: Question) -> Judged:
    """Ask one question. A fault counts as a refusal with no evidence and is said on stderr."""
    try:
        found = engine.explain(question.text)
    except QuestionFault as fault:
        note(f"{question.id}: {fault.code}: {fault.message}")
        return Judged(question, 0.0, 0.0, 0.0, False)
    return Judged(question, found.evidence, found.standout, found.result.searched.best, is_open(found.result))


def is_open(result: Answer | Refusal | None) -> bool:
    """Whether a floor decided it; None is what a fault left."""
    return isinstance(result, Answer) or (result is not None and result.reason is Reason.BELOW_FLOOR)


def askings(one: QuestionSet) -> list[tuple[Corpus, Sequence[Question]]]:
    """The corpora in which a set has both sorts, with what is asked of each; none where it has one sort alone."""
    if one.folds:
        return [(corpus, questions) for _, corpus, questions in folded(one)]
    has_both = {question.answerable for question in one.questions} == set(SORTS)
    return [(Corpus(one.name, one.docs), one.questions)] if has_both else []


def both_sorts(sets: Iterable[QuestionSet], work: Path) -> dict[str, list[Judged]]:
    """All questions of the sets that have both sorts, by the name that `retrieval.py` gives them.

    Raises SetError when no set has.
    """
    judged: dict[str, list[Judged]] = {}
    for one in sets:
        asked = [found for corpus, questions in askings(one) for found in _asked(corpus, questions, work)]
        if asked:
            judged[f"{one.name} paired" if one.folds else one.name] = asked
        else:
            note(f"{one.name}: left out, its questions are of one sort only")
    if not judged:
        raise SetError("no set has questions that are covered and questions that are not, or folds")
    return judged


def _asked(corpus: Corpus, questions: Sequence[Question], work: Path) -> list[Judged]:
    with engine_for(corpus, work) as engine:
        return [judge(engine, question) for question in questions]


def of_sort(judged: Iterable[One], sort: bool) -> list[One]:
    """Those that are covered, or those that are not."""
    return [one for one in judged if one.question.answerable is sort]


def examples(sets: Mapping[str, Sequence[One]], features: Callable[[One], tuple[float, ...]]) -> list[Example]:
    """What a regression is given: each sort of each set weighs one, over the number of sets."""
    sorts = [(sort, of_sort(judged, sort)) for judged in sets.values() for sort in SORTS]
    return [Example(features(one), sort, 1 / len(sets) / len(its)) for sort, its in sorts for one in its]


def even_odds(sets: Mapping[str, Sequence[One]], score: Callable[[One], float]) -> float | None:
    """The score at which both sorts are equally likely, by a regression on its log-odds; None where more of it is no better.

    A score that is a probability has its even odds at 0.5.
    """

    def log_odds(one: One) -> tuple[float]:
        clipped = min(max(score(one), NO_EVIDENCE), 1 - NO_EVIDENCE)
        return (math.log(clipped / (1 - clipped)),)

    slope, intercept = fitted(examples(sets, log_odds), RIDGE)
    return probability(-intercept / slope) if slope > 0 else None


def answered(judged: Iterable[Judged], sort: bool, floor: float) -> Share:
    """How many of one sort are answered at a floor."""
    return share(one.is_open and one.base >= floor for one in of_sort(judged, sort))
