"""The fault that an exception stands for where work goes on in the background: it is kept and told, and nothing ends."""

from __future__ import annotations

from nescio.errors import Fault, InternalFault, StorageFault


def fault_of(error: Exception) -> Fault:
    """The fault that `error` is, or stands for: `permission-denied`, `io-error`, else `internal-error`."""
    if isinstance(error, Fault):
        return error
    said = str(error) or type(error).__name__
    if isinstance(error, PermissionError):
        return StorageFault("permission-denied", f"No permission: {said}.", "Give this user access to it.")
    if isinstance(error, OSError):
        return StorageFault("io-error", f"Reading or writing failed: {said}.", "Check the path and the disk.")
    if isinstance(error, MemoryError):
        return InternalFault("internal-error", "There is not enough memory.", "Free some memory, or index fewer files.")
    return InternalFault("internal-error", f"{type(error).__name__}: {said}", "This is a bug in nescio. Please report it.")
