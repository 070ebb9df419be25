"""Whether the server lives, and whether requests should be sent to it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from nescio.errors import BusyFault, NotFoundFault
from nescio.surfaces import wire, wire_http
from nescio.surfaces.web.caching import JSON
from nescio.surfaces.web.doors import Doors

_WATCHER_FAILED = ("failed", "ended")


async def live(doors: Doors, request: Request) -> Response:
    """GET /livez."""
    return _now(wire_http.live_json())


async def ready(doors: Doors, request: Request) -> Response:
    """GET /readyz. Raises BusyFault (`server-stopping`) and NotFoundFault (`no-index`)."""
    if doors.stop.is_begun:
        raise BusyFault("server-stopping", "The server is stopping.", "Ask another one.")
    if doors.following.index_id is None:
        raise NotFoundFault("no-index", "There is no index.", "Build one: nescio build.")
    return _now(wire_http.ready_json(_problems(doors)))


def _problems(doors: Doors) -> list[str]:
    """The codes of what keeps the answers from being the newest."""
    found = [] if doors.following.fault is None else [doors.following.fault.code]
    if doors.watcher is not None and doors.watcher.state.state in _WATCHER_FAILED:
        found.append(doors.watcher.state.code or doors.watcher.state.state)
    return found


def _now(told: wire.Json) -> Response:
    return Response(wire.encode(told), media_type=JSON, headers={"Cache-Control": "no-store"})
