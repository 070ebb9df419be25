"""Keeps refused questions in a file, if asked to: one line each, for its owner's eyes, and not for ever.

    .nescio-gaps.jsonl         a first line that says what it is, then one line for each refusal, oldest first
    .nescio-gaps.jsonl.key     32 random bytes, in hexadecimal, that the hashes are made with
    .nescio-gaps.jsonl.lock    held while something is written

Lines are only ever added at the end, but for two cases: those that are too old go once a day, and the oldest go when the file
gets too large. Then the file is written anew beside itself and renamed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nescio.domain.answers import Refusal
from nescio.errors import UsageFault
from nescio.evaluate.gaps.logged import KIND, NO_GAP, Logged, Mode, decoded, encoded, logged
from nescio.files import OWNER_ONLY, append_line, write_private
from nescio.index.locking import held

HEADER = b'{"nescio_gaps":1}\n'
DAY = 24 * 3600
KEY_BYTES = 32
WAIT_SECONDS = 2.0  # an answer waits no longer than this for its log
KEPT_SHARE = 0.75  # of the largest size, after the oldest lines went: so that not every new line writes the file anew


@dataclass(frozen=True, slots=True)
class Kept:
    """The refusals of a log in the order of the file, and how many lines could not be read."""

    entries: tuple[Logged, ...] = ()
    damaged: int = 0


class GapLog:
    """One log. Nothing is written before the first refusal is added; several processes may use it at once."""

    def __init__(self, path: Path, keep_days: int = 90, max_bytes: int = 16 * 1024 * 1024) -> None:
        self.path = Path(os.path.realpath(path))
        self._key_path = self.path.with_name(f"{self.path.name}.key")
        self._lock_path = self.path.with_name(f"{self.path.name}.lock")
        self._unfinished = self.path.with_name(f"{self.path.name}.new")
        self._keep_seconds = keep_days * DAY
        self._max_bytes = max_bytes

    def add(self, refusal: Refusal, mode: Mode, now: float) -> bool:
        """Keep a refusal that shows a gap, at `now` in seconds since 1970. False when it should be kept and cannot be.

        Raises nothing that the system or another process is to blame for: an answer matters more than its log.
        """
        if refusal.reason in NO_GAP:
            return True
        try:
            with self._writing():
                return self._add(refusal, mode, now)
        except (OSError, UsageFault):
            return False

    def read(self, now: float) -> Kept:
        """What is kept and not too old at `now`; what is too old is removed where that is possible.

        Raises UsageFault (`gaps-foreign-file`) when the file is no log, OSError when it cannot be read.
        """
        if not self.path.exists():
            return Kept()
        self._check()
        with contextlib.suppress(OSError), self._writing():
            if self._is_due(now, 0):
                self._write_anew(now, self._max_bytes)
        entries, damaged = [], 0
        for line in self._lines():
            entry = decoded(line)
            if entry is None:
                damaged += 1
            elif entry.kind == KIND and entry.at >= now - self._keep_seconds:
                entries.append(entry)
        return Kept(tuple(entries), damaged)

    def purge(self) -> tuple[Path, ...]:
        """Remove the log and its key; the paths that were removed. Raises UsageFault when the file is no log, and OSError."""
        there = [path for path in (self.path, self._key_path, self._unfinished) if path.exists()]
        if not there:
            return ()
        with self._writing():
            self._check()
            for path in there:
                path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # where an open file cannot be removed, an empty lock is left
                self._lock_path.unlink()
        return tuple(there)

    def _writing(self) -> contextlib.AbstractContextManager[None]:
        return held(self._lock_path, WAIT_SECONDS, OWNER_ONLY)

    def _check(self) -> None:
        """Leave alone what is no log of ours."""
        if not self.path.exists():
            return
        if self.path.is_file():
            with self.path.open("rb") as file:
                start = file.read(len(HEADER))
            if start in (HEADER, b""):
                return
        raise UsageFault(
            "gaps-foreign-file",
            f"{self.path} is no log of refused questions.",
            "Name another file in gaps.file; this one is left as it is.",
        )

    def _add(self, refusal: Refusal, mode: Mode, now: float) -> bool:
        self._check()
        entry = logged(refusal, now, self._key() if mode is Mode.HASHED else None)
        line = b"" if entry is None else encoded(entry)
        if len(HEADER) + len(line) > self._max_bytes:
            return False
        if self._is_due(now, len(line)):
            self._write_anew(now, self._max_bytes - len(line))
        return append_line(self.path, line)

    def _key(self) -> bytes:
        """The key of this log, made when there is none."""
        with contextlib.suppress(FileNotFoundError, ValueError):
            key = bytes.fromhex(self._key_path.read_text(encoding="ascii"))
            if len(key) == KEY_BYTES:
                return key
        key = secrets.token_bytes(KEY_BYTES)
        write_private(self._key_path, [key.hex().encode("ascii"), b"\n"], self._unfinished)
        return key

    def _lines(self) -> Iterator[bytes]:
        """The lines after the first. A file is not a text here: only a line feed ends a line."""
        with self.path.open("rb") as file:
            file.readline()
            yield from file

    def _is_due(self, now: float, more: int) -> bool:
        """Whether the file has to be written anew: it is not there or empty, would get too large, or has what is too old.

        The first line is the oldest. It may outstay its time by a day, so that a log is not written anew at every question.
        """
        size = self.path.stat().st_size if self.path.exists() else 0
        if not size or size + more > self._max_bytes:
            return True
        first = next(self._lines(), None)
        if first is None:
            return False
        entry = decoded(first)
        return entry is None or entry.at < now - self._keep_seconds - DAY

    def _write_anew(self, now: float, room: int) -> None:
        """Drop what is too old or damaged, and the oldest of the rest when it is too large."""
        lines: deque[bytes] = deque()
        for line in self._lines() if self.path.exists() else ():
            entry = decoded(line)
            if entry is not None and entry.at >= now - self._keep_seconds:
                lines.append(line.rstrip(b"\r\n") + b"\n")
        size = len(HEADER) + sum(map(len, lines))
        if size > room:
            while lines and size > min(room, self._max_bytes * KEPT_SHARE):
                size -= len(lines.popleft())
        write_private(self.path, [HEADER, *lines], self._unfinished)
