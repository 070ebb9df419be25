"""Words that are not in a document as they are cited: was something left out, a number or a "not" changed, or all reworded?"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from nescio.citations import folding
from nescio.citations.claims import Located, Problem
from nescio.citations.folding import NEGATION, View

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|\u2026)\s*\]|\(\s*(?:\.{3}|\u2026)\s*\)|\.{3,}|\u2026)\s*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
LEAST_SHARED = 0.5  # of its words: with fewer, two sentences have no more in common than any two
FEWEST_WORDS = 3  # shorter texts are like too many others
MOST_WORDS = 2_000  # of a citation that are compared word by word; nobody quotes more
MOST_PLACES = 200  # of one word that are looked at: commoner ones place nothing
LONGEST_TOLD = 300  # characters of what was left out that are told


def like(view: View, words: str, claimed: int) -> Located:
    """Where a document, composed and its white space made one, says nearly what `words` say.

    `claimed` is where that should be, in the document as it is written. Tried in this order: parts joined by an ellipsis, other
    numbers, other negation, both, most of the words; else nothing is found.
    """
    near = view.forth(claimed)
    words = words.strip()
    return (
        _parts(view, words, near) or _but_for(view, words, near) or _mostly(view, words, near) or Located((Problem.NOT_FOUND,))
    )


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


def _but_for(view: View, words: str, near: int) -> Located | None:
    """The same words but for numbers, or negation, or both."""
    numbers, negation = (Problem.NUMBER_CHANGED, folding.digits), (Problem.NEGATION_CHANGED, folding.negations)
    for chosen in ((numbers,), (negation,), (numbers, negation)):
        foldings = [*(one[1] for one in chosen), folding.spaces]
        masked, looked_for = View(view.text, foldings), View(words, foldings).text.strip()
        if not any(character.isalpha() for character in looked_for):
            continue
        found = folding.nearest(masked.text, looked_for, masked.forth(near))
        if found is None:
            continue
        span = masked.back(found.start, found.end)
        start, end = _with_negation(view.text, span.start), span.end
        said = span.of(view.text) if Problem.NEGATION_CHANGED not in (one[0] for one in chosen) else view.text[start:end]
        details = tuple(detail for one in chosen for detail in _difference(one[0], words, said))
        return Located(tuple(one[0] for one in chosen), None, 0, None, _range(view, start, end), details)
    return None


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


def _mostly(view: View, words: str, near: int) -> Located | None:
    """The stretch that has most of the words in their order, if that is at least half of them."""
    ours = [match.group().casefold() for match in _WORD.finditer(words)][:MOST_WORDS]
    if len(ours) < FEWEST_WORDS:
        return None
    theirs = list(_WORD.finditer(view.text))
    votes = _votes(ours, [match.group().casefold() for match in theirs])
    if not votes:
        return None
    best = max(votes, key=lambda at: (len(votes[at]), -abs(theirs[min(max(at, 0), len(theirs) - 1)].start() - near)))
    places = votes[best]
    if len({word for word, _ in places}) < LEAST_SHARED * len(ours):
        return None
    hits = sorted(place for _, place in places)
    first, last = max(0, min(hits[0], best)), min(len(theirs) - 1, max(hits[-1], best + len(ours) - 1))
    first, last = _trimmed_to(hits, first, last)
    start, end = theirs[first].start(), theirs[last].end()
    return Located((Problem.TEXT_CHANGED,), None, 0, None, _range(view, start, end), ())


def _trimmed_to(hits: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """No further out than a few words beyond what is shared."""
    beyond = 3
    return max(first, hits[0] - beyond), min(last, hits[-1] + beyond)


def _votes(ours: Sequence[str], theirs: Sequence[str]) -> dict[int, set[tuple[int, int]]]:
    """For each place where the words could begin: (number of the word, its place), inserted and dropped words allowed for."""
    counts = Counter(theirs)
    places: defaultdict[str, list[int]] = defaultdict(list)
    wanted = {word for word in ours if counts[word] <= MOST_PLACES}
    for at, word in enumerate(theirs):
        if word in wanted:
            places[word].append(at)
    slack = max(1, len(ours) // 4)
    by_bin: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
    for number, word in enumerate(ours):
        for at in places[word]:
            base = (at - number) // slack
            by_bin[base].add((number, at))
            by_bin[base + 1].add((number, at))
    return {base * slack: found for base, found in by_bin.items()}


def _range(view: View, start: int, end: int) -> tuple[int, int]:
    span = view.back(start, end)
    return span.start, span.end
