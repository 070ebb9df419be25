"""Runs work on many files in several processes, results in order, a bounded number of them waiting."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import TypeVar

from nescio.errors import IngestFault

BATCH = 16  # items that go to a process at once
IN_FLIGHT = 4  # batches handed out for each process: bounds what waits in memory
ONE_PROCESS_BELOW = 48  # items: starting processes costs more than they save

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def workers(
    jobs: int, items: int
) -> Iterator[Callable[[Callable[[list[Item]], list[Result]], Sequence[Item]], Iterator[Result]]]:
    """A function that applies another to all items, a batch at a time, and yields the results in order.

    `jobs` processes, 0 for one a core; all in this process when there are few `items`. Raises IngestFault when a process dies.
    """
    count = min(jobs or os.cpu_count() or 1, max(1, items // BATCH))
    if count == 1 or items < ONE_PROCESS_BELOW:
        yield _here
        return
    with ProcessPoolExecutor(count, mp_context=get_context(_start_method()), initializer=_end_with_parent) as pool:
        # The processes start before the caller opens anything that a fork would share.
        for future in [pool.submit(os.getpid) for _ in range(count)]:
            future.result()
        try:
            yield lambda work, given: _there(pool, work, given, count * IN_FLIGHT)
        except BrokenProcessPool as error:
            message = "A process that reads files ended without a word (killed, or out of memory)."
            raise IngestFault("worker-lost", message, "Try with fewer processes: --jobs 1 or NESCIO_JOBS=1") from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _start_method() -> str:
    """Forking is quick and needs no importable main module, and is safe only while there is one thread."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _end_with_parent() -> None:
    """Let a process that is killed take its workers along: a fork would go on to hold the lock of the index."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _batches(items: Sequence[Item]) -> Iterator[list[Item]]:
    for start in range(0, len(items), BATCH):
        yield list(items[start : start + BATCH])


def _here(work: Callable[[list[Item]], list[Result]], items: Sequence[Item]) -> Iterator[Result]:
    for item in items:
        yield from work([item])


def _there(
    pool: ProcessPoolExecutor, work: Callable[[list[Item]], list[Result]], items: Sequence[Item], most: int
) -> Iterator[Result]:
    waiting: deque[Future[list[Result]]] = deque()
    for batch in _batches(items):
        waiting.append(pool.submit(work, batch))
        if len(waiting) >= most:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()
