"""Which folders does a watcher look at, and which events in them can change the index?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nescio.config.loading import Configuration
from nescio.errors import Fault
from nescio.index.reading import read_manifest
from nescio.index.store import Store
from nescio.ingest.files import git_top, include_top, read_small
from nescio.ingest.globs import Globs, compiled
from nescio.ingest.walk import DOCUMENT_SUFFIXES, MACHINE_FOLDERS, MAX_IGNORE_BYTES, PRIVATE_FOLDERS

SITE_SUFFIXES = (".html", ".htm")
IGNORE_FILE, VERSIONS_FILE = ".gitignore", "versions.json"  # they say which files count

Identity = tuple[str, int, int]  # a folder that is there: its path, device and inode


@dataclass(frozen=True, slots=True)
class _Root:
    """A folder whose documents are read. With `brings_back` a pattern may want what is hidden or ignored elsewhere."""

    real: str
    exclude: Globs
    brings_back: bool
    suffixes: tuple[str, ...] = DOCUMENT_SUFFIXES


class WatchedFiles:
    """The folders of a configuration, and what is known of the files in them. `learn` makes it know what the index holds."""

    def __init__(self, configuration: Configuration, index: Path) -> None:
        self._configuration = configuration
        self._index = index
        self._included: frozenset[str] = frozenset()
        self._folders: frozenset[str] = frozenset()

    def roots(self) -> frozenset[Identity]:
        """The folders to watch with all below them, those that are there. One that was replaced is another."""
        found = map(_identity, (root.real for root in self._roots()))
        return frozenset(one for one in found if one is not None)

    def places(self) -> frozenset[Identity]:
        """The folders elsewhere that hold included files, to be watched without those below them."""
        tops = tuple(root.real for root in self._roots())
        folders = {str(Path(path).parent) for path in self._included if not any(_is_below(path, top) for top in tops)}
        found = map(_identity, sorted(folders))
        return frozenset(one for one in found if one is not None)

    def learn(self) -> None:
        """Take from the index which files pages include, and which folders hold pages. Without an index nothing changes."""
        try:
            pages = read_manifest(Store(self._index).generation()).pages
        except (Fault, OSError):
            return
        real = {source.name: source for source in self._configuration.settings.sources}
        folders = {name: os.path.realpath(self._configuration.folder(source)) for name, source in real.items()}
        tops = {name: self._include_top(name) for name in real}
        used = {(page.source, path) for page in pages for path in page.used if page.source in tops}
        holding = {(page.source, page.path.rpartition("/")[0]) for page in pages if page.source in folders}
        self._included = frozenset(os.path.normpath(Path(tops[source], path)) for source, path in used)
        self._folders = frozenset(
            os.path.normpath(Path(folders[source], above)) for source, path in holding for above in _and_above(path)
        )

    def matter(self, paths: Iterable[str]) -> bool:
        """Whether what happened at one of `paths` (absolute) can change the index."""
        roots, ignored, index = self._roots(), _Ignored(), os.path.realpath(self._index)
        return any(
            path in self._included or any(self._matters(path, root, ignored) for root in roots if _is_below(path, root.real))
            for path in paths
            if not (path == index or _is_below(path, index))
        )

    def git_locks(self) -> tuple[Path, ...]:
        """The files that are there while git changes the files of a source."""
        tops = {git_top(self._configuration.folder(source)) for source in self._configuration.settings.sources}
        return tuple(top / ".git" / "index.lock" for top in sorted(top for top in tops if top is not None))

    def _roots(self) -> tuple[_Root, ...]:
        return tuple(self._all_roots())

    def _all_roots(self) -> Iterator[_Root]:
        for source in self._configuration.settings.sources:
            exclude = compiled(source.exclude)
            brings_back = any(rule.negated for rule in exclude.rules)
            yield _Root(os.path.realpath(self._configuration.folder(source)), exclude, brings_back)
            if source.site is not None:
                site = Path(self._configuration.root, source.site)
                yield _Root(os.path.realpath(site), Globs(), brings_back=True, suffixes=SITE_SUFFIXES)

    def _include_top(self, name: str) -> str:
        source = next(source for source in self._configuration.settings.sources if source.name == name)
        folder = self._configuration.folder(source)
        return os.path.realpath(include_top(folder, self._configuration.include_root(source)))

    def _matters(self, path: str, root: _Root, ignored: _Ignored) -> bool:
        parts = Path(path).relative_to(root.real).parts
        if not PRIVATE_FOLDERS.isdisjoint(parts):
            return False
        if parts[-1:] in ((IGNORE_FILE,), (VERSIONS_FILE,)):
            return True
        if not root.brings_back and (_is_hidden(parts) or _is_excluded(root.exclude, parts) or ignored.has(root.real, parts)):
            return False
        return path.lower().endswith(root.suffixes) or path in self._folders or Path(path).is_dir()


class _Ignored:
    """What .gitignore files name, those above a root too, up to the top of its repository. Each file is read once."""

    def __init__(self) -> None:
        self._known: dict[str, Globs] = {}

    def has(self, root: str, parts: tuple[str, ...]) -> bool:
        """Whether the path, or a folder above it, is ignored."""
        top = git_top(Path(root))
        above = () if top is None else Path(root).relative_to(top).parts
        whole = (*above, *parts)
        start = Path(root) if top is None else top
        return any(self._is_named(start, whole[:count], count < len(whole)) for count in range(len(above) + 1, len(whole) + 1))

    def _is_named(self, start: Path, parts: tuple[str, ...], is_folder: bool) -> bool:
        for depth in range(len(parts) - 1, -1, -1):
            verdict = self._patterns(start.joinpath(*parts[:depth])).verdict("/".join(parts[depth:]), is_folder)
            if verdict is not None:
                return verdict
        return False

    def _patterns(self, folder: Path) -> Globs:
        name = str(folder)
        if name not in self._known:
            try:
                data = read_small(folder / IGNORE_FILE, MAX_IGNORE_BYTES) or b""
            except OSError:
                data = b""
            self._known[name] = compiled(data.decode("utf-8-sig", "surrogateescape").split("\n"))
        return self._known[name]


def _is_hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") or part in MACHINE_FOLDERS for part in parts)


def _is_excluded(exclude: Globs, parts: tuple[str, ...]) -> bool:
    counts = range(1, len(parts) + 1)
    return any(exclude.verdict("/".join(parts[:count]), count < len(parts)) for count in counts)


def _identity(folder: str) -> Identity | None:
    try:
        status = Path(folder).stat()
    except OSError:
        return None
    return folder, status.st_dev, status.st_ino


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep) or path == folder


def _and_above(path: str) -> Iterator[str]:
    """The path of a folder and those above it, without the empty one."""
    while path:
        yield path
        path = path.rpartition("/")[0]
