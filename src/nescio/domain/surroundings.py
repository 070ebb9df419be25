"""What stands around a quote in its file, for a reader who wants to see it in place."""

from __future__ import annotations

from dataclasses import dataclass

from nescio.domain.answers import Quote


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`before` and `after` are exact slices of the file's text that touch the quote's first and last span.

    `start_line` and `end_line` are the first and last line of which something is shown, 1-based and inclusive.
    """

    quote: Quote
    before: str
    after: str
    start_line: int
    end_line: int
