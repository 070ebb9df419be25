"""The addresses of pages as resources, there and back: docs://VERSION/SOURCE/PATH."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

SCHEME = "docs://"
TEMPLATE = f"{SCHEME}{{version}}/{{+path}}"
NO_VERSION = "-"  # in the place of a version, for pages of all versions
_PLAIN = "-._~!$&'()*+,;=@"  # what RFC 3986 lets stand as it is in a part of a path, but for the colon


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page of one version, None for one of all versions."""

    version: str | None
    source: str
    path: str


def page_uri(version: str | None, source: str, path: str) -> str:
    """The address of a page, percent-encoded as UTF-8."""
    return f"{SCHEME}{_encoded(version or NO_VERSION)}/{_encoded(source)}/{_encoded(path, '/')}"


def page_address(uri: str) -> PageAddress | None:
    """The page that an address means; None when it is no address of one. Nothing is resolved: `..` is a name."""
    version, slash, rest = uri.removeprefix(SCHEME).partition("/")
    source, second, path = rest.partition("/")
    if not uri.startswith(SCHEME) or not slash or not second or not path:
        return None
    try:
        named, source, path = (unquote_to_bytes(part).decode("utf-8") for part in (version, source, path))
    except UnicodeDecodeError:
        return None
    return PageAddress(None if named == NO_VERSION else named, source, path)


def _encoded(text: str, also: str = "") -> str:
    return quote(text, safe=_PLAIN + also, errors="surrogateescape")
