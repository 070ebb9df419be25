"""Is a right one among the first of a ranking?"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence


def hit(ranked: Sequence[Hashable], right: Collection[Hashable], depth: int) -> bool:
    """Whether one of the right ones is among the first `depth`."""
    return any(one in right for one in ranked[:depth])
