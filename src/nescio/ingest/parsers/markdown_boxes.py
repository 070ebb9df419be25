"""Which lines of directives are a box: from the line of its label to the one that closes it, or to the last of its body."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nescio.domain.documents import GroupKind
from nescio.domain.spans import Span
from nescio.ingest.parsers.grouping import Region

MOST_OPEN = 100  # boxes in each other; more are no page that anybody wrote

# The sorts of boxes whose name readers see where there is no title.
SHOWN_TYPES = frozenset(
    (
        *("abstract", "attention", "bug", "caution", "check", "danger", "deprecated", "details", "error", "example"),
        *(
            "faq",
            "hint",
            "important",
            "info",
            "information",
            "note",
            "question",
            "seealso",
            "success",
            "summary",
            "tip",
            "tldr",
        ),
        *("todo", "versionadded", "versionchanged", "versionremoved", "warning"),
    )
)
# Those whose name readers see before the rest of the line.
VERSIONS = frozenset(("versionadded", "versionchanged", "deprecated", "versionremoved"))
_TITLES = ("title", "plain", "bracket", "name")
_TYPE = re.compile(r"[ \t]*+\.?(?:callout-)?(?P<word>[A-Za-z]++)[ \t]*+")
_LAYOUT = frozenset(("grid", "grid-item"))  # what follows on the line is for the layout


def label_pieces(match: re.Match[str], *, any_type: bool) -> list[tuple[int, int]]:
    """Where the label stands in the line that `match` is of: the title, else the word for the sort of box. Nothing for none.

    With `any_type` every word is shown where there is no title; elsewhere only those that are known for it.
    """
    names = match.re.groupindex
    title = next((name for name in _TITLES if name in names and match[name] is not None), None)
    sort = _sort(match)
    word = match.string[slice(*sort)].lower() if sort else ""
    if title is not None and match[title].strip():
        has_both = "braced" in names and word in VERSIONS
        is_layout = "braced" in names and (match["braced"] or "").strip() in _LAYOUT
        return [] if is_layout else [*([sort] if sort and has_both else []), match.span(title)]
    is_empty_on_purpose = any_type and title is not None
    is_shown = sort is not None and (any_type or word in SHOWN_TYPES)
    return [sort] if sort and is_shown and not is_empty_on_purpose else []


def _sort(match: re.Match[str]) -> tuple[int, int] | None:
    """Where the word stands that says what sort of box it is."""
    names = match.re.groupindex
    if "type" in names and match["type"]:
        return match.span("type")
    braced = _TYPE.fullmatch(match["braced"] or "") if "braced" in names else None
    if braced is None:
        return None
    offset = match.start("braced")
    return offset + braced.start("word"), offset + braced.end("word")


@dataclass(frozen=True, slots=True)
class _Open:
    """A box that is open: the sign of its fence, or the depth of its quotation; where it starts; the line of its label."""

    sign: str
    size: int
    start: int
    label: Span | None


class Boxes:
    """The boxes of a page, opened and closed in the order of its lines. Those without a label are no regions."""

    def __init__(self) -> None:
        self._found: list[Region] = []
        self._fences: list[_Open] = []
        self._bodies: list[_Open] = []
        self._quotes: list[_Open] = []

    def open_fence(self, fence: str, start: int, label: Span | None) -> None:
        """A directive whose end is a fence of the same sign."""
        if len(self._fences) < MOST_OPEN:
            self._fences.append(_Open(fence[0], len(fence), start, label))

    def close_fence(self, fence: str, end: int) -> None:
        """Close the innermost directive that the fence is long enough for, with what is open inside of it."""
        own = [at for at, one in enumerate(self._fences) if one.sign == fence[0]]
        closed = next((at for at in reversed(own) if self._fences[at].size <= len(fence)), own[-1] if own else None)
        while closed is not None and len(self._fences) > closed:
            self._add(self._fences.pop(), end)

    def open_body(self, start: int, label: Span | None) -> None:
        """A directive whose body is indented."""
        self._bodies.append(_Open("", 0, start, label))

    def close_bodies(self, count: int, end: int) -> None:
        """Close the innermost bodies until `count` are left."""
        while len(self._bodies) > count:
            self._add(self._bodies.pop(), end)

    def open_quote(self, depth: int, start: int, label: Span | None) -> None:
        """A quotation whose first line is a label, inside of `depth` - 1 others."""
        self.close_quotes(depth - 1, start)
        if len(self._quotes) < MOST_OPEN:
            self._quotes.append(_Open(">", depth, start, label))

    def close_quotes(self, depth: int, end: int) -> None:
        """Close the quotations that are deeper than a line with `depth` signs goes on with."""
        while self._quotes and self._quotes[-1].size > depth:
            self._add(self._quotes.pop(), end)

    def _add(self, box: _Open, end: int, *, closed: bool = True) -> None:
        if box.label is not None:
            self._found.append(Region(GroupKind.BOX, box.start, end, box.label, closed))

    def regions(self, end: int) -> list[Region]:
        """All boxes of a page that ends at `end`. What has no end of its own goes to the next heading."""
        self.close_bodies(0, end)
        self.close_quotes(0, end)
        while self._fences:
            self._add(self._fences.pop(), end, closed=False)
        return self._found
