"""The groups of a reStructuredText page: items and boxes as their bodies begin and end, and the lists that items make."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from nescio.domain.documents import Block, GroupKind
from nescio.domain.spans import Span
from nescio.ingest.parsers.grouping import Region, content_start, grouped
from nescio.ingest.parsers.questions import Part, question_part, question_regions, written_part


class Listed(Enum):
    """The sorts of lists. Items of two sorts are of two lists."""

    BULLETS = auto()
    STEPS = auto()
    FIELDS = auto()
    OPTIONS = auto()
    TERMS = auto()


@dataclass(slots=True)
class _Mark:
    """A box (`place` is then None), or an item of a list: the sort of list, its column, and how many bodies it stands in."""

    start: int
    end: int = -1
    label: Span | None = None
    place: tuple[Listed, int, int] | None = None


class RstGroups:
    """Takes in what begins, in the order of the page, and gives each a number; `end` is told the same number."""

    def __init__(self) -> None:
        self._marks: list[_Mark] = []
        self._rubrics: set[int] = set()

    def item(self, sort: Listed, start: int, column: int, depth: int) -> int:
        """An item of a list."""
        self._marks.append(_Mark(start, place=(sort, column, depth)))
        return len(self._marks) - 1

    def box(self, start: int, label: Span) -> int:
        """A box whose label stands in a range."""
        self._marks.append(_Mark(start, label=label))
        return len(self._marks) - 1

    def rubric(self, start: int) -> None:
        """A heading without a section, whose words start there."""
        self._rubrics.add(start)

    def end(self, mark: int, at: int) -> None:
        """What has this number ends where the line at `at` starts."""
        if mark >= 0:
            self._marks[mark].end = at

    def put_on(self, blocks: Sequence[Block], text: str) -> list[Block]:
        """The blocks with their groups, those of questions among them."""
        regions = list(self._regions(blocks))
        found = grouped(blocks, regions, text)
        questions = list(question_regions(found, lambda block: self._part(block, text)))
        return grouped(blocks, [*regions, *questions], text) if questions else found

    def _part(self, block: Block, text: str) -> Part:
        if self._rubrics and content_start(block) in self._rubrics:
            return question_part("".join(run.visible(text) for run in block.runs))
        return written_part(block, text)

    def _regions(self, blocks: Sequence[Block]) -> Iterator[Region]:
        starts = [content_start(block) for block in blocks]
        lists: dict[int, list[_Mark]] = {}  # for each depth the items of the list that may still go on
        for mark in self._marks:
            if mark.place is None:
                yield Region(GroupKind.BOX, mark.start, mark.end, mark.label)
                continue
            depth = mark.place[2]
            items = lists.get(depth)
            if items and items[-1].place == mark.place and _is_next(starts, items[-1], mark):
                items.append(mark)
                continue
            if items:
                yield from _list(items)
            lists[depth] = [mark]
        for items in lists.values():
            yield from _list(items)


def _is_next(starts: Sequence[int], one: _Mark, other: _Mark) -> bool:
    """Whether no block stands between two items."""
    return one.end <= other.start and bisect_left(starts, one.end) == bisect_left(starts, other.start)


def _list(items: Sequence[_Mark]) -> Iterator[Region]:
    is_ordered = items[0].place is not None and items[0].place[0] is Listed.STEPS
    yield Region(GroupKind.STEPS if is_ordered else GroupKind.LIST, items[0].start, items[-1].end)
    for item in items:
        yield Region(GroupKind.ENTRY, item.start, item.end)
