"""Reads a question file: JSON lines, JSON, YAML, or a question a line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nescio.domain.spans import LINE_END
from nescio.errors import NotFoundFault, UsageFault
from nescio.evaluate.questions.cases import Case
from nescio.evaluate.questions.entries import Entry, case_of
from nescio.files import read_at_most
from nescio.ingest.yaml_values import YamlError, yaml_values

MAX_BYTES = 64 * 1024 * 1024  # a hundred thousand questions of 600 characters, with their places
MAX_CASES = 100_000  # at some milliseconds a question, a quarter of an hour
_BOM = "\ufeff"
# How the names of files of each form end; any other file is plain lines.
JSON_LINES = (".jsonl", ".ndjson")
JSON = (".json",)
YAML = (".yaml", ".yml")
LISTS = (*JSON, *YAML)  # one value, in which an entry has a number and no line


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How large a question file may be."""

    max_bytes: int = MAX_BYTES
    max_cases: int = MAX_CASES


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The cases of a file in its order, at least one, each id once; `sha256` is of its bytes."""

    path: str
    sha256: str
    cases: tuple[Case, ...]


def read_cases(path: Path, limits: ReadLimits | None = None) -> QuestionFile:
    """The cases of a question file, read by the end of its name: `.jsonl` and `.ndjson`, `.json`, `.yaml` and `.yml`; any other
    is plain lines, a question each, `!` in front of one that must be refused, `#` in front of a comment.

    A case without an id is called `line-N`, N its line, or its number in a list, from 1. Raises NotFoundFault
    (`questions-not-found`), UsageFault (`questions-...`), each naming the file and the line; OSError when it cannot be read.
    """
    limits = limits or ReadLimits()
    data = _bytes(path, limits.max_bytes)
    entries = _FORMATS.get(path.suffix.lower(), _plain_lines)
    cases: dict[str, Case] = {}
    for entry in entries(str(path), _decoded(path, data)):
        case = case_of(entry)
        if case.id in cases:
            raise UsageFault(
                "questions-duplicate-id",
                f"{entry.where}: the id {case.id!r} is that of {entry.unit} {cases[case.id].line} too.",
                "Give each question its own id, or leave the ids out.",
            )
        cases[case.id] = case
        if len(cases) > limits.max_cases:
            message = f"{path} has more than {limits.max_cases} questions."
            raise UsageFault("questions-too-many", message, "Split it into several files.")
    if not cases:
        raise UsageFault(
            "questions-none",
            f"{path} holds no question.",
            "Write a question a line; with ! in front of those that must be refused.",
        )
    return QuestionFile(str(path), hashlib.sha256(data).hexdigest(), tuple(cases.values()))


def _bytes(path: Path, most: int) -> bytes:
    try:
        data = read_at_most(path, most)
    except FileNotFoundError as error:
        raise NotFoundFault(
            "questions-not-found",
            f"There is no file {path}.",
            "Name a file of questions: JSON lines, JSON, YAML or plain lines.",
        ) from error
    if data is None:
        raise UsageFault("questions-too-large", f"{path} has more than {most} bytes.", "Split it into several files.")
    return data


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise UsageFault(
            "questions-syntax",
            f"{path} is not UTF-8: byte {error.start} is 0x{data[error.start]:02X}.",
            "Save the file as UTF-8.",
        ) from error


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1, white space around them left out."""
    return ((number, line.strip()) for number, line in enumerate(LINE_END.split(text), 1) if line.strip())


def _plain_lines(path: str, text: str) -> Iterator[Entry]:
    return (Entry(path, "line", number, line) for number, line in _lines(text) if not line.startswith("#"))


def _json_lines(path: str, text: str) -> Iterator[Entry]:
    for number, line in _lines(text):
        try:
            yield Entry(path, "line", number, json.loads(line))
        except (ValueError, RecursionError) as error:
            raise UsageFault(
                "questions-syntax", f"{path}, line {number}, is not JSON: {_said(error)}.", "Write one JSON object a line."
            ) from error


def _json(path: str, text: str) -> Iterator[Entry]:
    try:
        return _listed(path, json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UsageFault("questions-syntax", f"{path} is not JSON: {_said(error)}.", "Write a list of JSON objects.") from error


def _yaml(path: str, text: str) -> Iterator[Entry]:
    try:
        return _listed(path, yaml_values(text))
    except YamlError as error:
        hint = "Write a list of questions, those with special characters in quotes, without aliases."
        raise UsageFault("questions-syntax", f"{path} is not YAML as it is read here: {error}.", hint) from error


def _listed(path: str, values: Any) -> Iterator[Entry]:
    if values is not None and not isinstance(values, list):
        hint = "Put the questions in a list; for one JSON object a line, name the file .jsonl."
        raise UsageFault("questions-syntax", f"{path} holds no list.", hint)
    return (Entry(path, "entry", number, value) for number, value in enumerate(values or (), 1))


def _said(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (line {error.lineno}, column {error.colno})"
    return "it is nested too deep" if isinstance(error, RecursionError) else str(error)


_FORMATS: dict[str, Callable[[str, str], Iterator[Entry]]] = {
    **dict.fromkeys(JSON_LINES, _json_lines),
    **dict.fromkeys(JSON, _json),
    **dict.fromkeys(YAML, _yaml),
}
