"""The named floors: how often each is wrong on the sets that have both sorts of questions, and what values they should have.

Ends with 1 when the rates in `nescio.domain.floors` are not those that were measured: the mean over the sets, which weigh the
same. Below is the curve of both rates, and the values that the names should have.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import metrics
from judged import Judged, answered, both_sorts
from metrics import Share
from nescio.domain.floors import FLOORS, NamedFloor
from questions import open_set
from reporting import FAILED, ended, figure, parser, table, write_json

TOLERANCE = 0.005 + 1e-9  # floors.py has two places; the rest is for numbers that are no binary fractions
STEP = 0.05
CURVE = [round(at * STEP, 2) for at in range(1, round(1 / STEP))]
STRICT_WRONG = 0.10  # `strict` answers at most this share of what is not covered
LENIENT_REFUSED = 0.10  # `lenient` refuses at most this share of what is covered

Sets = Mapping[str, Sequence[Judged]]


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a floor is wrong: the means over the sets, or of one set."""

    wrongly_answered: float
    wrongly_refused: float


def wrongly_answered(judged: Sequence[Judged], floor: float) -> Share:
    """Of the questions that are not covered."""
    return answered(judged, False, floor)


def wrongly_refused(judged: Sequence[Judged], floor: float) -> Share:
    """Of the questions that are covered."""
    rightly = answered(judged, True, floor)
    return Share(rightly.of - rightly.hits, rightly.of)


def rates(sets: Sets, floor: float) -> Rates:
    """The means over the sets."""
    both = [
        metrics.mean([measure(judged, floor).value for judged in sets.values()])
        for measure in (wrongly_answered, wrongly_refused)
    ]
    return Rates(*both)


def is_as_told(named: NamedFloor, found: Rates) -> bool:
    """Whether what the code says of a floor is what was measured."""
    differences = named.wrongly_answered - found.wrongly_answered, named.wrongly_refused - found.wrongly_refused
    return all(abs(one) <= TOLERANCE for one in differences)


def suggested(sets: Sets) -> dict[str, float]:
    """The values that two of the names should have: the lowest floor that answers no more than STRICT_WRONG wrongly, and the
    highest that refuses no more than LENIENT_REFUSED wrongly. `balanced` is where both sorts are equally likely.
    """
    found = {floor: rates(sets, floor) for floor in CURVE}
    return {
        "strict": min(floor for floor in CURVE if found[floor].wrongly_answered <= STRICT_WRONG),
        "lenient": max(floor for floor in CURVE if found[floor].wrongly_refused <= LENIENT_REFUSED),
    }


def named_table(sets: Sets) -> str:
    """One row a floor and a set, one for their mean, and one for what the code says."""
    lines = [["floor", "set", "wrongly answered", "wrongly refused"]]
    for named in FLOORS:
        name = f"{named.name} {named.value:g}"
        for set_name, judged in sets.items():
            shares = [measure(judged, named.value) for measure in (wrongly_answered, wrongly_refused)]
            lines.append([name, set_name, *(figure(one, with_interval=True) for one in shares)])
        found = rates(sets, named.value)
        lines.append([name, "mean", figure(found.wrongly_answered), figure(found.wrongly_refused)])
        verdict = "" if is_as_told(named, found) else " DIFFERS"
        lines.append([name, f"in floors.py{verdict}", f"{named.wrongly_answered:.2f}", f"{named.wrongly_refused:.2f}"])
    return table(lines)


def curve_table(sets: Sets) -> str:
    """Both rates by floor: the mean, and those of every set."""
    lines = [["floor", "mean", *sets]]
    for floor in CURVE:
        of_sets = [f"{wrongly_answered(one, floor).value:.3f} {wrongly_refused(one, floor).value:.3f}" for one in sets.values()]
        found = rates(sets, floor)
        lines.append([f"{floor:.2f}", f"{found.wrongly_answered:.3f} {found.wrongly_refused:.3f}", *of_sets])
    return table(lines)


def report(sets: Sets) -> tuple[dict[str, Any], bool]:
    """Print everything; the figures, and whether the code tells what was measured."""
    print(f"Named floors\n{named_table(sets)}\n\nWrongly answered, wrongly refused, by floor\n{curve_table(sets)}\n")
    values = suggested(sets)
    for name, value in values.items():
        found = rates(sets, value)
        print(
            f"  suggested {name} {value:g}: {found.wrongly_answered:.2f} answered wrongly, {found.wrongly_refused:.2f} refused"
        )
    named = {
        one.name: {"floor": one.value, "mean": asdict(rates(sets, one.value)), "sets": _of_sets(sets, one.value)}
        for one in FLOORS
    }
    curve = {f"{floor:.2f}": asdict(rates(sets, floor)) for floor in CURVE}
    figures = {"named": named, "curve": curve, "suggested": values}
    return figures, all(is_as_told(one, rates(sets, one.value)) for one in FLOORS)


def _of_sets(sets: Sets, floor: float) -> dict[str, Any]:
    measures = {"wrongly_answered": wrongly_answered, "wrongly_refused": wrongly_refused}
    return {name: {key: measure(judged, floor) for key, measure in measures.items()} for name, judged in sets.items()}


def main() -> int:
    """Read the command line and run."""
    made = parser(__doc__)
    made.add_argument("sets", nargs="+", type=Path, metavar="SET_FOLDER")
    arguments = made.parse_args()
    sets = both_sorts([open_set(folder, arguments.work) for folder in arguments.sets], arguments.work)
    figures, is_right = report(sets)
    write_json(arguments.json, figures)
    return 0 if is_right else FAILED


if __name__ == "__main__":
    sys.exit(ended(main))
