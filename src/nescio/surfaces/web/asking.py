"""Takes questions to the engine: one at a time, so many in all, each for so long, and the same one not twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from nescio.errors import BusyFault
from nescio.surfaces.web.caching import Replies, Reply
from nescio.surfaces.web.working import Worker

if TYPE_CHECKING:
    from nescio.assembly.following import Following
    from nescio.config.serving import Serve
    from nescio.engine import Engine

T = TypeVar("T")
Made = Callable[["Engine"], Reply]


class Desk:
    """Where requests wait for their work. One event loop uses it.

    Questions have a thread of their own, and so have citations and all else that is not asked of the engine: none waits for
    the others.
    """

    def __init__(self, following: Following, rules: Serve) -> None:
        self.following = following
        self._rules = rules
        self._engine_worker = Worker("nescio-questions")
        self._citation_worker = Worker("nescio-citations")
        self._aside_worker = Worker("nescio-aside")
        self._workers = (self._engine_worker, self._citation_worker, self._aside_worker)
        self._replies = Replies(rules.cached_answers)
        self._making: dict[Hashable, asyncio.Future[Reply]] = {}
        self._busy = 0

    def start(self) -> None:
        """Begin to take requests."""
        for worker in self._workers:
            worker.start()

    def close(self) -> None:
        """Let the threads end."""
        for worker in self._workers:
            worker.close()

    async def reply(self, request: Hashable, made: Made) -> tuple[Reply, bool]:
        """What `made` makes of a request, and whether it was kept from before. Raises its faults, and those of `work`.

        Who asks the same while it is made waits for that.
        """
        key = (self._generation, request)
        kept = self._replies.find(key)
        if kept is None:
            return await asyncio.shield(self._being_made(key, request, made)), False
        reply, is_due = kept
        if is_due and not self._making:  # one at a time, and never before those who wait
            self._being_made(key, request, made)
        return reply, True

    def _being_made(self, key: Hashable, request: Hashable, made: Made) -> asyncio.Future[Reply]:
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.ensure_future(self._make(request, made))
            making.add_done_callback(lambda done: self._made_it(key, done))
        return making

    async def _make(self, request: Hashable, made: Made) -> Reply:
        generation, reply = await self.work(lambda: self._made(made))
        self._replies.keep((generation, request), reply)
        return reply

    def _made_it(self, key: Hashable, done: asyncio.Future[Reply]) -> None:
        del self._making[key]
        if not done.cancelled():
            done.exception()  # whoever waited has it; where nobody does, nothing is to be said

    @property
    def _generation(self) -> tuple[str | None, str | None]:
        return self.following.index_id, self.following.generation

    def _made(self, made: Made) -> tuple[tuple[str | None, str | None], Reply]:
        with self.following.engine() as engine:
            return self._generation, made(engine)

    async def work(self, function: Callable[[], T]) -> T:
        """What `function` returns, called in the engine's thread. Raises BusyFault: `server-busy`, `request-timeout`."""
        async with self._place():
            return await self._engine_worker.call(function)

    async def check(self, function: Callable[[], T]) -> T:
        """The same in the thread for citations."""
        async with self._place():
            return await self._citation_worker.call(function)

    async def aside(self, function: Callable[[], T]) -> T:
        """The same in the thread for what is short and needs no engine."""
        async with self._place():
            return await self._aside_worker.call(function)

    def soon(self, function: Callable[[], None]) -> None:
        """Call `function`, which raises nothing, in that thread when there is time."""
        self._aside_worker.post(function)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        if self._busy >= self._rules.max_requests:
            raise BusyFault("server-busy", "The server has as many requests as it takes at once.", "Try again in a moment.")
        self._busy += 1
        try:
            async with asyncio.timeout(self._rules.request_seconds):
                yield
        except TimeoutError:
            message = f"The request took longer than {self._rules.request_seconds:g} s."
            raise BusyFault("request-timeout", message, "Try again in a moment, or ask for less.") from None
        finally:
            self._busy -= 1
