"""The documents that a caller elsewhere may see, for checking citations: indexed pages in view, and what these include."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nescio.citations.library import Address, Library
from nescio.config.loading import Configuration
from nescio.domain.views import View
from nescio.engine import Engine
from nescio.errors import NotFoundFault
from nescio.index.reading import StoredIndex


@dataclass(frozen=True, slots=True)
class Visible:
    """The addresses (source, path) of the pages in view, and the files that the pages of each source include, by their path
    below its include root.
    """

    pages: frozenset[tuple[str, str]]
    included: Mapping[str, frozenset[str]]


def visible(engine: Engine, *, of_all_versions: bool) -> Visible:
    """What an engine's reader sees: of the version in view, or of all."""
    index = engine.index.view(View(None, engine.view.reader)) if of_all_versions else engine.index
    pages = frozenset((page.source, page.path) for page in index.pages_in_view())
    included: dict[str, set[str]] = {}
    if isinstance(index, StoredIndex):
        for row in index.manifest.pages:
            included.setdefault(row.source, set()).update(path for path, sha256 in row.used.items() if sha256)
    return Visible(pages, {source: frozenset(paths) for source, paths in included.items()})


class VisibleLibrary(Library):
    """The documents as they are on disk now, without those that are not visible: for a citation, these are not there."""

    def __init__(self, whole: Library, configuration: Configuration, seen: Visible) -> None:
        super().__init__(whole.folders, configuration.settings.limits, configuration.settings.secrets)
        self._seen = seen

    def addresses(self) -> Iterator[Address]:
        """See `Library`."""
        return filter(self._is_visible, super().addresses())

    def find(self, path: str, source: str | None = None) -> tuple[Address, ...]:
        """See `Library`."""
        return tuple(filter(self._is_visible, super().find(path, source)))

    def _is_visible(self, address: Address) -> bool:
        folder = self.folders[address.folder]
        if (folder.name, address.path) in self._seen.pages:
            return True
        top, root = (Path(os.path.realpath(one)).as_posix() for one in (folder.include_top, folder.root))
        below = posixpath.normpath(posixpath.join(posixpath.relpath(root, top), address.path))
        return below in self._seen.included.get(folder.name, ())


def visible_library(configuration: Configuration, seen: Visible) -> VisibleLibrary:
    """The documents that are visible. Raises NotFoundFault (`docs-not-found`) where there is only an index of them."""
    library = Library.of(configuration)
    if not library.folders:
        raise NotFoundFault(
            "docs-not-found",
            "There are no documents here to compare citations with, only an index of them.",
            "Check citations where the documents are.",
        )
    return VisibleLibrary(library, configuration, seen)
