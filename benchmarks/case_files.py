"""What a case says: its documents, its question and what is expected, read from its folder; and a copy of it to work on."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from processes import nescio_command
from questions import SetError

Json = dict[str, Any]
SOURCE = "docs"
DONE, REFUSED, SKIPPED = 0, 1, 3
LONGEST_SECONDS = 120.0
LONGEST_SAID = 400  # characters of what a command said that are shown
_ANCHOR = re.compile(r"#(\S+) \(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Cite:
    """A place that the answer must hold. `lines` are 1-based and inclusive, `start` and `end` bytes of the file on disk."""

    file: str
    lines: tuple[int, int]
    start: int
    end: int
    quote_sha256: str


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `anchors` maps a slug style to the fragment expected; `must_not` and `note` are as written."""

    id: str
    kind: str
    folder: Path
    question: str
    status: str
    cites: tuple[Cite, ...]
    anchors: Mapping[str, str]
    must_not: tuple[str, ...]
    has_steps: bool


def cases(folder: Path) -> list[Case]:
    """All cases that have a folder, in order of their ids. Raises SetError."""
    try:
        described = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SetError(f"{folder} holds no cases.json that can be read ({error})") from error
    return [_case(folder / one["id"], one["kind"]) for one in described if (folder / one["id"]).is_dir()]


def _case(folder: Path, kind: str) -> Case:
    try:
        lines = (folder / "expected.txt").read_text(encoding="utf-8").split("\n")
        pairs = [(name, value) for name, found, value in (line.partition(": ") for line in lines) if found]
        return Case(
            folder.name,
            kind,
            folder,
            (folder / "question.txt").read_text(encoding="utf-8").rstrip("\r\n"),
            next(value for name, value in pairs if name == "status"),
            tuple(_cites(pairs)),
            {_style(label): anchor for name, value in pairs if name == "anchor" for anchor, label in _ANCHOR.findall(value)},
            tuple(value for name, value in pairs if name == "must_not"),
            (folder / "steps.txt").exists(),
        )
    except (OSError, ValueError, KeyError, StopIteration) as error:
        raise SetError(f"the case {folder.name} cannot be read ({error!r})") from error


def _cites(pairs: list[tuple[str, str]]) -> Iterator[Cite]:
    starts = [at for at, (name, _) in enumerate(pairs) if name == "cite"]
    for at, end in zip(starts, [*starts[1:], len(pairs)], strict=False):
        said = dict(reversed(pairs[at:end]))
        first, last = _numbers(said["lines"])
        yield Cite(said["cite"].removeprefix(f"{SOURCE}/"), (first, last), *_numbers(said["bytes"]), said["quote_sha256"])


def _numbers(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last)


def _style(label: str) -> str:
    return "python-markdown" if "mkdocs" in label else "github"


@dataclass
class Stage:
    """A copy of a case's documents, and an index beside it that the command line builds and asks."""

    case: Case
    folder: Path
    report: Json = field(default_factory=dict)

    @property
    def docs(self) -> Path:
        """The source folder."""
        return self.folder / SOURCE

    @property
    def index(self) -> Path:
        """The index folder."""
        return self.folder / "index"

    @classmethod
    def of(cls, case: Case, folder: Path) -> Stage:
        """Copy the case's folder, writable whatever it was, bytes and links as they are."""
        shutil.copytree(case.folder, folder, symlinks=True, copy_function=shutil.copyfile)
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() else 0o644)
        return cls(case, folder)

    def command(self, *words: str) -> list[str]:
        """A nescio command on the stage's index."""
        return [*nescio_command(), words[0], "--index", str(self.index), *words[1:]]

    def run(
        self, *words: str, environ: Mapping[str, str] | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a nescio command to its end, with no setting from the environment but `environ`."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("NESCIO_", "PYTHONIOENCODING"))}
        return subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=clean | dict(environ or {}),
            input=stdin,
            capture_output=True,
            check=False,
            timeout=LONGEST_SECONDS,
        )

    def build(self, *words: str, codes: tuple[int, ...] = (DONE,)) -> list[str]:
        """Build and keep the report. What is wrong: an exit code that is not among `codes`."""
        done = self.run("build", "--json", *words)
        self.report = parsed(done.stdout)
        return [] if done.returncode in codes else [f"build ended with {done.returncode}: {_said(done)}"]

    def ask(self, question: str | None = None, *words: str) -> tuple[Json, list[str]]:
        """The answer, and what is wrong with the exit code. An empty answer where there was no JSON."""
        done = self.run("ask", "--json", *words, "--", self.case.question if question is None else question)
        answer = parsed(done.stdout)
        right = DONE if answer.get("status") == "answered" else REFUSED
        return answer, [] if done.returncode == right and answer else [f"ask ended with {done.returncode}: {_said(done)}"]

    def configure(self, **settings: object) -> str:
        """A configuration file that has the source with these settings; its path. Values are JSON-like."""
        said = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in settings.items())
        file = self.folder / "nescio-case.toml"
        file.write_text(f'[[source]]\nname = "{SOURCE}"\npath = "{SOURCE}"\n{said}', encoding="utf-8")
        return str(file)


def parsed(stdout: bytes) -> Json:
    """The JSON object that a command printed; empty where it printed none."""
    try:
        found = json.loads(stdout)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())[:LONGEST_SAID]
