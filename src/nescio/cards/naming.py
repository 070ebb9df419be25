"""Which card does a question name, and does it ask for no more than one of its sections?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from nescio.analysis.tokens import Analyzer

# Words with which a section is asked for, and that say nothing of what is asked.
ASKING = frozenset({"all", "card", "fact", "facts", "give", "list", "section", "sections", "show", "tell"})
_WORD = re.compile(r"[^\W_]+")


def named(question: str, names: Iterable[str], analyzer: Analyzer) -> str | None:
    """The one name that stands in a question, word for word in any case of letters; None where there is none, or several.

    Hyphens and underscores are as good as spaces. A longer name counts before a shorter one inside it. Names that are
    stop words alone are not looked for.
    """
    said = _words(question)
    found: list[tuple[int, int, str]] = []
    for name in names:
        words = _words(name)
        if words and not all(map(analyzer.is_stop_word, words)):
            found += [(start, start + len(words), name) for start in _places(said, words)]
    widest = [one for one in found if not any(_is_inside(one, other) for other in found)]
    distinct = {name for _, _, name in widest}
    return distinct.pop() if len(distinct) == 1 else None


def section_asked(question: str, card: str, sections: Sequence[str], analyzer: Analyzer) -> str | None:
    """The section that a question asks for, where all it says beside the card's name is a section's name; else None."""
    said, name = _words(question), _words(card)
    start = next(iter(_places(said, name)), len(said))
    rest = said[:start] + said[start + len(name) :]
    wanted = _terms([word for word in rest if word not in ASKING], analyzer)
    return next((name for name in sections if wanted and wanted == _terms(_words(name), analyzer)), None)


def _terms(words: Sequence[str], analyzer: Analyzer) -> frozenset[str]:
    """The terms of words that carry a topic."""
    return frozenset(analyzer.word(word) for word in words if not analyzer.is_stop_word(word))


def _words(text: str) -> list[str]:
    return [match[0] for match in _WORD.finditer(text.casefold())]


def _places(said: Sequence[str], words: Sequence[str]) -> Iterator[int]:
    return (at for at in range(len(said) - len(words) + 1) if said[at : at + len(words)] == words)


def _is_inside(one: tuple[int, int, str], other: tuple[int, int, str]) -> bool:
    return one != other and other[0] <= one[0] and one[1] <= other[1] and one[:2] != other[:2]
