"""Runs the work that takes a while in one thread of each sort, in order: so many at once, each for so long.

So the event loop stays free for everyone else, and nobody who asks for much stops the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any, TypeVar

from nescio.config.serving import Serve
from nescio.errors import BusyFault

T = TypeVar("T")
MOST_SUGGESTING = 16  # completions that wait at once: so few that a question waits for them no longer than for another question
LARGEST_SHARE = 0.5  # of the places that one client may have


# On whose behalf a request is worked on, as the guards of a server see it: a request is worked on in a context of its own.
CLIENT: ContextVar[str] = ContextVar("nescio.client", default="")


class Worker:
    """A thread that makes one call after another. It ends with the process, whatever it is doing.

    Clients take turns: whoever wants many calls waits for his own, and everybody else for one of his at most.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._calls: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()  # of each client, in the order of their turns
        self._served = ""  # the client whose turn it was last
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self, seconds: float = 0.0) -> None:
        """End after the calls that wait already, and wait for that as long as this."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join(seconds)

    @property
    def waiting(self) -> int:
        """How many calls have not begun."""
        with self._changed:
            return sum(map(len, self._calls.values()))

    @property
    def waiting_of_client(self) -> int:
        """How many of those are of the client on whose behalf this is asked."""
        with self._changed:
            return len(self._calls.get(CLIENT.get(), ()))

    async def call(self, function: Callable[[], T]) -> T:
        """What `function` returns, called in the thread; raises what it raises. Cancelled before its turn, it is not called."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self.post(lambda: _call(function, future, loop))
        return await future

    def post(self, function: Callable[[], None]) -> None:
        """Call `function`, which raises nothing, when its turn comes."""
        with self._changed:
            self._calls.setdefault(CLIENT.get(), deque()).append(function)
            self._changed.notify()

    def _work(self) -> None:
        while (call := self._next()) is not None:
            call()

    def _next(self) -> Callable[[], None] | None:
        """The call whose turn it is; None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._calls or self._is_closed)
            if not self._calls:
                return None
            if self._served in self._calls:
                self._calls.move_to_end(self._served)
            self._served, calls = next(iter(self._calls.items()))
            call = calls.popleft()
            if not calls:
                del self._calls[self._served]
            return call


class Workplace:
    """Where requests wait for their work. One event loop at a time uses it; `close` it, or use it as a context.

    Questions have a thread of their own, and so have citations and all else that is not asked of the engine: none waits for
    the others, nor takes their places.
    """

    def __init__(self, rules: Serve) -> None:
        self._rules = rules
        self._engine_worker = Worker("nescio-questions")
        self._citation_worker = Worker("nescio-citations")
        self._aside_worker = Worker("nescio-aside")
        self._busy: Counter[tuple[str, str]] = Counter()  # places that are taken of each sort, in all ("") and by each client

    def start(self) -> None:
        """Begin to work."""
        for worker in self._workers:
            worker.start()

    def close(self) -> None:
        """Let the threads end."""
        for worker in self._workers:
            worker.close()

    async def work(self, function: Callable[[], T]) -> T:
        """What `function` returns, called in the engine's thread. Raises BusyFault: `server-busy`, `request-timeout`."""
        return await self._call(self._engine_worker, function)

    async def suggest(self, function: Callable[[], T]) -> T:
        """The same with places of its own: what is completed while somebody types takes none of those for questions."""
        async with self._place("suggestions", MOST_SUGGESTING):
            return await self._engine_worker.call(function)

    async def check(self, function: Callable[[], T]) -> T:
        """The same in the thread for citations."""
        return await self._call(self._citation_worker, function)

    async def aside(self, function: Callable[[], T]) -> T:
        """The same in the thread for what is short and needs no engine."""
        return await self._call(self._aside_worker, function)

    def soon(self, function: Callable[[], None]) -> None:
        """Call `function`, which raises nothing, in that thread when there is time."""
        self._aside_worker.post(function)

    def __enter__(self) -> Workplace:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def _workers(self) -> tuple[Worker, ...]:
        return self._engine_worker, self._citation_worker, self._aside_worker

    async def _call(self, worker: Worker, function: Callable[[], T]) -> T:
        async with self._place(worker.name, self._rules.max_requests):
            return await worker.call(function)

    @asynccontextmanager
    async def _place(self, sort: str, most: int) -> AsyncIterator[None]:
        """A place of a sort that there are so many of; of these one client may have a share, that there is room for others."""
        places = {(sort, ""), (sort, CLIENT.get())}
        if any(self._busy[sort, client] >= (math.ceil(most * LARGEST_SHARE) if client else most) for _, client in places):
            raise BusyFault("server-busy", "The server has as many requests as it takes at once.", "Try again in a moment.")
        self._busy.update(places)
        try:
            async with asyncio.timeout(self._rules.request_seconds):
                yield
        except TimeoutError:
            message = f"The request took longer than {self._rules.request_seconds:g} s."
            raise BusyFault("request-timeout", message, "Try again in a moment, or ask for less.") from None
        finally:
            self._busy.subtract(places)
            self._busy += Counter()  # without those who have no place


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
