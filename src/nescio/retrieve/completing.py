"""Which titles, headings and names may be meant by what is typed so far? Looked up in sorted tables, within a millisecond.

Where the typed words are in a text says how well it fits: it begins with all that is typed; the words are words of it, in any
order, the last one the beginning of a word; they stand inside of its words. Of those that fit as well, the shorter comes first,
then what comes first in the documents. Lists of changes name everything: what only they have comes last. Only where nothing
fits, a typed word that no text has is read as one with a typing error.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial
from heapq import nsmallest
from itertools import accumulate, chain, islice
from typing import NamedTuple

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from nescio.domain.candidates import Key
from nescio.domain.suggestions import LONGEST_TYPED, PageHeadings, SuggestionKind
from nescio.retrieve.typos import edits_allowed

LONGEST_TEXT = 160  # code points; what is longer is a paragraph that was made a heading
SHORTEST_NAME, LONGEST_NAME = 4, 80  # of an identifier
SHORTEST_INSIDE = 2  # letters that are looked for inside of words: in scripts without spaces, two are a word
SHORTEST_MISTYPED = 4  # letters; a shorter word is near to too many others
MOST_WORDS = 12  # that are typed; nobody looks for a heading with more
LOOK_INTO = 3  # times as long as looking for a number in a set is looking for a word in a text
# Words that hold what is typed. Where there are more, so many texts have them that going through all finds the first sooner.
MOST_HOLDING = 100
PASSAGE_BITS = 24  # of a place, which is a page's rank and a passage's number in one

_WORD = re.compile(r"[^\W_]+")
_LAST = "\U0010ffff"  # sorts behind all that a text may go on with
# What tells an identifier from a word: what joins its parts, a flag, a call, a capital inside, what paths begin with.
_SIGN = re.compile(r"\w_\w|::|[A-Za-z]\.[A-Za-z]|[a-z][A-Z]|^--|\(\)$|^[@/$.]")
_HINT = re.compile(r"[a-z][A-Z]|\w_\w|[A-Za-z]\.[A-Za-z]|--|::|\(\)|[@/$.][A-Za-z_]")  # in every text that holds a name
_NAME = re.compile(r"--[A-Za-z][\w-]*|[@/$.]?[A-Za-z_][\w./:-]*(?:\(\))?")
_AROUND = "[]{}<>'\"`*,;:!?|\u2018\u2019\u201c\u201d"  # what stands around a name and is no part of it


class Completion(NamedTuple):
    """A text that fits, and the place it leads to: the first passage below a title (`depth` 0) or a heading of that depth."""

    text: str
    kind: SuggestionKind
    depth: int
    key: Key


class _Row(NamedTuple):
    """The same as it is kept. `place` is a key in one number, so that places compare as they follow in the documents."""

    text: str
    kind: SuggestionKind
    depth: int
    place: int


class Completions:
    """All texts of an index, each once: of places that share one, a page's title wins over a heading, a heading over a name in
    one, and each of them over lists of changes. Making it takes some microseconds for each heading.
    """

    def __init__(self, pages: Iterable[PageHeadings], changelogs: Set[int]) -> None:
        """`pages` are all pages by their rank; `changelogs` the ranks of those that list changes."""
        explained, listed = _Found(), _Found()
        for rank, page in enumerate(pages):
            (listed if rank in changelogs else explained).add(rank, page)
        taken: set[str] = set()
        parts = [list(found.rows(taken)) for found in (explained, listed)]
        self._tables = [_Table(rows) for rows in parts if rows]

    def find(self, typed: str, limit: int) -> list[Completion]:
        """The texts that fit, best first, at most `limit`; none for what is empty or longer than LONGEST_TYPED."""
        folded = _folded(typed) if len(typed) <= LONGEST_TYPED else ""
        words = _WORD.findall(folded)
        if not folded or len(words) > MOST_WORDS:
            return []
        return self._first(limit, lambda table, most: table.fitting(folded, words, most)) or self._first(
            limit, lambda table, most: table.mistyped(words, most)
        )

    def _first(self, limit: int, looked_up: Callable[[_Table, int], Iterable[_Row]]) -> list[Completion]:
        found: list[_Row] = []
        for table in self._tables:
            if len(found) < limit:
                found += looked_up(table, limit - len(found))
        return [Completion(text, kind, depth, _key(place)) for text, kind, depth, place in found]


def _key(place: int) -> Key:
    return Key(place >> PASSAGE_BITS, place & ((1 << PASSAGE_BITS) - 1))


class _Found:
    """What some pages have, while it is gathered: each text letter for letter with the first place that has it."""

    def __init__(self) -> None:
        self._titles: dict[str, int] = {}
        self._headings: dict[str, tuple[int, int]] = {}  # place and depth

    def add(self, rank: int, page: PageHeadings) -> None:
        """Take the titles and headings of a page; pages come in order."""
        titles, headings = self._titles, self._headings
        for text, number, depth in zip(*page, strict=True):
            if not depth:
                titles.setdefault(text, rank << PASSAGE_BITS | number)
            elif text not in headings:
                headings[text] = (rank << PASSAGE_BITS | number, depth)

    def rows(self, taken: set[str]) -> Iterator[tuple[str, _Row]]:
        """Titles, headings and names that are not in `taken`, in this order, each folded and as it is; they are taken then."""
        for text, kind, depth, place in self._places():
            folded = _folded(text)
            if folded not in taken:
                taken.add(folded)
                yield folded, _Row(text, kind, depth, place)

    def _places(self) -> Iterator[tuple[str, SuggestionKind, int, int]]:
        titles = [(text, 0, place) for text, place in self._titles.items() if _is_suggested(text)]
        headings = [
            (text, depth, place)
            for text, (place, depth) in self._headings.items()
            if text not in self._titles and _is_suggested(text)
        ]
        yield from ((text, SuggestionKind.TITLE, depth, place) for text, depth, place in titles)
        for text, depth, place in headings:
            yield text, SuggestionKind.NAME if is_name(text) else SuggestionKind.HEADING, depth, place
        having = [(text, depth, place) for text, depth, place in (*titles, *headings) if _HINT.search(text)]
        for text, depth, place in sorted(having, key=lambda one: one[2]):
            yield from ((name, SuggestionKind.NAME, depth, place) for name in names(text))


def _is_suggested(text: str) -> bool:
    return len(text) <= LONGEST_TEXT and _WORD.search(text) is not None


def names(text: str) -> Iterator[str]:
    """The identifiers in a title or heading, as written, in order: options, functions, files; no plain words and no numbers."""
    for chunk in text.split():
        name = chunk.strip(_AROUND).lstrip("(").rstrip(".")
        name = name if name.endswith("()") else name.rstrip(")" + _AROUND + ".")
        if is_name(name):
            yield name


def is_name(text: str) -> bool:
    """Whether a text is one identifier and shows it."""
    is_one = SHORTEST_NAME <= len(text) <= LONGEST_NAME and _NAME.fullmatch(text) is not None
    return is_one and "://" not in text and _SIGN.search(text) is not None


def _folded(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split())


class _Table:
    """Texts, numbered from the shortest on, with their words sorted, and for each word the numbers of those that have it."""

    def __init__(self, texts: Sequence[tuple[str, _Row]]) -> None:
        """`texts` are each a folded text and what it stands for."""
        ordered = sorted(texts, key=lambda one: len(one[1].text) << 64 | one[1].place)
        self._rows = [row for _, row in ordered]
        folded = [text for text, _ in ordered]
        by_letters = sorted(range(len(folded)), key=folded.__getitem__)
        self._whole = [folded[number] for number in by_letters]
        self._numbered = array("I", by_letters)  # of each in `_whole`
        having: dict[str, list[int]] = {}
        self._lines: list[str] = []  # the words of each text, with a space before and after each
        for number, text in enumerate(folded):
            words = _WORD.findall(text)
            self._lines.append(f" {' '.join(words)} ")
            for word in words:
                having.setdefault(word, []).append(number)
        self._words = sorted(having)
        self._joined = "\n".join(self._words)
        self._starts = array("I", accumulate((len(having[word]) for word in self._words), initial=0))
        self._numbers = array("I", chain.from_iterable(map(having.__getitem__, self._words)))
        beginnings: Callable[[int], _Alike] = partial(_beginnings, self._words)
        self._beginnings = cache(beginnings)
        of_length: Callable[[int], _Alike] = partial(_of_length, self._words)
        self._of_length = cache(of_length)

    def fitting(self, folded: str, words: Sequence[str], limit: int) -> list[_Row]:
        """The first `limit` that begin with what is typed, then that have its words, then that have them inside of words."""
        found = dict.fromkeys(nsmallest(limit, self._beginning(folded)))
        if len(found) < limit:
            found.update(dict.fromkeys(nsmallest(limit, self._having(words))))
        if len(found) < limit:
            found.update(dict.fromkeys(islice(self._holding(words), limit)))
        return [self._rows[number] for number in islice(found, limit)]

    def mistyped(self, words: Sequence[str], limit: int) -> list[_Row]:
        """The first `limit` that have each typed word, or one that it may be with a typing error where no text has it."""
        unknown = [at for at, word in enumerate(words) if word not in self._joined]
        if not unknown:
            return []
        near = set.intersection(*(self._near(words[at], is_last=at == len(words) - 1) for at in unknown))
        known = [word for at, word in enumerate(words) if at not in unknown]
        return [self._rows[number] for number in nsmallest(limit, self._with_all(known, near))]

    def _beginning(self, folded: str) -> Sequence[int]:
        """The texts that begin so."""
        return self._numbered[bisect_left(self._whole, folded) : bisect_left(self._whole, folded + _LAST)]

    def _having(self, words: Sequence[str]) -> Set[int]:
        """The texts that have all words, the last one as the beginning of a word."""
        if not words:
            return frozenset()
        lists = [(self._with(word, word + "\0"), f" {word} ") for word in words[:-1]]
        lists.append((self._with(words[-1], words[-1] + _LAST), f" {words[-1]}"))
        (fewest, _), *others = sorted(lists, key=lambda one: len(one[0]))
        found, lines = set(fewest), self._lines
        for other, written in others:
            if len(other) < LOOK_INTO * len(found):
                found.intersection_update(other)
            else:
                found = {number for number in found if written in lines[number]}
        return found

    def _holding(self, words: Sequence[str]) -> Iterable[int]:
        """The texts that have all words inside of words, in order."""
        long = [word for word in words if len(word) >= SHORTEST_INSIDE]
        if not long:
            return ()
        rarest = min(long, key=self._joined.count)
        return self._with_all([word for word in words if word != rarest], self._inside(rarest))

    def _with_all(self, words: Sequence[str], texts: Iterable[int]) -> Iterable[int]:
        lines = self._lines
        return (number for number in texts if all(word in lines[number] for word in words)) if words else texts

    def _inside(self, word: str) -> Iterable[int]:
        """The texts with a word that holds this one, in order."""
        if word not in self._joined:
            return ()
        parts = self._joined.split(word, MOST_HOLDING)
        if len(parts) > MOST_HOLDING:
            return (number for number, line in enumerate(self._lines) if word in line)
        # The line feeds before each place where it is found are the number of the word there.
        holding = dict.fromkeys(accumulate(part.count("\n") for part in parts[:-1]))
        return sorted(set(chain.from_iterable(self._of(at, at + 1) for at in holding)))

    def _near(self, word: str, *, is_last: bool) -> set[int]:
        """The texts with a word that differs from this one by a typing error or two; of the last word, by its beginning."""
        if len(word) < SHORTEST_MISTYPED:
            return set()
        edits = edits_allowed(word)
        known = self._beginnings if is_last else self._of_length
        found: set[int] = set()
        for length in range(len(word) - edits, len(word) + edits + 1):
            for other in known(length).near(word, edits):
                found.update(self._with(other, other + (_LAST if is_last else "\0")))
        return found

    def _with(self, first: str, end: str) -> Sequence[int]:
        """The texts with words from `first` on and before `end`; some may come twice."""
        return self._of(bisect_left(self._words, first), bisect_left(self._words, end))

    def _of(self, low: int, high: int) -> Sequence[int]:
        return self._numbers[self._starts[low] : self._starts[high]]


class _Alike(NamedTuple):
    """Words of one length, in all and by their first two letters."""

    all: Sequence[str]
    by_start: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, words: Sequence[str]) -> _Alike:
        found: dict[str, list[str]] = {}
        for word in words:
            found.setdefault(word[:2], []).append(word)
        return cls(words, found)

    def near(self, word: str, edits: int) -> Iterator[str]:
        """Those at most so many edits away. One edit leaves one of the first two letters among the first two: that spares most
        of the comparing.
        """
        first = word[:2]
        choices = self.all
        if edits == 1:
            starts = (start for start in self.by_start if start[0] in first or start[1:] in first)
            choices = list(chain.from_iterable(map(self.by_start.__getitem__, starts)))
        return (other for other, _, _ in extract(word, choices, scorer=OSA.distance, score_cutoff=edits, limit=None))


def _beginnings(words: Sequence[str], length: int) -> _Alike:
    """The first so many letters of all words that have as many, each once."""
    return _Alike.of(sorted({word[:length] for word in words if len(word) >= length}))


def _of_length(words: Sequence[str], length: int) -> _Alike:
    return _Alike.of([word for word in words if len(word) == length])
