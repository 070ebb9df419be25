"""What a process costs: seconds of the clock, and memory, from outside or from inside. Memory is read from /proc (Linux)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

from questions import SetError

SAMPLE_SECONDS = 0.02
KILOBYTE = 1024
_ROLLUP = re.compile(r"^(\w+):\s+(\d+) kB", re.MULTILINE)

Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Run:
    """A command that ended. `cpu` is its processor time in seconds, children included.

    `peak` is the most memory that it and its children had at once, in bytes, what several share counted once (PSS); None where
    that was not measured or the system does not tell.
    """

    seconds: float
    cpu: float
    code: int
    stdout: bytes
    peak: int | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Of this process, in bytes: all that is resident, and what no other process and no file shares."""

    resident: int
    private: int


def nescio_command() -> list[str]:
    """How to start the command line of this interpreter's nescio."""
    beside = Path(sys.executable).with_name("nescio")
    if beside.exists():
        return [str(beside)]
    found = shutil.which("nescio")
    return [found] if found else [sys.executable, "-c", "from nescio.surfaces.cli.main import run; run()"]


def timed(command: Sequence[str], codes: Sequence[int] = (0,)) -> Run:
    """Run a command to its end. Raises SetError when it ends with a code that is not among `codes`."""
    started, cpu = time.perf_counter(), _cpu_of_children()
    done = subprocess.run(command, capture_output=True, check=False)
    seconds, cpu = time.perf_counter() - started, _cpu_of_children() - cpu
    if done.returncode not in codes:
        raise SetError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return Run(seconds, cpu, done.returncode, done.stdout)


def peak_of(command: Sequence[str], codes: Sequence[int] = (0,)) -> Run:
    """As `timed`, with the memory sampled meanwhile; the sampling costs a little time."""
    started, cpu = time.perf_counter(), _cpu_of_children()
    peak: int | None = None
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            now = [size for one in _family(process.pid) if (size := _rollup(str(one)).get("Pss"))]
            peak = max(peak or 0, sum(now)) if now else peak
            time.sleep(SAMPLE_SECONDS)
    if process.returncode not in codes:
        raise SetError(f"{' '.join(command)} ended with {process.returncode}")
    return Run(time.perf_counter() - started, _cpu_of_children() - cpu, process.returncode, b"", peak)


def _cpu_of_children() -> float:
    """Seconds that all ended children of this process, and theirs, have used."""
    used = os.times()
    return used.children_user + used.children_system


def _family(process: int) -> Iterator[int]:
    """A process and all below it."""
    yield process
    for tasks in _read(f"/proc/{process}/task/{process}/children").split():
        yield from _family(int(tasks))


def own_memory() -> Memory | None:
    """What this process has now; None where the system does not tell."""
    found = _rollup("self")
    if not found:
        return None
    return Memory(found["Rss"], found["Private_Clean"] + found["Private_Dirty"])


def resident(process: int) -> int:
    """Bytes of a process that are in memory; 0 where the system does not tell."""
    return _rollup(str(process)).get("Rss", 0)


def _rollup(process: str) -> dict[str, int]:
    """Sums over all mappings, in bytes; empty when there are none (any more)."""
    return {name: int(kilobytes) * KILOBYTE for name, kilobytes in _ROLLUP.findall(_read(f"/proc/{process}/smaps_rollup"))}


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii")
    except OSError:
        return ""


def in_fresh_process(work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
    """`work` done by a process that did nothing else before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *given, **named).result()
