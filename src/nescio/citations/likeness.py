"""Words that are not in a document as they are cited: was something left out, a number or a "not" changed, or all reworded?"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache

from nescio.citations import folding
from nescio.citations.claims import Located, Problem
from nescio.citations.folding import NEGATION, Folding, View
from nescio.domain.spans import Span

_Change = tuple[Problem, Folding]  # what may be another, and how a text reads without it

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|\u2026)\s*\]|\(\s*(?:\.{3}|\u2026)\s*\)|\.{3,}|\u2026)\s*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
LEAST_SHARED = 0.5  # of its words: with fewer, two sentences have no more in common than any two
FEWEST_WORDS = 3  # shorter texts are like too many others
MOST_WORDS = 2_000  # of a citation that are compared word by word; nobody quotes more
MOST_PLACES = 200  # of one word that are looked at: commoner ones place nothing
LONGEST_TOLD = 300  # characters of what was left out that are told
_NUMBERS: _Change = (Problem.NUMBER_CHANGED, folding.digits)
_NEGATIONS: _Change = (Problem.NEGATION_CHANGED, folding.negations)
_CHANGES: tuple[tuple[_Change, ...], ...] = ((_NUMBERS,), (_NEGATIONS,), (_NUMBERS, _NEGATIONS))
STEP = 50_000  # words that are read between two looks at the time


class Likenesses:
    """A document, composed and its white space made one, with what is looked up in it for one citation after the other.

    `go_on` is called between two steps, and raises where all has taken long enough.
    """

    def __init__(self, view: View, go_on: Callable[[], None]) -> None:
        self._view = view
        self._go_on = go_on
        self._masked = lru_cache(maxsize=None)(lambda foldings: View(view.text, foldings))

    def like(self, words: str, claimed: int) -> Located:
        """Where the document says nearly what `words` say.

        `claimed` is where that should be, in the document as it is written. Tried in this order: parts joined by an ellipsis,
        other numbers, other negation, both, most of the words; else nothing is found.
        """
        near = self._view.forth(claimed)
        words = words.strip()
        return (
            _parts(self._view, words, near)
            or self._but_for(words, near)
            or self._mostly(words, near)
            or Located((Problem.NOT_FOUND,))
        )

    def _but_for(self, words: str, near: int) -> Located | None:
        """The same words but for numbers, or negation, or both."""
        for chosen in _CHANGES:
            foldings: tuple[Folding, ...] = (*(folded for _, folded in chosen), folding.spaces)
            looked_for = View(words, foldings).text.strip()
            if not any(character.isalpha() for character in looked_for):
                continue
            self._go_on()
            masked = self._masked(foldings)
            found = folding.nearest(masked.text, looked_for, masked.forth(near))
            if found is not None:
                return _changed(self._view, words, masked.back(found.start, found.end), tuple(one[0] for one in chosen))
        return None

    @cached_property
    def _words(self) -> _Words:
        return _Words(self._view.text, self._go_on)

    def _mostly(self, words: str, near: int) -> Located | None:
        """The stretch that has most of the words in their order, if that is at least half of them."""
        ours = [match.group().casefold() for match in _WORD.finditer(words)][:MOST_WORDS]
        if len(ours) < FEWEST_WORDS:
            return None
        theirs = self._words
        votes = theirs.votes(ours)
        if not votes:
            return None
        most = len(theirs.starts) - 1
        best = max(votes, key=lambda at: (len(votes[at]), -abs(theirs.starts[min(max(at, 0), most)] - near)))
        places = votes[best]
        if len({word for word, _ in places}) < LEAST_SHARED * len(ours):
            return None
        hits = sorted(place for _, place in places)
        first, last = max(0, min(hits[0], best)), min(most, max(hits[-1], best + len(ours) - 1))
        first, last = _trimmed_to(hits, first, last)
        return Located((Problem.TEXT_CHANGED,), None, 0, None, _range(self._view, theirs.starts[first], theirs.ends[last]), ())


class _Words:
    """The words of a text: where each starts and ends, and the numbers of each that is not too common to place anything."""

    def __init__(self, text: str, go_on: Callable[[], None]) -> None:
        self.starts, self.ends = array("I"), array("I")
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for number, match in enumerate(_WORD.finditer(text)):
            if not number % STEP:
                go_on()
            self.starts.append(match.start())
            self.ends.append(match.end())
            places = self._places[match.group().casefold()]
            if len(places) <= MOST_PLACES:  # one more, by which it is seen to be too common
                places.append(number)

    def votes(self, ours: Sequence[str]) -> dict[int, set[tuple[int, int]]]:
        """For each place where the words could begin: (number of the word, its place), with some more or fewer in between."""
        slack = max(1, len(ours) // 4)
        by_bin: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        for number, at in self._hits(ours):
            base = (at - number) // slack
            by_bin[base].add((number, at))
            by_bin[base + 1].add((number, at))
        return {base * slack: found for base, found in by_bin.items()}

    def _hits(self, ours: Sequence[str]) -> Iterator[tuple[int, int]]:
        for number, word in enumerate(ours):
            places = self._places.get(word, ())
            if len(places) <= MOST_PLACES:
                yield from ((number, at) for at in places)


def _parts(view: View, words: str, near: int) -> Located | None:
    """The parts around each "..." in their order, and what stands between them."""
    parts = [part for part in _ELLIPSIS.split(words) if part]
    if not parts or (len(parts) == 1 and parts[0] == words):
        return None
    first = folding.nearest(view.text, parts[0], near)
    if first is None:
        return None
    start, end, dropped = first.start, first.end, list[str]()
    for part in parts[1:]:
        at = view.text.find(part, end)
        if at < 0:
            return None
        dropped.append(view.text[end:at])
        end = at + len(part)
    if len(parts) == 1:
        return Located((), _range(view, start, end), first.count)
    return Located((Problem.ELLIPSIS_DROPS_WORDS,), _range(view, start, end), 1, None, None, _told(dropped))


def _told(dropped: Sequence[str]) -> tuple[str, ...]:
    """What was left out, that which holds a negation or a number first named as such."""
    said = []
    for text in dropped:
        names = [name for name, pattern in (("negation", NEGATION), ("number", _NUMBER)) if pattern.search(text)]
        shown = text.strip() if len(text) <= LONGEST_TOLD else text[:LONGEST_TOLD].strip() + " ..."
        said.append(f"left out{' (' + ', '.join(names) + ')' if names else ''}: {shown}")
    return tuple(said)


def _changed(view: View, words: str, span: Span, problems: tuple[Problem, ...]) -> Located:
    """Words that stand at `span` but for what `problems` say."""
    start, end = _with_negation(view.text, span.start), span.end
    said = span.of(view.text) if Problem.NEGATION_CHANGED not in problems else view.text[start:end]
    details = tuple(detail for problem in problems for detail in _difference(problem, words, said))
    return Located(problems, None, 0, None, _range(view, start, end), details)


def _with_negation(text: str, start: int) -> int:
    """The start, moved to a negation that stands right before it: masked away, it belongs to nothing."""
    before = [match for match in NEGATION.finditer(text, max(0, start - 10), start) if not text[match.end() : start].strip()]
    return before[-1].start() if before else start


def _difference(problem: Problem, claimed: str, said: str) -> tuple[str, ...]:
    pattern = _NUMBER if problem is Problem.NUMBER_CHANGED else NEGATION
    ours, theirs = (pattern.findall(text) for text in (claimed, said))
    pairs = [f"{one} is {other} there" for one, other in zip(ours, theirs, strict=False) if one != other]
    if len(ours) == len(theirs) and pairs:
        return tuple(pairs)
    return (f"cited with {', '.join(ours) or 'none'}, the document has {', '.join(theirs) or 'none'}",)


def _trimmed_to(hits: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """No further out than a few words beyond what is shared."""
    beyond = 3
    return max(first, hits[0] - beyond), min(last, hits[-1] + beyond)


def _range(view: View, start: int, end: int) -> tuple[int, int]:
    span = view.back(start, end)
    return span.start, span.end
