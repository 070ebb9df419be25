"""In which order is a request looked at? Name, origin, rate, key, body, then the application; what stops it is a problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from nescio.config.serving import Serve
from nescio.surfaces.faults import fault_of
from nescio.surfaces.web import problems, visits
from nescio.surfaces.web.guards import bodies
from nescio.surfaces.web.guards.clients import Clients
from nescio.surfaces.web.guards.headers import Dressed, Dressing
from nescio.surfaces.web.guards.hosts import Hosts
from nescio.surfaces.web.guards.keys import Keys
from nescio.surfaces.web.guards.logs import RequestLog
from nescio.surfaces.web.guards.metrics import Metrics
from nescio.surfaces.web.guards.origins import Origins
from nescio.surfaces.web.guards.rates import Rates
from nescio.surfaces.web.keyring import KeyRing
from nescio.surfaces.web.visits import Visit

Check = Callable[[Scope, Visit], None]


@dataclass(frozen=True, slots=True)
class Guards:
    """What the guards share with the server: the settings, the keys, the figures and the log."""

    settings: Serve
    keys: KeyRing
    metrics: Metrics
    log: RequestLog


def guarded(app: ASGIApp, guards: Guards) -> ASGIApp:
    """The application with its guards before it. Raises ConfigFault where a host, an origin or a proxy is none."""
    return _Guarded(app, guards)


class _Guarded:
    def __init__(self, app: ASGIApp, guards: Guards) -> None:
        settings = guards.settings
        self._app = app
        self._guards = guards
        self._origins = Origins(settings)
        self._dressing = Dressing(settings)
        self._who: tuple[Check, ...] = (Hosts(settings).check, self._origins.check, Clients(settings).check)
        self._may: tuple[Check, ...] = (Rates(settings).check, Keys(settings, guards.keys).check)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        visit = visits.begun(scope, self._guards.settings.root_path)
        dressed = Dressed(send, visit, self._dressing)
        try:
            await self._work(scope, receive, dressed)
        except Exception as error:
            visit.fault = visit.fault or fault_of(error).code
            self._guards.log.failed(visit, error)
            if dressed.has_begun and not dressed.is_whole:
                raise  # nothing but a broken connection can tell the client now
            if not dressed.has_begun:
                await problems.send_problem(fault_of(error), scope, dressed)
        finally:
            self._guards.metrics.seen(scope, visit, dressed.status)
            self._guards.log.seen(scope, visit, dressed.status, dressed.size)

    async def _work(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            received = await self._let_in(scope, receive)
        except problems.RequestFault as fault:
            is_sending = bodies.has_body(scope)
            await problems.send_problem(fault, scope, bodies.Lingering(receive, send) if is_sending else send)
            return
        if self._origins.is_preflight(scope):
            await self._origins.answer(scope, send)
        elif received is not None:
            await self._app(scope, received, send)

    async def _let_in(self, scope: Scope, receive: Receive) -> Receive | None:
        """What gives the body to the application; None where the client left. Raises RequestFault where it may not ask."""
        visit = visits.visit_of(scope)
        for check in self._who:
            check(scope, visit)
        if self._origins.is_preflight(scope):  # it has no key with it, and no body
            return None
        for check in self._may:
            check(scope, visit)
        settings = self._guards.settings
        return await bodies.whole(scope, receive, settings.max_body_bytes, settings.receive_seconds)

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The life of the application is its own; there are no web sockets."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
