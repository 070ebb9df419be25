"""Passages of one text, cut by a unit that can be counted, each of them checked before any is given away."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nescio.citations.measure import places
from nescio.citations.units import ChunkUnit, Tokenizer, units
from nescio.config.model import Secrets
from nescio.domain.documents import Document, passage_id
from nescio.domain.spans import Place, Span
from nescio.errors import IngestFault, InternalFault, UsageFault
from nescio.ingest.secrets.guarding import secured

DEFAULT_SIZE = 200  # words: some 1,200 characters, what a page says under one heading
OVERLAP_SHARE = 10  # the overlap is a tenth of the size, unless it is given
MAX_PASSAGES = 20_000  # as many as one file of an index may have
MOST_TOLD = 20  # secrets that a message names: more are counted
MOST_COPIES = 4  # all passages together hold at most so many times the text


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a text. `units` is how many units it holds; `passage_id` is bound to source, path, hash and span."""

    passage_id: str
    source: str
    path: str
    document_sha256: str
    quote_sha256: str
    place: Place
    units: int
    text: str


@dataclass(frozen=True, slots=True)
class Cut:
    """How passages are cut: `size` units each, the last ones of each again in the next. `overlap` None is a tenth."""

    unit: str = ChunkUnit.WORDS.value
    size: int = DEFAULT_SIZE
    overlap: int | None = None
    tokenizer: Tokenizer | None = None
    max_passages: int = MAX_PASSAGES

    @property
    def shared(self) -> int:
        """The overlap as a number."""
        return self.size // OVERLAP_SHARE if self.overlap is None else self.overlap


def chunk(  # noqa: PLR0913  (each has the name of the command's option)
    text: str | None = None,
    *,
    document: Document | None = None,
    unit: str = ChunkUnit.WORDS.value,
    size: int = DEFAULT_SIZE,
    overlap: int | None = None,
    tokenizer: Tokenizer | None = None,
    max_passages: int = MAX_PASSAGES,
    source: str = "",
    path: str = "",
    secrets: Secrets | None = None,
) -> tuple[Chunk, ...]:
    """The passages of a text, or of a document, in order.

    Each runs from the start of its first unit to the end of its last, and holds `size` units; the last may hold fewer. The
    white space between two units belongs to neither. `source` and `path` are the address of a text, and the end of `path`
    says how its blocks are read; a document has its own. `secrets` is what becomes of secrets in it; without, they are refused.

    Raises IngestFault (`secrets-found`), and UsageFault: `chunk-two-texts`, `chunk-bad-unit`, `chunk-bad-size`,
    `chunk-bad-overlap`, `chunk-no-text`, `chunk-not-unicode`, `chunk-tokenizer-missing`, `chunk-tokenizer-failed`,
    `chunk-too-many` and `chunk-too-much-overlap`, these two before anything is cut.
    """
    if text is not None and document is not None:
        raise UsageFault("chunk-two-texts", "A text and a document were both given.", "Give one of them.")
    cut = Cut(unit, size, overlap, tokenizer, max_passages)
    kind = _checked(cut)
    whole = document if document is not None else _document(text or "", source, path)
    return _cut(_without_secrets(whole, secrets or Secrets()), kind, cut)


def _cut(document: Document, kind: ChunkUnit, cut: Cut) -> tuple[Chunk, ...]:
    found = units(document, kind, cut.tokenizer) if document.text.strip() else ()
    if not found:
        raise UsageFault("chunk-no-text", f"There is nothing to cut{_of(document)}.", "Give a text that has words.")
    firsts = range(0, max(len(found) - cut.shared, 1), cut.size - cut.shared)
    _refuse_too_many(len(firsts), cut, document)
    counts = [min(cut.size, len(found) - first) for first in firsts]
    spans = [Span(found[first].start, found[first + count - 1].end) for first, count in zip(firsts, counts, strict=True)]
    _refuse_copies(spans, document)
    chunks = _chunks(document, spans, counts)
    _check(chunks, document, found, cut.size)
    return chunks


def _checked(cut: Cut) -> ChunkUnit:
    if cut.unit not in [kind.value for kind in ChunkUnit]:
        known = ", ".join(kind.value for kind in ChunkUnit)
        raise UsageFault("chunk-bad-unit", f"There is no unit {cut.unit!r}.", f"Use one of: {known}.")
    if cut.tokenizer is not None and cut.unit != ChunkUnit.TOKENS:
        raise UsageFault("chunk-bad-unit", f"A tokenizer cannot count {cut.unit}.", "Leave it out, or use the unit tokens.")
    if not _is_count(cut.size) or cut.size < 1:
        raise UsageFault("chunk-bad-size", f"The size is {cut.size!r}.", "Give a whole number from 1.")
    if not _is_count(cut.shared) or not 0 <= cut.shared < cut.size:
        message = f"The overlap is {cut.shared!r}, and the size is {cut.size}."
        raise UsageFault("chunk-bad-overlap", message, "Give a whole number from 0 that is less than the size.")
    return ChunkUnit(cut.unit)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _document(text: str, source: str, path: str) -> Document:
    try:
        return Document.from_bytes(source, path, text.encode("utf-8"))
    except UnicodeEncodeError as error:
        message = f"The text has half of a surrogate pair at {error.start}, which no file can hold."
        raise UsageFault("chunk-not-unicode", message, "Decode it anew from its bytes.") from error


def _without_secrets(document: Document, policy: Secrets) -> Document:
    kept = secured(document, policy)
    if isinstance(kept, Document):
        return kept
    places = ", ".join(f"line {one.line} ({one.rule})" for one in kept[:MOST_TOLD])
    more = f" and {len(kept) - MOST_TOLD} more" if len(kept) > MOST_TOLD else ""
    raise IngestFault(
        "secrets-found",
        f"There are secrets{_of(document)}: {places}{more}. Nothing was cut.",
        'Take them out. If one is a sample: nescio secrets allow FILE:LINE. To cut with them masked: on_found = "mask" '
        "under [secrets].",
    )


def _of(document: Document) -> str:
    return f" in {document.path}" if document.path else ""


def _refuse_too_many(count: int, cut: Cut, document: Document) -> None:
    if count > cut.max_passages:
        message = f"It would be {count} passages{_of(document)}, and the most is {cut.max_passages}."
        raise UsageFault("chunk-too-many", message, "Make them larger, or allow more with max_passages.")


def _refuse_copies(spans: Sequence[Span], document: Document) -> None:
    held = sum(len(span) for span in spans)
    if held > MOST_COPIES * len(document.text):
        message = f"The passages would hold {held / len(document.text):.1f} times the text{_of(document)}."
        raise UsageFault("chunk-too-much-overlap", message, f"Let them overlap less: {MOST_COPIES} times is the most.")


def _chunks(document: Document, spans: Sequence[Span], counts: Sequence[int]) -> tuple[Chunk, ...]:
    address = document.source, document.path, document.sha256
    return tuple(
        Chunk(
            passage_id(*address, span),
            *address,
            hashlib.sha256(document.data[place.start_byte : place.end_byte]).hexdigest(),
            place,
            count,
            span.of(document.text),
        )
        for span, place, count in zip(spans, places(document, spans), counts, strict=True)
    )


def _has(found: Sequence[Span], offset: int, edge: Callable[[Span], int]) -> bool:
    """Whether a unit begins, or ends, at `offset`; both go up from unit to unit."""
    number = bisect_left(found, offset, key=edge)
    return number < len(found) and edge(found[number]) == offset


def _start(span: Span) -> int:
    return span.start


def _end(span: Span) -> int:
    return span.end


def _check(chunks: Sequence[Chunk], document: Document, found: Sequence[Span], size: int) -> None:
    """Every promise about every passage, from the stored bytes. Raises InternalFault."""
    for one in chunks:
        place = one.place
        kept = {
            "slice": document.data[place.start_byte : place.end_byte].decode(document.encoding) == one.text,
            "offsets": document.text[place.start : place.end] == one.text,
            "hash": hashlib.sha256(one.text.encode(document.encoding)).hexdigest() == one.quote_sha256,
            "id": one.passage_id == passage_id(one.source, one.path, document.sha256, Span(place.start, place.end)),
            "source": (one.source, one.path, one.document_sha256) == (document.source, document.path, document.sha256),
            "edges": _has(found, place.start, _start) and _has(found, place.end, _end),
            "size": 0 < one.units <= size and (one.units == size or one is chunks[-1]),
        }
        broken = [name for name, holds in kept.items() if not holds]
        if broken:
            message = f"A passage at {place.start} to {place.end} is not what it says: {', '.join(broken)}."
            raise InternalFault("internal-error", message, "This is a bug in nescio. Please report it.")
