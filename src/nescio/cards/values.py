"""What a card is made of: facts that cannot be without a source, and names that occur in source files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from nescio.domain.documents import Block, Document
from nescio.domain.spans import LINE_END, Offsets

SOURCE = "cards"  # what citations call the files behind cards, whose paths count from the configuration's folder
NO_SOURCE = "no source for this section"


class Origin:
    """A document that facts come from, with its lines found once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._offsets = Offsets(document.text, document.encoding)

    @property
    def path(self) -> str:
        """The POSIX path from the configuration's folder."""
        return self.document.path

    def line_of(self, offset: int) -> int:
        """The 1-based line that holds a code point."""
        return self._offsets.line_of(offset)

    def lines(self, first: int, last: int) -> str:
        """The text of some 1-based lines, with LF; empty where there are no such lines."""
        try:
            start, end = self._offsets.line_span(first).start, self._offsets.line_span(last).end
        except IndexError:
            return ""
        return with_line_feeds(self.document.text[start:end])


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a document says, in its own words, under a heading of a section.

    `block` is where: its span is what is cited, its `display` what is read where the slice is not it. `lead` is what stands
    before it and introduces it: a sentence that ends in a colon, a table's header. `heading` is the one right above it, empty
    where that is the section's own. Raises ValueError where the document has no
    such words: there is no fact without a source.
    """

    section: str
    origin: Origin = field(repr=False)
    block: Block
    heading: str = ""
    lead: Block | None = None

    def __post_init__(self) -> None:
        if not self.origin.path or self.block.span.end > len(self.origin.document.text) or not self.text.strip():
            raise ValueError(f"no words stand at {self.block.span} of {self.origin.path!r}")

    @property
    def path(self) -> str:
        """The file that says so."""
        return self.origin.path

    @property
    def text(self) -> str:
        """Its words as the file has them, line ends made LF."""
        return read_as(self.block, self.origin)

    @property
    def introduction(self) -> str:
        """The words that introduce it, line ends made LF; empty where there are none."""
        return read_as(self.lead, self.origin) if self.lead else ""

    @property
    def start_line(self) -> int:
        """The 1-based line on which it starts."""
        return self.origin.line_of(self.block.span.start)

    @property
    def end_line(self) -> int:
        """The 1-based line on which it ends."""
        return self.origin.line_of(self.block.span.end - 1)


def read_as(block: Block, origin: Origin) -> str:
    """The words of a block as they are read, line ends made LF."""
    return with_line_feeds(block.span.of(origin.document.text) if block.display is None else block.display)


def with_line_feeds(text: str) -> str:
    """The text with each line end as LF: two checkouts of one commit read alike."""
    return LINE_END.sub("\n", text) if "\r" in text else text


def hash_of(text: str) -> str:
    """SHA-256, in hexadecimal, of a text with LF."""
    return hashlib.sha256(with_line_feeds(text).encode("utf-8", "surrogatepass")).hexdigest()


class IdentifierKind(StrEnum):
    """What a name in a source file is."""

    NAME = "name"
    FLAG = "flag"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name that a source file makes known, and the 1-based line on which it first stands there."""

    kind: IdentifierKind
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a card. Without facts it is still there, and says that it has no source."""

    name: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of one unit: every section that cards have, in order, and the names that its source files make known.

    `path` is the unit's folder or page, as paths are written in the configuration; `origins` are the documents that were read.
    """

    name: str
    path: str
    sections: tuple[Section, ...]
    identifiers: tuple[Identifier, ...] = ()
    origins: tuple[Origin, ...] = ()

    def facts(self) -> Iterator[Fact]:
        """All of them, in order."""
        return (fact for section in self.sections for fact in section.facts)

    @property
    def empty(self) -> tuple[str, ...]:
        """The sections that have no source."""
        return tuple(section.name for section in self.sections if not section.facts)
