"""What is kept of a refused question: its words or no word of it, and where the documents came nearest."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from nescio.domain.answers import Reason, Refusal, Related
from nescio.ingest.secrets.guarding import masked_text

HOUR = 3600
KIND = "refused"  # the one kind there is; a reader passes over others
HASH_LENGTH = 32  # hexadecimal digits: 128 bits, so that two questions never meet by chance
LATEST = 253_402_300_799  # the last second of the year 9999, the last one that has a date
# Refusals that say nothing about what the documents lack: there was no question, no document, or it is covered elsewhere.
NO_GAP = frozenset({Reason.QUESTION_EMPTY, Reason.ONLY_STOP_WORDS, Reason.CORPUS_EMPTY, Reason.HIDDEN_BY_FILTER})
# What ends a question and says nothing: the marks of several scripts.
_CLOSING = " .?!,;:\u2026\u037e\u061f\u06d4\u0964\u3002\uff01\uff0c\uff0e\uff1b\uff1f"
_HASH = re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}")


class Mode(StrEnum):
    """How much of a question is kept."""

    HASHED = "hashed"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Near:
    """A place that came near: the page, its headings from the first down, and the score there."""

    path: str
    heading_path: tuple[str, ...]
    base: float
    source: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """One refusal. `at` is in seconds since 1970, rounded down to the hour.

    Either `question` is as asked, `question_hash` empty and `unknown` the words that no page has; or `question` is None, and
    `question_hash` and `unknown` are hashes under a key that lies elsewhere.
    """

    at: int
    question: str | None
    question_hash: str
    reason: str
    unknown: tuple[str, ...]
    nearest: tuple[Near, ...]
    best: float
    floor: float
    index_id: str
    kind: str = KIND

    @property
    def identity(self) -> str:
        """The same for the same question, whatever its case, spaces and closing punctuation."""
        return self.question_hash if self.question is None else normalised(self.question)


def normalised(question: str) -> str:
    """A question without what makes no difference: case, spaces, ways to write a character, closing punctuation."""
    return " ".join(unicodedata.normalize("NFKC", question).casefold().split()).rstrip(_CLOSING)


def logged(refusal: Refusal, now: float, key: bytes | None) -> Logged | None:
    """What is to be kept of a refusal at `now` (seconds since 1970), None when it shows no gap. With a key, no word of it."""
    if refusal.reason in NO_GAP:
        return None
    question, unknown = _without_secrets(refusal)
    return Logged(
        at=int(now) // HOUR * HOUR,
        question=question if key is None else None,
        question_hash="" if key is None else _hashed(key, "question", normalised(question)),
        reason=refusal.reason.value,
        unknown=unknown if key is None else tuple(_hashed(key, "word", normalised(word)) for word in unknown),
        nearest=tuple(_near(place) for place in refusal.related),
        best=refusal.searched.best,
        floor=refusal.floor,
        index_id=refusal.searched.index_id,
    )


def _without_secrets(refusal: Refusal) -> tuple[str, tuple[str, ...]]:
    """The question with secrets masked, and the unknown words that still stand in it then."""
    question = masked_text(refusal.question)
    if question == refusal.question:
        return question, refusal.searched.unknown
    said = question.casefold()
    return question, tuple(word for word in refusal.searched.unknown if word.casefold() in said)


def encoded(entry: Logged) -> bytes:
    """One line of ASCII with its line feed; every character that is not is a JSON escape."""
    return json.dumps(asdict(entry), separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def decoded(line: bytes) -> Logged | None:
    """The refusal that a line holds, None when it holds none: half written, or changed by hand."""
    try:
        values = json.loads(line.decode("utf-8"))
        return _entry(values) if isinstance(values, dict) else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _hashed(key: bytes, purpose: str, text: str) -> str:
    """HMAC-SHA-256, shortened. The purpose keeps a question of one word apart from the word."""
    said = f"{purpose}\0{text}".encode("utf-8", "surrogatepass")
    return hmac.new(key, said, hashlib.sha256).hexdigest()[:HASH_LENGTH]


def _near(place: Related) -> Near:
    headings = place.heading_path or ((place.title,) if place.title else ())
    return Near(place.path, headings, place.base, place.source)


def _entry(values: Mapping[str, Any]) -> Logged:
    """Raises ValueError, TypeError or KeyError when a value is missing or of another kind than it should be."""
    question = values["question"]
    entry = Logged(
        at=values["at"],
        question=None if question is None else _text(question),
        question_hash=_text(values["question_hash"]),
        reason=_text(values["reason"]),
        unknown=tuple(map(_text, values["unknown"])),
        nearest=tuple(map(_place, values["nearest"])),
        best=_number(values["best"]),
        floor=_number(values["floor"]),
        index_id=_text(values["index_id"]),
        kind=_text(values["kind"]),
    )
    if type(entry.at) is not int or not 0 <= entry.at <= LATEST:
        raise ValueError("no time")
    if question is None and not _HASH.fullmatch(entry.question_hash):
        raise ValueError("neither a question nor a hash")
    return entry


def _place(values: Mapping[str, Any]) -> Near:
    headings = tuple(map(_text, values["heading_path"]))
    return Near(_text(values["path"]), headings, _number(values["base"]), _text(values["source"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("no number")
    return float(value)
