"""Where may a block be cut that is longer than a quote? A table between rows, code between stanzas, text between sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nescio.analysis.sentences import sentence_spans
from nescio.answer.section import Piece, Range, Section
from nescio.domain.documents import BlockKind
from nescio.domain.spans import LINE_END, Span, clipped

# Code points of a block that is cut where its section is not shown whole: a table of more, with more rows than MOST_ROWS, is
# looked up row by row; longer code is a reference that is read stanza by stanza; longer text is cut between sentences.
LONGEST_TABLE = 600
MOST_ROWS = 4  # with the header
LONGEST_CODE = 2_000
LONGEST_TEXT = 1_600
_COMMENT = re.compile(r"[ \t]*(?:#|//|--|;|/\*|<!--|%)")


@dataclass(frozen=True, slots=True)
class Cut:
    """The pieces of a section, long ones in parts. `header_of` gives, for the rows of a table that was cut, its header;
    `found` says of each part what the section says of its piece.
    """

    pieces: tuple[Piece, ...]
    ranges: tuple[Range, ...]
    header_of: dict[int, int]
    found: tuple[bool, ...]


def cut(section: Section) -> Cut:
    """The section with its long blocks in parts."""
    pieces: list[Piece] = []
    starts: list[int] = []
    header_of: dict[int, int] = {}
    found: list[bool] = []
    for piece, is_found in zip(section.pieces, section.found, strict=True):
        starts.append(len(pieces))
        parts = list(_parts(piece))
        if piece.kind is BlockKind.TABLE and len(parts) > 1:
            header_of.update((len(pieces) + at, len(pieces)) for at in range(1, len(parts)))
        pieces += parts
        found += [is_found] * len(parts)
    starts.append(len(pieces))
    ranges = tuple(replace(one, start=starts[one.start], end=starts[one.end]) for one in section.ranges)
    return Cut(tuple(pieces), ranges, header_of, tuple(found))


def is_comment(line: str) -> bool:
    """Whether a line of code is a comment, in most languages."""
    return _COMMENT.match(line) is not None


def _parts(piece: Piece) -> Iterator[Piece]:
    length = piece.length
    if piece.kind is BlockKind.TABLE and length > LONGEST_TABLE and len(piece.block.rows) > MOST_ROWS:
        return _rows(piece)
    if piece.decoded is not None:
        return iter((piece,))
    if piece.kind is BlockKind.CODE and length > LONGEST_CODE:
        return _stretches(piece, _stanzas(piece))
    if piece.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) and length > LONGEST_TEXT:
        return _stretches(piece, _sentences(piece))
    return iter((piece,))


def _rows(piece: Piece) -> Iterator[Piece]:
    """The header of a table, then each row. How a row reads is told by line, where it is not what the file has."""
    rows = piece.block.rows
    lines = None if piece.decoded is None else piece.decoded.split("\n")
    if lines is not None and len(lines) != len(rows):
        yield piece
        return
    header = Span(rows[0].start, rows[1].start if rows[0].end <= rows[1].start else rows[0].end)
    ends = [*(row.start for row in rows[2:]), max(rows[-1].end, piece.block.span.end)]
    inside = [header, *(Span(row.start, end) for row, end in zip(rows[1:], ends, strict=True))]
    for at, span in enumerate(inside):
        found = clipped(piece.spans, span)
        if found:
            yield piece._replace(spans=found, decoded=None if lines is None else lines[at])


def _stretches(piece: Piece, spans: Sequence[Span]) -> Iterator[Piece]:
    for span in spans:
        found = clipped(piece.spans, span)
        if found:
            yield piece._replace(spans=found)


def _sentences(piece: Piece) -> list[Span]:
    """Each sentence with what stands between it and the next one; the number of a list's item with its first one."""
    whole = piece.block.span
    text = whole.of(piece.document.text)
    first = next((at for at, character in enumerate(text) if character.isalpha()), 0)
    starts = [whole.start + span.start for span in sentence_spans(text) if span.start > first]
    return [Span(start, end) for start, end in zip([whole.start, *starts], [*starts, whole.end], strict=True)]


def _stanzas(piece: Piece) -> list[Span]:
    """Lines up to an empty one, or up to a comment that stands no deeper than what it follows: it speaks of what comes next."""
    text, whole = piece.document.text, piece.block.span
    starts, at = [whole.start], whole.start
    depth, was_comment, was_empty = 0, True, False
    while at < whole.end:
        found = LINE_END.search(text, at, whole.end)
        end = found.end() if found else whole.end
        line = text[at:end]
        begins_comment = is_comment(line)
        indent = len(line) - len(line.lstrip())
        if line.strip():
            begins = was_empty or (begins_comment and not was_comment and indent <= depth)
            if begins and at > starts[-1]:
                starts.append(at)
            depth, was_comment = indent, begins_comment
        was_empty = not line.strip()
        at = end
    return [Span(start, end) for start, end in zip(starts, [*starts[1:], whole.end], strict=True)]
