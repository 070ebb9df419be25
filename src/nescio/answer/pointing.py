"""Where a suggestion leads: its page, the headings down to it, and the address of both."""

from __future__ import annotations

from dataclasses import replace

from nescio.answer.links import page_url
from nescio.domain.suggestions import Suggestion, SuggestionKind
from nescio.protocols import PassageAt


def suggestion(text: str, kind: SuggestionKind, depth: int, at: PassageAt) -> Suggestion:
    """`at` is the first passage below the title (`depth` 0) or heading that the text stands in.

    The address of a title is that of its page. A heading without a text of its own leads to what comes first below it.
    """
    passage = at.passage
    page = at if depth else replace(at, passage=replace(passage, anchor=""), site_anchor=None)
    return Suggestion(
        text,
        kind,
        passage.source,
        passage.page_path,
        at.version,
        passage.title,
        passage.heading_path[:depth],
        page_url(page),
    )
