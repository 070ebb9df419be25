"""Identifiers that are written into the text (`{ #id }`, `{: .class }`) address it and are no words of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ITEM = r"(?:[.#][^\s{}\"'=]++|[\w:.-]++=(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s\"'{}]++))"
_LIST = rf"\{{:?[ \t]*+{_ITEM}(?:[ \t]++{_ITEM})*+[ \t]*+\}}"
_AT_END = re.compile(rf"[ \t]*+({_LIST})")
_ALONE = re.compile(rf"[ \t]*+{_LIST}[ \t\r]*+")
_COLON_LIST = re.compile(r"\{:[^{}\n]{0,300}\}")
_AFTER_LINK = re.compile(rf"(?<=[)`*]){_LIST}")
_IDENTIFIER = re.compile(r"(?:^|[\s{:])#([^\s{}\"'=]++)")


def attributes_at_end(content: str) -> tuple[int, str | None] | None:
    """Where the attribute list at the end of a heading's content starts, and the id in it; None when there is none."""
    opened = content.rfind("{")
    if opened < 0:
        return None
    match = _AT_END.fullmatch(content.rstrip(), opened)
    return (opened, identifier_in(match[1])) if match else None


def is_attribute_list(content: str) -> bool:
    """Whether `content` is nothing but an attribute list, which belongs to the block above."""
    return content[:1] == "{" and _ALONE.fullmatch(content) is not None


def identifier_in(attributes: str) -> str | None:
    """The id that an attribute list gives, or None."""
    match = _IDENTIFIER.search(attributes)
    return match[1] if match else None


def attribute_lists(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges of attribute lists inside a text: `{: ... }` anywhere, `{ .class }` after a link, code or emphasis."""
    for pattern in (_COLON_LIST, _AFTER_LINK):
        for match in pattern.finditer(text, start, end):
            yield match.span()
