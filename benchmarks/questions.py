"""Question sets: one JSON object a line, `{id, question, answerable, expect: [{path, heading?, quote?, quotes?}], ...}`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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


def load(path: Path) -> list[Question]:
    """All questions of a file, in its order."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip())
    return [
        Question(row["id"], row["question"], row["answerable"], tuple(row.get("expect") or ()), row.get("unanswerable_without"))
        for row in rows
    ]
