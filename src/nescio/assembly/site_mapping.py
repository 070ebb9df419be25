"""While an index is built: where the built sites of its sources have the pages, taken over where nothing changed."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from nescio.config.loading import Configuration
from nescio.config.model import Source
from nescio.domain.documents import Notice, Passage, Signature
from nescio.errors import ConfigFault
from nescio.index import facts
from nescio.index.manifest import PageRow
from nescio.index.records import PageRecord
from nescio.index.site_map import SiteMap, SitePlace
from nescio.ingest.built_site import BuiltSite, SitePage, SourcePage
from nescio.ingest.site_anchors import anchors_on_site

MOST_NAMED = 5  # pages that the notice names: more are counted

Record = Callable[[], memoryview]
Headings = Sequence[tuple[str, str]]  # titles with their fragments


@dataclass(frozen=True, slots=True)
class _Page:
    row: PageRow
    title: Callable[[], str]
    headings: Callable[[], Headings]


class SiteMapping:
    """Takes the pages of a build one by one; `finished` reads the sites. Sources without a built site cost nothing."""

    def __init__(self, configuration: Configuration, previous: SiteMap) -> None:
        """Raises NotFoundFault (`site-not-found`), ConfigFault (`site-without-url`), IngestFault (`too-many-files`)."""
        limits = configuration.settings.limits
        self._sites = {
            source.name: BuiltSite(folder, limits.max_files, limits.max_file_bytes)
            for source in configuration.settings.sources
            if (folder := _folder(configuration, source))
        }
        self._previous = previous
        self._pages: dict[str, list[_Page]] = defaultdict(list)
        self._finished: SiteMap | None = None
        self.notices: tuple[Notice, ...] = ()

    def keep(self, row: PageRow, record: Record) -> None:
        """A page of the generation before. Its record is asked for in `finished`, if it is needed."""
        if row.source in self._sites:
            self._put(_Page(row, lambda: _title(row, record()), lambda: _headings(row, record())))

    def add(self, row: PageRow, record: bytes) -> None:
        """A page that is new or changed."""
        if row.source in self._sites:
            title, headings = _title(row, memoryview(record)), _headings(row, memoryview(record))
            self._put(_Page(row, lambda: title, lambda: headings))

    def _put(self, page: _Page) -> None:
        self._pages[page.row.source].append(page)
        self._finished = None

    def finished(self) -> SiteMap:
        """Where the pages are that were added; `notices` then names those that their site has not."""
        if self._finished is None:
            places: dict[int, SitePlace] = {}
            missing: list[Notice] = []
            for source, site in sorted(self._sites.items()):
                pages = self._pages[source]
                found = site.found(map(_wanted, pages))
                for page in pages:
                    if place := found.get(page.row.path):
                        places[page.row.slot] = self._place(site, page, place)
                missing += _missing(source, [page.row.path for page in pages if page.row.path not in found])
            self.notices = tuple(missing)
            self._finished = SiteMap(places)
        return self._finished

    def _place(self, site: BuiltSite, page: _Page, found: SitePage) -> SitePlace:
        now = time.time_ns()
        signature = site.signature(found.file)
        known = self._previous.places.get(page.row.slot)
        if known and signature and known.file == found.file and known.signature == tuple(signature):
            return SitePlace(found.file, found.path, known.anchors, known.signature)
        ids = anchors_on_site(site.text(found.file), page.headings())
        changed = {anchor: real for anchor, real in ids.items() if anchor != real}
        return SitePlace(found.file, found.path, changed, _kept(signature, now))


def _folder(configuration: Configuration, source: Source) -> Path | None:
    if source.site is None:
        return None
    if source.site_url is None:
        raise ConfigFault(
            "site-without-url",
            f"The source {source.name} has a built site and no address of it.",
            "Set site_url to where the site is published.",
        )
    return Path(os.path.normpath(configuration.root / source.site))


def _wanted(page: _Page) -> SourcePage:
    return SourcePage(page.row.path, page.row.site_path, page.title, page.row.site_name)


def _kept(signature: Signature | None, now: int) -> tuple[int, ...]:
    return tuple(signature) if signature and signature.is_settled(now) else ()


def _passages(row: PageRow, record: memoryview) -> Iterator[Passage]:
    page = PageRecord(record)
    return (facts.decoded(page.facts(number), row.source, row.path)[0] for number in range(len(page)))


def _title(row: PageRow, record: memoryview) -> str:
    return next((passage.title for passage in _passages(row, record)), "")


def _headings(row: PageRow, record: memoryview) -> Headings:
    """The headings of a page in order as its passages show them, with their fragments. One above others that has no passage of
    its own comes without; a section that goes on after what is described in it comes once.
    """
    found: list[tuple[str, str]] = []
    places: list[int] = []  # in `found`, of the headings above the passage before
    for passage in _passages(row, record):
        trail = passage.heading_path
        same = (found[place][0] == title for place, title in zip(places, trail, strict=False))
        places = places[: sum(takewhile(bool, same))]
        for title in trail[len(places) :]:
            places.append(len(found))
            found.append((title, ""))
        if not passage.anchor:
            continue
        title, anchor = found[places[-1]]
        if anchor and anchor != passage.anchor:
            places[-1] = len(found)
            found.append((title, passage.anchor))
        else:
            found[places[-1]] = title, passage.anchor
    return found


def _missing(source: str, paths: list[str]) -> list[Notice]:
    if not paths:
        return []
    named = ", ".join(sorted(paths)[:MOST_NAMED])
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    count = "1 page was" if len(paths) == 1 else f"{len(paths)} pages were"
    return [Notice("not-on-site", source, 0, f"{count} not found on the built site: {named}{more}.")]
