"""Which blocks make up the section that a passage belongs to, in the order in which a reader meets them?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from nescio.domain.candidates import Key
from nescio.domain.documents import BlockKind, Document, GroupKind, Passage, PassageBlock
from nescio.domain.spans import Span, clipped, meeting, remaining
from nescio.protocols import Index, PassageAt

# Passages of one section that are looked at on either side of the one that was found: they are cut at 6,000 characters, and a
# quote holds no more than a few thousand.
MOST_NEIGHBOURS = 3


class Piece(NamedTuple):
    """One block, or some of its rows or lines, as it can be quoted.

    `spans` are its exact ranges in `document`, which is addressed as `source`/`path`; `decoded` the text to show where that is
    not the slices themselves.
    """

    source: str
    path: str
    document: Document
    block: PassageBlock
    spans: tuple[Span, ...]
    decoded: str | None = None

    @property
    def kind(self) -> BlockKind:
        """What sort of block it is."""
        return self.block.kind

    @property
    def text(self) -> str:
        """What is shown."""
        if self.decoded is not None:
            return self.decoded
        text = self.document.text
        return "".join([text[span.start : span.end] for span in self.spans])

    @property
    def length(self) -> int:
        """How many code points are shown."""
        return sum(map(len, self.spans)) if self.decoded is None else len(self.decoded)


@dataclass(frozen=True, slots=True)
class Range:
    """A group as the pieces that it holds: the first one, and the one after the last."""

    kind: GroupKind
    start: int
    end: int

    def holds(self, at: int) -> bool:
        """Whether a piece is in it."""
        return self.start <= at < self.end


@dataclass(frozen=True, slots=True)
class Section:
    """The pieces of a heading's own section, and the groups that they stand in, the outer ones first.

    `found` says of each piece whether it stands in the passage that was found; of an included file all of the section counts.
    """

    at: PassageAt
    pieces: tuple[Piece, ...]
    ranges: tuple[Range, ...]
    found: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def length(self) -> int:
        """How many code points all of it has."""
        return sum(piece.length for piece in self.pieces)


def only(section: Section, kept: Sequence[int]) -> Section:
    """The section with these of its pieces, given in order; groups that have none left are gone."""
    at = {old: new for new, old in enumerate(kept)}
    inside = ((one.kind, [at[piece] for piece in range(one.start, one.end) if piece in at]) for one in section.ranges)
    ranges = tuple(Range(kind, found[0], found[-1] + 1) for kind, found in inside if found)
    pieces = tuple(section.pieces[piece] for piece in kept)
    return replace(section, pieces=pieces, ranges=ranges, found=tuple(section.found[piece] for piece in kept))


def section_of(index: Index, key: Key) -> Section:
    """The section of a passage; of a very long one what is near it. What is masked in a document is in no piece."""
    at = index.passage(key)
    placed = [(one, list(_pieces(index, one.passage))) for one in _passages(index, at)]
    own = [piece for one, pieces in placed if one.passage.place is None for piece in pieces]
    for one, pieces in placed:
        if one.passage.place is not None and pieces:
            where = next((n for n, piece in enumerate(own) if _is_after(piece, one)), len(own))
            own[where:where] = pieces
    inside = {id(piece) for one, pieces in placed for piece in pieces if one.key == key or at.passage.place is not None}
    found = tuple(id(piece) in inside for piece in own)
    return Section(at, tuple(own), tuple(_ranges([one.passage for one, _ in placed], own)), found)


def passage_alone(index: Index, key: Key) -> Section:
    """A passage as if it were a section of its own."""
    at = index.passage(key)
    pieces = list(_pieces(index, at.passage))
    return Section(at, tuple(pieces), tuple(_ranges([at.passage], pieces)), (True,) * len(pieces))


def _passages(index: Index, at: PassageAt) -> Sequence[PassageAt]:
    """The passages of the section, in their order. What is not read on a page (a fact of a card) stands for itself."""
    is_alone = at.passage.path != at.passage.page_path and at.passage.place is None
    return [at] if is_alone else index.section(at.key, MOST_NEIGHBOURS)


def _is_after(piece: Piece, included: PassageAt) -> bool:
    """Whether a page's own piece stands behind the place where a file is included; pieces put there before are not asked."""
    place = included.passage.place
    return place is not None and piece.path == included.passage.page_path and piece.block.span.start > place


def _pieces(index: Index, passage: Passage) -> Iterator[Piece]:
    document = index.document(passage.document_sha256)
    for at, block in enumerate(passage.blocks):
        decoded = passage.shown[at] if passage.shown else None
        if decoded is not None and meeting(document.masked, block.span):
            continue
        spans = _spans(passage, block)
        if document.masked:
            spans = remaining(spans, document.masked)
        if spans:
            yield Piece(passage.source, passage.path, document, block, spans, decoded)


def _spans(passage: Passage, block: PassageBlock) -> tuple[Span, ...]:
    """The exact ranges of a block, a header that stands before it among them."""
    own = (block.span,) if passage.spans == (passage.span,) else clipped(passage.spans, block.span)
    if block.rows and block.rows[0].end <= block.span.start:
        return (*clipped(passage.spans, Span(block.rows[0].start, block.rows[0].end)), *own)
    return own


def _ranges(passages: Sequence[Passage], pieces: Sequence[Piece]) -> Iterator[Range]:
    """The groups of all passages as ranges of pieces; a group that is cut by the end of a passage is one again."""
    told = dict.fromkeys((passage.document_sha256, group) for passage in passages for group in passage.groups)
    places: dict[str, tuple[list[int], list[int]]] = {}  # of each file: where its pieces start, and which these are
    for at, piece in enumerate(pieces if told else ()):
        starts, numbers = places.setdefault(piece.document.sha256, ([], []))
        starts.append(piece.block.span.start)
        numbers.append(at)
    found = []
    for sha256, group in told:
        starts, numbers = places.get(sha256, ([], []))
        first, end = bisect_left(starts, group.span.start), bisect_left(starts, group.span.end)
        if first < end:
            found.append(Range(group.kind, numbers[first], numbers[end - 1] + 1))
    yield from sorted(found, key=lambda one: (one.start, -one.end))
