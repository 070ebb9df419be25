"""What does a file say? Its bytes whole, as they were at one moment, and their text if they are text."""

from __future__ import annotations

import codecs
import errno
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nescio.config.model import Limits
from nescio.domain.documents import Document, Notice, Signature
from nescio.ingest.files import OPEN_FLAGS, Found, Taker, git_top, is_unicode, read_up_to
from nescio.ingest.walk import PRIVATE_FOLDERS

__all__ = ["Found", "Skip", "git_top", "read", "read_inside"]

# An editor that saves is done within milliseconds; what still changes after these waits is a log, not a page.
WAITS_SECONDS = (0.01, 0.05, 0.2)
_BOMS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
_NO_PLAIN_FILE = (errno.ELOOP, errno.ENXIO, errno.EISDIR)


@dataclass(frozen=True, slots=True)
class Skip:
    """A file that was not read, and why.

    `vanished`: it is not there any more, which is the same as removed. `keeps_old`: it is there and may be well, so that
    what was read from it before stands. With neither, it is no document (any more).
    """

    code: str
    path: str
    message: str
    vanished: bool = False
    keeps_old: bool = False

    def notice(self) -> Notice:
        """The same, to be reported."""
        return Notice(self.code, self.path, 0, self.message)


def read(found: Found, source: str, limits: Limits, take: Taker = read_up_to) -> Document | Skip:
    """The document at `found`: every byte, its SHA-256 and its text.

    UTF-8, and UTF-16 that starts with a byte order mark; a mark is kept as U+FEFF. A file that changes while it is read is
    read again, a few times. Skips, never raises: `file-vanished`, `file-unreadable`, `file-unstable`, `file-too-large`,
    `not-a-file`, `binary-file`, `not-utf8` (with the position of the first such byte, counted from 0).
    """
    data = _stable_bytes(found, limits.max_file_bytes, take)
    return data if isinstance(data, Skip) else _decoded(source, found.path, data)


def read_inside(root: Path, relative: str, source: str, limits: Limits, take: Taker = read_up_to) -> Document | Skip:
    """The document at `relative` (POSIX, `..` allowed) below `root`; its path is the real one, relative to the real `root`.

    Whatever leads out of `root`, by `..`, by a link or by being absolute, is skipped as `leaves-root`, and so is what git and
    nescio keep for themselves. `file-vanished` when there is no such file; otherwise as `read`.
    """
    outside = Skip("leaves-root", relative, "It lies outside of the folder that includes may come from.")
    if "\0" in relative or "\\" in relative or PurePosixPath(relative).is_absolute():
        return outside
    real_root = Path(os.path.realpath(root))
    try:
        real = Path(os.path.realpath(real_root / relative, strict=True))
        status = real.stat()
    except (OSError, ValueError) as error:
        return outside if _is_lexically_outside(relative) else _failure(relative, error)
    if not real.is_relative_to(real_root):
        return outside
    inside = real.relative_to(real_root)
    if PRIVATE_FOLDERS.intersection(inside.parts) or not is_unicode(str(inside)):
        return outside
    return read(Found(inside.as_posix(), str(real), Signature.of(status)), source, limits, take)


def _is_lexically_outside(relative: str) -> bool:
    """Whether `..` leads above the start. So that nobody learns from an answer which files there are elsewhere."""
    depth = 0
    for part in PurePosixPath(relative).parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return False


def _stable_bytes(found: Found, max_bytes: int, take: Taker) -> bytes | Skip:
    for wait in (*WAITS_SECONDS, None):
        try:
            data = _one_reading(found, max_bytes, take)
        except OSError as error:
            return _failure(found.path, error)
        if data is not None:
            return data
        if wait is not None:
            time.sleep(wait)
    return Skip("file-unstable", found.path, "It kept changing while it was read.", keeps_old=True)


def _one_reading(found: Found, max_bytes: int, take: Taker) -> bytes | Skip | None:
    """The bytes, or None when they changed meanwhile. Raises OSError."""
    descriptor = os.open(found.absolute, OPEN_FLAGS)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            return _no_plain_file(found.path)
        if before.st_size > max_bytes:
            message = f"It has {before.st_size} bytes, and the limit (limits.max_file_bytes) is {max_bytes}."
            return Skip("file-too-large", found.path, message)
        data = take(descriptor, before.st_size + 1)
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    return data if Signature.of(before) == Signature.of(after) and len(data) == before.st_size else None


def _failure(path: str, error: OSError | ValueError) -> Skip:
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    if number in _GONE:
        return Skip("file-vanished", path, "There is no such file.", vanished=True)
    if number in _NO_PLAIN_FILE:
        return _no_plain_file(path)
    reason = os.strerror(number) if number else "unknown reason"
    return Skip("file-unreadable", path, f"It could not be read: {reason}.", keeps_old=True)


def _no_plain_file(path: str) -> Skip:
    return Skip("not-a-file", path, "It is a folder, a link, a pipe, a socket or a device and is not opened.")


def encoding_of(data: bytes) -> str:
    """The codec of a file's bytes: UTF-16 where they start with its byte order mark, else UTF-8, as which they may be wrong."""
    return next((name for mark, name in _BOMS if data.startswith(mark)), "utf-8")


def _decoded(source: str, path: str, data: bytes) -> Document | Skip:
    encoding = encoding_of(data)
    try:
        document = Document.from_bytes(source, path, data, encoding)
    except UnicodeDecodeError as error:
        return _binary(path, data, encoding) or _undecodable(path, data, encoding, error.start)
    return _binary(path, data, encoding) or document


def _binary(path: str, data: bytes, encoding: str) -> Skip | None:
    """A skip when a NUL character is in it, as in no text."""
    position = data.find(b"\0") if encoding == "utf-8" else _aligned_find(data, b"\0\0")
    if position < 0:
        return None
    hint = " UTF-16 needs a byte order mark to be known as text." if encoding == "utf-8" else ""
    return Skip("binary-file", path, f"It is not text: there is a NUL at byte {position}.{hint}")


def _aligned_find(data: bytes, pair: bytes) -> int:
    """Where `pair` stands at an even position, -1 when nowhere."""
    position = data.find(pair)
    while position >= 0 and position % 2:
        position = data.find(pair, position + 1)
    return position


def _undecodable(path: str, data: bytes, encoding: str, position: int) -> Skip:
    if encoding == "utf-8":
        return Skip("not-utf8", path, f"It is not UTF-8: byte {position} is 0x{data[position]:02X}.")
    return Skip("not-utf8", path, f"It starts as {encoding.upper()} but is not from byte {position} on.")
