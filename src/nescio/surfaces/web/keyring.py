"""Which keys may ask, and for what? They are kept as hashes: whoever reads the file cannot use them.

A key is `nsc_`, eight hexadecimal digits that name it in lists, `_`, and 256 random bits. So much chance cannot be guessed, so
one round of SHA-256 keeps it as well as a slow hash would.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from nescio.errors import NotFoundFault, StorageFault, UsageFault
from nescio.files import read_at_most
from nescio.surfaces.web.private_files import locked, replace

PREFIX = "nsc_"
ID_BYTES = 4
SECRET_BYTES = 32
WAIT_SECONDS = 10.0
MOST_BYTES = 4 * 1024 * 1024  # some ten thousand keys
FORMAT = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_SHAPE = re.compile(rf"{PREFIX}([0-9a-f]{{{2 * ID_BYTES}}})_[0-9a-f]{{{2 * SECRET_BYTES}}}")
_HASH = re.compile(r"[0-9a-f]{64}")


class Scope(StrEnum):
    """What a key may do."""

    ASK = "ask"
    FEEDBACK = "feedback"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Key:
    """One key as it is kept. `id` is public; `created` is a time in UTC, as ISO 8601 writes it."""

    name: str
    id: str
    scopes: tuple[Scope, ...]
    sha256: str
    created: str


class KeyRing:
    """The keys of one file, which need not be there. A server reads it again when it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))
        self._seen: tuple[int, int, int] | None = None
        self._keys: dict[str, Key] = {}

    def add(self, name: str, scopes: Sequence[Scope], created: str) -> tuple[Key, str]:
        """A new key and its text, which is nowhere kept.

        Raises UsageFault (`key-name`, `key-exists`), StorageFault (`keys-unreadable`) and OSError.
        """
        if not _NAME.fullmatch(name):
            raise UsageFault(
                "key-name", f"{name!r} is no name for a key.", "Use up to 60 letters, digits, dots, dashes and underscores."
            )
        with self._writing():
            kept = self._read()
            if any(key.name == name for key in kept):
                raise UsageFault("key-exists", f"There is a key named {name} already.", "Revoke it first, or use another name.")
            taken = {key.id for key in kept}
            identity = next(drawn for drawn in iter(lambda: secrets.token_hex(ID_BYTES), "") if drawn not in taken)
            text = f"{PREFIX}{identity}_{secrets.token_hex(SECRET_BYTES)}"
            key = Key(name, identity, tuple(dict.fromkeys(sorted(scopes))), _hash(text), created)
            self._write([*kept, key])
        return key, text

    def kept(self) -> tuple[Key, ...]:
        """All keys in the order in which they were added. Raises StorageFault (`keys-unreadable`) and OSError."""
        return tuple(self._read())

    def revoke(self, name: str) -> Key:
        """Take a key out; a running server knows at once. Raises NotFoundFault (`key-not-found`), StorageFault and OSError."""
        with self._writing():
            kept = self._read()
            gone = next((key for key in kept if key.name == name), None)
            if gone is None:
                raise NotFoundFault("key-not-found", f"There is no key named {name}.", "`nescio serve keys list` shows all.")
            self._write([key for key in kept if key is not gone])
        return gone

    def find(self, text: str) -> Key | None:
        """The key that `text` is, None where it is none that is kept. Raises StorageFault (`keys-unreadable`) and OSError."""
        shape = _SHAPE.fullmatch(text)
        if shape is None:
            return None
        self._look()
        key = self._keys.get(shape[1])
        return key if key is not None and hmac.compare_digest(key.sha256, _hash(text)) else None

    def _look(self) -> None:
        """Read the file again if it is another one than last time."""
        try:
            state = self.path.stat()
        except FileNotFoundError:
            self._seen, self._keys = None, {}
            return
        seen = (state.st_ino, state.st_mtime_ns, state.st_size)
        if seen != self._seen:
            self._seen = None  # what cannot be read now lets nobody in, and is read again the next time
            self._keys = {key.id: key for key in self._read()}
            self._seen = seen

    def _writing(self) -> Any:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return locked(self.path, WAIT_SECONDS)

    def _read(self) -> list[Key]:
        try:
            data = read_at_most(self.path, MOST_BYTES)
        except FileNotFoundError:
            if self.path.exists():
                raise self._unreadable() from None
            return []
        try:
            loaded = json.loads(data or b"")
            if loaded["nescio_keys"] != FORMAT:
                raise self._unreadable()
            return [_key(entry) for entry in loaded["keys"]]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._unreadable() from None

    def _write(self, kept: Sequence[Key]) -> None:
        told = {"nescio_keys": FORMAT, "keys": [asdict(key) for key in kept]}
        replace(self.path, [json.dumps(told, indent=2).encode("ascii"), b"\n"])

    def _unreadable(self) -> StorageFault:
        return StorageFault(
            "keys-unreadable",
            f"{self.path} holds no keys that can be read.",
            "Name another file in serve.keys_file, or remove this one and add the keys anew.",
        )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _key(entry: dict[str, Any]) -> Key:
    """One entry of the file. Raises ValueError, KeyError or TypeError where it is none."""
    name, identity, sha256, created = (str(entry[field]) for field in ("name", "id", "sha256", "created"))
    if not (_NAME.fullmatch(name) and _HASH.fullmatch(sha256)):
        raise ValueError("no key")
    return Key(name, identity, tuple(Scope(scope) for scope in entry["scopes"]), sha256, created)
