"""The JSON of the documents written as files: what was written, and which page has which twin."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nescio.surfaces.wire import SCHEMA_VERSION, Json

if TYPE_CHECKING:
    from nescio.assembly.showing.page_texts import PageText


@dataclass(frozen=True, slots=True)
class Linked:
    """A page, the path of its twin and the link to that."""

    page: PageText
    twin: str
    link: str


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """What became of the files of a folder, by path in order. In a check nothing is written: it says what would be."""

    folder: str
    pages: int
    versions: tuple[str, ...]
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def llms_json(told: WrittenFiles) -> Json:
    """What `nescio llms` did, or found different."""
    return {
        "schema_version": SCHEMA_VERSION,
        "folder": told.folder,
        "pages": told.pages,
        "versions": list(told.versions),
        "written": list(told.written),
        "unchanged": list(told.unchanged),
        "removed": list(told.removed),
        "current": not told.written and not told.removed,
    }


def links_json(version: str | None, list_link: str, pages: Iterable[Linked]) -> Json:
    """The links between the pages of a version and their twins, with the elements that templates put into them."""
    return {
        "schema_version": SCHEMA_VERSION,
        "version": version,
        "llms_txt": list_link,
        "pages": [_page_json(one) for one in pages],
    }


def _page_json(one: Linked) -> Json:
    page = one.page
    return {
        "source": page.source,
        "path": page.path,
        "url": page.url,
        "twin": one.twin,
        "alternate": f'<link rel="alternate" type="text/markdown" href="{html.escape(one.link)}">',
        "canonical": None if page.url is None else f'<link rel="canonical" href="{html.escape(page.url)}">',
    }


def manifest_json(files: Mapping[str, str]) -> Json:
    """What a folder has of ours: the SHA-256 of each file by its path."""
    return {"schema_version": SCHEMA_VERSION, "files": dict(sorted(files.items()))}
