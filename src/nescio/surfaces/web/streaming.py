"""Server-sent events: an answer as a stream, and word of each new index, until the client or the server has had enough."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from nescio.errors import BusyFault
from nescio.surfaces.wire import encode
from nescio.surfaces.working import LARGEST_SHARE

MEDIA_TYPE = "text/event-stream"
HEARTBEAT_SECONDS = 15.0  # proxies close what is silent for a minute or less
RETRY_MILLISECONDS = 2_000
HEARTBEAT = b": still here\n\n"
START = b"retry: %d\n\n" % RETRY_MILLISECONDS
# Proxies that gather what they pass on would hold events back.
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def event(name: str, data: bytes, key: str | None = None) -> bytes:
    """One event. `data` is a line of JSON with its line feed, `key` what a client names when it comes back."""
    told = b"" if key is None else b"id: " + key.encode("ascii") + b"\n"
    return b"event: " + name.encode("ascii") + b"\n" + told + b"data: " + data + b"\n"


def stream(
    parts: AsyncIterator[bytes], ended: Callable[[], None] = lambda: None, headers: Mapping[str, str] | None = None
) -> StreamingResponse:
    """A response that sends parts as they come, and calls `ended` when it is over, however that came."""
    return _Stream(parts, ended, {**_HEADERS, **(headers or {})})


class _Stream(StreamingResponse):
    def __init__(self, parts: AsyncIterator[bytes], ended: Callable[[], None], headers: Mapping[str, str]) -> None:
        super().__init__(parts, media_type=MEDIA_TYPE, headers=headers)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def wants_events(accept: str | None) -> bool:
    """Whether a stream of events was asked for rather than JSON."""
    if accept is None or MEDIA_TYPE not in accept.lower():
        return False
    worth = dict(map(_weighed, accept.lower().split(",")))
    return worth.get(MEDIA_TYPE, 0.0) > 0 and worth[MEDIA_TYPE] >= worth.get("application/json", 0.0)


def _weighed(part: str) -> tuple[str, float]:
    kind, *parameters = (piece.strip() for piece in part.split(";"))
    for parameter in parameters:
        if parameter.startswith("q="):
            with contextlib.suppress(ValueError):
                return kind, float(parameter[2:])
    return kind, 1.0


class Changes:
    """Tells open streams of each new index. For the thread of the event loop."""

    def __init__(self, current: Callable[[], str | None], most: int) -> None:
        self._current = current
        self._most = most
        self._open: Counter[str] = Counter()  # streams of each client
        self._news = asyncio.Event()
        self._is_over = False

    def tell(self) -> None:
        """Let every stream look whether the index is another."""
        self._news.set()
        self._news = asyncio.Event()

    def end(self) -> None:
        """End all streams."""
        self._is_over = True
        self.tell()

    def events(self, known: str | None, client: str) -> StreamingResponse:
        """A stream for a client who knows of the index `known`; None: of the one in force. Raises BusyFault.

        One client has half of all streams at most, so that there are some for others.
        """
        if self._open.total() >= self._most or self._open[client] >= math.ceil(self._most * LARGEST_SHARE):
            message = "The server has as many streams open as it keeps."
            raise BusyFault("too-many-streams", message, "Ask /v1/version now and then instead.")
        self._open[client] += 1
        return stream(self._events(known), lambda: self._ended(client))

    def _ended(self, client: str) -> None:
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]

    async def _events(self, known: str | None) -> AsyncIterator[bytes]:
        known = known or self._current()
        yield START
        while not self._is_over:
            news, current = self._news, self._current()
            if current is not None and current != known:
                known = current
                yield event("index", encode({"index_id": current}), current)
            elif not await _happens(news):
                yield HEARTBEAT


async def _happens(news: asyncio.Event) -> bool:
    """Whether there is news before the next heartbeat is due."""
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            return await news.wait()
    except TimeoutError:
        return False
