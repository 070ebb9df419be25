"""Pages as resources: which there are, page of the list by page, and the stored text of each."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from nescio.domain.reports import PageInView
from nescio.engine import Engine
from nescio.errors import NotFoundFault, UsageFault
from nescio.surfaces.mcp.access import Access
from nescio.surfaces.mcp.addresses import NO_VERSION, PageAddress, page_address, page_uri

LISTED = 200  # pages of a list at once: some 40 kB
COMPLETED = 100  # the most that the protocol lets a completion have
PLAIN_TEXT = "text/plain"
MEDIA_TYPES: Mapping[str, str] = MappingProxyType(
    {
        ".md": "text/markdown",
        ".markdown": "text/markdown",
        ".mdx": "text/markdown",
        ".rst": "text/x-rst",
        ".html": "text/html",
        ".htm": "text/html",
        ".xhtml": "application/xhtml+xml",
        ".ipynb": "application/x-ipynb+json",
    }
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page in a list."""

    uri: str
    name: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Text:
    """What is stored of a page: its text as it was indexed, with secrets masked."""

    text: str
    media_type: str


async def listed(access: Access, cursor: str | None) -> tuple[tuple[Listed, ...], str | None]:
    """The next pages after a cursor, by source and path, and the cursor to go on with; None at the end.

    They are those of the version that is asked where none is named. A cursor stays good when pages come and go. Raises
    UsageFault (`cursor-unknown`).
    """
    after = _position(cursor)
    pages = await access.seen({}, lambda engine: engine.index.pages_in_view())
    rest = [page for page in pages if (page.source, page.path) > after]
    shown = tuple(Listed(_uri(page), f"{page.source}/{page.path}", media_type(page.path)) for page in rest[:LISTED])
    return shown, _cursor(rest[LISTED - 1]) if len(rest) > LISTED else None


async def read(access: Access, uri: str) -> Text:
    """The text of a page. Raises NotFoundFault (`page-not-found`) where no page in view has this address.

    Nothing but the addresses of pages in view is compared with it, so that no file can be reached by it.
    """
    address = page_address(uri)
    if address is None:
        raise _not_found()

    def stored(engine: Engine) -> str:
        page = next(filter(lambda page: _is_at(page, address, engine), engine.index.pages_in_view()), None)
        if page is None:
            raise _not_found()
        return engine.index.document(page.document_sha256).text

    text = await access.seen({"version": address.version}, stored)
    return Text(text, media_type(address.path))


async def completed(access: Access, name: str, typed: str, version: str | None) -> tuple[Sequence[str], int]:
    """The first values of a variable of the address template that go on from what was typed, and how many there are."""
    asked = {"version": None if version == NO_VERSION else version}
    found = await access.seen(asked, lambda engine: list(_values(engine, name)))
    fitting = [value for value in found if value.startswith(typed)]
    return fitting[:COMPLETED], len(fitting)


def media_type(path: str) -> str:
    """The media type of a page by the ending of its path."""
    return MEDIA_TYPES.get(PurePosixPath(path).suffix.lower(), PLAIN_TEXT)


def _values(engine: Engine, name: str) -> Iterable[str]:
    if name == "version":
        named = [other for version in engine.versions for other in (version.name, *version.aliases)]
        return named or [NO_VERSION]
    if name == "path":
        return (page_uri(None, page.source, page.path).split("/", 3)[3] for page in engine.index.pages_in_view())
    return ()


def _uri(page: PageInView) -> str:
    return page_uri(page.version, page.source, page.path)


def _is_at(page: PageInView, address: PageAddress, engine: Engine) -> bool:
    """Whether a page has an address; its version may be named by an alias, which the engine's view has resolved."""
    version = None if address.version is None else engine.view.version
    return (page.source, page.path, page.version) == (address.source, address.path, version)


def _cursor(page: PageInView) -> str:
    return base64.urlsafe_b64encode(f"{page.source}\0{page.path}".encode()).decode("ascii")


def _position(cursor: str | None) -> tuple[str, str]:
    if cursor is None:
        return "", ""
    try:
        source, nul, path = base64.b64decode(cursor, b"-_", validate=True).decode("utf-8").partition("\0")
    except ValueError:
        nul = ""
    if not nul:
        raise UsageFault(
            "cursor-unknown", "The cursor is none that this server gave.", "List from the start, without a cursor."
        )
    return source, path


def _not_found() -> NotFoundFault:
    return NotFoundFault(
        "page-not-found", "No page of the documentation has this address.", "Take an address from the list of resources."
    )
