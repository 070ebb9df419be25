"""The seams on one page: what a part must be able to do to stand in for another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from nescio.domain.candidates import Candidate, Key, Question, Scope
from nescio.domain.documents import Document, Page, Passage
from nescio.domain.reports import PageInView
from nescio.domain.suggestions import PageHeadings
from nescio.domain.views import DocsVersion, View


class Parser(Protocol):
    """Finds the blocks of a document. Never rewrites the text; a fault of its own may pick poor blocks, never false ranges."""

    def __call__(self, document: Document) -> Page:
        """The page. Raises IngestFault when the file is not of the format at all."""
        ...


@dataclass(frozen=True, slots=True)
class PassageAt:
    """A stored passage, with what was configured for its source. `version` and `site_path` are its page's.

    `site_anchor` is the id that the built site has for the passage's heading, empty for none; None where it is the anchor.
    """

    key: Key
    passage: Passage
    start_line: int
    version: str | None
    site_url: str | None
    edit_uri: str | None
    slug: str
    site_path: str = ""
    commit: str | None = None
    site_anchor: str | None = None


class Index(Protocol):
    """One generation of an index, read only. Ties are broken by `Key`, so that every implementation gives the same hits."""

    index_id: str
    documents: int
    passages: int
    pages: int
    analyzer: str
    languages: tuple[str, ...]
    facets: tuple[str, ...]
    docs_versions: tuple[DocsVersion, ...]

    def view(self, view: View) -> Index:
        """What a view shows, as if there were nothing else: no count, word or score comes from a page that is not in view."""
        ...

    def pages_in_view(self) -> tuple[PageInView, ...]:
        """Every page, in (source, path) order."""
        ...

    def count(self, term: str) -> int:
        """In how many passages a term stands, headings and path included; 0 when in none."""
        ...

    def keys(self) -> Iterator[Key]:
        """Every passage, page by page in (source, path) order."""
        ...

    def pages_with(self, term: str) -> frozenset[int]:
        """On which pages a term stands, by their rank; titles, headings and paths included."""
        ...

    def words(self) -> Sequence[str]:
        """Every word of letters as the documents write it, in lower case, in a fixed order."""
        ...

    def headings(self) -> Sequence[PageHeadings]:
        """The titles and headings that have a passage somewhere below them, of each of `pages_in_view`."""
        ...

    def candidates(self, question: Question, scope: Scope) -> list[Candidate]:
        """The passages worth a closer look, best r + p first."""
        ...

    def scope(self, under: str) -> Scope:
        """The scope of a path as a user writes it. Raises NotFoundFault when nothing is there."""
        ...

    def passage(self, key: Key) -> PassageAt:
        """What is needed to quote a candidate."""
        ...

    def section(self, key: Key, most: int) -> Sequence[PassageAt]:
        """The passages around a candidate that stand under the same heading of the same page, itself among them, in order; at
        most `most` on either side.
        """
        ...

    def find(self, passage_id: str) -> Key | None:
        """Where the passage with an id is; None when no passage has it."""
        ...

    def document(self, sha256: str) -> Document:
        """The stored bytes of a file, re-hashed. Raises IndexFault when they are not what they were."""
        ...

    def close(self) -> None:
        """Let go of files. The index answers no more."""
        ...
