"""Is a quote what stands in the file? Checked from the file on disk alone, with none of nescio's code.

A quote is checked as the JSON of an answer gives it. The bytes named by `start_byte` and `end_byte` are taken as the claim;
every other unit, the lines, the hashes and the text are derived from the file again and compared.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

Json = Mapping[str, Any]
_WORD = re.compile(r"\w+")
_TAG = re.compile(r"<[^<>]*>")
# Tags that part words, spaces or none.
_BLOCK = re.compile(
    r"</?(?:blockquote|br|caption|d[dlt]|div|figcaption|figure|h[1-6r]|li|ol|option|p|pre|section|summary|t[dhr]|table|"
    r"tbody|tfoot|thead|ul)\b[^<>]*>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is on disk. `line_ends` are the code points that end a line: LF, CR, or the LF of a CRLF."""

    data: bytes
    encoding: str
    sha256: str
    line_ends: Sequence[int]

    def line_of(self, offset: int) -> int:
        """The 1-based line of a code point."""
        return bisect_left(self.line_ends, offset) + 1

    def text(self, start: int, end: int) -> str:
        """The bytes from `start` to `end` as text. Raises UnicodeDecodeError where a character is cut."""
        return self.data[start:end].decode(self.encoding)


def read(path: Path) -> File:
    """Read a file. Raises OSError."""
    return _read(os.path.normpath(path))


@lru_cache(maxsize=64)
def _read(path: str) -> File:
    data = Path(path).read_bytes()
    encoding = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(data[:2], "utf-8")
    # The same length: a CRLF becomes one character that is no line end, and the line end.
    flat = data.decode(encoding).replace("\r\n", "\0\n").replace("\r", "\n")
    ends = [at for at, letter in enumerate(flat) if letter == "\n"]
    return File(data, encoding, hashlib.sha256(data).hexdigest(), ends)


def failures(quote: Json, root: Path) -> list[str]:
    """What is wrong with a quote from files below `root`, the source's folder; empty when all is right."""
    try:
        return [f"{quote['path']}: {wrong}" for wrong in _failures(quote, root)]
    except (OSError, UnicodeDecodeError) as error:
        return [f"{quote['path']}: {error}"]


def _failures(quote: Json, root: Path) -> Iterator[str]:
    if quote["document_sha256"] != read(root / quote["path"]).sha256:
        yield "document_sha256 is not the file's"
    if not quote["spans"]:
        yield "there is no span"
    slices: list[bytes] = []
    text = ""
    for path, group in groupby(quote["spans"], key=itemgetter("path")):
        file, spans = read(root / path), list(group)
        own = [file.data[span["start_byte"] : span["end_byte"]] for span in spans]
        if not all(own):
            yield f"a span is empty or outside of {path}"
        if any(span["document_sha256"] != file.sha256 for span in spans):
            yield f"a span's document_sha256 is not that of {path}"
        for span in spans:
            yield from _span_failures(span, file)
        if any(after["start_byte"] < before["end_byte"] for before, after in pairwise(spans)):
            yield "spans overlap or are out of order"
        slices += own
        text += "".join(part.decode(file.encoding) for part in own)
    if quote["quote_sha256"] != hashlib.sha256(b"".join(slices)).hexdigest():
        yield "quote_sha256 is not of the spans' bytes"
    for mark in quote["highlights"]:
        yield from _span_failures(mark, read(root / mark["path"]))
        if not any(_is_inside(mark, span) for span in quote["spans"]):
            yield f"the highlight {mark['start']}-{mark['end']} of {mark['path']} is not in the quote"
    yield from _text_failures(quote, text)


def _is_inside(mark: Json, span: Json) -> bool:
    return mark["path"] == span["path"] and span["start_byte"] <= mark["start_byte"] and mark["end_byte"] <= span["end_byte"]


def _span_failures(span: Json, file: File) -> Iterator[str]:
    before = file.text(0, span["start_byte"])
    inside = file.text(span["start_byte"], span["end_byte"])
    start, end = len(before), len(before) + len(inside)
    start_utf16 = _utf16(before)
    right = {
        "start": start,
        "end": end,
        "start_line": file.line_of(start),
        "end_line": file.line_of(max(start, end - 1)),
        "start_utf16": start_utf16,
        "end_utf16": start_utf16 + _utf16(inside),
    }
    for unit, value in right.items():
        if span[unit] != value:
            yield f"{unit} is {span[unit]}, should be {value} (bytes {span['start_byte']}-{span['end_byte']})"


def _text_failures(quote: Json, stored: str) -> Iterator[str]:
    text = quote["text"]
    if not text.strip():
        yield "the text is blank"
    elif quote["basis"] == "verbatim":
        if text != stored:
            yield "the text of a verbatim quote is not the bytes decoded"
    elif missing := sorted(set(_WORD.findall(text)) - _words_in(stored)):
        yield f"words of a decoded text are not in the cited bytes: {', '.join(missing[:5])}"


def _words_in(stored: str) -> set[str]:
    """The words that are in cited text once tags, entities and JSON escapes are undone, one or all of them."""
    unescaped = re.sub(r"\\u[0-9a-fA-F]{4}|\\.", _unescaped, stored)
    bare = (html.unescape(one) for one in (_TAG.sub(" ", stored), _TAG.sub("", _BLOCK.sub(" ", stored))))
    forms = (stored, unescaped, html.unescape(stored), *bare)
    return {word for form in forms for word in _WORD.findall(form)}


def _unescaped(match: re.Match[str]) -> str:
    try:
        return str(json.loads(f'"{match.group()}"'))
    except ValueError:
        return match.group()


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def passage_id(source: str, path: str, sha256: str, start: int, end: int) -> str:
    """The id that a passage must have: 26 characters of the base32 SHA-256 of its five parts, each ended by a NUL."""
    said = f"{source}\0{path}\0{sha256}\0{start}\0{end}\0".encode()
    return base64.b32encode(hashlib.sha256(said).digest()).decode()[:26].lower()
