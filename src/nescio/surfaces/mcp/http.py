"""Serves over HTTP at /mcp of the web server: each request stands alone, and its answer is one JSON object."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

from nescio.config.loading import Configuration
from nescio.config.serving import Serve
from nescio.domain.answers import Refusal
from nescio.surfaces.mcp.access import Access, Follows
from nescio.surfaces.mcp.compat import SEARCH_FETCH
from nescio.surfaces.mcp.server import server_of
from nescio.surfaces.working import Workplace

PATH = "/mcp"
COMPAT_PATH = f"{PATH}/{SEARCH_FETCH}"  # the pair of tools that connectors for deep research know
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_ANY_BELOW = "*."


@dataclass(frozen=True, slots=True)
class Mounted:
    """The routes to add to an application, and the context to run within its lifespan, once."""

    routes: tuple[Route, ...]
    lifespan: Callable[[], AbstractAsyncContextManager[None]]


def mounted(
    configuration: Configuration,
    following: Follows,
    workplace: Workplace,
    refused: Callable[[Refusal], None] | None = None,
) -> Mounted:
    """What serves agents over HTTP. Requests that name no reader view get that of the setting `serve.reader_view`.

    `workplace` is at work while requests come. `refused` is called with each refusal, in a thread.
    """
    reader_view = configuration.settings.serve.reader_view
    access = Access(configuration, following, workplace, reader_view, is_here=False, refused=refused)
    managers = {PATH: _manager(access, None), COMPAT_PATH: _manager(access, SEARCH_FETCH)}
    # Nothing but POST: there are no streams to open and no sessions to end.
    routes = (Route(path, StreamableHTTPASGIApp(manager), methods=["POST"]) for path, manager in managers.items())
    return Mounted(tuple(routes), lambda: _running(managers.values()))


@asynccontextmanager
async def _running(managers: Iterable[StreamableHTTPSessionManager]) -> AsyncIterator[None]:
    async with AsyncExitStack() as until_stopped:
        for manager in managers:
            await until_stopped.enter_async_context(manager.run())
        yield


def _manager(access: Access, compat: str | None) -> StreamableHTTPSessionManager:
    serve = access.configuration.settings.serve
    return StreamableHTTPSessionManager(
        server_of(access, compat),
        json_response=True,
        stateless=True,
        security_settings=transport_security(serve),
        max_request_body_size=serve.max_body_bytes,
    )


def transport_security(serve: Serve) -> TransportSecuritySettings:
    """The names that requests may be sent to, and the sites whose pages may send them.

    This is a second look at what the web server's guards look at first. It knows neither names below a name nor that an address
    which is listened on may be asked by any of its numbers: where these are in force, the guards look alone.
    """
    names = [*_LOCAL, *serve.hosts]
    is_looking = _bracketed(serve.host) in _LOCAL and not any(name.startswith(_ANY_BELOW) for name in serve.hosts)
    own = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=is_looking,
        allowed_hosts=list(_with_ports(names)),
        allowed_origins=[*_with_ports(own), *serve.origins],
    )


def _with_ports(names: Iterable[str]) -> Iterator[str]:
    """Each name alone and with any port, as the SDK writes it."""
    for name in names:
        yield from (name, f"{name}:*")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
