"""Admonitions, tabs and other directives of several dialects are no Markdown: markers go, bodies are read as prose.

    !!! note "Title"     ??? tip     === "Tab"      a body indented by four columns is moved left
    /// note | Title     ///         //// tab | A   a body up to the closing line
    ::: tip Title        :::         :::{note}      likewise; also `::: dotted.name`, whose name is the text
    > [!NOTE] Title                                 the bracket goes
    ```{note} Title      ```                        a fence whose body is prose

The title, or the word for the sort of box where there is none, becomes a paragraph: it is the label of what the box holds.
Lines that include a file are taken out and handed back with their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nescio.domain.documents import Include
from nescio.domain.spans import Span
from nescio.ingest.parsers.fences import Fences
from nescio.ingest.parsers.grouping import Region
from nescio.ingest.parsers.include_lines import include_on, snippet
from nescio.ingest.parsers.markdown_boxes import Boxes, label_pieces
from nescio.ingest.parsers.markdown_feed import Feed, FeedBuilder

TRIGGER = re.compile(r'!!!|\?\?\?|===[+!]?[ \t]+"|///|:::|\[!|\{[*{]|8<-|```\{|~~~\{')  # what a page with a directive holds
BODY_INDENT = 4  # columns, as Python-Markdown has it

# Matched against a line without the white space around it.
_BODY = re.compile(r'(?:!!!|\?\?\?\+?)[ \t]*+(?:(?P<type>[\w-]++)[ \t]*+)?(?:[\w-]++[ \t]*+)*+(?:"(?P<title>[^\n]*)")?')
_TAB = re.compile(r'===[+!]?[ \t]++"(?P<title>[^\n]+)"')
_SLASHES = re.compile(r"(?P<fence>/{3,})[ \t]*+(?:(?P<type>[\w-]++)[ \t]*+(?:\|[ \t]*+(?P<title>[^\n]*))?)?")
_COLONS = re.compile(
    r"(?P<fence>:{3,})[ \t]*+(?:\{(?P<braced>[^{}\n]*)\}[ \t]*+(?P<plain>[^\n]*)|(?P<name>[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<type>[\w-]++)(?:\[(?P<bracket>[^\]\n]*)\])?[ \t]*+(?:\{[^{}\n]*\}|(?P<title>[^\n]*)))?"
)
_CALLOUT = re.compile(r"(?P<quote>>[ \t>]*+)\[!(?P<type>[A-Za-z-]++)\][+-]?[ \t]*+(?P<title>[^\n]*)")
_PROSE_FENCE = re.compile(r"(?P<fence>[`~]{3,})(?:[ \t]*+\{(?P<braced>[a-z-]++)\}[ \t]*+(?P<title>[^\n]*))?")
_BLOCK_SNIPPET = re.compile(r"-+8<-+")

_FIELD = re.compile(r":[\w-]++:")
_SETTING = re.compile(r"[\w-]++:")
_ANYTHING = re.compile("")
_INDENT = re.compile(r"[ \t]*+")
_LIST_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_TAB_STOP = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """An include with the range of its directive, from the first character of the line to the last visible one."""

    include: Include
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Directed:
    """What the Markdown parser is to read of a page, the includes in order, and the ranges of the boxes.

    `seen` is the page with what no reader sees masked at the same length.
    """

    feed: Feed
    seen: str
    includes: Sequence[Placed] = ()
    regions: Sequence[Region] = ()


@dataclass(frozen=True, slots=True)
class Break:
    """Where a tag ends the paragraph, and the column at which the tag starts. A label after it is text, whatever it holds."""

    offset: int
    column: int
    is_before_label: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """Where something else than directives changes what is read.

    The line at `rule` is kept apart from the text above it, which it would otherwise make a heading. A paragraph ends at
    each of `breaks`, and the lines in `gaps` are left out; both are in order.
    """

    rule: int | None = None
    breaks: Sequence[Break] = ()
    gaps: Sequence[tuple[int, int]] = ()


def read_directives(lines: str, start: int, fences: Fences, places: Places, *, mdx: bool = False) -> Directed:
    """`lines` from `start` on without the markup of directives.

    In MDX, where no indentation makes code, indented lines outside of lists move left.
    """
    scan = _Scan(lines, fences, mdx, places.breaks)
    gaps = iter(places.gaps)
    gap = next(gaps, None)
    at = start
    for end in _line_ends(lines, start):
        if at == places.rule:
            scan.builder.insert("\n", at)
        while gap is not None and gap[1] <= at:
            gap = next(gaps, None)
        if gap is None or at < gap[0]:
            scan.line(at, end)
        at = end + 1
    return Directed(scan.builder.build(), lines, scan.includes, scan.boxes.regions(len(lines)))


def _line_ends(lines: str, start: int) -> Iterator[int]:
    at = start
    while (end := lines.find("\n", at)) >= 0:
        yield end
        at = end + 1
    if at < len(lines):
        yield len(lines)


class _Scan:
    """Goes over the lines once. `line` is to be called with each of them in order."""

    def __init__(self, lines: str, fences: Fences, mdx: bool, breaks: Sequence[Break]) -> None:
        self.builder = FeedBuilder(lines)
        self.includes: list[Placed] = []
        self.boxes = Boxes()
        self._breaks, self._next_break = breaks, 0
        self._lines, self._fences, self._mdx = lines, fences, mdx
        self._bodies: list[int] = []  # the columns at which the open indented bodies start, outer ones first
        self._option: re.Pattern[str] | None = None  # what a line looks like that sets an option of the directive above it
        self._fence_cut = 0  # columns that the open fence was moved left by
        self._is_in_list = False
        self._is_in_snippets = False

    def line(self, start: int, end: int) -> None:
        """Keep of the line what the Markdown parser is to read."""
        text = self._lines[start:end]
        stripped = text.strip()
        self.boxes.close_quotes(_quotation(stripped), start)
        if breaks := self._breaks_before(end + 1):
            self._broken(start, end, breaks)
        elif not stripped:
            self._option = None
            self._keep(start, end, 0)
        elif self._fences.holds(start):
            self._fenced(start, end, text)
        else:
            self._close_bodies(start, _columns(text))
            if self._is_option(text, stripped):
                return
            if self._is_code(text) or not self._is_directive(start, end, text, stripped):
                self._note_list(text, stripped)
                self._keep(start, end, self._cut(text))

    def _keep(self, start: int, end: int, cut: int) -> None:
        self.builder.keep(start + cut, min(end + 1, len(self._lines)))

    def _breaks_before(self, end: int) -> Sequence[Break]:
        first = self._next_break
        while self._next_break < len(self._breaks) and self._breaks[self._next_break].offset < end:
            self._next_break += 1
        return self._breaks[first : self._next_break]

    def _broken(self, start: int, end: int, breaks: Sequence[Break]) -> None:
        """A line in which paragraphs end. What follows each break is indented as the tag is that makes it."""
        self._option = None
        text = self._lines[start:end]
        column = breaks[0].column
        if text.strip():
            self._close_bodies(start, column)
            self._is_in_list = self._is_in_list and column > 0
        is_free = self._mdx and not self._is_in_list
        indent = " " * (0 if is_free else max(0, column - BODY_INDENT * len(self._bodies)))
        at = start + min(_characters(text, column), breaks[0].offset - start)
        self.builder.insert(indent, at)
        for one in breaks:
            self.builder.keep(at, one.offset)
            at = one.offset + len(text[one.offset - start :]) - len(text[one.offset - start :].lstrip())
            self.builder.insert("\n\n" + indent, one.offset)
            self._keep_from_markup(at, is_needed=one.is_before_label)
        self.builder.keep(at, min(end + 1, len(self._lines)))

    def _fenced(self, start: int, end: int, text: str) -> None:
        if self._fences.opens_at(start):
            self._option = None
            self._close_bodies(start, _columns(text))
            cut = self._cut(text)
            self._fence_cut = _columns(text[:cut])
        self._keep(start, end, _characters(text, self._fence_cut))

    def _cut(self, text: str) -> int:
        """How many characters of indentation the line loses: its bodies', or all of it in MDX where no list needs it."""
        columns = _columns(text)
        if self._mdx and not self._is_in_list and columns >= BODY_INDENT:
            return _characters(text, columns)
        return _characters(text, BODY_INDENT * len(self._bodies))

    def _close_bodies(self, start: int, columns: int) -> None:
        if self._bodies and columns < self._bodies[-1]:
            self._bodies = [body for body in self._bodies if columns >= body]
            self.boxes.close_bodies(len(self._bodies), start)
            self.builder.insert("\n", start)

    def _is_code(self, text: str) -> bool:
        """Whether the line is in an indented code block, as far as lines alone can tell."""
        return not (self._mdx or self._is_in_list) and _columns(text) >= BODY_INDENT * (len(self._bodies) + 1)

    def _note_list(self, text: str, stripped: str) -> None:
        self._option = None
        if _LIST_MARKER.match(stripped):
            self._is_in_list = True
        elif text[0] not in " \t":
            self._is_in_list = False

    def _is_option(self, text: str, stripped: str) -> bool:
        if self._option is None or not self._option.match(stripped):
            return False
        return self._option is _FIELD or _columns(text) >= BODY_INDENT * (len(self._bodies) + 1)

    def _is_directive(self, start: int, end: int, text: str, stripped: str) -> bool:
        """Whether the line is a directive; if so its title is kept and its include noted."""
        first = stripped[0]
        if start in self._fences.markers:
            return self._fence(_PROSE_FENCE.fullmatch(stripped), start, end, text, _FIELD)
        if first in "!?=":
            match = (_TAB if first == "=" else _BODY).fullmatch(stripped)
            return match is not None and self._open_body(match, start, end, text)
        if first == "/":
            return self._fence(_SLASHES.fullmatch(stripped), start, end, text, _SETTING)
        if first == ":":
            match = _COLONS.fullmatch(stripped)
            return self._fence(match, start, end, text, _option_after(match))
        if first == ">":
            return self._callout(_CALLOUT.fullmatch(stripped), start, end, text)
        return self._is_include(start, end, text, stripped)

    def _open_body(self, match: re.Match[str], start: int, end: int, text: str) -> bool:
        """A marker without an indented body under it is text."""
        body = _columns(text) + BODY_INDENT
        if self._next_columns(end + 1) < body:
            return False
        label = self._mark(match, start, end, text, None)
        self.boxes.open_body(start, label)
        self._bodies.append(body)
        return True

    def _next_columns(self, at: int) -> int:
        for end in _line_ends(self._lines, at):
            text = self._lines[at:end]
            if text.strip():
                return _columns(text)
            at = end + 1
        return 0

    def _fence(self, match: re.Match[str] | None, start: int, end: int, text: str, option: re.Pattern[str] | None) -> bool:
        """A line that opens or closes a directive with a fence; what is named in it alone (`::: pkg.mod`) is no box."""
        if match is None:
            return False
        label = self._mark(match, start, end, text, option)
        names = match.re.groupindex
        if any(match[name] is not None for name in ("type", "braced") if name in names):
            self.boxes.open_fence(match["fence"], start, label)
        elif not ("name" in names and match["name"]):
            self.boxes.close_fence(match["fence"], start)
        return True

    def _mark(self, match: re.Match[str], start: int, end: int, text: str, option: re.Pattern[str] | None) -> Span | None:
        """Keep of the line its label, as a paragraph; the range of a line that has one."""
        pieces = label_pieces(match, any_type=match.re is _BODY)
        indent = len(text) - len(text.lstrip())
        self.builder.insert("\n", start)
        self._option = option
        if not pieces:
            return None
        self.builder.keep(start + self._cut(text), start + indent)
        self._keep_label(start + indent, pieces)
        self.builder.insert("\n\n", end)
        return Span(start, start + len(text.rstrip()))

    def _keep_label(self, offset: int, pieces: list[tuple[int, int]]) -> None:
        """The pieces of a line at `offset`."""
        self._keep_from_markup(offset + pieces[0][0])
        for number, (begin, stop) in enumerate(pieces):
            if number:
                self.builder.insert(" ", offset + begin)
            self.builder.keep(offset + begin, offset + stop)

    def _keep_from_markup(self, at: int, *, is_needed: bool = True) -> None:
        """An empty tag before what would be read as an item, a heading or the like, but is a label."""
        if is_needed and not self._lines[at : at + 1].isalpha():
            self.builder.insert("<i>", at)

    def _callout(self, match: re.Match[str] | None, start: int, end: int, text: str) -> bool:
        indent = len(text) - len(text.lstrip())
        if match is None or not text[:indent].isascii():
            return False
        self.builder.keep(start + self._cut(text), start + indent + match.end("quote"))
        self._keep_label(start + indent, label_pieces(match, any_type=False) or [match.span("type")])
        self.builder.insert("\n" + text[:indent] + match["quote"], end)
        self.builder.insert("\n", end)
        self.boxes.open_quote(_quotation(match["quote"]), start, Span(start, start + len(text.rstrip())))
        return True

    def _is_include(self, start: int, end: int, text: str, stripped: str) -> bool:
        if _BLOCK_SNIPPET.fullmatch(stripped):
            self._is_in_snippets = not self._is_in_snippets and "8<-" in self._lines[end:]
            found = None
        elif self._is_in_snippets:
            found = snippet(stripped.lstrip("; "))
        else:
            found = include_on(stripped)
            if found is None:
                return False
        if found is not None:
            self.includes.append(Placed(found, start, start + len(text.rstrip())))
        self.builder.insert("\n", start)
        return True


def _option_after(colons: re.Match[str] | None) -> re.Pattern[str] | None:
    if colons is None or not (colons["braced"] is not None or colons["name"]):
        return None
    return _ANYTHING if colons["name"] else _FIELD


def _quotation(text: str) -> int:
    """In how many quotations a line stands, as far as its first characters tell."""
    return text[: len(text) - len(text.lstrip("> \t"))].count(">")


def _columns(text: str) -> int:
    """How many columns the line is indented by, tabs to the next multiple of four."""
    columns = 0
    for character in text:
        if character == " ":
            columns += 1
        elif character == "\t":
            columns += _TAB_STOP - columns % _TAB_STOP
        else:
            break
    return columns


def _characters(text: str, columns: int) -> int:
    """How many characters of indentation make up to `columns` columns, or the first tab beyond."""
    reached = 0
    for at, character in enumerate(text):
        if reached >= columns or character not in " \t":
            return at
        reached += 1 if character == " " else _TAB_STOP - reached % _TAB_STOP
    return len(text)
