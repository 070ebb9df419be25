"""What a reader of the page never sees (JSX, template tags) is masked at the same length before Markdown is read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nescio.ingest.parsers.markdown_feed import joined

_NOT_LINE_END = re.compile(r"[^\r\n]")
_SHORTEST_TAG = 3  # `<i>`
_ADDRESS_REACH = 500  # characters looked back for the `](` of a link's address; longer addresses are no links to read


def mask(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with the ranges masked, of the same length and with the same line ends. Overlaps are allowed.

    Where visible text follows on the line the mask is an empty inline tag (spaces would start an indented code block, or
    count as text), inside a link's address it is letters, else it is spaces.
    """
    parts: list[str] = []
    at = len(text)
    is_followed = False
    for start, end in reversed(joined(sorted(spans))):
        between = text[end:at]
        first_line, line_end, _ = between.partition("\n")
        is_followed = bool(first_line.strip()) or (not line_end and is_followed)
        parts += (between, _masked(text, start, end, is_followed))
        is_followed = is_followed and "\n" not in text[start:end]
        at = start
    parts.append(text[:at])
    return "".join(reversed(parts))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with spaces in the ranges, of the same length and with the same line ends: for what no text goes on after."""
    parts: list[str] = []
    at = 0
    for start, end in joined(spans):
        parts += (text[at:start], _NOT_LINE_END.sub(" ", text[start:end]))
        at = end
    return "".join([*parts, text[at:]])


def _masked(text: str, start: int, end: int, is_followed: bool) -> str:
    hidden = text[start:end]
    if _is_in_address(text, start):
        return _NOT_LINE_END.sub("x", hidden)
    head, line_end, last = hidden.rpartition("\n")
    if not is_followed or len(last) < _SHORTEST_TAG:
        return _NOT_LINE_END.sub(" ", hidden)
    return _NOT_LINE_END.sub(" ", head) + line_end + "<i" + " " * (len(last) - _SHORTEST_TAG) + ">"


def _is_in_address(text: str, at: int) -> bool:
    floor = max(text.rfind("\n", 0, at) + 1, at - _ADDRESS_REACH)
    opened = text.rfind("](", floor, at)
    return opened >= 0 and ")" not in text[opened:at]
