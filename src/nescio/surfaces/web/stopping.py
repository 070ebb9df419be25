"""How the server stops: it says at once that it is not ready, takes requests a little longer, and lets those in flight end."""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import uvicorn

from nescio.config.serving import Serve

if TYPE_CHECKING:
    import socket

STOPPED, KILLED = 0, 130
SAME_SECONDS = 0.25  # a terminal and a supervisor often send the same signal, one after the other
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether the server is stopping, for all who have to know. For the thread of the event loop."""

    def __init__(self) -> None:
        self.is_begun = False
        self._calls: list[Callable[[], None]] = []

    def then(self, call: Callable[[], None]) -> None:
        """Call this when it begins to stop."""
        self._calls.append(call)

    def begin(self) -> None:
        """Tell everybody who has to know."""
        self.is_begun = True
        for call in self._calls:
            call()


class Server(uvicorn.Server):
    """A server that a first signal stops gracefully and a second one at once. Calls `started` when it answers."""

    def __init__(self, config: uvicorn.Config, rules: Serve, stop: Stop, started: Callable[[], None]) -> None:
        config.timeout_graceful_shutdown = math.ceil(rules.grace_seconds)
        super().__init__(config)
        self._stop = stop
        self._drain_seconds = rules.drain_seconds
        self._tell_started = started
        self._begun = 0.0

    @property
    def exit_code(self) -> int:
        """0 after a graceful stop."""
        return KILLED if self.force_exit else STOPPED

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so: from now on a signal is heard, and nothing is lost."""
        await super().startup(sockets)
        self._tell_started()

    def stop(self) -> None:
        """Begin to stop; stop at once when called again. For the thread of the event loop."""
        now = asyncio.get_running_loop().time()
        if not self._stop.is_begun:
            self._begun = now
            self._stop.begin()
        elif now - self._begun > SAME_SECONDS:
            self._stop_at_once()

    def _stop_at_once(self) -> None:
        self.force_exit = self.should_exit = True
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    async def on_tick(self, counter: int) -> bool:
        """Whether the main loop ends: not before new requests were taken for a while after the signal."""
        if self._stop.is_begun and asyncio.get_running_loop().time() >= self._begun + self._drain_seconds:
            self.should_exit = True
        return await super().on_tick(counter)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals, where this is the thread that gets them. Unlike uvicorn's own, they are not raised again."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        before = {one: signal.signal(one, lambda *_: _wake(loop, self.stop)) for one in _SIGNALS}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def _wake(loop: asyncio.AbstractEventLoop, function: object) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(function)  # type: ignore[arg-type]
