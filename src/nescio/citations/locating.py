"""Where are these words in this document, and if not where they are said to be, how was that place miscounted?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

from nescio.citations import folding
from nescio.citations.claims import Located, Piece, Problem, Range
from nescio.citations.folding import Folding, View
from nescio.citations.likeness import Likenesses
from nescio.citations.measure import Unit, code_point, length_in, span_of
from nescio.domain.documents import Document
from nescio.domain.spans import Offsets, Span

_Reading = tuple[Problem, Folding]  # a way in which a program may have read a text before it counted
_LINE_ENDS: _Reading = (Problem.CRLF_NORMALISED, folding.line_ends)
_MARK: _Reading = (Problem.BOM_DROPPED, folding.mark)
_FORMS: tuple[_Reading, ...] = ((Problem.NFC_NFD, folding.composed), (Problem.NFC_NFD, folding.decomposed))
_SPACES: _Reading = (Problem.WHITESPACE_CHANGED, folding.spaces)
_ONE_SPACED: tuple[Folding, ...] = (folding.composed, folding.spaces)
_COUNTED = (Unit.CODE_POINTS, Unit.UTF16, Unit.BYTES)


@dataclass(frozen=True, slots=True)
class _Way:
    """Foldings in order, and what each is called."""

    problems: tuple[Problem, ...] = ()
    foldings: tuple[Folding, ...] = ()

    def also(self, reading: _Reading) -> _Way:
        return _Way((*self.problems, reading[0]), (*self.foldings, reading[1]))


class Searched:
    """One document with its readings, each made when it is first needed. `go_on` is called between two of them."""

    def __init__(self, document: Document, go_on: Callable[[], None] = lambda: None) -> None:
        self.document = document
        self._go_on = go_on
        self.text = document.text
        self._view = lru_cache(maxsize=None)(lambda foldings: View(self.text, foldings))

    @cached_property
    def offsets(self) -> Offsets:
        """Lines of the document."""
        return Offsets(self.text)

    @cached_property
    def ways(self) -> tuple[_Way, ...]:
        """The ways in which this text reads otherwise than it is written, from the plain one to those of several steps."""
        readings = [reading for reading in (_MARK, _LINE_ENDS) if not self._view((reading[1],)).is_same]
        forms = [reading for reading in _FORMS if not self._view((reading[1],)).is_same]
        choices: list[tuple[_Reading | None, ...]] = [(None, reading) for reading in readings]
        ways = []
        for chosen in product(*choices, (None, *forms)):
            way = _Way()
            for reading in chosen:
                way = way if reading is None else way.also(reading)
            ways.append(way)
        return tuple(sorted(ways, key=lambda way: len(way.problems)))

    @cached_property
    def _likenesses(self) -> Likenesses:
        return Likenesses(self.view(_Way((), _ONE_SPACED)), self._go_on)

    def view(self, way: _Way) -> View:
        """The document as it reads that way."""
        view: View = self._view(way.foldings)
        return view

    def locate(self, piece: Piece, *, is_loose: bool) -> Located:
        """Where the words of `piece` are. Without words: whether there is such a range."""
        if piece.text is None or not piece.text.strip():
            return self._range_only(piece)
        if not piece.ranges:
            return self._anywhere(piece.text, None, is_loose=is_loose)
        found = self._by_range(piece.text, piece.ranges[0], is_loose=is_loose)
        return self._agreeing(piece, found)

    def _range_only(self, piece: Piece) -> Located:
        fits = all(span_of(self.document, one.unit, one.start, one.end) is not None for one in piece.ranges)
        return Located() if fits else Located((Problem.RANGE_OUTSIDE,))

    def _agreeing(self, piece: Piece, found: Located) -> Located:
        """The same, with a problem where the first range is right and another is not."""
        if found.problems or found.found_at is None:
            return found
        for other in piece.ranges[1:]:
            span = span_of(self.document, other.unit, other.start, other.end)
            exact = span is not None and (span.start, span.end) == found.found_at
            holds = span is not None and other.unit is Unit.LINES and self._lines_of(found.found_at) == (other.start, other.end)
            if not exact and not holds:
                return replace(found, problems=(Problem.UNITS_DISAGREE,), details=(other.unit.value,))
        return found

    def _lines_of(self, found: tuple[int, int]) -> tuple[int, int]:
        start, end = found
        return self.offsets.line_of(start), self.offsets.line_of(max(start, end - 1))

    def _by_range(self, words: str, claim: Range, *, is_loose: bool) -> Located:
        if claim.unit is Unit.LINES:
            return self._anywhere(words, claim, is_loose=is_loose)
        counted = self._as_counted(words, claim, fewest=0, most=1)
        if counted is not None and not counted.problems:
            return counted
        plain = self._shifted(words, claim, _Way())
        if plain is not None and Problem.OFF_BY_ONE in plain.problems:
            # The same words may stand where a miscount would have led to; what is next to the claim is likelier.
            return plain if counted is None or counted.found_at != plain.found_at else counted
        counted = counted or self._as_counted(words, claim, fewest=2, most=len(Problem))
        return counted or plain or self._anywhere(words, claim, is_loose=is_loose)

    def _as_counted(self, words: str, claim: Range, *, fewest: int, most: int) -> Located | None:
        """The words at the very range that is claimed, counted in another unit or in a text that was read otherwise."""
        for way, unit in self._countings(claim.unit):
            problems = (*_unit_problem(claim.unit, unit), *way.problems)
            if not fewest <= len(problems) <= most:
                continue
            view = self.view(way)
            start = code_point(view.text, unit, claim.start, self.document.encoding)
            end = code_point(view.text, unit, claim.end, self.document.encoding)
            if start is None or end is None or start > end:
                continue
            # Whoever counted in such a reading took the words from it too.
            if view.text[start:end] == words and View(words, way.foldings).is_same:
                return _located(problems, view.back(start, end), view.text.count(words))
        return None

    def _countings(self, claimed: Unit) -> Iterator[tuple[_Way, Unit]]:
        units = [claimed, *(unit for unit in _COUNTED if unit is not claimed and not self.text.isascii())]
        return ((way, unit) for way in self.ways for unit in units)

    def _shifted(self, words: str, claim: Range, way: _Way) -> Located | None:
        """The occurrence nearest to a claim, in the text as read that way."""
        view = self.view(way)
        if way.foldings and (exact := self._unmoved(words, claim, way)) is not None:
            return exact
        start = code_point(view.text, claim.unit, claim.start, self.document.encoding)
        end = code_point(view.text, claim.unit, claim.end, self.document.encoding)
        near = folding.nearest(view.text, View(words, way.foldings).text, len(view.text) if start is None else start)
        if near is None:
            return None
        outside = (Problem.RANGE_OUTSIDE,) if end is None else ()
        distance = self._late(claim, view.text, near)
        is_near = _is_next(start, near.start) and _is_next(end, near.end, len(view.text))
        placed = (Problem.OFF_BY_ONE if is_near else Problem.MOVED,) if distance else ()
        problems = (*way.problems, *placed, *outside)
        return replace(_located(problems, view.back(near.start, near.end), near.count), distance=distance or None)

    def _unmoved(self, words: str, claim: Range, way: _Way) -> Located | None:
        """The words at the very range that is claimed, where only they were read otherwise."""
        span = span_of(self.document, claim.unit, claim.start, claim.end)
        if span is None or View(span.of(self.text), way.foldings).text.strip() != View(words, way.foldings).text.strip():
            return None
        return _located(way.problems, span, 1)

    def _late(self, claim: Range, text: str, near: folding.Nearest) -> int:
        """How far a claim's start is from where the words are, in its unit; where the start is right, its end."""
        parts = text[: near.start], text[near.start : near.end]
        start, length = (length_in(part, claim.unit, self.document.encoding) for part in parts)
        return claim.start - start or claim.end - start - length

    def _anywhere(self, words: str, claim: Range | None, *, is_loose: bool) -> Located:
        """The words under any reading, then with other white space, then what is like them."""
        for way in (*self.ways, *(way.also(_SPACES) for way in self.ways)):
            self._go_on()
            if claim is not None and claim.unit is not Unit.LINES:
                found = self._shifted(words, claim, way)
            else:
                found = self._free(words, claim, way)
            if found is not None:
                return _forgiven(found) if is_loose else found
        claimed = span_of(self.document, claim.unit, claim.start, claim.end) if claim is not None else None
        return self._likenesses.like(View(words, _ONE_SPACED).text, claimed.start if claimed else 0)

    def _free(self, words: str, claim: Range | None, way: _Way) -> Located | None:
        """The words without offsets: by lines if those are told, else wherever they are."""
        view = self.view(way)
        read = View(words, way.foldings).text
        lines = None if claim is None else span_of(self.document, claim.unit, claim.start, claim.end)
        looked_for = read.strip() if _SPACES[1] in way.foldings else read
        near = folding.nearest(view.text, looked_for, view.forth(lines.start) if lines else 0)
        if near is None:
            return None
        found = _located(way.problems, view.back(near.start, near.end), near.count)
        if claim is None or found.found_at is None:
            return found
        return self._on_lines(found, claim, is_outside=lines is None)

    def _on_lines(self, found: Located, claim: Range, *, is_outside: bool) -> Located:
        first, last = self._lines_of(found.found_at or (0, 0))
        if claim.start <= first and last <= claim.end:
            return found
        distance = claim.start - first if first < claim.start else claim.end - last
        placed = [Problem.OFF_BY_ONE if abs(distance) == 1 and not is_outside else Problem.MOVED]
        placed += [Problem.RANGE_OUTSIDE] if is_outside else []
        return replace(found, problems=(*found.problems, *placed), distance=distance)


def _unit_problem(claimed: Unit, counted: Unit) -> tuple[Problem, ...]:
    if claimed is counted:
        return ()
    known = {Unit.UTF16: Problem.UTF16_UNITS, Unit.BYTES: Problem.BYTES_AS_CHARACTERS}
    return (known.get(counted, Problem.OTHER_UNITS) if claimed is Unit.CODE_POINTS else Problem.OTHER_UNITS,)


def _is_next(claimed: int | None, found: int, length: int | None = None) -> bool:
    """Whether two offsets are the same or neighbours. One just past the end of the text is next to the end."""
    if claimed is None:
        return length is not None and found == length
    return abs(claimed - found) <= 1


def _located(problems: Sequence[Problem], span: Span, count: int) -> Located:
    return Located(tuple(dict.fromkeys(problems)), (span.start, span.end), count)


def _forgiven(found: Located) -> Located:
    """Without what means nothing in prose."""
    forgiven = (Problem.WHITESPACE_CHANGED, Problem.CRLF_NORMALISED, Problem.NFC_NFD)
    return replace(found, problems=tuple(problem for problem in found.problems if problem not in forgiven))
