"""One page in memory with all that quotes are made from: small documents and made-up blocks, without a build."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from nescio.analysis.tokens import Analyzer
from nescio.answer.focus import Focus
from nescio.domain.candidates import Key, Question, WeightedTerm
from nescio.domain.documents import Document, Page
from nescio.ingest.includes import resolve_includes
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.splitter import Section, split
from nescio.protocols import Index, PassageAt


class Shelf:
    """What of `protocols.Index` quotes ask for. `version`, `site_url` and `slug` are those of the page's source."""

    def __init__(self, page: Page, *, version: str | None = None, site_url: str | None = None, slug: str = "github") -> None:
        self.sections: Sequence[Section] = split(page, slug)
        self._about = (version, site_url, None, slug)
        included = (block.document for block in page.blocks if block.document is not None)
        self._documents = {one.sha256: one for one in (page.document, *included)}

    @classmethod
    def of(cls, text: str, path: str = "p.md", **files: str) -> Shelf:
        """The page with this text, and with what it includes of `files`, whose names are spelt with __ for a dot."""
        return cls(read(Document.from_bytes("docs", path, text.encode()), **files))

    @property
    def index(self) -> Index:
        """The shelf, for what is typed as an index."""
        return cast(Index, self)

    def all_keys(self) -> Iterator[Key]:
        return (Key(0, number) for number in range(len(self.sections)))

    def passage(self, key: Key) -> PassageAt:
        return PassageAt(key, self.sections[key.number].passage, 1, *self._about)

    def section(self, key: Key, most: int) -> list[PassageAt]:
        """The passages under the same heading, side by side."""
        own = self.passage(key).passage
        found = [key.number]
        for step in (-1, 1):
            number = key.number + step
            while 0 <= number < len(self.sections) and abs(number - key.number) <= most:
                other = self.sections[number].passage
                if (other.heading_path, other.anchor) != (own.heading_path, own.anchor):
                    break
                found.append(number)
                number += step
        return [self.passage(Key(0, number)) for number in sorted(found)]

    def document(self, sha256: str) -> Document:
        return self._documents[sha256]


def read(document: Document, **files: str) -> Page:
    """The page of a document by its parser, with its includes."""
    parse = parser_for(document.path, None, document.text)
    assert parse is not None
    others = {
        f"docs/{name}": Document.from_bytes("docs", name, text.encode())
        for name, text in ((name.replace("__", "."), text) for name, text in files.items())
    }
    return resolve_includes(parse(document), others.get, f"docs/{document.path}")[0]


PLAIN = Analyzer("xx")


def focus_on(words: str) -> Focus:
    """A question of these words, all worth the same."""
    terms = tuple(WeightedTerm(word, 1.0, 1.0) for word in words.split())
    return Focus(Question(terms, float(len(terms)), float(len(terms))), words, PLAIN.tokens)
