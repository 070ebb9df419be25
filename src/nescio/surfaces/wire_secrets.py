"""The JSON of secrets that were let through. What a scan finds is told as all findings are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nescio.surfaces.wire import SCHEMA_VERSION, Json

if TYPE_CHECKING:
    from nescio.assembly.secret_scanning import Allowed


def allowed_json(allowed: Allowed) -> Json:
    """What `nescio secrets allow` did."""
    return {
        "schema_version": SCHEMA_VERSION,
        "file": allowed.file,
        "rules": list(allowed.rules),
        "added": list(allowed.added),
    }
