"""Which file of a built site is a page of ours? By the generator's rule, by names like it, else by a title that is unique."""

from __future__ import annotations

import html
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nescio.domain.documents import Signature
from nescio.errors import IngestFault, NotFoundFault
from nescio.ingest.files import is_unicode, read_small
from nescio.ingest.parsers.html import TITLE_SEPARATORS
from nescio.ingest.site_anchors import heading_key
from nescio.ingest.site_paths import without_number

ENDINGS = (".html", ".htm")
_INDEX = "index.html"
_FIRST_PAGES = frozenset({"index", "readme", "_index"})  # of their folder
_HEAD_CHARACTERS = 100_000  # of a file in which its title is looked for
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{1,500})", re.IGNORECASE)
_HEADING = re.compile(r"<h1[^<>]{0,500}>(.{1,800}?)</h1", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page to look for: its path below the source, its path on the site by rule, its title, which is asked for only where
    nothing else helps, and what its front matter calls it, if anything.
    """

    path: str
    rule: str
    title: Callable[[], str]
    named: str = ""


@dataclass(frozen=True, slots=True)
class SitePage:
    """Where a page was found: the file below the site's folder, and the page's path below the site's address."""

    file: str
    path: str


class BuiltSite:
    """The HTML files below a folder. Links are not followed, hidden folders not looked into."""

    def __init__(self, folder: Path, max_files: int, max_bytes: int) -> None:
        """Raises NotFoundFault (`site-not-found`) without such a folder, IngestFault (`too-many-files`)."""
        if not folder.is_dir():
            message = f"The folder of the built site, {folder}, is not there."
            raise NotFoundFault("site-not-found", message, "Build the site first, or name its folder: site, or --site FOLDER.")
        self._folder = folder
        self._max_bytes = max_bytes
        self._files = dict.fromkeys(sorted(_html_files(folder, max_files)))
        self._folded = _unique((name.casefold(), name) for name in self._files)

    def found(self, pages: Iterable[SourcePage]) -> dict[str, SitePage]:
        """For each path of a page that the site has, where. No file is two pages': the surer way wins, then any over README."""
        waiting = sorted(pages, key=lambda page: (PurePosixPath(page.path).stem == "README", page.path))
        found: dict[str, SitePage] = {}
        taken: set[str] = set()
        for look in (self._by_rule, self._by_name):
            left: list[SourcePage] = []
            for page in waiting:
                place = look(page)
                if place is None or place.file in taken:
                    left.append(page)
                else:
                    found[page.path] = place
                    taken.add(place.file)
            waiting = left
        return found | self._by_title(waiting, taken)

    def text(self, file: str) -> str:
        """The text of one of its files; empty where it is too large or cannot be read (any more)."""
        try:
            data = read_small(self._folder / file, self._max_bytes)
        except OSError:
            return ""
        return (data or b"").decode("utf-8-sig", "replace")

    def signature(self, file: str) -> Signature | None:
        """Of one of its files; None where it is gone."""
        try:
            return Signature.of((self._folder / file).stat(follow_symlinks=False))
        except OSError:
            return None

    def _by_rule(self, page: SourcePage) -> SitePage | None:
        rule = page.rule
        if rule.lower().endswith(ENDINGS):
            names = [rule]
        else:
            names = [rule + _INDEX] if rule.endswith("/") or not rule else [f"{rule}/{_INDEX}", f"{rule}.html"]
        return next((SitePage(name, rule) for name in names if name in self._files), None)

    def _by_name(self, page: SourcePage) -> SitePage | None:
        for base in _bases(page):
            for name in (f"{base}/{_INDEX}" if base else _INDEX, f"{base}.html", f"{base}.htm"):
                file = name if name in self._files else self._folded.get(name.casefold())
                if file is not None:
                    return SitePage(file, _address(file))
        return None

    def _by_title(self, pages: Sequence[SourcePage], taken: set[str]) -> dict[str, SitePage]:
        if not pages:
            return {}
        keys = {page.path: heading_key(page.title()) for page in pages}
        titled = Counter(keys.values())
        free = (file for file in self._files if file not in taken)
        files = _unique((key, file) for file in free for key in _titles(self.text(file)[:_HEAD_CHARACTERS]))
        found: dict[str, SitePage] = {}
        for path, key in keys.items():
            file = files.get(key, "")
            if key and titled[key] == 1 and file and file not in taken:
                found[path] = SitePage(file, _address(file))
                taken.add(file)
        return found


def _html_files(folder: Path, most: int) -> Iterator[str]:
    count = 0
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        below = here[len(str(folder)) :].strip(os.sep).replace(os.sep, "/")
        for name in names:
            if name.lower().endswith(ENDINGS) and is_unicode(name):
                count += 1
                if count > most:
                    message = f"The built site in {folder} holds more than {most} pages."
                    raise IngestFault("too-many-files", message, "Name the folder of these pages, or raise limits.max_files.")
                yield f"{below}/{name}" if below else name


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The value of each key that has only one."""
    values: Mapping[str, set[str]] = defaultdict(set)
    for key, value in pairs:
        values[key].add(value)
    return {key: next(iter(found)) for key, found in values.items() if len(found) == 1}


def _bases(page: SourcePage) -> Iterator[str]:
    """What its file may be called on the site, without the ending: most like its own first."""
    path = PurePosixPath(page.path)
    parts = path.with_suffix("").parts
    spellings = dict.fromkeys(
        tuple(map(change, named))
        for named in (parts, tuple(map(without_number, parts)))
        for change in (str, str.lower, _hyphenated)
    )
    if page.named:
        yield from _named(page.named, path.parent)
    for spelling in spellings:
        if spelling[-1].lower() in _FIRST_PAGES or spelling[-1:] == spelling[-2:-1]:
            yield "/".join(spelling[:-1])
        yield "/".join(spelling)


def _named(named: str, folder: PurePosixPath) -> Iterator[str]:
    """What the front matter says, absolute, or in the folder of the file."""
    base = named.strip("/")
    base = base.removesuffix(".html")
    if not named.startswith("/"):
        yield (folder / base).as_posix()
    yield base


def _hyphenated(part: str) -> str:
    return "-".join(part.lower().split())


def _address(file: str) -> str:
    """The page's path as its server has it: a folder's index is the folder."""
    return file[: -len(_INDEX)] if file == _INDEX or file.endswith(f"/{_INDEX}") else file


def _titles(head: str) -> Iterator[str]:
    """By what a page may be known: its `<title>`, the same without the site's name, its first heading."""
    if match := _TITLE.search(head):
        title = html.unescape(match[1])
        names = (title, *(title.rpartition(separator)[0] for separator in TITLE_SEPARATORS))
        yield from filter(None, map(heading_key, names))
    if match := _HEADING.search(head):
        yield heading_key(html.unescape(_TAG.sub("", match[1])))
