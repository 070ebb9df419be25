"""Writes new places into a file of stored passages, and leaves every other character of it as it was."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from nescio.citations.verifying import Renewed, StoredPassage
from nescio.domain.spans import LINE_END, Place, Span

_Keys = tuple[str | int, ...]
# A string, a sign, or a number or name. The scanner is only given what json has read.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
_PAIRS = (("start", "end"), ("start_line", "end_line"), ("start_byte", "end_byte"), ("start_utf16", "end_utf16"))
_PLACE_FIELDS = tuple(name for pair in _PAIRS for name in pair)
_HASH = "document_sha256"
_WHOLE = re.compile(r"\d{1,15}")


def renewed(text: str, stored: Sequence[StoredPassage], *, is_lines: bool) -> str:
    """`text` with the places of all moved passages as they are now.

    Offsets, lines, `document_sha256` and `passage_id` are replaced where they are told, those of the `highlights` inside of
    what moved too; nothing is added, and nothing else is changed. `is_lines`: each line is a value.
    """
    edits: dict[Span, str] = {}
    moved: defaultdict[int, list[StoredPassage]] = defaultdict(list)
    for one in stored:
        if one.renewed is not None:
            moved[one.citation.line].append(one)
    for line, start, end in _values(text, is_lines=is_lines):
        if line in moved:
            scalars = _scalars(text, start, end)
            for one in moved[line]:
                edits.update(_edits(text, scalars, one))
    at, pieces = 0, []
    for span, new in sorted(edits.items()):
        pieces += [text[at : span.start], new]
        at = span.end
    return "".join((*pieces, text[at:]))


def _values(text: str, *, is_lines: bool) -> Iterator[tuple[int, int, int]]:
    """The line, start and end of each JSON value."""
    if not is_lines:
        yield 1, 0, len(text)
        return
    start = 0
    for line, match in enumerate(LINE_END.finditer(text), 1):
        yield line, start, match.start()
        start = match.end()
    yield 1 + len(LINE_END.findall(text)), start, len(text)


def _edits(text: str, scalars: Mapping[_Keys, Span], one: StoredPassage) -> Iterator[tuple[Span, str]]:
    keys = one.citation.keys
    if one.renewed is None:
        return
    for name, value in _fields(one.renewed):
        if (*keys, name) in scalars and not one.citation.is_aside:
            yield scalars[*keys, name], json.dumps(value)
    for number, place in enumerate(one.renewed.places, one.citation.first_span):
        below = (*keys, "spans", number)
        holder = below if any((*below, name) in scalars for name in _PLACE_FIELDS) else keys
        for name, offset in _offsets(place):
            if (*holder, name) in scalars:
                yield scalars[*holder, name], str(offset)
        within = [below, *_highlights(text, scalars, keys, below)]
        yield from ((scalars[*at, _HASH], json.dumps(one.renewed.document_sha256)) for at in within if (*at, _HASH) in scalars)
        for at in within[1:]:
            yield from _moved(text, scalars, (below, at), place)


def _highlights(text: str, scalars: Mapping[_Keys, Span], keys: _Keys, around: _Keys) -> Iterator[_Keys]:
    """The highlights of a quote that lie inside of one of its ranges."""
    outer, path = _range(text, scalars, around), _told(text, scalars, (*around, "path"))
    number = 0
    while (*keys, "highlights", number, "start") in scalars:
        at = (*keys, "highlights", number)
        inner = _range(text, scalars, at)
        if outer and inner and inner.is_within(outer) and _told(text, scalars, (*at, "path")) == path:
            yield at
        number += 1


def _range(text: str, scalars: Mapping[_Keys, Span], at: _Keys) -> Span | None:
    start, end = (_number(text, scalars, (*at, name)) for name in ("start", "end"))
    return Span(start, end) if start is not None and end is not None and start <= end else None


def _moved(text: str, scalars: Mapping[_Keys, Span], places: tuple[_Keys, _Keys], now: Place) -> Iterator[tuple[Span, str]]:
    """The offsets of the second of `places`, which lies inside of the first, once that is at `now`."""
    around, inside = places
    for first, last in _PAIRS:
        before = _number(text, scalars, (*around, first))
        for name in (first, last):
            old = _number(text, scalars, (*inside, name))
            if before is not None and old is not None:
                yield scalars[*inside, name], str(old - before + getattr(now, first))


def _told(text: str, scalars: Mapping[_Keys, Span], at: _Keys) -> str | None:
    return scalars[at].of(text) if at in scalars else None


def _number(text: str, scalars: Mapping[_Keys, Span], at: _Keys) -> int | None:
    told = _told(text, scalars, at)
    return int(told) if told is not None and _WHOLE.fullmatch(told) else None


def _fields(new: Renewed) -> Iterator[tuple[str, str]]:
    yield "document_sha256", new.document_sha256
    yield "passage_id", new.passage_id


def _offsets(place: Place) -> Iterator[tuple[str, int]]:
    return ((name, getattr(place, name)) for name in _PLACE_FIELDS)


def _scalars(text: str, start: int, end: int) -> dict[_Keys, Span]:
    """The exact range of each string, number and name in a JSON value, by the keys that lead to it."""
    found: dict[_Keys, Span] = {}
    keys: list[str | int] = []
    is_key = False
    for match in _TOKEN.finditer(text, start, end):
        sign = match.group()
        if sign in ("{", "["):
            is_key = sign == "{"
            keys.append("" if is_key else 0)
        elif sign in ("}", "]"):
            keys.pop()
            is_key = False
        elif sign == ",":
            last = keys[-1]
            is_key = isinstance(last, str)
            keys[-1] = last if isinstance(last, str) else last + 1
        elif sign == ":":
            is_key = False
        elif is_key:
            keys[-1] = json.loads(sign)
        else:
            found[tuple(keys)] = Span(match.start(), match.end())
    return found
