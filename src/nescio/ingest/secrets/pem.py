"""Private keys in armour are blocks of lines, with a beginning and as a rule an end: one expression would not be linear."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nescio.domain.spans import Span

RULE = "private-key"
LONGEST = 32_768  # code points of a block; the longest RSA keys in use have about 13,000
FEWEST = 20  # characters of Base64: less is no key
_ANCHOR = "-----BEGIN "
_HEADER = re.compile(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_NEXT = re.compile(r"-----(?:BEGIN|END) ")
_FOOTER = re.compile(r"-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_LINES = re.compile(r"(?:[\s\"',+>#|\\]{0,24}+[A-Za-z0-9+/=]{20,4096}+){1,512}+")
_STAND_IN = re.compile(r"\.\.\.|\u2026|<|\{\{|\$\{|\*\*\*|xxxxx|XXXXX|\[|EXAMPLE|example")
_ESCAPED_LINE_END = re.compile(r"\\[nr]")
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{16,}")


def blocks(text: str) -> Iterator[Span]:
    """The private keys in a text, from the first dash to the last; without an end, to the last line of Base64."""
    at = text.find(_ANCHOR)
    while at >= 0:
        header = _HEADER.match(text, at)
        end = _end(text, header.end()) if header else None
        if end is not None:
            yield Span(at, end)
        at = text.find(_ANCHOR, end or at + len(_ANCHOR))


def _end(text: str, start: int) -> int | None:
    """Where the key ends whose body begins at `start`; None when it holds no key."""
    following = _NEXT.search(text, start, start + LONGEST)
    footer = _FOOTER.match(text, following.start()) if following else None
    if footer:
        return footer.end() if _holds_key(text[start : footer.start()]) else None
    lines = _LINES.match(text, start, following.start() if following else start + LONGEST)
    return lines.end() if lines and _holds_key(lines[0]) else None


def _holds_key(body: str) -> bool:
    if _STAND_IN.search(body):
        return False
    words = _BASE64.findall(_ESCAPED_LINE_END.sub("\n", body))
    return sum(map(len, words)) >= FEWEST and len(set("".join(words))) >= FEWEST // 2
