"""From a passage to a quote: exact slices of stored bytes, hashed again before they are shown."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from nescio.answer.highlights import Highlight
from nescio.answer.links import page_url, permalink, text_url
from nescio.answer.section import Piece
from nescio.answer.unfilled import unfilled
from nescio.domain.answers import Quote, QuotedSpan, Related
from nescio.domain.documents import Basis, BlockKind, Document, Passage
from nescio.domain.spans import Offsets, Place, Span, meeting, merged, readable, remaining, with_line_end
from nescio.errors import IndexFault
from nescio.protocols import PassageAt


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hit's quotes are labelled with."""

    base: float = 0.0
    preference: float = 0.0


NO_WORTH = Worth()
LONGEST_FIRST_WORDS = 120  # characters: enough to know a place by
# Where links lead, tags, attributes, signs of emphasis and code, markers of lists and quotations.
_MARKUP = re.compile(
    r"\]\([^()\s]{0,500}\)|</?[A-Za-z][^<>]{0,200}>|\{[^{}\n]{0,200}\}|[\[\]*`|]|^[ \t>]*(?:[-+]|\d{1,9}[.)])?[ \t]+",
    re.MULTILINE,
)
_DASH_BEFORE_WORD = re.compile(r"(?<![\w\u2013\u2014])\u2013(?=[A-Za-z])")


def quoted(at: PassageAt, pieces: Sequence[Piece], marks: Sequence[Highlight] = (), worth: Worth = NO_WORTH) -> Quote:
    """`pieces`, which are of the section of the passage at `at`, as a quote. The id is that of the passage.

    The quote's file is the page where something of it is shown, else the included file that comes first. Raises IndexFault
    when what would be shown is not what the bytes say.
    """
    main = next((piece for piece in pieces if piece.path == at.passage.page_path), pieces[0])
    stretches = list(_stretches(pieces))
    text = _text(pieces, stretches)
    spans = tuple(place for stretch in stretches for place in stretch.places)
    own = tuple(place for place in spans if place.path == main.path)
    is_verbatim = text == "".join(stretch.text for stretch in stretches) and all(one.is_utf8 for one in stretches)
    return Quote(
        text=text,
        basis=Basis.VERBATIM if is_verbatim else Basis.DECODED,
        spans=spans,
        passage_id=at.passage.id,
        source=main.source,
        path=main.path,
        page_path=at.passage.page_path,
        version=at.version,
        title=at.passage.title,
        heading_path=at.passage.heading_path,
        url=page_url(at),
        document_sha256=main.document.sha256,
        quote_sha256=hashlib.sha256(b"".join(stretch.data for stretch in stretches)).hexdigest(),
        base=worth.base,
        preference=worth.preference,
        stored_sha256=main.document.stored_sha256,
        text_url=text_url(at, ((piece.kind, piece.text) for piece in pieces)),
        permalink=permalink(at, own),
        highlights=tuple(_place(pieces[mark.piece], mark.span) for mark in marks),
        unfilled=unfilled(pieces),
    )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Pieces of one file that follow each other, cut out of its bytes."""

    places: tuple[QuotedSpan, ...]
    data: bytes
    text: str
    is_utf8: bool


def _stretches(pieces: Sequence[Piece]) -> Iterator[_Stretch]:
    groups = [list(group) for _, group in groupby(pieces, key=_file)]
    needed = _needed(groups)
    for number, group in enumerate(groups):
        document = group[0].document
        spans = readable(_in_place(group, needed[number]), document.text)
        if number + 1 < len(groups):
            later = (piece for after in groups[number + 1 :] for piece in after if _file(piece) == _file(group[0]))
            starts = (span.start for piece in later for span in piece.spans if span.start >= spans[-1].end)
            spans = (*spans[:-1], with_line_end(spans[-1], document.text, min(starts, default=None)))
        yield _cut_out(group[0], spans)


def _file(piece: Piece) -> tuple[str, str]:
    return piece.path, piece.document.sha256


def _in_place(pieces: Sequence[Piece], needed: Sequence[Span]) -> Iterator[Sequence[Span]]:
    """The ranges of each piece and of what is needed, no place twice: what stands before it first, in the order of the file."""
    shown = [piece.spans for piece in pieces]
    every = [span for spans in shown for span in spans]
    if not needed and all(before.end <= after.start for before, after in pairwise(every)):
        yield from shown
        return
    taken: list[Span] = []
    for spans in sorted([*shown, *((span,) for span in needed)], key=lambda spans: spans[0].start):
        fresh = remaining(spans, taken)
        taken = merged([*taken, *fresh])
        if fresh:
            yield fresh


def _needed(groups: Sequence[Sequence[Piece]]) -> list[list[Span]]:
    """What the pieces of each group need beside all that is shown of their file, once: in the last group that begins before it,
    else in the first one. What is masked in a document is left out.
    """
    found: list[list[Span]] = [[] for _ in groups]
    for file in dict.fromkeys(_file(group[0]) for group in groups):
        own = [number for number, group in enumerate(groups) if _file(group[0]) == file]
        pieces = [piece for number in own for piece in groups[number]]
        needs = dict.fromkeys(need for piece in pieces for need in piece.block.needs)
        document = pieces[0].document
        hidden = merged([*document.masked, *(span for piece in pieces for span in piece.spans)]) if needs else []
        for rest in (rest for need in merged(needs) for rest in remaining((need,), hidden)):
            if rest.of(document.text).strip():
                before = [number for number in own if groups[number][0].spans[0].start <= rest.start]
                found[before[-1] if before else own[0]].append(rest)
    return found


def _cut_out(piece: Piece, spans: Sequence[Span]) -> _Stretch:
    document = piece.document
    offsets = Offsets(document.text, document.encoding)
    places = tuple(_quoted_span(piece, offsets.place(span)) for span in spans)
    data = b"".join(document.data[place.start_byte : place.end_byte] for place in places)
    text = data.decode(document.encoding)
    if text != "".join(span.of(document.text) for span in spans):
        raise IndexFault(
            "index-damaged",
            f"The quote from {piece.path} is not what is stored.",
            "Remove the index folder and build it again: nescio build.",
        )
    return _Stretch(places, data, text, document.encoding == "utf-8")


def _place(piece: Piece, span: Span) -> QuotedSpan:
    return _quoted_span(piece, Offsets(piece.document.text, piece.document.encoding).place(span))


def _quoted_span(piece: Piece, place: Place) -> QuotedSpan:
    offsets = (place.start, place.end, place.start_line, place.end_line)
    units = (place.start_byte, place.end_byte, place.start_utf16, place.end_utf16)
    return QuotedSpan(*offsets, *units, piece.path, piece.document.sha256)


def _text(pieces: Sequence[Piece], stretches: Sequence[_Stretch]) -> str:
    """The slices joined; where some piece reads otherwise, what is shown of each. Two files never share a line."""
    if any(piece.decoded is not None for piece in pieces):
        return "\n\n".join(piece.text.strip("\n") for piece in pieces)
    parts = [stretch.text if stretch.text.endswith(("\n", "\r")) else stretch.text + "\n" for stretch in stretches[:-1]]
    return "".join([*parts, stretches[-1].text])


def related(at: PassageAt, base: float) -> Related:
    """A place near the question, without words of it."""
    passage = at.passage
    return Related(
        passage.id,
        passage.source,
        passage.page_path,
        at.version,
        passage.title,
        passage.heading_path,
        at.start_line,
        page_url(at),
        base,
    )


def first_words(passage: Passage, document: Document) -> str:
    """What the text of a passage begins with, its markup left out as far as it is easily told; "" where there is no text."""
    texts = (at for at, block in enumerate(passage.blocks) if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM))
    first = next(texts, None)
    if first is None or meeting(document.masked, passage.blocks[first].span):
        return ""
    text = passage.shown[first] if passage.shown else passage.blocks[first].span.of(document.text)
    words = " ".join(_MARKUP.sub("", text[: 2 * LONGEST_FIRST_WORDS]).split())
    return words if len(words) <= LONGEST_FIRST_WORDS else words[: LONGEST_FIRST_WORDS - 3].rpartition(" ")[0] + " ..."


def has_typographic_flag(text: str) -> bool:
    """Whether a text shows an en dash where a command line needs two hyphens."""
    return _DASH_BEFORE_WORD.search(text) is not None
