"""Tags that make a box of what stands between them, and their labels, which readers see and Markdown does not.

    <TabItem label="A"> ... </TabItem>      JSX with `label`, `title` or the like; also `<Note>`, `<Steps>`
    <details><summary>A</summary> ...       HTML
    {% tab title="A" %} ... {% endtab %}    GitBook
    {{< tab "A" >}} ... {{< /tab >}}        Hugo

A tag counts where only other tags stand before it on its line, and where it is closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nescio.domain.documents import GroupKind
from nescio.domain.spans import Span
from nescio.ingest.parsers.fences import Fences
from nescio.ingest.parsers.grouping import Region
from nescio.ingest.parsers.markdown_boxes import SHOWN_TYPES
from nescio.ingest.parsers.markdown_directives import Break
from nescio.ingest.parsers.mdx import MAX_TAG, MAX_UNCLOSED, end_of_tag

TRIGGER = re.compile(r"</(?:[A-Z]|details)|\{%-?\s*end|\{\{[<%]\s*/")  # a page with a box has a tag that closes one

MOST_OPEN = 60  # tags in each other
_TAB_STOP = 4

_TOKEN = re.compile(
    r"(?P<code>`{1,3}[^`\n]++`{1,3})|(?P<comment><!--)"
    r"|<(?P<slash>/?)(?P<name>[A-Z][\w.]{0,60}|details|summary)(?=[\s/>])"
    r"|\{%-?[ \t]*(?P<liquid>[a-z]\w{0,60})(?P<filled>[^{}\n]{0,500})%\}"
    r"|\{\{[<%]\s*(?P<ends>/?)\s*(?P<short>[a-z][\w-]{0,60})(?P<given>[^{}]{0,1000})[>%]\}\}"
)
_ATTRIBUTE = re.compile(
    r"(?<![\w-])(?P<key>label|title|header|heading|summary|caption|name|text|value|type|style)\s*=\s*(?:\{\s*)?"
    r"(?:\"(?P<double>[^\"{}<>\n]*+)\"|'(?P<single>[^'{}<>\n]*+)'|`(?P<back>[^`{}<>\n]*+)`)"
)
_POSITIONAL = re.compile(r"\s*+\"(?P<double>[^\"{}<>\n]++)\"")
_WORD = re.compile(r"\s*+(?P<word>[a-z]++)\s*+")

_KEYS = ("label", "title", "header", "heading", "summary")
_SHORTCODE_KEYS = (*_KEYS, "name", "caption", "text")
_VALUED = frozenset(("TabItem", "Tab", "Tabs.Tab"))  # show their value where they have no label
_TYPED = frozenset(("Admonition", "Alert", "Aside", "Callout", "Hint", "Message", "admonition", "alert", "callout", "hint"))
_MACHINES = frozenset(("tabs", "tabpane", "figure", "highlight"))  # their names are no words of the page
_POSITIONED = frozenset(("accordion", "collapse", "details", "expand", "spoiler", "tab", "tabitem", "tabs-item"))
_STEPS = {"Steps": GroupKind.STEPS, "stepper": GroupKind.STEPS, "Step": GroupKind.ENTRY, "step": GroupKind.ENTRY}


@dataclass(frozen=True, slots=True)
class Tags:
    """The boxes that tags make; what of the tags is to be masked; where paragraphs end because of them. All in order."""

    regions: Sequence[Region] = ()
    hidden: Sequence[tuple[int, int]] = ()
    breaks: Sequence[Break] = ()


@dataclass(slots=True)
class _Tag:
    """One tag; of one that opens something, where its label stands, and where its summary does."""

    name: str
    start: int
    end: int
    column: int = 0
    is_closing: bool = False
    label: tuple[int, int] | None = None
    summary: list[int] = field(default_factory=list)


def find_tags(lines: str, fences: Fences, start: int, *, mdx: bool) -> Tags:
    """The boxes in `lines` from `start` on, outside of code and comments. In MDX `<details>` is a tag like others."""
    reader = _Reader(lines, mdx)
    for tag in _tags(lines, fences, start):
        reader.read(tag)
    return reader.tags()


class _Reader:
    """Pairs tags. `read` is to be called with each of them in order."""

    def __init__(self, lines: str, mdx: bool) -> None:
        self._lines, self._mdx = lines, mdx
        self._open: list[_Tag] = []
        self._closed: list[tuple[_Tag, _Tag]] = []

    def read(self, tag: _Tag) -> None:
        if tag.name == "summary":
            self._summary(tag)
        elif not tag.is_closing:
            if len(self._open) < MOST_OPEN:
                self._open.append(tag)
        else:
            at = next((at for at in range(len(self._open) - 1, -1, -1) if self._open[at].name == tag.name), None)
            if at is not None:
                self._closed.append((self._open[at], tag))
                del self._open[at:]

    def _summary(self, tag: _Tag) -> None:
        if self._open and self._open[-1].name == "details" and len(self._open[-1].summary) == tag.is_closing * 2:
            self._open[-1].summary += (tag.start, tag.end)

    def tags(self) -> Tags:
        """All that was found."""
        regions: list[Region] = []
        hidden: list[tuple[int, int]] = []
        breaks: list[Break] = []
        for opened, closing in sorted(self._closed, key=lambda pair: (pair[0].start, -pair[1].end)):
            region = self._region(opened, closing)
            if region is None:
                continue
            regions.append(region)
            if opened.name != "details" or self._mdx:
                hidden += _hidden(opened, closing)
                breaks += _breaks(opened, closing)
        return Tags(regions, sorted(hidden), sorted(breaks, key=lambda one: one.offset))

    def _region(self, opened: _Tag, closing: _Tag) -> Region | None:
        kind = _STEPS.get(opened.name)
        if kind is not None:
            return Region(kind, opened.start, closing.start)
        if opened.name == "details":
            whole = len(opened.summary) == 4
            return Region(GroupKind.BOX, opened.summary[0], closing.start, _label(opened.summary)) if whole else None
        if opened.label is None:
            return None
        return Region(GroupKind.BOX, opened.start, closing.start, Span(opened.start, opened.end))


def _label(summary: Sequence[int]) -> Span:
    return Span(summary[0], summary[-1])


def _hidden(opened: _Tag, closing: _Tag) -> Iterator[tuple[int, int]]:
    first, last = opened.label or (opened.end, opened.end)
    yield opened.start, first
    yield last, opened.end
    yield closing.start, closing.end
    if opened.name == "details":
        yield from zip(opened.summary[::2], opened.summary[1::2], strict=True)


def _breaks(opened: _Tag, closing: _Tag) -> Iterator[Break]:
    if opened.label is not None:
        yield Break(opened.label[0], opened.column, is_before_label=True)
    if opened.name == "details":
        yield Break(opened.summary[0], opened.column, is_before_label=True)
        yield Break(opened.summary[3], opened.column)
    yield Break(opened.end, opened.column)
    yield Break(closing.start, opened.column)


def _tags(lines: str, fences: Fences, start: int) -> Iterator[_Tag]:
    """The tags that may make a box, in order; one that stands behind words of its line has no label."""
    at, unclosed = start, 0
    line = _Line(lines, start)
    while unclosed < MAX_UNCLOSED and (match := _TOKEN.search(lines, at)):
        at = match.end()
        if match["code"] or fences.holds(match.start()):
            continue
        if match["comment"]:
            closed = lines.find("-->", at)
            at = closed + 3 if closed >= 0 else len(lines)
            continue
        end = end_of_tag(lines, at, min(at + MAX_TAG, len(lines))) if match["name"] else at
        if end is None:
            unclosed += 1
            continue
        at = end
        tag = _tag(lines, match, end)
        if tag is not None:
            line.take(tag)
            yield tag


def _tag(lines: str, match: re.Match[str], end: int) -> _Tag | None:
    start = match.start()
    if match["name"]:
        if lines[end - 2] == "/":
            return None
        name = match["name"]
        tag = _Tag(name, start, end, is_closing=bool(match["slash"]))
        keys = (*_KEYS, *(("value",) if name in _VALUED else ()), *(("type",) if name in _TYPED else ()))
        tag.label = _attribute(lines, match.end(), end, keys) or _named(name, match.start("name"))
    elif match["liquid"]:
        word = match["liquid"]
        tag = _Tag(word.removeprefix("end"), start, end, is_closing=word.startswith("end") and len(word) > len("end"))
        tag.label = _in_template(lines, tag.name, match, "liquid", "filled")
    else:
        tag = _Tag(match["short"], start, end, is_closing=bool(match["ends"]))
        tag.label = _in_template(lines, tag.name, match, "short", "given")
    return tag


def _in_template(lines: str, name: str, match: re.Match[str], word: str, rest: str) -> tuple[int, int] | None:
    if name in _MACHINES:
        return None
    first, last = match.span(rest)
    found = _POSITIONAL.match(lines, first, last) if name in _POSITIONED else None
    if found:
        return found.span("double")
    sort = _WORD.fullmatch(lines, first, last) if name in _TYPED else None
    keys = (*_SHORTCODE_KEYS, *(("type", "style") if name in _TYPED else ()))
    return _attribute(lines, first, last, keys) or (sort.span("word") if sort else None) or _named(name, match.start(word))


def _attribute(lines: str, start: int, end: int, keys: Iterable[str]) -> tuple[int, int] | None:
    """Where the value of the first of `keys` stands that the tag has and that is not empty."""
    found: dict[str, tuple[int, int]] = {}
    for match in _ATTRIBUTE.finditer(lines, start, end):
        group = next(name for name in ("double", "single", "back") if match[name] is not None)
        if match[group].strip():
            found.setdefault(match["key"], match.span(group))
    return next((found[key] for key in keys if key in found), None)


def _named(name: str, start: int) -> tuple[int, int] | None:
    return (start, start + len(name)) if name.lower() in SHOWN_TYPES - {"summary", "details"} else None


class _Line:
    """Tells of each tag, taken in order, at which column it stands, and takes the label of one that stands behind words."""

    def __init__(self, lines: str, start: int) -> None:
        self._lines, self._seen = lines, start
        self._column, self._is_clean = 0, True

    def take(self, tag: _Tag) -> None:
        between = self._lines[self._seen : tag.start]
        line_end = between.rfind("\n")
        if line_end >= 0:
            indent = between[line_end + 1 :]
            self._column = len(indent.expandtabs(_TAB_STOP)) if not indent.strip() else 0
            self._is_clean = True
        self._is_clean = self._is_clean and not between[line_end + 1 :].strip()
        tag.column = self._column
        if not self._is_clean and not tag.is_closing:
            tag.label = None
        self._seen = tag.end
        self._is_clean = self._is_clean or tag.label is not None or tag.is_closing
