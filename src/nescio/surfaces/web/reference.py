"""Serves the description of the API, for programs as OpenAPI and for people as a page that can try each operation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from nescio.surfaces import wire
from nescio.surfaces.web import reference_page
from nescio.surfaces.web.caching import Reply, reply_of, response

Described = Callable[[], dict[str, Any]]

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
ASSETS = (("page.css", "/docs.css", "text/css"), ("page.js", "/docs.js", "text/javascript"))


class _Description:
    """The description in both forms, made when it is first asked for."""

    def __init__(self, described: Described) -> None:
        self._described = described

    @cached_property
    def openapi(self) -> Reply:
        return reply_of(wire.encode(self._described()), "")

    @cached_property
    def page(self) -> Reply:
        return reply_of(reference_page.page(self._described()).encode("utf-8"), "")


def routes(described: Described) -> list[Route]:
    """`/openapi.json`, and the page `/docs` with its style and script. Nothing of it comes from elsewhere."""
    description = _Description(described)

    async def openapi(request: Request) -> Response:
        return _sent(request, description.openapi)

    async def page(request: Request) -> Response:
        sent = _sent(request, description.page, "text/html; charset=utf-8")
        sent.headers["Content-Security-Policy"] = POLICY
        return sent

    return [
        Route("/openapi.json", openapi, include_in_schema=False),
        Route("/docs", page, include_in_schema=False),
        *(_asset(name, path, media_type) for name, path, media_type in ASSETS),
    ]


def _asset(name: str, path: str, media_type: str) -> Route:
    reply = reply_of(files("nescio.surfaces.web").joinpath("assets", "reference", name).read_bytes(), "")

    async def asset(request: Request) -> Response:
        return _sent(request, reply, f"{media_type}; charset=utf-8")

    return Route(path, asset, include_in_schema=False)


def _sent(request: Request, reply: Reply, media_type: str = "application/json") -> Response:
    return response(reply, request.headers.get("if-none-match"), media_type=media_type)
