"""What an index gives for a question: passages that share words with it, with all that evidence is computed from."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nescio.domain.views import EVERYTHING, View


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term of the question. `weight` is what it is worth in BM25; `share` its part in sentence and window evidence.

    `forms` are the same thing written otherwise, each as terms that stand next to each other: a compound in words, an acronym
    spelled out, a word that is derived from one that no passage has. They count as words elsewhere do, and not in BM25.
    """

    term: str
    weight: float
    share: float
    forms: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The question as weights. `total` and `share_total` also hold the terms that are in no passage: missing evidence.

    `terms` are those that some passage has in some form; `extra` only help the order (synonyms and the like) and are in neither
    total. `asks_number` says that only a number answers it ("how many", "what is the maximum"),
    `asks_meaning` that it asks what something is.
    """

    terms: tuple[WeightedTerm, ...]
    total: float
    share_total: float
    extra: tuple[WeightedTerm, ...] = ()
    asks_number: bool = False
    asks_meaning: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Which passages may be proposed: pages in `view`, at or below one of these `source/path` prefixes (empty means all), and
    pages that list changes only when `changelogs` is set.
    """

    under: tuple[str, ...] = ()
    changelogs: bool = True
    view: View = EVERYTHING


class Key(NamedTuple):
    """Which passage: its page's rank in (source, path) order, and its number on the page. Ties are broken by it."""

    page: int
    number: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage, and where the question's terms stand in it.

    `passage_bm25` and `page_bm25` are r and p of `retrieve.evidence`, in [0, 1]; `extra_bm25` is what the question's extra
    terms would add to both. `places[i]` are the occurrences of `question.terms[i]` as in `PassageTerms.places`;
    `in_heading[i]` and `in_path[i]` say whether it stands there. `sentences` are `Sentence.packed`. `length` counts the
    passage's terms, those of its heading among them; `is_beside` says of its page what `is_beside` says of a path.
    `title_precision` and `heading_precision` are the idf shares of the words of the page's title, and of the passage's own
    heading, that are among the question's terms.
    """

    key: Key
    passage_bm25: float
    page_bm25: float
    extra_bm25: float
    places: tuple[Sequence[int], ...]
    in_heading: tuple[bool, ...]
    in_path: tuple[bool, ...]
    sentences: Sequence[int]
    paragraphs: Sequence[int]
    length: int
    is_beside: bool = False
    title_precision: float = 0.0
    heading_precision: float = 0.0


_CHANGELOG = re.compile(
    r"(?:^|/)(?:change-?s?_?logs?|changes|release[-_ ]?notes?|releases|history|news|what-?s-?_?new)[-_.v\d]*(?:/|\.[a-z]+$)",
    re.IGNORECASE,
)


# Pages beside the documentation of what is: news, history, plans, research, how to contribute. They name everything too.
_BESIDE = re.compile(
    r"(?:^|[/_-])(?:blog|news|announc\w*|releases?|release[-_]?notes?|change-?logs?|changes|history|what-?s-?new|roadmap|"
    r"design-documents?|proposals?|rfcs?|adrs?|research|contribut\w*|development|internals?|community|tests?|upgrad\w*|"
    r"migrat\w*|deprecat\w*)(?=[/_.-]|\d|$)",
    re.IGNORECASE,
)


def is_beside(path: str) -> bool:
    """Whether a page is about the project and not about what it makes, or about another version, by its path."""
    return _BESIDE.search(path) is not None


def is_changelog(path: str) -> bool:
    """Whether a page lists changes, by its path: such pages mention everything and explain little."""
    return _CHANGELOG.search(path) is not None


def idf(passages: float, count: float) -> float:
    """ln(1 + (N - df + .5) / (df + .5)): what a term is worth that stands in `count` of `passages` passages (BM25's)."""
    return math.log(1 + (passages - count + 0.5) / (count + 0.5))
