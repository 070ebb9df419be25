"""Every term of the corpus with the number of passages that hold it: found by its hash, read in place.

Layout, little-endian: u64 number of terms; u64 hashes, ascending; u32 passages with the term; UTF-8 terms in the same order, a
line feed between (no term holds white space).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable


class Vocabulary:
    """The terms of one generation."""

    def __init__(self, data: memoryview) -> None:
        size = int.from_bytes(data[:8], "little")
        self.hashes = data[8 : 8 + 8 * size].cast("Q")
        self.counts = data[8 + 8 * size : 8 + 12 * size].cast("I")
        self._words = data[8 + 12 * size :]

    def __len__(self) -> int:
        return len(self.hashes)

    def count(self, hashed: int) -> int:
        """In how many passages the term with this hash stands; 0 when in none."""
        at = bisect_left(self.hashes, hashed)
        return self.counts[at] if at < len(self.hashes) and self.hashes[at] == hashed else 0

    def terms(self) -> list[str]:
        """All terms, in the order of their hashes."""
        return bytes(self._words).decode("utf-8", "surrogatepass").split("\n") if len(self) else []


class Tally:
    """A vocabulary while it is made: pages come and go. Words are told apart by their hashes.

    `previous` gives the words of kept pages, and with `going_on` also their counts to start from.
    """

    def __init__(self, previous: Vocabulary | None = None, *, going_on: bool = False) -> None:
        self._words: dict[int, str] = {}
        self._counts: dict[int, int] = {}
        if previous is not None:
            self._words = dict(zip(previous.hashes, previous.terms(), strict=True))
        if previous is not None and going_on:
            self._counts = dict(zip(previous.hashes, previous.counts, strict=True))

    def words(self, hashes: Iterable[int]) -> tuple[str, ...]:
        """The words with these hashes. Raises KeyError for one that was never seen."""
        return tuple(map(self._words.__getitem__, hashes))

    def add(self, hashes: Iterable[int], words: Iterable[str], counts: Iterable[int]) -> None:
        """Count the words of a page that comes."""
        known, total = self._words, self._counts
        for hashed, word, count in zip(hashes, words, counts, strict=True):
            known[hashed] = word
            total[hashed] = total.get(hashed, 0) + count

    def count(self, hashes: Iterable[int], counts: Iterable[int]) -> None:
        """Count words that are known already."""
        total = self._counts
        for hashed, count in zip(hashes, counts, strict=False):
            total[hashed] = total.get(hashed, 0) + count

    def remove(self, hashes: Iterable[int], counts: Iterable[int]) -> None:
        """Take away the words of a page that goes."""
        for hashed, count in zip(hashes, counts, strict=True):
            self._counts[hashed] -= count

    def encode(self) -> bytes:
        """The bytes that `Vocabulary` reads. Words in no passage are left out."""
        counts = self._counts
        hashes = sorted(hashed for hashed, count in counts.items() if count > 0)
        words = "\n".join(map(self._words.__getitem__, hashes)).encode("utf-8", "surrogatepass")
        numbers = array("Q", hashes).tobytes() + array("I", map(counts.__getitem__, hashes)).tobytes()
        return len(hashes).to_bytes(8, "little") + numbers + words
