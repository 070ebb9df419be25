"""The titles and headings of all pages in one table, so that completing what is typed need not read every record.

Layout, little-endian: u64 number of pages, u64 number of rows; u64 slots of the pages, ascending; u32 where the rows of each
page start, and one more; of each row u32 passage, u32 depth; UTF-8 texts in the same order, a line feed between (none has one).
An index that was built before there was this table has none: then the records say the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from functools import cached_property

from nescio.domain.suggestions import PageHeadings
from nescio.index.records import PageRecord

HEADINGS = "headings.bin"
_TITLE, _HEADING_PATH = 0, 6  # where a passage's facts have them, see `facts`


def headings_of(record: PageRecord) -> PageHeadings:
    """Those of a page, from its record: one that comes again at the same place once, without a text none. White space is
    collapsed.
    """
    found: dict[tuple[str, ...], tuple[str, int, int]] = {}
    for number in range(len(record)):
        said = record.facts(number)
        found.setdefault((), (_plain(said[_TITLE]), number, 0))
        path = tuple(said[_HEADING_PATH])
        for depth in range(1, len(path) + 1):
            if path[:depth] not in found:
                found[path[:depth]] = (_plain(path[depth - 1]), number, depth)
    rows = [row for row in found.values() if row[0]]
    return PageHeadings([text for text, _, _ in rows], [number for _, number, _ in rows], [depth for _, _, depth in rows])


def _plain(text: str) -> str:
    return " ".join(text.split())


class Headings:
    """The table, read in place."""

    def __init__(self, data: memoryview) -> None:
        pages, rows = (int.from_bytes(data[at : at + 8], "little") for at in (0, 8))
        at = 16 + 8 * pages
        self._slots = data[16:at].cast("Q")
        self._starts, at = data[at : at + 4 * (pages + 1)].cast("I"), at + 4 * (pages + 1)
        self._passages, at = data[at : at + 4 * rows].cast("I"), at + 4 * rows
        self._depths, at = data[at : at + 4 * rows].cast("I"), at + 4 * rows
        self._said = data[at:]

    @cached_property
    def _texts(self) -> list[str]:
        return bytes(self._said).decode("utf-8", "surrogatepass").split("\n") if len(self._passages) else []

    def pages(self) -> Mapping[int, PageHeadings]:
        """Those of each page, by its slot."""
        texts, starts = self._texts, self._starts
        bounds = zip(self._slots, starts, starts[1:], strict=False)
        return {slot: PageHeadings(texts[a:b], self._passages[a:b], self._depths[a:b]) for slot, a, b in bounds}


def encode_headings(pages: Iterable[tuple[int, PageHeadings]]) -> bytes:
    """The bytes that `Headings` reads, of pages by slot, in any order."""
    slots, starts, passages, depths = array("Q"), array("I", [0]), array("I"), array("I")
    texts: list[str] = []
    for slot, page in sorted(pages, key=lambda one: one[0]):
        slots.append(slot)
        texts += page.texts
        passages.extend(page.passages)
        depths.extend(page.depths)
        starts.append(len(texts))
    head = len(slots).to_bytes(8, "little") + len(texts).to_bytes(8, "little")
    tables = b"".join(table.tobytes() for table in (slots, starts, passages, depths))
    return head + tables + "\n".join(texts).encode("utf-8", "surrogatepass")
