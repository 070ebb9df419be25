"""From pulldown-cmark's events to blocks. The only place that knows the shape of these events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any

from pyromark import Options, events_with_range

from nescio.domain.documents import Block, BlockKind, GroupKind, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.blobs import clipped, cut_runs, without_holes
from nescio.ingest.parsers.grouping import Region
from nescio.ingest.parsers.markdown_code import code_blocks, is_closed
from nescio.ingest.parsers.markdown_containers import Containers
from nescio.ingest.parsers.markdown_feed import Feed, Texts, joined
from nescio.ingest.parsers.markdown_headings import addressed, attribute_lists, identifier_in, is_attribute_list, without_lines
from nescio.ingest.parsers.markdown_html import Draft, html_drafts, tag_id
from nescio.ingest.parsers.markdown_html_blocks import draft_block

_OPTIONS = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_DEFINITION_LIST
)
_CONTAINERS = ("List", "BlockQuote", "FootnoteDefinition", "DefinitionList", "DefinitionListTitle", "DefinitionListDefinition")
_TEXT, _CODE, _HTML, _TABLE = range(1, 5)  # what the open leaf is made of; 0 when there is none


@dataclass(frozen=True, slots=True)
class Tree:
    """The blocks of a text in order, the offsets of fences that are never closed, the ranges of HTML blocks and of lists."""

    blocks: list[Block]
    unclosed: list[int]
    html: list[tuple[int, int]]
    regions: list[Region]


def read_tree(texts: Texts, feed: Feed, start: int) -> Tree:
    """The blocks that `feed` holds, none before `start`, with spans in the page."""
    reader = _TreeReader(texts, feed, start)
    reader.read(events_with_range(feed.text, options=_OPTIONS))
    return reader.tree


class _TreeReader:
    def __init__(self, texts: Texts, feed: Feed, start: int) -> None:
        self.tree = Tree([], [], [], [])
        self._containers = Containers(self.tree.blocks, feed.offsets, self.tree.regions)
        self._text, self._lines, self._seen, self._feed = texts.text, texts.lines, texts.seen, feed
        self._offsets = feed.offsets
        self._has_braces = "{" in texts.text
        self._floor = start  # nothing before it belongs to the next block
        self._leaf = 0
        self._kind = BlockKind.PARAGRAPH
        self._start = self._end = 0  # feed bytes
        self._level = 0
        self._info: str | None = None  # of a fenced code block
        self._runs: list[Run] = []
        self._holes: list[tuple[int, int]] = []
        self._ranges: list[tuple[int, int]] = []
        self._anchor: str | None = None  # the id of an <a> in the open leaf
        self._pending: str | None = None  # of one just before, in a block without words
        self._bytes: bytes | None = None
        self._links = 0
        self._hidden = False  # inside of an inline <script> or <style>
        self._referred: set[str] = set()  # footnotes in the open leaf
        self._closed_with: set[str] = set()  # those in the leaf that was closed last
        self._items: list[bool] = []  # for each open list item, whether its first block is still to come
        self._starts: dict[str, Callable[[Any, int, int], None]] = {
            "Paragraph": self._start_paragraph,
            "Heading": self._start_heading,
            "CodeBlock": self._start_code,
            "HtmlBlock": self._start_html,
            "Table": self._start_table,
            "TableCell": self._start_cell,
            "TableRow": self._start_row,
            "Item": self._start_item,
            **dict.fromkeys(_CONTAINERS, self._start_container),
            "Link": self._start_link,
        }
        self._ends: dict[str, Callable[[int], None]] = {
            "Paragraph": self._end_paragraph,
            "Heading": self._end_heading,
            "CodeBlock": self._end_code,
            "HtmlBlock": self._end_html,
            "Table": self._end_table,
            "Item": self._end_item,
            **{name: partial(self._end_container, name) for name in _CONTAINERS},
            "Link": self._end_link,
        }

    def read(self, events: Iterable[tuple[Any, Any]]) -> None:
        """Take in all events."""
        starts, ends = self._starts.get, self._ends.get
        for event, place in events:
            start, end = place["start"], place["end"]
            if event.__class__ is str:
                self._break(event, start, end)
                continue
            ((key, value),) = event.items()
            if key == "Text":
                if end > start:
                    self._read_text(value, start, end)
            elif key == "Start":
                starter = starts(value if value.__class__ is str else next(iter(value)))
                if starter is not None:
                    starter(value, start, end)
            elif key == "End":
                ender = ends(value if value.__class__ is str else next(iter(value)))
                if ender is not None:
                    ender(end)
                else:
                    self._end = end
            else:
                self._read_inline(key, value, start, end)
        self._close_implicit()
        self._containers.add_needs()

    # Inline events

    def _read_text(self, value: str, start: int, end: int) -> None:
        leaf = self._leaf
        if leaf in (_CODE, _HTML):
            self._ranges.append((start, end))
            return
        if not leaf:
            self._open_text(start)
        self._end = end
        if not self._hidden:
            offsets = self._offsets
            first, last = offsets[start], offsets[end - 1] + 1
            self._runs.append(Run(Span(first, last), self._links > 0, False, None if len(value) == last - first else value))

    def _read_inline(self, key: str, value: Any, start: int, end: int) -> None:
        if key == "Html":
            self._ranges.append((start, end))
            return
        if not self._leaf:
            self._open_text(start)
        self._end = end
        if key == "Code":
            self._read_inline_code(value, start, end)
        elif key == "InlineHtml":
            self._read_inline_html(value, start, end)
        elif key == "FootnoteReference":
            self._referred.add(value)

    def _read_inline_code(self, value: str, start: int, end: int) -> None:
        """The slice without its backticks, or the text where it is not a slice (over lines, with an escaped pipe)."""
        first, last = self._offsets[start], self._offsets[end - 1] + 1
        inside = (last - first - len(value)) // 2
        is_slice = inside > 0 and self._text.startswith(value, first + inside)
        span = Span(first + inside, first + inside + len(value)) if is_slice else Span(first, last)
        self._runs.append(Run(span, self._links > 0, True, None if is_slice else value))

    def _read_inline_html(self, tag: str, start: int, end: int) -> None:
        opening = tag[:8].lower()
        first, last = self._offsets[start], self._offsets[end - 1] + 1
        if opening.startswith("<!--"):
            self._holes.append((first, last))
        elif opening.startswith("<br"):
            self._runs.append(Run(Span(first, last), text="\n"))
        elif opening.startswith("<a"):
            self._anchor = tag_id(tag) or self._anchor
        elif opening.startswith(("<script", "<style")):
            self._hidden = not tag.endswith("/>")
        elif opening.startswith(("</script", "</style")):
            self._hidden = False

    def _break(self, event: str, start: int, end: int) -> None:
        if event == "Rule":
            self._close_implicit()
        elif self._leaf:
            first, last = self._offsets[start], self._offsets[end - 1] + 1
            self._runs.append(Run(Span(first, last), self._links > 0, False, "\n"))

    def _start_link(self, value: Any, start: int, end: int) -> None:
        if not self._leaf:
            self._open_text(start)
        self._links += 1

    def _end_link(self, end: int) -> None:
        self._links -= 1
        self._end = end

    # Containers

    def _start_container(self, value: Any, start: int, end: int) -> None:
        self._close_implicit()
        self._containers.start(value if value.__class__ is str else next(iter(value)), value, start, end)

    def _end_container(self, name: str, end: int) -> None:
        self._close_implicit()
        self._containers.end(name)

    def _start_item(self, value: Any, start: int, end: int) -> None:
        self._start_container(value, start, end)
        self._items.append(True)

    def _end_item(self, end: int) -> None:
        self._close_implicit()
        self._items.pop()

    def _close_implicit(self) -> None:
        """A tight list has no paragraphs: the text of an item ends where something else starts."""
        if self._leaf == _TEXT:
            self._end_paragraph(self._end)

    # Leaves

    def _open(self, leaf: int, kind: BlockKind, start: int) -> None:
        self._close_implicit()
        self._leaf, self._kind, self._start = leaf, kind, start
        self._end = start
        if self._items:
            self._items[-1] = False

    def _open_text(self, start: int) -> None:
        is_first = bool(self._items) and self._items[-1]
        self._open(_TEXT, BlockKind.LIST_ITEM if is_first else BlockKind.PARAGRAPH, start)

    def _start_paragraph(self, value: Any, start: int, end: int) -> None:
        self._open_text(start)

    def _start_heading(self, value: Any, start: int, end: int) -> None:
        self._open(_TEXT, BlockKind.HEADING, start)
        self._level = int(value["Heading"]["level"][1])

    def _start_code(self, value: Any, start: int, end: int) -> None:
        kind = value["CodeBlock"]
        self._open(_CODE, BlockKind.CODE, start)
        self._info = None if kind == "Indented" else kind["Fenced"]

    def _start_html(self, value: Any, start: int, end: int) -> None:
        self._open(_HTML, BlockKind.PARAGRAPH, start)

    def _start_table(self, value: Any, start: int, end: int) -> None:
        self._open(_TABLE, BlockKind.TABLE, start)

    def _start_row(self, value: Any, start: int, end: int) -> None:
        self._ranges.append((start, end))
        self._separate(start, "\n")

    def _start_cell(self, value: Any, start: int, end: int) -> None:
        self._separate(start, "\t")

    def _separate(self, start: int, text: str) -> None:
        """An empty run that keeps the words of two cells apart."""
        if self._runs and self._runs[-1].text not in ("\t", "\n"):
            last = self._runs[-1].span.end
            at = max(last, self._offsets[start]) if start < len(self._offsets) else last
            self._runs.append(Run(Span(at, at), text=text))

    def _end_paragraph(self, end: int) -> None:
        span, runs, holes, anchor = self._close(end)
        if self._has_braces and self._text.find("{", span.start, span.end) >= 0:
            if is_attribute_list(span.of(self._text).strip()):
                self._address_heading(span)
                return
            lists = sorted(attribute_lists(self._text, span.start, span.end))
            if lists:
                runs = list(cut_runs(runs, lists))
                span, runs = without_lines(self._lines, span, runs, lists)
        if not self._emit(Block(self._kind, span, tuple(runs)), holes):
            self._pending = anchor

    def _end_heading(self, end: int) -> None:
        span, runs, holes, anchor = self._close(end)
        self._emit_heading(Block(BlockKind.HEADING, span, tuple(runs), self._level, anchor=anchor or self._pending), holes)

    def _end_code(self, end: int) -> None:
        opened = self._offsets[self._start]
        body = self._body()
        span, _, _, _ = self._close(end)
        if self._info is not None and not is_closed(self._lines[opened : span.end]):
            self.tree.unclosed.append(opened)
        for block in code_blocks(self._lines, span, body, self._info):
            self._emit(block, [])

    def _end_html(self, end: int) -> None:
        body = self._body()
        span, _, _, _ = self._close(end)
        self.tree.html.append((span.start, span.end))
        drafts = html_drafts(self._seen, body) if body else []
        worded = [draft for draft in drafts if draft.runs]
        for draft, following in zip_longest(worded, worded[1:]):
            self._emit_draft(draft, span, following)
        if not worded:
            self._pending = next((draft.anchor for draft in reversed(drafts) if draft.anchor), None)

    def _end_table(self, end: int) -> None:
        ranges = self._ranges
        span, runs, holes, _ = self._close(end)
        rows = [self._span(start, stop) for start, stop in ranges]
        header = rows[0].start if rows else span.end
        header = span.start + len(self._text[span.start : header].rstrip())
        self._emit(Block(BlockKind.TABLE, span, tuple(runs), parts=(Span(span.start, header), *rows)), holes)

    # Blocks

    def _close(self, end: int) -> tuple[Span, list[Run], list[tuple[int, int]], str | None]:
        """Close the leaf: its span, its runs, the comments in it, the id of an `<a>` in it."""
        closed = self._span(self._start, end), self._runs, self._holes, self._anchor
        self._leaf, self._runs, self._holes, self._ranges, self._anchor = 0, [], [], [], None
        self._hidden = False
        self._closed_with, self._referred = self._referred, set()
        return closed

    def _span(self, start: int, end: int) -> Span:
        """From the start of the line that holds the feed's byte `start` to the last visible character before `end`."""
        first = self._offsets[start] if start < len(self._offsets) else len(self._text)
        last = max(first, self._offsets[end - 1] + 1) if end > start else first
        line = max(self._floor, self._lines.rfind("\n", self._floor, first) + 1)
        return Span(line, max(line, first + len(self._text[first:last].rstrip())))

    def _body(self) -> list[tuple[int, int]]:
        """The ranges of the open leaf's lines in the page, those that touch made one."""
        ranges: Iterable[tuple[int, int]] = self._ranges
        if self._feed.gapped:
            ranges = (line for start, end in self._ranges for line in self._feed_lines(start, end))
        return joined((self._offsets[start], self._offsets[end - 1] + 1) for start, end in ranges if end > start)

    def _feed_lines(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        if self._bytes is None:
            self._bytes = self._feed.text.encode()
        while (line_end := self._bytes.find(b"\n", start, end)) >= 0:
            yield start, line_end + 1
            start = line_end + 1
        yield start, end

    def _emit(self, block: Block, holes: list[tuple[int, int]]) -> bool:
        """Add a block that has something to show."""
        if block.include is None and not self._has_words(block.runs):
            return False
        whole = without_holes(self._text, clipped(block), holes)
        if whole is None:
            return False
        if self._closed_with:
            self._containers.footnotes.refer(len(self.tree.blocks), self._closed_with)
        self.tree.blocks.append(whole)
        self._floor = block.span.end
        self._pending = None
        return True

    def _has_words(self, runs: Iterable[Run]) -> bool:
        shown = (run.visible(self._text) for run in runs)
        return any(text and not text.isspace() for text in shown)

    def _emit_heading(self, block: Block, holes: list[tuple[int, int]]) -> None:
        heading = addressed(self._text, block)
        if heading.title:
            self._emit(heading, holes)

    def _emit_draft(self, draft: Draft, span: Span, following: Draft | None) -> None:
        block = draft_block(draft, self._lines, self._floor, span.end, following)
        if block.kind is BlockKind.HEADING:
            self._emit_heading(block, draft.holes)
        elif self._emit(block, draft.holes) and draft.caption:
            self.tree.regions.append(Region(GroupKind.BOX, draft.caption.start, block.span.end, draft.caption))

    def _address_heading(self, span: Span) -> None:
        """An attribute list under a heading gives its id."""
        blocks = self.tree.blocks
        identifier = identifier_in(span.of(self._text).strip())
        if identifier and blocks and blocks[-1].kind is BlockKind.HEADING and blocks[-1].anchor is None:
            blocks[-1] = replace(blocks[-1], anchor=identifier)
