"""Ranking and refusal on question sets: is the right page found, and is what the documents do not cover refused?

Each SET_FOLDER holds questions.jsonl and docs/ or docs.tar.xz. Everything is asked at the one default configuration. Each set
has two halves by its questions' ids: the even half may be read one by one (--show), the odd half is only scored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import metrics
from engines import Corpus, engine_for
from metrics import Share
from nescio.domain.answers import Answer, Refusal
from nescio.engine import Engine
from nescio.errors import QuestionFault
from questions import Question, QuestionSet, SetError, open_set
from reporting import Figure, ended, figure, note, parser, table, write_json

DEPTH = 10  # of nDCG
WHOLE_RANKING = 1_000  # more passages than the engine ever ranks
PAGES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what came back. `pages` are in order of the ranking, no floor applied; `result` is None after a fault."""

    question: Question
    pages: tuple[str, ...]
    result: Answer | Refusal | None

    @property
    def is_answered(self) -> bool:
        """Whether anything was quoted."""
        return isinstance(self.result, Answer)

    @property
    def best(self) -> float:
        """The best evidence that was found, whatever the floor."""
        return self.result.searched.best if self.result else 0.0

    @property
    def quotes_right_page(self) -> bool:
        """Whether a quote is of a right page, or of a file that is included there."""
        quotes = self.result.quotes if isinstance(self.result, Answer) else ()
        return any({quote.page_path, quote.path} & self.question.paths for quote in quotes)

    @property
    def quotes_gold(self) -> bool:
        """Whether a quote holds one of the sentences that people picked, white space apart."""
        quotes = self.result.quotes if isinstance(self.result, Answer) else ()
        return any(metrics.holds(quote.text, sentence) for sentence in self.question.gold for quote in quotes)


def ask(engine: Engine, question: Question) -> Asked:
    """Ask one question. A fault counts as a refusal with no evidence and is said on stderr."""
    try:
        hits = engine.search(question.text, limit=WHOLE_RANKING).hits
        pages = tuple(dict.fromkeys(hit.quote.page_path for hit in hits))
        return Asked(question, pages, engine.ask(question.text))
    except QuestionFault as fault:
        note(f"{question.id}: {fault.code}: {fault.message}")
        return Asked(question, (), None)


def page_at(depth: int) -> Callable[[Sequence[Asked]], Figure]:
    """How often a right page is among the first, of the questions that have one."""

    def measure(asked: Sequence[Asked]) -> Share:
        return metrics.share(metrics.hit(one.pages, one.question.paths, depth) for one in _covered(asked))

    return measure


def ndcg(asked: Sequence[Asked]) -> Figure:
    """Mean nDCG of the pages, of the questions that have a right one."""
    return metrics.mean([metrics.ndcg(one.pages, one.question.paths, DEPTH) for one in _covered(asked)])


def auroc(asked: Sequence[Asked]) -> Figure:
    """How well the best evidence tells questions that are covered from those that are not."""
    sorts = {sort: [one.best for one in asked if one.question.answerable is sort] for sort in (True, False)}
    return metrics.auroc(sorts[True], sorts[False])


def answered(asked: Sequence[Asked]) -> Figure:
    """At the default floor, of the covered ones."""
    return metrics.share(one.is_answered for one in _covered(asked))


def answered_from_right_page(asked: Sequence[Asked]) -> Figure:
    """Answered with a right page among the quotes, of the covered ones."""
    return metrics.share(one.quotes_right_page for one in _covered(asked))


def refused(asked: Sequence[Asked]) -> Figure:
    """At the default floor, of those that are not covered; None where all are."""
    return _or_none(metrics.share(not one.is_answered for one in asked if not one.question.answerable))


def balanced(asked: Sequence[Asked]) -> Figure:
    """The mean of the shares rightly answered and rightly refused; None where one sort is absent."""
    both = [answered(asked), refused(asked)]
    shares = [one.value for one in both if isinstance(one, Share) and one.of]
    return metrics.mean(shares) if len(shares) == len(both) else None


def gold_quoted(asked: Sequence[Asked]) -> Figure:
    """A picked sentence stands in a quote, of the covered ones that were answered and have one; None where none were picked."""
    return _or_none(metrics.share(one.quotes_gold for one in _covered(asked) if one.question.gold and one.is_answered))


MEASURES: dict[str, Callable[[Sequence[Asked]], Figure]] = {
    "page@1": page_at(1),
    "page@5": page_at(5),
    f"nDCG@{DEPTH}": ndcg,
    "AUROC": auroc,
    "answered": answered,
    "answered from a right page": answered_from_right_page,
    "refused": refused,
    "balanced accuracy": balanced,
    "picked sentence quoted": gold_quoted,
}


def _covered(asked: Sequence[Asked]) -> Iterator[Asked]:
    return (one for one in asked if one.question.answerable)


def _or_none(found: Share) -> Figure:
    return found if found.of else None


class OfQuestion(Protocol):
    """Something found of one question."""

    @property
    def question(self) -> Question:
        """Which."""
        ...


One = TypeVar("One", bound=OfQuestion)


def halves(asked: Sequence[One]) -> dict[str, Sequence[One]]:
    """All, and the two halves apart."""
    even = [one for one in asked if one.question.is_even]
    return {"all": asked, "even half": even, "odd half": [one for one in asked if not one.question.is_even]}


def measured(asked: Sequence[Asked]) -> dict[str, dict[str, Figure]]:
    """Every measure that means something here, of all and of each half."""
    parts = halves(asked)
    found = {name: {part: measure(some) for part, some in parts.items()} for name, measure in MEASURES.items()}
    return {name: values for name, values in found.items() if values["all"] is not None}


def ask_all(corpus: Corpus, questions: Sequence[Question], work: Path) -> tuple[list[Asked], dict[str, Any]]:
    """Everything asked of one corpus, and what that corpus is."""
    with engine_for(corpus, work) as engine:
        asked = [ask(engine, question) for question in questions]
        about = {"documents": engine.index.documents, "passages": engine.index.passages, "floor": engine.rules.floor}
        return asked, {**about, "index_id": engine.index_id}


def folded(one_set: QuestionSet) -> Iterator[tuple[str, Corpus, list[Question]]]:
    """Each fold, the corpus without it, and what is asked of that: a question of the fold has no answer there, others have."""
    for fold, left_out in one_set.folds.items():
        questions = [replace(one, answerable=one.without != fold) for one in one_set.questions if one.without]
        yield fold, Corpus(f"{one_set.name}-without-{fold}", one_set.docs, left_out), questions


def paired(one_set: QuestionSet, work: Path) -> tuple[list[Asked], dict[str, Any]]:
    """Each paired question asked twice: without its fold, where it has no answer, and without the other, where it has."""
    both: list[Asked] = []
    about: dict[str, Any] = {}
    for fold, corpus, questions in folded(one_set):
        asked, about[fold] = ask_all(corpus, questions, work)
        both += asked
    return both, about


def report(name: str, asked: Sequence[Asked], about: dict[str, Any], *, show: bool) -> dict[str, Any]:
    """Print the figures of one set and return them."""
    figures = measured(asked)
    rows = [["measure", "all, 95 % interval", "even half", "odd half"]]
    for measure, values in figures.items():
        whole, *parts = values.values()
        rows.append([measure, figure(whole, with_interval=True), *map(figure, parts)])
    print(f"{name}: {len(asked)} questions\n{table(rows)}\n", flush=True)
    if show:
        print("\n".join(wrong(one) for one in halves(asked)["even half"] if is_wrong(one)), "\n")
    return {"questions": len(asked), "corpus": about, "measures": figures}


def is_wrong(asked: Asked) -> bool:
    """Whether the answer is not what it should be: refused or of other pages, or answered though nothing covers it."""
    return not asked.quotes_right_page if asked.question.answerable else asked.is_answered


def wrong(asked: Asked) -> str:
    """One question with what came back instead."""
    came = f"{'answered' if asked.is_answered else 'refused'} {asked.best:.3f}"
    right = ", ".join(sorted(asked.question.paths)) if asked.question.answerable else "nothing"
    return f"  {came}  {asked.question.text} | found: {', '.join(asked.pages[:PAGES_SHOWN])} | right: {right}"


def run(arguments: argparse.Namespace) -> int:
    """Measure each set."""
    figures: dict[str, Any] = {}
    sets = [open_set(folder, arguments.work) for folder in arguments.sets]
    unknown = set(arguments.only or ()) - {one.name for one in sets}
    if unknown:
        raise SetError(f"--only names no set that was given: {', '.join(sorted(unknown))}")
    for one in sets:
        if arguments.only and one.name not in arguments.only:
            continue
        asked, about = ask_all(Corpus(one.name, one.docs), one.questions, arguments.work)
        figures[one.name] = report(one.name, asked, about, show=arguments.show)
        if one.folds:
            name = f"{one.name} paired"
            figures[name] = report(name, *paired(one, arguments.work), show=arguments.show)
    write_json(arguments.json, figures)
    return 0


def main() -> int:
    """Read the command line and run."""
    made = parser(__doc__)
    made.add_argument("sets", nargs="+", type=Path, metavar="SET_FOLDER")
    made.add_argument("--only", action="append", metavar="NAME", help="only the set of this name; may be repeated")
    made.add_argument("--show", action="store_true", help="list what went wrong in the even half")
    return run(made.parse_args())


if __name__ == "__main__":
    sys.exit(ended(main))
