"""The process that watches and builds: the one that answers keeps its time to itself, and what happens here ends only this."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from nescio.assembly.building import build
from nescio.assembly.live.background_faults import fault_of
from nescio.assembly.live.watch_state import WatchState, built, failed, polling
from nescio.assembly.live.watched_files import Identity, WatchedFiles
from nescio.config.loading import Configuration
from nescio.errors import BusyFault, StorageFault
from nescio.index.writing import Carry

QUIET_MS = 30  # without an event, and what happened is over: editors write in several steps, a few milliseconds apart
MOST_WAIT_MS = 300  # for that quiet: what writes all the time must not keep everything else from being seen
BEAT_MS = 200  # how often a watch says that it is there; the first time means that no event is lost any more
START_SECONDS = 5.0  # for that first time
LOOK_SECONDS = 0.5  # how often the folders themselves are looked at: they may vanish, come back, or be replaced
IDLE_SECONDS = 1.0  # without an event, before there is time to look up what is included from where
RETRY_SECONDS = 5.0  # after a build that failed for a reason that may pass by itself
MANY_FILES = 300  # events: from here on several processes read sooner than one, though they have to be started
GIT_SECONDS = 5.0  # most that is waited for git to end: a lock that was left behind must not stop everything

COMPARE = "compare"  # what the parent may send

Happening = frozenset[str] | str  # paths of events, or COMPARE


def watch_and_build(configuration: Configuration, index: Path, pipe: Connection, before: WatchState) -> None:
    """Build, then watch and build again, until the parent ends or closes the pipe. Sends a WatchState at each step, which goes
    on from `before`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    happenings: queue.SimpleQueue[Happening] = queue.SimpleQueue()
    threading.Thread(target=_obey, args=(pipe, happenings), daemon=True).start()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Watching(WatchedFiles(configuration, index), _Building(configuration, index, pipe, before), happenings).run()


def _obey(pipe: Connection, happenings: queue.SimpleQueue[Happening]) -> None:
    """Pass on what the parent asks for. Where it let go of the pipe, nobody needs this process any more."""
    try:
        while True:
            happenings.put(str(pipe.recv()))
    except (EOFError, OSError):
        os._exit(0)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


class _Watch:
    """A thread that queues the events of some folders until it is stopped. `trouble` says why there are no events."""

    def __init__(self, folders: Iterable[str], happenings: queue.SimpleQueue[Happening], *, recursive: bool) -> None:
        self.trouble = ""
        self._folders = sorted(folders)
        self._happenings = happenings
        self._recursive = recursive
        self._stop = threading.Event()
        self._is_there = threading.Event()
        if self._folders:
            threading.Thread(target=self._run, daemon=True).start()
            self._is_there.wait(START_SECONDS)

    def stop(self) -> None:
        """Let it end soon."""
        self._stop.set()

    def _run(self) -> None:
        for force_polling in (None, True):
            try:
                return self._listen(force_polling)
            except Exception as error:  # too many watches, a file system without events, or a folder that went just now
                self.trouble = str(error) or type(error).__name__
        return self._is_there.set()

    def _listen(self, force_polling: bool | None) -> None:
        from watchfiles import watch

        events = watch(
            *self._folders,
            watch_filter=None,
            debounce=MOST_WAIT_MS,
            step=QUIET_MS,
            stop_event=self._stop,
            rust_timeout=BEAT_MS,
            yield_on_timeout=True,
            force_polling=force_polling,
            recursive=self._recursive,
            ignore_permission_denied=True,
        )
        for changes in events:
            self._is_there.set()
            if changes:
                self._happenings.put(frozenset(path for _, path in changes))


class _Building:
    """Builds, and tells the parent how that went."""

    def __init__(self, configuration: Configuration, index: Path, pipe: Connection, before: WatchState) -> None:
        self._configuration = configuration
        self._index = index
        self._pipe = pipe
        self._carry = Carry()
        self.state = before

    def build(self, *, is_large: bool, is_urgent: bool) -> float:
        """Build, and return when everything is to be compared again, in seconds from now."""
        settings = self._configuration.settings
        one_process = replace(self._configuration, settings=settings.model_copy(update={"jobs": 1}))
        configuration = self._configuration if is_large else one_process
        seconds = settings.serve.reconcile_seconds
        self._carry.is_urgent = is_urgent
        self._send(replace(self.state, state="building", at=time.time()))
        try:
            self._send(built(self.state, build(configuration, self._index, carry=self._carry)))
        except Exception as error:  # whatever it is, watching goes on
            fault = fault_of(error)
            self._send(failed(self.state, fault))
            return min(seconds, RETRY_SECONDS) if isinstance(fault, BusyFault | StorageFault) else seconds
        return seconds

    def mention(self, trouble: str) -> None:
        """Tell that files are compared for want of events."""
        if trouble:
            self._send(polling(self.state, trouble))

    def _send(self, state: WatchState) -> None:
        self.state = state
        try:
            self._pipe.send(state)
        except OSError:
            os._exit(0)


class _Watching:
    """The main thread of the process: it waits for something to happen, and has it built."""

    def __init__(self, files: WatchedFiles, building: _Building, happenings: queue.SimpleQueue[Happening]) -> None:
        self._files = files
        self._building = building
        self._happenings = happenings
        self._roots = self._places = frozenset[Identity]()
        self._watch, self._side_watch = _Watch((), happenings, recursive=True), _Watch((), happenings, recursive=False)
        self._next = 0.0
        self._learned: str | None = None

    def run(self) -> None:
        """Do it, for ever."""
        self._learn()
        while True:
            happened = self._awaited(LOOK_SECONDS if self._next else 0.0)
            is_moved = self._is_moved()
            if is_moved or time.monotonic() >= self._next or self._is_worth(happened):
                self._wait_for_git()
                happened += self._awaited(0.0)  # what has happened by now is in the build
                is_large = is_moved or _count(happened) >= MANY_FILES
                self._next = time.monotonic() + self._building.build(is_large=is_large, is_urgent=bool(happened))
                self._building.mention(self._watch.trouble or self._side_watch.trouble)
            elif not happened and self._is_idle():
                self._learn()

    def _awaited(self, seconds: float) -> list[Happening]:
        """What happens within some seconds: the first thing, and all that is there by then."""
        found: list[Happening] = []
        try:
            found.append(self._happenings.get(timeout=seconds) if seconds else self._happenings.get_nowait())
            while True:
                found.append(self._happenings.get_nowait())
        except queue.Empty:
            return found

    def _is_worth(self, happened: Iterable[Happening]) -> bool:
        """Whether it is worth a build."""
        paths: set[str] = set()
        for one in happened:
            if isinstance(one, str):
                return True
            paths |= one
        return self._files.matter(paths)

    def _is_moved(self) -> bool:
        """Whether other folders are there than were watched. Those are watched now."""
        roots = self._files.roots()
        if roots == self._roots:
            return False
        self._watch.stop()
        self._watch, self._roots = _Watch((path for path, *_ in roots), self._happenings, recursive=True), roots
        return True

    def _is_idle(self) -> bool:
        """Whether there is time to look what the newest generation includes."""
        state = self._building.state
        return state.generation != self._learned and time.time() > state.at + IDLE_SECONDS

    def _learn(self) -> None:
        self._learned = self._building.state.generation
        self._files.learn()
        places = self._files.places()
        if places != self._places:
            self._side_watch.stop()
            folders = (path for path, *_ in places)
            self._side_watch, self._places = _Watch(folders, self._happenings, recursive=False), places
            self._next = 0.0  # what was included may have changed before it was watched

    def _wait_for_git(self) -> None:
        """While git switches to another branch, what is there belongs to neither."""
        end = time.monotonic() + GIT_SECONDS
        while any(lock.exists() for lock in self._files.git_locks()) and time.monotonic() < end:
            time.sleep(QUIET_MS / 1000)


def _count(happened: Iterable[Happening]) -> int:
    """How many events these are."""
    return sum(len(one) for one in happened if not isinstance(one, str))
