"""Everything that `nescio llms` writes, as bytes by path: an edition for each version, the default one at the top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nescio.assembly.showing.page_texts import PageText, PageTexts
from nescio.engine import Engine
from nescio.surfaces import wire, wire_llms
from nescio.surfaces.llms.places import LINKS, LIST, OURS, WHOLE, Placed, Places, Site, site_of, version_folder
from nescio.surfaces.llms.texts import Heading, list_text, whole_text


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is written of which engine's documents. Without a `version`, all of them."""

    name: str
    summary: str = ""
    version: str | None = None
    reader_view: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Files:
    """What is to be there, by path. `pages` counts the twins, `versions` are those that have a list of their own."""

    contents: Mapping[str, bytes]
    pages: int
    versions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Edition:
    """A version, None where the documents have none, its folder, and the pages of it."""

    version: str | None
    folder: str
    pages: tuple[PageText, ...]


def files(engine: Engine, texts: PageTexts, wanted: Wanted) -> Files:
    """All files. Raises NotFoundFault (`version-not-found`), UsageFault (`reader-view-not-indexed`) and IndexFault."""
    editions = _editions(engine, texts, wanted)
    site = site_of(page for edition in editions for page in edition.pages)
    places = Places(site)
    for edition in editions:
        for name in (LIST, WHOLE, LINKS, OURS):
            places.keep(_in(edition.folder, name))
    contents: dict[str, bytes] = {}
    twins: dict[tuple[str, str], Placed] = {}
    for edition in editions:
        for page in edition.pages:
            address = (page.source, page.path)
            if address not in twins:
                folder = edition.folder if page.version is not None else ""
                twins[address] = Placed(page, places.of(page, folder))
        placed = [twins[page.source, page.path] for page in edition.pages]
        contents |= _edition_files(edition, placed, site, _heading(edition, editions, site, wanted))
    contents |= {one.twin: f"{one.page.text}\n".encode("utf-8", "replace") for one in twins.values()}
    versions = tuple(edition.version for edition in editions if edition.version is not None)
    return Files(contents, len(twins), versions)


def _editions(engine: Engine, texts: PageTexts, wanted: Wanted) -> list[_Edition]:
    """The version that is wanted alone, or the default one at the top and each other one in its folder."""
    first = engine.within(docs_version=wanted.version, reader_view=wanted.reader_view)
    found = [_Edition(first.view.version, "", tuple(texts.pages(first)))]
    if wanted.version is not None:
        return found
    taken = {""}
    for version in engine.versions:
        if version.name != first.view.version:
            seen = engine.within(docs_version=version.name, reader_view=wanted.reader_view)
            folder = _free(version_folder(version.name), taken)
            found.append(_Edition(version.name, folder, tuple(texts.pages(seen))))
    return found


def _free(name: str, taken: set[str]) -> str:
    number, folder = 1, name
    while folder.casefold() in taken:
        number += 1
        folder = f"{name}-{number}"
    taken.add(folder.casefold())
    return folder


def _edition_files(edition: _Edition, placed: Sequence[Placed], site: Site, heading: Heading) -> dict[str, bytes]:
    links = {(one.page.source, one.page.path): site.link(one.twin, edition.folder) for one in placed}
    listed = list_text(heading, edition.pages, lambda page: links[page.source, page.path])
    told = wire_llms.links_json(
        edition.version, site.link(_in(edition.folder, LIST), edition.folder), _linked(placed, site, edition.folder)
    )
    return {
        _in(edition.folder, LIST): listed.encode("utf-8", "replace"),
        _in(edition.folder, WHOLE): whole_text(heading, edition.pages).encode("utf-8", "replace"),
        _in(edition.folder, LINKS): wire.encode(told, indented=True),
    }


def _linked(placed: Iterable[Placed], site: Site, folder: str) -> Iterable[wire_llms.Linked]:
    return (wire_llms.Linked(one.page, one.twin, site.link(one.twin, folder)) for one in placed)


def _heading(edition: _Edition, editions: Sequence[_Edition], site: Site, wanted: Wanted) -> Heading:
    others = tuple(
        (other.version, site.link(_in(other.folder, LIST), edition.folder))
        for other in editions
        if other is not edition and other.version is not None
    )
    return Heading(wanted.name, wanted.summary, edition.version, others)


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
