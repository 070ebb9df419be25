"""The documents that a caller elsewhere may see, for checking citations: indexed pages in view, and what these include."""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nescio.citations.library import Address, Library
from nescio.config.loading import Configuration
from nescio.domain.views import View
from nescio.engine import Engine
from nescio.errors import BusyFault, NotFoundFault
from nescio.index.reading import StoredIndex
from nescio.index.records import id_key


@dataclass(frozen=True, slots=True)
class Visible:
    """The addresses (source, path) of the pages in view, and the files that the pages of each source include, by their path
    below its include root. `of_ids` are the pages that have the passages which were asked for.
    """

    pages: frozenset[tuple[str, str]]
    included: Mapping[str, frozenset[str]]
    of_ids: frozenset[tuple[str, str]] = frozenset()


def visible(engine: Engine, *, of_all_versions: bool, ids: Iterable[str] = ()) -> Visible:
    """What an engine's reader sees: of the version in view, or of all. `ids` are those of passages that have to be found."""
    index = engine.index.view(View(None, engine.view.reader)) if of_all_versions else engine.index
    pages = frozenset((page.source, page.path) for page in index.pages_in_view())
    included: dict[str, set[str]] = {}
    found: frozenset[tuple[str, str]] = frozenset()
    if isinstance(index, StoredIndex):
        for row in index.manifest.pages:
            included.setdefault(row.source, set()).update(path for path, sha256 in row.used.items() if sha256)
        found = frozenset(_pages_with(index, {id_key(one) for one in ids}))
    return Visible(pages, {source: frozenset(paths) for source, paths in included.items()}, found)


def _pages_with(index: StoredIndex, ids: Collection[int]) -> Iterator[tuple[str, str]]:
    """The pages that have passages with some ids, all in one go: each page's are looked through."""
    wanted = frozenset(ids)
    for rank, page in enumerate(index.manifest.pages if wanted else ()):
        if page.passages and not wanted.isdisjoint(index.corpus.record(rank).ids):
            yield page.source, page.path


class VisibleLibrary(Library):
    """The documents as they are on disk now, without those that are not visible: for a citation, these are not there."""

    def __init__(self, whole: Library, configuration: Configuration, seen: Visible, until: float) -> None:
        super().__init__(whole.folders, configuration.settings.limits, configuration.settings.secrets)
        self._seen = seen
        self._until = until

    def go_on(self) -> None:
        """Raises BusyFault (`request-timeout`) when it is time. Words that were changed are long searched for."""
        if time.monotonic() > self._until:
            raise BusyFault("request-timeout", "Checking the citations takes too long.", "Check fewer of them at a time.")

    def addresses(self) -> Iterator[Address]:
        """See `Library`."""
        return filter(self._is_visible, super().addresses())

    def with_ids(self, ids: Collection[str]) -> Iterator[Address]:
        """Only those that the index knows to have them: to read all takes longer than anybody waits."""
        return (address for address in self.addresses() if (self._name(address), address.path) in self._seen.of_ids)

    def find(self, path: str, source: str | None = None) -> tuple[Address, ...]:
        """See `Library`."""
        return tuple(filter(self._is_visible, super().find(path, source)))

    def _is_visible(self, address: Address) -> bool:
        folder = self.folders[address.folder]
        if (self._name(address), address.path) in self._seen.pages:
            return True
        top, root = (Path(os.path.realpath(one)).as_posix() for one in (folder.include_top, folder.root))
        below = posixpath.normpath(posixpath.join(posixpath.relpath(root, top), address.path))
        return below in self._seen.included.get(folder.name, ())

    def _name(self, address: Address) -> str:
        return self.folders[address.folder].name


def visible_library(configuration: Configuration, seen: Visible, until: float) -> VisibleLibrary:
    """The documents that are visible, to be compared with until then, as `time.monotonic` counts.

    Raises NotFoundFault (`docs-not-found`) where there is only an index of them.
    """
    library = Library.of(configuration)
    if not library.folders:
        raise NotFoundFault(
            "docs-not-found",
            "There are no documents here to compare citations with, only an index of them.",
            "Check citations where the documents are.",
        )
    return VisibleLibrary(library, configuration, seen, until)
