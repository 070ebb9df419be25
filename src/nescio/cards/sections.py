"""Which section does a heading belong to? By patterns for the whole heading, tried in the order of the sections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

LONGEST_HEADING = 200  # code points; what is longer is no name of a section, and costs no look
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,4}[.):]?\s+")
_EDGE = " \t\r\n:.!?,;*_#`-"


class Sections:
    """The sections of every card, and the headings that belong to each."""

    def __init__(self, patterns: Mapping[str, Sequence[str]]) -> None:
        self.names = tuple(patterns)
        self._patterns = [(name, re.compile(one, re.IGNORECASE)) for name, several in patterns.items() for one in several]

    def of(self, heading: str) -> str | None:
        """The first section with a pattern for the whole of a heading; None where there is none.

        White space is evened out; numbers and signs around the words do not count.
        """
        if len(heading) > LONGEST_HEADING:
            return None
        title = _plain(heading)
        return next((name for name, pattern in self._patterns if pattern.fullmatch(title)), None)


def _plain(heading: str) -> str:
    title = " ".join(heading.split())
    number = _NUMBER.match(title)
    title = (title[number.end() :] if number else title).strip(_EDGE)
    while title and not title[0].isalnum():  # an emoji before the words
        title = title[1:]
    return title
