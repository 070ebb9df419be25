"""Run as a program: builds that are killed at each of their steps in turn, and what the index says after each.

    python crashing.py ROOT QUESTION

Prints one JSON object a line: the step, whether the build was killed, the index_id that answers afterwards (null where none
does), whether the answer is whole, and what lies about once the next build has run. Each build is a fork of this process,
which itself never touches an index, so that hundreds of them take seconds.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from sentencex import segment

from nescio.analysis import lexicon
from nescio.analysis.tokens import Analyzer
from support.projects import Project

# What a build does to files, as far as Python sees it. The search engine's own steps come between these.
STEPS = frozenset({"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"})
MOST_STEPS = 2_000


def in_fork(work: Callable[[], Any]) -> tuple[int, Any]:
    """Do `work` in a fork; its wait status and what it returned (None where it did not come to return)."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        code = 1
        try:
            told = json.dumps(work()).encode()
            os.write(write, told)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return status, json.loads(told) if told else None


def killed_build(project: Project, step: int) -> Callable[[], str]:
    """A build that ends itself with SIGKILL just before its step of this number that touches the index."""

    def build() -> str:
        left = step
        inside = str(project.index)

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            if event in STEPS and any(str(one).startswith(inside) for one in arguments if isinstance(one, (str, Path))):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        return project.build().index_id

    return build


def looked_at(project: Project, question: str) -> Callable[[], dict[str, Any]]:
    """The answer, and then what the next build leaves behind."""

    def look() -> dict[str, Any]:
        said = project.answers([question])[0]["answer"] if (project.index / "CURRENT").exists() else None
        project.build()
        return {"index_id": said and said["searched"]["index_id"], "said": said, "strays": project.strays()}

    return look


def warm() -> None:
    """What every build loads, so that the forks need not."""
    Analyzer("en").tokens("words")
    list(segment("en", "One sentence. Another."))
    lexicon.synonyms("words")


def main(root: Path, question: str) -> None:
    warm()
    project = Project(root)
    snapshot = root / "snapshot"
    if project.index.exists():
        shutil.copytree(project.index, snapshot)
    for step in range(1, MOST_STEPS):
        shutil.rmtree(project.index, ignore_errors=True)
        if snapshot.exists():
            shutil.copytree(snapshot, project.index)
        status, _ = in_fork(killed_build(project, step))
        was_killed = os.WIFSIGNALED(status)
        _, found = in_fork(looked_at(project, question))
        print(json.dumps({"step": step, "killed": was_killed, **found}), flush=True)
        if not was_killed:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
