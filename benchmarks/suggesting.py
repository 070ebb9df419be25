"""What does it cost to complete what is typed, letter by letter, and how much memory?

What is typed is made of the documents' own titles and headings, chosen by chance with a fixed seed: letter by letter, as words
from inside and in another order, and with a typing error. Times are CPU milliseconds of one call in process, each the
median over --runs of one run's figure; the memory is that of a fresh process before and after the first call.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from engines import Corpus, engine_for
from metrics import median, percentile
from nescio.engine import Engine
from processes import in_fresh_process, own_memory
from questions import SetError
from reporting import ended, parser, table, write_json

MILLISECONDS = 1_000
MEGABYTE = 1024 * 1024
TAIL = 0.95
CHOSEN = 200  # titles and headings that are typed
MOST_LETTERS = 16  # of each, letter by letter
LONG_ENOUGH = 5  # letters of a word that gets a typing error

Typed = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a way of typing: CPU milliseconds a call, how many calls, and how many of them had a suggestion."""

    median: float
    tail: float
    most: float
    calls: int
    suggested: int


@dataclass(frozen=True, slots=True)
class First:
    """Of the first call, which puts the headings in order. `before` and `after` are private bytes, None where not known."""

    milliseconds: float
    before: int | None
    after: int | None


def letter_by_letter(text: str, _: random.Random) -> list[str]:
    """The first letter, the first two, and so on."""
    return [text[:end] for end in range(1, min(len(text), MOST_LETTERS) + 1)]


def inside(text: str, chance: random.Random) -> list[str]:
    """A later word with its beginning, and the last word followed by the beginning of the first."""
    words = text.split()
    if len(words) < 2:
        return []
    word = chance.choice(words[1:])
    return [word, word[: max(1, len(word) // 2)], f"{words[-1]} {words[0][: chance.randint(1, 4)]}"]


def mistyped(text: str, chance: random.Random) -> list[str]:
    """A word with two neighbouring letters swapped, and with one left out."""
    words = [word for word in text.split() if len(word) >= LONG_ENOUGH and word.isalpha()]
    if not words:
        return []
    word = chance.choice(words)
    at = chance.randrange(1, len(word) - 2)
    return [word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[:at] + word[at + 1 :]]


WAYS: Mapping[str, Callable[[str, random.Random], list[str]]] = {
    "letter by letter": letter_by_letter,
    "words from inside": inside,
    "with a typing error": mistyped,
}


def typed(engine: Engine) -> Typed:
    """What is typed in each way."""
    chance = random.Random(1)
    known = sorted({text for page in engine.index.headings() for text in page.texts})
    if not known:
        raise SetError("there is no heading in these documents")
    chosen = chance.sample(known, min(CHOSEN, len(known)))
    return {way: [one for text in chosen for one in made(text, chance)] for way, made in WAYS.items()}


def cost(engine: Engine, texts: Sequence[str], runs: int) -> Cost:
    """What one way of typing costs."""
    passes = [[_milliseconds(engine, text) for text in texts] for _ in range(runs)]
    suggested = sum(bool(engine.suggest(text)) for text in texts)
    medians, tails, most = ([of(one) for one in passes] for of in (median, lambda one: percentile(one, TAIL), max))
    return Cost(median(medians), median(tails), median(most), len(texts), suggested)


def _milliseconds(engine: Engine, text: str) -> float:
    started = time.process_time()
    engine.suggest(text)
    return (time.process_time() - started) * MILLISECONDS


def first(docs: Path, work: Path) -> First:
    """The first call, in a process that has answered a question. To be run in a fresh process."""
    with engine_for(Corpus(docs.name, docs), work) as engine:
        engine.ask("how is it installed")
        before = own_memory()
        spent = _milliseconds(engine, "install")
        after = own_memory()
        return First(spent, before.private if before else None, after.private if after else None)


def main() -> int:
    """Read the command line, measure, print."""
    made = parser(__doc__)
    made.add_argument("docs", type=Path, metavar="DOCS")
    made.add_argument("--runs", type=int, default=5, metavar="N", help="of everything (default 5)")
    arguments = made.parse_args()
    if not arguments.docs.is_dir():
        raise SetError(f"there is no folder {arguments.docs}")
    with engine_for(Corpus(arguments.docs.name, arguments.docs), arguments.work) as engine:
        found = {way: cost(engine, texts, arguments.runs) for way, texts in typed(engine).items() if texts}
    opening = in_fresh_process(first, arguments.docs, arguments.work)
    rows = [["typed", "calls", "suggested", "CPU ms, median", "95 %", "most"]]
    for way, one in found.items():
        rows.append([way, str(one.calls), str(one.suggested), *(f"{value:.2f}" for value in (one.median, one.tail, one.most))])
    print(table(rows))
    grown = None if opening.before is None or opening.after is None else (opening.after - opening.before) / MEGABYTE
    print(f"\nfirst call: {opening.milliseconds:.0f} ms; memory: " + ("not known" if grown is None else f"{grown:+.1f} MB"))
    write_json(arguments.json, {"first": asdict(opening), **{way: asdict(one) for way, one in found.items()}})
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
