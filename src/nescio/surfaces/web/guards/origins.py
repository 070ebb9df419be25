"""May a page of another site ask? Only where its origin is listed; a browser tells which one it is, and nobody else does.

Hosts and origins are looked at apart: a page with a foreign origin can name this server rightly, and is turned away too.
"""

from __future__ import annotations

import re

from starlette.types import Scope, Send

from nescio.config.serving import Serve
from nescio.errors import ConfigFault
from nescio.surfaces.web.problems import RequestFault
from nescio.surfaces.web.visits import Visit, header, visit_of

MOST_CHARACTERS = 300
ALLOWED_METHODS = b"GET, POST, DELETE"  # DELETE ends a session of an MCP client
ALLOWED_HEADERS = (
    b"Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, "
    b"Mcp-Session-Id, X-API-Key, X-Request-ID"
)
MAX_AGE = b"600"  # seconds; browsers ask again no later than two hours anyway
_ORIGIN = re.compile(r"(https?)://([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


class Origins:
    """The origins that pages may ask from."""

    def __init__(self, settings: Serve) -> None:
        self._listed = frozenset(_listed(origin) for origin in settings.origins)

    def check(self, scope: Scope, visit: Visit) -> None:
        """Notes a foreign origin that is listed. Raises RequestFault (`origin-not-allowed`)."""
        given = header(scope, b"origin")
        if given is None:
            return
        text = given.decode("latin-1")
        origin = normal(text)
        if origin and origin in self._listed:
            visit.origin = text
        elif not origin or not _is_same(origin, scope):
            raise RequestFault(
                "origin-not-allowed",
                "Pages of that site may not ask here.",
                "Whoever runs this server can add the site to serve.origins.",
            )

    def is_preflight(self, scope: Scope) -> bool:
        """Whether a browser asks first if it may ask."""
        return scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method") is not None

    async def answer(self, scope: Scope, send: Send) -> None:
        """Say what a page may send. That its origin may is said on every answer to it."""
        allowed = [
            (b"access-control-allow-methods", ALLOWED_METHODS),
            (b"access-control-allow-headers", ALLOWED_HEADERS),
            (b"access-control-max-age", MAX_AGE),
        ]
        await send({"type": "http.response.start", "status": 204, "headers": allowed if visit_of(scope).origin else []})
        await send({"type": "http.response.body", "body": b""})


def normal(origin: str) -> str:
    """An origin with its port left out where it is the scheme's own; empty where it is none, `null` among it."""
    match = _ORIGIN.fullmatch(origin.lower()) if len(origin) <= MOST_CHARACTERS else None
    if match is None:
        return ""
    scheme, host, port = match.groups()
    return f"{scheme}://{host}" if port in (None, _DEFAULT_PORTS[scheme]) else f"{scheme}://{host}:{port}"


def _is_same(origin: str, scope: Scope) -> bool:
    """Whether the page is of the server that the request was sent to.

    Its scheme is not compared: behind a proxy that speaks TLS, this server is asked over plain HTTP.
    """
    host = (header(scope, b"host") or b"").decode("latin-1").lower()
    scheme = origin.partition("://")[0]
    return normal(f"{scheme}://{host}") == origin


def _listed(origin: str) -> str:
    """An origin of the settings as it is compared. Raises ConfigFault."""
    found = normal(origin)
    if not found:
        raise ConfigFault(
            "config-wrong-value",
            f'serve.origins has "{origin}"; expected: a scheme and a name, as https://docs.example.org.',
            "Write nothing after the name and the port, not even a slash.",
        )
    return found
