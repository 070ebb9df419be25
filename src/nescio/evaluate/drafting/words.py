"""The lists of words that drafting goes by; they lie in `data`, to be read and added to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

IDENTIFIER_SORTS = ("flag", "snake", "camel", "pascal", "upper", "kebab")


@dataclass(frozen=True, slots=True)
class Subject:
    """A well-known thing: its sort, its name and its other names."""

    sort: str
    name: str
    aliases: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        return (self.name, *self.aliases)


@lru_cache(maxsize=1)
def verbs() -> Mapping[str, bool]:
    """Base forms of verbs that open a heading; true for those that are no nouns as well."""
    rows = (line.split(" ") for line in _lines("verbs.txt"))
    return MappingProxyType({row[0]: len(row) == 1 for row in rows})


@lru_cache(maxsize=1)
def generic_headings() -> frozenset[str]:
    """Headings that name no topic, in lower case."""
    return frozenset(_lines("headings.txt"))


@lru_cache(maxsize=1)
def subjects() -> tuple[Subject, ...]:
    """Well-known things by their sort."""
    rows = (line.split("\t") for line in _lines("subjects.txt"))
    return tuple(Subject(sort, name, tuple(aliases)) for sort, name, *aliases in rows)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, frozenset[str]]:
    lists: dict[str, set[str]] = {}
    for name, words in (line.split("\t") for line in _lines("words.txt")):
        lists.setdefault(name, set()).update(words.split(" "))
    return MappingProxyType({name: frozenset(words) for name, words in lists.items()})


def words_that_are(name: str) -> frozenset[str]:
    """The words of one of the lists in `words.txt`. Raises KeyError where there is no such list."""
    return _words()[name]


def _lines(name: str) -> list[str]:
    text = files("nescio.evaluate.drafting").joinpath("data", name).read_text("utf-8")
    return [line for line in text.replace("\r", "").split("\n") if line and not line.startswith("#")]
