"""What does every answer carry, whoever makes it? Its request's id, what a browser may do with it, which site may read it."""

from __future__ import annotations

from starlette.types import Message, Send

from nescio.config.serving import Serve
from nescio.surfaces.web.visits import REQUEST_ID, Visit

# Nothing may be loaded, framed or sent from what has no policy of its own: JSON and problems need nothing.
POLICY = b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
WIDGET = "/nescio-ask.js"  # the one thing that is made to be put into pages of other sites
RESOURCE_POLICY = b"cross-origin-resource-policy"
SECURE: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (RESOURCE_POLICY, b"same-origin"),
)
PART_BYTES = 256 * 1024  # of a body that is given to a connection at once: what a client does not read takes memory
EXPOSED = b"ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID"
VARY_ORIGIN = (b"vary", b"Origin")


class Dressing:
    """The headers that answers get under some settings."""

    def __init__(self, settings: Serve) -> None:
        self._has_origins = bool(settings.origins)

    def on(self, headers: list[tuple[bytes, bytes]], visit: Visit) -> list[tuple[bytes, bytes]]:
        """The headers of an answer with what it lacks. What a route has set stays, but for the request's id."""
        there = {name for name, _ in headers}
        added = [pair for pair in SECURE if pair[0] not in there]
        if visit.path == WIDGET and RESOURCE_POLICY not in there:
            added[-1] = (RESOURCE_POLICY, b"cross-origin")
        added.append((REQUEST_ID, visit.request_id.encode("ascii")))
        if self._has_origins:
            added.append(VARY_ORIGIN)
        if visit.origin:
            added.append((b"access-control-allow-origin", visit.origin.encode("latin-1")))
            added.append((b"access-control-expose-headers", EXPOSED))
        return [pair for pair in headers if pair[0] != REQUEST_ID] + added


class Dressed:
    """A `send` that dresses the answer, and knows afterwards what it was. `size` is in bytes, without headers."""

    def __init__(self, send: Send, visit: Visit, dressing: Dressing) -> None:
        self._send = send
        self._visit = visit
        self._dressing = dressing
        self.status = 0
        self.size = 0
        self.is_whole = False

    @property
    def has_begun(self) -> bool:
        """Whether the client has been told a status."""
        return self.status != 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [(name.lower(), value) for name, value in message.get("headers", ())]
            message = {**message, "headers": self._dressing.on(headers, self._visit)}
        elif message["type"] == "http.response.body":
            message = {**message, "body": await self._all_but_the_last(message.get("body", b""))}
            self.size += len(message["body"])
            self.is_whole = not message.get("more_body", False)
        await self._send(message)

    async def _all_but_the_last(self, body: bytes) -> bytes:
        """Send a large body part by part, each when the client has taken the one before; the last part is returned."""
        last = max(0, len(body) - 1) // PART_BYTES * PART_BYTES
        for start in range(0, last, PART_BYTES):
            await self._send({"type": "http.response.body", "body": body[start : start + PART_BYTES], "more_body": True})
            self.size += PART_BYTES
        return body[last:]
