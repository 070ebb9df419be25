"""Which floor fits a question file? The one that costs least, or the one that keeps wrong answers under a target."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from nescio.domain.answers import Answer, Reason
from nescio.domain.floors import FLOORS
from nescio.errors import UsageFault
from nescio.evaluate.calibrating.values import Aim, Calibrated, CalibrationReport, NotSeparable, Rates, ScoreBin, Scored
from nescio.evaluate.measuring.counting import separation
from nescio.evaluate.measuring.figures import Estimate, Evaluation
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.evaluate.metrics.binomial import least_of, most_hits, upper_bound
from nescio.evaluate.metrics.shares import Share

FEWEST = 10  # questions of each sort: with fewer, one question more or less moves the rates by over a tenth
STEPS = 1000  # a floor has three decimals: what is written is what was measured
FOLDS = 5
BINS = 20  # of a histogram: a screenful
# Refused for what the question is, not for weak evidence: no floor answers these.
_BY_FLOOR = frozenset({Reason.BELOW_FLOOR, Reason.HIDDEN_BY_FILTER})
_CHANCE = 0.5  # the AUROC of a coin


def calibrate(evaluation: Evaluation, aim: Aim) -> CalibrationReport:
    """The report on an evaluation at any floor. Questions that could not be asked are left out.

    Raises UsageFault (`calibrate-too-few`).
    """
    questions = scored(evaluation.outcomes)
    sorts = _Sorts(questions)
    area = separation(sorts.covered, sorts.uncovered)
    if area is None or min(len(sorts.covered), len(sorts.uncovered)) < FEWEST:
        raise _too_few(sorts, evaluation.file)
    return CalibrationReport(
        evaluation.file,
        evaluation.file_sha256,
        evaluation.index_id,
        aim,
        len(sorts.covered),
        len(sorts.uncovered),
        len(evaluation.outcomes) - len(questions),
        area,
        score_bins(questions),
        tuple(sorts.rates(floor.value) for floor in FLOORS),
        tuple(sorts.rates((number + 1) / BINS) for number in range(BINS)),
        choose(questions, aim, area),
    )


def scored(outcomes: Iterable[Outcome]) -> tuple[Scored, ...]:
    """What the outcomes say of each question, those that could not be asked left out."""
    return tuple(Scored(one.case.id, _reached(one), one.case.answerable) for one in outcomes if one.result is not None)


def choose(questions: Sequence[Scored], aim: Aim, area: Estimate) -> Calibrated | NotSeparable:
    """The floor for an aim; `area` is the AUROC. The order of the questions does not matter.

    By cost: the floor of three decimals with the least cost * (share of the unanswerable that it answers) + (share of the
    answerable that it refuses); of all the best, the middle of the widest stretch.

    By the most wrong answers: floors are tried from 1 down as long as the upper bound of their share of wrong answers is no
    more than the target; of the last ones, which refuse least and do not differ on these questions, the middle. Since the order
    of trying is fixed beforehand, the bound holds with the aim's confidence though the floor was chosen by it (Learn then test,
    Angelopoulos et al., 2021).
    """
    sorts = _Sorts(questions)
    if area.low <= _CHANCE:
        return NotSeparable(
            f"The two sorts of questions score alike: the AUROC is {area.value:.2f}, and it may be as low as {area.low:.2f}; "
            f"{_CHANCE} is chance."
        )
    floor = _floor(sorts, aim, len(sorts.uncovered))
    rates = sorts.rates(floor) if floor is not None else None
    if floor is None or rates is None or rates.wrongly_refused.value == 1:
        return _nothing_left(sorts, aim)
    if rates.wrongly_answered.value == 1:
        return NotSeparable(f"By {aim.said} it would be best to answer every question: then no floor is needed.")
    bound = upper_bound(rates.wrongly_answered.hits, rates.wrongly_answered.of, aim.confidence)
    return Calibrated(rates, _held_out(questions, aim, floor), bound)


def score_bins(questions: Iterable[Scored]) -> tuple[ScoreBin, ...]:
    """How the two sorts spread over the scores, from the lowest up."""
    counts = [[0, 0] for _ in range(BINS)]
    for question in questions:
        counts[min(int(question.base * BINS), BINS - 1)][question.answerable] += 1
    return tuple(ScoreBin(at / BINS, (at + 1) / BINS, covered, not_covered) for at, (not_covered, covered) in enumerate(counts))


class _Sorts:
    """The scores of both sorts in order, to count them against many floors."""

    def __init__(self, questions: Iterable[Scored]) -> None:
        kept = sorted((question.base, question.answerable) for question in questions)
        self.covered = [base for base, answerable in kept if answerable]
        self.uncovered = [base for base, answerable in kept if not answerable]

    def rates(self, floor: float) -> Rates:
        """How often a floor is wrong."""
        answered = len(self.uncovered) - bisect_left(self.uncovered, floor)
        refused = bisect_left(self.covered, floor)
        return Rates(floor, Share(answered, len(self.uncovered)), Share(refused, len(self.covered)))


def _floor(sorts: _Sorts, aim: Aim, all_unanswerable: int) -> float | None:
    """The floor for an aim; None where none reaches it. A part of the questions is allowed its part of the wrong answers."""
    every = [sorts.rates(step / STEPS) for step in range(1, STEPS + 1)]
    if aim.max_wrong is None:
        return _middle_of_widest(every, aim.cost)
    allowed = most_hits(all_unanswerable, aim.max_wrong, aim.confidence)
    if allowed is None:
        return None
    within = [r for r in every if r.wrongly_answered.hits * all_unanswerable <= allowed * len(sorts.uncovered)]
    lowest = [r for r in within if r.wrongly_refused == within[0].wrongly_refused]
    lowest = [r for r in lowest if r.wrongly_answered == lowest[0].wrongly_answered]
    return lowest[(len(lowest) - 1) // 2].floor if lowest else None


def _middle_of_widest(every: Sequence[Rates], cost: float) -> float:
    """The middle of the longest run of floors that cost least; of equally long ones, of the highest."""
    exact = Fraction(repr(float(cost)))  # the number that was written, so that equal costs are equal
    costs = [_loss(rates, exact) for rates in every]
    least = min(costs)
    runs = groupby(zip(every, costs, strict=True), lambda pair: pair[1] == least)
    best = [[rates.floor for rates, _ in run] for is_best, run in runs if is_best]
    widest = max(best, key=lambda run: (len(run), run[0]))
    return widest[(len(widest) - 1) // 2]


def _loss(rates: Rates, cost: Fraction) -> int:
    """cost * (share wrongly answered) + (share wrongly refused), times all denominators: whole, so that ties are ties."""
    wrong, refused = rates.wrongly_answered, rates.wrongly_refused
    return cost.numerator * wrong.hits * refused.of + cost.denominator * refused.hits * wrong.of


def _held_out(questions: Sequence[Scored], aim: Aim, floor: float) -> Rates:
    """The rates when each question is decided by a floor that was chosen without its fold. `floor` is what they stand for."""
    folds = _folds(questions)
    unanswerable = sum(not question.answerable for question in questions)
    wrong = refused = 0
    for fold in folds:
        rest = [question for other in folds if other is not fold for question in other]
        chosen = _floor(_Sorts(rest), aim, unanswerable)
        found = _Sorts(fold).rates(2.0 if chosen is None else chosen)  # nothing reaches 2
        wrong, refused = wrong + found.wrongly_answered.hits, refused + found.wrongly_refused.hits
    return Rates(floor, Share(wrong, unanswerable), Share(refused, len(questions) - unanswerable))


def _folds(questions: Sequence[Scored]) -> list[list[Scored]]:
    """The questions in five parts, each sort dealt out in the order of its ids' hashes: the same whatever the file's order."""
    folds: list[list[Scored]] = [[] for _ in range(FOLDS)]
    for answerable in (True, False):
        sort = [question for question in questions if question.answerable is answerable]
        for place, question in enumerate(sorted(sort, key=lambda q: (_hash(q.id), q.base))):
            folds[place % FOLDS].append(question)
    return folds


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _reached(outcome: Outcome) -> float:
    """The evidence that a floor is compared with; nothing where no floor would have let it be answered."""
    result = outcome.result
    return outcome.base if isinstance(result, Answer) or (result and result.reason in _BY_FLOOR) else 0.0


def _nothing_left(sorts: _Sorts, aim: Aim) -> NotSeparable:
    """Why no floor under which anything covered is still answered reaches the aim."""
    if aim.max_wrong is None:
        return NotSeparable(f"By {aim.said} it would be best to refuse every question: some that lack an answer score highest.")
    there, needed = len(sorts.uncovered), least_of(aim.max_wrong, aim.confidence)
    target = f"a share of at most {aim.max_wrong:g} wrong answers with confidence {aim.confidence:g}"
    if there < needed:
        bound = upper_bound(0, there, aim.confidence)
        return NotSeparable(
            f"To show {target} takes at least {needed} unanswerable questions, and there are {there}: "
            f"were all of them refused, the share could still be {bound:.2g}.",
            needed,
        )
    return NotSeparable(f"No floor that answers anything reaches {target}: questions that lack an answer score highest.")


def _too_few(sorts: _Sorts, file: str) -> UsageFault:
    there, lacking = len(sorts.covered), len(sorts.uncovered)
    return UsageFault(
        "calibrate-too-few",
        f"{file} has {there} answerable and {lacking} unanswerable questions, and a floor needs {FEWEST} of each.",
        "Add questions that readers ask: some that the documents answer, and some near them that they do not.",
    )
