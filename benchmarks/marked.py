"""Are the lines that people marked among those that are shown? Lines are compared and not pages.

A row of a file of marked questions has `answers`, alternatives of which any is right: `[{core: [span], helps?: [span]}]`, a
span being `{path, start_line, end_line}`, 1-based, the last line included. `core` is the least that must be shown, `helps` is
good to show with it. A line weighs as many characters as it has that are not white space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nescio.domain.answers import Quote
from questions import Question, SetError, load_rows, question_of

LEAD_SHARE = 0.5  # of a core span, in the first quote
LEAD_WEIGHT = 60  # of a first quote that is inside a core span: a sentence
USEFUL_COMPLETE = 0.8
USEFUL_FOCUS = 0.4

Line = tuple[str, int]  # a path and the 1-based number of a line
Lines = frozenset[Line]


@dataclass(frozen=True, slots=True)
class Alternative:
    """One right answer: the lines of each span of its core, and all lines that help."""

    core: tuple[Lines, ...]
    helps: Lines = frozenset()

    @property
    def needed(self) -> Lines:
        """What must be shown."""
        return union(self.core)


@dataclass(frozen=True, slots=True)
class Marked:
    """A question with the lines that answer it; none where the documents do not cover it.

    `words` says whether it is asked in the words of the documents (`docs`, `other`), and is empty where nobody said.
    """

    question: Question
    kind: str
    words: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What of the marked lines was shown, the best alternative counting.

    `leads`: the first quote is the right place. `complete`: the share of a core that the quotes show together; 0 of a refusal.
    `focus`: the share of what was shown that is marked, in whichever alternative; None where nothing was shown.
    """

    leads: bool
    complete: float
    focus: float | None

    @property
    def is_useful(self) -> bool:
        """Whether a colleague who is shown this would be content."""
        return self.leads and self.complete >= USEFUL_COMPLETE and (self.focus or 0.0) >= USEFUL_FOCUS


@dataclass(frozen=True, slots=True)
class Weights:
    """What lines of the files below `root` weigh. Each file is read once; a line that a file does not have weighs nothing."""

    root: Path
    _read: dict[str, Sequence[int]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, lines: Iterable[Line]) -> int:
        """What they weigh together. Raises SetError for a file that is not there."""
        return sum(self._of_line(path, number) for path, number in lines)

    def _of_line(self, path: str, number: int) -> int:
        if path not in self._read:
            self._read[path] = _line_weights(self.root / path)
        of_file = self._read[path]
        return of_file[number - 1] if number <= len(of_file) else 0


def _line_weights(file: Path) -> Sequence[int]:
    try:
        text = file.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise SetError(f"{file} cannot be read ({error.strerror}): paths of marked lines start at the folder given") from error
    return [len("".join(line.split())) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]


def load(path: Path) -> list[Marked]:
    """All questions of a file, in its order. Raises SetError."""
    return load_rows(path, _marked)


def _marked(row: dict[str, Any]) -> Marked:
    alternatives = tuple(_alternative(one) for one in row.get("answers") or ())
    question = question_of(row)
    if question.answerable is not any(one.needed for one in alternatives):
        raise ValueError(f"{question.id} is covered and has no marked lines, or is not and has some")
    return Marked(question, row.get("kind") or "", row.get("words") or "", alternatives)


def _alternative(one: Mapping[str, Any]) -> Alternative:
    core, helps = (tuple(map(_of_span, one.get(part) or ())) for part in ("core", "helps"))
    return Alternative(core, union(helps))


def _of_span(span: Mapping[str, Any]) -> Lines:
    return lines(span["path"], span["start_line"], span["end_line"])


def lines(path: str, first: int, last: int) -> Lines:
    """The lines of a file from the first to the last, that one too."""
    return frozenset((path, number) for number in range(first, last + 1))


def union(parts: Iterable[Lines]) -> Lines:
    """The lines of all parts."""
    return frozenset().union(*parts)


def lines_of(quote: Quote) -> Lines:
    """The lines on which a quote's spans stand, each in its own file. A line that is shown in part counts as shown."""
    return union(lines(span.path, span.start_line, span.end_line) for span in quote.spans)


def compared(alternatives: Sequence[Alternative], quotes: Sequence[Lines], weights: Weights) -> Found:
    """What of the marked lines the quotes show, the first of them first. There must be an alternative."""
    shown = union(quotes)
    return Found(
        leads=bool(quotes) and any(_leads(span, quotes[0], weights) for one in alternatives for span in one.core),
        complete=max(_complete(one.needed, shown, weights) for one in alternatives),
        focus=_focus(union(one.needed | one.helps for one in alternatives), shown, weights),
    )


def _leads(span: Lines, first: Lines, weights: Weights) -> bool:
    """Whether the first quote holds at least half of a core span, or is a sentence or more from inside of it."""
    holds_half = weights.of(span & first) >= LEAD_SHARE * weights.of(span)
    return holds_half or (first <= span and weights.of(first) >= LEAD_WEIGHT)


def _complete(needed: Lines, shown: Lines, weights: Weights) -> float:
    return weights.of(needed & shown) / max(1, weights.of(needed))


def _focus(good: Lines, shown: Lines, weights: Weights) -> float | None:
    weight = weights.of(shown)
    return weights.of(good & shown) / weight if weight else None
