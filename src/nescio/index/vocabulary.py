"""Every term of the corpus with the number of passages that hold it: found by its hash, read in place.

Layout, little-endian: u64 number of terms; u64 hashes, ascending; u32 passages with the term; UTF-8 terms in the same order, a
line feed between (no term holds white space).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

from nescio.index.records import term_hash


class Vocabulary:
    """The terms of one generation."""

    def __init__(self, data: memoryview) -> None:
        size = int.from_bytes(data[:8], "little")
        self.hashes = data[8 : 8 + 8 * size].cast("Q")
        self._counts = data[8 + 8 * size : 8 + 12 * size].cast("I")
        self._words = data[8 + 12 * size :]

    def __len__(self) -> int:
        return len(self.hashes)

    def count(self, hashed: int) -> int:
        """In how many passages the term with this hash stands; 0 when in none."""
        at = bisect_left(self.hashes, hashed)
        return self._counts[at] if at < len(self.hashes) and self.hashes[at] == hashed else 0

    def terms(self) -> list[str]:
        """All terms, in the order of their hashes."""
        return bytes(self._words).decode("utf-8", "surrogatepass").split("\n") if len(self) else []

    def counted(self) -> Iterator[tuple[str, int]]:
        """All terms with their counts, in the order of their hashes."""
        return zip(self.terms(), self._counts, strict=True)


class Tally:
    """A vocabulary while it is made: pages come and go."""

    def __init__(self, start: Iterable[tuple[str, int]] = ()) -> None:
        self._counts: dict[str, int] = dict(start)

    def add(self, terms: Iterable[tuple[str, int]]) -> None:
        """Count the terms of a page that comes."""
        counts = self._counts
        for term, spread in terms:
            counts[term] = counts.get(term, 0) + spread

    def remove(self, terms: Iterable[tuple[str, int]]) -> None:
        """Take away the terms of a page that goes."""
        for term, spread in terms:
            self._counts[term] -= spread

    def encode(self) -> bytes:
        """The bytes that `Vocabulary` reads. Terms in no passage are left out."""
        counts: Mapping[str, int] = self._counts
        terms = sorted((term for term, count in counts.items() if count > 0), key=term_hash)
        words = "\n".join(terms).encode("utf-8", "surrogatepass")
        return b"".join(
            [
                len(terms).to_bytes(8, "little"),
                array("Q", map(term_hash, terms)).tobytes(),
                array("I", (counts[term] for term in terms)).tobytes(),
                words,
            ]
        )
