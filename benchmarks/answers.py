"""Are the lines shown that a person needs? Answers are compared with lines that people marked in the documents.

ANSWERS_FOLDER holds NAME.jsonl for each set, and for some NAME.tar.xz, the documents as they are indexed; those of the others
are given with --docs. Everything is asked at the one default configuration unless --floor or --limit say otherwise, and every
quote is compared with the files on disk: ends with 1 when one is not exact. Each set has two halves by its questions' ids: the
even half may be read one by one (--show), the odd half is only scored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import marked
import metrics
from engines import Corpus, engine_for
from marked import Found, Marked, Weights
from nescio.domain.answers import Answer, Quote, Refusal
from nescio.engine import Engine
from nescio.errors import QuestionFault
from nescio.surfaces import wire
from questions import Question, SetError, unpack
from quote_checks import failures
from reporting import FAILED, Figure, ended, figure, note, parser, table, write_json
from retrieval import halves

CHARACTERS = "characters"
LONGEST_SHOWN = 90  # of the first words of a quote
MOST_FAILURES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class MarkedSet:
    """Marked questions and the folder that their paths start at."""

    name: str
    docs: Path
    questions: tuple[Marked, ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """What differs from the default configuration, if anything."""

    floor: float | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A marked question and what was shown. `found` is None of a question that is not covered.

    `characters` are those of all quotes' texts, `wrong` says of each quote that is not exact why, `first` where the first quote
    stands and how it begins.
    """

    marked: Marked
    found: Found | None
    quotes: int
    characters: int
    wrong: tuple[str, ...]
    first: str

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.marked.question

    @property
    def is_answered(self) -> bool:
        """Whether anything was quoted."""
        return self.quotes > 0


def show(engine: Engine, question: Marked, weights: Weights, asking: Asking) -> Shown:
    """Ask one question. A fault counts as a refusal and is said on stderr."""
    quotes = _quotes(_asked(engine, question.question, asking))
    shown = [marked.lines_of(one) for one in quotes]
    return Shown(
        marked=question,
        found=marked.compared(question.alternatives, shown, weights) if question.question.answerable else None,
        quotes=len(quotes),
        characters=sum(len(one.text) for one in quotes),
        wrong=tuple("; ".join(found) for one in quotes if (found := failures(wire.quote_json(one), weights.root))),
        first=_beginning(quotes[0]) if quotes else "nothing",
    )


def _asked(engine: Engine, question: Question, asking: Asking) -> Answer | Refusal | None:
    try:
        return engine.ask(question.text, floor=asking.floor, limit=asking.limit)
    except QuestionFault as fault:
        note(f"{question.id}: {fault.code}: {fault.message}")
        return None


def _quotes(result: Answer | Refusal | None) -> Sequence[Quote]:
    return result.quotes if isinstance(result, Answer) else ()


def _beginning(quote: Quote) -> str:
    words = " ".join(quote.text.split())
    cut = words if len(words) <= LONGEST_SHOWN else f"{words[:LONGEST_SHOWN]}..."
    return f"{quote.spans[0].path}:{quote.spans[0].start_line} {cut}"


def _share(of: Callable[[Found], bool]) -> Callable[[Sequence[Shown]], Figure]:
    """How many of the covered questions have something; None where none is covered."""

    def measure(shown: Sequence[Shown]) -> Figure:
        return _or_none(metrics.share(map(of, _found(shown))))

    return measure


def answered(shown: Sequence[Shown]) -> Figure:
    """Of the covered ones; None where none is."""
    return _or_none(metrics.share(one.is_answered for one in shown if one.question.answerable))


def complete(shown: Sequence[Shown]) -> Figure:
    """The mean over the covered ones; None where none is."""
    return _mean([one.complete for one in _found(shown)])


def focus(shown: Sequence[Shown]) -> Figure:
    """The mean over the covered ones that were answered; None where none was."""
    return _mean([one.focus for one in _found(shown) if one.focus is not None])


def characters(shown: Sequence[Shown]) -> Figure:
    """The median over the covered ones that were answered; None where none was."""
    found = [one.characters for one in shown if one.question.answerable and one.is_answered]
    return metrics.median(found) if found else None


def refused(shown: Sequence[Shown]) -> Figure:
    """Of those that are not covered; None where all are."""
    return _or_none(metrics.share(not one.is_answered for one in shown if not one.question.answerable))


MEASURES: dict[str, Callable[[Sequence[Shown]], Figure]] = {
    "answered": answered,
    "lead": _share(lambda found: found.leads),
    "complete": complete,
    "focus": focus,
    "useful": _share(lambda found: found.is_useful),
    CHARACTERS: characters,
    "uncovered refused": refused,
}


def _found(shown: Sequence[Shown]) -> Iterator[Found]:
    return (one.found for one in shown if one.found is not None)


def _mean(values: Sequence[float]) -> Figure:
    return metrics.mean(values) if values else None


def _or_none(found: metrics.Share) -> Figure:
    return found if found.of else None


# By group of questions, by half: how many there are, and every measure.
Figures = dict[str, dict[str, dict[str, Any]]]


def groups(shown: Sequence[Shown]) -> dict[str, Sequence[Shown]]:
    """All, and those of each kind and of each sort of words, by name. What nobody sorted is in no group but the first."""
    kinds = sorted({one.marked.kind for one in shown} - {""})
    words = sorted({one.marked.words for one in shown} - {""})
    return {
        "all": shown,
        **{f"kind {kind}": [one for one in shown if one.marked.kind == kind] for kind in kinds},
        **{f"words {sort}": [one for one in shown if one.marked.words == sort] for sort in words},
    }


def measured(shown: Sequence[Shown]) -> Figures:
    """Every measure of every group: of all of it and of each half, where there is something in it."""
    return {
        group: {
            half: {"questions": len(some), **{name: measure(some) for name, measure in MEASURES.items()}}
            for half, some in halves(its).items()
            if some
        }
        for group, its in groups(shown).items()
    }


def rows(figures: Figures) -> list[list[str]]:
    """The head, then a row for each group with its halves below it."""
    lines = [["", "questions", *MEASURES]]
    for group, of_halves in figures.items():
        for half, found in of_halves.items():
            name = group if half == "all" else f"  {half}"
            cells = [_cell(measure, found[measure], with_interval=half == "all") for measure in MEASURES]
            lines.append([name, str(found["questions"]), *cells])
    return lines


def _cell(measure: str, value: Figure, *, with_interval: bool) -> str:
    if measure == CHARACTERS and isinstance(value, float | int):
        return f"{value:.0f}"
    return figure(value, with_interval=with_interval)


def exact(shown: Sequence[Shown]) -> metrics.Share:
    """How many quotes are what stands in their files."""
    quotes = sum(one.quotes for one in shown)
    return metrics.Share(quotes - sum(len(one.wrong) for one in shown), quotes)


def worst(shown: Sequence[Shown]) -> Iterator[str]:
    """The covered questions of the even half that are not answered usefully, the worst first, with what was shown first."""
    cases = [(one.found, one) for one in halves(shown)["even half"] if one.found is not None and not one.found.is_useful]
    for found, one in sorted(cases, key=lambda case: (case[0].complete, case[0].leads, case[0].focus or 0.0)):
        of_it = f"complete {figure(found.complete)}, {'lead' if found.leads else 'no lead'}, focus {figure(found.focus)}"
        yield f"  {one.question.id}: {one.question.text} | {of_it} | first: {one.first}"


def report(name: str, shown: Sequence[Shown]) -> dict[str, Any]:
    """Print the figures of some questions and return them."""
    figures, quotes = measured(shown), exact(shown)
    covered = sum(one.question.answerable for one in shown)
    print(f"{name}: {len(shown)} questions, {covered} of them covered; {quotes.hits} of {quotes.of} quotes exact")
    print(f"{table(rows(figures))}\n", flush=True)
    return {"quotes exact": quotes, "groups": figures}


def open_sets(folder: Path, docs: Mapping[str, Path], work: Path) -> list[MarkedSet]:
    """The sets of a folder whose documents are given or lie beside them, in the order of their names.

    Others are named on stderr. Raises SetError when none is left, or when documents are given for a set that is not there.
    """
    files = {file.stem: file for file in sorted(folder.glob("*.jsonl"))}
    if unknown := set(docs) - set(files):
        raise SetError(f"--docs names no set of {folder}: {', '.join(sorted(unknown))}; there are: {', '.join(files)}")
    found = []
    for name, file in files.items():
        there = docs.get(name) or _unpacked(file.with_suffix(".tar.xz"), work / _corpus_name(name) / "docs")
        if there:
            found.append(MarkedSet(name, there, tuple(marked.load(file))))
        else:
            note(f"{name}: left out, its documents are not there: give them with --docs {name}=FOLDER")
    if not found:
        raise SetError(f"{folder} has no set with documents: name a folder with NAME.jsonl, and --docs NAME=FOLDER")
    return found


def _unpacked(packed: Path, target: Path) -> Path | None:
    if not packed.is_file():
        return None
    unpack(packed, target)
    return target


def _corpus_name(name: str) -> str:
    """Another than that of a set of `retrieval.py`: what is indexed may begin at another folder."""
    return f"answers-{name}"


def show_all(one: MarkedSet, work: Path, asking: Asking) -> tuple[list[Shown], dict[str, Any]]:
    """Everything asked of one set, and what its corpus is. What is not exact is said on stderr."""
    weights = Weights(one.docs)
    with engine_for(Corpus(_corpus_name(one.name), one.docs), work) as engine:
        shown = [show(engine, question, weights, asking) for question in one.questions]
        floor = engine.rules.floor_of(asking.floor)
        about = {"documents": engine.index.documents, "passages": engine.index.passages, "floor": floor}
    for wrong in [wrong for each in shown for wrong in each.wrong][:MOST_FAILURES_SHOWN]:
        note(f"{one.name}: {wrong}")
    return shown, about


def run(arguments: argparse.Namespace) -> int:
    """Measure each set, and all together where there are more than one."""
    asking = Asking(arguments.floor, arguments.limit)
    everything: list[Shown] = []
    figures: dict[str, Any] = {}
    sets = open_sets(arguments.answers, dict(arguments.docs or ()), arguments.work.absolute())
    for one in sets:
        shown, about = show_all(one, arguments.work, asking)
        figures[one.name] = {"corpus": about, **report(one.name, shown)}
        if arguments.show:
            print("\n".join(worst(shown)), "\n", flush=True)
        everything += shown
    if len(sets) > 1:
        figures["together"] = report("together", everything)
    write_json(arguments.json, figures)
    return FAILED if any(one.wrong for one in everything) else 0


def _named_folder(text: str) -> tuple[str, Path]:
    name, sign, folder = text.partition("=")
    if not (name and sign and folder):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FOLDER")
    return name, Path(folder)


def main() -> int:
    """Read the command line and run."""
    made = parser(__doc__)
    made.add_argument("answers", type=Path, metavar="ANSWERS_FOLDER")
    made.add_argument(
        "--docs", action="append", type=_named_folder, metavar="NAME=FOLDER", help="the documents of a set; may be repeated"
    )
    made.add_argument("--floor", type=float, metavar="F", help="another floor than the default one")
    made.add_argument("--limit", type=int, metavar="N", help="another number of quotes than by default")
    made.add_argument("--show", action="store_true", help="list what was not useful in the even half")
    return run(made.parse_args())


if __name__ == "__main__":
    sys.exit(ended(main))
