"""Is an evaluation good enough? Limits on its figures, and no worse than last time: what a CI job passes or fails by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nescio.evaluate.measuring.baseline import Baseline
from nescio.evaluate.measuring.counting import is_page_at
from nescio.evaluate.measuring.figures import Evaluation
from nescio.evaluate.measuring.outcomes import Outcome, Verdict
from nescio.evaluate.measuring.verdicts import verdict
from nescio.evaluate.metrics.shares import Share

# More than half of either sort wrong is worse than a coin: an engine that always answers fails, and one that always refuses.
DEFAULT_LIMIT = 0.5
SLACK = 1e-9  # two ways to work out the same share may differ in the last bits
MOST_NAMED = 5  # cases in a sentence


@dataclass(frozen=True, slots=True)
class Gate:
    """Limits, each a share; None means the default. `min_answered` is of the covered questions that are answered, from whatever
    page; it has no default, `max_refused` says the same from the other side.
    """

    min_answered: float | None = None
    max_wrong: float | None = None
    max_refused: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison. `sentence` says it in words, whether it passed or not."""

    name: str
    passed: bool
    value: float
    limit: float
    sentence: str


def checks(evaluation: Evaluation, gate: Gate, baseline: Baseline | None = None) -> tuple[Check, ...]:
    """All checks, in a fixed order: `both_sorts`, `max_wrong`, `max_refused`, `min_answered` where it was asked for, and with a
    baseline `baseline_wrongly_answered`, `baseline_wrongly_refused`, `baseline_page_at_1`, as far as both have the figure.
    """
    figures = evaluation.figures
    wrong = DEFAULT_LIMIT if gate.max_wrong is None else gate.max_wrong
    refused = DEFAULT_LIMIT if gate.max_refused is None else gate.max_refused
    found = [
        _both_sorts(figures.wrongly_refused.of, figures.wrongly_answered.of),
        _at_most("max_wrong", figures.wrongly_answered, wrong, "questions that are not covered were answered"),
        _at_most("max_refused", figures.wrongly_refused, refused, "covered questions were refused"),
    ]
    if gate.min_answered is not None:
        found.append(_min_answered(figures.wrongly_refused, gate.min_answered))
    return (*found, *(_against(evaluation, baseline) if baseline else ()))


def _both_sorts(covered: int, uncovered: int) -> Check:
    sentence = f"The file has {covered} covered questions and {uncovered} that are not covered."
    if not uncovered:
        sentence += " Add some that must be refused: without them an engine that always answers passes."
    if not covered:
        sentence += " Add some that must be answered: without them an engine that always refuses passes."
    fewest = min(covered, uncovered)
    return Check("both_sorts", fewest > 0, fewest, 1, sentence)


def _at_most(name: str, found: Share, limit: float, what: str) -> Check:
    sentence = f"{found.hits} of {found.of} {what}: {found.value * 100:.1f} %, at most {limit * 100:.1f} % allowed."
    return Check(name, found.value <= limit + SLACK, found.value, limit, sentence)


def _min_answered(refused: Share, limit: float) -> Check:
    answered = Share(refused.of - refused.hits, refused.of)
    counts = f"{answered.hits} of {answered.of} covered questions were answered"
    sentence = f"{counts}: {answered.value * 100:.1f} %, at least {limit * 100:.1f} % wanted."
    return Check("min_answered", answered.value >= limit - SLACK, answered.value, limit, sentence)


@dataclass(frozen=True, slots=True)
class _Rate:
    """A figure now and last time. `is_bad` tells the cases that make it worse."""

    name: str
    what: str
    now: Share
    before: Share
    is_bad: Callable[[Outcome], bool]
    higher_is_better: bool = False

    @property
    def passed(self) -> bool:
        """Whether it is no worse than before."""
        gained = self.now.value - self.before.value
        return (gained if self.higher_is_better else -gained) >= -SLACK


def _against(evaluation: Evaluation, baseline: Baseline) -> Iterator[Check]:
    figures = evaluation.figures
    rates = (
        _Rate(
            "wrongly_answered",
            "not covered and answered",
            figures.wrongly_answered,
            baseline.wrongly_answered,
            lambda one: verdict(one) is Verdict.WRONGLY_ANSWERED,
        ),
        _Rate(
            "wrongly_refused",
            "covered and refused",
            figures.wrongly_refused,
            baseline.wrongly_refused,
            lambda one: one.case.answerable and not one.is_answered,
        ),
        _Rate(
            "page_at_1",
            "with a right page first",
            dict(figures.page_at).get(1, Share(0, 0)),
            baseline.page_at_1,
            lambda one: bool(one.case.expect) and not is_page_at(one, 1),
            higher_is_better=True,
        ),
    )
    return (_compared(rate, evaluation.outcomes, baseline) for rate in rates if rate.now.of and rate.before.of)


def _compared(rate: _Rate, outcomes: Sequence[Outcome], baseline: Baseline) -> Check:
    sentence = f"{rate.what.capitalize()}: {rate.now.value * 100:.1f} %, last time {rate.before.value * 100:.1f} %."
    if not rate.passed:
        sentence += _got_worse(rate, outcomes, baseline)
    return Check(f"baseline_{rate.name}", rate.passed, rate.now.value, rate.before.value, sentence)


def _got_worse(rate: _Rate, outcomes: Sequence[Outcome], baseline: Baseline) -> str:
    """The cases to look at: those that came out otherwise then, and those that were not asked then."""
    bad = [one for one in outcomes if rate.is_bad(one) and verdict(one).value != baseline.verdicts.get(one.case.id)]
    worse = [one.case.id for one in bad if one.case.id in baseline.verdicts]
    new = [one.case.id for one in bad if one.case.id not in baseline.verdicts]
    return (f" Got worse: {_several(worse)}." if worse else "") + (f" Not asked then: {_several(new)}." if new else "")


def _several(ids: Sequence[str]) -> str:
    more = len(ids) - MOST_NAMED
    return ", ".join(ids[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
