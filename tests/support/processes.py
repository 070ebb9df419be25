"""Commands run as somebody to whom the modes of files apply, which they do not to root."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.projects import TIMEOUT_SECONDS, environment

OWNER = 54_321  # of files that are not ours; no such user needs to exist

# Root gives up the rights to pass over owners and modes for good (CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH,
# CAP_FOWNER), then becomes the command. Another user id would do the same, but may not be let to where Python is installed.
_BOUND_BY_MODES = """
import ctypes, os, sys
if os.geteuid() == 0:
    drop = ctypes.CDLL(None).prctl
    if any(drop(24, capability, 0, 0, 0) for capability in (0, 1, 2, 3)):
        sys.exit("cannot be bound by modes")
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def is_root() -> bool:
    """Whether files can be given to somebody else."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


# Several commands in one process: their output one after the other, their exit codes at the end.
_COMMANDS = """
import json, sys
from nescio.surfaces.cli.main import main
print(json.dumps([main(one) for one in json.loads(sys.argv[1])]))
"""


def bound_by_modes(folder: Path, *arguments: str, **added: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in `folder` so that modes hold even for root. Skips where that cannot be had."""
    return _bound(folder, ["-m", "nescio", *arguments], added)


def all_bound_by_modes(folder: Path, commands: Sequence[Sequence[str]], **added: str) -> str:
    """Run several commands in one such process and give what they print; checks that each ends with 0 or 1."""
    done = _bound(folder, ["-c", _COMMANDS, json.dumps(commands)], added)
    assert done.returncode == 0, done.stderr
    *said, codes = done.stdout.strip().split("\n")
    assert set(json.loads(codes)) <= {0, 1}, done.stderr
    return "\n".join(said)


def _bound(folder: Path, arguments: Sequence[str], added: dict[str, str]) -> subprocess.CompletedProcess[str]:
    if is_root() and sys.platform != "linux":
        pytest.skip("root cannot give up its rights here")
    done = subprocess.run(
        [sys.executable, "-c", _BOUND_BY_MODES, *arguments],
        cwd=folder,
        env={**environment(PYTHONDONTWRITEBYTECODE="1"), **added},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if "cannot be bound by modes" in done.stderr:
        pytest.skip("root cannot give up its rights here")
    return done


def give_away(folder: Path) -> None:
    """Give everything below `folder` to somebody else, modes as they are. Where we are not root, it stays ours."""
    if is_root():
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, OWNER, OWNER, follow_symlinks=False)


def make_unwritable(folder: Path) -> None:
    """As `chmod -R a-w`."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)


def make_writable(folder: Path) -> None:
    """As `chmod -R u+rwX`, for the end of a test."""
    folder.chmod(folder.stat().st_mode | 0o700)
    for path in folder.rglob("*"):
        path.chmod(path.stat().st_mode | (0o700 if path.is_dir() else 0o600))
