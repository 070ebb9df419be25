"""Writes one generation: pages are kept, added or left out; `commit` makes all of it visible at once or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from types import TracebackType
from typing import TypeVar

from nescio.domain.documents import Document, Signature
from nescio.domain.suggestions import PageHeadings
from nescio.domain.views import DocsVersion, Marks
from nescio.index.checks import Check, check_of, checks_below
from nescio.index.headings import HEADINGS, encode_headings, headings_of
from nescio.index.manifest import FORMAT, Blob, Manifest, PageRow, SourceRow, identity, ordered
from nescio.index.packs import PackWriter
from nescio.index.reading import MANIFEST, VOCABULARY, WRITTEN, StoredIndex
from nescio.index.records import EncodedPage, PageRecord, texts
from nescio.index.site_map import SITE_MAP, SiteMap
from nescio.index.store import Store, sync_folder, write_durably
from nescio.index.terms_search import TermsWriter, is_segment, marked, scopes
from nescio.index.vocabulary import Tally

MOST_DEAD = 0.2  # share of deleted passages in the search index above which it is written anew: bounds stay close, files small
MOST_DEAD_IF_URGENT = 0.4  # the same for a build that somebody waits for: writing anew takes seconds where there is much
MOST_PACKS = 48  # above, what is live in the small ones is copied into one

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


@dataclass(frozen=True, slots=True)
class Carried:
    """A generation as the process that wrote it has it in memory: its next build need not read that again, where the disk has
    it as it was written (`check`). The counts change with that build: whatever comes of it, it is good for one.
    """

    manifest: Manifest
    check: Check
    terms: Tally
    written: Tally


@dataclass
class Carry:
    """What one build leaves in memory for the next one of the same process. Where that `is_urgent`, it leaves the search index
    worn, if it can be left at that, to one that is not.
    """

    last: Carried | None = None
    is_urgent: bool = False


class GenerationWriter:
    """One build, a context. Holds no lock itself: the caller is inside `Store.writing`. Without `commit` nothing is visible.

    `previous` is the generation to go on from. When so much of it is dead that it should be written anew, pages are copied;
    when it has many packs, what is live in the small ones is.
    """

    def __init__(self, store: Store, header: Header, previous: StoredIndex | None, carry: Carry | None = None) -> None:
        self._store = store
        self._header = header
        self._previous = previous
        carry = carry or Carry()
        self._anew = previous is None or is_worn(previous.manifest, is_urgent=carry.is_urgent)
        self._gathered = _small_packs(previous.manifest) if previous and not self._anew else frozenset()
        self.name = store.new_name()
        self._folder = store.generations / self.name
        self._rows: list[PageRow] = []
        self._headings: dict[int, PageHeadings] = {}  # of the pages that are new, by slot
        self._blobs: dict[str, Blob] = {}
        self._slot = previous.manifest.next_slot if previous else 1
        self._terms, self._written = self._tallies(carry.last)
        self._dead = 0 if previous is None or self._anew else previous.manifest.dead
        self._open: list[PackWriter | TermsWriter] = []
        self._is_committed = False

    def _tallies(self, carried: Carried | None) -> tuple[Tally, Tally]:
        previous, going_on = self._previous, not self._anew
        if previous is None:
            return Tally(), Tally()
        if going_on and carried is not None and carried.manifest is previous.manifest:
            return carried.terms, carried.written
        return Tally(previous.corpus.vocabulary, going_on=going_on), Tally(previous.written, going_on=going_on)

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
        if previous is None or not (self._anew or self._gathered):
            self._rows.append(row)
            return
        for sha256 in _files(row):
            self._blob(sha256, previous.manifest.blobs[sha256], previous.blob)
        if not self._anew and row.pack not in self._gathered:
            self._rows.append(row)
            return
        data = previous.corpus.record_bytes(row)
        copied = replace(row, pack=self._pack.name, offset=self._pack.append(data))
        if not self._anew:
            self._rows.append(copied)
            return
        record = PageRecord(data)
        terms, written = self._terms.words(record.hashes), self._written.words(record.written)
        self._count(record, terms, written)
        self._place(copied, texts(record, terms))

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
        self._headings[slot] = headings_of(record)
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
        if known is None or known.pack in self._gathered:
            content = data(sha256)
            known = like._replace(pack=self._pack.name, offset=self._pack.append(content), length=len(content))
        self._blobs[sha256] = known

    def commit(self, sites: SiteMap | None = None) -> Carried:
        """Make it durable, point to it, sweep older generations; what was written. `sites` are where sites have its pages."""
        self._take_away()
        # The search engine waits for the disk most of the time.
        with ThreadPoolExecutor(2) as pool:
            committed = [pool.submit(writer.commit) for writer in (self._passages, self._pages)]
            self._pack.finish()
            write_durably(self._folder / VOCABULARY, self._terms.encode())
            write_durably(self._folder / WRITTEN, self._written.encode())
            write_durably(self._folder / HEADINGS, encode_headings(self._all_headings()))
            if sites is not None and sites.places:
                write_durably(self._folder / SITE_MAP, sites.encode())
            rows = ordered(self._rows)
            index_id = identity((self._header.analyzer, self._header.configuration), self._header.versions, rows)
            for one in committed:
                one.result()
        manifest = self._manifest(rows, index_id)
        encoded = manifest.encode()
        write_durably(self._folder / MANIFEST, encoded)
        for folder in (self._folder, self._store.packs, self._store.generations):
            sync_folder(folder)
        self._store.point_to(self.name)
        self._is_committed = True
        before = self._previous  # readers may be opening it
        kept = manifest.packs | (before.manifest.packs if before else frozenset())
        self._store.sweep({self.name, before.generation if before else ""}, kept)
        return Carried(manifest, check_of(encoded), self._terms, self._written)

    def _all_headings(self) -> Iterator[tuple[int, PageHeadings]]:
        known = self._previous.page_headings() if self._previous else {}
        return ((row.slot, self._headings.get(row.slot) or known[row.slot]) for row in self._rows)

    def _manifest(self, rows: tuple[PageRow, ...], index_id: str) -> Manifest:
        blobs = {**(self._previous.manifest.blobs if self._previous and not self._anew else {}), **self._blobs}
        return Manifest(
            FORMAT,
            self._header.analyzer,
            self._header.configuration,
            self._header.sources,
            rows,
            {sha256: blobs[sha256] for sha256 in sorted({sha256 for row in rows for sha256 in _files(row)})},
            self._dead,
            self._slot,
            checks_below(self._folder, self._linked()),
            index_id,
            self._header.facets,
            self._header.versions,
        )

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


def is_worn(manifest: Manifest, *, is_urgent: bool) -> bool:
    """Whether so much of an index is dead that it is better written anew."""
    live = sum(page.passages for page in manifest.pages)
    return manifest.dead > (MOST_DEAD_IF_URGENT if is_urgent else MOST_DEAD) * max(1, live)


def _small_packs(manifest: Manifest) -> frozenset[str]:
    """Where there are too many packs: those to copy together, by what is live in them. A pack that is larger than all smaller
    ones together stays, so that nothing is copied often.
    """
    sizes: Counter[str] = Counter()
    entries: Iterable[PageRow | Blob] = chain(manifest.pages, manifest.blobs.values())
    for one in entries:
        sizes[one.pack] += one.length
    if len(sizes) <= MOST_PACKS:
        return frozenset()
    by_size = sorted(sizes, key=lambda name: (sizes[name], name))
    below = accumulate((sizes[name] for name in by_size), initial=0)
    small = max((at for at, (name, total) in enumerate(zip(by_size, below, strict=False)) if sizes[name] <= total), default=-1)
    return frozenset(by_size[: small + 1])
