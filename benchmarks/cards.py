"""How long do the cards of a repository with 20 skills and 500 facts take to build, to check and to ask?

python benchmarks/cards.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from nescio.assembly.carding import ask_cards, build_cards, check_cards
from nescio.config.loading import load

SKILLS, FACTS_EACH = 20, 25  # 500 facts
BUDGET_SECONDS = 1.0
REPEATS = 7
_VERBS = ("reads", "sorts", "sends", "counts", "removes")
_NOUNS = ("mail", "pages", "feeds", "plans", "labels")


def skill(number: int) -> str:
    """A page with 25 facts: ten in setup, ten commands, five refusals."""
    setup = "\n".join(
        f"- Step {at} of skill{number} {_VERBS[at % 5]} {_NOUNS[number % 5]} from place {at}." for at in range(10)
    )
    commands = "\n".join(f"skill{number} do-{at} --from place{at}" for at in range(10))
    refusals = "\n".join(f"| do-{at} | refuses {_NOUNS[at % 5]} that are older than {at} days |" for at in range(5))
    return (
        f"# skill{number}\n\nWhat it is for.\n\n## Setup\n\n{setup}\n\n## Commands\n\n```sh\n{commands}\n```\n\n"
        f"## Refusals\n\n| Command | Refuses |\n|---|---|\n{refusals}\n"
    )


def median_seconds(work: Callable[[], object]) -> float:
    """The median wall time of a few runs."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def main() -> int:
    """Print the medians; 1 where a build takes longer than its budget."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for number in range(SKILLS):
            (root / f"skill{number}").mkdir()
            (root / f"skill{number}" / "SKILL.md").write_text(skill(number), encoding="utf-8")
        configuration = load(root, environ={}, flags={}, needs_docs=False)
        started = time.perf_counter()
        cards = build_cards(configuration).collected.cards
        cold = time.perf_counter() - started
        facts = sum(1 for card in cards for _ in card.facts())
        print(f"{len(cards)} cards, {facts} facts (seconds, median of {REPEATS})")
        print(f"build, nothing there  {cold:.3f}")
        print(f"build again           {median_seconds(lambda: build_cards(configuration)):.3f}")
        print(f"check                 {median_seconds(lambda: check_cards(configuration)):.3f}")
        print(
            f"ask                   {median_seconds(lambda: ask_cards(configuration, 'what does do-3 of skill7 refuse')):.3f}"
        )
    return 1 if cold > BUDGET_SECONDS or facts != SKILLS * FACTS_EACH else 0


if __name__ == "__main__":
    sys.exit(main())
