"""Runs the work that takes a while in one thread each, in order, so that the event loop stays free for everyone else."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """A thread that makes one call after another. It ends with the process, whatever it is doing."""

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self, seconds: float = 0.0) -> None:
        """End after the calls that wait already, and wait for that as long as this."""
        self._calls.put(None)
        self._thread.join(seconds)

    @property
    def waiting(self) -> int:
        """How many calls have not begun."""
        return self._calls.qsize()

    async def call(self, function: Callable[[], T]) -> T:
        """What `function` returns, called in the thread; raises what it raises. Cancelled before its turn, it is not called."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._calls.put(lambda: _call(function, future, loop))
        return await future

    def post(self, function: Callable[[], None]) -> None:
        """Call `function`, which raises nothing, when its turn comes."""
        self._calls.put(function)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()


def _call(function: Callable[[], T], future: asyncio.Future[T], loop: asyncio.AbstractEventLoop) -> None:
    if future.cancelled():
        return
    try:
        told: tuple[Callable[[Any], None], Any] = (future.set_result, function())
    except Exception as error:
        told = (future.set_exception, error)
    with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits any more
        loop.call_soon_threadsafe(_settle, future, *told)


def _settle(future: asyncio.Future[Any], setter: Callable[[Any], None], value: Any) -> None:
    if not future.done():
        setter(value)
