"""A folder of documents with an index beside it, and what a user does with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nescio.assembly import building, opening
from nescio.config.loading import Configuration, load
from nescio.domain.reports import BuildReport
from nescio.engine import Engine
from nescio.index.reading import StoredIndex, open_stored
from nescio.surfaces import wire

Json = dict[str, Any]
Run = Callable[..., tuple[int, str, str]]  # a command's exit code, stdout and stderr
TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Project:
    """`docs/` and `.nescio/` in one folder, built and asked in this process."""

    root: Path

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    @property
    def index(self) -> Path:
        return self.root / ".nescio"

    def write(self, path: str, text: str) -> Path:
        """Write a page; `path` is below docs/."""
        file = self.docs / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def write_all(self, pages: Mapping[str, str]) -> Project:
        self.docs.mkdir(exist_ok=True, parents=True)
        for path, text in pages.items():
            self.write(path, text)
        return self

    def configuration(self, **flags: object) -> Configuration:
        """Flags have two underscores for a dot: limits__lock_seconds."""
        named = {name.replace("__", "."): value for name, value in {"jobs": 1, **flags}.items()}
        return load(self.root, environ={}, flags=named, needs_docs=False)

    def build(self, index: Path | None = None, *, allow_empty: bool = False, **flags: object) -> BuildReport:
        return building.build(self.configuration(**flags), index or self.index, allow_empty=allow_empty)

    def settle(self) -> None:
        """Build until nothing is new. A file that was just written is looked at again once the clock has moved on, and the
        build that finds it settled keeps the generation before its own, as every build that commits does.
        """
        generation = ""
        while (report := self.build()).generation != generation:
            generation = report.generation

    def engine(self, index: Path | None = None) -> Engine:
        return opening.open_index(self.configuration(), index or self.index)

    def stored(self, index: Path | None = None) -> StoredIndex:
        return open_stored(index or self.index)

    def answers(self, questions: Iterable[str], index: Path | None = None) -> list[Json]:
        """The JSON of the answer to each question, and of the ranked passages."""
        with self.engine(index) as engine:
            return said_by(engine, questions)

    def contents(self) -> list[str]:
        """The names of the generations, packs and unfinished pointers in the index folder."""
        folders = (self.index / "generations", self.index / "packs")
        names = [path.name for folder in folders for path in folder.iterdir()]
        return sorted([*names, *(path.name for path in self.index.glob("*.tmp"))])

    def strays(self, index: Path | None = None) -> list[str]:
        """What lies in the index folder and belongs to no generation that a reader may have open."""
        folder = index or self.index
        name = (folder / "CURRENT").read_text("ascii").strip()
        with closing(self.stored(folder)) as stored:
            packs = {row.pack for row in stored.manifest.pages} | {blob.pack for blob in stored.manifest.blobs.values()}
        generations = [path.name for path in (folder / "generations").iterdir() if path.name != name]
        files = [path.name for path in (folder / "packs").iterdir() if path.name not in packs]
        return [*generations, *files, *(path.name for path in folder.glob("*.tmp"))]


def said_by(engine: Engine, questions: Iterable[str]) -> list[Json]:
    """Everything an engine says to each question that does not depend on the machine."""
    return [
        {"answer": wire.answer_json(engine.ask(question)), "search": wire.search_json(engine.search(question, limit=20))}
        for question in questions
    ]


def environment(**added: str) -> dict[str, str]:
    """The environment of a process, without settings of ours that somebody may have."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NESCIO_", "PYTHONIO"))}
    return {**kept, **added}


def command(folder: Path, *arguments: str, **added: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "nescio", *arguments],
        cwd=folder,
        env=environment(**added),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


def fault_code(done: subprocess.CompletedProcess[str]) -> str:
    """The code of the fault that a command told as JSON; checks that it has a message and no traceback."""
    assert "Traceback" not in done.stderr, done.stderr
    fault = json.loads(done.stderr.strip().split("\n")[-1])["error"]
    assert fault["message"]
    code: str = fault["code"]
    return code


def listing(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every file and folder below `folder` with its size, time and mode: the same again means that nothing was written."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        found[str(path.relative_to(folder))] = (status.st_size, status.st_mtime_ns, status.st_mode)
    return found
