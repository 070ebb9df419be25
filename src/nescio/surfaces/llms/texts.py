"""The texts of llms.txt and llms-full.txt: a list of the pages with what each is about, and all pages one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath

from nescio.assembly.showing.page_texts import PageText
from nescio.config.loading import Configuration
from nescio.domain.candidates import is_changelog

OPTIONAL = "Optional"  # the section that llmstxt.org lets a reader skip who has little room
NAMELESS = "Documentation"
FIRST_PAGES = frozenset({"index", "readme", "_index"})
RULE = "=" * 80  # above and below what is said of a page
_LINK_TEXT = re.compile(r"([\\\[\]])")
_LINK_TARGET = re.compile(r"[()<>\s]")

Link = Callable[[PageText], str]


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands at the top of a list. `others` are the other versions: name and link to their list."""

    name: str
    summary: str = ""
    version: str | None = None
    others: tuple[tuple[str, str], ...] = ()


def name_of(configuration: Configuration) -> str:
    """The name of what is documented: as it was set, else that of the configuration's folder."""
    return configuration.settings.title or configuration.root.resolve().name or NAMELESS


def list_text(heading: Heading, pages: Iterable[PageText], link: Link) -> str:
    """llms.txt, ended by a line feed: a section for each source and top folder, changelogs last."""
    lines = list(_top(heading))
    for title, members in _sections(list(pages)):
        lines += ["", f"## {_one_line(title)}", "", *(_entry(page, link(page)) for page in members)]
    return "\n".join(lines) + "\n"


def whole_text(heading: Heading, pages: Iterable[PageText]) -> str:
    """llms-full.txt, ended by a line feed: every page under its path and URL, in the order of the list."""
    parts = ["\n".join(_top(heading))]
    for _, members in _sections(list(pages)):
        parts += [f"{_said_of(page)}\n\n{page.text}" for page in members]
    return "\n\n".join(parts) + "\n"


def _top(heading: Heading) -> Iterator[str]:
    yield f"# {_one_line(heading.name)}"
    if heading.summary.strip():
        yield from ("", f"> {_one_line(heading.summary)}")
    if heading.version is not None:
        yield from ("", f"These are the documents of version {_one_line(heading.version)}.")
    if heading.others:
        named = ", ".join(f"[{_link_text(name)}]({_target(link)})" for name, link in heading.others)
        yield from ("", f"Other versions: {named}")


def _said_of(page: PageText) -> str:
    lines = [RULE, f"Path: {page.source}/{page.path}", *([f"URL: {page.url}"] if page.url else []), RULE]
    return "\n".join(lines)


def _entry(page: PageText, link: str) -> str:
    told = f": {page.description}" if page.description else ""
    return f"- [{_link_text(page.title)}]({_target(link)}){told}"


def _sections(pages: Sequence[PageText]) -> Iterator[tuple[str, list[PageText]]]:
    """The title of each section and its pages: what stands first in a folder is its first page."""
    several = len({page.source for page in pages}) > 1
    optional: list[PageText] = []
    for source, members in groupby(pages, key=lambda page: page.source):
        ordered = sorted(members, key=lambda page: _order(page.path))
        optional += [page for page in ordered if is_changelog(page.path)]
        kept = [page for page in ordered if not is_changelog(page.path)]
        depth = _shared_depth(kept)
        for folder, inside in groupby(kept, key=lambda page: _folder(page.path, depth)):
            section = list(inside)
            yield _title(source, folder, section, several=several), section
    if optional:
        yield OPTIONAL, optional


def _title(source: str, folder: str, section: Sequence[PageText], *, several: bool) -> str:
    """The source, or what the first page of the folder is called, else the folder; with several sources, both."""
    if not folder:
        return source
    first = section[0]
    is_its = PurePosixPath(first.path).stem.lower() in FIRST_PAGES and PurePosixPath(first.path).parent.name == folder
    title = first.title if is_its else folder
    return f"{source}: {title}" if several else title


def _order(path: str) -> tuple[bool, list[tuple[bool, str]]]:
    """Pages at the top before folders; then by path, a folder's first page first."""
    *folders, name = path.split("/")
    is_first = PurePosixPath(name).stem.lower() in FIRST_PAGES
    return bool(folders), [*((True, folder) for folder in folders), (not is_first, name)]


def _shared_depth(pages: Sequence[PageText]) -> int:
    """How many folders all pages are in."""
    parents = [page.path.split("/")[:-1] for page in pages]
    depth = 0
    for level in zip(*parents, strict=False):
        if len(set(level)) > 1:
            break
        depth += 1
    return depth


def _folder(path: str, depth: int) -> str:
    parts = path.split("/")[depth:]
    return parts[0] if len(parts) > 1 else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _link_text(text: str) -> str:
    return _LINK_TEXT.sub(r"\\\1", _one_line(text))


def _target(link: str) -> str:
    """A link that ends where it should in Markdown."""
    return _LINK_TARGET.sub(lambda match: f"%{ord(match[0]):02X}" if ord(match[0]) < 128 else match[0], link)
