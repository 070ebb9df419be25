"""Which floor fits a question file? The one that costs least, or the one that keeps wrong answers under a target."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from nescio.domain.answers import Answer, Reason
from nescio.domain.floors import FLOORS
from nescio.errors import UsageFault
from nescio.evaluate.cases import Outcome
from nescio.evaluate.figures import Estimate, Evaluation
from nescio.evaluate.metrics.auroc import auroc, auroc_interval
from nescio.evaluate.metrics.binomial import least_of, most_hits, upper_bound
from nescio.evaluate.metrics.shares import Share

FEWEST = 10  # questions of each sort: with fewer, one question more or less moves the rates by over a tenth
STEPS = 1000  # a floor has three decimals: what is written is what was measured
FOLDS = 5
BINS = 20  # of a histogram: a screenful
# Refused for what the question is, not for weak evidence: no floor answers these.
_BY_FLOOR = frozenset({Reason.BELOW_FLOOR, Reason.HIDDEN_BY_FILTER})
_CHANCE = 0.5  # the AUROC of a coin


@dataclass(frozen=True, slots=True)
class Aim:
    """What to choose the floor by: `cost`, how much worse a wrong answer is than a refused question that is covered; or, where
    it is given, `max_wrong`, the share of wrong answers that must not be exceeded, with `confidence`.

    Raises UsageFault (`calibrate-out-of-range`).
    """

    cost: float = 1.0
    max_wrong: float | None = None
    confidence: float = 0.9

    def __post_init__(self) -> None:
        if not (0 < self.cost < math.inf):
            raise _out_of_range("cost", self.cost, "a number above 0")
        if self.max_wrong is not None and not 0 < self.max_wrong < 1:
            raise _out_of_range("share of wrong answers", self.max_wrong, "a number between 0 and 1")
        if not 0 < self.confidence < 1:
            raise _out_of_range("confidence", self.confidence, "a number between 0 and 1")

    @property
    def said(self) -> str:
        """The aim in a few words, as it is written beside the floor."""
        if self.max_wrong is None:
            return f"cost {self.cost:g}"
        return f"max-wrong {self.max_wrong:g}, confidence {self.confidence:g}"


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with the evidence that was found; it is answered at every floor above 0 that is no more than `base`."""

    id: str
    base: float
    answerable: bool


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a floor is wrong: of the questions that are not covered, and of those that are."""

    floor: float
    wrongly_answered: Share
    wrongly_refused: Share


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """How many questions of each sort score at least `low` and less than `high` (the last bin: at most)."""

    low: float
    high: float
    answerable: int
    unanswerable: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The floor that was chosen, to three decimals, and how often it is wrong.

    `rates` are of the questions that it was chosen on, `held_out` of the same questions, each fifth of them decided by a floor
    that the rest chose. `wrong_bound` is the most that the true share of wrong answers is, with the aim's confidence; where the
    floor was chosen by a cost, the choice has seen these questions, and the bound is a little low.
    """

    rates: Rates
    held_out: Rates
    wrong_bound: float


@dataclass(frozen=True, slots=True)
class NotSeparable:
    """No floor is of use, and why. `needed`: how many unanswerable questions the target takes, when there are fewer."""

    sentence: str
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a calibration found. `named` are the named floors on these questions, `curve` twenty floors up to 1."""

    file: str
    file_sha256: str
    index_id: str
    aim: Aim
    answerable: int
    unanswerable: int
    faults: int
    auroc: Estimate
    bins: tuple[ScoreBin, ...]
    named: tuple[Rates, ...]
    curve: tuple[Rates, ...]
    result: Calibrated | NotSeparable


def calibrate(evaluation: Evaluation, aim: Aim) -> CalibrationReport:
    """The report on an evaluation at any floor. Questions that could not be asked are left out.

    Raises UsageFault (`calibrate-too-few`).
    """
    questions = scored(evaluation.outcomes)
    sorts = _Sorts(questions)
    _check_count(sorts, evaluation.file)
    area = _area(questions)
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


def _area(questions: Sequence[Scored]) -> Estimate:
    covered, uncovered = ([one.base for one in questions if one.answerable is sort] for sort in (True, False))
    area = auroc(covered, uncovered) or 0.0  # both sorts are there
    return Estimate(area, *auroc_interval(area, len(covered), len(uncovered)))


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


def _check_count(sorts: _Sorts, file: str) -> None:
    there, lacking = len(sorts.covered), len(sorts.uncovered)
    if min(there, lacking) < FEWEST:
        raise UsageFault(
            "calibrate-too-few",
            f"{file} has {there} answerable and {lacking} unanswerable questions, and a floor needs {FEWEST} of each.",
            "Add questions that readers ask: some that the documents answer, and some near them that they do not.",
        )


def _out_of_range(what: str, given: float, expected: str) -> UsageFault:
    message = f"The {what} is {given:g}; expected: {expected}."
    return UsageFault("calibrate-out-of-range", message, "Run `nescio calibrate --help`.")
