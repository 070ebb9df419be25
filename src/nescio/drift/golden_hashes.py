"""Which hashes of quotes does a question file pin? The key `quote_sha256` of its entries, beside what `evaluate` reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nescio.domain.spans import LINE_END
from nescio.errors import UsageFault
from nescio.evaluate.questions.reading import JSON, JSON_LINES, YAML
from nescio.ingest.yaml_values import yaml_values

KEY = "quote_sha256"
_SHA256 = re.compile(r"[0-9a-f]{64}")


def pinned_hashes(path: str, data: bytes) -> Mapping[int, frozenset[str]]:
    """The hashes by the line of their entry, or its number in a list, from 1; of the entry itself and of its `expect`.

    `data` is a file that `read_cases` has read. Raises UsageFault (`golden-wrong-hash`) for what is no SHA-256 in lower case.
    """
    found = {}
    for number, entry in _entries(path, data.decode("utf-8-sig")):
        if isinstance(entry, Mapping):
            holders = [entry, *(one for one in entry.get("expect") or () if isinstance(one, Mapping))]
            given = [one[KEY] for one in holders if one.get(KEY) is not None]
            found[number] = frozenset(_checked(path, number, value) for value in given)
    return found


def _entries(path: str, text: str) -> Iterator[tuple[int, Any]]:
    ending = path[path.rfind(".") :].lower()
    if ending in JSON_LINES:
        lines = enumerate(LINE_END.split(text), 1)
        return ((number, json.loads(line)) for number, line in lines if line.strip())
    if ending in JSON:
        return iter(enumerate(json.loads(text) or (), 1))
    if ending in YAML:
        return iter(enumerate(yaml_values(text) or (), 1))
    return iter(())


def _checked(path: str, number: int, value: Any) -> str:
    if isinstance(value, str) and _SHA256.fullmatch(value):
        return value
    raise UsageFault(
        "golden-wrong-hash",
        f"{path}, entry {number}: {KEY} is no SHA-256 in hexadecimal.",
        "Copy it from the quote_sha256 of `nescio ask --json`: 64 digits in lower case.",
    )
