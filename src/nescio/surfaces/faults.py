"""From a fault to what a caller sees: the exit code, and the fault that stands for an exception of somebody else."""

from __future__ import annotations

import errno
import os

from nescio.errors import BusyFault, Fault, IngestFault, InternalFault, StorageFault, UsageFault

INTERRUPTED = 130  # 128 + SIGINT, as shells say it
READER_GONE = 141  # 128 + SIGPIPE: the program that read our output has left

# In the order of the tree in `nescio.errors`; no two of these are related.
_EXITS: tuple[tuple[type[Fault], int], ...] = (
    (UsageFault, 2),
    (IngestFault, 3),
    (BusyFault, 4),
    (StorageFault, 5),
    (InternalFault, 70),
)
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC})
_REPORT = "This is a bug in nescio. Set NESCIO_DEBUG=1 to see where it happened, and report it with that output."


def exit_code(fault: Fault) -> int:
    """The process exit code of a fault, by its branch of the tree."""
    return next((code for branch, code in _EXITS if isinstance(fault, branch)), _EXITS[-1][1])


def fault_of(error: BaseException) -> Fault:
    """The fault that `error` is, or stands for: `disk-full`, `permission-denied`, `io-error`, else `internal-error`."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, OSError):
        return _storage_fault(error)
    if isinstance(error, MemoryError):
        return InternalFault(
            "internal-error", "There is not enough memory for this.", "Free some memory, or index fewer files."
        )
    said = str(error)
    return InternalFault("internal-error", f"{type(error).__name__}: {said}" if said else type(error).__name__, _REPORT)


def _storage_fault(error: OSError) -> StorageFault:
    path = _path_of(error)
    where = path or "a file"
    reason = error.strerror or str(error) or type(error).__name__
    if error.errno in _NO_ROOM:
        message = f"No room is left to write {where}{_free_space(path)}."
        return StorageFault("disk-full", message, "Free some space there, or use another folder.")
    if isinstance(error, PermissionError):
        hint = "Give this user access to it, or use another place."
        return StorageFault("permission-denied", f"No permission to use {where} ({reason}).", hint)
    return StorageFault("io-error", f"Could not use {where}: {reason}.", "Check the path and the disk, then run it again.")


def _path_of(error: OSError) -> str:
    """The path that the error names, the second of two when it names two (what was written); empty when it names none."""
    name = error.filename2 or error.filename
    if isinstance(name, bytes):
        return os.fsdecode(name)
    return name if isinstance(name, str) else ""


def _free_space(path: str) -> str:
    """How much room is left on the disk of `path`, as words to append; empty when that cannot be told."""
    import shutil

    try:
        free = shutil.disk_usage(os.path.dirname(os.path.abspath(path)) if path else os.getcwd()).free  # noqa: PTH100, PTH109, PTH120
    except (OSError, ValueError):
        return ""
    return f" ({free:,} bytes free)"
