"""Question sets: a folder with documents and questions, one JSON object a line.

`questions.jsonl` holds `{id, question, answerable, expect: [{path, heading?, quote?, quotes?}], unanswerable_without?}`;
`folds.json`, where it is there, maps names of folds to the folders of the documents that a fold leaves out.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Made = TypeVar("Made")


class SetError(Exception):
    """A folder or file given to a benchmark is not what it should be. The message says which and what to give."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is right. `without` names the part of the corpus that must be left out for it to have no answer."""

    id: str
    text: str
    answerable: bool
    expect: tuple[dict[str, Any], ...]
    without: str | None

    @property
    def is_even(self) -> bool:
        """Of the half that may be read one by one; the other half is only scored."""
        return hashlib.sha256(self.id.encode()).digest()[-1] % 2 == 0

    @property
    def paths(self) -> frozenset[str]:
        """The pages any of which is right."""
        return frozenset(entry["path"] for entry in self.expect)

    @property
    def gold(self) -> tuple[str, ...]:
        """Sentences that people picked as the answer, any of which is right; empty where none were picked."""
        picked = [(entry["quotes"] if "quotes" in entry else [entry.get("quote")]) for entry in self.expect]
        return tuple(sentence for sentences in picked for sentence in sentences if sentence)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents and what is asked of them. `folds` maps the name of a fold to the folders below `docs` that it leaves out."""

    name: str
    docs: Path
    questions: tuple[Question, ...]
    folds: Mapping[str, tuple[str, ...]]


def load(path: Path) -> list[Question]:
    """All questions of a file, in its order. Raises SetError."""
    return load_rows(path, question_of)


def load_rows(path: Path, made: Callable[[dict[str, Any]], Made]) -> list[Made]:
    """What is made of each row of a file of questions, in its order. Raises SetError, for a row that is not right too."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
        return [made(row) for row in rows]
    except OSError as error:
        raise SetError(f"{path} cannot be read ({error.strerror}): name a file of questions, one JSON object a line") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SetError(f"{path} is no file of questions, one JSON object a line ({error!r})") from error


def question_of(row: dict[str, Any]) -> Question:
    """The question of a row. Raises KeyError where something is not there."""
    return Question(
        row["id"], row["question"], row["answerable"], tuple(row.get("expect") or ()), row.get("unanswerable_without")
    )


def open_set(folder: Path, work: Path) -> QuestionSet:
    """The set in `folder`. Documents that are there only as `docs.tar.xz` are unpacked below `work`, once. Raises SetError."""
    folder = folder.absolute()
    if not folder.is_dir():
        raise SetError(f"there is no folder {folder}: name one that holds questions.jsonl and docs/ or docs.tar.xz")
    questions = tuple(load(folder / "questions.jsonl"))
    folds = folder / "folds.json"
    left_out = json.loads(folds.read_text(encoding="utf-8")) if folds.exists() else {}
    return QuestionSet(folder.name, _docs(folder, work), questions, {name: tuple(guides) for name, guides in left_out.items()})


def _docs(folder: Path, work: Path) -> Path:
    if (folder / "docs").is_dir():
        return folder / "docs"
    packed = folder / "docs.tar.xz"
    if not packed.is_file():
        raise SetError(f"{folder} holds neither docs/ nor docs.tar.xz")
    target = work.absolute() / folder.name / "docs"
    unpack(packed, target, top="docs")
    return target


def unpack(packed: Path, target: Path, top: str = "") -> None:
    """What an archive has in its folder `top`, or all of it, as the folder `target`, unless that is there. Raises SetError.

    It is unpacked beside the target first, so that a run that was stopped leaves no half of it.
    """
    if target.is_dir():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        with tarfile.open(packed) as archive:
            archive.extractall(beside, filter="data")
        (beside / top).rename(target)
    except (tarfile.TarError, OSError) as error:
        raise SetError(f"{packed} cannot be unpacked: {error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
