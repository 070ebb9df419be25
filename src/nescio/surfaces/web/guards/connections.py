"""How long and how much may a connection send before it has asked anything? The web server itself waits for ever.

It ends a connection that is idle after an answer. One that sends nothing, or a byte of a header now and then, or never reads
its answer, is ended here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

MOST_CONNECTIONS = 800  # a process may open 1,024 files as systems are set up; some are for the index and the log
MOST_OF_ONE = MOST_CONNECTIONS // 2  # of one client: one alone never keeps the others out
MOST_HEADER_BYTES = 65_536
MOST_DISCARDED_BYTES = 1_048_576  # of a body whose request has been answered already: read on, so that the answer arrives
UNREAD_SECONDS = 30.0  # a client that takes nothing of its answer for so long is given up
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_BAD_REQUEST = (
    b'{"type": "urn:nescio:error:request-syntax", "title": "Request syntax", "status": 400, '
    b'"detail": "This is no HTTP request.", "code": "request-syntax", "hint": "", "instance": "", "request_id": ""}\n'
)


def bounded_protocol(
    base: type[asyncio.Protocol],
    *,
    seconds: float,
    most: int = MOST_CONNECTIONS,
    unread_seconds: float = UNREAD_SECONDS,
    most_of_one: int = MOST_OF_ONE,
    peer: Callable[[str], str | None] = lambda host: host,
) -> type[asyncio.Protocol]:
    """A protocol class of uvicorn's whose connections have bounds, for `uvicorn.Config(http=...)`.

    `seconds` is the time for a request's headers, `most` how many connections are open at once, `most_of_one` how many of one
    client; `peer` says which client an address is, None for one that many come through. `base` is
    `uvicorn.protocols.http.auto.AutoHTTPProtocol`.
    """
    bounds = {
        "header_seconds": seconds,
        "most_connections": most,
        "unread_seconds": unread_seconds,
        "most_of_one": most_of_one,
        "peer": staticmethod(peer),
    }
    return type("BoundedProtocol", (_Bounded, base), bounds)


class _Bounded(asyncio.Protocol):
    """Goes before a protocol of uvicorn's, of which it uses the attributes declared here."""

    header_seconds: float
    most_connections: int
    unread_seconds: float
    most_of_one: int
    peer: Callable[[str], str | None]
    client: tuple[str, int] | None  # the address at the other end
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    connections: set[Any]
    cycle: Any  # the request that is worked on or was answered last, None before the first

    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _bytes = 0  # that came since no request is worked on

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for headers."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections or self._is_one_too_many():
            self.transport.abort()
            return
        self._wait()

    def _is_one_too_many(self) -> bool:
        """Whether its client has more connections than one may have."""
        if len(self.connections) <= self.most_of_one or self.client is None:
            return False
        own = self.peer(self.client[0])
        clients = (one.client for one in self.connections)
        return own is not None and sum(self.peer(one[0]) == own for one in clients if one) > self.most_of_one

    def connection_lost(self, exc: Exception | None) -> None:
        """End all waiting."""
        super().connection_lost(exc)
        self._stop_waiting()
        self._stop_watching()

    def data_received(self, data: bytes) -> None:
        """Take what came, and look whether there is a request by now."""
        before = self.cycle
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.cycle is not before or not self._is_idle():
            self._stop_waiting()
        if self._is_idle():
            self._count(len(data))

    def pause_writing(self) -> None:
        """The client does not take its answer: wait a while."""
        super().pause_writing()
        if self._unread is None:
            self._watch()

    def resume_writing(self) -> None:
        """The client takes its answer again."""
        super().resume_writing()
        self._stop_watching()

    def _watch(self) -> None:
        """Look again in a while if the client has taken anything."""
        left = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(self.unread_seconds, self._look, left)

    def _look(self, left: int) -> None:
        if self.transport.get_write_buffer_size() < left:
            self._watch()
        else:
            self.transport.abort()

    def _stop_watching(self) -> None:
        """Wait no longer for the client to read."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; surely, though its last answer may not have been read."""
        super().timeout_keep_alive_handler()  # type: ignore[misc]
        self.loop.call_later(self.unread_seconds, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and close."""
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
            b"x-content-type-options: nosniff\r\ncontent-length: %d\r\n\r\n"
        )
        self.transport.write(head % len(_BAD_REQUEST) + _BAD_REQUEST)
        self.transport.close()

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _count(self, size: int) -> None:
        self._bytes += size
        is_body = self.cycle is not None and self.cycle.more_body
        if self._bytes > (MOST_DISCARDED_BYTES if is_body else MOST_HEADER_BYTES):
            if not is_body:
                self.transport.write(_TOO_LARGE)
            self.transport.close()
        elif self._waiting is None:
            self._wait()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.header_seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        self._bytes = 0
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
