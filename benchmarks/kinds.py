"""What does each remedy bring? A table with one row a remedy, and a column a set.

Each remedy is against one kind of wrong answer or wrong refusal. It is switched off for one run over all sets, and what is
shown is what it brings: the figure with it less the figure without, of all questions and then of the even and the odd half.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import metrics
from engines import Corpus
from judged import even_odds, is_open, of_sort
from metrics import Share
from nescio.analysis import lexicon
from questions import QuestionSet, SetError, open_set
from reporting import NOTHING, Figure, ended, note, parser, table, write_json
from retrieval import MEASURES, Asked, ask_all, halves, paired

SHOWN = ("AUROC", "answered", "refused", "page@1", "page@5")
BALANCED = "balanced accuracy at even odds"
SAME = "."


@dataclass(frozen=True, slots=True)
class Switch:
    """A constant or function of a module or class (`package.module:Class`), and what it is while the remedy is off."""

    owner: str
    name: str
    off: Any


@dataclass(frozen=True, slots=True)
class Remedy:
    """`kind` says what goes wrong without it."""

    name: str
    kind: str
    switches: tuple[Switch, ...]


# One row of the table each. Only what is looked up while a question is asked can be switched: an index is built once.
REMEDIES = (
    Remedy(
        "typing errors",
        "a word is misspelt, and the documents do not have it",
        (Switch("nescio.retrieve.question", "edits_allowed", lambda word: 0),),
    ),
    Remedy(
        "slips in stop words",
        "a word that every text has is misspelt, and counts as a word that the documents lack",
        (Switch("nescio.retrieve.question:Reader", "_is_mistyped_stop_word", lambda self, word: False),),
    ),
    Remedy(
        "other forms as evidence",
        "a compound, an acronym or a derived word: the documents have the same thing, written otherwise",
        (Switch("nescio.retrieve.wordings:Wordings", "forms", lambda self, words, asked: {}),),
    ),
    Remedy(
        "other words in the order",
        "the right page says it in another word or spells it out, and comes too far down",
        (Switch("nescio.retrieve.wordings:Wordings", "expansions", lambda self, words, asked, idf: []),),
    ),
    Remedy(
        "acronyms in the order",
        "the right page has the acronym where the question spells it out, or the other way round",
        (
            Switch("nescio.retrieve.wordings", "_acronyms_at", lambda words, start: []),
            Switch("nescio.retrieve.wordings", "_alternatives", lambda word: list(lexicon.synonyms(word))),
        ),
    ),
    Remedy(
        "title and heading in the order",
        "many pages have the words, and one is about them",
        (
            Switch("nescio.retrieve.ordering", "TITLE_PRECISION", 0.0),
            Switch("nescio.retrieve.ordering", "HEADING_PRECISION", 0.0),
            Switch("nescio.retrieve.ordering", "LARGER_PRECISION", 0.0),
            Switch("nescio.retrieve.ordering", "SECTION_HEADING_PRECISION", 0.0),
        ),
    ),
    Remedy(
        "pointing elsewhere",
        "the best sentence only says where to read on",
        (Switch("nescio.retrieve.evidence", "REFERRING", 1.0),),
    ),
    Remedy(
        "numbers asked for",
        "the best sentence has every word, and not the number that is asked for",
        (Switch("nescio.retrieve.evidence", "NO_NUMBER", 1.0),),
    ),
    Remedy(
        "standing out",
        "many pages have as much of the question: its words are those of every page",
        (Switch("nescio.retrieve.evidence", "STANDOUT", 0.0),),
    ),
    Remedy(
        "stop words at a third",
        "two passages have the same content words, and one the question's phrase",
        (Switch("nescio.retrieve.question", "STOP_WEIGHT", 0.0),),
    ),
    Remedy(
        "changelogs apart",
        "a list of changes mentions everything and explains nothing",
        (Switch("nescio.engine", "is_about_changes", lambda text: True),),
    ),
)

# By set, by measure, by part: a plain number, or None where the measure means nothing.
Figures = dict[str, dict[str, dict[str, float | None]]]


@contextmanager
def switched_off(remedy: Remedy) -> Iterator[None]:
    """The remedy is off inside, and as it was afterwards. Raises SetError when a switch names what is not there."""
    with ExitStack() as stack:
        for switch in remedy.switches:
            stack.enter_context(_switched(remedy, switch))
        yield


@contextmanager
def _switched(remedy: Remedy, switch: Switch) -> Iterator[None]:
    try:
        owner = resolve_name(switch.owner)
        before = vars(owner)[switch.name]  # as stored: a method must not be bound, nor a static one unwrapped
    except (ImportError, AttributeError, KeyError) as error:
        raise SetError(f"the remedy {remedy.name!r} switches {switch.owner} {switch.name}, which is not there") from error
    setattr(owner, switch.name, switch.off)
    try:
        yield
    finally:
        setattr(owner, switch.name, before)


def asked_of(one: QuestionSet, work: Path) -> dict[str, Sequence[Asked]]:
    """The set by its name, and what is asked in pairs of its folds."""
    found: dict[str, Sequence[Asked]] = {one.name: ask_all(Corpus(one.name, one.docs), one.questions, work)[0]}
    if one.folds:
        found[f"{one.name} paired"] = paired(one, work)[0]
    return found


def measured(sets: Sequence[QuestionSet], work: Path) -> Figures:
    """Everything asked once, as the code is now."""
    asked = {name: its for one in sets for name, its in asked_of(one, work).items()}
    figures = {
        name: {measure: {part: _value(MEASURES[measure](some)) for part, some in halves(its).items()} for measure in SHOWN}
        for name, its in asked.items()
    }
    for name, balanced in _balanced(asked).items():
        figures[name][BALANCED] = balanced
    return figures


def _value(found: Figure) -> float | None:
    return found.value if isinstance(found, Share) else found


def _balanced(asked: Mapping[str, Sequence[Asked]]) -> dict[str, dict[str, float | None]]:
    """The mean of the shares rightly answered and refused, at the one floor that suits all sets as the code is now.

    Without a remedy the scores may all be higher or lower: at the default floor that alone would change both shares.
    """
    both = {name: its for name, its in asked.items() if of_sort(its, True) and of_sort(its, False)}
    floor = even_odds(both, lambda one: one.best) if both else None
    return {name: {part: _balance(some, floor) for part, some in halves(its).items()} for name, its in both.items()}


def _balance(asked: Sequence[Asked], floor: float | None) -> float | None:
    answered, wrongly = (
        [floor is not None and is_open(one.result) and one.best >= floor for one in of_sort(asked, sort)]
        for sort in (True, False)
    )
    return metrics.mean([metrics.mean(answered), 1 - metrics.mean(wrongly)]) if answered and wrongly else None


def gain(figures: Mapping[str, float | None], without: Mapping[str, float | None]) -> str:
    """What is brought, of all and of the halves; a dot where nothing changes."""
    changes = [None if (one := figures[part]) is None or (other := without[part]) is None else one - other for part in figures]
    if not any(changes):
        return NOTHING if changes[0] is None else SAME
    whole, *parts = [NOTHING if change is None else f"{change:+.3f}" for change in changes]
    return f"{whole} ({' '.join(parts)})"


def as_it_is(figures: Mapping[str, float | None]) -> str:
    """The figures themselves, of all and of the halves."""
    whole, *parts = [NOTHING if value is None else f"{value:.3f}" for value in figures.values()]
    return NOTHING if whole == NOTHING else f"{whole} ({' '.join(parts)})"


def rows(measure: str, everything: Figures, without: Mapping[str, Figures]) -> list[list[str]]:
    """The head, the figures as they are, and one row a remedy. Sets for which the measure means nothing have no column."""
    columns = [name for name, figures in everything.items() if figures.get(measure, {}).get("all") is not None]
    lines = [[measure, *columns], ["as it is", *(as_it_is(everything[name][measure]) for name in columns)]]
    for remedy, figures in without.items():
        lines.append([remedy, *(gain(everything[name][measure], figures[name][measure]) for name in columns)])
    return lines


def report(everything: Figures, without: Mapping[str, Figures]) -> None:
    """Print a table for each measure."""
    for measure in (*SHOWN, BALANCED):
        lines = rows(measure, everything, without)
        if len(lines[0]) > 1:
            print(f"{table(lines)}\n", flush=True)


def chosen(names: Sequence[str] | None) -> tuple[Remedy, ...]:
    """The remedies with these names, all when none are given. Raises SetError for a name that there is not."""
    unknown = set(names or ()) - {one.name for one in REMEDIES}
    if unknown:
        raise SetError(
            f"no remedy is called {', '.join(sorted(unknown))}; there are: {', '.join(one.name for one in REMEDIES)}"
        )
    return tuple(one for one in REMEDIES if not names or one.name in names)


def run(arguments: argparse.Namespace) -> int:
    """Measure with everything on, then with one remedy off after the other."""
    remedies = chosen(arguments.remedy)
    sets = [open_set(folder, arguments.work) for folder in arguments.sets]
    everything = measured(sets, arguments.work)
    without: dict[str, Figures] = {}
    for remedy in remedies:
        note(f"without: {remedy.name}")
        with switched_off(remedy):
            without[remedy.name] = measured(sets, arguments.work)
    print("\n".join(f"{one.name}: {one.kind}" for one in remedies), "\n")
    report(everything, without)
    write_json(arguments.json, {"as it is": everything, "without": without})
    return 0


def main() -> int:
    """Read the command line and run."""
    made = parser(__doc__)
    made.add_argument("sets", nargs="+", type=Path, metavar="SET_FOLDER")
    made.add_argument("--remedy", action="append", metavar="NAME", help="only the remedy of this name; may be repeated")
    return run(made.parse_args())


if __name__ == "__main__":
    sys.exit(ended(main))
