"""Where does each setting's value come from? Flag over environment over file over default, merged plainly and checked once."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from nescio.config.layers import PROJECT_NAME, checked, merged, table_of
from nescio.config.model import SECTIONS, Settings, Source
from nescio.config.problems import DEFAULT
from nescio.config.sources import absolute, default_sources, existing, given, named

CONFIG_NAME = "nescio.toml"
# What decides what stands in an index. Where the folders are, and how long or with how many processes they are read, does not.
_LIMITS_OF_THE_INDEX = frozenset({"max_file_bytes", "max_passages_per_file", "max_include_depth"})
_MACHINE_FIELDS = frozenset({"path", "include_root", "site", "commit"})


@dataclass(frozen=True, slots=True)
class Setting:
    """One value in force: its dotted key, where it comes from, and what it means."""

    key: str
    value: Any
    origin: str
    description: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in force. `root` is the folder of the configuration file, else the one started in; paths count from it.

    `origins` says for each dotted key that was set where: `flag --floor`, `environment NESCIO_FLOOR`, `nescio.toml`,
    `argument`. Keys that are not in it have their default. Sources go by name: `source.docs.path`.
    """

    settings: Settings
    origins: Mapping[str, str]
    root: Path
    file: Path | None = None

    def folder(self, source: Source) -> Path:
        """The folder of a source, absolute. It may not be there."""
        return Path(os.path.normpath(self.root / source.path))

    def shown(self, path: Path) -> str:
        """A path as a reader of the repository writes it: POSIX, from the root where that leads there."""
        try:
            return Path(os.path.relpath(path, self.root)).as_posix()
        except ValueError:  # on another drive
            return path.as_posix()

    def include_root(self, source: Source) -> Path | None:
        """The folder that a source's includes must lie in, absolute; None when it is left to the repository."""
        return None if source.include_root is None else Path(os.path.normpath(self.root / source.include_root))

    def listing(self) -> tuple[Setting, ...]:
        """Every value with its origin: general, the sections, the sources in order, cards, then a calibration's."""
        sections = [("", self.settings), ("limits.", self.settings.limits), ("gaps.", self.settings.gaps)]
        sections += [("secrets.", self.settings.secrets), ("check.", self.settings.check), ("serve.", self.settings.serve)]
        sections += [(f"source.{source.name}.", source) for source in self.settings.sources]
        sections += [("cards.", self.settings.cards)]
        sections += [(f"card.{number}.", unit) for number, unit in enumerate(self.settings.card, 1)]
        listed = [setting for prefix, values in sections for setting in self._section(prefix, values)]
        evidence = self._section("calibration.", self.settings.calibration)
        return (*listed, *(setting for setting in evidence if setting.value is not None))

    def _section(self, prefix: str, values: BaseModel) -> list[Setting]:
        fields = {name: field for name, field in type(values).model_fields.items() if name not in SECTIONS}
        return [
            Setting(prefix + name, getattr(values, name), self.origins.get(prefix + name, DEFAULT), field.description or "")
            for name, field in fields.items()
        ]

    def questions_changed(self) -> bool | None:
        """Whether the question file that the floor was chosen on is another now; None where there is none to compare."""
        known = self.settings.calibration
        if known.questions is None or known.questions_sha256 is None:
            return None
        file = self.root / known.questions
        try:
            if not file.is_file():
                return None
            with file.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest() != known.questions_sha256
        except OSError:
            return None

    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, over what changes the index: the same on another machine and in another folder."""
        limits = self.settings.limits.model_dump(include=set(_LIMITS_OF_THE_INDEX))
        sources = [_portable(source) for source in sorted(self.settings.sources, key=lambda source: source.name)]
        secrets = self.settings.secrets.model_dump(mode="json")
        facets = self.settings.facets
        told = json.dumps(
            {"facets": facets, "limits": limits, "secrets": secrets, "sources": sources}, sort_keys=True, ensure_ascii=True
        )
        return hashlib.sha256(told.encode("ascii")).hexdigest()


def _portable(source: Source) -> dict[str, Any]:
    values = source.model_dump(mode="json", exclude=set(_MACHINE_FIELDS))
    root = source.include_root
    return values | {"include_root": "absolute" if root is not None and Path(root).is_absolute() else root}


def find_configuration(start: Path) -> Path | None:
    """nescio.toml, or a pyproject.toml with [tool.nescio], in `start` or the nearest folder above, up to the repository's top.

    Where both are, nescio.toml. None when there is neither.
    """
    here = absolute(start)
    for folder in (here, *here.parents):
        if (folder / CONFIG_NAME).is_file():
            return folder / CONFIG_NAME
        if _is_ours(folder / PROJECT_NAME):
            return folder / PROJECT_NAME
        if os.path.lexists(folder / ".git"):
            return None
    return None


def _is_ours(project: Path) -> bool:
    """Whether a pyproject.toml speaks of nescio. One that is broken does if it seems to, so that its fault is told."""
    try:
        data = project.read_bytes()
    except OSError:
        return False
    if b"nescio" not in data:
        return False
    try:
        return "nescio" in tomllib.loads(data.decode("utf-8")).get("tool", {})
    except (ValueError, RecursionError):
        return b"tool.nescio" in data


def load(
    start: Path,
    *,
    environ: Mapping[str, str],
    flags: Mapping[str, Any],
    docs: Sequence[Path] = (),
    file: Path | None = None,
    needs_docs: bool = True,
) -> Configuration:
    """The configuration in force in the folder `start`.

    `flags` are dotted keys with their values, None where not given. `docs` are folders that stand in for the sources of the
    file; one that the file describes keeps its description. `file` is read instead of searching for one. Without a source
    anywhere it is `docs/` below the root. Raises ConfigFault for whatever is wrong in a file, variable or flag and (`no-docs`)
    when there is nothing to read; NotFoundFault for a file or folder that is not there. With `needs_docs` false, folders
    may be missing and there may be no source.
    """
    file = absolute(file) if file else find_configuration(start)
    root = file.parent if file else absolute(start)
    values, origins = merged(table_of(file) if file else {}, file.name if file else "", environ, flags)
    settings = checked(values, origins)
    configured = named(settings.sources)
    if docs:
        sources = given([absolute(start / folder) for folder in docs], root, configured)
    else:
        sources = configured or default_sources(root, needs_docs)
    in_file = origins.pop("source", DEFAULT)
    in_cards = origins.pop("card", DEFAULT)
    for number, unit in enumerate(settings.card, 1):
        origins |= {f"card.{number}.{field}": in_cards for field in unit.model_fields_set}
    for source in sources:
        origin = in_file if source in configured else "argument" if docs else DEFAULT
        origins |= {f"source.{source.name}.{field}": origin for field in source.model_fields_set}
    configuration = Configuration(settings.model_copy(update={"sources": sources}), origins, root, file)
    for source in sources if needs_docs else ():
        existing(configuration.folder(source))
    return configuration
