"""What of a quote answers? A few sentences, rows or lines of it, as ranges of its own bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from nescio.analysis.sentences import sentence_spans
from nescio.answer.focus import Focus
from nescio.answer.section import Piece
from nescio.domain.documents import INTRODUCES, BlockKind
from nescio.domain.spans import LINE_END, Span, clipped, remaining

MOST_HIGHLIGHTS = 3
WORTH_MARKING = 0.1  # of the question's content: a sentence that adds less to those that are marked is not marked too
LONGEST_CODE = 600  # code points of code that is marked with the sentence that leads into it
LONGEST_LOOKED_AT = 8_000  # code points of a quote's pieces that are looked through
_TO_NEXT = re.compile(r"[^\S\r\n]*(?:\r\n|\n|\r)?")


@dataclass(frozen=True, slots=True)
class Highlight:
    """A range in the document of a piece (its place among the pieces shown)."""

    piece: int
    span: Span


def highlights(pieces: Sequence[Piece], focus: Focus) -> tuple[Highlight, ...]:
    """At most MOST_HIGHLIGHTS, and the code that they lead into, in the order of the text: the sentence with most of it all,
    then those that add to it.

    Where none has a word of it (the heading is the question), the first sentence of text.
    """
    units = list(_units(pieces))
    seen = [focus.seen(one.span.of(pieces[one.piece].document.text)) for one in units]
    chosen: list[int] = []
    covered: frozenset[str] = frozenset()
    while len(chosen) < MOST_HIGHLIGHTS:
        gains = [focus.share(one.held - covered) if one.held else 0.0 for one in seen]
        adding = [at for at, gain in enumerate(gains) if gain >= WORTH_MARKING]
        if not adding:
            break
        best = max(adding, key=lambda at: (gains[at] + seen[at].in_order, -at))
        chosen.append(best)
        covered |= seen[best].held
    if not chosen:
        chosen = [at for at, one in enumerate(units) if pieces[one.piece].kind is BlockKind.PARAGRAPH][:1]
    return tuple(_with_code(pieces, [units[at] for at in sorted(chosen)]))


def _with_code(pieces: Sequence[Piece], marks: Sequence[Highlight]) -> Iterator[Highlight]:
    """The marks; one that leads into code is followed by it: it says nothing alone."""
    for number, mark in enumerate(marks):
        yield mark
        following = mark.piece + 1
        is_lead = mark.span.of(pieces[mark.piece].document.text).rstrip("*_ ").endswith(INTRODUCES)
        is_marked = number + 1 < len(marks) and marks[number + 1].piece == following
        if is_lead and not is_marked and following < len(pieces):
            code = pieces[following]
            if code.kind is BlockKind.CODE and code.decoded is None and len(code.text) <= LONGEST_CODE:
                yield from (Highlight(following, span) for span in code.spans)


def highlighted(pieces: Sequence[Piece], marks: Sequence[Highlight]) -> tuple[tuple[Piece, ...], tuple[Highlight, ...]]:
    """The pieces with nothing but what is marked, a row with its header, and the marks in these. What is not shown as it is
    written stays whole; all stays as it is where nothing is marked.
    """
    kept: list[Piece] = []
    placed: list[Highlight] = []
    for at, group in groupby(marks, key=lambda mark: mark.piece):
        piece, spans = pieces[at], tuple(mark.span for mark in group)
        placed += [Highlight(len(kept), span) for span in spans]
        kept.append(piece if piece.decoded is not None else piece._replace(spans=(*_header(piece), *_apart(piece, spans))))
    return (tuple(kept), tuple(placed)) if kept else (tuple(pieces), tuple(marks))


def _header(piece: Piece) -> tuple[Span, ...]:
    """The header of a table with its line end, wherever it stands."""
    if piece.kind is not BlockKind.TABLE or len(piece.block.rows) < 2:
        return ()
    first = piece.block.rows[0]
    return remaining((Span(first.start, _to_next(piece.document.text, first.end)),), piece.document.masked)


def _apart(piece: Piece, spans: Sequence[Span]) -> Iterator[Span]:
    """The ranges, each but the last with the white space after it, so that they do not run into each other."""
    text = piece.document.text
    for span, following in pairwise(spans):
        yield Span(span.start, min(_to_next(text, span.end), following.start))
    yield spans[-1]


def _to_next(text: str, at: int) -> int:
    """Where the white space ends that follows, its first line end included."""
    found = _TO_NEXT.match(text, at)
    return found.end() if found else at


def _units(pieces: Sequence[Piece]) -> Iterator[Highlight]:
    length = 0
    for at, piece in enumerate(pieces):
        for span in _spans(piece):
            length += len(span)
            if length > LONGEST_LOOKED_AT:
                return
            yield Highlight(at, span)


def _spans(piece: Piece) -> Iterator[Span]:
    """The sentences of text, the rows of a table but for its header, the lines of code, as far as they are shown."""
    if piece.kind is BlockKind.TABLE:
        rows = piece.block.rows[1:] or (piece.block.span,)
        yield from (span for row in rows for span in clipped(piece.spans, row))
        return
    for span in piece.spans:
        text = span.of(piece.document.text)
        if piece.kind is BlockKind.CODE:
            yield from _lines(text, span.start)
        else:
            yield from (Span(span.start + one.start, span.start + one.end) for one in sentence_spans(text))


def _lines(text: str, start: int) -> Iterator[Span]:
    at = 0
    for found in [*LINE_END.finditer(text), None]:
        end = found.start() if found else len(text)
        if text[at:end].strip():
            yield Span(start + at, start + end)
        at = found.end() if found else end
