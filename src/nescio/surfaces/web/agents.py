"""Puts what agents ask (the Model Context Protocol) beside the HTTP API, where its package is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from importlib.util import find_spec

from starlette.routing import Route

from nescio.surfaces.web.doors import Doors

PACKAGE = "mcp"
Life = Callable[[], AbstractAsyncContextManager[None]]


def mounted(doors: Doors) -> tuple[Sequence[Route], Life]:
    """The routes, none without the package, and the context that they live in."""
    if find_spec(PACKAGE) is None:
        return (), nullcontext
    from nescio.surfaces.mcp import http

    made = http.mounted(doors.configuration, doors.following, doors.desk, doors.gaps.keep)
    return made.routes, made.lifespan
