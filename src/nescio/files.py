"""How is a file read up to a limit, and written whole or not at all?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

OWNER_ONLY = 0o600
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would write two characters for a line feed


def read_at_most(path: Path, most: int) -> bytes | None:
    """All of the file, whatever it is (a pipe too); None where it has more than `most` bytes.

    Raises FileNotFoundError where there is no such file, a folder and what can be no path among it, and OSError.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (NotADirectoryError, IsADirectoryError, ValueError) as error:
        raise FileNotFoundError(f"there is no file {path}") from error
    return data if len(data) <= most else None


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path`, through a file beside it that takes its place: neither a full disk nor a reader finds a half.

    Folders above it are made, its permissions and a link to it are kept. What is no regular file (a pipe, a device) is written
    to as it is. Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        unfinished.write_bytes(data)
        if path.exists():
            shutil.copymode(path, unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_private(path: Path, parts: Iterable[bytes], unfinished: Path) -> None:
    """Put the parts at `path`, for its owner alone: in `unfinished` first, synced, renamed. The caller lets nobody else write.

    Raises OSError.
    """
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, OWNER_ONLY)
    with os.fdopen(handle, "wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(handle)
    unfinished.replace(path)


def append_line(path: Path, line: bytes) -> bool:
    """Add a line at the end of a file that is there and not empty, or nothing (False). Raises OSError.

    A line that somebody left half written is closed first.
    """
    handle = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY)
    try:
        end = os.lseek(handle, -1, os.SEEK_END) + 1
        data = line if os.read(handle, 1) == b"\n" else b"\n" + line
        if os.write(handle, data) == len(data):
            return True
        os.ftruncate(handle, end)
        return False
    finally:
        os.close(handle)
