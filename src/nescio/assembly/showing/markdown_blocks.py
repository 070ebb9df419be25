"""Blocks of any format written as Markdown: what a reader sees of a page that is no Markdown itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from nescio.assembly.showing.code import language_of, outdented, shown_code
from nescio.assembly.showing.lists import placed, term_end
from nescio.assembly.showing.tables import shown_rows
from nescio.assembly.showing.text import Written, shown_runs
from nescio.domain.display import Cell, Row, ShownRun
from nescio.domain.documents import Block, BlockKind, Document
from nescio.ingest.parsers.choice import PARSERS

INDENT = "    "  # of what stands in an item: enough for `1. `, and too little beyond `- ` to become code
LONGEST_NUMBER = 2  # digits of an item's number: with more of them the indentation would not reach its text

_TICKS = re.compile(r"`+")
# What Markdown takes for markup inside of a line. Of a pair it is enough to take the second: `a_b`, `2 * 3`, `list[0]` stay.
_SPECIAL = re.compile(r"[\\`]|(?<!\s)[*~]|(?<!\s)_(?![^\W_])|\](?=[(\[:])|\[(?=\^)|<(?=[A-Za-z/!?])|&(?=#?\w{1,32};)|(?<!\s)\$")
# A sign that would make a heading, a quotation, an item, a rule, a table or a fence of a line.
_LINE_START = re.compile(
    r"(?P<lead>[ \t]*+)(?:(?P<digits>\d{1,9})(?=[.)](?:\s|$))"
    r"|(?=>|#{1,6}(?:\s|$)|[-+*](?:\s|$)|\||~~~|(?:=|[-=_*](?:[ \t]*[-=_*])+)[ \t]*$|:(?:\s|:)|\[[ xX]\]\s))"
)
_CLOSING = re.compile(r"(?<!\S)#+$")  # what would end a heading and not be of it
_NUMBERED = re.compile(r"\d{1,2}[.)]")
_TASK = re.compile(r"(?:[-*+]|\d{1,2}[.)]) \[[ xX]\]")
_CODE_NAME = re.compile(r"[\w+#.-]{1,40}")


def markdown_of(written: Written, blocks: Sequence[Block]) -> str:
    """The blocks of one document as Markdown, in order, a blank line between them; empty when there is nothing to see.

    Links are words: where they lead is not told. Lines end with LF, the last one without.
    """
    made = (_MADE[block.kind](written, block, level, marker) for block, level, marker in placed(written, blocks))
    return "\n\n".join(text for text in made if text)


def _heading(written: Written, block: Block, level: int, _: str | None) -> str:
    text = inline(shown_runs(written, block)).replace("\\\n", " ")
    text = _CLOSING.sub(lambda match: "\\" + match[0], text)
    return f"{'#' * min(max(level, 1), 6)} {text}" if text else ""


def _paragraph(written: Written, block: Block, level: int, _: str | None) -> str:
    return indented(_flowing(shown_runs(written, block)), INDENT * level)


def _item(written: Written, block: Block, level: int, marker: str | None) -> str:
    text = _flowing(shown_runs(written, block, term_end(written, block, marker)))
    if not text:
        return ""
    sign = _sign(marker)
    return indented(f"{sign} {indented(text, ' ' * (len(sign) + 1)).lstrip(' ')}", INDENT * level)


def _sign(marker: str | None) -> str:
    """A marker as Markdown has them; any other is a bullet with the marker as text."""
    if marker is None or marker in "-*+•‣⁃–":
        return "-"
    if _NUMBERED.fullmatch(marker):
        return marker
    return re.sub(r"\s+", " ", marker) if _TASK.fullmatch(marker) else f"- {_escaped(marker)}"


def _code(written: Written, block: Block, level: int, _: str | None) -> str:
    code = shown_code(written, block)
    if not code.strip():
        return ""
    return indented(fenced(code, language_of(written, block)), INDENT * level)


def _table(written: Written, block: Block, level: int, _: str | None) -> str:
    rows = _rows(written, block)
    return indented(_drawn(rows), INDENT * level) if rows else _paragraph(written, block, level, None)


def _rows(written: Written, block: Block) -> tuple[Row, ...]:
    """The rows; in a notebook those that its Markdown has, without the quotes of JSON."""
    if written.format != "notebook" or block.display is None:
        return shown_rows(written, block)
    lines = Written(outdented(block.display), "markdown")
    return next((shown_rows(lines, one) for one in parsed_blocks(lines) if one.kind is BlockKind.TABLE), ())


def parsed_blocks(written: Written) -> Sequence[Block]:
    """What the parser of its format finds in a text that is no notebook."""
    return PARSERS[written.format](Document("", "", b"", written.text, "utf-8", "")).blocks


def _drawn(rows: Sequence[Row]) -> str:
    columns = max(map(len, rows))
    lines = [_row([_cell(cell) for cell in row], columns) for row in rows]
    return "\n".join([lines[0], _row(["---"] * columns, columns), *lines[1:]])


def _row(cells: Sequence[str], columns: int) -> str:
    return "| " + " | ".join([*cells, *[""] * (columns - len(cells))]) + " |"


def _cell(cell: Cell) -> str:
    """In a table a bar ends a cell, even inside of code."""
    return inline(cell).replace("\\\n", " ").replace("|", "\\|")


def fenced(code: str, language: str | None) -> str:
    """Code in a fence that is longer than any in it."""
    longest = max((len(ticks) for ticks in _TICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    name = language if language and _CODE_NAME.fullmatch(language) else ""
    return f"{fence}{name}\n{code}\n{fence}"


def indented(text: str, indent: str) -> str:
    """`text` with white space before each line that is not blank."""
    if not indent:
        return text
    return "\n".join(indent + line if line.strip() else line for line in text.split("\n"))


def _flowing(runs: Sequence[ShownRun]) -> str:
    return "\n".join(_as_text(line) for line in inline(runs).split("\n"))


def _as_text(line: str) -> str:
    """The line with the sign told as itself that would make something else of it."""
    match = _LINE_START.match(line)
    return f"{match[0]}\\{line[match.end() :]}" if match else line


def inline(runs: Sequence[ShownRun]) -> str:
    """The runs with what Markdown would take for markup told as itself; a line end that is seen is a hard break."""
    return "".join(_code_span(run.text) if run.code else _escaped(run.text) for run in runs).replace("\n", "\\\n")


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def _code_span(text: str) -> str:
    text = text.replace("\n", " ")
    if not text.strip():
        return text
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    has_edge = text.startswith("`") or text.endswith("`") or (text[0] == " " == text[-1])
    return f"{ticks} {text} {ticks}" if has_edge else f"{ticks}{text}{ticks}"


_Made = Callable[[Written, Block, int, str | None], str]
_MADE: dict[BlockKind, _Made] = {
    BlockKind.HEADING: _heading,
    BlockKind.PARAGRAPH: _paragraph,
    BlockKind.LIST_ITEM: _item,
    BlockKind.CODE: _code,
    BlockKind.TABLE: _table,
}


def runs_of_documents(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """The blocks in stretches that are of one document each."""
    stretch: list[Block] = []
    for block in blocks:
        if stretch and stretch[-1].document is not block.document:
            yield stretch
            stretch = []
        stretch.append(block)
    if stretch:
        yield stretch
