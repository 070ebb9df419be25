"""Where a command works: the configuration in force, the folder of its index, and the engine on top of them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nescio.errors import NotFoundFault, UsageFault
from nescio.surfaces.cli import output
from nescio.surfaces.cli.ending import DEBUG_VARIABLE
from nescio.surfaces.cli.layout import Mark, counted, line

if TYPE_CHECKING:
    from nescio.config.loading import Configuration
    from nescio.domain.reports import BuildReport
    from nescio.engine import Engine

INDEX_FOLDER = ".nescio"
CONFIG_VARIABLE = "NESCIO_CONFIG"
INDEX_VARIABLE = "NESCIO_INDEX"
COMMIT = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class Named:
    """What the command line named: a configuration file, a folder for the index, folders of documents, values of settings,
    which reader is answered, the folder of the built site and the commit that the documents are at.
    """

    config: Path | None = None
    index: Path | None = None
    docs: tuple[Path, ...] = ()
    flags: Mapping[str, Any] = field(default_factory=dict)
    reader_view: tuple[str, ...] = ()
    site: Path | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Workspace:
    """A configuration and the folder of its index, which need not be there."""

    configuration: Configuration
    index: Path

    @property
    def sources(self) -> str:
        """The folders that are indexed, as their paths are written."""
        paths = [source.path for source in self.configuration.settings.sources]
        return ", ".join(path.rstrip("/") + "/" for path in paths)


def find(named: Named, *, needs_docs: bool) -> Workspace:
    """The workspace in force: flag before environment before the folder beside the configuration.

    With `needs_docs`, folders of documents have to be there. Raises ConfigFault and NotFoundFault.
    """
    from nescio.config.loading import load

    environ = {name: value for name, value in os.environ.items() if name != DEBUG_VARIABLE}
    file = named.config or _path(environ.get(CONFIG_VARIABLE))
    configuration = load(
        Path.cwd(), environ=environ, flags=named.flags, docs=named.docs, file=file, needs_docs=needs_docs or bool(named.docs)
    )
    index = named.index or _path(environ.get(INDEX_VARIABLE)) or configuration.root / INDEX_FOLDER
    return Workspace(_published(configuration, named), index)


def _published(configuration: Configuration, named: Named) -> Configuration:
    """With the built site and the commit that were named. Raises UsageFault where a source cannot have them."""
    sources = configuration.settings.sources
    if named.site is not None:
        if len(sources) > 1:
            raise UsageFault(
                "site-ambiguous",
                f"--site names one built site, and there are {len(sources)} sources.",
                "Name the folder of one source, or set site for each source in the configuration file.",
            )
        sources = tuple(source.model_copy(update={"site": str(Path.cwd() / named.site)}) for source in sources)
    if named.commit is not None:
        _check_commit(named.commit, any(source.edit_uri for source in sources))
        sources = tuple(source.model_copy(update={"commit": named.commit}) for source in sources)
    return replace(configuration, settings=configuration.settings.model_copy(update={"sources": sources}))


def _check_commit(commit: str, has_repository: bool) -> None:
    if not COMMIT.fullmatch(commit):
        raise UsageFault(
            "commit-syntax", f"{commit!r} is not a commit.", "Give 7 to 64 hexadecimal digits, as git rev-parse HEAD prints."
        )
    if not has_repository:
        raise UsageFault(
            "commit-without-edit-uri",
            "A commit was named, and no source has an edit_uri.",
            "Set edit_uri to where a page's source is edited, before its path.",
        )


def build(place: Workspace, *, allow_empty: bool = False, wait: float | None = None) -> BuildReport:
    """Bring the index up to date, with a bar where stderr is a terminal. Raises the faults of a build."""
    from nescio.assembly import building

    with output.progress_bar() as progress:
        return building.build(place.configuration, place.index, progress=progress, allow_empty=allow_empty, wait_seconds=wait)


def engine(named: Named) -> Engine:
    """The engine of the index that is there; its documents need not be. Raises NotFoundFault("no-index")."""
    place = find(named, needs_docs=False)
    from nescio.assembly import opening  # after what can fail fast: it loads the engine

    return opening.open_index(place.configuration, place.index).within(reader_view=named.reader_view)


def ready_engine(named: Named) -> Engine:
    """The engine, after a build where folders were named or where no index is there; says so on stderr.

    An index that was named and is not there is a fault: whoever names one means that one, not the documents that happen to lie
    in the current folder. Raises NotFoundFault("no-index").
    """
    if not named.docs:
        try:
            return engine(named)
        except NotFoundFault as fault:
            if fault.code != "no-index" or named.index is not None:
                raise
    _build_first(find(named, needs_docs=True))
    return engine(named)


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _build_first(place: Workspace) -> None:
    from nescio.surfaces.cli import render_reports

    output.print_note([line(f"Building the index of {place.sources} ...", Mark.QUIET)])
    report = build(place)
    lines = [render_reports.summary(report)]
    if report.skipped:
        skipped = counted(len(report.skipped), "file")
        lines.append(line(f"{skipped} could not be read; run `nescio build` to see which.", Mark.CAUTION))
    output.print_note(lines)
