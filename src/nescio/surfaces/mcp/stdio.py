"""Serves over the process's standard streams, where standard output carries the protocol and nothing else.

`claim_output` comes before anything is imported that could print: this module imports only what the interpreter has loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

    from nescio.config.loading import Configuration
    from nescio.domain.answers import Refusal
    from nescio.surfaces.mcp.access import Access

_OUTPUT, _ERRORS = 1, 2


@dataclass(frozen=True, slots=True)
class Served:
    """What is served: an index, which need not be there, in a reader view that no call can change if there is one.

    `compat` names another set of tools. `refused` is called with each refusal, in a thread, `failed` with what broke.
    """

    configuration: Configuration
    index: Path
    reader_view: tuple[str, ...]
    compat: str | None
    refused: Callable[[Refusal], None]
    failed: Callable[[Exception], None]


def claim_output() -> BinaryIO:
    """A private duplicate of standard output; from now on what is printed, also by libraries and children, goes to stderr."""
    if sys.stdout is not None:
        sys.stdout.flush()
    private = os.dup(_OUTPUT)
    try:
        os.dup2(_ERRORS, _OUTPUT)
    except OSError:  # stderr is closed: what is printed goes nowhere
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUTPUT)
        os.close(nowhere)
    return os.fdopen(private, "wb")


def serve(output: BinaryIO, served: Served) -> int:
    """Answer the requests on standard input until it ends, or nobody reads the answers; 0.

    The index is opened meanwhile: only questions wait for it.
    """
    import anyio

    from nescio.assembly.live.following import Following
    from nescio.surfaces.mcp.access import Access
    from nescio.surfaces.working import Workplace

    rules = served.configuration.settings.serve
    with Following(served.configuration, served.index) as following, Workplace(rules) as workplace:
        access = Access(
            served.configuration,
            following,
            workplace,
            served.reader_view,
            is_fixed=bool(served.reader_view),
            refused=served.refused,
            failed=served.failed,
        )
        try:
            anyio.run(_serve, output, access, served.compat)
        except* BrokenPipeError:
            pass
    return 0


async def _serve(output: BinaryIO, access: Access, compat: str | None) -> None:
    from io import TextIOWrapper

    import anyio
    from mcp.server.stdio import stdio_server

    from nescio.surfaces.mcp.server import server_of

    server = server_of(access, compat)
    written = anyio.wrap_file(TextIOWrapper(output, encoding="utf-8", newline="\n"))
    async with stdio_server(stdout=written) as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
