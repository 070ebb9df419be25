"""How much of a body is taken, and how long is it waited for? All of it comes before the application begins to work.

So a slow client occupies nothing but its connection, and an application never meets half a body.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.types import Message, Receive, Scope, Send

from nescio.surfaces.web.problems import RequestFault
from nescio.surfaces.web.visits import header

CLOSE = (("connection", "close"),)
LINGER_SECONDS = 2.0  # a client that only reads after it has sent all gets so long to find its answer
DISCONNECTED: Message = {"type": "http.disconnect"}
_MOST_DIGITS = 18  # of a length: more is no length of anything, and costs time to read


async def whole(scope: Scope, receive: Receive, most: int, seconds: float) -> Receive | None:
    """A `receive` that gives the whole body at once; None where the client left before its end.

    Raises RequestFault: `request-syntax` where the length is told in two ways, `body-too-large`, at once where it is told,
    `request-too-slow` after `seconds`.
    """
    if not has_body(scope):
        return receive
    length = header(scope, b"content-length")
    if length is not None and header(scope, b"transfer-encoding") is not None:
        raise _two_lengths()
    if length is not None and _is_over(length, most):
        raise _too_large(most)
    try:
        async with asyncio.timeout(seconds):
            body = await _collected(receive, most)
    except TimeoutError:
        raise RequestFault(
            "request-too-slow",
            f"The request did not arrive whole within {seconds:g} seconds.",
            "Send it faster, or a smaller one.",
            CLOSE,
        ) from None
    return None if body is None else _Given(body, receive)


def has_body(scope: Scope) -> bool:
    """Whether more comes than the headers."""
    return header(scope, b"content-length") is not None or header(scope, b"transfer-encoding") is not None


async def _collected(receive: Receive, most: int) -> bytes | None:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise _too_large(most)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


class _Given:
    """Gives the body first, then whatever the connection says."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


class Lingering:
    """Sends an answer whole, then reads on for a moment before it ends.

    A connection that is closed while its client still sends would be reset, and the answer lost with it.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] != "http.response.body":
            await self._send(message)
            return
        await self._send({**message, "more_body": True})
        await self._drain(monotonic() + LINGER_SECONDS)
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _drain(self, until: float) -> None:
        """Read until the body ends, the client goes, or it is time."""
        try:
            async with asyncio.timeout(until - monotonic()):
                while (message := await self._receive())["type"] == "http.request" and message.get("more_body", False):
                    pass
        except TimeoutError:
            return


def _is_over(length: bytes, most: int) -> bool:
    return not length.isdigit() or len(length) > _MOST_DIGITS or int(length) > most


def _two_lengths() -> RequestFault:
    """A proxy may have read another length than ours: what comes next would be one request there and another here."""
    return RequestFault("request-syntax", "The length of the body is told in two ways.", "Tell it in one.", CLOSE)


def _too_large(most: int) -> RequestFault:
    return RequestFault("body-too-large", f"The body is larger than {most:,} bytes.", "Send less at once.", CLOSE)
