"""The JSON of API keys: what was made, is there, or was revoked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nescio.surfaces.wire import SCHEMA_VERSION, Json

if TYPE_CHECKING:
    from nescio.surfaces.web.keyring import Key


def keys_json(file: str, keys: Sequence[Key], text: str | None) -> Json:
    """The keys that a command is about, in order. `text` is the whole of a new one, which is shown this once."""
    return {
        "schema_version": SCHEMA_VERSION,
        "file": file,
        "keys": [{"name": key.name, "id": key.id, "scopes": list(key.scopes), "created": key.created} for key in keys],
        "key": text,
    }
