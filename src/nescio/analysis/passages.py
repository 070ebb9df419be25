"""From the visible text of a passage's blocks to its terms, sentence by sentence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from nescio.analysis.sentences import sentences
from nescio.analysis.tokens import Analyzer
from nescio.domain.documents import Block, BlockKind
from nescio.domain.terms import MAX_POSITION, PassageTerms, Sentence

_PATH_JOINTS = re.compile(r"[/_-]+")
PARAGRAPH_GAP = 3  # words: a window may reach over a paragraph's end at this price (evidence: +3)

# "See ...", "Refer to ...", "For more information ...", "For an example ...", "To learn more ...", "Related: ..."
_REFERS = re.compile(
    r"\W*(?:see\b(?: also\b)?|refer to\b|(?:for|to (?:find|get|see|read)) (?:more|further|additional|other|detailed) |"
    r"for (?:details|examples|instructions|an? (?:example|description|list))\b|for information (?:about|on)\b|"
    r"(?:to )?learn (?:more|about|how)\b|more (?:information|details)\b|read more\b|related\b)",
    re.IGNORECASE,
)

_COUNTS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)te?en|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|dozens?|zero|once|twice|"
    r"single|unlimited|no (?:limit|maximum|minimum))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that is wholly link text or wholly not."""

    text: str
    link: bool


def written_words(analyzer: Analyzer, blocks: Iterable[tuple[Block, str]]) -> set[str]:
    """The words of `blocks` as written (`Analyzer.written`)."""
    chunks: set[str] = set()
    for block, text in blocks:
        chunks.update("".join(run.visible(text) for run in block.runs).split())
    return analyzer.written(chunks)


def passage_terms(
    analyzer: Analyzer, blocks: Sequence[tuple[Block, str]], heading_path: Sequence[str], title: str, path: str
) -> PassageTerms:
    """The terms of `blocks`, each with the text that its spans count in. Heading blocks are not part of the body.

    `path` is the page's file: its words count as standing above the passage, like `title` and the headings over its own.
    """
    body = _Body(analyzer)
    for block, text in blocks:
        if block.kind is not BlockKind.HEADING and (block.include is None or block.runs):
            body.add(block, text)
    own, above = list(heading_path[-1:]), heading_path[:-1]
    return PassageTerms(
        dict(body.places),
        tuple(body.sentences),
        tuple(body.paragraphs),
        _terms(analyzer, own),
        _terms(analyzer, ["" if own == [title] else title, *above, _PATH_JOINTS.sub(" ", path.rpartition(".")[0])]),
        _terms(analyzer, [title]),
    )


class _Body:
    """The words of a passage while they are placed."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.places: defaultdict[str, list[int]] = defaultdict(list)
        self.sentences: list[Sentence] = []
        self.paragraphs: list[int] = []
        self._analyzer = analyzer
        self._position = 0

    def add(self, block: Block, text: str) -> None:
        """Place a block's words, sentence by sentence, as far as positions go."""
        start = self._position
        self.paragraphs.append(min(start, MAX_POSITION))
        for sentence in _sentences(block, text, self._analyzer.language):
            if self._position > MAX_POSITION:
                return
            self._add_sentence(sentence)
        if self._position > start:
            self._position += PARAGRAPH_GAP

    def _add_sentence(self, pieces: Sequence[_Piece]) -> None:
        start, places = self._position, self.places
        for piece in pieces:
            tokens = self._analyzer.tokens(piece.text)[: MAX_POSITION + 1 - self._position]
            place = self._position * 2 + piece.link
            for token in tokens:
                for term in token:
                    places[term].append(place)
                place += 2
            self._position += len(tokens)
        if self._position > start:
            text = "".join(piece.text for piece in pieces)
            self.sentences.append(Sentence(start, _REFERS.match(text) is not None, _COUNTS.search(text) is not None))


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
            yield _joined(found)
            found, row = [], following
        apart = " " if text[end : run.span.start] not in ("", "\\") else ""
        found.append(_Piece(apart + run.visible(text), run.link))
        end = run.span.end
    yield _joined(found)


def _joined(pieces: Sequence[_Piece]) -> list[_Piece]:
    groups = groupby(pieces, key=lambda piece: piece.link)
    return [_Piece("".join(piece.text for piece in group), link) for link, group in groups]


def _segments(pieces: Sequence[_Piece], language: str) -> Iterator[list[_Piece]]:
    whole = "".join(piece.text for piece in pieces)
    if not any(piece.link for piece in pieces):
        for sentence in sentences(whole, language):
            yield [_Piece(sentence, False)]
        return
    stretches = list(_stretches(pieces))
    start = first = 0
    for sentence in sentences(whole, language):
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
