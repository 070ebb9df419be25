"""What `import nescio` offers: build an index, open one. Configuration is a file's and the caller's, not the environment's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nescio.assembly.building import build as build_index
from nescio.assembly.opening import open_index
from nescio.citations.checking import check
from nescio.citations.claims import CitationCheck
from nescio.citations.library import Library
from nescio.citations.reading import read_citations
from nescio.config.loading import Configuration, load
from nescio.domain.reports import BuildReport
from nescio.engine import Engine

DEFAULT_INDEX = ".nescio"


def build(
    *docs: str | Path,
    index: str | Path | None = None,
    config: str | Path | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    allow_empty: bool = False,
) -> BuildReport:
    """Bring the index of some folders up to date and say what was done.

    `docs` are the folders; without any, those of the configuration file (`config`, or the nearest nescio.toml), else `docs/`.
    `index` is the index folder, by default `.nescio` beside the configuration file or in the current folder. `progress` is
    called with (files done, files in all, path). Raises `Fault`. Files that were skipped are in the report; nothing is raised
    for them.
    """
    configuration = _loaded(config, docs=tuple(map(Path, docs)), needs_docs=True)
    return build_index(configuration, _folder(configuration, index), progress=progress, allow_empty=allow_empty)


def open(index: str | Path | None = None, *, config: str | Path | None = None) -> Engine:  # noqa: A001
    """An engine over an index that was built. Raises `Fault` (`no-index`) when there is none.

    Use it as a context, or `close` it. One engine serves one thread.
    """
    configuration = _loaded(config, docs=(), needs_docs=False)
    return open_index(configuration, _folder(configuration, index))


def cite(citations: str | bytes, *docs: str | Path, config: str | Path | None = None) -> tuple[CitationCheck, ...]:
    """What became of citations that somebody holds, in order: are their words where they say?

    `citations` are JSON, JSON lines, or an answer in Markdown with quotes and links, as the command reads them. `docs` are the
    folders that they are compared with; without any, those of the configuration file, else `docs/`. No index is needed.
    Raises `Fault` (`cite-none`, `cite-syntax`).
    """
    data = citations.encode("utf-8", "surrogatepass") if isinstance(citations, str) else citations
    configuration = _loaded(config, docs=tuple(map(Path, docs)), needs_docs=True)
    return check(read_citations(data, "the citations"), Library.of(configuration))


def _loaded(config: str | Path | None, *, docs: tuple[Path, ...], needs_docs: bool) -> Configuration:
    file = Path(config) if config is not None else None
    return load(Path.cwd(), environ={}, flags={}, docs=docs, file=file, needs_docs=needs_docs)


def _folder(configuration: Configuration, index: str | Path | None) -> Path:
    return Path(index) if index is not None else configuration.root / DEFAULT_INDEX
