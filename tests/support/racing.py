"""Run as a program: one of several that edit the same documents and build the same index at the same time.

    python racing.py ROOT NAME ROUNDS

Prints the index_id of each of its builds.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.projects import Project


def main(root: Path, name: str, rounds: int) -> None:
    project = Project(root)
    chance = random.Random(name)
    for number in range(rounds):
        path = f"{name}/{chance.randrange(4)}.md"
        if chance.random() < 0.2:
            (project.docs / path).unlink(missing_ok=True)
        else:
            project.write(path, f"# Round {number}\n\nThe heron of {name} stands on leg number {number}.\n")
        print(project.build(limits__lock_seconds=60.0).index_id, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
