"""The index folder: generations that appear whole, packs that never change, and the one pointer that is renamed.

    .nescio/
      .gitignore               the folder ignores itself
      CURRENT                  the name of the generation that readers open
      lock                     held by the one writer
      writer                   the process id of the last one
      packs/NAME.pack          records and bytes of pages, appended once, never changed
      generations/NAME/        manifest.json, vocabulary.bin, passages/ and pages/ (the search index)

A build writes packs and a generation beside those that are there, makes them durable, and renames CURRENT last. What no
generation uses is removed by the next build; a build that was killed leaves only such things behind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Set
from pathlib import Path

from nescio.errors import BusyFault, Fault, NotFoundFault, UsageFault
from nescio.index.checks import damaged
from nescio.index.locking import held
from nescio.index.packs import SUFFIX

POINTER = "CURRENT"
IGNORE = ".gitignore"
OURS = frozenset({POINTER, IGNORE, "lock", "writer", "packs", "generations"})
NAME = re.compile(r"g\d{6,}-[0-9a-f]{8}")  # of a generation; of a pack with a suffix
LOCK_MODE = 0o644  # others may look at the folder, its owner writes
NO_DIRECTORY_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EACCES, errno.EBADF, errno.EISDIR}


class Store:
    """One index folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def packs(self) -> Path:
        """Where packs are."""
        return self.folder / "packs"

    @property
    def generations(self) -> Path:
        """Where generations are."""
        return self.folder / "generations"

    def current(self) -> str | None:
        """The name of the generation that readers open, None when nothing was ever committed. Raises IndexFault."""
        try:
            name = (self.folder / POINTER).read_bytes().decode("ascii", "replace").strip()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not NAME.fullmatch(name):
            raise damaged(f"{self.folder / POINTER} names no generation")
        return name

    def generation(self) -> Path:
        """The folder of the current generation. Raises NotFoundFault when there is none."""
        name = self.current()
        if name is None:
            raise NotFoundFault("no-index", f"There is no index in {self.folder}.", "Make one: nescio build.")
        return self.generations / name

    def prepare(self) -> None:
        """Make the folder, once. Raises UsageFault when something else stands there."""
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageFault(
                "index-not-a-folder", f"The index path {self.folder} is a file.", "Name a folder with --index FOLDER."
            )
        if self.folder.is_dir() and self._is_foreign():
            raise UsageFault(
                "index-folder-in-use",
                f"The folder {self.folder} holds other files and is no index.",
                "Name an empty or a new folder with --index FOLDER.",
            )
        for folder in (self.packs, self.generations):
            folder.mkdir(parents=True, exist_ok=True)
        ignore = self.folder / IGNORE
        if not ignore.exists():
            write_durably(ignore, b"*\n")

    def _is_foreign(self) -> bool:
        """Whether something in the folder is not ours, and no generation was ever committed there."""
        names = {path.name for path in self.folder.iterdir()}
        return POINTER not in names and any(name not in OURS and not name.startswith(f"{POINTER}.") for name in names)

    @contextlib.contextmanager
    def writing(self, wait_seconds: float) -> Iterator[None]:
        """Hold the writer's lock. Raises BusyFault when another process keeps it longer than `wait_seconds`.

        An OSError inside that names no file (a full disk does not) names the folder.
        """
        with contextlib.ExitStack() as until_written:
            try:
                until_written.enter_context(held(self.folder / "lock", wait_seconds, LOCK_MODE))
            except TimeoutError:
                raise self._busy() from None
            with contextlib.suppress(OSError):
                (self.folder / "writer").write_text(f"{os.getpid()}\n", encoding="ascii")
            try:
                yield
            except OSError as error:
                if error.filename is not None or error.errno is None:
                    raise
                raise OSError(error.errno, error.strerror, str(self.folder)) from error

    def _busy(self) -> BusyFault:
        owner = _said_in(self.folder / "writer")
        return BusyFault(
            "index-busy",
            f"The index {self.folder} is being written{f' by process {owner}' if owner else ''}.",
            "Wait for it to end, or give more time with --wait or limits.lock_seconds.",
        )

    def new_name(self) -> str:
        """A name that no pack or generation had."""
        taken = [int(path.name[1:7]) for path in self.generations.iterdir() if path.name[1:7].isdigit()]
        return f"g{max(taken, default=0) + 1:06d}-{secrets.token_hex(4)}"

    def point_to(self, name: str) -> None:
        """Make a generation current: written aside, synced, renamed, the folder synced."""
        beside = self.folder / f"{POINTER}.{secrets.token_hex(4)}.tmp"
        try:
            write_durably(beside, f"{name}\n".encode("ascii"))
            beside.replace(self.folder / POINTER)
        finally:
            beside.unlink(missing_ok=True)
        sync_folder(self.folder)

    def discard(self, name: str) -> None:
        """Remove the generation and the pack of a build that came to nothing; no harm when it did become current."""
        with contextlib.suppress(Fault):
            if self.current() == name:
                return
        _remove(self.generations / name)
        _remove(self.packs / f"{name}{SUFFIX}")

    def sweep(self, generations: Set[str], packs: Set[str]) -> None:
        """Remove generations and packs that are not named, and nothing that is not ours. What cannot be removed (open on some
        systems) is left to the next build.
        """
        for folder, kept in ((self.generations, generations), (self.packs, packs)):
            for path in folder.iterdir():
                if path.name not in kept and NAME.fullmatch(path.name.partition(".")[0]):
                    _remove(path)
        for path in self.folder.glob(f"{POINTER}.*.tmp"):
            _remove(path)


def _said_in(writer: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return str(int(writer.read_text(encoding="ascii")))
    return ""


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def write_durably(path: Path, data: bytes) -> None:
    """Write a whole file and sync it."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries. Some file systems cannot: then a power cut may lose the newest build, never an old one."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in NO_DIRECTORY_SYNC:
            raise
    finally:
        os.close(handle)
