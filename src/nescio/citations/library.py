"""The documents that citations are compared with, as they are on disk now: no index takes part."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath

from nescio.config.loading import Configuration
from nescio.config.model import Limits, Secrets, Source
from nescio.domain.documents import Document, Page, Passage, Signature
from nescio.errors import NotFoundFault, UsageFault
from nescio.ingest.files import Found, include_top
from nescio.ingest.includes import resolve_includes
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.reader import Skip, read, read_inside
from nescio.ingest.secrets.allowing import unwanted
from nescio.ingest.secrets.guarding import masked
from nescio.ingest.source_files import walk_source
from nescio.ingest.splitter import split

KEPT = 16  # documents in memory: citations come in the order of their files


@dataclass(frozen=True, slots=True)
class Folder:
    """A source as it lies on disk. `shown` is its path as people write it, empty for the current folder."""

    name: str
    root: Path
    shown: str = ""
    source: Source = field(default_factory=lambda: Source(path="."))
    include_root: Path | None = None
    only: str | None = None  # the one file of it that counts

    @property
    def include_top(self) -> Path:
        """The folder that included files may come from."""
        return include_top(self.root, self.include_root)

    def path(self, path: str) -> str:
        """The path of one of its documents as people write it."""
        return posixpath.normpath(posixpath.join(self.shown, path))


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """A document: the number of its folder, and its path in there."""

    folder: int
    path: str


class Library:
    """Documents by their address. Files are read when they are asked for, and secrets in them are masked, whatever is set."""

    def __init__(self, folders: tuple[Folder, ...], limits: Limits, secrets: Secrets) -> None:
        self.folders = folders
        self._limits = limits
        self._policy = secrets
        self._unmasked = lru_cache(maxsize=KEPT)(self._on_disk)
        self._read = lru_cache(maxsize=KEPT)(self._document)
        self._ids = lru_cache(maxsize=KEPT)(self._passages)

    @classmethod
    def of(cls, configuration: Configuration) -> Library:
        """The sources of a configuration."""
        folders = (
            Folder(source.name, configuration.folder(source), source.path, source, configuration.include_root(source))
            for source in configuration.settings.sources
        )
        return cls(tuple(folders), configuration.settings.limits, configuration.settings.secrets)

    def only(self, file: Path) -> Library:
        """One file alone, as that of the source that it lies in, if it lies in one.

        Raises NotFoundFault (`against-not-found`), UsageFault (`against-unreadable`) when it is no text.
        """
        if not file.is_file():
            message = f"There is no file or folder {file}."
            raise NotFoundFault("against-not-found", message, "Name the documents that the citations are from.")
        library = Library((self._folder_of(file),), self._limits, self._policy)
        found = library._document(next(library.addresses()))
        if isinstance(found, Skip):
            raise UsageFault("against-unreadable", f"{file} cannot be used. {found.message}", "Name a file of text.")
        return library

    def _folder_of(self, file: Path) -> Folder:
        real = Path(os.path.realpath(file))
        for folder in self.folders:
            root = Path(os.path.realpath(folder.root))
            if real.is_relative_to(root):
                return replace(folder, root=root, only=real.relative_to(root).as_posix())
        shown = file.parent.as_posix()
        return Folder("", real.parent, "" if shown == "." else shown, only=real.name)

    @cached_property
    def _found(self) -> dict[Address, Found]:
        return {
            Address(number, found.path): found for number, folder in enumerate(self.folders) for found in self._walk(folder)
        }

    def _walk(self, folder: Folder) -> tuple[Found, ...]:
        if folder.only is not None:
            absolute = str(folder.root / folder.only)
            return (Found(folder.only, absolute, Signature.of(Path(absolute).stat())),)
        source = folder.source
        return walk_source(source, folder.root, self._limits).files

    @cached_property
    def _by_name(self) -> dict[str, list[Address]]:
        names: defaultdict[str, list[Address]] = defaultdict(list)
        for address in self._found:
            names[PurePosixPath(address.path).name].append(address)
        return names

    def addresses(self) -> Iterator[Address]:
        """Every document, by folder and path."""
        return iter(self._found)

    @cached_property
    def only_one(self) -> Address | None:
        """The document, where there is but one."""
        found = tuple(islice(self.addresses(), 2))
        return found[0] if len(found) == 1 else None

    def with_ids(self, ids: Collection[str]) -> Iterator[Address]:
        """The documents that may have passages with these ids: here all."""
        return self.addresses()

    def find(self, path: str, source: str | None = None) -> tuple[Address, ...]:
        """The documents that a citation may mean by `path`: exactly that one, or those whose path ends so or that it ends in.

        One of the source that is named comes first; an included file is found below its source's include root.
        """
        asked = posixpath.normpath(path.replace("\\", "/")).lstrip("/")
        named = [number for number, folder in enumerate(self.folders) if folder.name == source and source]
        exact = [Address(number, asked) for number in named or range(len(self.folders))]
        known = [address for address in exact if address in self._found or self._is_included(address)]
        return tuple(known) or self._like(asked)

    def _is_included(self, address: Address) -> bool:
        return self.folders[address.folder].only is None and isinstance(self._read(address), Document)

    def _like(self, asked: str) -> tuple[Address, ...]:
        """Documents called so with a folder before, theirs or the citation's."""
        same_name = self._by_name.get(PurePosixPath(asked).name, [])
        below = [one for one in same_name if self.folders[one.folder].path(one.path) == asked]
        return tuple(below or [one for one in same_name if _ends_with(one.path, asked) or _ends_with(asked, one.path)])

    def go_on(self) -> None:
        """Called between two steps of comparing. Raises where that has taken long enough: never here."""

    def document(self, address: Address) -> Document | None:
        """The document as it is now; None when it cannot be read."""
        self.go_on()
        found = self._read(address)
        return found if isinstance(found, Document) else None

    def unmasked(self, address: Address) -> str | None:
        """The document's text with its secrets: to look whether it is worth masking, and never to be shown."""
        self.go_on()
        found = self._unmasked(address)
        return found.text if isinstance(found, Document) else None

    def shown(self, address: Address) -> str:
        """Its path as people write it."""
        return self.folders[address.folder].path(address.path)

    def passages(self, address: Address) -> tuple[Passage, ...]:
        """The passages that a page has now, those from included files too."""
        self.go_on()
        return self._ids(address)

    def _document(self, address: Address) -> Document | Skip:
        document = self._unmasked(address)
        return document if isinstance(document, Skip) else self._masked(document)

    def _on_disk(self, address: Address) -> Document | Skip:
        folder = self.folders[address.folder]
        found = self._found.get(address)
        return self._included(folder, address.path) if found is None else read(found, folder.name, self._limits)

    def _masked(self, document: Document) -> Document:
        secrets = unwanted(document.text, self._policy)
        return masked(document, secrets) if secrets else document

    def _included(self, folder: Folder, path: str) -> Document | Skip:
        top = Path(os.path.realpath(folder.include_top))
        below = posixpath.relpath(Path(os.path.realpath(folder.root)).as_posix(), top.as_posix())
        found = read_inside(top, posixpath.normpath(posixpath.join(below, path)), folder.name, self._limits)
        return found if isinstance(found, Skip) else _addressed(found, path)

    def _passages(self, address: Address) -> tuple[Passage, ...]:
        document, folder = self.document(address), self.folders[address.folder]
        parse = None if document is None else parser_for(document.path, folder.source.format, document.text)
        if document is None or parse is None:
            return ()
        root, top = (Path(os.path.realpath(one)) for one in (folder.root, folder.include_top))
        below = root.relative_to(top).as_posix() if root.is_relative_to(top) else "."
        page, _ = resolve_includes(
            parse(document),
            lambda path: self._from_top(folder, path, below),
            posixpath.normpath(posixpath.join(below, address.path)),
            parse=_included_page,
            source_root="" if below == "." else below,
            max_depth=self._limits.max_include_depth,
        )
        return tuple(section.passage for section in split(page, folder.source.slug))

    def _from_top(self, folder: Folder, path: str, below: str) -> Document | None:
        found = read_inside(folder.include_top, path, folder.name, self._limits)
        return None if isinstance(found, Skip) else self._masked(_addressed(found, posixpath.relpath(found.path, below)))


def _included_page(document: Document) -> Page | None:
    parse = parser_for(document.path, "auto", document.text)
    return parse(document) if parse else None


def _addressed(document: Document, path: str) -> Document:
    return Document(document.source, path, document.data, document.text, document.encoding, document.sha256)


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith("/" + end)
