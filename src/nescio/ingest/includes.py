"""A page quotes other files: its directives are resolved inside one root only, and what they bring in is cited there.

Each dialect starts from its own folder:

    fastapi    the folder of the MkDocs project, that is the nearest folder above the page in which the target exists
    mdbook     the folder of the file that holds the directive
    snippets   a base path, that is the root, or else the outermost folder above the page in which the target exists
    sphinx     the folder of the file that holds the directive; a target that starts with `/` starts at the source's folder
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from nescio.domain.documents import Block, BlockKind, Document, Include, Notice, Page
from nescio.domain.spans import Span, line_starts
from nescio.ingest.parsers.blobs import code_runs
from nescio.ingest.parsers.grouping import regrouped
from nescio.ingest.parsers.included_lines import selected_spans

MAX_INCLUDES = 500  # directives resolved on one page, nested ones counted; the fullest real page has about 60
MAX_DEPTH = 4  # a page that includes a file that includes a file ...; real ones go two deep

_PARSED_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".txt", ".inc")
_OPENING_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3}|~{3})")
_NOT_A_PATH = re.compile(r"[\0\n]|^[A-Za-z][A-Za-z0-9+.-]*:")  # a URL, a drive letter


Reader = Callable[[str], Document | None]
Parser = Callable[[Document], Page | None]


@dataclass(frozen=True, slots=True)
class _Root:
    read: Reader
    parse: Parser | None
    source_root: str
    max_depth: int


def resolve_includes(
    page: Page,
    read: Reader,
    page_path: str,
    *,
    parse: Parser | None = None,
    source_root: str = "",
    max_depth: int = MAX_DEPTH,
) -> tuple[Page, tuple[str, ...]]:
    """The page with what its directives bring in after each of them, and the paths looked at, found or not, sorted.

    `read` gives the file at a POSIX path below the include root, or None when it is not there, cannot be read or may not
    be. `page_path` is where the page lies below that root, `source_root` the source's folder (empty: the root itself).
    `parse` reads a file that is prose; without it, or where it gives None, the file comes in as lines. A missing file, a
    target outside of the root, a circle and a limit are notices; nothing is raised. The page has to be built anew when
    any of the paths changes or appears.
    """
    if not any(block.include for block in page.blocks):
        return page, ()
    work = _Resolution(page, _Root(read, parse, source_root, max_depth))
    blocks = tuple(work.blocks(page.blocks, page.document, (page_path,), 0))
    return replace(page, blocks=blocks, notices=(*page.notices, *work.notices)), tuple(sorted(work.looked_at))


class _Resolution:
    """The state of resolving one page."""

    def __init__(self, page: Page, root: _Root) -> None:
        self.notices: list[Notice] = []
        self.looked_at: set[str] = set()
        self._page, self._root = page, root
        self._count = 0

    def blocks(self, blocks: tuple[Block, ...], holder: Document, chain: tuple[str, ...], line: int) -> Iterator[Block]:
        """`blocks` of `holder` with theirs after each directive. `chain` are the paths from the page to `holder`, `line` the
        page's line that led here (0 on the page itself)."""
        starts = [] if line else line_starts(holder.text)
        for block in blocks:
            yield block
            if block.include is not None:
                at = line or bisect_right(starts, block.span.start)
                yield from self._included(block, block.include, holder, chain, at)

    def _included(self, block: Block, include: Include, holder: Document, chain: tuple[str, ...], line: int) -> Iterator[Block]:
        self._count += 1
        if self._count > MAX_INCLUDES or len(chain) > self._root.max_depth:
            if self._count <= MAX_INCLUDES + 1:
                self._note("include-limit", line, f"{include.target!r} is not included: too many, or too deep")
            return
        found = self._find(include, chain, line)
        if found is None:
            return
        path, document = found
        if path in chain:
            self._note("include-circle", line, f"{include.target!r} includes itself")
            return
        spans = selected_spans(document.text, include)
        if not spans and (include.lines or include.anchor):
            self._note("include-empty", line, f"{include.target!r} has no such lines or region")
        is_literal = not _is_prose(path) or _is_literal(block, include, holder.text)
        parsed = self._root.parse(document) if self._root.parse and not is_literal else None
        if parsed is None:
            yield from _code(document, spans)
            return
        selected = tuple(each for each in parsed.blocks if any(each.span.is_within(span) for span in spans))
        selected = selected if len(selected) == len(parsed.blocks) else tuple(regrouped(selected))
        for each in self.blocks(selected, document, (*chain, path), line):
            yield each if each.document is not None else replace(each, document=document)

    def _find(self, include: Include, chain: tuple[str, ...], line: int) -> tuple[str, Document] | None:
        """The first of the target's places that can be read."""
        places = list(dict.fromkeys(_places(include, chain, self._root.source_root)))
        for place in places:
            self.looked_at.add(place)
            document = self._root.read(place)
            if document is not None:
                return place, document
        if places:
            self._note("include-missing", line, f"{include.target!r} is not there, or cannot be read")
        else:
            told = f"{include.target!r} leaves the folder that files may be included from: set include_root"
            self._note("include-outside-root", line, told)
        return None

    def _note(self, code: str, line: int, message: str) -> None:
        self.notices.append(Notice(code, self._page.document.path, line, message))


def _places(include: Include, chain: tuple[str, ...], source_root: str) -> Iterator[str]:
    """Where the target may lie, paths below the include root in the order in which to look."""
    target = include.target.replace("\\", "/")
    if _NOT_A_PATH.search(target):
        return
    is_absolute = target.startswith("/")
    if is_absolute and include.dialect != "sphinx":
        return
    for folder in (source_root,) if is_absolute else _folders(include.dialect, chain):
        place = _below_root(folder, target)
        if place:
            yield place


def _folders(dialect: str, chain: tuple[str, ...]) -> list[str]:
    if dialect not in ("fastapi", "snippets"):
        return [chain[-1].rpartition("/")[0]]
    parts = chain[0].split("/")[:-1]
    outermost_first = ["/".join(parts[:count]) for count in range(len(parts) + 1)]
    return outermost_first if dialect == "snippets" else outermost_first[::-1]


def _below_root(folder: str, target: str) -> str | None:
    """The POSIX path of `target` seen from `folder`, without dots; None when it leaves the root."""
    parts = [part for part in folder.split("/") if part]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


def _is_prose(path: str) -> bool:
    return path.lower().endswith(_PARSED_SUFFIXES)


def _is_literal(block: Block, include: Include, text: str) -> bool:
    """Whether the file is shown as it is: it stands in a code block, or the directive says so."""
    directive = block.span.of(text)
    if include.dialect == "sphinx":
        return "literalinclude" in directive
    return _OPENING_FENCE.match(directive) is not None


def _code(document: Document, spans: list[Span]) -> Iterator[Block]:
    for span in spans:
        runs = code_runs(document.text, [(span.start, span.end)])
        if runs:
            yield Block(BlockKind.CODE, span, runs, document=document)
