"""Does a confidence mean the same on 24 pages and on 8,000? Small corpora are drawn from each set and asked.

Every drawing has questions that it covers, with a right page, and as many that it does not cover, with the page that the whole
corpus ranks first for them: a near miss. The same questions are asked of the whole corpus, and stand beside. A set whose
questions are all covered loses the right pages of half of them, and another page may answer those too: it tells whether sizes
differ, and not how good the score is. Drawings are seeded: the same sets give the same figures.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import metrics
from drawing import Large, Source, draw, large
from engines import Corpus, engine_for
from judged import SORTS, askings, even_odds, of_sort
from nescio.engine import Engine
from nescio.evaluate.metrics.calibration import calibration_error, error_interval, perfect_error
from nescio.index.reading import StoredIndex
from questions import QuestionSet, open_set
from reporting import NOTHING, ended, figure, note, parser, table, write_json
from retrieval import Asked, answered, ask, auroc, refused

# Pages of a drawn corpus, and how many are drawn: the smaller, the fewer questions each has.
DRAWINGS = {24: 12, 100: 4, 400: 2}
SEED = 0


@dataclass(frozen=True, slots=True)
class Both:
    """The same questions asked of drawn corpora and of the whole one. A question stands once for each drawing that has it.

    `passages` are those of each drawing.
    """

    drawn: tuple[Asked, ...]
    whole: tuple[Asked, ...]
    passages: tuple[int, ...]


def whole_corpus(one: Large, work: Path) -> tuple[Source, dict[str, Asked]]:
    """What can be drawn, and everything asked of the whole corpus, by the question's id."""
    with engine_for(one.corpus, work) as engine:
        asked = [ask(engine, question) for question in one.questions]
        pages = _pages(engine)
    there = frozenset(pages)
    needed = [(one_asked.question, _needed(one_asked, there)) for one_asked in asked]
    source = Source(pages, tuple((question, page) for question, page in needed if page))
    return source, {one_asked.question.id: one_asked for one_asked in asked}


def _pages(engine: Engine) -> tuple[str, ...]:
    assert isinstance(engine.index, StoredIndex)
    return tuple(page.path for page in engine.index.manifest.pages if page.passages)


def _needed(asked: Asked, there: frozenset[str]) -> str | None:
    """The first right page that the corpus has, or for what is not covered the first page found; None where there is none."""
    wanted = [entry["path"] for entry in asked.question.expect] if asked.question.answerable else asked.pages
    return next((page for page in wanted if page in there), None)


def drawn_of(one: Large, work: Path) -> dict[int, Both]:
    """By size, of the sizes that are smaller than the corpus."""
    source, asked = whole_corpus(one, work)
    found = {}
    for size, drawings in DRAWINGS.items():
        if size < len(source.pages):
            note(f"{one.corpus.name}: {drawings} drawings of {size} pages ...")
            random = Random(f"{SEED} {one.corpus.name} {size}")
            found[size] = _drawn(one.corpus, source, asked, [size] * drawings, random)
    return found


def _drawn(corpus: Corpus, source: Source, asked: Mapping[str, Asked], sizes: Sequence[int], random: Random) -> Both:
    drawn: list[Asked] = []
    passages: list[int] = []
    for size in sizes:
        small = draw(source, size, random)
        one = Corpus(f"{corpus.name}-{size}", corpus.docs, only=small.pages)
        with tempfile.TemporaryDirectory() as folder, engine_for(one, Path(folder)) as engine:
            drawn += [ask(engine, question) for question in small.questions]
            passages.append(engine.index.passages)
    return Both(tuple(drawn), tuple(asked[one.question.id] for one in drawn), tuple(passages))


def together(parts: Sequence[Mapping[int, Both]]) -> dict[int, Both]:
    """What was drawn of several corpora of one set, by size."""
    found: dict[int, Both] = {}
    for part in parts:
        for size, both in part.items():
            before = found.get(size, Both((), (), ()))
            found[size] = Both(before.drawn + both.drawn, before.whole + both.whole, before.passages + both.passages)
    return found


def confidence(asked: Asked) -> float:
    """What a reader is told."""
    return asked.result.confidence if asked.result else 0.0


def measured(asked: Sequence[Asked]) -> dict[str, Any]:
    """The figures of some questions of both sorts."""
    covered, uncovered = ([confidence(one) for one in of_sort(asked, sort)] for sort in SORTS)
    low, high = error_interval(covered, uncovered)
    return {
        "questions": len(asked),
        "answered": answered(asked),
        "refused": refused(asked),
        "AUROC": auroc(asked),
        "mean confidence": metrics.mean([*covered, *uncovered]),
        "covered": len(covered) / len(asked),
        "even odds": even_odds({"": asked}, confidence),
        "calibration error": calibration_error(covered, uncovered),
        "calibration error low": low,
        "calibration error high": high,
        "calibration error of a perfect one": perfect_error(covered, uncovered),
    }


HEAD = [
    "pages",
    "questions",
    "answered",
    "refused",
    "AUROC",
    "confidence",
    "covered",
    "even odds",
    "calibration error",
    "perfect",
]


def _row(name: str, found: Mapping[str, Any]) -> list[str]:
    error = "{calibration error:.3f} [{calibration error low:.2f}, {calibration error high:.2f}]".format_map(found)
    shares = [figure(found[one], with_interval=True) for one in ("answered", "refused")]
    plain = [figure(found[one]) for one in ("AUROC", "mean confidence", "covered", "even odds")]
    return [name, str(found["questions"]), *shares, *plain, error, figure(found["calibration error of a perfect one"])]


# By set, by size: what was found on the drawn corpora, and on the whole one.
Figures = dict[str, dict[int, dict[str, dict[str, Any]]]]


def report(name: str, found: Mapping[int, Both]) -> dict[int, dict[str, dict[str, Any]]]:
    """Print the figures of one set, each size above the same questions on the whole corpus, and return them."""
    figures = {size: {"drawn": measured(both.drawn), "whole": measured(both.whole)} for size, both in found.items()}
    lines = [HEAD]
    for size, both in figures.items():
        lines += [_row(str(size), both["drawn"]), _row("same, whole", both["whole"])]
    drawings = ", ".join(
        f"{len(both.passages)} of {size} pages ({metrics.median(both.passages):.0f} passages)" for size, both in found.items()
    )
    print(f"{name}: {drawings}\n{table(lines)}\n", flush=True)
    return figures


COMPARED = ("answered", "refused", "AUROC", "mean confidence", "even odds", "calibration error")


def means(figures: Figures) -> list[list[str]]:
    """For each size the means over the sets that are larger, drawn and whole: does one floor serve all sizes?"""
    lines = [["pages", "sets", *COMPARED]]
    for size in DRAWINGS:
        sets = [found[size] for found in figures.values() if size in found]
        for name, key in ((str(size), "drawn"), ("same, whole", "whole")):
            if sets:
                lines.append([name, str(len(sets)), *(_mean([one[key][measure] for one in sets]) for measure in COMPARED)])
    return lines


def _mean(values: Sequence[Any]) -> str:
    plain = [value.value if isinstance(value, metrics.Share) else value for value in values if value is not None]
    return f"{metrics.mean(plain):.3f}" if plain else NOTHING


def run(arguments: argparse.Namespace) -> int:
    """Draw from each set, ask, and compare."""
    sets = [open_set(folder, arguments.work) for folder in arguments.sets]
    figures: Figures = {}
    for one in sets:
        figures[one.name] = report(one.name, _of_set(one, arguments.work))
    robbed = {one.name for one in sets if not askings(one)}
    for title, is_wanted in (("mean over the sets that have both sorts", False), ("mean over those that lost pages", True)):
        some = {name: found for name, found in figures.items() if (name in robbed) is is_wanted}
        if some:
            print(f"{title}\n{table(means(some))}\n")
    write_json(arguments.json, figures)
    return 0


def _of_set(one: QuestionSet, work: Path) -> dict[int, Both]:
    return together([drawn_of(each, work) for each in large(one)])


def main() -> int:
    """Read the command line and run."""
    made = parser(__doc__)
    made.add_argument("sets", nargs="+", type=Path, metavar="SET_FOLDER")
    return run(made.parse_args())


if __name__ == "__main__":
    sys.exit(ended(main))
