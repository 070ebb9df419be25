"""How are files kept that only the server's own user may read: written whole, or a line longer, by one at a time?"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from nescio.files import OWNER_ONLY, write_private
from nescio.index.locking import held

KEPT_SHARE = 0.75  # of the largest size, after the oldest lines went: so that not every new line writes the file anew


def locked(path: Path, wait_seconds: float) -> contextlib.AbstractContextManager[None]:
    """Hold what stands for writing `path`, a file beside it. Raises TimeoutError, an OSError, where another is slow."""
    return held(path.with_name(f"{path.name}.lock"), wait_seconds, OWNER_ONLY)


def replace(path: Path, parts: Iterable[bytes]) -> None:
    """Put the parts at `path`, for its owner alone. The caller holds the lock. Raises OSError."""
    write_private(path, parts, path.with_name(f"{path.name}.new"))


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
