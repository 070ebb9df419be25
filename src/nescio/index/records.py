"""Gimme a passage's words without its text: the binary record of one page, written once and read in place.

A record never changes and knows nothing of other pages: terms stand in it as 64-bit hashes, so that pages can be written by
many processes and live on from one generation to the next. Layout, little-endian, every table after the one before, the
hashes aligned to 8 bytes because the record itself is:

    head        12 x u32: terms, passages, page length, title terms, facts bytes, surfaces, 6 spare
    hashes      u64 per term of the page, ascending; a term's place here is its local number
    ids         u64 per passage: the first 8 bytes of the passage id's digest text, to find a passage by id
    surfaces    u64 per word of the page as written that is not its own term, ascending: for typing errors only
    offsets     u32 per passage and one more: where each passage's part starts, from the record's start
    page tf     u16 per term: how often the page has it, headings included
    passages    u16 per term: how many of the page's passages have it
    title       u16 per title term: local numbers
    per passage 8 x u32: unique terms, occurrences, sentences, paragraphs, heading terms, path terms, length, spare;
                u32 starts (unique + 1), u16 local numbers (ascending), u16 occurrences, sentences, paragraphs, heading, path
    facts       UTF-8 JSON: what is needed to quote
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
from typing import Any

from nescio.domain.terms import PassageTerms

HEAD = struct.Struct("<12I")
PART = struct.Struct("<8I")
MAX_PAGE_TERMS = 65_535  # local numbers are u16; terms of a page beyond, in order of appearance, are not indexed
MAX_COUNT = 65_535
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
    surfaces: tuple[str, ...]


def encode(passages: Sequence[PassageTerms], ids: Sequence[str], surfaces: Iterable[str], facts: Any) -> EncodedPage:
    """Write one page. `ids` are the passages' ids, `surfaces` its words as written, `facts` JSON for `PageRecord.facts`."""
    written = tuple(sorted(surfaces, key=term_hash))
    page_tf, spread = _counts(passages)
    terms = sorted(page_tf, key=term_hash)
    number = {term: at for at, term in enumerate(terms)}
    parts = [_part(terms_of, number) for terms_of in passages]
    title = _numbers(passages[0].title if passages else (), number)
    tables = [
        array("Q", map(term_hash, terms)).tobytes(),
        array("Q", map(id_key, ids)).tobytes(),
        array("Q", map(term_hash, written)).tobytes(),
    ]
    counts = [
        array("H", (min(page_tf[term], MAX_COUNT) for term in terms)).tobytes(),
        array("H", (min(spread[term], MAX_COUNT) for term in terms)).tobytes(),
        array("H", title).tobytes(),
    ]
    start = HEAD.size + sum(map(len, tables)) + 4 * (len(parts) + 1) + sum(map(len, counts))
    start += -start % 4
    offsets = [start]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    said = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    length = sum(page_tf.values())
    head = HEAD.pack(len(terms), len(parts), length, len(title), len(said), len(written), *(0,) * 6)
    body = b"".join([head, *tables, array("I", offsets).tobytes(), *counts])
    record = b"".join([body, bytes(start - len(body)), *parts, said])
    return EncodedPage(record, tuple(terms), written)


def _counts(passages: Iterable[PassageTerms]) -> tuple[Counter[str], Counter[str]]:
    """How often the page has each term (a heading's words once for each passage), and in how many passages each stands."""
    page_tf: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for passage in passages:
        for term, places in passage.places.items():
            page_tf[term] += len(places)
        page_tf.update(passage.heading)
        spread.update({*passage.places, *passage.heading, *passage.path})
        for term in (*passage.path, *passage.title):
            page_tf.setdefault(term, 0)
    if len(page_tf) > MAX_PAGE_TERMS:
        for term in list(page_tf)[MAX_PAGE_TERMS:]:
            del page_tf[term]
    return page_tf, spread


def _numbers(terms: Iterable[str], number: dict[str, int]) -> list[int]:
    return sorted(number[term] for term in terms if term in number)


def _part(terms: PassageTerms, number: dict[str, int]) -> bytes:
    places = sorted((number[term], at) for term, at in terms.places.items() if term in number)
    starts, occurrences = [0], array("H")
    for _, at in places:
        occurrences.extend(at)
        starts.append(len(occurrences))
    tables = (
        [local for local, _ in places],
        occurrences,
        [sentence.position * 2 + sentence.refers for sentence in terms.sentences],
        terms.paragraphs,
        _numbers(terms.heading, number),
        _numbers(terms.path, number),
    )
    length = len(occurrences) + len(tables[4]) + len(tables[5])
    head = PART.pack(*map(len, tables), length, 0)
    part = head + array("I", starts).tobytes() + b"".join(array("H", table).tobytes() for table in tables)
    return part + bytes(-len(part) % 4)


class PassageRecord:
    """One passage's part of a page record, read in place. Local numbers are places in the page's table of terms."""

    __slots__ = ("_data", "_at", "_head", "_starts", "_locals", "length")

    def __init__(self, data: memoryview, at: int) -> None:
        self._head = head = PART.unpack_from(data, at)
        self._data, self.length = data, head[6]
        self._at = at + PART.size + 4 * (head[0] + 1)
        self._starts = data[at + PART.size : self._at].cast("I")
        self._locals = self._table(0)

    def _table(self, which: int) -> memoryview:
        start = self._at + 2 * sum(self._head[:which])
        return self._data[start : start + 2 * self._head[which]].cast("H")

    def places(self, local: int) -> Sequence[int]:
        """Occurrences of a term in the body, ascending, each `position * 2 + is_in_link_text`."""
        found = self._locals
        at = bisect_left(found, local)
        if at == len(found) or found[at] != local:
            return ()
        return self._table(1)[self._starts[at] : self._starts[at + 1]]

    def counts(self) -> Iterable[tuple[int, int]]:
        """Each term of the body with how often it has it."""
        starts = self._starts
        return ((local, starts[at + 1] - starts[at]) for at, local in enumerate(self._locals))

    def count(self, local: int) -> int:
        """How often the body has a term."""
        found = self._locals
        at = bisect_left(found, local)
        if at == len(found) or found[at] != local:
            return 0
        return self._starts[at + 1] - self._starts[at]

    @property
    def sentences(self) -> memoryview:
        """`position * 2 + refers` of each sentence's start."""
        return self._table(2)

    @property
    def paragraphs(self) -> memoryview:
        """Position of each paragraph's start."""
        return self._table(3)

    @property
    def heading(self) -> memoryview:
        """Local numbers of the terms of the passage's own heading, ascending."""
        return self._table(4)

    @property
    def path(self) -> memoryview:
        """Local numbers of the terms of the headings above and the title, ascending."""
        return self._table(5)


class PageRecord:
    """A page record, read in place."""

    __slots__ = ("_data", "_offsets", "_facts", "hashes", "ids", "length", "page_tf", "spread", "surfaces", "title")

    def __init__(self, data: memoryview) -> None:
        terms, passages, self.length, title, facts, surfaces, *_ = HEAD.unpack_from(data, 0)
        self._data = data
        at = HEAD.size
        self.hashes = data[at : at + 8 * terms].cast("Q")
        at += 8 * terms
        self.ids = data[at : at + 8 * passages].cast("Q")
        at += 8 * passages
        self.surfaces = data[at : at + 8 * surfaces].cast("Q")
        at += 8 * surfaces
        self._offsets = data[at : at + 4 * (passages + 1)].cast("I")
        at += 4 * (passages + 1)
        self.page_tf = data[at : at + 2 * terms].cast("H")
        self.spread = data[at + 2 * terms : at + 4 * terms].cast("H")
        self.title = data[at + 4 * terms : at + 4 * terms + 2 * title].cast("H")
        self._facts = facts

    def local(self, hashed: int) -> int:
        """The local number of a term, ABSENT when the page does not have it."""
        at = bisect_left(self.hashes, hashed)
        return at if at < len(self.hashes) and self.hashes[at] == hashed else ABSENT

    def __len__(self) -> int:
        return len(self.ids)

    def passage(self, number: int) -> PassageRecord:
        """The part of one passage. Raises IndexError."""
        return PassageRecord(self._data, self._offsets[number])

    @property
    def facts(self) -> Any:
        """The JSON that the page was encoded with."""
        start = self._offsets[len(self)]
        return json.loads(bytes(self._data[start : start + self._facts]).decode("utf-8", "surrogatepass"))


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
