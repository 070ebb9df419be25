"""What does each page say, as one Markdown text with what it includes in its place? Read from the index alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

from nescio.analysis.sentences import sentence_spans
from nescio.answer.links import page_url
from nescio.assembly.showing.markdown_blocks import inline
from nescio.assembly.showing.splicing import MARKDOWN, Splicer
from nescio.assembly.showing.text import Written, shown_runs
from nescio.config.loading import Configuration
from nescio.domain.candidates import Key
from nescio.domain.display import ShownRun
from nescio.domain.documents import Block, BlockKind, Document, Page
from nescio.domain.views import reader_of
from nescio.engine import Engine
from nescio.errors import IngestFault, InternalFault
from nescio.index.manifest import PageRow
from nescio.index.reading import StoredIndex
from nescio.ingest.includes import resolve_includes
from nescio.ingest.parsers.choice import PARSERS, parser_for
from nescio.protocols import PassageAt

LONGEST_DESCRIPTION = 300  # characters: more is no description, and a reader of a list has many to read
LONGEST_OPENING = 4_000  # characters of a paragraph in which its first sentence is looked for
FEWEST_WORDS = 3  # of a paragraph that says something of its page
MOST_PARAGRAPHS = 5  # looked at for one that begins with a sentence: before it stand badges and "Source code: ..."
SENTENCE_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")


@dataclass(frozen=True, slots=True)
class PageText:
    """A page in view. `text` is Markdown with LF, no front matter and no line end after it; `description` one line, or empty.

    `url` is where the site has the page, None where its source has no `site_url`; `site_path` is the path of that below the
    `site_url`, the page's own path where there is none. `version` is None for a page of all versions.
    """

    source: str
    path: str
    version: str | None
    title: str
    description: str
    url: str | None
    site_url: str | None
    site_path: str
    text: str


class PageTexts:
    """Writes out the pages of engines, which were built with a configuration. Not for two threads at once."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._tops: dict[str, int] = {}  # of a source: how many parts of its folder's path are the folder of its includes

    def pages(self, engine: Engine) -> Iterator[PageText]:
        """Every page in view that has text, in order of source and path."""
        for rank in range(len(rows(engine))):
            page = self.at(engine, rank)
            if page is not None:
                yield page

    def at(self, engine: Engine, rank: int) -> PageText | None:
        """The page with a rank in `rows`; None where it has no text."""
        row = rows(engine)[rank]
        if not row.passages:
            return None
        at = engine.index.passage(Key(rank, 0))
        name = self._format(row, engine.index.document(row.sha256).text)
        document = replace(engine.index.document(row.sha256), source=row.source, path=row.path)
        page = self._resolved(engine, row, _parsed(document, name))
        splicer = Splicer(_format_of)
        is_markdown = name in MARKDOWN
        written = Written(document.text, name)
        text = splicer.page(document, page.blocks) if is_markdown else splicer.other(page.blocks, written)
        title = page.title or at.passage.title or row.path.rpartition("/")[2]
        return _page(row, at, title, _described(page, written, _language(engine, row)), _with_title(text, title, page))

    def _format(self, row: PageRow, text: str) -> str:
        configured = next((one.format for one in self._configuration.settings.sources if one.name == row.source), None)
        return _name(row.path, configured, text) or "text"

    def _resolved(self, engine: Engine, row: PageRow, page: Page) -> Page:
        """The page with the blocks of its includes, which are those that the build found.

        What is included is named from a folder that the index does not name: it is the one from which the same files are
        looked at as when the page was indexed.
        """
        if not row.used:
            return page
        parts = self._folder(row.source)
        wanted = set(row.used)
        best: tuple[int, Page] = (-1, page)
        for top in dict.fromkeys((self._tops.get(row.source, 0), *range(len(parts) + 1))):
            found, looked_at = self._resolved_from(engine, row, page, "/".join(parts[top:]))
            if set(looked_at) == wanted:
                self._tops[row.source] = top
                best = (len(wanted), found)
                break
            best = max(best, (len(wanted.intersection(looked_at)), found), key=lambda one: one[0])
        return replace(best[1], blocks=tuple(_bounded(best[1].blocks, self._configuration.settings.limits.max_file_bytes)))

    def _resolved_from(self, engine: Engine, row: PageRow, page: Page, folder: str) -> tuple[Page, tuple[str, ...]]:
        def read(path: str) -> Document | None:
            sha256 = row.used.get(path)
            return replace(engine.index.document(sha256), source=row.source, path=path) if sha256 else None

        return resolve_includes(
            page,
            read,
            f"{folder}/{row.path}" if folder else row.path,
            parse=_included,
            source_root=folder,
            max_depth=self._configuration.settings.limits.max_include_depth,
        )

    def _folder(self, source: str) -> Sequence[str]:
        """The parts of the path of a source's folder, which need not be there."""
        named = (one for one in self._configuration.settings.sources if one.name == source)
        folder = next((self._configuration.folder(one) for one in named), self._configuration.root)
        return Path(os.path.realpath(folder)).parts[1:]


def rows(engine: Engine) -> Sequence[PageRow]:
    """The pages in view as the index has them, in order of source and path."""
    index = engine.index
    if not isinstance(index, StoredIndex):
        raise InternalFault("internal-error", "Pages can be written out from a stored index alone.")
    return index.manifest.pages


def readers_told_apart(engine: Engine, reader_view: Iterable[str]) -> tuple[str, ...]:
    """A reader view as far as it makes a difference to the pages of an engine that sees those for all readers.

    Of each facet the values that some page is marked for, or one value that none is marked for. Raises UsageFault
    (`reader-view-syntax`).
    """
    reader = reader_of(reader_view)
    marked = {(facet, value) for row in rows(engine) for facet, values in row.marks.items() for value in values}
    told = {pair for pair in reader if pair in marked}
    others = {facet for facet, _ in reader} - {facet for facet, _ in told}
    told |= {(facet, next(name for name in _dashes() if (facet, name) not in marked)) for facet in others}
    return tuple(f"{facet}={value}" for facet, value in sorted(told))


def _dashes() -> Iterator[str]:
    return ("-" * length for length in count(1))


def _page(row: PageRow, at: PassageAt, title: str, description: str, text: str) -> PageText:
    url = page_url(replace(at, passage=replace(at.passage, anchor=""), site_anchor=None)) if at.site_url else None
    site_path = at.site_path if at.site_url else row.path
    return PageText(row.source, row.path, row.version, title, description, url, at.site_url, site_path, text)


def _language(engine: Engine, row: PageRow) -> str:
    index = engine.index
    sources = index.manifest.sources if isinstance(index, StoredIndex) else ()
    return next((source.language for source in sources if source.name == row.source), "en")


def _bounded(blocks: Iterable[Block], most: int) -> Iterator[Block]:
    """The blocks without those of included files beyond so many characters: a page may name a large file many times."""
    size = 0
    for block in blocks:
        size += len(block.span) if block.document is not None else 0
        if block.document is None or size <= most:
            yield block


def _name(path: str, configured: str | None, text: str) -> str | None:
    """The name of the parser of a file, None when it is no document."""
    parser = parser_for(path, configured, text)
    return next((name for name, one in PARSERS.items() if one is parser), None)


def _format_of(document: Document) -> str | None:
    return _name(document.path, None, document.text)


def _parsed(document: Document, name: str) -> Page:
    try:
        return PARSERS[name](document)
    except IngestFault:  # a notebook was one when it was indexed; now another format is configured
        return PARSERS["text"](document)


def _included(document: Document) -> Page | None:
    parse = parser_for(document.path, None, document.text)
    return parse(document) if parse else None


def _with_title(text: str, title: str, page: Page) -> str:
    """The title that only front matter tells is a heading here."""
    if any(block.kind is BlockKind.HEADING and block.level <= 1 for block in page.blocks):
        return text
    return f"# {inline([ShownRun(title)])}\n\n{text}".rstrip("\n")


def _described(page: Page, written: Written, language: str) -> str:
    """What front matter says of the page, else the first whole sentence that one of its first paragraphs begins with."""
    told = page.front_matter.get("description")
    if isinstance(told, str) and told.strip():
        return _one_line(told)
    paragraphs = (one for one in page.blocks if one.kind is BlockKind.PARAGRAPH and one.include is None)
    openings = (_opening(block, written) for block in islice(paragraphs, MOST_PARAGRAPHS))
    sentences = [_first_sentence(text, language) for text in openings if len(text.split()) >= FEWEST_WORDS]
    whole = (sentence for sentence in sentences if sentence.endswith(SENTENCE_ENDS))
    return _one_line(next(whole, sentences[0] if sentences else ""))


def _first_sentence(text: str, language: str) -> str:
    first = next(iter(sentence_spans(text, language)), None)
    return first.of(text) if first else text


def _opening(block: Block, written: Written) -> str:
    """The start of a paragraph as a reader sees it."""
    if block.document is not None:
        written = Written(block.document.text, _format_of(block.document) or "text")
    return "".join(run.text for run in shown_runs(written, block)).replace("\n", " ")[:LONGEST_OPENING]


def _one_line(text: str) -> str:
    """On one line, and cut before a word where it is too long."""
    line = " ".join(text.split())
    if len(line) <= LONGEST_DESCRIPTION:
        return line
    return (
        line[: line.rfind(" ", 0, LONGEST_DESCRIPTION) if " " in line[:LONGEST_DESCRIPTION] else LONGEST_DESCRIPTION] + " ..."
    )
