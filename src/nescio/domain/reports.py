"""What the other commands report: a build, the state of an index, ranked passages, and how a score came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.answers import Answer, Quote, Refusal
from nescio.domain.documents import Notice
from nescio.domain.views import DocsVersion


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. `skipped` are files that could not be read, with the reason; `notices` did not stop a file.

    `files` counts the documents in the index afterwards; `added` and `changed` ones were parsed now, `unchanged` ones were not.
    `kept` are unreadable files whose earlier text stays. `seconds` is wall time.
    """

    index_id: str
    generation: str
    files: int
    passages: int
    added: int
    changed: int
    removed: int
    unchanged: int
    kept: int
    skipped: tuple[Notice, ...]
    notices: tuple[Notice, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """One source as indexed, and how its folder compares with that now (by size and time, by content where these differ)."""

    name: str
    path: str
    documents: int
    changed: int
    missing: int


@dataclass(frozen=True, slots=True)
class Status:
    """The state of an index."""

    index: str
    index_id: str
    generation: str
    format: int
    analyzer: str
    documents: int
    passages: int
    terms: int
    bytes: int
    sources: tuple[SourceStatus, ...]
    versions: tuple[DocsVersion, ...] = ()


@dataclass(frozen=True, slots=True)
class PageInView:
    """A page that can be asked, with the number of its passages. `document_sha256` is that of its own file."""

    source: str
    path: str
    version: str | None
    document_sha256: str
    passages: int


@dataclass(frozen=True, slots=True)
class SourceInView:
    """What can be asked of one source. `versions` are those of its pages, newest first; pages of all versions have none."""

    name: str
    documents: int
    passages: int
    versions: tuple[str, ...]

    @classmethod
    def of(cls, name: str, pages: Sequence[PageInView], versions: Sequence[str]) -> SourceInView:
        """What its pages make of a source. `versions` are all there are, newest first."""
        own = {page.version for page in pages}
        passages = sum(page.passages for page in pages)
        return cls(name, len(pages), passages, tuple(version for version in versions if version in own))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with its score, no floor applied: related text, not an answer."""

    quote: Quote
    rank: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages in order of preference, no floor applied."""

    query: str
    hits: tuple[Ranked, ...]
    index_id: str


@dataclass(frozen=True, slots=True)
class HitExplanation:
    """How one passage's score came about: the four measures of `retrieve.evidence`, their mean, and the order."""

    passage_id: str
    source: str
    path: str
    page_path: str
    heading_path: tuple[str, ...]
    passage_bm25: float
    page_bm25: float
    sentence: float
    window: float
    evidence: float
    base: float
    preference: float
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """A result with the working that led to it. `standout` is D of `retrieve.evidence`."""

    result: Answer | Refusal
    evidence: float
    standout: float
    hits: tuple[HitExplanation, ...]
