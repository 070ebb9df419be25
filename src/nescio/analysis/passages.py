"""From the visible text of a passage's blocks to its terms, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sentencex import segment

from nescio.analysis.tokens import Analyzer
from nescio.domain.documents import Block, BlockKind
from nescio.domain.terms import MAX_POSITION, PassageTerms, Sentence

PARAGRAPH_GAP = 3  # words: a window may reach over a paragraph's end at this price (evidence: +3)
LONGEST_SENTENCE = 20_000  # code points given to the segmenter at once; longer text is cut at a space before

_REFERS = re.compile(
    r"\W*(?:see(?: also)?|refer to|(?:for|to (?:find|get|see|read)) (?:more|further|additional|other|detailed) |for (?:an? )?(?:details|examples?|"
    r"instructions|descriptions?|lists?)\b|for information (?:about|on)\b|(?:to )?learn (?:more|about|how)\b|more (?:information|details)\b|read more\b|related\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that is wholly link text or wholly not."""

    text: str
    link: bool


def surface_words(analyzer: Analyzer, blocks: Iterable[tuple[Block, str]]) -> set[str]:
    """The words of `blocks` as written, where they differ from their terms (`Analyzer.surfaces`)."""
    chunks: set[str] = set()
    for block, text in blocks:
        chunks.update("".join(run.visible(text) for run in block.runs).split())
    return analyzer.surfaces(chunks)


def passage_terms(
    analyzer: Analyzer, blocks: Sequence[tuple[Block, str]], heading_path: Sequence[str], title: str, path: str
) -> PassageTerms:
    """The terms of `blocks`, each with the text that its spans count in. Heading blocks are not part of the body."""
    places: dict[str, list[int]] = {}
    sentences: list[Sentence] = []
    paragraphs: list[int] = []
    position = 0
    for block, text in blocks:
        start = position
        for sentence in _sentences(block, text, analyzer.language):
            before = position
            position = _place(analyzer, sentence, position, places)
            if position > before:
                sentences.append(Sentence(before, bool(_REFERS.match("".join(piece.text for piece in sentence)))))
            if position > MAX_POSITION:
                break
        if block.kind is not BlockKind.HEADING and (block.include is None or block.runs):
            paragraphs.append(start)
        if position > start:
            position += PARAGRAPH_GAP
        if position > MAX_POSITION:
            break
    own, above = heading_path[-1:], heading_path[:-1]
    return PassageTerms(
        places,
        tuple(sentences),
        tuple(paragraphs),
        _terms(analyzer, own),
        _terms(analyzer, _above(above, own, title, path)),
        _terms(analyzer, [title]),
    )


import os
def _above(above, own, title, path):
    mode=os.environ.get("NX","B")
    heads=[title, *above] if not own or own[0] != title else list(above)
    words=[path.rpartition(".")[0].replace("/"," ").replace("_"," ").replace("-"," ")]
    return heads if mode=="A" else words if mode=="C" else [*heads,*words]


def _place(analyzer: Analyzer, sentence: Sequence[_Piece], position: int, places: dict[str, list[int]]) -> int:
    for piece in sentence:
        for token in analyzer.tokens(piece.text):
            if position > MAX_POSITION:
                return position
            for term in token:
                places.setdefault(term, []).append(position * 2 + piece.link)
            position += 1
    return position


def _terms(analyzer: Analyzer, texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for text in texts for token in analyzer.tokens(text) for term in token))


def _sentences(block: Block, text: str, language: str) -> Iterator[list[_Piece]]:
    """The sentences of one block: lines of code, rows of a table, else what the segmenter finds."""
    if block.kind is BlockKind.HEADING or not block.runs:
        return
    pieces = [_Piece(run.visible(text), run.link) for run in block.runs]
    if block.kind is BlockKind.CODE:
        for line in re.split(r"\r\n|\n|\r", "".join(piece.text for piece in pieces)):
            yield [_Piece(line, False)]
    elif block.kind is BlockKind.TABLE and block.parts:
        yield from _rows(block, text)
    else:
        yield from _segments(pieces, language)


def _rows(block: Block, text: str) -> Iterator[list[_Piece]]:
    """Runs by the row that holds them. Runs that do not touch, but for a backslash, are kept apart."""
    rows = iter(block.parts)
    row = next(rows)
    found: list[_Piece] = []
    end = 0
    for run in block.runs:
        while run.span.start >= row.end and (following := next(rows, None)) is not None:
            if found:
                yield found
                found = []
            row = following
        apart = " " if text[end : run.span.start] not in ("", "\\") else ""
        found.append(_Piece(apart + run.visible(text), run.link))
        end = run.span.end
    if found:
        yield found


def _segments(pieces: Sequence[_Piece], language: str) -> Iterator[list[_Piece]]:
    whole = "".join(piece.text for piece in pieces)
    if not any(piece.link for piece in pieces):
        for sentence in _segment(whole, language):
            yield [_Piece(sentence, False)]
        return
    stretches = list(_stretches(pieces))
    start = first = 0
    for sentence in _segment(whole, language):
        end = start + len(sentence)
        found = []
        while first < len(stretches) and stretches[first][0] < end:
            begin, stop, link = stretches[first]
            found.append(_Piece(whole[max(start, begin) : min(end, stop)], link))
            if stop > end:
                break
            first += 1
        yield found
        start = end


def _stretches(pieces: Sequence[_Piece]) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is link text) of neighbours of one sort joined."""
    end = 0
    for link, group in groupby(pieces, key=lambda piece: piece.link):
        start, end = end, end + sum(len(piece.text) for piece in group)
        yield start, end, link


def _segment(text: str, language: str) -> list[str]:
    """Sentences that joined give `text` again; what the segmenter would not give back whole stays one sentence."""
    found: list[str] = []
    start = 0
    while start < len(text):
        stop = len(text) if len(text) - start <= LONGEST_SENTENCE else text.rfind(" ", start, start + LONGEST_SENTENCE) + 1
        part = text[start : stop if stop > start else start + LONGEST_SENTENCE]
        sentences = segment(language, part)
        found.extend(sentences if "".join(sentences) == part else [part])
        start += len(part)
    return found
