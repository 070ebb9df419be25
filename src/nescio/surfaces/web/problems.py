"""How is a fault told over HTTP? As RFC 9457 says: a status, and a JSON object with a type that never changes.

What broke inside is nobody's business outside: from status 500 on, the words are general ones, without paths or messages of
the machine. The code and the request's id lead whoever runs the server to the line in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from starlette.responses import Response
from starlette.types import Scope, Send

from nescio.errors import (
    BusyFault,
    ConfigFault,
    Fault,
    IngestFault,
    InternalFault,
    NotFoundFault,
    QuestionFault,
    StorageFault,
    UsageFault,
)
from nescio.surfaces.web.visits import visit_of
from nescio.surfaces.wire import Json, encode

MEDIA_TYPE = "application/problem+json"
TYPE = "urn:nescio:error:"
INSIDE = 500  # from here on the fault is ours, and its words are for the log

Headers = tuple[tuple[str, str], ...]

# The first branch of the tree that a fault is of.
_BY_BRANCH: tuple[tuple[type[Fault], int], ...] = (
    (ConfigFault, 500),
    (QuestionFault, 422),
    (NotFoundFault, 404),
    (UsageFault, 400),
    (BusyFault, 503),
    (IngestFault, 500),
    (StorageFault, 500),
    (InternalFault, 500),
)
_BY_CODE: Mapping[str, int] = MappingProxyType(
    {
        "key-needed": 401,
        "key-unknown": 401,
        "key-not-allowed": 403,
        "origin-not-allowed": 403,
        "feedback-off": 403,
        "not-found": 404,
        "method-not-allowed": 405,
        "not-acceptable": 406,
        "request-too-slow": 408,
        "body-too-large": 413,
        "media-type-unsupported": 415,
        "host-not-allowed": 421,
        "request-invalid": 422,
        "feedback-invalid": 422,
        "input-too-large": 413,
        "floor-out-of-range": 422,
        "detail-unknown": 422,
        "limit-out-of-range": 422,
        "too-many-requests": 429,
        "no-index": 503,
        "server-busy": 503,
        "server-stopping": 503,
        "request-timeout": 503,
        "too-many-streams": 503,
    }
)
# Faults of ours whose words were written for the one who asks.
_TOLD = frozenset({"server-busy", "server-stopping", "request-timeout", "too-many-streams"})
# In how many seconds it is worth to ask again.
_RETRY_AFTER: Mapping[str, int] = MappingProxyType({"no-index": 5, "server-stopping": 5})
_SOON = 1
_NO_INDEX = ("There is no index to answer from yet.", "Ask again in a moment.")
_INSIDE = ("The server could not do this.", "Tell whoever runs it the request_id: the server's log has the reason.")


class RequestFault(UsageFault):
    """A request that was turned away before anybody looked at what it asks. `headers` belong on its answer."""

    def __init__(self, code: str, message: str, hint: str = "", headers: Headers = ()) -> None:
        super().__init__(code, message, hint)
        self.headers = headers

    def __reduce__(self) -> tuple[type[RequestFault], tuple[Any, ...]]:
        return type(self), (self.code, self.message, self.hint, self.headers)


def status_of(fault: Fault) -> int:
    """The HTTP status of a fault: that of its code, else that of its branch of the tree."""
    return _BY_CODE.get(fault.code) or next((status for branch, status in _BY_BRANCH if isinstance(fault, branch)), INSIDE)


def problem_json(fault: Fault, *, instance: str, request_id: str) -> Json:
    """The object of RFC 9457, with the code, the hint and the request's id. Nothing of the inside is in it."""
    detail, hint = _words(fault)
    return {
        "type": TYPE + fault.code,
        "title": fault.code.replace("-", " ").capitalize(),
        "status": status_of(fault),
        "detail": detail,
        "code": fault.code,
        "hint": hint,
        "instance": instance,
        "request_id": request_id,
    }


def headers_of(fault: Fault) -> Headers:
    """The headers that the answer to a fault has beside its type: when to try again, and which key is asked for."""
    status = status_of(fault)
    found: Headers = (("cache-control", "no-store"),)
    if status == 503:
        found += (("retry-after", str(_RETRY_AFTER.get(fault.code, _SOON))),)
    if status == 401:
        found += (("www-authenticate", 'Bearer realm="nescio"'),)
    return found + (fault.headers if isinstance(fault, RequestFault) else ())


def problem_response(fault: Fault, *, instance: str, request_id: str) -> Response:
    """The answer to a fault, for routes."""
    body = encode(problem_json(fault, instance=instance, request_id=request_id))
    return Response(body, status_of(fault), dict(headers_of(fault)), MEDIA_TYPE)


def problem_of(fault: Fault, scope: Scope) -> Response:
    """The answer to a fault that stopped the request of `scope`; the log and the figures are told its code."""
    visit = visit_of(scope)
    visit.fault = fault.code
    return problem_response(fault, instance=instance_of(scope), request_id=visit.request_id)


async def send_problem(fault: Fault, scope: Scope, send: Send) -> None:
    """Answer with a fault where no route does."""
    visit = visit_of(scope)
    visit.fault = fault.code
    body = encode(problem_json(fault, instance=instance_of(scope), request_id=visit.request_id))
    await send({"type": "http.response.start", "status": status_of(fault), "headers": _raw(headers_of(fault), len(body))})
    await send({"type": "http.response.body", "body": body})


def instance_of(scope: Scope) -> str:
    """The path that was asked for, as it was sent and without its query."""
    raw = scope.get("raw_path")
    return raw.decode("latin-1") if isinstance(raw, bytes) else str(scope["path"])


def _words(fault: Fault) -> tuple[str, str]:
    """What is said, and what to do next."""
    if fault.code == "no-index":
        return _NO_INDEX
    if status_of(fault) >= INSIDE and fault.code not in _TOLD:
        return _INSIDE
    return fault.message, fault.hint


def _raw(headers: Iterable[tuple[str, str]], length: int) -> list[tuple[bytes, bytes]]:
    pairs = [*headers, ("content-type", MEDIA_TYPE), ("content-length", str(length))]
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
