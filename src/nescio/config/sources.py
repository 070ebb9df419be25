"""Which folders are read, and what are they called? Those given, else those configured, else docs/."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from nescio.config.model import Source
from nescio.errors import ConfigFault, NotFoundFault

DEFAULT_DOCS = "docs"


def named(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Each source with a name of its own. Raises ConfigFault when two were given the same."""
    taken = [source.name for source in sources if source.name]
    twice = next((name for name in taken if taken.count(name) > 1), None)
    if twice is not None:
        hint = "Citations need to tell sources apart: give each its own name."
        raise ConfigFault("config-duplicate-source", f"Two sources are called {twice}.", hint)
    result = []
    for source in sources:
        name = source.name or _free_name(Path(os.path.normpath(source.path)).name, taken)
        taken.append(name)
        result.append(source.model_copy(update={"name": name}))
    return tuple(result)


def _free_name(folder: str, taken: Sequence[str]) -> str:
    """A name made of a folder's, as simple as names are, and not taken yet."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder)[:80].strip("-.") or DEFAULT_DOCS
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}-{number}", number + 1
    return unique


def given(docs: Sequence[Path], root: Path, configured: Sequence[Source]) -> tuple[Source, ...]:
    """The sources of the absolute folders `docs`, each folder once: what is configured for it, else a plain one."""
    chosen: dict[str, list[Source]] = {}
    for folder in docs:
        real = os.path.realpath(existing(folder))
        if real not in chosen:
            taken = [source.name for source in (*configured, *(source for some in chosen.values() for source in some))]
            path = (folder.relative_to(root) if folder.is_relative_to(root) else folder).as_posix()
            known = [source for source in configured if os.path.realpath(root / source.path) == real]
            chosen[real] = known or [Source(path=path, name=_free_name(folder.name, taken))]
    return tuple(source for some in chosen.values() for source in some)


def default_sources(root: Path, needs_docs: bool) -> tuple[Source, ...]:
    """`docs/` below `root`. Without it nothing, or when documents are needed a ConfigFault (`no-docs`)."""
    if (root / DEFAULT_DOCS).is_dir():
        return (Source(path=DEFAULT_DOCS, name=DEFAULT_DOCS),)
    if needs_docs:
        message = f"There is no documentation to read: no folder was named, none is configured, and {root} holds no docs/."
        raise ConfigFault("no-docs", message, "Name a folder, or run `nescio init` and say where the documents are.")
    return ()


def absolute(path: Path) -> Path:
    """`path` from the file system's root, without `.` and `..`; links stay, since their names are what people know."""
    return Path(os.path.normpath(path.absolute()))


def existing(folder: Path) -> Path:
    """`folder` itself. Raises NotFoundFault (`docs-not-found`) when there is no such folder."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "is not there"
        raise NotFoundFault("docs-not-found", f"{folder} {what}.", "Name a folder that holds documentation.")
    return folder
