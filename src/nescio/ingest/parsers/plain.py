"""Plain text to blocks: paragraphs, and the few signs that people who write plain text agree on."""

from __future__ import annotations

import re

from nescio.domain.documents import Block, BlockKind, Document, Page, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.blobs import code_runs
from nescio.ingest.parsers.outline import first_title, visible_words
from nescio.ingest.parsers.text_lines import Line, body_end, lines_of

NUMBER_SIGNS = re.compile(r"(#{1,6})[ \t]+(?=\S)")
UNDERLINE = re.compile(r"={3,}$|-{3,}$|~{3,}$")
UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3}
UNDERLINE_SLACK = 2  # how much shorter than its title a line under it may be
ITEM = re.compile(r"(?:[*+\-•‣–]|\(?[0-9]{1,3}[.)]|[A-Za-z][.)])[ \t]+(?=\S)")
TERM = re.compile(r"[^\s:][^:]{0,120}::(?:[ \t]+|$)")
FENCE = re.compile(r"(`{3,}|~{3,})[^`]*$")
# `[NOTE]` over a line of dashes, as AsciiDoc writes an admonition; the same line of dashes ends it.
ADMONITION = re.compile(r"\[[A-Za-z][\w ,=.\"-]{0,40}\]$")
DELIMITER = re.compile(r"-{4,}$|={4,}$|\*{4,}$|_{4,}$")
CODE_INDENT = 4
CODE_SIGN = re.compile(r"[{}()\[\];=<>$|\\]|(?:^|\s)--?\w|^\w[\w.-]*:\s|^[\w./-]+$")


def parse_plain(document: Document) -> Page:
    """The blocks of a plain text: paragraphs parted by blank lines, list items, headings, fenced and indented code.

    A heading is a line alone with `#` signs before it, or a line alone with a line of `=`, `-` or `~` under it; `term::`
    begins a list item. Indented lines are code only where most of them look it. Never raises.
    """
    reader = _Reader(document.text)
    blocks = reader.blocks()
    return Page(document, first_title(blocks), blocks)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[Line] = lines_of(text)
        self._index = 0
        self._delimiter = ""  # the line that ends the admonition that we are in
        self._prose_end = 0  # up to here, indented lines were looked at and are no code
        self._blocks: list[Block] = []

    def blocks(self) -> tuple[Block, ...]:
        while self._index < len(self._lines):
            if self._is_blank(self._index) or self._is_delimiter():
                self._index += 1
            elif not (self._fence() or self._heading() or self._underlined() or self._indented_code()):
                self._prose()
        return tuple(self._blocks)

    def _is_blank(self, index: int) -> bool:
        return not 0 <= index < len(self._lines) or self._lines[index].first == self._lines[index].end

    def _matches(self, pattern: re.Pattern[str], index: int) -> re.Match[str] | None:
        if not 0 <= index < len(self._lines):
            return None
        return pattern.match(self._text, self._lines[index].first, self._lines[index].end)

    def _is_delimiter(self) -> bool:
        """Whether this line only opens or closes an admonition."""
        opening = self._matches(ADMONITION, self._index) and self._matches(DELIMITER, self._index + 1)
        if opening:
            self._delimiter = opening.group()
            self._index += 1
            return True
        if self._delimiter and self._content(self._index) == self._delimiter:
            self._delimiter = ""
            return True
        return False

    def _content(self, index: int) -> str:
        line = self._lines[index]
        return self._text[line.first : line.end]

    def _fence(self) -> bool:
        opening = self._matches(FENCE, self._index)
        if not opening:
            return False
        begin, mark = self._index, opening.group(1)
        end = begin + 1
        while end < len(self._lines) and not self._closes(end, mark):
            end += 1
        self._index = end + 1
        if body := self._body(begin + 1, end):
            stop = self._lines[end].end if end < len(self._lines) else body.end
            self._add_code(Span(self._lines[begin].start, stop), body)
        return True

    def _closes(self, index: int, mark: str) -> bool:
        line = self._lines[index]
        is_long_enough = line.end - line.first >= len(mark) and self._text.startswith(mark, line.first)
        return is_long_enough and not self._text[line.first : line.end].strip(mark[0])

    def _add_code(self, span: Span, body: Span) -> None:
        """A block of code whose visible part is `body`, unless there is nothing in it that people write."""
        if runs := code_runs(self._text, [(body.start, body.end)]):
            self._blocks.append(Block(BlockKind.CODE, span, runs))

    def _body(self, begin: int, end: int) -> Span | None:
        """The lines from `begin` up to `end` without blank lines at the ends."""
        while begin < end and self._is_blank(begin):
            begin += 1
        while end > begin and self._is_blank(end - 1):
            end -= 1
        return Span(self._lines[begin].start, self._lines[end - 1].end) if end > begin else None

    def _heading(self) -> bool:
        """`# Title` with blank lines around it: a line of a shell script or a configuration file seldom stands alone."""
        signs = self._matches(NUMBER_SIGNS, self._index)
        if not signs or self._lines[self._index].indent or not self._stands_alone(self._index, self._index):
            return False
        self._add_heading(signs.end(), self._lines[self._index].end, len(signs.group(1)))
        self._index += 1
        return True

    def _stands_alone(self, first: int, last: int) -> bool:
        return self._is_blank(first - 1) and self._is_blank(last + 1)

    def _add_heading(self, start: int, end: int, level: int, stop: int | None = None) -> None:
        title = visible_words(self._text[start:end])
        span = Span(self._lines[self._index].start, stop or end)
        self._blocks.append(Block(BlockKind.HEADING, span, (Run(Span(start, end)),), level=level, title=title))

    def _underlined(self) -> bool:
        under = self._matches(UNDERLINE, self._index + 1)
        line = self._lines[self._index]
        if not under or line.indent or self._lines[self._index + 1].indent or not self._is_blank(self._index - 1):
            return False
        if len(under.group()) < line.end - line.first - UNDERLINE_SLACK or self._matches(UNDERLINE, self._index):
            return False
        if self._delimiter == under.group():
            return False
        self._add_heading(line.first, line.end, UNDERLINE_LEVELS[under.group()[0]], under.end())
        self._index += 2
        return True

    def _indented_code(self) -> bool:
        line = self._lines[self._index]
        after_item = bool(self._blocks) and self._blocks[-1].kind is BlockKind.LIST_ITEM
        is_candidate = line.indent >= CODE_INDENT and self._is_blank(self._index - 1) and not after_item
        if not is_candidate or self._index < self._prose_end:
            return False
        end = body_end(self._lines, self._index, CODE_INDENT - 1)
        filled = [index for index in range(self._index, end) if not self._is_blank(index)]
        looks = sum(1 for index in filled if CODE_SIGN.search(self._content(index)))
        body = self._body(self._index, end)
        if 2 * looks <= len(filled) or body is None:
            self._prose_end = end
            return False
        self._add_code(body, body)
        self._index = end
        return True

    def _prose(self) -> None:
        """A paragraph or a list item: up to a blank line, or a line that begins something else."""
        begin = self._index
        item, term = self._matches(ITEM, begin), self._matches(TERM, begin)
        self._index += 1
        while not self._is_blank(self._index) and not self._begins_other(self._index):
            self._index += 1
        start = item.end() if item else self._lines[begin].first
        span = Span(self._lines[begin].start, self._lines[self._index - 1].end)
        kind = BlockKind.LIST_ITEM if item or term else BlockKind.PARAGRAPH
        self._blocks.append(Block(kind, span, self._prose_runs(start, term and term.end(), span.end)))

    def _prose_runs(self, start: int, term_end: int | None, end: int) -> tuple[Run, ...]:
        """All of it, but for the second colon after a term."""
        if term_end is None:
            return (Run(Span(start, end)),)
        colons = self._text.rindex("::", start, term_end)
        rest = Span(min(colons + 2, end), end)
        runs = (Run(Span(start, colons + 1)), Run(rest))
        return runs if rest.of(self._text).strip() else runs[:1]

    def _begins_other(self, index: int) -> bool:
        if any(self._matches(pattern, index) for pattern in (ITEM, TERM, FENCE)):
            return True
        opens = self._matches(ADMONITION, index) and self._matches(DELIMITER, index + 1)
        return bool(opens) or (self._delimiter != "" and self._content(index) == self._delimiter)
