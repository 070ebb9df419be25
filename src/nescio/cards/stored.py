"""What do the cards on disk say? Read back from their JSON, which anybody may have edited."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nescio.cards.rendering import DATA, MARK, PAGE
from nescio.files import read_at_most

LONGEST_CARD = 16 * 1024 * 1024  # bytes of a card on disk; what is longer is none of ours


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact as a card on disk has it."""

    section: str
    text: str
    introduction: str
    path: str
    start_line: int
    end_line: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StoredIdentifier:
    """A name as a card on disk has it."""

    kind: str
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card on disk, as far as it can be read. `sections` are the names of those that it has."""

    sections: tuple[str, ...] = ()
    facts: tuple[StoredFact, ...] = ()
    identifiers: tuple[StoredIdentifier, ...] = ()


def bytes_of(folder: Path, name: str) -> bytes | None:
    """The bytes of a file of the cards' folder with LF; None where there is none. Raises OSError."""
    try:
        found = read_at_most(folder / name, LONGEST_CARD)
    except FileNotFoundError:
        return None
    return found.replace(b"\r\n", b"\n") if found is not None else b""


def parsed(content: bytes) -> StoredCard | None:
    """A card's JSON; None where it is none."""
    try:
        value = json.loads(content.decode("utf-8-sig"))
        if not isinstance(value, dict) or not isinstance(value.get("card"), str):
            return None
        sections = [(str(one["name"]), one["facts"]) for one in value["sections"]]
        return StoredCard(
            tuple(name for name, _ in sections),
            tuple(_fact(name, fact) for name, several in sections for fact in several),
            tuple(_identifier(one) for one in value["identifiers"]),
        )
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


def _fact(section: str, value: Any) -> StoredFact:
    text, introduction, path = (str(value[key]) for key in ("text", "introduction", "path"))
    lines = int(value["start_line"]), int(value["end_line"])
    return StoredFact(section, text, introduction, path, *lines, str(value["sha256"]))


def _identifier(value: Any) -> StoredIdentifier:
    return StoredIdentifier(str(value["kind"]), str(value["name"]), str(value["path"]), int(value["line"]))


def strangers(folder: Path, names: frozenset[str]) -> Iterator[str]:
    """The names of files in the folder that are cards, by their content, and none of `names`; in order. Raises OSError."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name in names or path.suffix not in (PAGE, DATA) or not path.is_file():
            continue
        content = bytes_of(folder, path.name) or b""
        if content.startswith(MARK.encode()) if path.suffix == PAGE else parsed(content) is not None:
            yield path.name
