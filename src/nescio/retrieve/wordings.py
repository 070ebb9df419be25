"""How else may the documents say what a question says? Other forms of a word are evidence, other words only help the order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from nescio.analysis import lexicon
from nescio.analysis.tokens import Analyzer, Token
from nescio.domain.answers import SearchedTerm, TermKind
from nescio.protocols import Index

SHORTEST_COMPOUND = 2  # terms of a token: the whole and one other are two spellings, and no compound with its parts
LONGEST_EXPANSION = 6  # words of an acronym

Forms = tuple[tuple[str, ...], ...]


class Wordings:
    """Other wordings that one index has."""

    def __init__(self, index: Index, analyzer: Analyzer) -> None:
        self._index = index
        self._analyzer = analyzer

    def forms(self, words: Sequence[tuple[str, Token]], asked: Mapping[str, SearchedTerm]) -> dict[str, Forms]:
        """For each term asked for, the same thing written otherwise, of which the index has every term."""
        found: dict[str, Forms] = {}
        for word, token in words:
            term = asked.get(token[0])
            if term is not None and term.kind in (TermKind.CONTENT, TermKind.CORRECTED, TermKind.UNKNOWN):
                forms = self._forms(word, token, is_unknown=term.kind is TermKind.UNKNOWN)
                known = tuple(dict.fromkeys(form for form in forms if all(map(self._index.count, form))))
                found |= {token[0]: known} if known else {}
        return found

    def _forms(self, word: str, token: Token, *, is_unknown: bool) -> Iterator[tuple[str, ...]]:
        if len(token) > SHORTEST_COMPOUND:
            yield token[1:]
        for meaning in lexicon.acronym(word):
            yield tuple(map(self._analyzer.word, meaning))
        for other in lexicon.derivations(word) if is_unknown else ():
            yield (self._analyzer.word(other),)

    def same_meaning(self, word: str) -> str | None:
        """A word that the documents use where the reader has another: one that is derived from it, else a synonym."""
        for other in (*lexicon.derivations(word), *(other for other, _ in lexicon.synonyms(word))):
            if all(self._index.count(token[0]) for token in self._analyzer.tokens(other)):
                return other
        return None

    def expansions(
        self, words: Sequence[tuple[str, Token]], asked: Mapping[str, SearchedTerm], idf: Callable[[str, int], float]
    ) -> list[SearchedTerm]:
        """Synonyms and acronyms' words that the index has and the question does not, no heavier than what they stand for."""
        found: dict[str, SearchedTerm] = {}
        written = [word for word, _ in words]
        for at, (word, token) in enumerate(words):
            term = asked.get(token[0])
            if term is None or term.kind not in (TermKind.CONTENT, TermKind.UNKNOWN):
                continue
            for other, weight in (*_alternatives(word), *_acronyms_at(written, at)):
                for named, *_ in filter(None, self._analyzer.tokens(other)):
                    count = self._index.count(named)
                    if count and named not in asked and not self._analyzer.is_stop_word(named):
                        worth = weight * min(term.weight, idf(named, count))
                        found.setdefault(named, SearchedTerm(named, count, TermKind.EXPANSION, worth, word))
        return list(found.values())


def _alternatives(word: str) -> list[tuple[str, float]]:
    acronyms = [(" ".join(words), lexicon.THESAURUS_WEIGHT / len(words)) for words in lexicon.acronym(word)]
    return [*acronyms, *lexicon.synonyms(word)]


def _acronyms_at(words: Sequence[str], start: int) -> list[tuple[str, float]]:
    """The acronyms that the words from one place on spell out ("cross origin resource sharing")."""
    ends = range(start + 2, min(start + LONGEST_EXPANSION, len(words)) + 1)
    known = (lexicon.acronym_of(words[start:end]) for end in ends)
    return [(acronym, lexicon.THESAURUS_WEIGHT) for acronym in known if acronym]
