"""Files that records and bytes are appended to once: written through, then mapped and never changed.

Before each entry stand eight bytes, two little-endian u32: the CRC-32 of the entry and its length. So what a disk or a copy has
spoiled is a fault and never an answer.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from nescio.index.checks import damaged

ALIGNMENT = 8  # records hold tables of 64-bit numbers that are read in place
SUFFIX = ".pack"
ENTRY = struct.Struct("<II")


class PackWriter:
    """Appends to one new pack. `finish` makes it durable; without it the file is left for the next build to sweep."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name + SUFFIX
        self._file = (folder / self.name).open("xb")
        self._end = 0

    def append(self, data: bytes | memoryview) -> int:
        """Write `data` and return the offset where it starts, a multiple of `ALIGNMENT`."""
        padding = -self._end % ALIGNMENT
        start = self._end + padding + ENTRY.size
        self._file.write(bytes(padding) + ENTRY.pack(zlib.crc32(data), len(data)))
        self._file.write(data)
        self._end = start + len(data)
        return start

    @property
    def is_empty(self) -> bool:
        """Whether nothing was appended."""
        return self._end == 0

    def finish(self) -> None:
        """Flush, sync and close."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def close(self) -> None:
        """Close without a promise: what is not on the disk yet may fail to get there."""
        with suppress(OSError):
            self._file.close()


class Packs:
    """The packs of a generation, mapped for reading. They stay readable after their files are removed."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self._views: dict[str, memoryview] = {}
        for name in names:
            self._views[name] = mapped(folder / name)

    def read(self, name: str, offset: int, length: int) -> memoryview:
        """A view of stored bytes. Raises IndexFault when they are not those that were written."""
        view = self._views[name]
        start = offset - ENTRY.size
        found = view[offset : offset + length]
        if start < 0 or len(found) != length or ENTRY.unpack_from(view, start) != (zlib.crc32(found), length):
            raise damaged(f"the file {name} is not as it was written")
        return found

    def close(self) -> None:
        """Let go of the files. Views still in use keep theirs."""
        self._views.clear()


def mapped(path: Path) -> memoryview:
    """A whole file, mapped; nothing where it is empty, which cannot be mapped."""
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
