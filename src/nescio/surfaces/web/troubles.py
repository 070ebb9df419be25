"""Turns whatever an operation raises into a problem, and keeps what broke inside for whoever runs the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from nescio.errors import Fault, NotFoundFault
from nescio.surfaces.faults import fault_of
from nescio.surfaces.web.guards.logs import RequestLog
from nescio.surfaces.web.problems import RequestFault, instance_of, problem_json, problem_of
from nescio.surfaces.web.visits import visit_of
from nescio.surfaces.wire import encode


def problem_of_error(error: Exception, scope: Scope, log: RequestLog) -> Response:
    """The answer to what an operation raised."""
    return problem_of(_fault(error, scope, log), scope)


def problem_line(error: Exception, scope: Scope, log: RequestLog) -> bytes:
    """The same as a line of JSON, for a stream that has begun."""
    fault = _fault(error, scope, log)
    return encode(problem_json(fault, instance=instance_of(scope), request_id=visit_of(scope).request_id))


def _fault(error: Exception, scope: Scope, log: RequestLog) -> Fault:
    fault = fault_of(error)
    visit = visit_of(scope)
    visit.fault = fault.code
    if not isinstance(error, Fault):
        log.failed(visit, error)
    return fault


def unrouted(allowed: Callable[[Request], list[str]]) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Answers what no route takes: `not-found`, or `method-not-allowed` with the methods that the path has."""

    async def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException) and error.status_code == 405:
            methods = ", ".join(allowed(request))
            message = f"This path is not there for {request.method}."
            fault: Fault = RequestFault("method-not-allowed", message, f"Use {methods}.", (("allow", methods),))
        else:
            fault = NotFoundFault("not-found", "There is nothing at this path.", "See /docs for what is there.")
        return problem_of(fault, request.scope)

    return answer
