"""One file to one page that an index can take: read, parse, resolve includes, split, analyse, encode. Runs in any process."""

from __future__ import annotations

import contextlib
import os
import posixpath
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from types import FrameType

from nescio.analysis.passages import passage_terms, written_words
from nescio.analysis.tokens import Analyzer
from nescio.assembly.masking import audible
from nescio.config.model import Limits, Secrets, Source
from nescio.domain.documents import Document, Notice, Page, Signature
from nescio.domain.spans import Offsets
from nescio.domain.terms import PassageTerms
from nescio.errors import IngestFault
from nescio.index import facts
from nescio.index.records import PageRecord, encode, texts
from nescio.index.writing import NewPage
from nescio.ingest.files import Found
from nescio.ingest.includes import Reader, resolve_includes
from nescio.ingest.marks import marks
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.reader import Skip, read, read_inside
from nescio.ingest.secrets.guarding import SecretFound, secured
from nescio.ingest.site_paths import site_name, site_path
from nescio.ingest.splitter import Section, split


@dataclass(frozen=True, slots=True)
class Job:
    """A file to look at. `known` is the SHA-256 that the index has for it, with those of its includes, or None."""

    found: Found
    source: Source
    limits: Limits
    root: Path
    include_root: Path
    known: tuple[str, Mapping[str, str | None]] | None
    secrets: Secrets = field(default_factory=Secrets)
    version: str | None = None
    facets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Same:
    """The file, and what it includes, are what the index has."""

    signature: Signature
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Refused(Skip):
    """A file that holds secrets, or includes one that does: nothing of it may be kept. `found` says where, not what."""

    found: tuple[SecretFound, ...] = ()

    @classmethod
    def of(cls, path: str, found: Iterable[SecretFound]) -> Refused:
        """Of a page, with each place once."""
        return cls("secret-found", path, "It holds a secret, or includes a file that does.", found=tuple(dict.fromkeys(found)))

    def notices(self) -> tuple[Notice, ...]:
        """One for each secret."""
        return tuple(one.notice() for one in self.found)


Outcome = Same | NewPage | Skip


def prepared(jobs: list[Job]) -> list[Outcome]:
    """What became of each file, in order."""
    return [_prepared(job) for job in jobs]


def _prepared(job: Job) -> Outcome:
    started = time.time_ns()
    document = read(job.found, job.source.name, job.limits)
    if isinstance(document, Skip):
        return document
    is_settled = job.found.signature.is_settled(started)
    secrets: list[SecretFound] = []
    if _is_known(job, document):
        return Same(job.found.signature, is_settled)
    read_included = _reader(job, secrets)
    try:
        with _deadline(job.limits.max_file_seconds):
            kept = secured(document, job.secrets)
            if isinstance(kept, tuple):
                secrets += kept
                # Its text is read on for the files that it includes: all that holds secrets is to be told at once.
                kept = document
            outcome = _page(job, kept, read_included, is_settled=is_settled)
        return Refused.of(document.path, secrets) if secrets else outcome
    except TimeoutError:
        if secrets:
            return Refused.of(document.path, secrets)
        message = f"It took longer than {job.limits.max_file_seconds:g} seconds (limits.max_file_seconds)."
        return Skip("file-too-slow", document.path, message)
    except IngestFault as fault:
        return Refused.of(document.path, secrets) if secrets else Skip(fault.code, document.path, fault.message)


def _is_known(job: Job, document: Document) -> bool:
    """Whether the index has these bytes of the page and of all that it includes: what they hold was looked at by then."""
    if job.known is None or job.known[0] != document.sha256:
        return False
    for path, sha256 in job.known[1].items():
        included = read_inside(job.include_root, path, job.source.name, job.limits)
        if (None if isinstance(included, Skip) else included.sha256) != sha256:
            return False
    return True


def _reader(job: Job, secrets: list[SecretFound]) -> Reader:
    """Reads files below the include root, each once, addressed as the source's documents are. What holds secrets that may not
    be kept is not there; `secrets` gets them.
    """
    start = Path(os.path.realpath(job.include_root))
    below = posixpath.relpath(start.as_posix(), Path(os.path.realpath(job.root)).as_posix())

    @cache
    def included(path: str) -> Document | None:
        document = read_inside(job.include_root, path, job.source.name, job.limits)
        if isinstance(document, Skip):
            return None
        address = posixpath.normpath(posixpath.join(below, document.path))
        kept = secured(replace(document, path=address), job.secrets)
        if isinstance(kept, Document):
            return kept
        secrets.extend(kept)
        return None

    return included


def _page(job: Job, document: Document, read_included: Reader, *, is_settled: bool) -> Outcome:
    parse = parser_for(document.path, job.source.format, document.text)
    if parse is None:
        return Skip("unknown-format", document.path, "No parser reads files of this sort.")
    real, top = Path(os.path.realpath(job.found.absolute)), Path(os.path.realpath(job.include_root))
    own = real.relative_to(top).as_posix() if real.is_relative_to(top) else document.path
    page, looked_at = resolve_includes(
        parse(document),
        read_included,
        own,
        parse=_included_parser,
        source_root=_below(job.root, top),
        max_depth=job.limits.max_include_depth,
    )
    found = {path: read_included(path) for path in looked_at}
    documents = {document.sha256: document} | {one.sha256: one for one in found.values() if one is not None}
    masked = {sha256: one.masked for sha256, one in documents.items()}
    split_up = (audible(section, masked[section.passage.document_sha256]) for section in split(page, job.source.slug))
    sections = [section for section in split_up if section is not None]
    if len(sections) > job.limits.max_passages_per_file:
        most = job.limits.max_passages_per_file
        message = f"It makes {len(sections)} passages, and the limit (limits.max_passages_per_file) is {most}."
        return Skip("too-many-passages", document.path, message)
    analyzer = _analyzer(job.source.language)
    encoded = encode(
        [_terms(analyzer, section) for section in sections],
        [section.passage.id for section in sections],
        _written(analyzer, sections),
        facts.encoded([section.passage for section in sections], list(_lines(sections))),
    )
    return NewPage(
        document.source,
        document.path,
        encoded,
        texts(PageRecord(memoryview(encoded.record)), encoded.terms),
        tuple(documents.values()),
        job.found.signature,
        is_settled,
        {path: one.sha256 if one else None for path, one in sorted(found.items())},
        tuple((notice.code, notice.line, notice.message) for notice in page.notices),
        job.version,
        marks(page.front_matter, job.facets, job.source.audiences),
        site_path(document.path, job.source.slug, page.front_matter),
        site_name(page.front_matter),
    )


def _below(folder: Path, top: Path) -> str:
    """A folder as a path below another; empty when it is not below."""
    real = Path(os.path.realpath(folder))
    relative = real.relative_to(top).as_posix() if real.is_relative_to(top) else "."
    return "" if relative == "." else relative


def _included_parser(document: Document) -> Page | None:
    parse = parser_for(document.path, "auto", document.text)
    return parse(document) if parse else None


@lru_cache(maxsize=8)
def _analyzer(language: str) -> Analyzer:
    return Analyzer(language.partition("-")[0])


def _terms(analyzer: Analyzer, section: Section) -> PassageTerms:
    passage = section.passage
    blocks = [(block, section.text) for block in section.blocks]
    return passage_terms(analyzer, blocks, passage.heading_path, passage.title, passage.page_path)


def _written(analyzer: Analyzer, sections: list[Section]) -> set[str]:
    """The words of a page as written, those of its headings too."""
    above = {text for section in sections for text in (section.passage.title, *section.passage.heading_path)}
    body = written_words(analyzer, ((block, section.text) for section in sections for block in section.blocks))
    return body | analyzer.written(" ".join(above).split())


def _lines(sections: list[Section]) -> Iterator[int]:
    """The line on which each passage starts, in the file that holds it."""
    offsets: dict[str, Offsets] = {}
    for section in sections:
        sha256 = section.passage.document_sha256
        if sha256 not in offsets:
            offsets[sha256] = Offsets(section.text)
        yield offsets[sha256].line_of(section.passage.span.start)


@contextlib.contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside after so many seconds, where the system has such a timer: not on Windows, not in a thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
