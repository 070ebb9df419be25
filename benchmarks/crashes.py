"""Does the old index or the new one answer after a build was killed? Builds killed at chance times, with edits between.

    python benchmarks/crashes.py DOCS [--kills 50]

The documents are copied first. After each kill the index is asked from a new process: the answer must be that of the generation
whose id it carries. At the end one build must tidy up, and agree with a cold one.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from processes import nescio_command, timed
from questions import SetError
from reporting import FAILED, ended, note, parser, write_json

SEED = 1
MARKER = "crash-marker.md"
QUESTION = "which round does the heron of the crash marker stand in?"
SETTLED_SECONDS = 2.5  # after which a file that was written just before a build is told from one that changes again
ANSWERED, REFUSED, SKIPPED = 0, 1, 3


@dataclass
class Trial:
    """A copy of the documents with an index, and what was seen of it."""

    docs: Path
    index: Path
    outcomes: Counter[str] = field(default_factory=Counter)

    def command(self, *arguments: str, index: Path | None = None) -> list[str]:
        """A command on this index."""
        return [*nescio_command(), *arguments, "--index", str(index or self.index)]

    def build_command(self, index: Path | None = None) -> list[str]:
        """Builds; a file that cannot be read is no fault here."""
        return self.command("build", str(self.docs), "--allow-skips", index=index)

    def edit(self, number: int, chance: random.Random, pages: list[Path]) -> None:
        """Say the round on a page of its own, and change, or drop and bring back, a few others."""
        text = f"# Crash marker\n\nThe heron of the crash marker stands in round number {number}.\n"
        (self.docs / MARKER).write_text(text, encoding="utf-8")
        for page in chance.sample(pages, min(5, len(pages))):
            if page.exists() and chance.random() < 0.3:
                page.unlink()
            else:
                page.parent.mkdir(parents=True, exist_ok=True)
                page.write_text(f"# Edited\n\nEdited in round {number}.\n", encoding="utf-8")

    def answer(self, index: Path | None = None) -> Any:
        """What the index says, without warnings: they compare with the documents of this moment. None when it says nothing."""
        asked = subprocess.run(self.command("ask", QUESTION, "--json", index=index), capture_output=True, check=False)
        if asked.returncode not in (ANSWERED, REFUSED):
            note(asked.stderr.decode(errors="replace"))
            return None
        return {**json.loads(asked.stdout), "warnings": []}


def killed(command: list[str], seconds: float) -> bool:
    """Start a command and kill it after so many seconds; False when it was done before."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def crash(trial: Trial, kills: int) -> None:
    """Kill so many builds and count what answers afterwards: the old index, the new one, or something broken."""
    chance = random.Random(SEED)
    pages = sorted(path for path in trial.docs.rglob("*") if path.is_file() and path.suffix in (".md", ".rst", ".txt", ".html"))
    before = trial.answer()
    usual = 1.0
    while sum(trial.outcomes.values()) < kills:
        number = sum(trial.outcomes.values()) + trial.outcomes["done"] + 1
        trial.edit(number, chance, pages)
        if not killed(trial.build_command(), chance.uniform(0.2, 1.1) * usual):
            usual *= 0.95
        else:
            after = trial.answer()
            trial.outcomes[_told(before, after, number)] += 1
            usual = max(usual, 0.3)
        started = time.monotonic()
        timed(trial.build_command(), (0, SKIPPED))
        usual = 0.8 * usual + 0.2 * (time.monotonic() - started)
        before = trial.answer()
        note(f"{number}: {dict(trial.outcomes)}, a build takes {time.monotonic() - started:.2f} s")


def _told(before: Any, after: Any, number: int) -> str:
    if after is None:
        return "broken"
    if after == before:
        return "old"
    is_new = f"round number {number}." in json.dumps(after) and after["searched"]["index_id"] != before["searched"]["index_id"]
    return "new" if is_new else "broken"


def strays(index: Path) -> list[str]:
    """What lies in the index folder beside the current generation once a build has nothing to do."""
    name = (index / "CURRENT").read_text("ascii").strip()
    left = [path.name for path in (index / "generations").iterdir() if path.name != name]
    return [*left, *(path.name for path in index.glob("*.tmp"))]


def measured(arguments: Namespace) -> dict[str, Any]:
    """The whole trial."""
    if not arguments.docs.is_dir():
        raise SetError(f"there is no folder {arguments.docs}")
    work = arguments.work / "crashes"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(arguments.docs, work / "docs", symlinks=True)
    trial = Trial(work / "docs", work / "index")
    timed(trial.build_command(), (0, SKIPPED))
    crash(trial, arguments.kills)
    time.sleep(SETTLED_SECONDS)
    for _ in range(2):  # the one that notes that files have settled, and one that finds nothing new
        timed(trial.build_command(), (0, SKIPPED))
    timed(trial.build_command(work / "cold"), (0, SKIPPED))
    return {
        "kills": arguments.kills,
        **{name: trial.outcomes[name] for name in ("old", "new", "broken")},
        "strays": strays(trial.index),
        "as_cold": trial.answer() == trial.answer(work / "cold"),
    }


def main() -> int:
    """0 when nothing broke."""
    made = parser(__doc__)
    made.add_argument("docs", type=Path, metavar="DOCS", help="a folder of documentation; it is copied")
    made.add_argument("--kills", type=int, default=50, metavar="N", help="how many builds to kill (default 50)")
    arguments = made.parse_args()
    found = measured(arguments)
    write_json(arguments.json, found)
    for name, value in found.items():
        print(f"{name:8} {value}")
    return FAILED if found["broken"] or found["strays"] or not found["as_cold"] else 0


if __name__ == "__main__":
    sys.exit(ended(main))
