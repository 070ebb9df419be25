"""Where do the units of a text stand that passages are counted in: characters, words, sentences, tokens, blocks?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import overload

from nescio.analysis.sentences import sentence_spans, trimmed
from nescio.analysis.tokens import UNSPACED
from nescio.domain.documents import Block, BlockKind, Document
from nescio.domain.spans import Span
from nescio.errors import UsageFault
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.parsers.plain import parse_plain

# From a text to the ranges of its tokens, in order: (start, end) in code points.
Tokenizer = Callable[[str], Iterable[tuple[int, int]]]

BOM = "\ufeff"
# Where no spaces are written each letter is a word; punctuation and marks stay with the letter before them.
_WORD = re.compile(rf"[{UNSPACED}][^\w\s]*|[^\s{UNSPACED}]+")
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)


class ChunkUnit(StrEnum):
    """What the size of a passage is counted in."""

    CHARACTERS = "characters"
    WORDS = "words"
    SENTENCES = "sentences"
    TOKENS = "tokens"
    BLOCKS = "blocks"


class _Characters(Sequence[Span]):
    """A span for each code point, made when it is asked for: a text has too many to hold."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Span: ...

    @overload
    def __getitem__(self, index: slice) -> list[Span]: ...

    def __getitem__(self, index: int | slice) -> Span | list[Span]:
        found = range(self._length)[index]
        return Span(found, found + 1) if isinstance(found, int) else [Span(at, at + 1) for at in found]


def units(document: Document, unit: ChunkUnit, tokenizer: Tokenizer | None = None) -> Sequence[Span]:
    """The units of a document in order; a byte order mark is part of no word, sentence or block.

    Raises UsageFault (`chunk-tokenizer-failed`) when the tokenizer raises or gives what are no ranges of the text in order.
    """
    if unit is ChunkUnit.CHARACTERS:
        return _Characters(len(document.text))
    if unit is ChunkUnit.WORDS:
        return [Span(match.start(), match.end()) for match in _WORD.finditer(document.text, _text_start(document))]
    if unit is ChunkUnit.TOKENS:
        return _tokens(document.text, tokenizer)
    blocks = _blocks(document)
    return (
        [span for block in blocks for span in _sentences(document, block)]
        if unit is ChunkUnit.SENTENCES
        else [span for block in blocks if (span := _without_mark(document, block.span))]
    )


def _text_start(document: Document) -> int:
    return 1 if document.text.startswith(BOM) else 0


def _without_mark(document: Document, span: Span) -> Span:
    start = max(span.start, _text_start(document))
    return Span(start, max(start, span.end))


def _blocks(document: Document) -> tuple[Block, ...]:
    parse = parser_for(document.path, None, document.text) or parse_plain
    return parse(document).blocks


def _sentences(document: Document, block: Block) -> Iterator[Span]:
    """The sentences of prose; any other block is one, since code and tables have none."""
    span = _without_mark(document, block.span)
    if block.kind not in _PROSE or block.display is not None:
        whole = trimmed(document.text, span)
        yield from [whole] if whole else []
        return
    for found in sentence_spans(span.of(document.text)):
        yield Span(span.start + found.start, span.start + found.end)


def _tokens(text: str, tokenizer: Tokenizer | None) -> list[Span]:
    if tokenizer is None:
        raise UsageFault(
            "chunk-tokenizer-missing",
            "Tokens can only be counted with a tokenizer.",
            "Name one: a module and its function (`package.module:function`), or a file of the library tokenizers.",
        )
    found: list[Span] = []
    try:
        for start, end in tokenizer(text):
            found.append(_token(start, end, found[-1] if found else Span(0, 0), len(text)))
    except Exception as error:
        said = str(error) if isinstance(error, _RangeError) else f"it raised {type(error).__name__}"
        raise _failed(said) from error
    if not found and text.strip():
        raise _failed("it found no token in a text that has words")
    return found


class _RangeError(ValueError):
    """What is no range, or not after the one before it. Says so without a word of the text."""


def _token(start: int, end: int, before: Span, length: int) -> Span:
    """Characters of several tokens (parts of an emoji) have the same range several times."""
    if type(start) is not int or type(end) is not int:
        raise _RangeError("it gave offsets that are no integers")
    if not 0 <= start < end <= length:
        raise _RangeError(f"it gave the range {start} to {end}, which is none of the text's {length} characters")
    if start < before.start or end < before.end:
        raise _RangeError(f"it gave the range {start} to {end} after {before.start} to {before.end}")
    return Span(start, end)


def _failed(said: str) -> UsageFault:
    return UsageFault(
        "chunk-tokenizer-failed",
        f"The tokenizer failed: {said}.",
        "It has to give (start, end) of each token in code points, in the order of the text, none of them empty.",
    )
