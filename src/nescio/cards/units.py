"""Which units have a card, what is each called, and which files belong to it?"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from nescio.config.model import CardUnit
from nescio.ingest.globs import Globs, compiled

NAMELESS = "project"  # a unit that is the configuration's own folder: what that is called differs between checkouts
LONGEST_NAME = 100
_NO_NAME = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with its files. Paths are POSIX and count from the configuration's folder; `path` is its folder or page."""

    name: str
    path: str
    files: tuple[str, ...]
    watch: tuple[str, ...] = ()


def units(rule: CardUnit, files: Sequence[str], is_page: Callable[[str], bool]) -> list[Unit]:
    """The units of one rule among the files below its path, in order of path. Names are not yet told apart."""
    if rule.unit == "glob":
        return [Unit(rule.name, _folder(rule), tuple(files), rule.watch)] if files else []
    if rule.unit == "page":
        return [Unit(_name(_stem(path)), path, (path,), rule.watch) for path in files if is_page(path)]
    return _folders(rule, files)


def _folders(rule: CardUnit, files: Sequence[str]) -> list[Unit]:
    """Each folder that holds the marker. A file belongs to the nearest one above it."""
    marked = {posixpath.dirname(path) for path in files if posixpath.basename(path) == rule.marker}
    held: dict[str, list[str]] = {folder: [] for folder in sorted(marked)}
    for path in files:
        nearest = next((above for above in _above(path) if above in marked), None)
        if nearest is not None:
            held[nearest].append(path)
    return [
        Unit(_name(posixpath.basename(folder)) if folder else rule.name or NAMELESS, folder or ".", tuple(paths), rule.watch)
        for folder, paths in held.items()
    ]


def _above(path: str) -> Iterable[str]:
    while path:
        path = posixpath.dirname(path)
        yield path


def _folder(rule: CardUnit) -> str:
    return posixpath.normpath(rule.path.replace("\\", "/"))


def _stem(path: str) -> str:
    name = posixpath.basename(path)
    return name[: name.rfind(".")] if "." in name[1:] else name


def _name(text: str) -> str:
    """What a file system anywhere takes as a name, and a question can hold."""
    name = _NO_NAME.sub("-", unicodedata.normalize("NFC", text)).strip("-.")[:LONGEST_NAME]
    return name or NAMELESS


def told_apart(found: Sequence[Unit]) -> list[Unit]:
    """The units in order of their names, each name once in any case of letters.

    Those that share one are called by their whole path; those that still do, by a number too.
    """
    shared = Counter(unit.name.casefold() for unit in found)
    named = [replace(unit, name=_name(unit.path)) if shared[unit.name.casefold()] > 1 else unit for unit in found]
    taken: set[str] = set()
    result = []
    for unit in sorted(named, key=lambda one: (one.name, one.path)):
        name, number = unit.name, 2
        while name.casefold() in taken:
            name, number = f"{unit.name}-{number}", number + 1
        taken.add(name.casefold())
        result.append(replace(unit, name=name))
    return sorted(result, key=lambda one: one.name)


class Watched:
    """The files that units watch, among all that there are below the configuration's folder."""

    def __init__(self, files: Mapping[str, object]) -> None:
        self._files = [(path, unicodedata.normalize("NFC", path)) for path in files]

    def of(self, unit: Unit) -> tuple[str, ...]:
        """The paths that a unit watches, in order. `{name}` in a pattern stands for the unit's name."""
        globs = compiled(pattern.replace("{name}", _escaped(unit.name)) for pattern in unit.watch)
        return tuple(path for path, matched in self._files if globs and _is_named(globs, matched))


def _escaped(name: str) -> str:
    return re.sub(r"([\[\]*?\\!#])", r"\\\1", name)


def _is_named(globs: Globs, path: str) -> bool:
    """Whether a path is named, else the nearest folder above it that a pattern speaks of."""
    verdict = globs.verdict(path, False)
    folders = (above for above in _above(path) if above)
    while verdict is None and (folder := next(iter(folders), None)) is not None:
        verdict = globs.verdict(folder, True)
    return verdict is True
