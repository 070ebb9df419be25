"""An engine over an index that is there, told apart from its sources as they are now."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from nescio.analysis.tokens import ANALYZER
from nescio.answer.warning import Freshness
from nescio.config.loading import Configuration
from nescio.domain.answers import AnswerWarning
from nescio.domain.documents import Signature
from nescio.domain.reports import SourceStatus, Status
from nescio.domain.rules import Rules
from nescio.engine import Engine
from nescio.errors import IndexFault
from nescio.index.manifest import FORMAT, PageRow
from nescio.index.reading import StoredIndex, open_stored


def open_index(configuration: Configuration, index: Path) -> Engine:
    """An engine over the current generation. Raises NotFoundFault when there is none, IndexFault when it cannot be used."""
    stored = _opened(index)
    stored.open_search()
    return Engine(stored, rules_of(configuration), _freshness(stored, configuration.root))


def rules_of(configuration: Configuration) -> Rules:
    """What the settings ask of an answer."""
    settings = configuration.settings
    return Rules(
        settings.floor_value,
        settings.limit,
        settings.limits.max_question_characters,
        settings.limits.max_question_terms,
        settings.limits.max_excerpt_characters,
        settings.docs_version,
    )


def status(configuration: Configuration, index: Path) -> Status:
    """What is in an index, and how its sources compare with it now."""
    stored = open_stored(index)
    try:
        manifest = stored.manifest
        sources = tuple(
            _source_status(source.name, source.path, configuration.root, [p for p in manifest.pages if p.source == source.name])
            for source in manifest.sources
        )
        size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
        return Status(
            str(index),
            manifest.index_id,
            stored.generation,
            FORMAT,
            manifest.analyzer,
            stored.documents,
            stored.passages,
            len(stored.corpus.vocabulary),
            size,
            sources,
            stored.docs_versions,
        )
    finally:
        stored.close()


def _opened(index: Path) -> StoredIndex:
    stored = open_stored(index)
    if stored.analyzer != ANALYZER:
        raise IndexFault(
            "index-analyzer",
            f"The index was built with the analyzer {stored.analyzer}, and this nescio has {ANALYZER}.",
            "Build it again: nescio build.",
        )
    return stored


def _source_status(name: str, path: str, root: Path, pages: list[PageRow]) -> SourceStatus:
    states = [_state(root / path / page.path, page.signature, page.sha256) for page in pages]
    return SourceStatus(name, path, len(pages), states.count("changed"), states.count("missing"))


def _state(path: Path, known: Signature | None, sha256: str) -> str:
    """How a file compares with what was indexed: by size and times, by its content where these differ (a copy, a chmod)."""
    try:
        now = Signature.of(path.stat())
        if now == known:
            return "same"
        if known is not None and now.size != known.size:
            return "changed"
        return "same" if hashlib.sha256(path.read_bytes()).hexdigest() == sha256 else "changed"
    except OSError:
        return "missing"


def _freshness(stored: StoredIndex, root: Path) -> Freshness:
    """Says of a quoted file whether it changed since it was indexed."""
    folders = {source.name: root / source.path for source in stored.manifest.sources}
    known = {page.address: page.signature for page in stored.manifest.pages}

    def warning(source: str, path: str, sha256: str) -> AnswerWarning | None:
        if not folders[source].is_dir():
            return AnswerWarning("unchecked", f"The folder of {source} is not there: the quotes could not be compared with it.")
        state = _state(Path(os.path.normpath(folders[source] / path)), known.get((source, path)), sha256)
        if state == "same":
            return None
        what = "changed" if state == "changed" else "was removed"
        return AnswerWarning("stale", f"{source}/{path} {what} since it was indexed. Run: nescio build")

    return warning
