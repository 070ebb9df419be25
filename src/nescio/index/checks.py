"""Is a file still what was written? The size and CRC-32 of each file of a generation stand in its manifest."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from nescio.errors import IndexFault

CHUNK_BYTES = 1 << 20
DAMAGED = "Remove the index folder and build it again: nescio build."

Check = tuple[int, int]  # size in bytes, CRC-32


def damaged(what: str) -> IndexFault:
    """The fault of an index that a disk, a copy or a hand has changed."""
    return IndexFault("index-damaged", f"The index is damaged: {what}.", DAMAGED)


def checks_below(folder: Path, known: Mapping[str, Check]) -> dict[str, Check]:
    """The check of every file below `folder` by its relative path; those in `known` are taken from there. Hidden files are no
    part of an index.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    names = [(path, path.relative_to(folder).as_posix()) for path in files]
    return {name: known[name] if name in known else _check(path) for path, name in names}


def verify(folder: Path, checks: Mapping[str, Check], names: Iterable[str]) -> None:
    """Raises IndexFault (`index-damaged`) when one of the files `names` has changed, OSError when it cannot be read."""
    for name in names:
        if _check(folder / name) != checks.get(name):
            raise damaged(f"{folder / name} is not as it was written")


def check_of(data: bytes) -> Check:
    """The check of a file with these bytes."""
    return len(data), zlib.crc32(data)


def _check(path: Path) -> Check:
    size = found = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            size += len(chunk)
            found = zlib.crc32(chunk, found)
    return size, found
