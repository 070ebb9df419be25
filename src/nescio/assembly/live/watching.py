"""Keeps an index up to date with its sources while something else answers: a process of its own watches the files."""

from __future__ import annotations

import atexit
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType

from nescio.assembly.live.watch_child import COMPARE, watch_and_build
from nescio.assembly.live.watch_state import WatchState, lost
from nescio.config.loading import Configuration
from nescio.errors import UsageFault

__all__ = ["WatchState", "Watcher"]

FIRST_RESTART_SECONDS = 0.5  # after the watching process was lost; twice as long each further time
LAST_RESTART_SECONDS = 60.0
STEADY_SECONDS = 60.0  # a process that lived so long is no part of a row of losses
END_SECONDS = 2.0  # for the process to end when told to, before it is killed

OnState = Callable[[WatchState], None]


class Watcher:
    """Builds an index whenever files of its sources change, in a process of its own.

    `start` returns at once. What came of it is in `state`; an index that is there stands whatever happens. The process is
    started again where it is lost, and ends with this one, however this one ends. Use it as a context, or `close` it.
    """

    def __init__(self, configuration: Configuration, index: Path) -> None:
        self._configuration = configuration
        self._index = index.absolute()
        self._state = WatchState("starting")
        self._listeners: tuple[OnState, ...] = ()
        self._guard = threading.Lock()
        self._closing = threading.Event()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> WatchState:
        """What the watcher said last."""
        return self._state

    def on_state(self, callback: OnState) -> None:
        """Call `callback` with each further state, from a thread of the watcher. What it raises is dropped."""
        self._listeners = (*self._listeners, callback)

    def start(self) -> None:
        """Start watching, with a build. Raises UsageFault (`extra-missing`) where the package watchfiles is not installed."""
        if find_spec("watchfiles") is None:
            raise UsageFault(
                "extra-missing",
                "Watching files needs the extra 'serve', of which watchfiles is not installed.",
                'Install it: python -m pip install "nescio[serve]"',
            )
        if self._thread is None and not self._closing.is_set():
            # Without `close`, the end of the program would wait for the process, and the process for the end of the program.
            atexit.register(self.close)
            self._thread = threading.Thread(target=self._keep_watching, name="nescio-watching", daemon=True)
            self._thread.start()

    def reconcile(self) -> None:
        """Compare all files with the index now, and build what changed; `state` tells when. Does nothing while the process is
        being started: it begins with that.
        """
        with self._guard, suppress(OSError):
            if self._pipe is not None:
                self._pipe.send(COMPARE)

    def close(self) -> None:
        """End the process, also in the middle of a build: the index that is there stands."""
        atexit.unregister(self.close)
        with self._guard:
            self._closing.set()
            if self._process is not None:
                self._process.terminate()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._take(replace(self._state, state="ended", at=time.time()))

    def __enter__(self) -> Watcher:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _keep_watching(self) -> None:
        _block_interrupts()
        wait = FIRST_RESTART_SECONDS
        while not self._closing.is_set():
            started = time.monotonic()
            exit_code = self._watch_once()
            if self._closing.is_set():
                return
            if time.monotonic() - started > STEADY_SECONDS:
                wait = FIRST_RESTART_SECONDS
            self._take(lost(self._state, exit_code, wait))
            self._closing.wait(wait)
            wait = min(2 * wait, LAST_RESTART_SECONDS)

    def _watch_once(self) -> int | None:
        """Start the process and take what it says until it ends; its exit code."""
        process = self._started()
        if process is None:
            return None
        try:
            while self._pipe is not None:
                self._take(self._pipe.recv())
        except (EOFError, OSError):
            pass
        return self._ended(process)

    def _started(self) -> BaseProcess | None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=watch_and_build, args=(self._configuration, self._index, theirs, self._state), name="nescio-watching"
        )
        with self._guard:
            if self._closing.is_set():
                return None
            try:
                process.start()
            except OSError:  # no more processes, no memory: it is tried again
                return None
            finally:
                theirs.close()
            self._process, self._pipe = process, ours
        return process

    def _ended(self, process: BaseProcess) -> int | None:
        with self._guard:
            if self._pipe is not None:
                self._pipe.close()
            self._process = self._pipe = None
        process.join(END_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
        exit_code = process.exitcode
        process.close()
        return exit_code

    def _take(self, state: WatchState) -> None:
        self._state = state
        for listener in self._listeners:
            with suppress(Exception):
                listener(state)


def _block_interrupts() -> None:
    """Keep Ctrl-C, which a terminal sends to both, from the process while it starts: it has this thread's mask."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
