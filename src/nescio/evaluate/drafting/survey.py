"""What drafting asks of an index: which words are rare, which are nowhere, which never meet on a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from nescio.analysis import lexicon
from nescio.analysis.tokens import Analyzer
from nescio.protocols import Index

RARE_SHARE = 0.05  # of the passages: what stands in more is no place to point to
RARE_AT_LEAST = 12  # passages, however few there are


@dataclass(frozen=True, slots=True)
class TopicWord:
    """A word as written, in lower case, and the term that it is looked up by."""

    word: str
    term: str


class Survey:
    """The words of an index. Terms are those of the analyzers of its languages."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._analyzers = [Analyzer(language) for language in index.languages]
        self._english = next((one for one in self._analyzers if one.language.startswith("en")), Analyzer("en"))
        self.pages_with = lru_cache(maxsize=4_096)(index.pages_with)
        self._rare = max(RARE_AT_LEAST, int(index.passages * RARE_SHARE))

    def words(self, text: str) -> list[TopicWord]:
        """The words of a text that name a topic, in order, compounds whole."""
        framing = lexicon.frame_words("en")
        words = self._english.words(text)
        return [
            TopicWord(word, token[0])
            for word, token in words
            if not self._english.is_stop_word(token[0]) and word not in framing
        ]

    def terms(self, text: str) -> frozenset[str]:
        """The terms of a text, compounds whole, whatever they are worth."""
        return frozenset(token[0] for token in self._english.tokens(text) if token)

    def key(self, text: str) -> TopicWord | None:
        """The word of a text that is in the fewest passages, the first of equals; None where one is unknown or none is rare."""
        counted = {word: self._index.count(word.term) for word in self.words(text)}
        if not counted or min(counted.values()) == 0:
            return None
        key = min(counted, key=lambda word: counted[word])
        return key if counted[key] <= self._rare else None

    def absent_word(self, name: str) -> TopicWord | None:
        """The first word of a name that no passage has, read in any of the index's languages; None if all are there."""
        for word, token in self._english.words(name):
            ways = [one.tokens(word) for one in self._analyzers]
            if all(tokens and tokens[0] and not self._index.count(tokens[0][0]) for tokens in ways):
                return TopicWord(word, token[0])
        return None

    def never_meet(self, terms: Iterable[str]) -> bool:
        """Whether no page has all these terms."""
        return not frozenset.intersection(*(self.pages_with(term) for term in terms))

    def same_topic(self, text: str, others: Iterable[str]) -> bool:
        """Whether the last word of a noun phrase, or all of its words, are among those of `others`."""
        own = [word.term for word in self.words(text)]
        known = {word.term for other in others for word in self.words(other)}
        return bool(own) and (own[-1] in known or known.issuperset(own))
