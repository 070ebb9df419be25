"""Which part of the documents is asked: one version of them, as one sort of reader sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nescio.errors import NotFoundFault, UsageFault

_PAIR = re.compile(r"([a-z][a-z0-9_-]{0,59})=([^\s=,]{1,100})")

Marks = Mapping[
    str, Sequence[str]
]  # of a page: for each facet, the values that it is meant for; a facet without any is left out


@dataclass(frozen=True, slots=True)
class View:
    """A version, None where the documents have none, and what the reader is: (facet, value) pairs, sorted, each once."""

    version: str | None = None
    reader: tuple[tuple[str, str], ...] = ()

    def shows(self, version: str | None, marks: Marks) -> bool:
        """Whether a page of a version (None: of all) with these marks is in view: unmarked is for everyone."""
        return self.has_version(version) and all(
            not marks.get(facet) or any((facet, value) in self.reader for value in marks[facet]) for facet in dict(self.reader)
        )

    def has_version(self, version: str | None) -> bool:
        """Whether a page of this version, or of all versions (None), is in view."""
        return self.version is None or version is None or version == self.version

    @property
    def reader_view(self) -> tuple[str, ...]:
        """The reader as it is written: FACET=VALUE each."""
        return tuple(f"{facet}={value}" for facet, value in self.reader)


EVERYTHING = View()


@dataclass(frozen=True, slots=True)
class DocsVersion:
    """A version of the documents, with its other names."""

    name: str
    aliases: tuple[str, ...] = ()
    is_default: bool = False


def chosen_version(versions: Sequence[DocsVersion], wanted: str) -> str | None:
    """The name of a version that is given by name or alias; the default one for an empty text, None where there are none.

    Raises NotFoundFault (`version-not-found`).
    """
    if not wanted:
        return next((version.name for version in versions if version.is_default), None)
    names = {alias: version.name for version in reversed(versions) for alias in (*version.aliases, version.name)}
    names |= {version.name: version.name for version in versions}  # a name wins over an alias
    if wanted not in names:
        known = ", ".join(version.name for version in versions)
        raise NotFoundFault(
            "version-not-found",
            f"The documents have no version {wanted!r}.",
            f"Known are: {known}." if known else "They have none: leave it out, or set `version` for a source and build again.",
        )
    return names[wanted]


def check_facets(known: Sequence[str], reader: Iterable[tuple[str, str]]) -> None:
    """Raises UsageFault (`reader-view-not-indexed`) for a facet that pages were not marked for when they were indexed."""
    for facet, _ in reader:
        if facet not in known:
            raise UsageFault(
                "reader-view-not-indexed",
                f"The index was built without the facet {facet!r}: no page of it is marked for that.",
                "Add it under [facets] and build again: nescio build. Known are: " + (", ".join(known) or "none") + ".",
            )


def reader_of(written: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """FACET=VALUE pairs, sorted, each once. Raises UsageFault (`reader-view-syntax`)."""
    pairs = set()
    for text in written:
        found = _PAIR.fullmatch(text)
        if found is None:
            raise UsageFault(
                "reader-view-syntax",
                f"The reader view {text!r} is not FACET=VALUE.",
                "For example: audience=customers. Several values are given one by one.",
            )
        pairs.add((found[1], found[2]))
    return tuple(sorted(pairs))
