"""From the sources to a new generation: what is unchanged is kept, what is gone goes, what is unreadable stays as it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from nescio.analysis.tokens import ANALYZER
from nescio.assembly.preparing import Job, Outcome, Refused, Same, prepared
from nescio.assembly.site_mapping import SiteMapping
from nescio.assembly.workers import workers
from nescio.config.loading import Configuration
from nescio.config.model import Source
from nescio.domain.documents import Notice
from nescio.domain.release import VERSION
from nescio.domain.reports import BuildReport
from nescio.domain.views import DocsVersion
from nescio.errors import IndexFault, IngestFault, InternalFault, NotFoundFault
from nescio.index.manifest import Manifest, PageRow, SourceRow
from nescio.index.reading import StoredIndex, open_stored
from nescio.index.site_map import SiteMap
from nescio.index.store import Store
from nescio.index.writing import Carry, GenerationWriter, Header, is_worn
from nescio.ingest.files import Found, include_top
from nescio.ingest.reader import Skip
from nescio.ingest.source_files import walk_source
from nescio.ingest.versions import SourceVersions, all_versions, versions_of
from nescio.ingest.walk import WalkResult

MOST_TOLD = 20  # secrets that one message names: more are counted
Progress = Callable[[int, int, str], None]
Address = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Walked:
    """A source and what was found in its folder."""

    source: Source
    folder: Path
    include_root: Path
    versions: SourceVersions
    result: WalkResult


@dataclass
class _Counts:
    """What is counted while the files are gone through."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    kept: int = 0
    touched: int = 0
    skipped: list[Notice] = field(default_factory=list)
    secrets: dict[Notice, None] = field(default_factory=dict)  # each once, in the order in which they were found


def build(
    configuration: Configuration,
    index: Path,
    *,
    progress: Progress | None = None,
    allow_empty: bool = False,
    wait_seconds: float | None = None,
    carry: Carry | None = None,
) -> BuildReport:
    """Bring the index folder up to date with the sources. Visible all at once at the end, or not at all.

    `progress` is called with (files done, files in all, the path). `carry`, given to each build of one index, makes the next
    quicker. Raises IngestFault: `source-empty` when a source that had pages has none now, unless `allow_empty`, and
    `secrets-found` when a file holds a secret, unless they are masked. Raises BusyFault when another build runs longer than
    `wait_seconds` (`limits.lock_seconds`); StorageFault when the folder cannot be written.
    """
    started = time.monotonic()
    store = Store(index)
    store.prepare()
    limits = configuration.settings.limits
    carry = carry or Carry()
    with store.writing(limits.lock_seconds if wait_seconds is None else wait_seconds):
        taken, carry.last = replace(carry), None  # what a fault stops half way is good for nothing
        previous = _previous(index, taken)
        try:
            walked = [_walk(configuration, source, allow_empty=allow_empty) for source in configuration.settings.sources]
            header = _header(configuration, all_versions(one.versions for one in walked))
            if not allow_empty:
                _refuse_emptied(walked, previous, header)
            target = _Target(configuration, store, header, taken)
            one_build = _Build(target, previous, progress or (lambda done, total, path: None))
            report = one_build.run(walked, started)
            carry.last = taken.last
            return report
        finally:
            if previous is not None:
                previous.close()


def _previous(index: Path, carry: Carry) -> StoredIndex | None:
    """The generation that is there; None when there is none, or one that is damaged: then everything is built anew.

    Raises StorageFault when there may be one that this user may not read: it is not for us to sweep away.
    """
    try:
        return open_stored(index, (carry.last.manifest, carry.last.check) if carry.last else None)
    except (NotFoundFault, IndexFault):
        return None


def _walk(configuration: Configuration, source: Source, *, allow_empty: bool) -> _Walked:
    folder = configuration.folder(source)
    versions = versions_of(source, folder)
    try:
        result = walk_source(source, folder, configuration.settings.limits, versions)
    except NotFoundFault:
        if not allow_empty:
            raise
        result = WalkResult(())
    return _Walked(source, folder, include_top(folder, configuration.include_root(source)), versions, result)


def _refuse_emptied(walked: Sequence[_Walked], previous: StoredIndex | None, header: Header) -> None:
    """What could not be looked at is no loss where the pages can be kept, which another configuration does not allow."""
    had = {page.source for page in previous.manifest.pages} if previous else set()
    keeps = previous is not None and _is_reusable(previous.manifest, header)
    for one in walked:
        if one.source.name in had and not one.result.files and not (keeps and one.result.unreadable):
            raise IngestFault(
                "source-empty",
                f"The source {one.source.name} had pages, and in {one.folder} none can be found now. The old index stands.",
                "Is a disk not mounted, a checkout half done? If it is meant to be empty: nescio build --allow-empty.",
            )


@dataclass(frozen=True, slots=True)
class _Target:
    """What is built, and where, and what is known of what is there."""

    configuration: Configuration
    store: Store
    header: Header
    carry: Carry


class _Build:
    """One build, once the folders are walked and the lock is held."""

    def __init__(self, target: _Target, previous: StoredIndex | None, progress: Progress) -> None:
        self._configuration = target.configuration
        self._store = target.store
        self._header = target.header
        self._carry = target.carry
        self._previous = previous
        self._going_on = previous if previous is not None and _is_reusable(previous.manifest, self._header) else None
        self._rows: Mapping[Address, PageRow] = (
            {page.address: page for page in self._going_on.manifest.pages} if self._going_on else {}
        )
        self._sites = SiteMapping(self._configuration, self._going_on.site_map if self._going_on else SiteMap())
        self._progress = progress
        self._counts = _Counts()

    def run(self, walked: Sequence[_Walked], started: float) -> BuildReport:
        """Do it."""
        kept, jobs = self._sorted_out(walked)
        for row in kept:
            self._map(row)
        with workers(self._configuration.settings.jobs, len(jobs)) as apply:
            # Nothing is written, and the search index not opened, before there is something new.
            if not jobs and self._is_nothing_new(len(kept)):
                return self._unchanged(started)
            with GenerationWriter(self._store, self._header, self._going_on, self._carry) as writer:
                for row in kept:
                    writer.keep(row)
                outcomes: Iterator[Outcome] = apply(prepared, jobs)
                for done, (job, outcome) in enumerate(zip(jobs, outcomes, strict=True), len(kept) + 1):
                    self._progress(done, len(kept) + len(jobs), job.found.path)
                    self._take(writer, job, outcome)
                if self._counts.secrets:
                    raise _secrets_found(list(self._counts.secrets))
                if self._is_nothing_new(writer.count):
                    return self._unchanged(started)
                self._carry.last = writer.commit(self._sites.finished())
        manifest = self._carry.last.manifest
        return self._report(manifest, writer.name, self._removed(manifest), started)

    def _sorted_out(self, walked: Sequence[_Walked]) -> tuple[list[PageRow], list[Job]]:
        """The pages that need no look, and the files that do."""
        kept: list[PageRow] = []
        jobs: list[Job] = []
        for one in walked:
            self._counts.skipped.extend(_named(one.source, notice) for notice in one.result.notices if _is_loss(notice))
            for found in one.result.files:
                row = self._row(one, found)
                if row is not None and row.is_settled and row.signature == found.signature and not row.used:
                    self._counts.unchanged += 1
                    kept.append(row)
                else:
                    jobs.append(self._job(one, found, row))
            kept.extend(self._unseen(one))
        return kept, jobs

    def _row(self, one: _Walked, found: Found) -> PageRow | None:
        """What the index has of a file; nothing that counts where it is of another version now."""
        row = self._rows.get((one.source.name, found.path))
        return row if row is not None and row.version == one.versions.of(found.path) else None

    def _job(self, one: _Walked, found: Found, row: PageRow | None) -> Job:
        settings = self._configuration.settings
        return Job(
            found,
            one.source,
            settings.limits,
            one.folder,
            one.include_root,
            (row.sha256, row.used) if row else None,
            settings.secrets,
            one.versions.of(found.path),
            settings.facets,
        )

    def _unseen(self, one: _Walked) -> Iterator[PageRow]:
        """Pages below folders that could not be looked at: unreadable is not removed."""
        found = {file.path for file in one.result.files}
        for (source, path), row in self._rows.items():
            if source == one.source.name and path not in found and one.result.is_unseen(path):
                self._counts.kept += 1
                yield row

    def _take(self, writer: GenerationWriter, job: Job, outcome: Outcome) -> None:
        row = self._rows.get((job.source.name, job.found.path))
        if isinstance(outcome, Same) and row is not None:
            self._counts.unchanged += 1
            seen = replace(row, signature=outcome.signature, is_settled=outcome.is_settled)
            self._counts.touched += seen != row
            writer.keep(seen)
            self._map(row)
        elif isinstance(outcome, Refused):
            shown = self._configuration.shown
            found = (replace(notice, path=shown(job.root / notice.path)) for notice in outcome.notices())
            self._counts.secrets.update(dict.fromkeys(found))
        elif isinstance(outcome, Skip):
            if not outcome.vanished:
                self._counts.skipped.append(_named(job.source, outcome.notice()))
            if outcome.keeps_old and row is not None:
                self._counts.kept += 1
                writer.keep(row)
                self._map(row)
        elif not isinstance(outcome, Same):
            self._counts.changed += row is not None
            self._counts.added += row is None
            self._sites.add(writer.add(outcome), outcome.encoded.record)

    def _map(self, row: PageRow) -> None:
        """Look for a page of the generation before on its source's built site."""
        if self._going_on is not None:
            self._sites.keep(row, partial(self._going_on.corpus.record_bytes, row))

    def _is_nothing_new(self, pages: int) -> bool:
        """Whether a generation with so many pages would be the one that is there, and that can stay."""
        counts = self._counts
        return (
            self._going_on is not None
            and self._going_on.manifest.sources == self._header.sources
            and self._going_on.manifest.docs_versions == self._header.versions
            and pages == len(self._rows)
            and not (counts.added or counts.changed or counts.touched)
            and self._going_on.site_map == self._sites.finished()
            and not is_worn(self._going_on.manifest, is_urgent=self._carry.is_urgent)
        )

    def _unchanged(self, started: float) -> BuildReport:
        """The report on the generation that stays; what a build that was killed left behind goes."""
        if self._going_on is None:
            raise InternalFault("internal-error", "A build without an index found nothing new.")
        name, manifest = self._going_on.generation, self._going_on.manifest
        self._store.sweep({name}, manifest.packs)
        return self._report(manifest, name, 0, started)

    def _removed(self, manifest: Manifest) -> int:
        before = {page.address for page in self._previous.manifest.pages} if self._previous else set()
        return len(before - {page.address for page in manifest.pages})

    def _report(self, manifest: Manifest, generation: str, removed: int, started: float) -> BuildReport:
        counts = self._counts
        notices = [
            Notice(code, f"{page.source}/{page.path}", line, message)
            for page in manifest.pages
            for code, line, message in page.notices
        ]
        self._sites.finished()
        notices += self._sites.notices
        return BuildReport(
            index_id=manifest.index_id,
            generation=generation,
            files=len(manifest.pages),
            passages=sum(page.passages for page in manifest.pages),
            added=counts.added,
            changed=counts.changed,
            removed=removed,
            unchanged=counts.unchanged,
            kept=counts.kept,
            skipped=tuple(sorted(counts.skipped, key=lambda notice: (notice.path, notice.line))),
            notices=tuple(notices),
            seconds=time.monotonic() - started,
        )


def _secrets_found(found: Sequence[Notice]) -> IngestFault:
    """What was found, file by file, as far as it can be read: where and what kind, never what."""
    places = [f"{notice.path}:{notice.line}: {notice.message}" for notice in found[:MOST_TOLD]]
    more = [f"... and {len(found) - MOST_TOLD} more"] if len(found) > MOST_TOLD else []
    count = "1 secret stands" if len(found) == 1 else f"{len(found)} secrets stand"
    return IngestFault(
        "secrets-found",
        "\n".join([f"{count} in the documents. Nothing was indexed; an index that was there stands.", *places, *more]),
        "Take them out, and make them invalid where they were valid. If one is a sample: nescio secrets allow FILE:LINE. "
        'To index everything else with them masked: on_found = "mask" under [secrets].',
    )


def _header(configuration: Configuration, versions: tuple[DocsVersion, ...]) -> Header:
    sources = tuple(map(_source_row, sorted(configuration.settings.sources, key=lambda source: source.name)))
    # Another release may read the same files otherwise: the first build after an upgrade starts anew.
    facets = tuple(sorted(configuration.settings.facets))
    return Header(ANALYZER, f"{configuration.fingerprint()} {VERSION}", sources, facets, versions)


def _source_row(source: Source) -> SourceRow:
    site = source.site_url, source.edit_uri, source.slug
    return SourceRow(source.name, source.path, source.version, *site, source.language.partition("-")[0], source.commit)


def _is_reusable(manifest: Manifest, header: Header) -> bool:
    return manifest.analyzer == header.analyzer and manifest.configuration == header.configuration


def _named(source: Source, notice: Notice) -> Notice:
    """With the source's name before the path, as pages are cited."""
    return replace(notice, path=f"{source.name}/{notice.path}" if notice.path else source.name)


def _is_loss(notice: Notice) -> bool:
    """Whether the walk left something out that a reader may have wanted."""
    return notice.code not in ("case-duplicate", "link-inside-root")
