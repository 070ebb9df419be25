"""Lists, definitions and footnotes of a Markdown page: which ranges they hold, and who refers to whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from nescio.domain.documents import Block, GroupKind
from nescio.ingest.parsers.footnotes import Footnotes, with_footnotes
from nescio.ingest.parsers.grouping import Region


class Containers:
    """Takes in the containers as they start and end. `blocks` are those of the page so far, `offsets` those of its feed."""

    def __init__(self, blocks: list[Block], offsets: Sequence[int], regions: list[Region]) -> None:
        self.footnotes = Footnotes()
        self._blocks, self._offsets, self._regions = blocks, offsets, regions
        self._notes: list[tuple[str, int]] = []  # the open footnotes, and how many blocks there were before each
        self._terms: list[list[int]] = []  # for each open list of definitions, where its terms start

    def start(self, name: str, value: Any, start: int, end: int) -> None:
        """A container that goes from `start` to `end` of the feed's bytes."""
        if name == "List":
            self._hold(GroupKind.LIST if value[name] is None else GroupKind.STEPS, start, end)
        elif name == "Item":
            self._hold(GroupKind.ENTRY, start, end)
        elif name == "DefinitionList":
            self._terms.append([])
        elif name == "DefinitionListTitle":
            self._terms[-1].append(self._offsets[start])
        elif name == "FootnoteDefinition":
            self._notes.append((value[name], len(self._blocks)))

    def end(self, name: str) -> None:
        """The innermost container of this name."""
        if name == "DefinitionList":
            self._end_definitions()
        elif name == "FootnoteDefinition":
            label, count = self._notes.pop()
            self.footnotes.define(label, self._blocks[count:])

    def _hold(self, kind: GroupKind, start: int, end: int) -> None:
        if end > start:
            self._regions.append(Region(kind, self._offsets[start], self._offsets[end - 1] + 1))

    def _end_definitions(self) -> None:
        """The range is not the event's, which reaches over the paragraph that follows."""
        starts = self._terms.pop()
        last = self._blocks[-1].span.end if self._blocks else 0
        if starts and last > starts[-1]:
            self._regions.append(Region(GroupKind.LIST, starts[0], last))
            self._regions.extend(Region(GroupKind.ENTRY, *pair) for pair in pairwise([*starts, last]))

    def add_needs(self) -> None:
        """Say of each block which footnotes it needs, when all of them are known."""
        self._blocks[:] = with_footnotes(self._blocks, self.footnotes)
