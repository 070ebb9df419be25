"""The open elements of an HTML page, and which of them a tag closes. Every question takes the same time at any depth."""

from __future__ import annotations

from dataclasses import dataclass

from nescio.ingest.parsers.html_rules import BLOCKS, CLOSED_BY
from nescio.ingest.parsers.outline import Section

CELLS = ("td", "th", "caption")  # an end tag inside of one closes nothing outside of it, but for the table's own
TABLE_TAGS = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"})


@dataclass(frozen=True, slots=True)
class Element:
    """An open element. `section` is the section that goes on when a list of definitions ends."""

    name: str
    is_dropped: bool = False
    is_link: bool = False
    is_code: bool = False
    has_anchor: bool = False
    section: Section | None = None


class OpenElements:
    """A stack with the places of every name in it, and counts of what decides how text is read."""

    def __init__(self) -> None:
        self._elements: list[Element] = []
        self._places: dict[str, list[int]] = {}
        self._blocks: list[int] = []
        self.dropped = self.links = self.codes = 0

    def __len__(self) -> int:
        return len(self._elements)

    def __getitem__(self, index: int) -> Element:
        return self._elements[index]

    def last(self, name: str) -> int:
        """Where the innermost open element of this name is, -1 when there is none."""
        places = self._places.get(name)
        return places[-1] if places else -1

    def push(self, element: Element) -> None:
        """Open an element."""
        index = len(self._elements)
        self._elements.append(element)
        self._places.setdefault(element.name, []).append(index)
        if element.name in BLOCKS:
            self._blocks.append(index)
        self.dropped += element.is_dropped
        self.links += element.is_link
        self.codes += element.is_code

    def pop(self) -> Element:
        """Close the innermost element."""
        element = self._elements.pop()
        self._places[element.name].pop()
        if element.name in BLOCKS:
            self._blocks.pop()
        self.dropped -= element.is_dropped
        self.links -= element.is_link
        self.codes -= element.is_code
        return element

    def closed_by_start(self, name: str) -> int:
        """The place down to which the start tag `name` closes elements whose end tags may be left out; the length for none."""
        closing, barriers = CLOSED_BY.get(name, ((), ()))
        limit = max((self.last(barrier) for barrier in barriers), default=-1)
        places = [place for place in map(self.last, closing) if place > limit]
        if not places and name in BLOCKS and self._blocks and self._blocks[-1] == self.last("p"):
            return self._blocks[-1]
        return min(places, default=len(self._elements))

    def closed_by_end(self, name: str) -> int:
        """The place down to which the end tag `name` closes elements; the length when it closes nothing."""
        place = self.last(name)
        if place < 0:
            return len(self._elements)
        limit = -1
        if name not in BLOCKS:
            limit = self._blocks[-1] if self._blocks else -1
        elif name not in TABLE_TAGS:
            limit = max(map(self.last, CELLS))
        return place if place > limit else len(self._elements)
