"""The sources as they are now: each page beside what the index has of it, and what its text holds, secrets among it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nescio.assembly.preparing import Job, Outcome, Refused, Same, prepared
from nescio.config.loading import Configuration
from nescio.config.model import Source
from nescio.domain.documents import Document
from nescio.domain.findings import Finding, FindingKind, Level
from nescio.drift.contents import Notices, content_findings
from nescio.drift.indexed import Standing, changed_lines
from nescio.index.manifest import PageRow
from nescio.index.reading import StoredIndex
from nescio.index.writing import NewPage
from nescio.ingest.files import Found, include_top
from nescio.ingest.reader import Skip, read
from nescio.ingest.secrets.guarding import SecretFound, secured
from nescio.ingest.source_files import walk_source
from nescio.ingest.walk import WalkResult

Rows = Mapping[tuple[str, str], PageRow]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was seen: pages beside their rows, in order of source and path, the findings over their texts, and the count."""

    standings: tuple[Standing, ...]
    contents: tuple[Finding, ...]
    documents: int


def look(configuration: Configuration, stored: StoredIndex) -> Looked:
    """Read every document of the sources and compare it with a generation. Raises NotFoundFault where a folder is not there."""
    rows = {page.address: page for page in stored.manifest.pages}
    standings: list[Standing] = []
    contents: dict[Finding, None] = {}  # a file that several pages include is told once
    documents = 0
    for source in sorted(configuration.settings.sources, key=lambda one: one.name):
        looking = _Source(configuration, source, stored, rows)
        for standing, found in looking.pages():
            documents += bool(standing.now)
            standings.append(standing)
            contents.update((one, None) for one in found)
        standings += looking.gone()
    known = {source.name for source in configuration.settings.sources}
    standings += [
        Standing(
            f"{page.source}/{page.path}", page.sha256, "", reason=f"The index has the source {page.source}, which is not set."
        )
        for page in rows.values()
        if page.source not in known
    ]
    return Looked(tuple(standings), tuple(contents), documents)


class _Source:
    """One source: what is in its folder now, and what the index has of it."""

    def __init__(self, configuration: Configuration, source: Source, stored: StoredIndex, rows: Rows) -> None:
        self._configuration = configuration
        self._source = source
        self._stored = stored
        self._rows = rows
        self._folder = configuration.folder(source)
        self._include_root = include_top(self._folder, configuration.include_root(source))
        self._seen: set[str] = set()
        self._walked = WalkResult(())

    def pages(self) -> Iterator[tuple[Standing, tuple[Finding, ...]]]:
        """Each document that is there, in order of path, with the findings over its text. Call it before `gone`."""
        self._walked = walk_source(self._source, self._folder, self._configuration.settings.limits)
        for found in self._walked.files:
            document = read(found, self._source.name, self._configuration.settings.limits)
            if isinstance(document, Document):
                yield self._page(found, document)
            elif document.keeps_old:
                self._seen.add(found.path)

    def gone(self) -> Iterator[Standing]:
        """The pages of the index that are not there any more. What could not be looked at is unknown and not gone."""
        for (name, path), row in self._rows.items():
            if name == self._source.name and path not in self._seen and not self._walked.is_unseen(path):
                yield Standing(self._shown(path), row.sha256, "")

    def _page(self, found: Found, document: Document) -> tuple[Standing, tuple[Finding, ...]]:
        row = self._rows.get((self._source.name, found.path))
        shown = self._shown(found.path)
        self._seen.add(found.path)
        secrets, document = self._without_secrets(document)
        if row is not None and row.sha256 == document.sha256 and not row.used:
            notices: Notices = row.notices
            standing = Standing(shown, row.sha256, row.sha256)
        else:
            outcome = self._prepared(found, row)
            secrets += outcome.found if isinstance(outcome, Refused) else ()
            standing, notices = self._compared(shown, row, document, outcome)
        told = tuple(map(self._secret, dict.fromkeys(secrets)))
        return standing, (*told, *content_findings(shown, document.text, notices))

    def _without_secrets(self, document: Document) -> tuple[tuple[SecretFound, ...], Document]:
        """Where its secrets are, and the document with them masked: no finding may show one."""
        policy = self._configuration.settings.secrets
        found = secured(document, policy.model_copy(update={"on_found": "refuse"}))
        kept = secured(document, policy.model_copy(update={"on_found": "mask"}))
        return (found if isinstance(found, tuple) else ()), (kept if isinstance(kept, Document) else document)

    def _secret(self, one: SecretFound) -> Finding:
        """An error where a build would stop, a warning where it masks."""
        stops = self._configuration.settings.secrets.on_found == "refuse"
        level, message = Level.ERROR if stops else Level.WARNING, one.notice().message
        return Finding(FindingKind.SECRET, level, self._shown(one.path), one.line, one.line, message, rule=one.rule)

    def _compared(self, shown: str, row: PageRow | None, document: Document, outcome: Outcome) -> tuple[Standing, Notices]:
        indexed = row.sha256 if row else ""
        if isinstance(outcome, Same):
            return Standing(shown, indexed, indexed), row.notices if row else ()
        if isinstance(outcome, Refused):
            return Standing(shown, indexed, document.sha256 if indexed else ""), ()
        if isinstance(outcome, Skip):
            return Standing(shown, indexed, "", reason=f"The document cannot be indexed any more: {outcome.message}"), ()
        if row is not None and row.sha256 == document.sha256:
            return self._included(shown, row, outcome), outcome.notices
        lines = changed_lines(self._stored.document(indexed).text, document.text) if indexed else (0, 0)
        return Standing(shown, indexed, document.sha256, lines), outcome.notices

    def _included(self, shown: str, row: PageRow, outcome: NewPage) -> Standing:
        """The first file that the page includes and that is not as it was."""
        paths = sorted(row.used.keys() | outcome.used.keys())
        path = next((path for path in paths if row.used.get(path) != outcome.used.get(path)), "")
        old, new = row.used.get(path) or "none", outcome.used.get(path) or "none"
        return Standing(shown, old, new, included=path)

    def _prepared(self, found: Found, row: PageRow | None) -> Outcome:
        known = (row.sha256, row.used) if row else None
        settings = self._configuration.settings
        return prepared([Job(found, self._source, settings.limits, self._folder, self._include_root, known, settings.secrets)])[
            0
        ]

    def _shown(self, path: str) -> str:
        return self._configuration.shown(self._folder / path)
