"""From refused questions to lines of a question file, for a person to look through: each once, however often it is added."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nescio.errors import UsageFault
from nescio.evaluate.gaps.groups import Asked
from nescio.evaluate.gaps.logged import normalised
from nescio.evaluate.questions.entries import MUST_REFUSE
from nescio.evaluate.questions.reading import JSON_LINES, LISTS, read_cases

ID_DIGITS = 12  # 48 bits: question files have thousands of lines, not millions
_NOT_PLAIN = (MUST_REFUSE, "#")  # a plain line that starts so is no question, or another


@dataclass(frozen=True, slots=True)
class Addition:
    """What to append to a question file. `known` were in it already; `unwritable` cannot be said in a plain line."""

    data: bytes
    added: int
    known: int
    unwritable: int


def addition(file: Path, asked: Sequence[Asked], *, answerable: bool) -> Addition:
    """The questions that the file lacks, in the given order; those without text are passed over. The file need not be there.

    Raises UsageFault: `gaps-format` where nothing can be appended to a file of this ending, `questions-...` where it is broken.
    """
    ending = file.suffix.lower()
    if ending in LISTS:
        raise UsageFault(
            "gaps-format",
            f"{file} holds one list, and nothing can be added at its end.",
            "Name a file that ends in .jsonl, or in .txt for plain lines.",
        )
    write = _json_line if ending in JSON_LINES else _plain_line
    there = _known(file)
    lines: list[bytes] = []
    known = unwritable = 0
    for one in asked:
        if one.text is None:
            continue
        if {normalised(one.text), question_id(one.text)} & there:
            known += 1
            continue
        line = write(one.text, answerable)
        if line is None:
            unwritable += 1
        else:
            lines.append(line)
    return Addition(_start(file) + b"".join(lines) if lines else b"", len(lines), known, unwritable)


def question_id(question: str) -> str:
    """The same for the same question, on every machine."""
    said = normalised(question).encode("utf-8", "surrogatepass")
    return f"gap-{hashlib.sha256(said).hexdigest()[:ID_DIGITS]}"


def _known(file: Path) -> set[str]:
    """The questions of a file, normalised, and their ids."""
    if not file.exists():
        return set()
    try:
        cases = read_cases(file).cases
    except UsageFault as fault:
        if fault.code == "questions-none":
            return set()
        raise
    return {name for case in cases for name in (normalised(case.question), case.id)}


def _start(file: Path) -> bytes:
    """What closes the last line of the file."""
    if not file.exists():
        return b""
    data = file.read_bytes()
    return b"\n" if data and not data.endswith((b"\n", b"\r")) else b""


def _json_line(question: str, answerable: bool) -> bytes:
    case = {"id": question_id(question), "question": question, "answerable": answerable}
    return json.dumps(case).encode("ascii") + b"\n"


def _plain_line(question: str, answerable: bool) -> bytes | None:
    """The question on one line, None where it would be read as something else, or not at all."""
    text = " ".join(question.split())
    if answerable and text.startswith(_NOT_PLAIN):
        return None
    try:
        return f"{text if answerable else f'{MUST_REFUSE} {text}'}\n".encode()
    except UnicodeEncodeError:
        return None
