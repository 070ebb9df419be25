"""A passage as its words: what is indexed, and what evidence is computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MAX_POSITION = 16_383  # positions are kept in 14 bits; the words of a passage beyond are not indexed


@dataclass(frozen=True, slots=True)
class Sentence:
    """Where a sentence starts. `refers` marks one that merely points elsewhere ("see ...", "for more information ...");
    `counts` one that holds a number, in digits or in words.
    """

    position: int
    refers: bool
    counts: bool

    @property
    def packed(self) -> int:
        """All three in 16 bits: `position * 4 + counts * 2 + refers`."""
        return self.position * 4 + self.counts * 2 + self.refers


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """The terms of one passage.

    `places` maps each term of the body to its occurrences, ascending, each `position * 2 + is_in_link_text`. Positions count
    words from 0 and skip three at the end of a paragraph. `sentences` are in order. `paragraphs` has the position of each
    block of the passage, one without words at the position of the next. `heading` holds the terms of the passage's own
    heading, `path` those of the headings and the title above it and of the file's path, `title` those of the page's title;
    all three without repeats, in order.
    """

    places: Mapping[str, list[int]]
    sentences: tuple[Sentence, ...]
    paragraphs: tuple[int, ...]
    heading: tuple[str, ...]
    path: tuple[str, ...]
    title: tuple[str, ...]
