"""The search index: which passages, and which pages, may have the best BM25? Upper bounds only; the score is our own.

tantivy rounds lengths down to a byte, weighs the words of a path in full and counts what was deleted: its score is never below
ours but for the deleted, by `slack`. So the best N by our score are found by asking for more until the bound of the last
one proposed is under the N-th score.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import tantivy

from nescio.domain.candidates import Scope, WeightedTerm, idf, is_changelog
from nescio.domain.views import Marks, View

SATURATION = 2.2  # k1 + 1 with the k1 that tantivy fixes at 1.2
ROUNDING = 1.001  # its scores are 32-bit floats
WRITER_BYTES = 50_000_000  # memory of the indexing thread before it writes a segment
SMALL_WRITER_BYTES = 15_000_000  # the least that tantivy takes, enough for an increment
KEY_BITS = 16  # of the passage's number on its page; the slot stands above
CHANGELOG = "\0changelog"  # a scope that no path can be, as the next two
VERSION, MARK = "\0version:", "\0mark:"
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
REMOVAL_WAITS = (0.0, 0.001, 0.01, 0.1)  # seconds
LOCKS = (".tantivy-meta.lock", ".tantivy-writer.lock")


@dataclass(frozen=True, slots=True)
class Proposals:
    """Keys, `slot << KEY_BITS | number`. No key that is missing scores above `bound`; None when no key is missing."""

    keys: Sequence[int]
    bound: float | None


class Searcher(Protocol):
    """Proposes what shares words with a question."""

    def propose(self, terms: Sequence[WeightedTerm], scope: Scope, limit: int) -> Proposals:
        """About `limit` keys inside the scope that hold one of `terms`, those with the highest bounds."""
        ...


def schema() -> tantivy.Schema:
    """Terms with their frequencies, the slot to delete a page by, the key, and the folders to restrict by."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("scope", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("slot", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("key", fast=True)
    return builder.build()


class TermsWriter:
    """Writes one search index in a folder of its own, new or cloned from an older generation's. Every method raises OSError
    when its files cannot be written.
    """

    def __init__(self, folder: Path, *, cloned_from: Path | None = None) -> None:
        folder.mkdir()
        if cloned_from is not None:
            clone(cloned_from, folder)
        self._folder = folder
        self._mode = 0o666 & ~_umask()  # asked for here: that is no matter for a thread
        size = WRITER_BYTES if cloned_from is None else SMALL_WRITER_BYTES
        with _as_os_error(folder):
            index = tantivy.Index(schema(), path=str(folder)) if cloned_from is None else tantivy.Index.open(str(folder))
            self._writer: tantivy.IndexWriter | None = index.writer(heap_size=size, num_threads=1)

    def add(self, slot: int, number: int, text: str, scopes: Iterable[str]) -> None:
        """Add one passage or page: its terms with a space between."""
        document = tantivy.Document()
        document.add_text("terms", text)
        for scope in scopes:
            document.add_text("scope", scope)
        document.add_text("slot", str(slot))
        document.add_unsigned("key", slot << KEY_BITS | number)
        with _as_os_error(self._folder):
            self._open_writer.add_document(document)

    def remove(self, slot: int) -> None:
        """Remove all of a page."""
        with _as_os_error(self._folder):
            self._open_writer.delete_documents_by_term("slot", str(slot))

    def commit(self) -> None:
        """Make it durable and readable for whoever may read the folder (tantivy makes its files private). In any thread."""
        with _as_os_error(self._folder):
            self._open_writer.commit()
            self._open_writer.wait_merging_threads()
        self.close()
        for path in self._folder.iterdir():
            if stat.S_IMODE(path.stat().st_mode) != self._mode:
                path.chmod(self._mode)

    def close(self) -> None:
        """Let go of the files; what was not committed is lost."""
        self._writer = None

    @property
    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            raise ValueError("the writer is closed")
        return self._writer


class TantivySearcher:
    """Reads one search index."""

    def __init__(self, folder: Path) -> None:
        self._schema = schema()
        self._searcher = _open(folder).searcher()
        self._total, dead = counts(folder)
        self._slack = ROUNDING * self._total / max(1, self._total - dead)

    def propose(self, terms: Sequence[WeightedTerm], scope: Scope, limit: int) -> Proposals:
        """The `limit` best by tantivy's score."""
        parts = [(tantivy.Occur.Should, query) for term in terms if (query := self._term(term)) is not None]
        if not parts:
            return Proposals((), None)
        query = tantivy.Query.boolean_query(parts)
        query = self._inside(query, scope)
        hits = self._searcher.search(query, limit=limit, count=False).hits
        keys = self._searcher.fast_field_values("key", [address for _, address in hits])
        bound = hits[-1][0] * self._slack if len(hits) == limit else None
        return Proposals([int(key) for key in keys if key is not None], bound)

    def _inside(self, query: tantivy.Query, scope: Scope) -> tantivy.Query:
        parts = [(tantivy.Occur.Must, query)]
        for any_of in filter(None, (scope.under, *seen_by(scope.view))):
            inside = tantivy.Query.term_set_query(self._schema, "scope", list(any_of))
            parts.append((tantivy.Occur.Must, tantivy.Query.const_score_query(inside, 0.0)))
        if not scope.changelogs:
            parts.append((tantivy.Occur.MustNot, tantivy.Query.term_query(self._schema, "scope", CHANGELOG, "basic")))
        return tantivy.Query.boolean_query(parts) if len(parts) > 1 else query

    def _term(self, term: WeightedTerm) -> tantivy.Query | None:
        count = self._searcher.doc_freq("terms", term.term)
        if not count:
            return None
        query = tantivy.Query.term_query(self._schema, "terms", term.term, "freq")
        own = SATURATION * idf(self._total, count)  # what tantivy multiplies by, deleted documents counted
        return tantivy.Query.boost_query(query, term.weight / own)


def scopes(source: str, path: str) -> list[str]:
    """What a page can be restricted by: its source, each folder above it and itself; and whether it lists changes."""
    parts = [source, *path.split("/")]
    found = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return [*found, CHANGELOG] if is_changelog(path) else found


def marked(version: str | None, marks: Marks, facets: Iterable[str]) -> list[str]:
    """What a page can be found by in a view: its version, and for each facet the values that it is meant for, or that it is for
    everyone.
    """
    told = (f"{MARK}{facet}={value}" for facet in facets for value in marks.get(facet) or ("",))
    return [VERSION + (version or ""), *told]


def seen_by(view: View) -> list[tuple[str, ...]]:
    """What a page in view is found by: it has one of each group."""
    versions = [(VERSION, VERSION + view.version)] if view.version is not None else []
    values: dict[str, tuple[str, ...]] = {}
    for facet, value in view.reader:
        values[facet] = (*values.get(facet, (f"{MARK}{facet}=",)), f"{MARK}{facet}={value}")
    return [*versions, *values.values()]


def counts(folder: Path) -> tuple[int, int]:
    """How many documents a search index holds, and how many of them are deleted but still counted in its statistics."""
    segments = json.loads((folder / "meta.json").read_bytes())["segments"]
    deleted = sum(segment["deletes"]["num_deleted_docs"] for segment in segments if segment["deletes"])
    return sum(segment["max_doc"] for segment in segments), deleted


@contextmanager
def _as_os_error(folder: Path) -> Iterator[None]:
    """tantivy tells faults of files as text, "... (os error 28)"; this raises the OSError that they were."""
    try:
        yield
    except ValueError as error:
        found = _OS_ERROR.search(str(error))
        number = int(found[1]) if found else errno.ENOSPC if _is_full(folder) else errno.EIO
        raise OSError(number, os.strerror(number), str(folder)) from error


def _is_full(folder: Path) -> bool:
    with suppress(OSError):
        return shutil.disk_usage(folder).free < SMALL_WRITER_BYTES
    return False


def is_segment(name: str) -> bool:
    """Whether a file of a generation is part of a search index and never changes, so that it is linked and not copied."""
    return "/" in name and not name.endswith(".json")


def clone(old: Path, new: Path) -> None:
    """The same search index in another folder: segments never change and are linked, the rest is copied."""
    for path in old.iterdir():
        if path.name in LOCKS:
            continue
        if path.suffix == ".json":
            shutil.copyfile(path, new / path.name)
        else:
            link_or_copy(path, new / path.name)


def link_or_copy(old: Path, new: Path) -> None:
    """A hard link where the file system has them."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def _open(folder: Path) -> tantivy.Index:
    """Open for reading. tantivy locks a file even to read: where that cannot be written, through links in a private folder."""
    if all(os.access(folder / lock, os.W_OK) for lock in LOCKS[:1]):
        return tantivy.Index.open(str(folder))
    private = Path(tempfile.mkdtemp(prefix="nescio-"))
    try:
        for path in folder.iterdir():
            if path.name not in LOCKS:
                (private / path.name).symlink_to(path.resolve())
        index = tantivy.Index.open(str(private))
        index.searcher()
        return index
    finally:
        _remove(private)


def _remove(folder: Path) -> None:
    """Remove a folder in which tantivy's watching thread may just be making its lock file anew."""
    for wait in REMOVAL_WAITS:
        time.sleep(wait)
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return stat.S_IMODE(mask)
