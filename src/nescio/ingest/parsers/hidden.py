"""Comments of generators and editors: no reader of the page sees them, so they are masked before Markdown is read.

{% comment %} ... {% endcomment %}    Liquid, Jinja         {::comment} ... {:/comment}    kramdown
{# ... #}                             Jinja                 %% ... %%                      Obsidian
% to the end of the line              MyST, on pages that use it
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nescio.ingest.parsers.fences import Fences

TRIGGER = re.compile(r"\{%-?\s*comment|\{#[-\s]|\{::comment|^[ \t>]*%|%%", re.MULTILINE)  # what a page with a comment holds

_OPENING = re.compile(
    r"(?P<code>`{1,3}[^`\n]++`{1,3})|(?P<liquid>\{%-?\s*comment\s*-?%\})|(?P<jinja>\{#(?=[-\s]))"
    r"|(?P<kramdown>\{::comment\b[^{}\n]{0,200}\})|(?P<obsidian>(?<!\S)%%)|(?P<myst>^ {0,3}%(?!%))",
    re.MULTILINE,
)
_CLOSING = {
    "liquid": re.compile(r"\{%-?\s*endcomment\s*-?%\}"),
    "jinja": re.compile(r"#\}"),
    "kramdown": re.compile(r"\{:/(?:comment)?\}"),
    "obsidian": re.compile(r"%%"),
}
_LINE_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
# Roles, directives and targets that no other Markdown has.
_MYST = re.compile(r"^[ \t]*(?:(?:`{3,}|~{3,}|:{3,})\{[a-z]|\([\w:.-]+\)=[ \t\r]*$)|(?<!`)\{[a-z][\w:+-]*\}`", re.MULTILINE)


def comment_spans(lines: str, fences: Fences, start: int = 0) -> Iterator[tuple[int, int]]:
    """The ranges of comments from `start` on, outside of code, in order. What is never closed is no comment."""
    is_myst = _MYST.search(lines, start) is not None
    unclosed: set[str] = set()
    at = start
    while match := _OPENING.search(lines, at):
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "code" or kind in unclosed or fences.holds(match.start()):
            continue
        if kind == "myst":
            line_end = lines.find("\n", at)
            end: int | None = (line_end if line_end >= 0 else len(lines)) if is_myst else None
        else:
            closed = _CLOSING[kind].search(lines, at)
            if closed is None:
                unclosed.add(kind)
                continue
            end = closed.end() if kind != "obsidian" or _is_obsidian(lines, at, closed) else None
        if end is not None:
            yield match.start(), end
            at = end


def _is_obsidian(lines: str, start: int, closed: re.Match[str]) -> bool:
    """Whether two pairs of per cent signs are a comment: on one line, or the second at the end of its line."""
    return "\n" not in lines[start : closed.start()] or _LINE_END.match(lines, closed.end()) is not None
