"""Reads citations that somebody holds: JSON, JSON lines, nescio's own output, or an answer in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from typing import Any

from nescio.citations import markdown
from nescio.citations.claims import Citation, Piece, Range
from nescio.citations.measure import Unit
from nescio.domain.spans import LINE_END
from nescio.errors import UsageFault

_BOM = "\ufeff"
_JSON = (".json",)
_JSON_LINES = (".jsonl", ".ndjson")
_MARKDOWN = (".md", ".markdown")
_HINT = (
    "Give each citation a text, a passage_id, or a range: start and end (code points), start_byte and end_byte, "
    "start_utf16 and end_utf16, or start_line and end_line."
)
# The lists of citations in what nescio prints, and in files like it.
LISTS = ("citations", "quotes", "hits", "chunks", "passages")
_UNITS = (
    (Unit.CODE_POINTS, "start", "end"),
    (Unit.BYTES, "start_byte", "end_byte"),
    (Unit.UTF16, "start_utf16", "end_utf16"),
    (Unit.LINES, "start_line", "end_line"),
)


def read_citations(data: bytes, name: str) -> tuple[Citation, ...]:
    """The citations in a file called `name`, in its order.

    The ending of the name says what it is (`.md` and `.markdown`; `.json`; `.jsonl` and `.ndjson`); with another it is JSON
    where it starts like it, else Markdown. Raises UsageFault: `cite-syntax`, naming the line, and `cite-none`.
    """
    text = _decoded(data, name)
    found = tuple(_read(text, name))
    if not found:
        hint = "Give JSON, JSON lines, or Markdown with quoted words and links to their files."
        raise UsageFault("cite-none", f"{name} holds no citation.", hint)
    return found


def _read(text: str, name: str) -> Iterator[Citation]:
    if _is_markdown(text, name):
        return markdown.citations(text, name)
    return _lines(text, name) if is_lines(text, name) else _value(_parsed(text, name, 1), _Place(name))


def _is_markdown(text: str, name: str) -> bool:
    if name.lower().endswith((*_JSON_LINES, *_JSON)):
        return False
    return name.lower().endswith(_MARKDOWN) or not text.lstrip().startswith(("{", "["))


def is_lines(text: str, name: str) -> bool:
    """Whether a file that is JSON has a value a line, by its name, else by its look."""
    return name.lower().endswith(_JSON_LINES) or (not name.lower().endswith(_JSON) and _looks_like_lines(text))


def _looks_like_lines(text: str) -> bool:
    """Whether the first line with something is JSON by itself and there are more: one value a line."""
    lines = [line for line in LINE_END.split(text) if line.strip()]
    if len(lines) < 2:
        return False
    try:
        json.loads(lines[0])
    except (ValueError, RecursionError):
        return lines[0].lstrip().startswith("{") and lines[0].rstrip().endswith("}")
    return True


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        message = f"{name}, line {line}, is not UTF-8: byte {error.start} is 0x{data[error.start]:02X}."
        raise UsageFault("cite-syntax", message, "Save the file as UTF-8.") from error


def _lines(text: str, name: str) -> Iterator[Citation]:
    for number, line in enumerate(LINE_END.split(text), 1):
        if line.strip():
            yield from _value(_parsed(line, name, number), _Place(f"{name}, line {number}", number))


def _parsed(text: str, name: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"{name}, line {line + error.lineno - 1}, is not JSON: {error.msg} (column {error.colno})."
        raise UsageFault("cite-syntax", message, "Write JSON, or one JSON value a line in a .jsonl file.") from error
    except (ValueError, RecursionError) as error:
        message = f"{name}, line {line}, is not JSON that can be read: it is nested too deep or has too long a number."
        raise UsageFault("cite-syntax", message, "Write JSON, or one JSON value a line in a .jsonl file.") from error


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a JSON value was read: said for people, and the line with the keys from its value on."""

    said: str
    line: int = 1
    keys: tuple[str | int, ...] = ()

    def below(self, key: str | int, said: str) -> _Place:
        return _Place(f"{self.said}, {said}", self.line, (*self.keys, key))


def _value(value: Any, place: _Place) -> Iterator[Citation]:
    """The citations of one JSON value: a list of them, an object that has such a list, or one citation."""
    if isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _object(entry, place.below(number, f"entry {number + 1}"))
    else:
        yield from _object(value, place)


def _object(value: Any, place: _Place) -> Iterator[Citation]:
    if not isinstance(value, dict):
        raise _wrong(place.said, "is no JSON object")
    if isinstance(value.get("cases"), list):
        yield from _cases(value["cases"], place)
    elif names := [name for name in LISTS if isinstance(value.get(name), list)]:
        for name in names:
            yield from _entries(value[name], place.below(name, name))
    else:
        yield from _by_file(value, place)


def _entries(entries: list[Any], place: _Place) -> Iterator[Citation]:
    for number, entry in enumerate(entries):
        below = place.below(number, f"entry {number + 1}")
        if not isinstance(entry, dict):
            raise _wrong(below.said, "is no JSON object")
        yield from _by_file(entry, below)


def _by_file(entry: Mapping[str, Any], place: _Place) -> Iterator[Citation]:
    """A citation; of a quote that has ranges of several files, one for each run of ranges of a file, in the order of the quote.

    The hash and the id of the whole are nothing that a part could be checked by.
    """
    spans = _spans(entry, place.said)
    runs = [list(run) for _, run in groupby(spans, key=lambda span: (span.get("path"), span.get("document_sha256")))]
    if len(runs) <= 1:
        yield citation_of(entry, place)
        return
    whole = _text(entry, "text", place.said)
    texts = _parts(whole, runs) if entry.get("basis") in (None, "verbatim") else None
    first = 0
    for number, run in enumerate(runs):
        told = {**entry, "spans": run, "text": texts[number] if texts else None, "passage_id": None, "quote_sha256": None}
        told.update((name, run[0][name]) for name in ("path", "document_sha256") if run[0].get(name))
        yield replace(citation_of(told, place), first_span=first, is_aside=told.get("path") != entry.get("path"))
        first += len(run)


def _parts(text: str | None, runs: Sequence[Sequence[Mapping[str, Any]]]) -> list[str] | None:
    """The text in parts, one for each run, by the lengths that the ranges have in code points; None where these do not fit."""
    told = [(span.get("start"), span.get("end")) for run in runs for span in run]
    if text is None or not all(isinstance(start, int) and isinstance(end, int) for start, end in told):
        return None
    ends = list(accumulate(sum(int(span["end"]) - int(span["start"]) for span in run) for run in runs))
    return [text[start:end] for start, end in pairwise([0, *ends])] if ends[-1] == len(text) else None


def _cases(cases: list[Any], place: _Place) -> Iterator[Citation]:
    """The quotes that an evaluation's questions expect."""
    for number, case in enumerate(cases, 1):
        for expected in _listed(case, "expect"):
            for quote in _listed(expected, "quotes"):
                told = {"text": quote, "path": next(iter(_listed(expected, "pages")), expected.get("path"))}
                yield citation_of(told, _Place(f"{place.said}, case {number}"), is_loose=True)


def _listed(value: Any, name: str) -> list[Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def citation_of(entry: Mapping[str, Any], place: _Place, *, is_loose: bool = False) -> Citation:
    """One citation from its JSON object. Raises UsageFault (`cite-syntax`) where a value is none that it may have."""
    where = place.said
    ranges = [_ranges(span, where) for span in _spans(entry, where)]
    is_shown = entry.get("basis") not in (None, "verbatim")
    text, passage_id = _text(entry, "text", where), _text(entry, "passage_id", where)
    pieces = _pieces([one for one in ranges if one], text, is_shown=is_shown)
    if not pieces and passage_id is None:
        raise _wrong(where, "has no text, no range and no id")
    return Citation(
        where,
        pieces,
        text,
        source=_text(entry, "source", where),
        path=_text(entry, "path", where),
        page_path=_text(entry, "page_path", where),
        passage_id=passage_id,
        document_sha256=_text(entry, "document_sha256", where),
        quote_sha256=_text(entry, "quote_sha256", where),
        is_loose=is_loose,
        is_shown=is_shown,
        line=place.line,
        keys=place.keys,
    )


def _spans(entry: Mapping[str, Any], where: str) -> list[Mapping[str, Any]]:
    """The objects that have the ranges: those in `spans`, else the citation itself."""
    spans = entry.get("spans")
    if spans is None:
        return [entry]
    if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
        raise _wrong(where, "has `spans` that are no list of ranges")
    return spans


def _pieces(ranges: list[tuple[Range, ...]], text: str | None, *, is_shown: bool) -> tuple[Piece, ...]:
    """One piece for each range. Of several, words can be told apart by their lengths, if they are the file's own."""
    if len(ranges) <= 1:
        return (Piece(ranges[0] if ranges else (), text),) if ranges or text is not None else ()
    lengths = [next((one.end - one.start for one in some if one.unit is Unit.CODE_POINTS), -1) for some in ranges]
    if text is None or is_shown or min(lengths) < 0 or sum(lengths) != len(text):
        return tuple(Piece(some) for some in ranges)
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    return tuple(Piece(some, text[start : start + length]) for some, start, length in zip(ranges, starts, lengths, strict=True))


def _ranges(entry: Mapping[str, Any], where: str) -> tuple[Range, ...]:
    found = []
    for unit, first, last in _UNITS:
        told = entry.get(first), entry.get(last)
        if told == (None, None):
            continue
        start, end = (_offset(value, where, f"`{first}` or `{last}`") for value in _both(told, unit))
        if start > end or (unit is Unit.LINES and start < 1):
            raise _wrong(where, f"has a range that is none: `{first}` {start}, `{last}` {end}")
        found.append(Range(unit, start, end))
    return tuple(found)


def _both(told: tuple[Any, Any], unit: Unit) -> tuple[Any, Any]:
    """A first line alone is one line."""
    return (told[0], told[0]) if told[1] is None and unit is Unit.LINES else told


def _offset(value: Any, where: str, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _wrong(where, f"has a {name} that is no whole number from 0")
    return value


def _text(entry: Mapping[str, Any], name: str, where: str) -> str | None:
    value = entry.get(name)
    if value is not None and not isinstance(value, str):
        raise _wrong(where, f"has a `{name}` that is no text")
    return None if name != "text" and value == "" else value


def _wrong(where: str, what: str) -> UsageFault:
    return UsageFault("cite-syntax", f"{where}, {what}.", _HINT)
