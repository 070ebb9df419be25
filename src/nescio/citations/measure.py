"""The same place in other units, for many places of one document at the cost of reading it once, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from nescio.domain.documents import Document
from nescio.domain.spans import Offsets, Place, Span


class Unit(StrEnum):
    """What offsets count."""

    CODE_POINTS = "code_points"
    BYTES = "bytes"
    UTF16 = "utf16"
    LINES = "lines"  # 1-based, the last one included


def places(document: Document, spans: Iterable[Span]) -> tuple[Place, ...]:
    """Each span in every unit, in the order given."""
    wanted = tuple(spans)
    offsets = Offsets(document.text, document.encoding)
    counted = _counted(document, sorted({mark for span in wanted for mark in (span.start, span.end)}))
    return tuple(_place(span, counted, offsets) for span in wanted)


def _counted(document: Document, marks: list[int]) -> dict[int, tuple[int, int]]:
    """Bytes and UTF-16 units before each of the ascending marks."""
    found: dict[int, tuple[int, int]] = {}
    at = size = units = 0
    for mark in marks:
        part = document.text[at:mark]
        size += len(part.encode(document.encoding))
        units += utf16_length(part)
        found[mark] = size, units
        at = mark
    return found


def _place(span: Span, counted: dict[int, tuple[int, int]], offsets: Offsets) -> Place:
    start_byte, start_utf16 = counted[span.start]
    end_byte, end_utf16 = counted[span.end]
    return Place(
        start=span.start,
        end=span.end,
        start_line=offsets.line_of(span.start),
        end_line=offsets.line_of(span.end - 1 if span else span.start),
        start_byte=start_byte,
        end_byte=end_byte,
        start_utf16=start_utf16,
        end_utf16=end_utf16,
    )


def utf16_length(text: str) -> int:
    """UTF-16 code units of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def length_in(text: str, unit: Unit, encoding: str = "utf-8") -> int:
    """How long a text is in a unit that is not lines."""
    if unit is Unit.CODE_POINTS:
        return len(text)
    return utf16_length(text) if unit is Unit.UTF16 else len(text.encode(encoding))


def code_point(text: str, unit: Unit, offset: int, encoding: str = "utf-8") -> int | None:
    """The code point before which `offset` units of `text` stand; None past the end, or inside of a character.

    `unit` is not lines.
    """
    if unit is Unit.CODE_POINTS or (text.isascii() and (unit is Unit.UTF16 or encoding == "utf-8")):
        return offset if offset <= len(text) else None
    codec, width = ("utf-16-le", 2) if unit is Unit.UTF16 else (encoding, 1)
    # A unit is at most one code point, and a code point at most four bytes.
    data = text[: offset * width + 1].encode(codec, "surrogatepass")
    if offset * width > len(data):
        return None
    try:
        return len(data[: offset * width].decode(codec))
    except UnicodeDecodeError:
        return None


def span_of(document: Document, unit: Unit, start: int, end: int) -> Span | None:
    """The range in code points of a range in another unit; None where it is not one of the document."""
    if unit is Unit.LINES:
        return _lines(document.text, start, end)
    first, last = (code_point(document.text, unit, offset, document.encoding) for offset in (start, end))
    return None if first is None or last is None or first > last else Span(first, last)


def _lines(text: str, start: int, end: int) -> Span | None:
    offsets = Offsets(text)
    if not 1 <= start <= end <= offsets.line_count:
        return None
    return Span(offsets.line_span(start).start, offsets.line_span(end).end)
