"""How many quotes are enough? One where one is; a second only where it adds what the first has not."""

from __future__ import annotations

from nescio.answer.focus import Focus
from nescio.domain.answers import Quote

# Of the question's content: what a further quote has to have that those before it have not. Measured on ten sets of marked
# lines (benchmarks/README.md): .05 shows a tenth more and nothing more of use, .3 loses a twentieth of what is needed.
ADDS = 0.15


class Gathering:
    """The quotes of an answer while they are gathered, at most `most`; with `all_of_them`, whatever they add."""

    def __init__(self, focus: Focus, most: int, *, all_of_them: bool) -> None:
        self.quotes: list[Quote] = []
        self._focus, self._most, self._all = focus, most, all_of_them
        self._covered: frozenset[str] = frozenset()
        self._unread: list[Quote] = []  # quotes whose words were not looked at yet: mostly nobody asks

    def wants(self, held: frozenset[str]) -> bool:
        """Whether one more quote is wanted, of a passage that holds these words of the question."""
        if not self.quotes or len(self.quotes) == self._most:
            return not self.quotes
        return self._all or (self._adds(held) and self._adds(held - self._read()))

    def take(self, quote: Quote, held: frozenset[str]) -> None:
        """Keep a quote, unless another shows all of it already."""
        if not any(map(quote.is_within, self.quotes)):
            self.quotes.append(quote)
            self._unread.append(quote)
            self._covered |= held

    def _adds(self, held: frozenset[str]) -> bool:
        return self._focus.share(held - self._covered) >= ADDS

    def _read(self) -> frozenset[str]:
        """The words of the question in what is quoted, which may be more of a section than the passage that was found."""
        while self._unread:
            self._covered |= self._focus.held(self._unread.pop().text)
        return self._covered
