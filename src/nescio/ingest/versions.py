"""Which versions of the documents does a source hold, and which one is a file of?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nescio.config.model import Source
from nescio.domain.views import DocsVersion
from nescio.errors import ConfigFault
from nescio.files import read_at_most

MIKE = "versions.json"
LONGEST_MIKE = 1024 * 1024  # bytes; a thousand versions are a tenth of it
LONGEST_NAME = 100  # characters of a version
USUAL = ("latest", "stable")  # asked where none is named, in this order, if they are versions or aliases
_PREFIX = re.compile(r"version-(?=.)")  # Docusaurus keeps version 1.2 in version-1.2
_PART = re.compile(r"\d{1,9}|[a-z]+")
_BEFORE = frozenset({"a", "alpha", "b", "beta", "c", "rc", "pre", "preview", "dev"})


@dataclass(frozen=True, slots=True)
class SourceVersions:
    """The versions of one source. `folders` gives the version of each folder directly below it; `own` is that of all else.

    `left_out` are folders that hold the same pages as another, under an alias.
    """

    known: tuple[DocsVersion, ...] = ()
    folders: Mapping[str, str] | None = None
    own: str | None = None
    left_out: tuple[str, ...] = ()

    def of(self, path: str) -> str | None:
        """The version of the file at a path below the source; None for one of all versions."""
        folder, slash, _ = path.partition("/")
        return (self.folders or {}).get(folder, self.own) if slash else self.own


def versions_of(source: Source, folder: Path) -> SourceVersions:
    """Look at a source's folder, where it may not be. Raises ConfigFault (`versions-unreadable`)."""
    if source.versions == "folders":
        names = {name: _said(_PREFIX.sub("", name, count=1)) for name in _folders(folder)}
        return SourceVersions(tuple(DocsVersion(name) for name in dict.fromkeys(names.values())), names)
    if source.versions == "mike":
        known = _told_by_mike(folder / MIKE)
        taken = {version.name for version in known}
        copies = tuple(alias for version in known for alias in version.aliases if alias not in taken)
        return SourceVersions(known, {version.name: version.name for version in known}, left_out=copies)
    known = (DocsVersion(source.version, source.aliases),) if source.version else ()
    return SourceVersions(known, own=source.version)


def all_versions(found: Iterable[SourceVersions]) -> tuple[DocsVersion, ...]:
    """The versions of all sources, newest first. The one that is asked where none is named is `latest` or `stable` (a version
    or an alias), else the newest.
    """
    aliases: dict[str, dict[str, None]] = {}
    for version in (version for one in found for version in one.known):
        aliases.setdefault(version.name, {}).update(dict.fromkeys(version.aliases))
    known = [DocsVersion(name, tuple(aliases[name])) for name in sorted(aliases, key=newest_first)]
    named = {other: version.name for version in reversed(known) for other in (*version.aliases, version.name)}
    default = next((named[name] for name in USUAL if name in named), known[0].name if known else None)
    return tuple(replace(version, is_default=version.name == default) for version in known)


def newest_first(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """A sort key: 10.1 before 9.2, a release before its candidates, names without a number last."""
    parts = _PART.findall(name.lower().removeprefix("v"))
    numbered = any(part.isdigit() for part in parts)
    key = [(-int(part), 0, "") if part.isdigit() else (1, part not in _BEFORE, part) for part in parts]
    return [(0 if numbered else 1, 0, ""), *key, (0, 0, "")], name


def _folders(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith((".", "_")))
    except OSError:
        return []


def _said(name: str) -> str:
    """The name of a folder as text: bytes that are no UTF-8 become U+FFFD."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _told_by_mike(file: Path) -> tuple[DocsVersion, ...]:
    try:
        said = json.loads(read_at_most(file, LONGEST_MIKE) or b"")
        return tuple(DocsVersion(_named(entry["version"]), tuple(map(_named, entry.get("aliases", ())))) for entry in said)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigFault(
            "versions-unreadable",
            f"{file} does not list versions as mike does: {type(error).__name__}.",
            'Put the folder that mike publishes there, or set versions = "folders".',
        ) from error


def _named(said: object) -> str:
    """The name of a version or an alias, which is that of a folder. Raises ValueError where it is none."""
    name = str(said)
    if not name.strip(".") or len(name) > LONGEST_NAME or not name.isprintable() or "/" in name or "\\" in name:
        raise ValueError("no name of a folder")
    return name
