"""One writer at a time, between processes: a lock that is a file, given back when its holder ends however it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

POLL_SECONDS = 0.005  # what is done under a lock may take less than a millisecond: a longer nap would miss its end


@contextlib.contextmanager
def held(path: Path, wait_seconds: float, mode: int) -> Iterator[None]:
    """Hold the lock `path`, made with `mode` where it is not there.

    Raises TimeoutError when another process keeps it longer than `wait_seconds`, OSError when it cannot be made.
    """
    lock = FileLock(path, timeout=wait_seconds, mode=mode, poll_interval=POLL_SECONDS)
    try:
        lock.acquire()
    except Timeout as error:
        raise TimeoutError(f"{path} is held by another process") from error
    try:
        yield
    finally:
        lock.release()
