"""What is written down of each request: one line, as text or as JSON, without the question unless that was chosen."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import PurePath
from time import perf_counter

from starlette.types import Scope

from nescio.config.serving import Serve
from nescio.surfaces.terminal import escape_json, escape_line
from nescio.surfaces.web.problems import instance_of
from nescio.surfaces.web.visits import Visit

Write = Callable[[str], object]
GONE = 499  # the client left before there was an answer; a widely used number that no standard has
OFF = "off"
JSON = "json"


class RequestLog:
    """Writes lines with `write`, each with its line feed. A line that cannot be written is lost: an answer matters more."""

    def __init__(self, settings: Serve, write: Write) -> None:
        self._form = settings.log
        self._has_questions = settings.log_questions
        self._write = write

    def seen(self, scope: Scope, visit: Visit, status: int, size: int) -> None:
        """Write down a request that is over. `status` is 0 where none was sent."""
        if self._form == OFF:
            return
        told: dict[str, object] = {
            "time": _now(),
            "method": visit.method,
            "path": instance_of(scope),
            "status": status or GONE,
            "ms": round((perf_counter() - visit.started) * 1000, 1),
            "bytes": size,
            "request_id": visit.request_id,
            "client": visit.client,
        }
        self._line(told | self._more(visit))

    def failed(self, visit: Visit, error: Exception) -> None:
        """Write down where something broke: the fault, the kind of exception and its place, and none of its words.

        The words of an exception may be those of a question or a document.
        """
        if self._form != OFF:
            where = _places(error)
            told = {"time": _now(), "request_id": visit.request_id, "fault": visit.fault, "error": type(error).__name__}
            self._line({**told, "where": where})

    def _more(self, visit: Visit) -> dict[str, object]:
        """What only some requests have."""
        told: dict[str, object] = {
            "key": visit.key.name if visit.key else "",
            "fault": visit.fault,
            "answer": visit.status,
            "reason": visit.reason,
            "index_id": visit.index_id,
            "question": visit.question if self._has_questions else "",
        }
        return {name: value for name, value in told.items() if value}

    def _line(self, told: dict[str, object]) -> None:
        line = _quoted(told) if self._form == JSON else _text(told)
        try:
            self._write(line + "\n")
        except (OSError, ValueError):
            return


def _text(told: dict[str, object]) -> str:
    """The time, the method, the path and the status as they are, the rest with its name."""
    plain = ("time", "method", "path", "status")
    return " ".join(_value(value) if name in plain else f"{name}={_value(value)}" for name, value in told.items())


def _value(value: object) -> str:
    """One value; quoted where it could be taken for several."""
    text = str(value)
    if " " in text or '"' in text:
        return _quoted(text)
    return text if text.isascii() and text.isprintable() else escape_line(text)


def _quoted(value: object) -> str:
    """JSON that is safe to look at."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() and text.isprintable() else escape_json(text)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _places(error: Exception, most: int = 4) -> str:
    """The innermost places of a stack, from the outer one in: `chain.py:61 engine.py:120`."""
    frames = traceback.extract_tb(error.__traceback__)[-most:]
    return " ".join(f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames)
