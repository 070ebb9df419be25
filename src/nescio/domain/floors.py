"""Floors with a name: how strict to be, in a word, and what that word costs on public question sets."""

from __future__ import annotations

from dataclasses import dataclass

# The floors, and how often each is wrong. `benchmarks/floors.py` measures the rates: the mean over public question sets.
STRICT_VALUE, STRICT_WRONGLY_ANSWERED, STRICT_WRONGLY_REFUSED = 0.65, 0.16, 0.27
BALANCED_VALUE, BALANCED_WRONGLY_ANSWERED, BALANCED_WRONGLY_REFUSED = 0.5, 0.27, 0.21
LENIENT_VALUE, LENIENT_WRONGLY_ANSWERED, LENIENT_WRONGLY_REFUSED = 0.35, 0.39, 0.13


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
