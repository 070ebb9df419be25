"""What is known of one request while it is worked on: guards and routes write it down, the log and the figures read it."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from time import perf_counter

from starlette.types import Scope

from nescio.surfaces.web.keyring import Key

PLACE = "nescio.visit"  # in the scope's state
REQUEST_ID = b"x-request-id"
ID_BYTES = 12  # 96 bits: no two requests of one log meet by chance
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


@dataclass(slots=True)
class Visit:
    """One request. Routes that answer a question say how: `status` to `from_cache`; the rest is the guards' own.

    `path` is below the root path. `client` is who is limited: an address, or a network of IPv6. `key` is None for requests
    without one. `route` is the template of the path (`/v1/passages/{id}`), where the framework does not say it.
    """

    request_id: str
    method: str
    path: str
    started: float = field(default_factory=perf_counter)
    client: str = ""
    key: Key | None = None
    origin: str = ""  # a foreign one that is listed, else empty
    route: str = ""
    fault: str = ""
    status: str = ""  # answered, refused
    reason: str = ""
    index_id: str = ""
    question: str = ""
    from_cache: bool | None = None


def begun(scope: Scope, root_path: str = "") -> Visit:
    """The visit of a new request, kept in its scope."""
    visit = Visit(request_id(scope), scope["method"], path_below(scope["path"], root_path))
    scope.setdefault("state", {})[PLACE] = visit
    return visit


def visit_of(scope: Scope) -> Visit:
    """The visit that a request belongs to; a new one where no guard stands before the route."""
    visit = scope.get("state", {}).get(PLACE)
    return visit if isinstance(visit, Visit) else begun(scope)


def request_id(scope: Scope) -> str:
    """The id that the client or a proxy gave, if it is a plain one; else a new one."""
    given = header(scope, REQUEST_ID)
    if given is not None and _ID.fullmatch(given):
        return given.decode("ascii")
    return secrets.token_hex(ID_BYTES)


def header(scope: Scope, name: bytes) -> bytes | None:
    """The first header of that lower-case name, None where there is none."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return None


def headers(scope: Scope, name: bytes) -> list[bytes]:
    """All headers of that lower-case name, in order."""
    return [value for key, value in scope["headers"] if key == name]


def path_below(path: str, root: str) -> str:
    """The path without the root path that a proxy publishes it under, which a proxy may have taken off already.

    Routes are found in the same way, so that no path means one thing to a guard and another to a route.
    """
    return path[len(root) :] or "/" if path == root or path.startswith(f"{root}/") else path
