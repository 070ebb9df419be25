"""Takes questions to the engine: one at a time, so many in all, each for so long, and the same one not twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeVar

from nescio.surfaces.web.caching import Replies, Reply
from nescio.surfaces.working import Workplace

if TYPE_CHECKING:
    from nescio.assembly.live.following import Following
    from nescio.config.serving import Serve
    from nescio.engine import Engine

T = TypeVar("T")
Made = Callable[["Engine"], Reply]


class Desk(Workplace):
    """A place of work that keeps replies. One event loop uses it."""

    def __init__(self, following: Following, rules: Serve) -> None:
        super().__init__(rules)
        self.following = following
        self._replies = Replies(rules.cached_answers)
        self._making: dict[Hashable, asyncio.Future[Reply]] = {}

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

    async def told(self, function: Callable[[Engine], T]) -> T:
        """What an engine says to somebody who types, made at once and not kept. Raises as `suggest` does."""
        return await self.suggest(lambda: self._told(function))

    def _told(self, function: Callable[[Engine], T]) -> T:
        with self.following.engine() as engine:
            return function(engine)

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
