"""An engine over an index that is there, told apart from its sources as they are now."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from nescio.analysis.tokens import ANALYZER
from nescio.config.loading import Configuration
from nescio.domain.answers import AnswerWarning
from nescio.domain.documents import Signature
from nescio.domain.reports import SourceStatus, Status
from nescio.engine import Engine, Rules
from nescio.errors import IndexFault
from nescio.index.manifest import FORMAT, PageRow
from nescio.index.reading import StoredIndex, open_stored


def open_index(configuration: Configuration, index: Path) -> Engine:
    """An engine over the current generation. Raises NotFoundFault when there is none, IndexFault when it cannot be used."""
    stored = _opened(index)
    settings = configuration.settings
    rules = Rules(
        settings.floor,
        settings.limit,
        settings.limits.max_question_characters,
        settings.limits.max_question_terms,
        settings.limits.max_excerpt_characters,
    )
    return Engine(stored, rules, _freshness(stored, configuration.root))


def status(configuration: Configuration, index: Path) -> Status:
    """What is in an index, and how its sources compare with it now by size and time."""
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
    states = [_state(root / path / page.path, page.signature) for page in pages]
    return SourceStatus(name, path, len(pages), states.count("changed"), states.count("missing"))


def _state(path: Path, known: Signature) -> str:
    try:
        now = Signature.of(path.stat())
    except OSError:
        return "missing"
    return "same" if known == now else "changed"


def _freshness(stored: StoredIndex, root: Path) -> Callable[[str, str], AnswerWarning | None]:
    """Says of a quoted file whether it changed since it was indexed, by its size and time."""
    folders = {source.name: root / source.path for source in stored.manifest.sources}
    known = {page.address: page.signature for page in stored.manifest.pages}

    def warning(source: str, path: str) -> AnswerWarning | None:
        signature = known.get((source, path))
        if signature is None:
            return None
        if not folders[source].is_dir():
            return AnswerWarning("unchecked", f"The folder of {source} is not there: the quotes could not be compared with it.")
        state = _state(Path(os.path.normpath(folders[source] / path)), signature)
        if state == "same":
            return None
        what = "changed" if state == "changed" else "was removed"
        return AnswerWarning("stale", f"{source}/{path} {what} since it was indexed. Run: nescio build")

    return warning
