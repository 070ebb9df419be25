"""So many of so many, with Wilson's interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

Z_95 = 1.959964  # the standard normal's 97.5 % point: two-sided 95 % intervals


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """Between 0 and 1; 0 where there is nothing to count."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the time the true share is between these."""
        return wilson(self.hits, self.of)


def share(outcomes: Iterable[bool]) -> Share:
    """How many of the outcomes are true."""
    found = list(outcomes)
    return Share(sum(found), len(found))


def wilson(hits: int, of: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a share, sound for small counts and near 0 and 1; (0, 1) of nothing.

    Probable inference, the law of succession, and statistical inference, 1927.
    """
    if not of:
        return 0.0, 1.0
    observed = hits / of
    scale = 1 + z * z / of
    centre = (observed + z * z / (2 * of)) / scale
    reach = z / scale * math.sqrt(observed * (1 - observed) / of + z * z / (4 * of * of))
    return centre - reach if hits else 0.0, centre + reach if hits < of else 1.0
