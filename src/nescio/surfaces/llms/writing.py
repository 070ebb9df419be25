"""Puts the files into a folder that may hold others: what is not ours is not touched, and what of ours is gone goes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nescio.errors import Fault, UsageFault
from nescio.files import read_at_most, write_whole
from nescio.surfaces import wire, wire_llms
from nescio.surfaces.llms.places import OURS

LONGEST_MANIFEST = 64 * 1024 * 1024  # bytes; a hundred thousand pages are a fifth of it
MOST_TOLD = 5  # files that one message names


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be done for a folder to be as it should: paths below it, in order."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def planned(folder: Path, contents: Mapping[str, bytes]) -> Plan:
    """Compare a folder, which need not be there, with what it should hold. Touches nothing.

    Raises UsageFault (`llms-foreign-file`) where a file is in the way that an earlier run did not write, and OSError.
    """
    wanted = {**contents, OURS: manifest(contents)}
    ours = _ours(folder)
    written, foreign = [], []
    for path, data in sorted(wanted.items()):
        if not _is_inside(folder, path):
            foreign.append(path)
        elif (found := _hash_of(folder / path)) is None:
            written.append(path)
        elif found != _hash(data):
            (written if path in ours or path == OURS else foreign).append(path)
    if foreign:
        raise _in_the_way(folder, foreign)
    unchanged = tuple(path for path in sorted(wanted) if path not in set(written))
    return Plan(tuple(written), unchanged, tuple(_gone(folder, ours, wanted)))


def apply(folder: Path, plan: Plan, contents: Mapping[str, bytes]) -> None:
    """Do what was planned. The list of what is ours is widened first and narrowed last, so that a run that was stopped leaves
    nothing that the next one takes for somebody else's. Raises OSError.
    """
    if not plan.written and not plan.removed:
        return
    before = _ours(folder)
    after = {path: _hash(data) for path, data in contents.items()}
    write_whole(folder / OURS, wire.encode(wire_llms.manifest_json({**before, **after}), indented=True))
    for path in plan.written:
        if path != OURS:
            write_whole(folder / path, contents[path])
    for path in plan.removed:
        (folder / path).unlink(missing_ok=True)
        _remove_empty(folder, (folder / path).parent)
    write_whole(folder / OURS, manifest(contents))


def manifest(contents: Mapping[str, bytes]) -> bytes:
    """The list of what is ours, as it stands in the folder."""
    files = {path: _hash(data) for path, data in contents.items()}
    return wire.encode(wire_llms.manifest_json(files), indented=True)


def _gone(folder: Path, ours: Mapping[str, str], wanted: Mapping[str, bytes]) -> Iterator[str]:
    """What an earlier run wrote and this one does not; what somebody changed since is theirs."""
    for path, sha256 in sorted(ours.items()):
        if path not in wanted and _is_inside(folder, path) and _hash_of(folder / path) == sha256:
            yield path


def _ours(folder: Path) -> dict[str, str]:
    """What the folder's list says; nothing where it has none, or one that is not to be read."""
    try:
        told = json.loads(read_at_most(folder / OURS, LONGEST_MANIFEST) or b"")
        return {str(path): str(sha256) for path, sha256 in told["files"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _is_inside(folder: Path, path: str) -> bool:
    """Whether a path, which may come from an edited list or lead over links, is below the folder."""
    if path.startswith("/") or "\0" in path or ".." in path.split("/"):
        return False
    real = Path(os.path.realpath(folder))
    return real in Path(os.path.realpath(folder / path)).parents


def _hash_of(path: Path) -> str | None:
    """The SHA-256 of a file, None where nothing is there; of what is no file, a text that is no hash."""
    if not os.path.lexists(path):
        return None
    if not path.is_file():
        return "no file"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _remove_empty(folder: Path, inner: Path) -> None:
    """Remove the folders between that have nothing in them any more."""
    while inner != folder and folder in inner.parents:
        try:
            inner.rmdir()
        except OSError:
            return
        inner = inner.parent


def _in_the_way(folder: Path, foreign: list[str]) -> Fault:
    more = f", and {len(foreign) - MOST_TOLD} more" if len(foreign) > MOST_TOLD else ""
    named = ", ".join(foreign[:MOST_TOLD]) + more
    return UsageFault(
        "llms-foreign-file",
        f"In {folder} there are files that nescio did not write, or that lead out of it: {named}. Nothing was written.",
        "Name another folder, or remove them if they may go.",
    )
