"""Agents that ask: the client of the protocol's own SDK, in this process, over a process's standard streams or over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.lowlevel.server import Server

from nescio.assembly.live.following import Following
from nescio.surfaces.mcp.access import Access
from nescio.surfaces.mcp.server import server_of
from nescio.surfaces.working import Workplace
from support.projects import Project, environment

T = TypeVar("T")
OLD, NEW = "legacy", "2026-07-28"  # how a client opens: with the handshake of older protocols, or as the newest wants it
SECONDS = 60


@contextmanager
def served(project: Project, compat: str | None = None, **chosen: Any) -> Iterator[Server[Any]]:
    """A server over a project's index; `chosen` are the choices of its `Access`."""
    configuration = project.configuration()
    with Following(configuration, project.index) as following, Workplace(configuration.settings.serve) as workplace:
        yield server_of(Access(configuration, following, workplace, **chosen), compat)


def ask(server: Any, work: Callable[[Client], Awaitable[T]], mode: str = NEW) -> T:
    """What `work` makes of a client that is connected. Raises the error of the protocol that it meets."""

    async def connected() -> T | MCPError:
        with anyio.fail_after(SECONDS):
            async with Client(server, mode=mode) as client:
                try:
                    return await work(client)
                except MCPError as error:  # out of here it would come in a group
                    return error

    made = anyio.run(connected)
    if isinstance(made, MCPError):
        raise made
    return made


def call(server: Any, tool: str, mode: str = NEW, **arguments: Any) -> Any:
    """The result of one call. The client checks it against the tool's output schema."""
    return ask(server, lambda client: client.call_tool(tool, arguments), mode)


def process(project: Project, *arguments: str, **added: str) -> Any:
    """A real `nescio mcp` process, to be started by one client."""
    command = ["-m", "nescio", "mcp", *arguments]
    return stdio_client(StdioServerParameters(command=sys.executable, args=command, cwd=project.root, env=environment(**added)))
