"""What belongs together on an HTML page: lists, boxes with their labels, tabs, and notes that are referred to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from nescio.domain.documents import Block, GroupKind
from nescio.domain.spans import Span
from nescio.ingest.parsers.footnotes import with_needs
from nescio.ingest.parsers.grouping import Region, content_start, grouped
from nescio.ingest.parsers.html_tokens import Token
from nescio.ingest.parsers.questions import question_regions, tagged_part

MOST_PANELS = 8  # of tabs in tabs whose labels a block needs; more would cost their square
_LISTS = {"ol": GroupKind.STEPS, "ul": GroupKind.LIST, "menu": GroupKind.LIST, "dir": GroupKind.LIST, "li": GroupKind.ENTRY}
# Of an element that is the label of what stands around it. Generators hash the names of classes, hence the beginnings.
_LABEL_CLASSES = frozenset(
    (
        *("admonition-title", "alert-title", "callout-title", "custom-block-title", "markdown-alert-title", "sd-card-title"),
        *("sidebar-title", "starlight-aside__title", "topic-title"),
    )
)
_LABEL_BEGINNINGS = ("admonitionHeading_", "admonition-heading")
_TAB_LABELS = frozenset(("sd-tab-label",))  # each stands right before what it is the label of
_NOTE_LINK = re.compile(r"#(?:user-content-)?(?:fn|footnote|cite[_-]note|endnote)", re.IGNORECASE)
_NOTE_HOLDERS = frozenset(("aside", "div", "li", "p", "section", "td", "tr"))


@dataclass(slots=True)
class _Mark:
    """A range that has begun: what it makes, and where its label ends (-1 for none)."""

    start: int
    kind: GroupKind | None = None  # None: a note, or a panel
    end: int = -1
    label_end: int = -1
    label: Span | None = None  # of a panel, elsewhere


@dataclass(slots=True)
class _Terms:
    """A list of definitions: where its entries start. With ids its terms are sections and no entries."""

    place: int
    starts: list[int] = field(default_factory=list)
    is_after_term: bool = False
    has_sections: bool = False


@dataclass(slots=True)
class _Tabs:
    """The labels of a set of tabs, and how many panels have taken theirs."""

    labels: list[Span] = field(default_factory=list)
    taken: int = 0


class HtmlGroups:
    """Takes in elements as they start and end; `place` is where an element is on the stack of those that are open."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._marks: list[_Mark] = []
        self._regions: list[Region] = []
        self._ends: dict[int, list[_Mark]] = {}  # by the place of the element that ends them
        self._labels: dict[int, _Mark] = {}  # boxes whose label is open, by the place of the label
        self._siblings: dict[int, _Mark] = {}  # boxes that the next one in the same element ends
        self._terms: list[_Terms] = []
        self._details: list[tuple[int, bool]] = []
        self._tabs: list[_Tabs] = []
        self._open_tabs: dict[int, tuple[str, int]] = {}
        self._named: dict[str, Span] = {}  # labels of tabs by id
        self._panels: list[_Mark] = []
        self._open_panels: set[int] = set()
        self._notes: dict[str, _Mark] = {}
        self._referred: dict[Span, tuple[str, ...]] = {}
        self._links: list[str] = []

    def start(self, token: Token, attributes: dict[str, str], place: int) -> None:
        """A start tag that is read."""
        name, classes = token.name, attributes.get("class", "").split() if attributes else []
        if name in _LISTS:
            self._begin(_Mark(token.start, _LISTS[name]), place)
        elif name in ("dl", "dt", "dd"):
            self._definition(token, attributes, place)
        elif name == "details":
            self._details.append((place, False))
        elif name == "summary":
            self._summary(token, place)
        if not attributes:
            return
        if place and (not _LABEL_CLASSES.isdisjoint(classes) or any(one.startswith(_LABEL_BEGINNINGS) for one in classes)):
            self._label(token, place, place - 1)
        elif place and not _TAB_LABELS.isdisjoint(classes):
            self._sibling(token, place)
        self._tab(token, attributes, classes, place)
        if "id" in attributes and name in _NOTE_HOLDERS:
            self._notes.setdefault(attributes["id"], self._begin(_Mark(token.start), place))
        if name == "a" and _is_note_link(attributes, classes):
            self._links.append(attributes["href"][1:])

    def _begin(self, mark: _Mark, place: int) -> _Mark:
        self._marks.append(mark)
        self._ends.setdefault(place, []).append(mark)
        return mark

    def _label(self, token: Token, place: int, holder: int) -> None:
        """A label that begins a box, which ends with the element at `holder`."""
        mark = self._begin(_Mark(token.start, GroupKind.BOX), holder)
        self._labels[place] = mark

    def _summary(self, token: Token, place: int) -> None:
        if self._details and not self._details[-1][1]:
            holder = self._details[-1][0]
            self._details[-1] = (holder, True)
            self._label(token, place, holder)

    def _sibling(self, token: Token, place: int) -> None:
        if place - 1 in self._siblings:
            self._siblings[place - 1].end = token.start
        self._label(token, place, place - 1)
        self._siblings[place - 1] = self._labels[place]

    def _definition(self, token: Token, attributes: dict[str, str], place: int) -> None:
        if token.name == "dl":
            self._terms.append(_Terms(place))
        elif self._terms:
            terms = self._terms[-1]
            if token.name == "dt" and not terms.is_after_term:
                terms.starts.append(token.start)
            terms.is_after_term = token.name == "dt"
            terms.has_sections = terms.has_sections or (token.name == "dt" and "id" in attributes)

    def _tab(self, token: Token, attributes: dict[str, str], classes: Sequence[str], place: int) -> None:
        """Labels of tabs that stand together, before all of the panels."""
        role = attributes.get("role", "").lower()
        if role == "tablist" or "tabbed-labels" in classes:
            self._tabs.append(_Tabs())
        elif role == "tab" or (token.name == "label" and self._tabs and "for" in attributes):
            self._open_tabs[place] = (attributes.get("id", ""), token.end)
        elif role == "tabpanel" or "tabbed-block" in classes:
            label = self._named.get(attributes.get("aria-labelledby", "")) or self._next_label()
            if label is not None and len(self._open_panels) < MOST_PANELS:
                self._open_panels.add(place)
                self._panels.append(self._begin(_Mark(token.start, label=label), place))

    def _next_label(self) -> Span | None:
        """That of the innermost set of tabs that has one left."""
        while self._tabs and self._tabs[-1].taken >= len(self._tabs[-1].labels):
            self._tabs.pop()
        if not self._tabs:
            return None
        self._tabs[-1].taken += 1
        return self._tabs[-1].labels[self._tabs[-1].taken - 1]

    def end(self, place: int, at: int) -> None:
        """The element at `place` ends before the token at `at`."""
        for mark in self._ends.pop(place, ()):
            mark.end = at if mark.end < 0 else mark.end
        if place in self._labels:
            self._labels.pop(place).label_end = at
        self._siblings.pop(place, None)
        self._open_panels.discard(place)
        if place in self._open_tabs:
            self._end_tab(*self._open_tabs.pop(place), at)
        if self._details and self._details[-1][0] == place:
            self._details.pop()
        if self._terms and self._terms[-1].place == place:
            self._end_terms(self._terms.pop(), at)

    def _end_tab(self, identifier: str, start: int, end: int) -> None:
        words = self._text[start:end]
        first = start + len(words) - len(words.lstrip())
        if not words.strip():
            return
        label = Span(first, start + len(words.rstrip()))
        if identifier:
            self._named.setdefault(identifier, label)
        if self._tabs:
            self._tabs[-1].labels.append(label)

    def _end_terms(self, terms: _Terms, at: int) -> None:
        if terms.starts and not terms.has_sections:
            self._regions.append(Region(GroupKind.LIST, terms.starts[0], at))
            self._regions += (Region(GroupKind.ENTRY, *pair) for pair in pairwise([*terms.starts, at]))

    def caption(self, start: int, end: int) -> None:
        """A table with its caption."""
        self._regions.append(Region(GroupKind.BOX, start, end))

    def refer(self, block: Span) -> None:
        """The block that has been read holds the links to notes since the last one."""
        if self._links:
            self._referred[block] = tuple(self._links)
            self._links = []

    def put_on(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """The blocks with their groups and what they need."""
        regions = [*self._regions, *(_region(mark) for mark in self._marks if mark.kind is not None)]
        found = grouped(blocks, regions, self._text)
        questions = list(question_regions(found, lambda block: tagged_part(block, self._text)))
        found = grouped(blocks, [*regions, *questions], self._text) if questions else found
        if self._panels or self._referred:
            found = self._with_needs(found)
        return tuple(found)

    def _with_needs(self, blocks: list[Block]) -> list[Block]:
        starts = [content_start(block) for block in blocks]
        needed: dict[int, list[Span]] = {}
        for panel in self._panels:
            for at in range(bisect_left(starts, panel.start), bisect_left(starts, panel.end)):
                if panel.label is not None and blocks[at].span:
                    needed.setdefault(at, []).append(panel.label)
        for at, block in enumerate(blocks):
            for name in self._referred.get(block.span, ()):
                needed.setdefault(at, []).extend(self._note(name, blocks, starts))
        return [with_needs(block, needed[at]) if at in needed else block for at, block in enumerate(blocks)]

    def _note(self, name: str, blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[Span]:
        if mark := self._notes.get(name):
            first, last = bisect_left(starts, mark.start), bisect_left(starts, mark.end)
            if last > first:
                yield Span(blocks[first].span.start, blocks[last - 1].span.end)


def _region(mark: _Mark) -> Region:
    label = Span(mark.start, max(mark.start, mark.label_end)) if mark.kind is GroupKind.BOX else None
    return Region(mark.kind or GroupKind.LIST, mark.start, max(mark.start, mark.end), label)


def _is_note_link(attributes: dict[str, str], classes: Sequence[str]) -> bool:
    href = attributes.get("href", "")
    if len(href) < 2 or href[0] != "#":
        return False
    is_back = any("back" in one for one in classes) or attributes.get("role", "") == "doc-backlink"
    is_note = attributes.get("role", "") == "doc-noteref" or any("footnote" in one for one in classes)
    return not is_back and (is_note or (_NOTE_LINK.match(href) is not None and not href[1:].lower().startswith("fnref")))
