"""Do passages and citations hold on documents that are made to break them?

    python benchmarks/citations.py [--documents 10000] [--seed 0]

Makes documents with every line end, byte order marks, emoji, combining marks, CJK, NFD, tabs, nested fences and tables; cuts
each by every unit; cites a passage of it rightly, and in every way in which other programs get it wrong. Prints how often each
was caught and named. Exit code: 0 when nothing was missed and nothing right was called wrong, else 1.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from nescio.citations.chunking import Chunk, chunk
from nescio.citations.claims import Citation, CitationCheck, Located, Piece, Problem, Range
from nescio.citations.comparing import Comparison
from nescio.citations.library import Address, Library
from nescio.citations.locating import Searched
from nescio.citations.measure import Unit
from nescio.config.model import Limits, Secrets
from nescio.domain.documents import Document
from nescio.errors import UsageFault

FRAGMENTS = (
    "Refunds are issued within 14 days.",
    "Never send it back opened.",
    "# Heading {#id}",
    "- item\n  - nested\n\tand a tab",
    "```py\nx = 1\n```",
    "````md\n```\ninner\n```\n````",
    "| a | b |\n|---|---|\n| 1 | \u5171\u6709 |",
    "\u5171\u6709\u3059\u308b\u3002\u6b21\u306e\u6587\u3002",
    "\U0001f91d shake \U0001f469\u200d\U0001f4bb",
    "cafe\u0301 cre\u0300me",
    "caf\u00e9 cr\u00e8me",
    "\uac00\ub098 \u1100\u1161",
    "a\u0323\u0307b",
    "> quoted\n> twice",
    "\ttabbed\tcells",
    "line\u2028separator",
    "form\x0cfeed",
    "<b>html</b>",
    "word",
    "x\u00a0y",
    "\U0001f469\U0001f3fd",
)
LINE_ENDS = ("\n", "\r\n", "\r")
UNITS = ("characters", "words", "sentences", "tokens", "blocks")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A citation that is wrong in one way, and what that is called."""

    kind: str
    piece: Piece
    expected: Problem


def document(random: Random) -> str:
    """A text of some fragments, with one or several kinds of line ends, perhaps with a byte order mark."""
    parts = [random.choice(FRAGMENTS) for _ in range(random.randint(1, 12))]
    text = "\n\n".join(f"{part} {random.randint(0, 99)}" if random.random() < 0.5 else part for part in parts)
    ends = LINE_ENDS if random.random() < 0.2 else (random.choice(LINE_ENDS),)
    text = "".join(random.choice(ends) if character == "\n" else character for character in text)
    return (_BOM if random.random() < 0.3 else "") + text


def halves(text: str) -> Iterator[tuple[int, int]]:
    """A tokenizer: two characters each."""
    return ((at, min(at + 2, len(text))) for at in range(0, len(text), 2))


def cut(text: str, unit: str, random: Random) -> tuple[Chunk, ...]:
    """Passages of a random size and overlap; none where such a text may not be cut so."""
    size = random.randint(1, 8)
    try:
        return chunk(
            text,
            unit=unit,
            size=size,
            overlap=random.randint(0, size // 2),
            tokenizer=halves if unit == "tokens" else None,
            path="page.md",
        )
    except UsageFault as fault:
        if fault.code in ("chunk-no-text", "chunk-too-much-overlap"):
            return ()
        raise


def is_exact(one: Chunk, text: str) -> bool:
    """Whether a passage is its slice in every unit, by another way of counting than that of the product."""
    data, place = text.encode("utf-8"), one.place
    wide = text.encode("utf-16-le")
    before, words = text[: place.start], one.text
    first_line = 1 + len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1
    if before.endswith("\r") and words.startswith("\n"):
        first_line -= 1
    return (
        text[place.start : place.end] == words
        and data[place.start_byte : place.end_byte].decode() == words
        and wide[2 * place.start_utf16 : 2 * place.end_utf16].decode("utf-16-le") == words
        and place.start_line == first_line
        and one.document_sha256 == hashlib.sha256(data).hexdigest()
        and one.quote_sha256 == hashlib.sha256(words.encode()).hexdigest()
    )


def right(one: Chunk) -> Piece:
    """The citation of a passage as it is, in every unit."""
    place = one.place
    ranges = (
        Range(Unit.CODE_POINTS, place.start, place.end),
        Range(Unit.BYTES, place.start_byte, place.end_byte),
        Range(Unit.UTF16, place.start_utf16, place.end_utf16),
        Range(Unit.LINES, place.start_line, place.end_line),
    )
    return Piece(ranges, one.text)


def _at(start: int, end: int, words: str) -> Piece:
    return Piece((Range(Unit.CODE_POINTS, start, end),), words)


def wrongs(one: Chunk, text: str) -> Iterator[Wrong]:
    """The passage cited wrongly in every way that makes it wrong in this text."""
    for wrong in _miscounted(one, text):
        told = wrong.piece.ranges[0]
        if text[told.start : told.end] != wrong.piece.text:
            yield wrong


def _miscounted(one: Chunk, text: str) -> Iterator[Wrong]:
    place, words = one.place, one.text
    for by in (-1, 1):
        if place.start + by >= 0:
            yield Wrong("shift", _at(place.start + by, place.end + by, words), Problem.OFF_BY_ONE)
    if (place.start_utf16, place.end_utf16) != (place.start, place.end):
        yield Wrong("utf16", _at(place.start_utf16, place.end_utf16, words), Problem.UTF16_UNITS)
    if (place.start_byte, place.end_byte) != (place.start, place.end):
        yield Wrong("bytes", _at(place.start_byte, place.end_byte, words), Problem.BYTES_AS_CHARACTERS)
    if text.startswith(_BOM) and place.start > 0:
        yield Wrong("mark", _at(place.start - 1, place.end - 1, words), Problem.BOM_DROPPED)
    yield from _read_otherwise(one, text, "line ends", Problem.CRLF_NORMALISED)
    yield from _read_otherwise(one, text, "NFC", Problem.NFC_NFD)
    yield from _read_otherwise(one, text, "NFD", Problem.NFC_NFD)


def _read_otherwise(one: Chunk, text: str, how: str, problem: Problem) -> Iterator[Wrong]:
    """Offsets and words of a text that was read otherwise, where the passage does not begin or end inside of what changed."""
    before, words, after = text[: one.place.start], one.text, text[one.place.end :]
    read = [_changed(part, how) for part in (before, words, after)]
    if "".join(read) != _changed(text, how) or (read[0] == before and read[1] == words):
        return
    start = len(read[0])
    yield Wrong(how, _at(start, start + len(read[1]), read[1]), problem)


def _changed(text: str, how: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if how == "line ends" else unicodedata.normalize(how, text)  # type: ignore[arg-type]


def is_named(wrong: Wrong, found: Located, one: Chunk, text: str) -> bool:
    """Whether the cause is named.

    Another name is right too where a program with that fault gives the very same figures, for these words or for the same words
    in another place.
    """
    if wrong.expected in found.problems or found.count > 1:
        return True
    own = one.place.start, one.place.end
    if found.found_at is not None and found.found_at != own and text[slice(*found.found_at)] == wrong.piece.text:
        return bool(found.problems)
    told = wrong.piece.ranges[0].start, wrong.piece.ranges[0].end, wrong.piece.text
    same = {
        other.expected
        for other in wrongs(one, text)
        if (other.piece.ranges[0].start, other.piece.ranges[0].end, other.piece.text) == told
    }
    return bool(same.intersection(found.problems))


def examine(text: str, random: Random) -> Iterator[tuple[str, bool, str]]:
    """Each thing that was tried on a text: its kind, whether it came out right, and what is to be seen where not."""
    searched = Searched(Document.from_bytes("", "page.md", text.encode("utf-8")))
    for unit in UNITS:
        chunks = cut(text, unit, random)
        for one in chunks:
            yield f"cut by {unit}", is_exact(one, text), repr((text, one))
        if not chunks:
            continue
        one = random.choice(chunks)
        if not one.text.strip():
            continue
        found = searched.locate(right(one), is_loose=False)
        yield "right", not found.problems and found.found_at == (one.place.start, one.place.end), repr((text, one, found))
        yield from _versions(one, text, document(random))
        for wrong in wrongs(one, text):
            found = searched.locate(wrong.piece, is_loose=False)
            yield f"{wrong.kind}, caught", bool(found.problems), repr((text, wrong, found))
            yield f"{wrong.kind}, named", is_named(wrong, found, one, text), repr((text, wrong, found))


def _versions(one: Chunk, text: str, other: str) -> Iterator[tuple[str, bool, str]]:
    """The whole citation, beside its document as it was and beside another that took its place."""
    citation = Citation("x", (right(one),), one.text, "", "page.md", None, one.passage_id, one.document_sha256)
    same, swapped = (_beside(version, citation) for version in (text, other))
    yield "right, with hash and id", same.is_ok, repr((text, one, same))
    if other != text:
        yield "version, named", Problem.OTHER_VERSION in swapped.problems, repr((text, other, swapped))


def _beside(text: str, citation: Citation) -> CitationCheck:
    document = Document.from_bytes("", "page.md", text.encode("utf-8"))
    return Comparison(document, Address(0, "page.md"), Library((), Limits(), Secrets())).check(citation)


def main() -> int:
    """Run it and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    started = time.monotonic()
    for number in range(options.documents):
        random = Random(options.seed * 1_000_003 + number)
        for kind, is_right, shown in examine(document(random), random):
            tried[kind] += 1
            if not is_right:
                missed[kind] += 1
                if missed[kind] <= 3:
                    print(f"{kind}: {shown}", file=sys.stderr)
    print(f"{options.documents} documents, {time.monotonic() - started:.0f} s")
    for kind in sorted(tried):
        print(f"{kind:24} {tried[kind]:9,} tried {missed[kind]:7,} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
