"""Cuts HTML into tags and text with exact offsets, in one pass over it.

Not `html.parser`: that takes quadratic time on a row of unclosed tags, and its positions count LF lines only.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

BYTE_ORDER_MARK = "\ufeff"
TAG_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
TAG_END = re.compile(r">|=[ \t\r\n\f]*[\"']")
ATTRIBUTE = re.compile(r"([^\s=>/\"'][^\s=>/]*)(?:[ \t\r\n\f]*=[ \t\r\n\f]*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
# Their content is text up to their own end tag, whatever it looks like.
RAW_TEXT = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe")
}


class Token(NamedTuple):
    """A tag or a stretch of text. `name` is the tag's in lower case, empty for text; `opens` says that it is a start tag."""

    name: str
    opens: bool
    start: int
    end: int

    def attributes(self, text: str) -> dict[str, str]:
        """The attributes of a start tag, names in lower case, entities decoded; the first of equal names counts."""
        found: dict[str, str] = {}
        for match in ATTRIBUTE.finditer(text, self.start + 1 + len(self.name), self.end - 1):
            value = match.group(2) or match.group(3) or match.group(4) or ""
            found.setdefault(match.group(1).lower(), html.unescape(value) if "&" in value else value)
        return found

    def closes_itself(self, text: str) -> bool:
        """Whether the tag is written `<name/>`."""
        return text[self.end - 2] == "/"


def tokens_of(text: str) -> Iterator[Token]:
    """Tags and text in order; comments, declarations and instructions are left out. Text is never empty."""
    return _Tokens(text).tokens()


class _Tokens:
    def __init__(self, text: str) -> None:
        self._text = text
        self._unclosed: set[str] = set()  # quotation marks that do not occur any more

    def tokens(self) -> Iterator[Token]:
        text, length = self._text, len(self._text)
        position = 1 if text.startswith(BYTE_ORDER_MARK) else 0
        while position < length:
            opening = text.find("<", position)
            opening = length if opening < 0 else opening
            if opening > position:
                yield Token("", False, position, opening)
            if opening == length:
                return
            position = opening
            for token in self._markup(opening):
                position = token.end
                if token.name or token.opens is False:
                    yield token
            if position == opening:
                position = self._nameless_end(opening)
                if position == opening + 1:
                    yield Token("", False, opening, position)

    def _markup(self, at: int) -> Iterator[Token]:
        """The tag at `at`, if there is one, and after the start of a raw text element its content."""
        name = TAG_NAME.match(self._text, at)
        if not name:
            return
        end = self._tag_end(name.end())
        opens = self._text[at + 1] != "/"
        tag = Token(name.group(1).lower(), opens, at, end)
        yield tag
        if opens and tag.name in RAW_TEXT and not tag.closes_itself(self._text):
            close = RAW_TEXT[tag.name].search(self._text, end)
            stop = close.start() if close else len(self._text)
            if stop > end:
                yield Token("", False, end, stop)

    def _tag_end(self, position: int) -> int:
        """After the `>` of a tag, quoted values stepped over; the end of the text when there is none."""
        text = self._text
        while match := TAG_END.search(text, position):
            if match.group() == ">":
                return match.end()
            quote = match.group()[-1]
            close = -1 if quote in self._unclosed else text.find(quote, match.end())
            if close < 0:
                self._unclosed.add(quote)
            position = match.end() if close < 0 else close + 1
        return len(text)

    def _nameless_end(self, at: int) -> int:
        """After a comment or declaration at `at`; a `<` that begins nothing is one character of text."""
        text = self._text
        if text.startswith("<!--", at):
            close = text.find("-->", at + 2)
            return len(text) if close < 0 else max(close + 3, at + 5)
        if text.startswith(("<!", "<?", "</"), at):
            close = text.find(">", at)
            return len(text) if close < 0 else close + 1
        return at + 1
