"""What comes back: an answer made of quotes, or a refusal that shows its work. One of two types, never a flag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from nescio.domain.documents import Basis
from nescio.domain.spans import Place


class Reason(StrEnum):
    """Why a question was refused."""

    QUESTION_EMPTY = "question_empty"
    ONLY_STOP_WORDS = "only_stop_words"
    CORPUS_EMPTY = "corpus_empty"
    UNKNOWN_WORDS = "unknown_words"
    BELOW_FLOOR = "below_floor"
    HIDDEN_BY_FILTER = "hidden_by_filter"
    OTHER_VERSION = "other_version"


class Detail(StrEnum):
    """How much of a place is quoted."""

    SECTION = "section"  # what of its section answers, with what it hangs on
    HIGHLIGHTS = "highlights"  # only the sentences, rows and lines in it that answer


class TermKind(StrEnum):
    """What a term of the question is worth, and why."""

    CONTENT = "content"  # a word, at its idf
    PART = "part"  # a part of a compound, at half
    STOP = "stop"  # a stop word, at .3
    UNKNOWN = "unknown"  # in no passage: full weight, as missing evidence
    CORRECTED = "corrected"  # a content word that was read as another
    EXPANSION = "expansion"  # a synonym or an acronym's words: helps the order, never the floor


@dataclass(frozen=True, slots=True)
class Change:
    """A word of the question and what it was read as, or might be read as."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SearchedTerm:
    """A term of the question and in how many passages it stands. `word` is what it comes from, as typed, in lower case."""

    term: str
    documents: int
    kind: TermKind
    weight: float
    word: str = ""


@dataclass(frozen=True, slots=True)
class AnswerWarning:
    """Something that a reader of the answer should know. `code` is stable: `stale`, `dash`, `unfilled`,
    `unchecked`."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class QuotedSpan(Place):
    """A range of a file that a quote shows: in the page, or in a file that the page includes there."""

    path: str = ""
    document_sha256: str = ""

    def is_inside(self, other: QuotedSpan) -> bool:
        """Whether all of it stands in another range of the same file."""
        is_same_file = (self.path, self.document_sha256) == (other.path, other.document_sha256)
        return is_same_file and other.start <= self.start and self.end <= other.end


@dataclass(frozen=True, slots=True)
class Quote:
    """The docs' own words. `text` is what to show; `spans` say where its bytes stand, `quote_sha256` hashes them in order.
    `highlights` are those of its words that answer: a few sentences, rows or lines, inside of `spans`. `unfilled` are names
    in it that whoever makes the site replaces by values which the file does not hold.

    `path` and the hashes are those of the page, or of the included file that stands first where nothing of the page is shown.
    `document_sha256` is the hash of the source, `stored_sha256` of what the index keeps of it: another where secrets are
    masked, and no span reaches into what is masked. `url` is the page with its heading's anchor, `text_url` the same with a
    text fragment that marks the quote in a browser, `permalink` the lines in the repository; None where that is not known.
    """

    text: str
    basis: Basis
    spans: tuple[QuotedSpan, ...]
    passage_id: str
    source: str
    path: str
    page_path: str
    version: str | None
    title: str
    heading_path: tuple[str, ...]
    url: str | None
    document_sha256: str
    quote_sha256: str
    base: float
    preference: float
    stored_sha256: str = ""
    text_url: str | None = None
    permalink: str | None = None
    highlights: tuple[QuotedSpan, ...] = ()
    unfilled: tuple[str, ...] = ()

    def by_file(self) -> Iterator[tuple[QuotedSpan, tuple[QuotedSpan, ...]]]:
        """The spans of one file that follow each other, with the first of them, which names the file; in order."""
        for _, group in groupby(self.spans, key=lambda span: (span.path, span.document_sha256)):
            spans = tuple(group)
            yield spans[0], spans

    def is_within(self, other: Quote) -> bool:
        """Whether `other` shows all of this quote's words already: the same bytes, or these and more around them."""
        if self.quote_sha256 == other.quote_sha256:
            return True
        return self.source == other.source and all(any(map(one.is_inside, other.spans)) for one in self.spans)


@dataclass(frozen=True, slots=True)
class Related:
    """A place near the question that is not an answer to it, or one that is not shown: no quote and no hash.

    `present` and `missing` are the question's content words, as typed, that the passage there has and has not; `first_words`
    what its text begins with, without markup, to know it by.
    """

    passage_id: str
    source: str
    path: str
    version: str | None
    title: str
    heading_path: tuple[str, ...]
    start_line: int
    url: str | None
    base: float
    missing: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    first_words: str = ""


@dataclass(frozen=True, slots=True)
class Searched:
    """What was looked at. The same in every answer and refusal."""

    documents: int
    passages: int
    terms: tuple[SearchedTerm, ...]
    dropped: tuple[str, ...]
    unknown: tuple[str, ...]
    expanded: tuple[str, ...]
    floor: float
    best: float
    filters: tuple[str, ...]
    versions: tuple[str, ...]
    index_id: str


@dataclass(frozen=True, slots=True)
class Answer:
    """At least one quote whose base clears the floor.

    `base`, `floor` and `searched.best` share the unit of `retrieve.evidence`; `confidence` is the probability that the docs
    cover the question, both sorts equally likely beforehand. `withheld` counts passages over the floor that are not shown, and
    `more` are the first places of those. `related` are near ones below the floor, only where there are no others.
    """

    question: str
    confidence: float
    base: float
    floor: float
    quotes: tuple[Quote, ...]
    related: tuple[Related, ...]
    corrections: tuple[Change, ...]
    suggestions: tuple[Change, ...]
    warnings: tuple[AnswerWarning, ...]
    withheld: int
    searched: Searched
    message: str = ""
    more: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """The docs do not cover the question, as far as their words show. Holds no quote.

    `rewording` is the question with the words that the docs use in place of unknown ones, where that finds more: a proposal to
    ask again, None where there is none. `other_versions` are those in which an answer was found.
    """

    question: str
    reason: Reason
    message: str
    confidence: float
    base: float
    floor: float
    related: tuple[Related, ...]
    corrections: tuple[Change, ...]
    suggestions: tuple[Change, ...]
    warnings: tuple[AnswerWarning, ...]
    searched: Searched
    rewording: str | None = None
    other_versions: tuple[str, ...] = ()
