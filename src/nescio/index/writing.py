"""Writes one generation: pages are kept, added or left out; `commit` makes all of it visible at once or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TypeVar

from nescio.domain.documents import Document, Signature
from nescio.domain.views import DocsVersion, Marks
from nescio.index.checks import Check, checks_below
from nescio.index.manifest import FORMAT, Blob, Manifest, PageRow, SourceRow, identity, ordered
from nescio.index.packs import PackWriter
from nescio.index.reading import VOCABULARY, WRITTEN, StoredIndex
from nescio.index.records import EncodedPage, PageRecord, texts
from nescio.index.site_map import SITE_MAP, SiteMap
from nescio.index.store import Store, sync_folder, write_durably
from nescio.index.terms_search import TermsWriter, is_segment, marked, scopes
from nescio.index.vocabulary import Tally

MOST_DEAD = 0.2  # share of deleted passages in the search index above which it is written anew: bounds stay close, files small
MOST_PACKS = 48  # above, all that is live is copied into one pack

Writer = TypeVar("Writer", "PackWriter", "TermsWriter")


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to add: its record, what the search index is given (`records.texts`), and the files behind it, its own first."""

    source: str
    path: str
    encoded: EncodedPage
    texts: tuple[list[str], str]
    documents: tuple[Document, ...]
    signature: Signature
    is_settled: bool
    used: Mapping[str, str | None]
    notices: tuple[tuple[str, int, str], ...]
    version: str | None = None
    marks: Marks = field(default_factory=dict)
    site_path: str = ""
    site_name: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """What a generation is built with. `versions` are those that the sources have, whether pages were found for them or not."""

    analyzer: str
    configuration: str
    sources: tuple[SourceRow, ...]
    facets: tuple[str, ...] = ()
    versions: tuple[DocsVersion, ...] = ()


class GenerationWriter:
    """One build, a context. Holds no lock itself: the caller is inside `Store.writing`. Without `commit` nothing is visible.

    `previous` is the generation to go on from. When so much of it is dead that it should be written anew, pages are copied.
    """

    def __init__(self, store: Store, header: Header, previous: StoredIndex | None) -> None:
        self._store = store
        self._header = header
        self._previous = previous
        self._anew = previous is None or _is_worn(previous.manifest)
        self.name = store.new_name()
        self._folder = store.generations / self.name
        self._rows: list[PageRow] = []
        self._blobs: dict[str, Blob] = {}
        self._slot = previous.manifest.next_slot if previous else 1
        going_on = previous is not None and not self._anew
        self._terms = Tally(previous.corpus.vocabulary if previous else None, going_on=going_on)
        self._written = Tally(previous.written if previous else None, going_on=going_on)
        self._dead = 0 if previous is None or self._anew else previous.manifest.dead
        self._open: list[PackWriter | TermsWriter] = []
        self._is_committed = False

    def __enter__(self) -> GenerationWriter:
        """Make its files. Leaving without `commit` takes them away again; what cannot be removed is left to the next build."""
        try:
            self._folder.mkdir()
            old = None if self._previous is None or self._anew else self._store.generations / self._previous.generation
            self._pack = self._opened(PackWriter(self._store.packs, self.name))
            self._passages = self._opened(TermsWriter(self._folder / "passages", cloned_from=old / "passages" if old else None))
            self._pages = self._opened(TermsWriter(self._folder / "pages", cloned_from=old / "pages" if old else None))
        except BaseException:
            self._abandon()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._is_committed:
            self._abandon()

    def _opened(self, writer: Writer) -> Writer:
        self._open.append(writer)
        return writer

    def _abandon(self) -> None:
        for writer in self._open:
            writer.close()
        self._store.discard(self.name)

    @property
    def count(self) -> int:
        """How many pages it has by now."""
        return len(self._rows)

    def keep(self, row: PageRow) -> None:
        """Keep a page of the previous generation; `row` may differ from its own in the signature."""
        previous = self._previous
        if previous is None or not self._anew:
            self._rows.append(row)
            return
        data = previous.corpus.record_bytes(row)
        record = PageRecord(data)
        terms, written = self._terms.words(record.hashes), self._written.words(record.written)
        offset = self._pack.append(data)
        for sha256 in _files(row):
            self._blob(sha256, previous.manifest.blobs[sha256], previous.blob)
        self._count(record, terms, written)
        self._place(replace(row, pack=self._pack.name, offset=offset), texts(record, terms))

    def add(self, page: NewPage) -> PageRow:
        """Add a page that is new or changed; its row."""
        for document in page.documents:
            self._blob(document.sha256, _kept(document), lambda _, data=document.data: data)  # type: ignore[misc]
        record = PageRecord(memoryview(page.encoded.record))
        slot, self._slot = self._slot, self._slot + 1
        row = PageRow(
            page.source,
            page.path,
            page.documents[0].sha256,
            slot,
            self._pack.name,
            self._pack.append(page.encoded.record),
            len(page.encoded.record),
            len(record),
            sum(record.lengths),
            record.length,
            page.signature,
            page.is_settled,
            dict(page.used),
            page.notices,
            page.version,
            dict(page.marks),
            page.site_path,
            page.site_name,
        )
        self._count(record, page.encoded.terms, page.encoded.written)
        self._place(row, page.texts)
        return row

    def _count(self, record: PageRecord, terms: Sequence[str], written: Sequence[str]) -> None:
        self._terms.add(record.hashes, terms, record.spread())
        self._written.add(record.written, written, [1] * len(written))

    def _place(self, row: PageRow, said: tuple[list[str], str]) -> None:
        self._rows.append(row)
        places = [*scopes(row.source, row.path), *marked(row.version, row.marks, self._header.facets)]
        for number, text in enumerate(said[0]):
            self._passages.add(row.slot, number, text, places)
        if said[0]:
            self._pages.add(row.slot, 0, said[1], places)

    def _blob(self, sha256: str, like: Blob, data: Callable[[str], bytes | memoryview]) -> None:
        """Keep bytes under the hash of their file; `like` says everything about them but where they are."""
        if sha256 in self._blobs:
            return
        known = None if self._anew or self._previous is None else self._previous.manifest.blobs.get(sha256)
        if known is None:
            content = data(sha256)
            known = like._replace(pack=self._pack.name, offset=self._pack.append(content), length=len(content))
        self._blobs[sha256] = known

    def commit(self, sites: SiteMap | None = None) -> Manifest:
        """Make the generation durable, point to it, sweep older ones. `sites` are where built sites have its pages. Returns its
        manifest.
        """
        self._take_away()
        self._passages.commit()
        self._pages.commit()
        rows = ordered(self._rows)
        self._pack.finish()
        write_durably(self._folder / VOCABULARY, self._terms.encode())
        write_durably(self._folder / WRITTEN, self._written.encode())
        if sites is not None and sites.places:
            write_durably(self._folder / SITE_MAP, sites.encode())
        blobs = {**(self._previous.manifest.blobs if self._previous and not self._anew else {}), **self._blobs}
        manifest = Manifest(
            FORMAT,
            self._header.analyzer,
            self._header.configuration,
            self._header.sources,
            rows,
            {sha256: blobs[sha256] for sha256 in sorted({sha256 for row in rows for sha256 in _files(row)})},
            self._dead,
            self._slot,
            checks_below(self._folder, self._linked()),
            identity((self._header.analyzer, self._header.configuration), self._header.versions, rows),
            self._header.facets,
            self._header.versions,
        )
        write_durably(self._folder / "manifest.json", manifest.encode())
        for folder in (self._folder, self._store.packs, self._store.generations):
            sync_folder(folder)
        self._store.point_to(self.name)
        self._is_committed = True
        before = self._previous  # readers may be opening it
        kept = manifest.packs | (before.manifest.packs if before else frozenset())
        self._store.sweep({self.name, before.generation if before else ""}, kept)
        return manifest

    def _linked(self) -> dict[str, Check]:
        """The checks of the segments of the search index that are the previous generation's: they never change."""
        if self._previous is None or self._anew:
            return {}
        return {name: check for name, check in self._previous.manifest.files.items() if is_segment(name)}

    def _take_away(self) -> None:
        if self._previous is None or self._anew:
            return
        kept = {row.slot for row in self._rows}
        for row in self._previous.manifest.pages:
            if row.slot in kept:
                continue
            record = PageRecord(self._previous.corpus.record_bytes(row))
            self._terms.remove(record.hashes, record.spread())
            self._written.remove(record.written, [1] * len(record.written))
            self._passages.remove(row.slot)
            self._pages.remove(row.slot)
            self._dead += row.passages


def _kept(document: Document) -> Blob:
    """What there is to say about the bytes of a document before they have a place."""
    stored = "" if document.stored_sha256 == document.sha256 else document.stored_sha256
    return Blob("", 0, 0, document.encoding, stored, tuple((span.start, span.end) for span in document.masked))


def _files(row: PageRow) -> Iterator[str]:
    """The hashes of a page's own file and of those it includes."""
    yield row.sha256
    yield from (sha256 for sha256 in row.used.values() if sha256)


def _is_worn(manifest: Manifest) -> bool:
    """Whether so much of an index is dead, or in so many files, that it is better written anew."""
    live = sum(page.passages for page in manifest.pages)
    return manifest.dead > MOST_DEAD * max(1, live) or len(manifest.packs) > MOST_PACKS
