"""Floors with a name: how strict to be, in a word, and what that word costs on public question sets."""

from __future__ import annotations

from dataclasses import dataclass

# `strict` is the lowest floor, in steps of .05, that answers at most a tenth of what is not covered, `lenient` the highest that
# refuses at most a tenth of what is covered; at `balanced` both sorts are equally likely. The rates are means over public
# question sets, which weigh the same: benchmarks/floors.py measures them.
STRICT_VALUE, STRICT_WRONGLY_ANSWERED, STRICT_WRONGLY_REFUSED = 0.65, 0.08, 0.29
BALANCED_VALUE, BALANCED_WRONGLY_ANSWERED, BALANCED_WRONGLY_REFUSED = 0.5, 0.15, 0.14
LENIENT_VALUE, LENIENT_WRONGLY_ANSWERED, LENIENT_WRONGLY_REFUSED = 0.4, 0.26, 0.10


@dataclass(frozen=True, slots=True)
class NamedFloor:
    """A floor with how often it is wrong, between 0 and 1.

    Of the questions that the documents do not cover it answers the share `wrongly_answered`, of those that they cover it
    refuses the share `wrongly_refused`.
    """

    name: str
    value: float
    wrongly_answered: float
    wrongly_refused: float


# From the one that refuses most to the one that answers most.
FLOORS = (
    NamedFloor("strict", STRICT_VALUE, STRICT_WRONGLY_ANSWERED, STRICT_WRONGLY_REFUSED),
    NamedFloor("balanced", BALANCED_VALUE, BALANCED_WRONGLY_ANSWERED, BALANCED_WRONGLY_REFUSED),
    NamedFloor("lenient", LENIENT_VALUE, LENIENT_WRONGLY_ANSWERED, LENIENT_WRONGLY_REFUSED),
)


def floor_value(floor: float | str) -> float:
    """The number of a floor that is a number or one of the names. Raises KeyError for another name."""
    return {named.name: named.value for named in FLOORS}[floor] if isinstance(floor, str) else floor
