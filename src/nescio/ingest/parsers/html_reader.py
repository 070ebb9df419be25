"""Reads the tags and texts of a page's main content into blocks, in one pass and with one stack of open elements."""

from __future__ import annotations

from nescio.domain.documents import Block, BlockKind
from nescio.domain.spans import Span
from nescio.ingest.parsers.html_blocks import BlockText, TableText
from nescio.ingest.parsers.html_groups import HtmlGroups
from nescio.ingest.parsers.html_rules import BLOCKS, CODE_WORDS, HEADINGS, LAYOUT_TABLES, LIST_ITEMS, VOID, is_dropped
from nescio.ingest.parsers.html_stack import Element, OpenElements
from nescio.ingest.parsers.html_tokens import Token
from nescio.ingest.parsers.outline import PAGE, Outline, Section

ANCHORED = frozenset({"section", "div", "article"})  # whose id is that of the heading that they begin with
HEADING_SIGNS = frozenset({"¶", "#", "🔗", "§"})  # the text of a link to the heading that it stands in
STAYS_IN_ITEM = frozenset({"p", "div"})  # what may begin a list item without being a block beside it


class Reader:
    """Takes tokens in order; `finish` gives the blocks."""

    def __init__(self, text: str, *, is_in_content: bool) -> None:
        self._text = text
        self._is_in_content = is_in_content
        self._open = OpenElements()
        self._outline = Outline()
        self._section = PAGE
        self._content = BlockText(text)
        self._table: TableText | None = None
        self._start = -1  # of the tag that began the block, -1 when text begins it
        self._heading = ""  # name of the heading or term with an id that is open
        self._heading_id = ""
        self._is_item = False
        self._is_term = False  # a term waits for its definition
        self._anchors: list[str] = []  # ids of open elements that a heading may take
        self._stale_anchors = 0  # how many of these have text in them already
        self._groups = HtmlGroups(text)
        self._at = 0  # where the token that is being read starts
        self._caption = -1  # where the words of the caption start that is a block before the open table

    def read(self, token: Token) -> None:
        """The next tag or text."""
        self._at = token.start
        if not token.name:
            if not self._open.dropped:
                self._add_text(token)
        elif token.opens:
            self._start_tag(token)
        else:
            self._end_tag(token)

    def finish(self) -> tuple[Block, ...]:
        """The blocks; what is still open ends here."""
        self._at = len(self._text)
        self._close(0, -1)
        self._flush(-1)
        return self._groups.put_on(self._outline.blocks)

    def _add_text(self, token: Token) -> None:
        span = Span(token.start, token.end)
        if self._open.links and span.of(self._text).strip() in HEADING_SIGNS:
            return
        content, count = self._content, len(self._content.runs)
        code = self._open.codes > 0 or self._is_open("pre")
        content.add(span, link=self._open.links > 0, code=code, is_flowing=self._table is None)
        if len(content.runs) > count and not span.of(self._text).isspace():
            self._is_term = self._is_term and self._is_open("dt")
            if self._table and not self._table.is_in_row and self._open.last("caption") < self._table.place:
                self._table.begin_row(content.runs[-1].span.start)

    def _is_open(self, name: str) -> bool:
        return self._open.last(name) >= 0

    def _start_tag(self, token: Token) -> None:
        name = token.name
        if name in VOID:
            self._void(name, token)
            return
        self._close(self._open.closed_by_start(name), -1)
        has_attributes = token.end - token.start > len(name) + 2
        attributes = token.attributes(self._text) if has_attributes else {}
        dropped = is_dropped(name, attributes, is_in_content=self._is_in_content)
        if not self._open.dropped:
            self._remember_id(name, attributes)
            if name in BLOCKS:
                self._begin_block(name, token, attributes, dropped)
            elif name in ("label", "button"):  # labels of tabs, which stand apart
                self._content.break_line(Span(token.start, token.end) if self._table is None else None)
        anchor = attributes.get("id", "") if name in ANCHORED and not dropped else ""
        if token.closes_itself(self._text):
            return
        if not dropped and not self._open.dropped:
            self._groups.start(token, attributes, len(self._open))
        if anchor:
            self._anchors.append(anchor)
        self._open.push(
            Element(name, dropped, name == "a" and "href" in attributes, name in CODE_WORDS, bool(anchor), self._section)
        )

    def _void(self, name: str, token: Token) -> None:
        if self._open.dropped:
            return
        if name == "br":
            self._content.break_line(Span(token.start, token.end) if self._table is None else None)
        elif name == "hr" and self._table is None:
            self._flush(-1)

    def _remember_id(self, name: str, attributes: dict[str, str]) -> None:
        """The first id inside a heading is its anchor when it has none itself."""
        if self._heading in HEADINGS and not self._heading_id and attributes.get("class") != "indexterm":
            self._heading_id = attributes.get("id") or (attributes.get("name", "") if name == "a" else "")

    def _begin_block(self, name: str, token: Token, attributes: dict[str, str], dropped: bool) -> None:
        if self._table is not None and not self._ends_table(name):
            self._begin_in_table(self._table, name, token, attributes)
            return
        if self._is_open("pre") or (self._is_term and name in ("dt", "dd", *STAYS_IN_ITEM)):
            self._content.break_line(Span(token.start, token.end))
            return
        if self._is_item and not self._content.runs and name in STAYS_IN_ITEM:
            return
        self._flush(-1)
        if dropped:
            return
        self._start, self._is_item = token.start, name in LIST_ITEMS
        if name in HEADINGS or (name == "dt" and attributes.get("id") and self._is_open("dl")):
            self._heading, self._heading_id = name, attributes.get("id", "")
        elif name == "table" and not LAYOUT_TABLES & set(attributes.get("class", "").split()):
            self._table = TableText(self._content, token.start, len(self._open))
            self._caption = -1

    def _ends_table(self, name: str) -> bool:
        """A heading in a table shows that it only lays out the page: its rows so far are a table, the rest is read as text."""
        if self._table is None or name not in HEADINGS:
            return False
        self._end_table(self._table, -1)
        return True

    def _begin_in_table(self, table: TableText, name: str, token: Token, attributes: dict[str, str]) -> None:
        self._content.break_line(None)
        if self._open.last("table") != table.place:
            return
        if name == "tr" or (name in ("td", "th") and not table.is_in_row):
            table.end_row(self._row_end())
            table.begin_row(token.start, is_head=self._open.last("thead") > table.place)
        elif name in ("td", "th"):
            table.begin_cell()
        if name in ("td", "th") and "rowspan" in attributes:
            table.reach(attributes["rowspan"])

    def _end_tag(self, token: Token) -> None:
        self._close(self._open.closed_by_end(token.name), token.end)

    def _close(self, place: int, end: int) -> None:
        """Close elements from the innermost to the one at `place`, whose end tag ends at `end` (-1 without an end tag)."""
        while len(self._open) > place:
            is_own = len(self._open) == place + 1
            element = self._open[-1]
            if element.name in BLOCKS and not self._open.dropped:
                self._end_block(element, end if is_own else -1)
            self._open.pop()
            self._groups.end(len(self._open), self._at)
            if element.has_anchor:
                self._anchors.pop()
                self._stale_anchors = min(self._stale_anchors, len(self._anchors))

    def _end_block(self, element: Element, end: int) -> None:
        if self._table is not None:
            self._end_in_table(self._table, element.name, end)
        elif self._is_open("pre") and element.name != "pre":
            self._content.break_line(None)
        elif element.name == "dt" and self._heading != "dt" and self._content.runs:
            self._is_term = True
        elif not (self._is_term and element.name in STAYS_IN_ITEM):
            self._flush(end)
        if element.name in LIST_ITEMS and not self._is_term:
            self._is_item = False
        if element.name == "dl" and element.section is not None:
            self._section = element.section

    def _end_in_table(self, table: TableText, name: str, end: int) -> None:
        if len(self._open) - 1 == table.place:
            self._end_table(table, end)
        elif self._open.last("table") == table.place and name == "tr":
            table.end_row(max(end, self._row_end()))
        elif self._open.last("table") == table.place and name == "caption" and table.is_before_rows:
            self._table = None
            self._caption = self._content.runs[0].span.start if self._content.runs else -1
            self._flush(-1)
            self._table = table
            table.caption_taken()
        else:
            self._content.break_line(None)

    def _end_table(self, table: TableText, end: int) -> None:
        table.end_row(self._row_end())
        self._table = None
        if block := table.block(end):
            self._outline.add(self._section, block)
            self._groups.refer(block.span)
            if self._caption >= 0:
                self._groups.caption(self._caption, block.span.end)
        self._reset()

    def _last_end(self) -> int:
        return self._content.runs[-1].span.end if self._content.runs else -1

    def _row_end(self) -> int:
        self._content.trim(exact=False)
        return self._last_end()

    def _flush(self, end: int) -> None:
        """The text so far is a block; `end` is after the end tag that closes it, -1 when something else ends it."""
        if self._content.runs:
            self._content.trim(exact=self._is_open("pre"))
            start = self._content.runs[0].span.start if self._start < 0 else self._start
            last = self._last_end() if self._start < 0 else max(end, self._last_end())
            self._put(Span(start, last))
            self._groups.refer(Span(start, last))
            self._stale_anchors = len(self._anchors)
            self._reset()
        else:
            self._content.clear()
            self._start = -1

    def _reset(self) -> None:
        self._content.clear()
        self._start, self._heading, self._heading_id = -1, "", ""
        self._is_item = self._is_term = False

    def _put(self, span: Span) -> None:
        runs = tuple(self._content.runs)
        if self._heading:
            title = self._content.words()
            self._section = self._next_section(title)
            self._outline.open(self._section, Block(BlockKind.HEADING, span, runs, display=title))
        elif self._is_open("pre"):
            self._outline.add(self._section, Block(BlockKind.CODE, span, runs, display=self._content.preformatted()))
        else:
            kind = BlockKind.LIST_ITEM if self._is_item else BlockKind.PARAGRAPH
            self._outline.add(self._section, Block(kind, span, runs, display=self._content.flowing()))

    def _next_section(self, title: str) -> Section:
        if self._heading == "dt":
            around = self._open[self._open.last("dl")].section if self._is_open("dl") else None
            return (around or PAGE).below(title, self._heading_id)
        free = self._anchors[-1] if len(self._anchors) > self._stale_anchors else ""
        return Section(HEADINGS[self._heading], title, self._heading_id or free or None)
