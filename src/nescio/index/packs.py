"""Files that records and bytes are appended to once: written through, then mapped and never changed."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from nescio.errors import IndexFault

ALIGNMENT = 8  # records hold tables of 64-bit numbers that are read in place
SUFFIX = ".pack"


class PackWriter:
    """Appends to one new pack. `finish` makes it durable; without it the file is left for the next build to sweep."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name + SUFFIX
        self._file = (folder / self.name).open("xb")
        self._end = 0

    def append(self, data: bytes | memoryview) -> int:
        """Write `data` and return the offset where it starts, a multiple of `ALIGNMENT`."""
        padding = -self._end % ALIGNMENT
        start = self._end + padding
        self._file.write(bytes(padding))
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
        """Close without a promise."""
        self._file.close()


class Packs:
    """The packs of a generation, mapped for reading. They stay readable after their files are removed."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self._maps: dict[str, mmap.mmap] = {}
        self._views: dict[str, memoryview] = {}
        for name in names:
            with (folder / name).open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._maps[name] = mapped
            self._views[name] = memoryview(mapped)

    def read(self, name: str, offset: int, length: int) -> memoryview:
        """A view of stored bytes. Raises IndexFault when the pack is shorter than the manifest says."""
        view = self._views[name][offset : offset + length]
        if len(view) != length:
            raise IndexFault(
                "index-damaged",
                f"the index file {name} is cut short",
                "Remove the index folder and build it again: nescio build",
            )
        return view

    def close(self) -> None:
        """Let go of the files. Views still in use keep theirs."""
        self._views.clear()
        self._maps.clear()

    def __enter__(self) -> Packs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
