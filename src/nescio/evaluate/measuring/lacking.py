"""Which words of a question do the quotes not have? What an answer to another question mostly gives itself away by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nescio.analysis.tokens import Analyzer, Token
from nescio.domain.answers import Answer, Quote


class Lacking:
    """Compares as the index does, in each of its languages: a word is lacking when it is in all of them."""

    def __init__(self, languages: Iterable[str]) -> None:
        self._analyzers = tuple(map(Analyzer, languages))

    def words(self, answer: Answer) -> tuple[str, ...]:
        """Content words of the question, as typed, in no quote and no heading over one; in the question's order.

        A word that was read as another is not among them: the answer says so itself.
        """
        corrected = {change.before for change in answer.corrections}
        first, *others = (_lacking(analyzer, answer) for analyzer in self._analyzers)
        return tuple(word for word in first if word not in corrected and all(word in other for other in others))


def _lacking(analyzer: Analyzer, answer: Answer) -> Sequence[str]:
    there = {term for quote in answer.quotes for token in analyzer.tokens(_shown(quote)) for term in token}
    asked = (pair for pair in analyzer.words(answer.question) if not analyzer.is_stop_word(pair[1][0]))
    return list(dict.fromkeys(word for word, token in asked if not _is_there(token, there)))


def _is_there(token: Token, there: set[str]) -> bool:
    """A compound is there too when all of its parts are."""
    return token[0] in there or (len(token) > 1 and there.issuperset(token[1:]))


def _shown(quote: Quote) -> str:
    return "\n".join((quote.title, *quote.heading_path, quote.text))
