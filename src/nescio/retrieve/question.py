"""What is asked, in terms of the index: weights for what it knows, and a record of what it does not.

A content word weighs its idf; a part of a compound half of its own; a stop word .3 of its own, or nothing where it is nearly
everywhere; a word in no passage the largest idf that there is, as missing evidence. The question's text is only ever cut into
terms: there is no query syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from nescio.analysis import lexicon
from nescio.analysis.tokens import Analyzer, Token
from nescio.domain.answers import Change, SearchedTerm, TermKind
from nescio.domain.candidates import Question, WeightedTerm, idf
from nescio.protocols import Index
from nescio.retrieve.markup import without_markup
from nescio.retrieve.spellings import spellings, with_units
from nescio.retrieve.typos import Spelling, edits_allowed, is_correctable, is_opposite, is_slip
from nescio.retrieve.wordings import Wordings

STOP_WEIGHT = 0.3
# A stop word in a larger share of the passages than this is not looked for at all: on the question sets that lost nothing, and
# going through its long lists was a sixth of the time (awsdocs page@1 .660 -> .700; benchmarks/README.md).
EVERYWHERE = 0.15
PART_WEIGHT = 0.5
# A name of letters and digits (m3, db.t2.medium, http2) has half as much share again: its siblings differ by a letter or a
# digit, and a page about one of them is no answer. Measured on all sets: benchmarks/README.md.
CODE_SHARE = 1.5
# What is believed of words before any passage is read, so that idf means something in a corpus of a handful of passages: as
# much as PRIOR_PASSAGES say, of which a share holds the word, more for a word that frames questions (show, mean, work). In a
# corpus of thousands this moves nothing: benchmarks/README.md.
PRIOR_PASSAGES = 20
FRAME_SHARE = 0.3
COMMON_SHARE = 0.02
_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|old|far|big|large|tall|high)\b|"
    r"\b(?:what|which)(?:'s| is| are| was| were)? (?:\w+ ){0,3}"
    r"(?:maximum|minimum|max|min|limits?|numbers?|size|total|quotas?)\b",
    re.IGNORECASE,
)
_ASKS_MEANING = re.compile(r"\s*(?:what(?:'?s| is| are| even is| does)|explain|define|meaning of)\b", re.IGNORECASE)
SUGGESTION_EDITS_FROM = 7  # letters; two edits of a shorter word are another word ("istio", "intro")
MOST_MISTYPED = 8  # words that are looked for with typing errors; with more unknown words a question is no mistyped one
SUGGESTION_EDITS = 2  # a suggestion is shown, never acted on: it may reach further than a correction


@dataclass(frozen=True, slots=True)
class Understood:
    """A question made ready. `terms` is for showing, `question` for scoring; `dropped` are stop words as typed, `unknown` words
    that no passage has and that were not read as another. `alternatives` are corrections as near as those made.
    """

    question: Question
    terms: tuple[SearchedTerm, ...]
    dropped: tuple[str, ...]
    unknown: tuple[str, ...]
    expanded: tuple[str, ...]
    corrections: tuple[Change, ...]
    alternatives: tuple[Change, ...]
    suggestions: tuple[Change, ...]
    is_empty: bool

    @property
    def content(self) -> int:
        """How many content words there are, known or not."""
        kinds = (TermKind.CONTENT, TermKind.UNKNOWN, TermKind.CORRECTED)
        return sum(term.kind in kinds for term in self.terms)


@dataclass
class _Reading:
    """What is gathered while the words are gone through."""

    meant: Mapping[str, str]
    terms: dict[str, SearchedTerm] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    corrections: list[Change] = field(default_factory=list)
    alternatives: list[Change] = field(default_factory=list)
    suggestions: list[Change] = field(default_factory=list)

    word: str = ""  # the one that is being read, as typed

    def take(self, term: str, kind: TermKind, count: int, weight: float) -> None:
        """Keep the term, once, at its greatest weight."""
        known = self.terms.get(term)
        if known is None or known.weight < weight:
            self.terms[term] = SearchedTerm(term, count, kind, weight, self.word)


class Reader:
    """Reads questions in one language against one index."""

    def __init__(self, index: Index, analyzer: Analyzer, spelling: Callable[[], Spelling]) -> None:
        self._index = index
        self._analyzer = analyzer
        self._spelling = spelling
        self._wordings = Wordings(index, analyzer)
        self._frames = frozenset(map(analyzer.word, lexicon.frame_words(analyzer.language)))
        self._greatest = self._idf("", 1)

    def read(self, text: str, meant: Mapping[str, str] | None = None) -> Understood:
        """The question as the index understands it. `meant` says what unknown words are to be read as."""
        plain, left_out = without_markup(text)
        words = with_units(self._analyzer.words(plain), self._index.count)
        reading = _Reading(meant or {}, dropped=list(left_out))
        for word, token in words:
            self._read(word, token, reading)
        return self._understood(plain, words, reading)

    def tokens(self, text: str) -> Sequence[Token]:
        """What the analyzer of this reader makes of a text."""
        return self._analyzer.tokens(text)

    def content_words(self, text: str) -> int:
        """How many different words of a question are no stop words: known before any of them is looked up."""
        return len({token[0] for token in self._analyzer.tokens(text) if token} - self._analyzer.stop_words)

    def known_words(self, text: str) -> int:
        """How many of the question's words the index has, stop words apart: to tell which language it is in."""
        stop_words = self._analyzer.stop_words
        return sum(bool(self._index.count(token[0])) or token[0] in stop_words for _, token in self._analyzer.words(text))

    def _read(self, word: str, token: Token, reading: _Reading) -> None:
        reading.word = word
        whole, parts = token[0], token[1:]
        count = self._index.count(whole)
        if self._analyzer.is_stop_word(whole):
            reading.dropped.append(word)
            if 0 < count <= EVERYWHERE * self._index.passages:
                reading.take(whole, TermKind.STOP, count, STOP_WEIGHT * self._idf(whole, count))
            return
        if count:
            reading.take(whole, TermKind.CONTENT, count, self._idf(whole, count))
            self._read_parts(parts, reading, PART_WEIGHT)
        elif parts and _is_loose(whole) and all(self._is_known(part) for part in parts):
            reading.dropped.extend(filter(self._analyzer.is_stop_word, parts))
            self._read_parts(parts, reading, 1.0)
        else:
            self._read_unknown(word, token, reading)

    def _is_known(self, part: str) -> bool:
        return bool(self._index.count(part)) or self._analyzer.is_stop_word(part)

    def _read_parts(self, parts: Sequence[str], reading: _Reading, weight: float) -> None:
        for part in parts:
            count = self._index.count(part)
            if count:
                is_stop = self._analyzer.is_stop_word(part)
                kind = TermKind.STOP if is_stop else TermKind.CONTENT if weight == 1.0 else TermKind.PART
                reading.take(part, kind, count, (STOP_WEIGHT if is_stop else weight) * self._idf(part, count))

    def _read_unknown(self, word: str, token: Token, reading: _Reading) -> None:
        if self._is_mistyped_stop_word(word):
            reading.dropped.append(word)
            return
        same = self._same_word(word)
        if same is not None:
            self._read(word, same, reading)
            return
        is_one_of_few = len(reading.unknown) + len(reading.corrections) < MOST_MISTYPED
        near = self._near(word) if is_one_of_few else []
        allowed = edits_allowed(word)
        nearest = [other for distance, other in near if distance == near[0][0] and distance <= allowed]
        nearest = [other for other in nearest if not is_opposite(word, other)]
        meaning = self._wordings.same_meaning(word)
        if nearest and meaning is None and not lexicon.synonyms(word):
            self._correct(word, nearest, reading)
            return
        reading.unknown.append(word)
        reading.take(token[0], TermKind.UNKNOWN, 0, min(self._greatest, self._idf(token[0], 0)))
        self._read_parts(token[1:], reading, PART_WEIGHT)
        suggestion = meaning or (near[0][1] if near else None)
        if suggestion is not None:
            reading.suggestions.append(Change(word, suggestion))

    def _same_word(self, word: str) -> Token | None:
        """An unknown word in another spelling that the documents have (licence, license)."""
        tokens = (token for other in spellings(word) for token in self._analyzer.tokens(other))
        return next((token for token in tokens if self._index.count(token[0])), None)

    def _is_mistyped_stop_word(self, word: str) -> bool:
        """Whether an unknown word is a stop word but for a slip ("whcih"), and no English word that is known here ("quiet")."""
        if not is_correctable(word) or lexicon.synonyms(word) or lexicon.derivations(word):
            return False
        return any(is_slip(word, stop_word) for stop_word in self._analyzer.stop_words)

    def _near(self, word: str) -> list[tuple[int, str]]:
        """Known content words by distance, then the most frequent first, then by letters."""
        if not is_correctable(word):
            return []
        stop_words = self._analyzer.stop_words
        edits = SUGGESTION_EDITS if len(word) >= SUGGESTION_EDITS_FROM else edits_allowed(word)
        near = [
            (distance, other)
            for distance, other in self._spelling().near(word, edits)
            if other not in stop_words and self._count_as_written(other)
        ]
        return sorted(near, key=lambda one: (one[0], -self._count_as_written(one[1]), one[1]))

    def _correct(self, word: str, nearest: Sequence[str], reading: _Reading) -> None:
        meant = reading.meant.get(word, nearest[0])
        reading.corrections.append(Change(word, meant))
        reading.alternatives.extend(Change(word, other) for other in nearest if other != meant)
        for read_as in self._analyzer.tokens(meant):
            count = self._index.count(read_as[0])
            if count and not self._analyzer.is_stop_word(read_as[0]):
                reading.take(read_as[0], TermKind.CORRECTED, count, self._idf(read_as[0], count))
                self._read_parts(read_as[1:], reading, PART_WEIGHT)

    def _count_as_written(self, word: str) -> int:
        return self._index.count(word) or self._index.count(self._analyzer.word(word))

    def _as_read(self, words: Sequence[tuple[str, Token]], reading: _Reading) -> list[tuple[str, Token]]:
        """The words with corrected ones as what they were read as."""
        meant = {change.before: change.after for change in reading.corrections}
        spelled = (self._analyzer.words(meant[word]) if word in meant else [(word, token)] for word, token in words)
        return [pair for pairs in spelled for pair in pairs]

    def _idf(self, term: str, count: int) -> float:
        """The idf of a term, as if PRIOR_PASSAGES more had been read: a handful of passages says little about a word."""
        share = FRAME_SHARE if term in self._frames else COMMON_SHARE
        return idf(self._index.passages + PRIOR_PASSAGES, count + PRIOR_PASSAGES * share)

    def _understood(self, text: str, words: Sequence[tuple[str, Token]], reading: _Reading) -> Understood:
        terms = tuple(reading.terms.values())
        forms = self._wordings.forms(self._as_read(words, reading), reading.terms)
        extra = self._wordings.expansions(words, reading.terms, self._idf)
        sharing = (TermKind.CONTENT, TermKind.CORRECTED, TermKind.UNKNOWN)
        shares = {
            term.term: term.weight * (CODE_SHARE if _is_code(term.term) else 1.0) for term in terms if term.kind in sharing
        }
        question = Question(
            tuple(
                WeightedTerm(one.term, one.weight, shares.get(one.term, 0.0), forms.get(one.term, ()))
                for one in terms
                if one.documents or one.term in forms
            ),
            sum(term.weight for term in terms),
            sum(shares.values()),
            tuple(WeightedTerm(one.term, one.weight, 0.0) for one in extra),
            _ASKS_NUMBER.search(text) is not None,
            _ASKS_MEANING.match(text) is not None,
        )
        return Understood(
            question,
            (*terms, *extra),
            tuple(dict.fromkeys(reading.dropped)),
            tuple(dict.fromkeys(reading.unknown)),
            tuple(term.term for term in extra),
            tuple(dict.fromkeys(reading.corrections)),
            tuple(dict.fromkeys(reading.alternatives)),
            tuple(dict.fromkeys(reading.suggestions)),
            not self._analyzer.tokens(text),
        )


def _is_code(term: str) -> bool:
    """Whether a term is a name of letters and digits."""
    return any(map(str.isdigit, term)) and any(map(str.isalpha, term))


def _is_loose(whole: str) -> bool:
    """Whether a compound is only words written together (cross-origin, and/or), not a name that must be known as a whole."""
    is_joined = any(joint in whole for joint in "-/'") and not whole.startswith("-")
    return is_joined and not any(letter.isdigit() for letter in whole)
