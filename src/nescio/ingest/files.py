"""How is a file on disk known and opened? By its size and times, and never so that a pipe or a link could catch us."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nescio.domain.documents import Signature

# Takes at most so many bytes from a descriptor.
Taker = Callable[[int, int], bytes]

# A pipe is not waited for, a link at the end of the path is not followed, a terminal does not become ours. Windows has none of
# these and needs to be told that bytes are bytes.
OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_READ_SIZE = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A file that the walk met: `path` is POSIX, relative to the root, as stored on disk; `absolute` is where to open it."""

    path: str
    absolute: str
    signature: Signature

    @property
    def size(self) -> int:
        """Bytes, when the walk met it."""
        return self.signature.size


def read_up_to(descriptor: int, size: int) -> bytes:
    """What can be read from `descriptor`, at most `size` bytes."""
    parts = []
    while size > 0 and (part := os.read(descriptor, min(size, _READ_SIZE))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_small(path: Path, max_bytes: int) -> bytes | None:
    """All of a plain file of at most `max_bytes`; None when it is larger, or a pipe or a folder. Raises OSError."""
    descriptor = os.open(path, OPEN_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = read_up_to(descriptor, max_bytes + 1)
    finally:
        os.close(descriptor)
    return data if len(data) <= max_bytes else None


def git_top(path: Path) -> Path | None:
    """The nearest folder that holds `.git`, `path` itself or above it; None outside of any repository. Links are resolved."""
    real = Path(os.path.realpath(path))
    return next((folder for folder in (real, *real.parents) if os.path.lexists(folder / ".git")), None)


def include_top(folder: Path, include_root: Path | None) -> Path:
    """The folder that a source's included files must lie in: the one that was configured, else the top of the repository, else
    the source's own folder.
    """
    return include_root or git_top(folder) or folder


def is_unicode(name: str) -> bool:
    """Whether a name read from disk can be written out: its bytes were valid UTF-8."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
