"""How are files kept that only the server's own user may read: written whole, or a line longer, by one at a time?"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from nescio.index.locking import held

OWNER_ONLY = 0o600
KEPT_SHARE = 0.75  # of the largest size, after the oldest lines went: so that not every new line writes the file anew
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would write two characters for a line feed


def locked(path: Path, wait_seconds: float) -> contextlib.AbstractContextManager[None]:
    """Hold what stands for writing `path`, a file beside it. Raises TimeoutError, an OSError, where another is slow."""
    return held(path.with_name(f"{path.name}.lock"), wait_seconds, OWNER_ONLY)


def replace(path: Path, parts: Iterable[bytes]) -> None:
    """Put the parts at `path`, for its owner alone: aside, synced, renamed. The caller holds the lock. Raises OSError."""
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, OWNER_ONLY)
    with os.fdopen(handle, "wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(handle)
    unfinished.replace(path)


def append(path: Path, line: bytes) -> bool:
    """Add a line at the end of a file that is there, or nothing (False). A line that was left half written is closed first."""
    handle = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY)
    try:
        end = os.lseek(handle, 0, os.SEEK_END)
        os.lseek(handle, -1, os.SEEK_END)
        data = line if os.read(handle, 1) == b"\n" else b"\n" + line
        if os.write(handle, data) == len(data):
            return True
        os.ftruncate(handle, end)
        return False
    finally:
        os.close(handle)


def newest(path: Path, room: int) -> list[bytes]:
    """The last whole lines of a file that take at most `room` bytes; its first line, which says what it is, is left out."""
    kept: deque[bytes] = deque()
    size = 0
    with path.open("rb") as file:
        file.readline()
        for line in file:
            kept.append(line.rstrip(b"\r\n") + b"\n")
            size += len(kept[-1])
            while size > room:
                size -= len(kept.popleft())
    return list(kept)
