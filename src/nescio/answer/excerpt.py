"""Which pieces of a section are shown? All of them where it is short; else those that answer, with all that they hang on.

What is shown never starts in the middle of a procedure, never parts code from the sentence before it, never loses what leads
into a list or a table, or the label of a box, and never ends on a colon or a label.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from nescio.analysis.sentences import sentence_spans, trimmed
from nescio.answer.alternatives import is_question, named, runs
from nescio.answer.cutting import Cut, cut, is_comment
from nescio.answer.focus import Focus
from nescio.answer.section import Piece, Range, Section
from nescio.domain.documents import INTRODUCES, BlockKind, GroupKind
from nescio.domain.spans import Span, clipped

MOST_ROWS = 3  # of a long table
NEAR_BEST = 0.75  # of what the best row has of the question: with less, another row is no answer beside it
# How a window is chosen, on ten sets of marked lines (benchmarks/README.md): of 45 long sections that hold what is needed it
# shows it, and little else, in 31; without these rules in 20.
ABOVE = 0.6  # of a word that stands in the header of a row or on the label of a box
IN_HEADING = 0.3  # of a word that stands in the section's heading: all of the section is about it
FIRST = 0.1  # what the first paragraph of mere prose has beside its words: it says what the section is about
GROWS = 0.2  # of what the best piece has of the question: a neighbour with less is not taken in any more
LEAST = 700  # code points up to which what follows is taken in, whatever it holds
ALL_OF_IT = 0.98  # of what a section has of the question
LONGEST_STATEMENT = 160  # code points of a paragraph that says one thing
LONGEST_LEAD = 600  # code points; what is longer is more than an introduction to what follows
_TEXT = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)


def excerpt(section: Section, focus: Focus, longest: int, rows: int = MOST_ROWS) -> tuple[Piece, ...]:
    """The pieces to show, in order; never none where the section has one. A section of up to `longest` code points is shown
    whole, of a longer one as much, where its structure allows it. `rows` are the most of a long table.
    """
    heading = section.at.passage.heading_path[-1:] or (section.at.passage.title,)
    above = focus.held(heading[0])
    asked = named(section, focus, above)
    if asked.length > longest:
        return _ended(_Window(cut(asked), focus, longest, above, rows).chosen())
    return _ended(_sentence_that_says_it(asked, focus) or asked.pieces)


def _sentence_that_says_it(section: Section, focus: Focus) -> tuple[Piece, ...]:
    """Of a section of short statements side by side, the one that holds all that the section has of the question, where no
    other one does; else nothing. What stands in a list or a box, or beside code, is no statement by itself.
    """
    pieces = section.pieces
    if section.ranges or len(pieces) < 2 or any(piece.kind is not BlockKind.PARAGRAPH for piece in pieces):
        return ()
    if any(piece.length > LONGEST_STATEMENT or _is_lead_in(piece.kind, piece.text) for piece in pieces):
        return ()
    held = [focus.held(piece.text) for piece in pieces]
    everything = ALL_OF_IT * focus.share(frozenset().union(*held))
    full = [piece for piece, words in zip(pieces, held, strict=True) if words and focus.share(words) >= everything]
    return tuple(full) if len(full) == 1 else ()


def _ended(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Without a last sentence that leads into what stands under another heading; all where there is no other sentence."""
    for end in range(len(pieces), 0, -1):
        last = pieces[end - 1]
        if last.decoded is not None or not _is_lead_in(last.kind, last.text):
            return pieces[:end]
        kept = _but_last_sentence(last)
        if kept:
            return (*pieces[: end - 1], last._replace(spans=kept))
    return pieces


def _but_last_sentence(piece: Piece) -> tuple[Span, ...]:
    text, whole = piece.document.text, piece.block.span
    starts = [whole.start + sentence.start for sentence in sentence_spans(whole.of(text))]
    kept = clipped(piece.spans, Span(whole.start, starts[-1])) if len(starts) > 1 else ()
    return (*kept[:-1], trimmed(text, kept[-1])) if kept else ()


def _is_lead_in(kind: BlockKind, text: str) -> bool:
    """Whether a text ends in a colon: what comes next belongs to it."""
    return kind in _TEXT and text.rstrip().rstrip("*_").endswith(INTRODUCES)


class _Window:
    """Pieces of a section that is too long to be shown whole. `above` are the question's words in its heading."""

    def __init__(self, parts: Cut, focus: Focus, longest: int, above: frozenset[str], rows: int) -> None:
        self._pieces, self._header_of, self._found = parts.pieces, parts.header_of, parts.found
        self._texts = [piece.text for piece in parts.pieces]
        self._before = list(accumulate(map(len, self._texts), initial=0))  # the length of all pieces before each
        self._focus, self._longest, self._above, self._rows = focus, longest, above, rows
        self._seen = [focus.seen(text) for text in self._texts]
        self._inside: list[list[Range]] = [[] for _ in parts.pieces]  # the groups that each piece stands in
        for one in parts.ranges:
            for at in range(one.start, one.end):
                self._inside[at].append(one)
        self._alternatives: list[range | None] = [None] * len(parts.pieces)
        for run in runs(parts.ranges):
            if not any(is_question(self._texts[box.start]) for box in run):
                for at in range(run[0].start, run[-1].end):
                    self._alternatives[at] = range(run[0].start, run[-1].end)
        self._worths = [self._worth(at) for at in range(len(self._pieces))]

    def chosen(self) -> tuple[Piece, ...]:
        asked = [at for at, is_found in enumerate(self._found) if is_found] or range(len(self._pieces))
        is_prose = all(piece.kind is BlockKind.PARAGRAPH for piece in self._pieces)
        best = max(asked, key=lambda at: (self._worths[at] + (FIRST if at == 0 and is_prose else 0.0), -at))
        beside = self._beside(best)
        found = self._closed(self._like(best, beside)) if beside else self._grown(self._closed({best}), self._worths[best])
        return tuple(self._pieces[at] for at in sorted(found))

    def _worth(self, at: int) -> float:
        """What a piece holds of the question; of a row, the words of its columns too, and of one in a box, those of its label.
        A word of the heading is worth little: all of the section is about it.
        """
        held, in_order = self._seen[at].held, self._seen[at].in_order
        above = [self._header_of[at]] if at in self._header_of else []
        above += [one.start for one in self._inside[at] if one.kind is GroupKind.BOX and one.start != at]
        worth = self._focus.share(held - self._above) + IN_HEADING * self._focus.share(held & self._above) + in_order
        if above:
            granted = frozenset().union(*(self._seen[one].held for one in above)) - held - self._above
            worth += ABOVE * self._focus.share(granted)
        return worth

    def _like(self, best: int, beside: Iterable[int]) -> set[int]:
        """The best of what is looked up one by one, and those that hold nearly as much."""
        rows = [at for at in beside if self._worths[at] >= NEAR_BEST * self._worths[best]]
        return set(sorted(rows, key=lambda at: (-self._worths[at], at))[: self._rows])

    def _beside(self, best: int) -> Iterable[int]:
        """What a piece is looked up among, each by itself: rows of its table, entries of a list that is too long to be shown,
        stanzas of a reference that begin with a comment; nothing for any other piece.
        """
        if best in self._header_of:
            return self._rows_under(self._header_of[best])
        for one in self._inside[best]:
            if one.kind is GroupKind.LIST and self._before[one.end] - self._before[one.start] > self._longest:
                return range(one.start, one.end)
        stanzas = [at for at, piece in enumerate(self._pieces) if piece.block is self._pieces[best].block]
        is_reference = self._pieces[best].kind is BlockKind.CODE and len(stanzas) > 1 and is_comment(self._texts[best])
        return stanzas if is_reference else ()

    def _rows_under(self, header: int) -> list[int]:
        return [at for at, one in self._header_of.items() if one == header]

    def _length(self, pieces: Iterable[int]) -> int:
        return sum(len(self._texts[at]) for at in pieces)

    def _closed(self, fresh: set[int], chosen: frozenset[int] = frozenset()) -> frozenset[int]:
        """With all that the fresh pieces cannot be read without, beside those that were chosen so before."""
        found = {*chosen, *fresh}
        while fresh:
            fresh = set().union(*(self._hangs_on(at, found) for at in fresh)) - found
            found |= fresh
        return frozenset(found)

    def _hangs_on(self, at: int, chosen: set[int]) -> set[int]:
        found: set[int] = set()
        if at in self._header_of:
            found.add(self._header_of[at])
        elif (rows := self._rows_under(at)) and chosen.isdisjoint(rows):  # a header says nothing without a row
            found |= self._like(max(rows, key=lambda row: (self._worths[row], -row)), rows)
        if self._is_introduced(at):
            found.add(at - 1)
        for one in self._inside[at]:
            found |= self._of_range(at, one.kind, range(one.start, one.end), chosen)
        beside = self._alternatives[at]  # all of them where they fit: nobody named one
        if beside is not None and self._fits(beside, chosen):
            found.update(beside)
        if self._leads(at) and at + 1 < len(self._pieces):
            found.add(at + 1)
        return found

    def _of_range(self, at: int, kind: GroupKind, inside: range, chosen: set[int]) -> set[int]:
        fits = self._fits(inside, chosen)
        if kind is GroupKind.STEPS:
            so_far = range(inside.start, at + 1)
            steps = set(inside) if fits else set(so_far) if self._fits(so_far, chosen) else {inside.start}
            return steps | self._lead_of(inside)
        if kind is GroupKind.LIST:
            return self._lead_of(inside)
        if fits and (kind is GroupKind.ENTRY or at == inside.start):
            return set(inside)
        return {inside.start, inside.start + 1} if at == inside.start and len(inside) > 1 else {inside.start}

    def _lead_of(self, inside: range) -> set[int]:
        first = inside.start
        return {first - 1} if first and self._is_lead(first - 1) else set()

    def _fits(self, inside: range, chosen: set[int]) -> bool:
        """Whether all of a group may be shown beside what is chosen. A table that was cut is never shown whole."""
        length = self._before[inside.stop] - self._before[inside.start]
        if length > self._longest or (self._header_of and any(one in self._header_of for one in inside)):
            return False
        return length + self._length(at for at in chosen if at not in inside) <= self._longest

    def _is_introduced(self, at: int) -> bool:
        """Whether the piece before one leads into it."""
        if not at or self._header_of.get(at, at) != at or self._pieces[at].block is self._pieces[at - 1].block:
            return False
        kind = self._pieces[at].kind
        if kind is BlockKind.CODE:
            return self._pieces[at - 1].kind in _TEXT
        return kind is BlockKind.TABLE and self._is_lead(at - 1)

    def _is_lead(self, at: int) -> bool:
        return self._pieces[at].kind is BlockKind.PARAGRAPH and len(self._texts[at]) <= LONGEST_LEAD

    def _leads(self, at: int) -> bool:
        return _is_lead_in(self._pieces[at].kind, self._texts[at])

    def _grown(self, chosen: frozenset[int], best: float) -> frozenset[int]:
        """With what stands after and before it, as long as it holds nearly as much of the question and fits."""
        while True:
            sides = (max(chosen) + 1, min(chosen) - 1)
            near = [at for at in sides if 0 <= at < len(self._pieces) and self._is_near(at, chosen, best)]
            grown = [self._closed({at}, chosen) for at in near]
            fitting = [one for one in grown if self._length(one) <= self._longest]
            if not fitting:
                return chosen
            chosen = max(fitting, key=lambda one: (max(self._worths[at] for at in one - chosen), -min(one)))

    def _is_near(self, at: int, chosen: frozenset[int], best: float) -> bool:
        if at in self._header_of:
            return False
        if self._worths[at] >= GROWS * best:
            return True
        return at > max(chosen) and (self._pieces[at].kind is BlockKind.CODE or self._length(chosen) < LEAST)
