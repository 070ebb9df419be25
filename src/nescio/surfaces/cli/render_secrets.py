"""What is said of secrets: how many files were looked at, which could not be, and what was let through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nescio.surfaces.cli.layout import Line, Mark, counted, line

if TYPE_CHECKING:
    from nescio.assembly.secret_scanning import Allowed, Scanned


def summary(scanned: Scanned) -> str:
    """One sentence on what was looked at."""
    return f"Looked for secrets in {counted(scanned.files - len(scanned.unread), 'file')}."


def unread(scanned: Scanned) -> list[Line]:
    """The files that could not be looked at, with the reason."""
    return [line(f"{notice.path}: {notice.message}", Mark.CAUTION) for notice in scanned.unread]


def allowed(found: Allowed) -> list[Line]:
    """What was let through, by its kind."""
    kinds = ", ".join(found.rules)
    if not found.added:
        return [line(f"Allowed before: {kinds}.", Mark.GOOD)]
    fingerprints = counted(len(found.added), "fingerprint")
    return [
        line(f"Allowed: {kinds}. {fingerprints} added to {found.file}.", Mark.GOOD),
        line("Allow samples only: whoever can read the documents can read what is in them.", Mark.QUIET),
    ]
