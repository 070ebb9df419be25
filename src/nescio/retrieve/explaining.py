"""How did the score of a passage come about? The parts of it, for people who look."""

from __future__ import annotations

from nescio.domain.reports import HitExplanation
from nescio.protocols import PassageAt
from nescio.retrieve.ranking import Hit


def explained(hit: Hit, at: PassageAt, lacking: tuple[str, ...]) -> HitExplanation:
    """The working of a hit at its place. `lacking` are the words of the question that it has not."""
    found = hit.evidence
    return HitExplanation(
        at.passage.id,
        at.passage.source,
        at.passage.path,
        at.passage.page_path,
        at.passage.heading_path,
        found.passage_bm25,
        found.page_bm25,
        found.sentence,
        found.window,
        found.mean,
        hit.base.value,
        hit.preference.value,
        lacking,
    )
