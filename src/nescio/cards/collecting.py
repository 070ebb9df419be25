"""From the files of a folder to its cards: units are found, their documents read, their facts taken out."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from nescio.cards.extracting import facts
from nescio.cards.identifying import SOURCE_SUFFIXES, identifiers
from nescio.cards.sections import Sections
from nescio.cards.units import Unit, Watched, told_apart, units
from nescio.cards.values import SOURCE, Card, Fact, Identifier, Origin, Section
from nescio.config.loading import Configuration
from nescio.config.model import CardUnit
from nescio.domain.documents import Document, Notice
from nescio.errors import IngestFault, NotFoundFault
from nescio.ingest.files import Found
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.reader import Skip, read
from nescio.ingest.secrets.guarding import secured
from nescio.ingest.walk import DOCUMENT_SUFFIXES, walk

_SUFFIXES = (*DOCUMENT_SUFFIXES, *SOURCE_SUFFIXES)


@dataclass(frozen=True, slots=True)
class Collected:
    """The cards in order of their names, as the sources make them now, and the files that could not be read."""

    cards: tuple[Card, ...]
    skipped: tuple[Notice, ...]


def collect(configuration: Configuration) -> Collected:
    """The cards of a configuration. Where a secret is masked there is no fact.

    Raises NotFoundFault where there is nothing to make a card of (`cards-none`) or a folder of units is not there
    (`card-source-missing`); IngestFault for a file that cannot be read (`card-source-unreadable`), unless skips are allowed,
    and for a secret (`card-secret`), unless these are masked.
    """
    files = _Files(configuration)
    rules = configuration.settings.card or (CardUnit(),)
    found = told_apart([unit for rule in rules for unit in units(rule, files.below(rule), files.is_page)])
    if not found:
        raise NotFoundFault("cards-none", f"No unit has a card: {_looked_for(rules[0])}.", "Say what has a card: [[card]].")
    cards = tuple(files.card(unit) for unit in found)
    skipped = tuple(sorted(files.skipped.values(), key=lambda notice: notice.path))
    if skipped and not configuration.settings.allow_skips:
        first = skipped[0]
        raise IngestFault(
            "card-source-unreadable",
            f"{first.path} belongs to a card and was not read: {first.message}",
            "Mend it, exclude it ([[card]] exclude), or set allow_skips to leave it out.",
        )
    return Collected(cards, skipped)


def _looked_for(rule: CardUnit) -> str:
    if rule.unit == "folder":
        return f"below {rule.path} no folder holds a {rule.marker}"
    return f"below {rule.path} there is no document" + (" that the patterns name" if rule.include else "")


@dataclass
class _Files:
    """What is on disk, each file read once. Paths count from the configuration's folder."""

    configuration: Configuration
    skipped: dict[str, Notice] = field(default_factory=dict)
    _found: dict[str, Found] = field(default_factory=dict)
    _origins: dict[str, Origin | None] = field(default_factory=dict)

    def below(self, rule: CardUnit) -> list[str]:
        """The paths of the files of a rule, in order; cards are none of them."""
        include = (*rule.include, rule.marker) if rule.include and rule.unit == "folder" else rule.include
        folder = Path(os.path.normpath(self.configuration.root / rule.path))
        try:
            limit = self.configuration.settings.limits.max_files
            suffixes = (*_SUFFIXES, rule.marker)
            walked = walk(folder, include=include, exclude=rule.exclude, suffixes=suffixes, max_files=limit)
        except NotFoundFault as fault:
            raise NotFoundFault("card-source-missing", fault.message, "Mend the path of [[card]] in nescio.toml.") from fault
        lead = Path(os.path.relpath(folder, self.configuration.root)).as_posix()
        paths = []
        for file in walked.files:
            path = posixpath.normpath(posixpath.join(lead, file.path))
            if not (path + "/").startswith(self._cards):
                self._found[path] = replace(file, path=path)
                paths.append(path)
        return paths

    @cached_property
    def _cards(self) -> str:
        folder = self.configuration.root / self.configuration.settings.cards.folder
        return Path(os.path.relpath(folder, self.configuration.root)).as_posix() + "/"

    @cached_property
    def _watched(self) -> Watched:
        return Watched(dict.fromkeys(self.below(CardUnit(unit="page"))))

    @cached_property
    def _sections(self) -> Sections:
        return Sections(self.configuration.settings.cards.sections)

    def is_page(self, path: str) -> bool:
        """Whether a file is a document, by its name."""
        return path.lower().endswith(DOCUMENT_SUFFIXES)

    def card(self, unit: Unit) -> Card:
        """The card of a unit: its own files first, then those that it watches."""
        watched = self._watched.of(unit) if unit.watch else ()
        paths = dict.fromkeys((*_readme_first(unit.files), *watched))
        origins = [origin for path in paths if (origin := self._origin(path)) is not None]
        said: dict[str, list[Fact]] = {name: [] for name in self._sections.names}
        for origin in origins:
            for fact in self._facts(origin):
                said[fact.section].append(fact)
        sections = tuple(Section(name, tuple(found)) for name, found in said.items())
        return Card(unit.name, unit.path, sections, tuple(_names(origins)), tuple(origins))

    def _facts(self, origin: Origin) -> Iterator[Fact]:
        parse = parser_for(origin.path, None, origin.document.text)
        return facts(parse(origin.document), origin, self._sections) if parse else iter(())

    def _origin(self, path: str) -> Origin | None:
        if path not in self._origins:
            is_known = self.is_page(path) or path.lower().endswith(SOURCE_SUFFIXES)
            self._origins[path] = self._read(self._found[path]) if is_known else None
        return self._origins[path]

    def _read(self, found: Found) -> Origin | None:
        document = read(found, SOURCE, self.configuration.settings.limits)
        if not isinstance(document, Skip):
            return self._without_secrets(document)
        if not document.vanished:
            self.skipped[found.path] = document.notice()
        return None

    def _without_secrets(self, document: Document) -> Origin:
        """The document as it may be kept. Raises IngestFault (`card-secret`) where it may not."""
        kept = secured(document, self.configuration.settings.secrets)
        if isinstance(kept, Document):
            return Origin(kept)
        raise IngestFault(
            "card-secret",
            f"{document.path}, line {kept[0].line}: a secret is written here ({kept[0].rule}). No card was written.",
            'Take it out and revoke it. To leave such words out of cards instead: secrets.on_found = "mask".',
        )


def _readme_first(files: Mapping[str, object] | tuple[str, ...]) -> list[str]:
    """Files nearer to the top of their unit come first: what is said there is said of the whole."""
    return sorted(files, key=lambda path: (path.count("/"), path))


def _names(origins: list[Origin]) -> Iterator[Identifier]:
    for origin in origins:
        if origin.path.lower().endswith(SOURCE_SUFFIXES):
            yield from identifiers(origin)
