"""Which values of a quote does the file not hold? Those that the making of the site fills in: only their names are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from nescio.answer.section import Piece
from nescio.domain.documents import BlockKind

MOST_NAMED = 5
# Inline code shows such names, and means them.
_CODE = re.compile(r"``[^`]{1,500}``|`[^`]{1,500}`|<code>[^<]{0,500}</code>")
# `{{ name }}` of Jinja, Liquid and Hugo, `{{< param name >}}`, `${name}` and `%name%`, `{name.name}` of MDX, `|name|` of
# reStructuredText.
_TEMPLATE = re.compile(
    r"\{\{-?[ \t]*[A-Za-z_$.][\w.$-]{0,80}(?:[ \t]*\|[^{}\n]{0,80})?[ \t]*-?\}\}|\{\{[<%][ \t]*param\b[^{}\n]{0,120}[>%]\}\}"
)
_VARIABLE = re.compile(r"\$\{[A-Za-z_][\w.]{0,80}\}|(?<![\w%])%[A-Za-z_]\w{0,60}%(?![\w%])")
_EXPRESSION = re.compile(r"(?<![\w{$])\{[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){1,6}\}")
_SUBSTITUTION = re.compile(r"(?<![\w|])\|[A-Za-z][\w .-]{0,60}\|_{0,2}(?![\w|])")


def unfilled(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The names as they are written, each once, in order, at most MOST_NAMED. Values that the file itself tells are none."""
    found = dict.fromkeys(name for piece in pieces for name in _names(piece))
    return tuple(found)[:MOST_NAMED]


def _names(piece: Piece) -> Iterator[str]:
    if piece.kind is BlockKind.CODE:
        return
    text = _CODE.sub(" ", piece.text)
    for pattern in _patterns(piece):
        yield from (match.group() for match in pattern.finditer(text))


def _patterns(piece: Piece) -> Iterator[re.Pattern[str]]:
    yield from (_TEMPLATE, _VARIABLE)
    suffix = piece.path.lower().rpartition(".")[2]
    if suffix == "mdx":
        yield _EXPRESSION
    if suffix in ("rst", "txt", "inc") and piece.kind is not BlockKind.TABLE and not piece.block.needs:
        yield _SUBSTITUTION
