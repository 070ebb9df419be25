"""Where each page has its Markdown twin, and by which link it is reached: beside the page, as llmstxt.org proposes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote as percent_encoded
from urllib.parse import urlencode, urlsplit

from nescio.assembly.showing.page_texts import PageText

LIST, WHOLE, LINKS = "llms.txt", "llms-full.txt", "links.json"
OURS = ".nescio-llms.json"  # lists what was written, so that a later run removes no more than that
LONGEST_NAME = 200  # bytes of a folder's or file's name: file systems allow 255, and an ending comes after it
ROOM = 24  # bytes of that for what is added to tell names apart
_UNUSABLE = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')
_VERSION_CHARACTER = re.compile(r"[^A-Za-z0-9._+-]")


@dataclass(frozen=True, slots=True)
class Placed:
    """A page with the path of its twin below the folder that is written to."""

    page: PageText
    twin: str


@dataclass(frozen=True, slots=True)
class Site:
    """Where the folder that is written to is published, None where nothing says so; and each source's folder in it."""

    base: str | None
    folders: Mapping[str, str]

    def link(self, path: str, below: str = "") -> str:
        """A link to a file of the folder: a URL, else one that is relative to the folder `below` in it."""
        if self.base is not None:
            return self.base + percent_encoded(path)
        return percent_encoded(posixpath.relpath(path, below or "."))


def site_of(pages: Iterable[PageText]) -> Site:
    """One source is at the top. Several are where their `site_url` says, if all have one on the same host; else each is in a
    folder with its name, and links are relative.
    """
    urls = {page.source: page.site_url for page in pages}
    if len(urls) == 1:
        name, url = next(iter(urls.items()))
        return Site(None if url is None else _folder_url(url), {name: ""})
    known = {name: _folder_url(url) for name, url in urls.items() if url is not None}
    base = _common(list(known.values())) if known and len(known) == len(urls) else None
    if base is None:
        return Site(None, {name: name for name in urls})
    return Site(base, {name: url[len(base) :].strip("/") for name, url in known.items()})


def _folder_url(url: str) -> str:
    return url.rstrip("/") + "/"


def _common(urls: Sequence[str]) -> str | None:
    """The folder that all URLs are in, with a slash; None where they are on different hosts."""
    if len({urlsplit(url)[:2] for url in urls}) != 1:
        return None
    paths = [urlsplit(url).path.split("/")[:-1] for url in urls]
    shared = posixpath.commonprefix([tuple(parts) for parts in paths])
    host = urlsplit(urls[0])
    return f"{host.scheme}://{host.netloc}" + "".join(f"{part}/" for part in shared)


class Places:
    """Gives out paths, none of them twice, whatever the case of letters."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._taken: set[str] = set()
        self._folders: set[str] = set()

    def keep(self, path: str) -> None:
        """Give `path` to nobody."""
        self._taken.add(path.casefold())
        self._folders.update(_above(path.casefold()))

    def of(self, page: PageText, version_folder: str) -> str:
        """The path of a page's twin. In a version's folder, unless the site has it there already."""
        wanted = _joined(self._site.folders.get(page.source, page.source), twin_name(page.site_path))
        plain = _joined(page.source, twin_name(page.path))
        stem = _made_usable(plain[:-3])
        for candidate in (wanted, plain, f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, len(self._taken) + 3))):
            path = candidate if _is_below(candidate, version_folder) else _joined(version_folder, candidate)
            if _is_usable(path) and self._is_free(path.casefold()):
                self.keep(path)
                return path
        raise AssertionError("there are more numbers than paths")

    def _is_free(self, path: str) -> bool:
        return path not in self._taken and path not in self._folders and self._taken.isdisjoint(_above(path))


def twin_name(site_path: str) -> str:
    """`guide/` has `guide/index.html.md`, `guide.html` has `guide.html.md`, `guide` and `guide.md` have `guide.md`."""
    if not site_path or site_path.endswith("/"):
        return f"{site_path}index.html.md"
    return site_path if site_path.endswith(".md") else f"{site_path}.md"


def served_path(page: PageText) -> str:
    """Where a server has a page's text, below its own top: `pages/docs/guide.md`, `pages/docs/guide.rst.md`."""
    return f"pages/{page.source}/{twin_name(page.path)}"


def served_link(path: str, parameters: Sequence[tuple[str, str]]) -> str:
    """A link to a path of a server, relative to its top."""
    return percent_encoded(path) + (f"?{urlencode(parameters)}" if parameters else "")


def version_folder(version: str) -> str:
    """The name of a version as a folder."""
    name = _VERSION_CHARACTER.sub("-", version)[:LONGEST_NAME]
    return name if name.strip(".") else f"version-{name.replace('.', '-')}"


def _made_usable(path: str) -> str:
    """A path like this one that is usable, with room in its last part for a number and an ending."""
    return "/".join(map(_usable_part, path.split("/")))


def _usable_part(part: str) -> str:
    room = LONGEST_NAME - ROOM
    text = _UNUSABLE.sub("-", part).encode("utf-8", "replace")[:room].decode("utf-8", "ignore").strip()
    return text if text.strip(".") else "-"


def _is_usable(path: str) -> bool:
    """Whether a path can be a file below a folder on any system, and is none that others look for."""
    return all(
        part.strip(".")
        and part.strip() == part
        and not _UNUSABLE.search(part)
        and len(part.encode("utf-8", "replace")) <= LONGEST_NAME
        for part in path.split("/")
    )


def _above(path: str) -> Iterable[str]:
    parts = path.split("/")[:-1]
    return ("/".join(parts[:count]) for count in range(1, len(parts) + 1))


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path
