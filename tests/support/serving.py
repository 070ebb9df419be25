"""A real web server over the index of a project: in a thread of this process, or as the command that users start."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

import httpx2

from nescio.assembly.live.following import Following
from nescio.config.loading import load
from nescio.surfaces.web import listening, running
from support.projects import TIMEOUT_SECONDS, Project, environment

# No waiting at the end of a test, and no limit on how fast tests ask.
QUICK = 'drain_seconds = 0.0\ngrace_seconds = 2.0\nrate = "off"\n'


@dataclass(frozen=True)
class Served:
    """A server that answers, and a client of it. `lines` are those of its log."""

    http: httpx2.Client
    following: Following
    port: int
    lines: list[str] = field(default_factory=list)


@contextmanager
def served(project: Project, settings: str = "") -> Iterator[Served]:
    """A server over the index that is there, in a thread; `settings` are lines of nescio.toml, [serve] first."""
    (project.root / "nescio.toml").write_text(f"[serve]\n{QUICK}{settings}", encoding="utf-8")
    configuration = load(project.root, environ={}, flags={"jobs": 1}, needs_docs=False)
    lines: list[str] = []
    with listening.listen("127.0.0.1", 0) as opened, Following(configuration, project.index) as following:
        port = opened.getsockname()[1]
        server = running.server_of(configuration, following, running.Heard(lambda: None, lines.append))
        loops: Queue[asyncio.AbstractEventLoop] = Queue()

        async def run() -> None:
            loops.put(asyncio.get_running_loop())
            await server.serve([opened])

        thread = threading.Thread(target=asyncio.run, args=(run(),))
        thread.start()
        try:
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT_SECONDS) as http:
                yield Served(http, following, port, lines)
        finally:
            loops.get().call_soon_threadsafe(server.stop)
            thread.join()


@dataclass(frozen=True)
class Process:
    """`nescio serve` in a process of its own. Ended at the end of the context, if it has not ended itself."""

    popen: subprocess.Popen[str]
    url: str
    log: Path

    @property
    def said(self) -> str:
        """What it wrote to standard error so far."""
        return self.log.read_text("utf-8")


@contextmanager
def process(folder: Path, *arguments: str) -> Iterator[Process]:
    """Start the command in a folder on a free port, and wait until it tells its address."""
    log = folder / "stderr.txt"
    with log.open("wb") as stderr:
        popen = subprocess.Popen(
            [sys.executable, "-m", "nescio", "serve", "--port", "0", *arguments],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            encoding="utf-8",
        )
    try:
        assert popen.stdout is not None
        told = re.search(r"http://\S+", popen.stdout.readline())
        assert told, log.read_text("utf-8")
        yield Process(popen, told[0], log)
    finally:
        if popen.poll() is None:
            popen.kill()
        popen.communicate()
