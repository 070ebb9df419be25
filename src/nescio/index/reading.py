"""Opens the current generation of an index folder, whole, and never writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from itertools import repeat, takewhile
from pathlib import Path

from nescio.domain.candidates import Candidate, Key, Question, Scope
from nescio.domain.documents import Document, Passage
from nescio.domain.reports import PageInView
from nescio.domain.spans import Span
from nescio.domain.suggestions import PageHeadings
from nescio.domain.views import EVERYTHING, View
from nescio.errors import NotFoundFault, StorageFault
from nescio.index import facts
from nescio.index.checks import Check, check_of, damaged, verify
from nescio.index.corpus import Corpus, candidates
from nescio.index.headings import HEADINGS, Headings, headings_of
from nescio.index.manifest import Blob, Manifest, PageRow
from nescio.index.memory import MemorySearcher
from nescio.index.packs import Packs, mapped
from nescio.index.records import ABSENT, PageRecord, id_key, term_hash
from nescio.index.site_map import SITE_MAP, SiteMap
from nescio.index.store import Store
from nescio.index.terms_search import Searcher, TantivySearcher
from nescio.index.vocabulary import Tally, Vocabulary
from nescio.protocols import PassageAt

OPEN_ATTEMPTS = 5  # a build that ends while we open sweeps the generation away; the next try finds the new one
MANIFEST, VOCABULARY, WRITTEN = "manifest.json", "vocabulary.bin", "written.bin"
OPTIONAL = (SITE_MAP, HEADINGS)  # files that a generation may lack: no site was read, an older release built it
SEARCHED = ("passages/", "pages/")  # the search indexes, and where they are in a generation's folder
NO_MARK = ""  # a value that no page is marked for
KEPT_VIEWS = 16  # whose words were counted: a reader view or a version each
KEPT_DOCUMENTS = 16  # decoded texts that are kept at hand: those of the last few answers
KEPT_PASSAGES = 512  # what is kept of a passage is a few kilobytes once it is read


class StoredIndex:
    """`protocols.Index` over one generation of a folder, or over what a view shows of it."""

    def __init__(self, generation: Path, packs: Path, known: tuple[Manifest, Check] | None = None) -> None:
        """`known` is a manifest that is taken as it is where the generation's has its check."""
        self.generation = generation.name
        manifest = read_manifest(generation, known)
        has_sites = SITE_MAP in manifest.files
        verify(generation, manifest.files, (VOCABULARY, WRITTEN, *(name for name in OPTIONAL if name in manifest.files)))
        self.site_map = SiteMap.decode((generation / SITE_MAP).read_bytes()) if has_sites else SiteMap()
        self._headings = Headings(mapped(generation / HEADINGS)) if HEADINGS in manifest.files else None
        vocabulary, self.written = (Vocabulary(mapped(generation / name)) for name in (VOCABULARY, WRITTEN))
        self._packs = Packs(packs, sorted(manifest.packs))
        self._folder = generation
        self._sources = {source.name: source for source in manifest.sources}
        self.index_id = manifest.index_id
        self.analyzer = manifest.analyzer
        self.facets = manifest.facets
        self.docs_versions = manifest.docs_versions
        # What is kept here never points back, but for the views, which `close` drops: so the last user frees the mapped files.
        kept: Callable[[str], Document] = partial(_document, self._packs, manifest.blobs)
        self._kept = lru_cache(maxsize=KEPT_DOCUMENTS)(kept)
        self._of: StoredIndex | None = None  # for a view: the index of all pages
        self._views: dict[View, StoredIndex] = {}  # the one used last is the last
        self._over(manifest, Corpus(manifest, self._packs, vocabulary), EVERYTHING)

    def _over(self, manifest: Manifest, corpus: Corpus, view: View) -> None:
        """Take these pages for all there are."""
        self.manifest = manifest
        self.corpus = corpus
        self._seen = view
        decoded: Callable[[Key], tuple[Passage, int]] = partial(_decoded, corpus.record, manifest.pages)
        self._decoded = lru_cache(maxsize=KEPT_PASSAGES)(decoded)
        self.documents = len(manifest.pages)
        self.passages = corpus.passages
        self.pages = corpus.pages
        names = {page.source for page in manifest.pages}
        languages = (source.language for source in manifest.sources if source.name in names or not names)
        self.languages = tuple(dict.fromkeys(languages)) or ("en",)

    def view(self, view: View) -> StoredIndex:
        """See `protocols.Index`. The first time, the words of the pages in view are counted: seconds where they are many."""
        whole = self._whole
        seen = replace(view, reader=tuple(whole._told_apart(view)))
        found = whole._views.pop(seen, None) or whole._view(seen)
        if found is not whole:
            whole._views[seen] = found
            if len(whole._views) > KEPT_VIEWS:
                del whole._views[next(iter(whole._views))]
        return found

    @property
    def _whole(self) -> StoredIndex:
        return self._of or self

    def _told_apart(self, view: View) -> Iterator[tuple[str, str]]:
        """What a reader is, as far as it makes a difference here: a facet with its values that some page is marked for, or with
        none of them. So nobody can have pages counted again and again under names that are made up.
        """
        for facet in dict(view.reader):
            values = [value for name, value in view.reader if name == facet and (facet, value) in self._marked]
            yield from ((facet, value) for value in values or [NO_MARK])

    @cached_property
    def _marked(self) -> frozenset[tuple[str, str]]:
        """Every mark that some page has."""
        pages = (page.marks for page in self.manifest.pages)
        return frozenset((facet, value) for marks in pages for facet, values in marks.items() for value in values)

    def _view(self, view: View) -> StoredIndex:
        if view == EVERYTHING:
            return self
        shown = tuple(page for page in self.manifest.pages if view.shows(page.version, page.marks))
        if len(shown) == len(self.manifest.pages):
            return self
        manifest = replace(self.manifest, pages=shown)
        terms, written = (Tally(vocabulary) for vocabulary in (self.corpus.vocabulary, self.written))
        for page in shown:
            record = PageRecord(self.corpus.record_bytes(page))
            terms.count(record.hashes, record.spread())
            written.count(record.written, repeat(1))
        vocabulary, words = (Vocabulary(memoryview(tally.encode())) for tally in (terms, written))
        seen = copy(self)
        for name in ("_searchers", "_places"):
            seen.__dict__.pop(name, None)
        seen._of = self
        seen._views = {}
        seen.written = words
        seen._over(manifest, Corpus(manifest, self._packs, vocabulary, self.corpus), view)
        return seen

    def pages_in_view(self) -> tuple[PageInView, ...]:
        """See `protocols.Index`."""
        return tuple(
            PageInView(page.source, page.path, page.version, page.sha256, page.passages) for page in self.manifest.pages
        )

    def count(self, term: str) -> int:
        """See `protocols.Index`."""
        return self.corpus.vocabulary.count(term_hash(term))

    def keys(self) -> Iterator[Key]:
        """See `protocols.Index`."""
        return (Key(rank, number) for rank, page in enumerate(self.manifest.pages) for number in range(page.passages))

    def pages_with(self, term: str) -> frozenset[int]:
        """See `protocols.Index`. Looks at the table of terms of each page."""
        wanted = term_hash(term)
        ranks = (rank for rank, page in enumerate(self.manifest.pages) if page.passages)
        return frozenset(rank for rank in ranks if self.corpus.record(rank).local(wanted) != ABSENT)

    def words(self) -> Sequence[str]:
        """See `protocols.Index`."""
        return self.written.terms()

    def headings(self) -> Sequence[PageHeadings]:
        """See `protocols.Index`."""
        known = self.page_headings()
        return [known[page.slot] for page in self.manifest.pages]

    def page_headings(self) -> Mapping[int, PageHeadings]:
        """The titles and headings of the pages in view, at least, by their slots."""
        if self._headings is not None:
            return self._headings.pages()
        return {page.slot: headings_of(PageRecord(self.corpus.record_bytes(page))) for page in self.manifest.pages}

    def candidates(self, question: Question, scope: Scope) -> list[Candidate]:
        """See `protocols.Index`."""
        return candidates(self.corpus, question, replace(scope, view=self._seen), *self._searchers)

    def open_search(self) -> None:
        """Open the search indexes now, so that a reader keeps them when a later build sweeps their files away."""
        _ = self._searchers

    @cached_property
    def _opened_search(self) -> tuple[Searcher, Searcher] | None:
        """The search indexes of all pages; None where they cannot be opened (swept by now, no place for a lock)."""
        files = self.manifest.files
        try:
            verify(self._folder, files, (name for name in files if name.startswith(SEARCHED)))
            return TantivySearcher(self._folder / "passages"), TantivySearcher(self._folder / "pages")
        except (OSError, ValueError):
            return None

    @cached_property
    def _searchers(self) -> tuple[Searcher, Searcher]:
        """What proposes. Without a search index, every page in view is looked at."""
        whole = self._whole._opened_search
        return whole or (MemorySearcher(self.corpus, pages=False), MemorySearcher(self.corpus, pages=True))

    def scope(self, under: str) -> Scope:
        """See `protocols.Index`. The path may begin with the source's name, or with the folder that the source was given as."""
        wanted = under.replace("\\", "/").strip("/").removeprefix("./")
        found: list[str] = []
        for source in self._sources.values():
            choices = [f"{source.name}/{wanted}", wanted]
            folder = source.path.strip("/").removeprefix("./")
            if folder and (wanted + "/").startswith(folder + "/"):
                choices.append(f"{source.name}/{wanted[len(folder) :].strip('/')}".rstrip("/"))
            found.extend(choice for choice in choices if self._is_there(source.name, choice))
        if not found:
            raise NotFoundFault(
                "under-not-found",
                f"No page of the index is at or below {under!r}.",
                "Give a folder or page as `nescio status` and citations show them.",
            )
        return Scope(tuple(dict.fromkeys(found)))

    def _is_there(self, source: str, choice: str) -> bool:
        scope = Scope((choice,))
        return any(page.source == source and self.corpus.is_inside(page, scope) for page in self.manifest.pages)

    def passage(self, key: Key) -> PassageAt:
        """See `protocols.Index`."""
        page = self.manifest.pages[key.page]
        passage, line = self._decoded(key)
        source = self._sources[page.source]
        place = self.site_map.places.get(page.slot)
        return PassageAt(
            key,
            passage,
            line,
            page.version,
            source.site_url,
            source.edit_uri,
            source.slug,
            page.site_path if place is None else place.path,
            source.commit,
            place.anchors.get(passage.anchor) if place else None,
        )

    def section(self, key: Key, most: int) -> list[PassageAt]:
        """See `protocols.Index`."""
        at = self.passage(key)
        last = len(self.corpus.record(key.page)) - 1
        before = self._like(at, range(key.number - 1, max(-1, key.number - most - 1), -1))
        after = self._like(at, range(key.number + 1, min(last, key.number + most) + 1))
        return [*reversed(before), at, *after]

    def _like(self, at: PassageAt, numbers: Iterable[int]) -> list[PassageAt]:
        """The passages of a page with these numbers, as long as they stand under the same heading."""
        record = self.corpus.record(at.key.page)
        above = _above(record, at.key.number)
        near = takewhile(lambda number: _above(record, number) == above, numbers)  # cheap: most neighbours end here
        others = (self.passage(Key(at.key.page, number)) for number in near)
        return list(takewhile(lambda other: _heading(other) == _heading(at), others))

    def find(self, passage_id: str) -> Key | None:
        """See `protocols.Index`."""
        return self._places.get(id_key(passage_id))

    @cached_property
    def _places(self) -> dict[int, Key]:
        """Where each passage is, by the key of its id: gone through once, when the first is looked for."""
        found: dict[int, Key] = {}
        for rank, page in enumerate(self.manifest.pages):
            ids = PageRecord(self.corpus.record_bytes(page)).ids if page.passages else ()
            found.update((hashed, Key(rank, number)) for number, hashed in enumerate(ids))
        return found

    def document(self, sha256: str) -> Document:
        """See `protocols.Index`. Source and path of the document are empty: many files may have these bytes."""
        return self._kept(sha256)

    def blob(self, sha256: str) -> bytes:
        """The stored bytes of the file with a hash, checked against it, or against their own where secrets are masked."""
        return _blob(self._packs, self.manifest.blobs, sha256)

    def close(self) -> None:
        """Let go of the files."""
        self._views.clear()
        for name in ("_searchers", "_opened_search", "_places"):
            self.__dict__.pop(name, None)
        self._packs.close()


def _decoded(record: Callable[[int], PageRecord], pages: Sequence[PageRow], key: Key) -> tuple[Passage, int]:
    page = pages[key.page]
    return facts.decoded(record(key.page).facts(key.number), page.source, page.path)


def _above(record: PageRecord, number: int) -> tuple[bytes, bytes]:
    """The words of a passage's headings, as the record has them."""
    passage = record.passage(number)
    return passage.heading.tobytes(), passage.path.tobytes()


def _heading(at: PassageAt) -> tuple[str, ...]:
    return (*at.passage.heading_path, at.passage.anchor)


def _blob(packs: Packs, blobs: Mapping[str, Blob], sha256: str) -> bytes:
    blob = blobs.get(sha256)
    if blob is None:
        raise damaged(f"the bytes with hash {sha256[:12]} are missing")
    data = bytes(packs.read(blob.pack, blob.offset, blob.length))
    if hashlib.sha256(data).hexdigest() != (blob.stored or sha256):
        raise damaged(f"stored bytes no longer have their hash {sha256[:12]}")
    return data


def _document(packs: Packs, blobs: Mapping[str, Blob], sha256: str) -> Document:
    data = _blob(packs, blobs, sha256)
    blob = blobs[sha256]
    masked = tuple(Span(start, end) for start, end in blob.masked)
    return Document("", "", data, data.decode(blob.encoding), blob.encoding, sha256, blob.stored, masked)


def open_stored(folder: Path, known: tuple[Manifest, Check] | None = None) -> StoredIndex:
    """The current generation; `known` is its manifest, if it has that check.

    Raises NotFoundFault when there is none, IndexFault when it is damaged or of another format.
    """
    store = Store(folder)
    for attempt in range(1, OPEN_ATTEMPTS + 1):
        name = store.current()
        try:
            return StoredIndex(store.generation(), store.packs, known)
        except (FileNotFoundError, NotADirectoryError) as error:
            if attempt == OPEN_ATTEMPTS or store.current() == name:
                raise damaged(f"there is no {error.filename}") from error
    raise AssertionError("the loop returns or raises")


def read_manifest(generation: Path, known: tuple[Manifest, Check] | None = None) -> Manifest:
    """The manifest of a generation, the `known` one where the file has its check. Raises StorageFault when it may not be read,
    IndexFault when it makes no sense.
    """
    try:
        data = (generation / MANIFEST).read_bytes()
        return known[0] if known is not None and check_of(data) == known[1] else Manifest.decode(data)
    except PermissionError as error:
        message = f"No permission to read {error.filename}."
        raise StorageFault("index-unreadable", message, "Ask its owner to let you.") from error
