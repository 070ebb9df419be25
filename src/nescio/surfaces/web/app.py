"""Makes one application of all that is served: the operations, their description, the pages, and what agents ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from nescio.domain.release import VERSION
from nescio.surfaces.web import agents, figures, openapi, pages, reference, texts, troubles
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.operations import OPERATIONS, Handler, Operation

Endpoint = Callable[[Request], Awaitable[Response]]
METHODS = ("GET", "HEAD", "POST")  # in the order in which they are told


def create(doors: Doors) -> FastAPI:
    """The application over some doors, without its guards. Its lifespan starts and ends what works for them."""
    root = doors.configuration.settings.serve.root_path
    agent_routes, agents_live = agents.mounted(doors)
    app = FastAPI(
        title=openapi.TITLE,
        version=VERSION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lambda _: _living(doors, agents_live),
    )
    app.add_exception_handler(HTTPException, troubles.unrouted(lambda request: _methods(app.routes, request)))
    for one in OPERATIONS:
        _add(app, doors, one)
    app.router.routes += [
        *reference.routes(lambda: openapi.document(app.routes, root)),
        *pages.routes(),
        *texts.routes(doors),
        *agent_routes,
    ]
    return app


def published_below(root: str, app: ASGIApp) -> ASGIApp:
    """The application with word of the path that a proxy publishes it under, whether or not the proxy takes it away."""

    async def rooted(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "root_path": root} if scope["type"] == "http" else scope, receive, send)

    return rooted if root else app


def _add(app: FastAPI, doors: Doors, one: Operation) -> None:
    """The routes of one operation: HEAD goes with GET, and is not described apart."""
    endpoint = _endpoint(doors, one.handler)
    app.add_api_route(
        one.path,
        endpoint,
        methods=[one.method],
        name=one.name,
        operation_id=one.name,
        summary=one.summary,
        response_model=None,
        openapi_extra=openapi.described(one),
    )
    if one.method == "GET" and one.gives != openapi.EVENTS:
        app.add_api_route(one.path, endpoint, methods=["HEAD"], response_model=None, include_in_schema=False)


def _endpoint(doors: Doors, handler: Handler) -> Endpoint:
    """What a route calls: the operation's result, or the problem that stands for what it raised."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(doors, request)
        except Exception as error:
            return troubles.problem_of_error(error, request.scope, doors.log)

    return endpoint


@asynccontextmanager
async def _living(doors: Doors, agents_live: agents.Life) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    doors.following.on_change(lambda _: _changed(doors, loop))
    async with agents_live():
        doors.desk.start()
        doors.desk.soon(lambda: figures.renew(doors))  # of the index that is open already
        doors.gaps.start()
        try:
            yield
        finally:
            doors.changes.end()
            doors.desk.close()
            doors.gaps.close()


def _changed(doors: Doors, loop: asyncio.AbstractEventLoop) -> None:
    """Another index answers: tell the open streams and the figures. In a thread of its own."""
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(doors.changes.tell)
    figures.renew(doors)


def _methods(routes: Iterable[BaseRoute], request: Request) -> list[str]:
    """The methods that the path of a request has."""
    found: set[str] = set()
    for route in routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return [method for method in METHODS if method in found]
