"""What may be meant by what is typed so far: titles, headings and names, as the documents write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

SUGGESTED = 8  # suggestions that are given unless another number is asked for: as many as a list shows without scrolling
MOST_SUGGESTED = 20
LONGEST_TYPED = 200  # code points of what is completed; nobody who typed more looks for a heading


class SuggestionKind(StrEnum):
    """What a suggestion is in the documents."""

    TITLE = "title"  # of a page
    HEADING = "heading"
    NAME = "name"  # an identifier in a title or heading: an option, a function, a file


class PageHeadings(NamedTuple):
    """The title and the headings of a page in the order in which they are read: of each its text, the number of the first
    passage below it, and its place in that passage's heading path, counted from 1; 0 is the title.
    """

    texts: Sequence[str]
    passages: Sequence[int]
    depths: Sequence[int]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that can be asked, and where it stands: the page, the headings down to it, and where that is read."""

    text: str
    kind: SuggestionKind
    source: str
    path: str
    version: str | None
    title: str
    heading_path: tuple[str, ...]
    url: str | None
