"""How the three constants of the score are chosen: a logistic regression of E and D on whether a question is covered.

score = 1 / (1 + exp(OFFSET - EVIDENCE E - STANDOUT D)), `nescio.retrieve.evidence`. All sets that have both sorts of questions
weigh the same, and inside a set both sorts do, so that 0.5 is where both are equally likely. Each set is also measured with the
constants that the other sets alone give: that is what may be expected of a set that was never seen.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from judged import RIDGE, SORTS, Judged, both_sorts, examples, of_sort
from logistic import fitted, probability
from metrics import Share, auroc, share
from nescio.evaluate.metrics.calibration import brier, calibration_error, error_interval, perfect_error
from nescio.retrieve import evidence
from questions import open_set
from reporting import ended, figure, note, parser, table, write_json
from retrieval import halves

FLOOR = 0.5  # where both sorts are equally likely
SAME = 1e-6  # between the engine's score and ours

Sets = Mapping[str, Sequence[Judged]]


@dataclass(frozen=True, slots=True)
class Constants:
    """Those of the score."""

    offset: float
    evidence: float
    standout: float

    @classmethod
    def of_code(cls) -> Constants:
        """As they are in the code now."""
        return cls(evidence.OFFSET, evidence.EVIDENCE, evidence.STANDOUT)

    def score(self, one: Judged) -> float:
        """What the engine would have said with these."""
        return probability(self.evidence * one.evidence + self.standout * one.standout - self.offset)

    def __str__(self) -> str:
        return f"OFFSET {self.offset:.2f}  EVIDENCE {self.evidence:.2f}  STANDOUT {self.standout:.2f}"


def fit(sets: Sets, ridge: float = RIDGE) -> Constants:
    """The constants that suit these sets best. Each sort of each set weighs one, over the number of sets."""
    slope, other_slope, intercept = fitted(examples(sets, lambda one: (one.evidence, one.standout)), ridge)
    return Constants(-intercept, slope, other_slope)


def measured(judged: Sequence[Judged], constants: Constants) -> dict[str, Any] | None:
    """The figures of one set, or of a half of it, with these constants; None where one sort is absent."""
    covered, uncovered = ([constants.score(one) for one in of_sort(judged, sort)] for sort in SORTS)
    if not covered or not uncovered:
        return None
    low, high = error_interval(covered, uncovered)
    return {
        "AUROC": auroc(covered, uncovered),
        "answered": _answered(judged, constants, True),
        "refused": _refused(judged, constants),
        "calibration error": calibration_error(covered, uncovered),
        "calibration error low": low,
        "calibration error high": high,
        "calibration error of a perfect one": perfect_error(covered, uncovered),
        "Brier": brier(covered, uncovered),
    }


def _answered(judged: Sequence[Judged], constants: Constants, sort: bool) -> Share:
    return share(one.is_open and constants.score(one) >= FLOOR for one in of_sort(judged, sort))


def _refused(judged: Sequence[Judged], constants: Constants) -> Share:
    wrong = _answered(judged, constants, False)
    return Share(wrong.of - wrong.hits, wrong.of)


def choices(sets: Sets) -> dict[str, dict[str, Constants]]:
    """For each set the constants that it is measured with: the code's, those fitted on all, those fitted on the other sets."""
    common = {"in the code": Constants.of_code(), "fitted on all": fit(sets)}
    return {name: common | _left_out(sets, name) for name in sets}


def _left_out(sets: Sets, name: str) -> dict[str, Constants]:
    others = {other: judged for other, judged in sets.items() if other != name}
    return {"fitted without it": fit(others)} if others else {}


HEAD = ["constants", "of", "AUROC", "answered", "refused", "calibration error", "perfect", "Brier"]


def rows(figures: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """One for each choice of constants and each part of the set."""
    return [_row(name, part, found) for name, parts in figures.items() for part, found in parts.items() if found]


def _row(name: str, part: str, found: Mapping[str, Any]) -> list[str]:
    error = "{calibration error:.3f} [{calibration error low:.2f}, {calibration error high:.2f}]".format_map(found)
    shares = [figure(found[one], with_interval=part == "all") for one in ("answered", "refused")]
    perfect, score = figure(found["calibration error of a perfect one"]), figure(found["Brier"])
    return [name, part, figure(found["AUROC"]), *shares, error, perfect, score]


def different_scores(sets: Sets) -> int:
    """How many questions the engine gives another score than the constants in the code do."""
    code = Constants.of_code()
    return sum(one.is_open and abs(code.score(one) - one.base) > SAME for judged in sets.values() for one in judged)


def report(sets: Sets) -> dict[str, Any]:
    """Print the constants and the figures of every set, and return them."""
    chosen = choices(sets)
    different = different_scores(sets)
    if different:
        note(f"warning: {different} questions have a score that OFFSET, EVIDENCE and STANDOUT do not make")
    common = {name: found for choice in chosen.values() for name, found in choice.items() if name != "fitted without it"}
    print("\n".join(f"{name:<14} {found}" for name, found in common.items()), "\n")
    figures: dict[str, Any] = {}
    for name, judged in sets.items():
        parts = halves(judged)
        its = {
            choice: {part: measured(some, with_these) for part, some in parts.items()}
            for choice, with_these in chosen[name].items()
        }
        print(f"{name}: {len(judged)} questions\n{table([HEAD, *rows(its)])}")
        if "fitted without it" in chosen[name]:
            print(f"  fitted without it: {chosen[name]['fitted without it']}")
        print(flush=True)
        constants = {choice: asdict(with_these) for choice, with_these in chosen[name].items()}
        figures[name] = {"questions": len(judged), "constants": constants, "measures": its}
    return figures


def main() -> int:
    """Read the command line and run."""
    made = parser(__doc__)
    made.add_argument("sets", nargs="+", type=Path, metavar="SET_FOLDER")
    arguments = made.parse_args()
    sets = both_sorts([open_set(folder, arguments.work) for folder in arguments.sets], arguments.work)
    write_json(arguments.json, report(sets))
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
