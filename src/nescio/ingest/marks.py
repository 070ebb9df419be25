"""Which readers is a page for? What its front matter says of each facet, else what its source says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

AUDIENCE = "audience"  # the facet of the `audiences` of a source
NOBODY = ","  # a value that no reader view has: a mark that cannot be read hides the page from every view of its facet
_JOINED = "-"


def marks(front_matter: Mapping[str, Any], facets: Mapping[str, str], audiences: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each facet that the page is marked for, the values, sorted. `facets` gives the key of each in the front matter."""
    found = {facet: _values(front_matter.get(key)) for facet, key in facets.items()}
    if not found.get(AUDIENCE) and audiences:
        found[AUDIENCE] = _values(list(audiences))
    return {facet: values for facet, values in found.items() if values}


def _values(said: Any) -> tuple[str, ...]:
    """A value or a list of them, in lower case, white space inside joined by hyphens; none where nothing is said."""
    if said is None or said == "" or said == []:
        return ()
    listed = said if isinstance(said, list) else [said]
    return tuple(sorted({_value(one) for one in listed}))


def _value(said: Any) -> str:
    plain = _JOINED.join(str(said).lower().replace(",", " ").split()) if isinstance(said, str | int | float) else ""
    return plain or NOBODY
