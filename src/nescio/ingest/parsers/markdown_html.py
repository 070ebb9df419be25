"""HTML inside Markdown: tags, comments, scripts and styles are masked, the prose between them is the page."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from nescio.domain.documents import BlockKind, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.fences import Fences
from nescio.ingest.parsers.markdown_feed import joined
from nescio.ingest.parsers.table_rows import TableRow, reach_of

# Tags that stand inside a word or a sentence; every other tag separates words.
_INLINE = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark"),
        *("q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    )
)
LONGEST_GAP = 200  # characters of white space that are looked over between a caption and the first row
_CODE = frozenset(("code", "kbd", "samp", "tt", "pre"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_TOKEN = re.compile(
    r"(?P<comment><!--)|(?P<other><[!?][^>]*+>)|(?P<tag></?(?P<name>[A-Za-z][\w:.-]*+)(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+>)"
)
_HIDDEN_END = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style")}
SCRIPT = re.compile(r"^ {0,3}<(script|style)\b[^<>\n]*+>", re.IGNORECASE | re.MULTILINE)
# Blank lines between two tags of a table end what Markdown takes for HTML, and no table.
TABLE_GAP = re.compile(r"(?<=>)[ \t\r]*+\n(?P<gap>(?:[ \t\r]*+\n)++)(?=[ \t]*+</?(?:thead|tbody|tfoot|tr|td|th|caption|col)\b)")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_ID = re.compile(r"""\s(?:id|name)\s*=\s*(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


@dataclass(slots=True)
class Draft:
    """A block in the making: its kind, its visible runs, the comments in it.

    Of a table also where its tags start and end, its rows, and where the caption stands that is the draft before it.
    """

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    anchor: str | None = None
    start: int = -1
    end: int = -1
    rows: list[TableRow] = field(default_factory=list)
    caption: Span | None = None
    runs: list[Run] = field(default_factory=list)
    holes: list[tuple[int, int]] = field(default_factory=list)


def tag_id(tag: str) -> str | None:
    """The value of a tag's `id` or `name`, or None."""
    match = _ID.search(tag)
    return next((value for value in match.groups() if value), None) if match else None


def script_spans(lines: str, fences: Fences) -> Iterator[tuple[int, int]]:
    """Scripts and styles that hold a blank line, which ends most HTML blocks of Markdown but not a script."""
    at = 0
    while match := SCRIPT.search(lines, at):
        at = match.end()
        if fences.holds(match.start()):
            continue
        closed = _HIDDEN_END[match[1].lower()].search(lines, at)
        if closed is None:
            return
        at = closed.end()
        if _BLANK_LINE.search(lines, match.end(), closed.start()):
            yield match.start(), at


def table_gaps(lines: str, fences: Fences) -> Iterator[tuple[int, int]]:
    """The blank lines inside of tables that are to be left out, in order."""
    for match in TABLE_GAP.finditer(lines):
        if not fences.holds(match.start()):
            yield match.span("gap")


def html_drafts(source: str, ranges: list[tuple[int, int]]) -> list[Draft]:
    """The drafts in an HTML block that stands in the given ranges of `source`, in order. Those without words have no runs.

    The first run starts and the last one ends with a visible character.
    """
    reader = _Reader(source, joined(ranges))
    reader.read()
    for draft in reader.drafts:
        draft.runs = _trimmed(source, draft.runs)
    return reader.drafts


def _trimmed(source: str, runs: list[Run]) -> list[Run]:
    worded = [at for at, run in enumerate(runs) if run.visible(source).strip()]
    if not worded:
        return []
    kept = runs[worded[0] : worded[-1] + 1]
    first = kept[0]
    if first.text is None:
        start = first.span.end - len(first.span.of(source).lstrip())
        kept[0] = replace(first, span=Span(start, first.span.end))
    last = kept[-1]
    if last.text is None:
        kept[-1] = replace(last, span=Span(last.span.start, last.span.start + len(last.span.of(source).rstrip())))
    return kept


class Rows:
    """The rows of a table whose tags are taken in order. `depth` counts the tables that are open, this one included."""

    def __init__(self, start: int) -> None:
        self.start, self.depth = start, 1
        self.found: list[TableRow] = []
        self.is_in_cell = False
        self._row, self._reach = -1, 1
        self._is_head = False

    def take(self, name: str, start: int, end: int, tag: str) -> None:
        """A tag of a head, a row or a cell. A row that is not closed ends where the next one starts."""
        is_closing = tag[1] == "/"
        self.is_in_cell = name in ("td", "th") and not is_closing
        if name == "thead":
            self._is_head = not is_closing
        elif name == "tr":
            self._end_row(end if is_closing else start)
            if not is_closing:
                self._row = start
        elif not is_closing:
            self._row = start if self._row < 0 else self._row
            self._reach = max(self._reach, reach_of(tag))

    def _end_row(self, end: int) -> None:
        if self._row >= 0:
            self.found.append(TableRow(Span(self._row, end), self._reach, self._is_head))
        self._row, self._reach = -1, 1

    def worded(self, runs: list[Run]) -> list[TableRow]:
        """The rows that have runs with text in them, when the table ends; none reaches over the last run that it holds."""
        if runs:
            self._end_row(max(self._row, runs[-1].span.end))
        starts = [run.span.start for run in runs if run.text not in ("\n", "\t")]
        held = ((row, bisect_left(starts, row.span.start), bisect_left(starts, row.span.end)) for row in self.found)
        return [row for row, first, last in held if last > first]


class _Reader:
    def __init__(self, source: str, ranges: list[tuple[int, int]]) -> None:
        self.drafts = [Draft()]
        self._base = ranges[0][0]
        self._text = _without_gaps(source, ranges)
        self._ranges = ranges
        self._range = 0
        self._code = self._link = 0
        self._rows: Rows | None = None  # of the open table

    def read(self) -> None:
        at = 0
        text = self._text
        while match := _TOKEN.search(text, at):
            self._prose(at, match.start())
            at = self._comment(match) if match["comment"] else match.end()
            if match["tag"]:
                at = self._tag(match, match["name"].lower())
        self._prose(at, len(text))
        if self._rows is not None:
            self._end_table(self._rows, -1)

    def _comment(self, match: re.Match[str]) -> int:
        closed = self._text.find("-->", match.end())
        end = closed + 3 if closed >= 0 else len(self._text)
        self.drafts[-1].holes.append((self._base + match.start(), self._base + end))
        return end

    def _tag(self, match: re.Match[str], name: str) -> int:
        tag = match["tag"]
        is_closing = tag[1] == "/"
        if name in _HIDDEN_END and not is_closing and not tag.endswith("/>"):
            closed = _HIDDEN_END[name].search(self._text, match.end())
            return closed.end() if closed else len(self._text)
        if name in _CODE:
            self._code = max(0, self._code + (-1 if is_closing else 1))
        elif name == "a":
            self._link = int(not is_closing and "href" in tag)
            self.drafts[-1].anchor = self.drafts[-1].anchor or tag_id(tag)
        if name in _HEADINGS:
            self.drafts.append(Draft() if is_closing else Draft(BlockKind.HEADING, int(name[1]), tag_id(tag)))
            self._rows = None
        elif name == "table" or self._rows is not None:
            self._table_tag(match, name, is_closing)
        elif name == "summary":
            self.drafts.append(Draft())
        elif name == "pre":
            self.drafts.append(Draft() if is_closing else Draft(BlockKind.CODE))
        elif name not in _INLINE:
            self._separate(match, "\n")
        return match.end()

    def _separate(self, match: re.Match[str], text: str) -> None:
        """Keep words apart that stand before and after the tag."""
        if self.drafts[-1].runs and not self._is_separated():
            self.drafts[-1].runs.append(Run(Span(self._base + match.start(), self._base + match.end()), text=text))

    def _table_tag(self, match: re.Match[str], name: str, is_closing: bool) -> None:
        """A tag in a table, or one that begins a table. A table in a cell is words of the cell."""
        if self._rows is None:
            if not is_closing:
                self._rows = Rows(self._base + match.start())
                self.drafts.append(Draft(BlockKind.TABLE, start=self._rows.start))
            return
        rows = self._rows
        if name == "table":
            rows.depth += -1 if is_closing else 1
            if rows.depth == 0:
                self._end_table(rows, self._base + match.end())
                return
        if rows.depth == 1 and name == "caption" and not rows.found:
            self._caption(rows, match, is_closing)
        elif rows.depth == 1 and name in ("thead", "tr", "td", "th"):
            rows.take(name, self._base + match.start(), self._base + match.end(), match["tag"])
            if not is_closing and name != "thead":
                self._separate(match, "\n" if name == "tr" else "\t")
        elif name not in _INLINE:
            self._separate(match, "\n")

    def _caption(self, rows: Rows, match: re.Match[str], is_closing: bool) -> None:
        if is_closing:
            end = self._base + match.end()
            rest = self._text[match.end() : match.end() + LONGEST_GAP]
            start = end + len(rest) - len(rest.lstrip())
            self.drafts.append(Draft(BlockKind.TABLE, start=start, caption=Span(rows.start, end)))
        else:
            self.drafts[-1] = Draft(start=rows.start)

    def _end_table(self, rows: Rows, end: int) -> None:
        draft = self.drafts[-1]
        draft.rows, draft.end = rows.worded(draft.runs), end
        self.drafts.append(Draft())
        self._rows = None

    def _prose(self, start: int, end: int) -> None:
        """Runs for what stands between two tags, entities decoded."""
        if end <= start:
            return
        at = start
        for match in _ENTITY.finditer(self._text, start, end):
            self._runs(at, match.start())
            decoded = html.unescape(match[0])
            self._add(Span(self._base + match.start(), self._base + match.end()), decoded if decoded != match[0] else None)
            at = match.end()
        self._runs(at, end)

    def _runs(self, start: int, end: int) -> None:
        for a, b in self._within(self._base + start, self._base + end):
            self._add(Span(a, b), None)

    def _is_separated(self) -> bool:
        runs = self.drafts[-1].runs
        return bool(runs) and runs[-1].text in ("\n", "\t")

    def _add(self, span: Span, text: str | None) -> None:
        is_between = self._is_separated() or (self._rows is not None and not (self.drafts[-1].runs and self._rows.is_in_cell))
        if text is None and is_between and self._text[span.start - self._base : span.end - self._base].isspace():
            return
        self.drafts[-1].runs.append(Run(span, link=self._link > 0, code=self._code > 0, text=text))

    def _within(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of `[start, end)` that are the block's own: not a quotation's markers. Called in order."""
        while start < end:
            while self._ranges[self._range][1] <= start and self._range + 1 < len(self._ranges):
                self._range += 1
            first, last = self._ranges[self._range]
            if max(first, start) < min(last, end):
                yield max(first, start), min(last, end)
            if last >= end or self._range + 1 == len(self._ranges):
                return
            start = last
            self._range += 1


def _without_gaps(source: str, ranges: list[tuple[int, int]]) -> str:
    """The text from the first range to the end of the last, with spaces for what lies between ranges."""
    parts: list[str] = []
    at = ranges[0][0]
    for start, end in ranges:
        parts += (" " * (start - at), source[start:end])
        at = end
    return "".join(parts)
