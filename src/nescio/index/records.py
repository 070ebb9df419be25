"""Gimme a passage's words without its text: the binary record of one page, written once and read in place.

A record never changes and knows nothing of other pages: terms stand in it as 64-bit hashes, so that pages can be written by
many processes and live on from one generation to the next. Layout, little-endian, one table after the other, widest first, the
start aligned to 8 bytes:

    head        8 x u32: terms, passages, postings, page length, title terms, written words, 2 spare
    hashes      u64 per term of the page, ascending; a term's place here is its local number
    ids         u64 per passage: a hash of its id, to find a passage by id
    written     u64 per word of the page as written, ascending: for typing errors only
    parts       u32 per passage: where its part starts, from the record's start
    facts       u32 per passage and one more: where its JSON starts
    lengths     u32 per passage: its number of terms
    starts      u32 per term and one more: where its postings start
    page tf     u16 per term: how often the page has it, headings included
    numbers     u16 per posting: the passage that has the term
    frequencies u16 per posting: twice its frequency there; body and heading count, a word of the path a half
    title       u16 per title term: local numbers
    per passage 8 x u32: terms, occurrences, sentences, paragraphs, heading terms, path terms, 2 spare;
                u32 starts (terms + 1), u16 local numbers (ascending), u16 occurrences, sentences, paragraphs, heading, path
    JSON        UTF-8, per passage: what is needed to quote it
"""

from __future__ import annotations

import hashlib
import json
import struct
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from nescio.domain.terms import PassageTerms

HEAD = struct.Struct("<8I")
PART = struct.Struct("<8I")
MAX_PAGE_TERMS = 65_535  # local numbers are u16; terms of a page beyond, in order of appearance, are not indexed
MAX_COUNT = 65_535
WIDTHS = {"Q": 8, "I": 4, "H": 2}
ABSENT = -1


@lru_cache(maxsize=500_000)
def term_hash(term: str) -> int:
    """64 bits of BLAKE2b. A million different terms meet with a chance of 3 in 100 million."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def id_key(passage_id: str) -> int:
    """The 64-bit key under which a passage is found by its id."""
    return term_hash("id:" + passage_id)


@dataclass(frozen=True, slots=True)
class EncodedPage:
    """A page as bytes, with its distinct terms in the order of their local numbers, and its surface words likewise."""

    record: bytes
    terms: tuple[str, ...]
    written: tuple[str, ...]


def encode(passages: Sequence[PassageTerms], ids: Sequence[str], words: Iterable[str], facts: Sequence[Any]) -> EncodedPage:
    """Write one page. `ids` and `facts` (JSON for `PageRecord.facts`) are its passages', `words` those written on it."""
    written = tuple(sorted(words, key=term_hash))
    page_tf, postings = _counts(passages)
    terms = sorted(page_tf, key=term_hash)
    number = {term: at for at, term in enumerate(terms)}
    starts = list(accumulate((len(postings[term]) for term in terms), initial=0))
    flat = [posting for term in terms for posting in postings[term]]
    title = _numbers(passages[0].title if passages else (), number)
    parts = [_part(terms_of, number) for terms_of in passages]
    said = [json.dumps(fact, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") for fact in facts]
    lengths = [_length(terms_of) for terms_of in passages]
    wide = _table("Q", map(term_hash, terms)) + _table("Q", map(id_key, ids)) + _table("Q", map(term_hash, written))
    narrow = b"".join(
        [
            _table("H", (min(page_tf[term], MAX_COUNT) for term in terms)),
            _table("H", (at for at, _ in flat)),
            _table("H", (min(doubled, MAX_COUNT) for _, doubled in flat)),
            _table("H", title),
        ]
    )
    narrow += bytes(-len(narrow) % 4)
    middle = 4 * (3 * len(passages) + len(terms) + 2)
    places = list(accumulate(map(len, [*parts, *said]), initial=HEAD.size + len(wide) + middle + len(narrow)))
    tables = (places[: len(parts)], places[len(parts) :], lengths, starts)
    head = HEAD.pack(len(terms), len(parts), len(flat), sum(page_tf.values()), len(title), len(written), 0, 0)
    record = b"".join([head, wide, *(_table("I", table) for table in tables), narrow, *parts, *said])
    return EncodedPage(record, tuple(terms), written)


def _table(kind: str, values: Iterable[int]) -> bytes:
    return array(kind, values).tobytes()


def _length(terms: PassageTerms) -> int:
    return sum(map(len, terms.places.values())) + len(terms.heading) + len(terms.path)


def _counts(passages: Iterable[PassageTerms]) -> tuple[Counter[str], dict[str, list[tuple[int, int]]]]:
    """How often the page has each term (a heading's words once for each passage), and each term's postings: (passage, twice
    its frequency there).
    """
    page_tf: Counter[str] = Counter()
    postings: dict[str, list[tuple[int, int]]] = {}
    for at, passage in enumerate(passages):
        doubled = {term: 2 * len(places) for term, places in passage.places.items()}
        for term in passage.heading:
            doubled[term] = doubled.get(term, 0) + 2
        for term, count in doubled.items():
            page_tf[term] += count // 2
        for term in passage.path:
            doubled[term] = doubled.get(term, 0) + 1
        for term, count in doubled.items():
            postings.setdefault(term, []).append((at, count))
        for term in (*passage.path, *passage.title):
            page_tf.setdefault(term, 0)
            postings.setdefault(term, [])
    for term in list(page_tf)[MAX_PAGE_TERMS:]:
        del page_tf[term]
    return page_tf, postings


def _numbers(terms: Iterable[str], number: dict[str, int]) -> list[int]:
    return sorted(number[term] for term in terms if term in number)


def _part(terms: PassageTerms, number: dict[str, int]) -> bytes:
    places = sorted((number[term], at) for term, at in terms.places.items() if term in number)
    starts, occurrences = [0], array("H")
    for _, at in places:
        occurrences.extend(at)
        starts.append(len(occurrences))
    tables: tuple[Sequence[int], ...] = (
        [local for local, _ in places],
        occurrences,
        [sentence.packed for sentence in terms.sentences],
        terms.paragraphs,
        _numbers(terms.heading, number),
        _numbers(terms.path, number),
    )
    part = PART.pack(*map(len, tables), 0, 0) + _table("I", starts) + b"".join(_table("H", table) for table in tables)
    return part + bytes(-len(part) % 4)


class PassageRecord:
    """One passage's part of a page record, read in place. Local numbers are places in the page's table of terms."""

    __slots__ = ("_numbers", "_sizes", "_starts", "locals")

    def __init__(self, data: memoryview, at: int) -> None:
        self._sizes = sizes = PART.unpack_from(data, at)
        start = at + PART.size + 4 * (sizes[0] + 1)
        self._starts = data[at + PART.size : start].cast("I")
        self._numbers = numbers = data[start : start + 2 * sum(sizes)].cast("H")
        self.locals = numbers[: sizes[0]]

    def places(self, local: int) -> Sequence[int]:
        """Occurrences of a term in the body, ascending, each `position * 2 + is_in_link_text`."""
        found = self.locals
        at = bisect_left(found, local)
        if at == len(found) or found[at] != local:
            return ()
        start = self._sizes[0]
        return self._numbers[start + self._starts[at] : start + self._starts[at + 1]]

    def counts(self) -> Iterable[tuple[int, int]]:
        """Each term's local number with how often the body has it."""
        starts = self._starts
        return ((local, starts[at + 1] - starts[at]) for at, local in enumerate(self.locals))

    def _table(self, which: int) -> memoryview:
        start = sum(self._sizes[:which])
        return self._numbers[start : start + self._sizes[which]]

    @property
    def sentences(self) -> memoryview:
        """`Sentence.packed` of each, in order."""
        return self._table(2)

    @property
    def paragraphs(self) -> memoryview:
        """Position of each block's start."""
        return self._table(3)

    @property
    def heading(self) -> memoryview:
        """Local numbers of the terms of the passage's own heading, ascending."""
        return self._table(4)

    @property
    def path(self) -> memoryview:
        """Local numbers of the terms of the headings above, the title and the file's path, ascending."""
        return self._table(5)


class PageRecord:
    """A page record, read in place."""

    __slots__ = (
        "_data",
        "_facts",
        "_parts",
        "frequencies",
        "hashes",
        "ids",
        "length",
        "lengths",
        "numbers",
        "page_tf",
        "starts",
        "title",
        "written",
    )

    def __init__(self, data: memoryview) -> None:
        terms, passages, postings, self.length, title, written, *_ = HEAD.unpack_from(data, 0)
        self._data = data
        self.hashes, at = _view(data, HEAD.size, "Q", terms)
        self.ids, at = _view(data, at, "Q", passages)
        self.written, at = _view(data, at, "Q", written)
        self._parts, at = _view(data, at, "I", passages)
        self._facts, at = _view(data, at, "I", passages + 1)
        self.lengths, at = _view(data, at, "I", passages)
        self.starts, at = _view(data, at, "I", terms + 1)
        self.page_tf, at = _view(data, at, "H", terms)
        self.numbers, at = _view(data, at, "H", postings)
        self.frequencies, at = _view(data, at, "H", postings)
        self.title, at = _view(data, at, "H", title)

    def local(self, hashed: int) -> int:
        """The local number of a term, ABSENT when the page does not have it."""
        hashes = self.hashes
        at = bisect_left(hashes, hashed)
        return at if at < len(hashes) and hashes[at] == hashed else ABSENT

    def __len__(self) -> int:
        return len(self.ids)

    def spread(self) -> Iterable[int]:
        """For each term, how many of the page's passages have it."""
        starts = self.starts
        return (starts[at + 1] - starts[at] for at in range(len(self.hashes)))

    def passage(self, number: int) -> PassageRecord:
        """The part of one passage. Raises IndexError."""
        return PassageRecord(self._data, self._parts[number])

    def facts(self, number: int) -> Any:
        """The JSON that the passage was encoded with."""
        said = self._data[self._facts[number] : self._facts[number + 1]]
        return json.loads(bytes(said).decode("utf-8", "surrogatepass"))


def _view(data: memoryview, start: int, kind: str, count: int) -> tuple[memoryview, int]:
    """A table of numbers in place, and where the next one starts."""
    end = start + count * WIDTHS[kind]
    return data[start:end].cast(kind), end  # type: ignore[call-overload]


def texts(record: PageRecord, terms: Sequence[str]) -> tuple[list[str], str]:
    """What an inverted index is given: the terms of each passage, and those of the page, as often as they count, a space
    between. `terms` are the page's terms in the order of their local numbers.
    """
    found: list[str] = []
    for number in range(len(record)):
        passage = record.passage(number)
        words = [term for local, count in passage.counts() for term in [terms[local]] * count]
        words.extend(terms[local] for local in (*passage.heading, *passage.path))
        found.append(" ".join(words))
    whole = (term for local, count in enumerate(record.page_tf) for term in [terms[local]] * count)
    return found, " ".join(whole)
