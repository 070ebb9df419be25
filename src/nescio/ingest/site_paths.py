"""Where does a site have a page, by the rule of its generator? A path below the site's address."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

_MKDOCS_PAGES = (".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".ipynb")  # notebooks: its plugin reads them
_SPHINX_PAGES = (".rst", ".txt", ".md", ".markdown", ".mdx", ".ipynb")
_DOCUSAURUS_PAGES = (".md", ".mdx", ".markdown")
_NAMING_KEYS = ("permalink", "url", "slug")  # Jekyll; Hugo; Hugo, Starlight and many more
# `01-intro`, but neither a version (`7.0-new`) nor a date (`2021-11-news`).
_NUMBER = re.compile(r"\A(?!\d+[-_.]\d)\d+\s*[-_.][-_.\s]*(?=[^-_.\s])")


def site_path(path: str, slug: str, front_matter: Mapping[str, Any]) -> str:
    """The page of the file at a path below its source, not percent-encoded; empty for the site's first page."""
    return _RULES[slug](PurePosixPath(path), front_matter)


def site_name(front_matter: Mapping[str, Any]) -> str:
    """What a page's front matter calls its place on a site, with the usual keys; empty where it does not."""
    return next(filter(None, (_text(front_matter.get(key)) for key in _NAMING_KEYS)), "")


def without_number(name: str) -> str:
    """A file's or folder's name without the number that only puts it in order."""
    return _NUMBER.sub("", name, count=1) if name[:1].isdigit() else name


def _github(page: PurePosixPath, front_matter: Mapping[str, Any]) -> str:
    return page.as_posix()


def _mkdocs(page: PurePosixPath, front_matter: Mapping[str, Any]) -> str:
    """With `use_directory_urls`, as it is unless set otherwise. What is no page is copied."""
    if page.suffix.lower() not in _MKDOCS_PAGES:
        return page.as_posix()
    return _folder(page.parent if page.stem in ("index", "README") else page.with_suffix(""))


def _sphinx(page: PurePosixPath, front_matter: Mapping[str, Any]) -> str:
    """With the builder `html`."""
    return (page.with_suffix(".html") if page.suffix.lower() in _SPHINX_PAGES else page).as_posix()


def _docusaurus(page: PurePosixPath, front_matter: Mapping[str, Any]) -> str:
    """The front matter's `slug` or `id`, else the file's name; a page named index, README or as its folder is the folder's."""
    if page.suffix.lower() not in _DOCUSAURUS_PAGES:
        return page.as_posix()
    folder = _folder(PurePosixPath(*map(without_number, page.parent.parts)))
    slug = _text(front_matter.get("slug"))
    if not slug and page.stem.lower() in ("index", "readme", page.parent.name.lower()):
        return folder
    named = slug or _text(front_matter.get("id")) or without_number(page.stem)
    return _resolved(folder, named)


def _resolved(folder: str, slug: str) -> str:
    """A slug as a link on a page of the folder is read: absolute from the site's top, `..` going up no further than that."""
    whole = posixpath.normpath(posixpath.join("/" + folder, slug)).lstrip("/")
    return whole + "/" if whole and slug.endswith(("/", "/.", "/..")) else whole


def _folder(path: PurePosixPath) -> str:
    written = path.as_posix()
    return "" if written == "." else written + "/"


def _text(value: Any) -> str:
    return str(value).strip() if isinstance(value, str | int) else ""


_RULES: dict[str, Callable[[PurePosixPath, Mapping[str, Any]], str]] = {
    "github": _github,
    "python-markdown": _mkdocs,
    "sphinx": _sphinx,
    "docusaurus": _docusaurus,
}
