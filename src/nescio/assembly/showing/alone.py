"""The text of a quote without its document: what of its markup and of its place in the page can be told from it alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter

from nescio.assembly.showing.text import flowing
from nescio.domain.display import ShownBlock, ShownRun
from nescio.domain.documents import BlockKind

TAB_STOP = 4

_BETWEEN_BLOCKS = "\n\n"
_BETWEEN_CELLS = " | "
# In text that was set flowing, white space is collapsed: what has more was preformatted.
_PREFORMATTED = re.compile(r"^[ \t\n]|[ \t]$|[ \t]{2}|\t", re.MULTILINE)
_STATEMENT = re.compile(
    r"[%!@#]|(?:import|from|def|class|for|while|if|with|try|return|del|assert|raise|async)\b.*[:\w]$"
    r"|[\w.\[\]'\", ]{1,80}[-+*/]?=(?!=)|[\w.]{1,80}\(",
    re.MULTILINE,
)


def moved_left(text: str) -> str:
    """`text` with each line less the least indentation so far, so that its first block, which may have stood in an item or
    an admonition, stands at the edge.
    """
    lines: list[str] = []
    least: int | None = None
    for line in text.split("\n"):
        content = line.lstrip(" \t")
        if content:
            columns = len(line[: len(line) - len(content)].expandtabs(TAB_STOP))
            least = columns if least is None else min(least, columns)
            line = " " * (columns - least) + content if least else line
        lines.append(line)
    return "\n".join(lines)


def decoded_blocks(text: str) -> tuple[ShownBlock, ...]:
    """The blocks of decoded HTML: rows of cells are a table, preformatted lines and statements code, all else paragraphs."""
    shown: list[ShownBlock] = []
    for is_code, part in _parts(text, _is_code):
        shown += [ShownBlock(BlockKind.CODE, code=part.strip("\n"))] if is_code else map(_prose, part.split(_BETWEEN_BLOCKS))
    return tuple(block for block in shown if block.code.strip() or block.runs or block.rows)


def cells_of(text: str) -> Iterator[tuple[bool, str]]:
    """The stretches of a notebook's text, each with whether it looks like code; the others are Markdown."""
    return _parts(text, lambda chunk: _STATEMENT.match(chunk) is not None)


def _parts(text: str, is_code: Callable[[str], bool]) -> Iterator[tuple[bool, str]]:
    """What blank lines part, neighbours of a sort joined; an indented line after code goes on with it."""
    kinds: list[tuple[bool, str]] = []
    was_code = False
    for chunk in text.strip("\n").split(_BETWEEN_BLOCKS):
        was_code = is_code(chunk) or (was_code and chunk.startswith((" ", "\t", "\n")))
        kinds.append((was_code, chunk))
    for sort, group in groupby(kinds, key=itemgetter(0)):
        chunks = [chunk for _, chunk in group]
        yield sort, _BETWEEN_BLOCKS.join(chunks)


def _is_code(chunk: str) -> bool:
    return _PREFORMATTED.search(chunk) is not None or _STATEMENT.match(chunk) is not None


def _prose(chunk: str) -> ShownBlock:
    lines = chunk.split("\n")
    if len(lines) > 1 and all(_BETWEEN_CELLS in line for line in lines):
        rows = (line.split(_BETWEEN_CELLS) for line in lines)
        return ShownBlock(BlockKind.TABLE, rows=tuple(tuple(flowing([ShownRun(cell)]) for cell in row) for row in rows))
    return ShownBlock(BlockKind.PARAGRAPH, flowing([ShownRun(chunk)]))
