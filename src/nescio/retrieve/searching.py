"""What was looked at for a question, the same in every answer and refusal."""

from __future__ import annotations

from dataclasses import dataclass

from nescio.domain.answers import Searched
from nescio.protocols import Index
from nescio.retrieve.question import Understood
from nescio.retrieve.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Looked:
    """Where was looked: the pages in view, what narrowed them, and their version, if they have one."""

    index: Index
    filters: tuple[str, ...]
    version: str | None


def searched(understood: Understood, ranking: Ranking, floor: float, looked: Looked) -> Searched:
    """All of it."""
    return Searched(
        documents=looked.index.documents,
        passages=looked.index.passages,
        terms=understood.terms,
        dropped=understood.dropped,
        unknown=understood.unknown,
        expanded=understood.expanded,
        floor=floor,
        best=ranking.best,
        filters=looked.filters,
        versions=(looked.version,) if looked.version is not None else (),
        index_id=looked.index.index_id,
    )
