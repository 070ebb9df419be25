"""The command `nescio mcp`: agents ask over standard input and output."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from enum import StrEnum
from typing import Annotated

import typer

from nescio.surfaces.cli.options import ConfigOption, DocsOption, IndexOption, VersionOption, ViewOption

_AT_A_TERMINAL = "Waiting for requests of the Model Context Protocol, one a line. An agent starts this; Ctrl-C ends it."


class Compat(StrEnum):
    """Other sets of tools, for clients that know no others."""

    SEARCH_FETCH = "search-fetch"


def mcp(
    compat: Annotated[
        Compat | None, typer.Option("--compat", metavar="NAME", help="Offer another set of tools instead: search-fetch.")
    ] = None,
    docs_version: VersionOption = None,
    reader_view: ViewOption = None,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
) -> int:
    """Serve agents over standard input and output with the Model Context Protocol, read-only.

    Exit code: 0 when the input ends, 2 wrong use.
    """
    from nescio.surfaces.mcp import stdio

    protocol_output = stdio.claim_output()  # before anything is imported that might print
    from nescio.domain.views import reader_of
    from nescio.surfaces.cli import gap_logging, workspace
    from nescio.surfaces.extras import need

    need("mcp", "mcp")
    reader_of(reader_view or ())
    reader = tuple(reader_view or ())
    named = workspace.Named(config_file, index, tuple(docs or ()), {"docs_version": docs_version}, reader)
    place = workspace.find(named, needs_docs=False)
    _prepare_terminal()
    keep = gap_logging.Recorder(named).keep
    return stdio.serve(protocol_output, stdio.Served(place.configuration, place.index, reader, compat, keep, _tell))


def _tell(error: Exception) -> None:
    """Say where something broke, if that was asked for."""
    from nescio.surfaces.cli import output
    from nescio.surfaces.cli.ending import DEBUG_VARIABLE
    from nescio.surfaces.cli.layout import exact
    from nescio.surfaces.terminal import escape

    if os.environ.get(DEBUG_VARIABLE) == "1":
        output.print_note(exact(escape("".join(traceback.format_exception(error)).rstrip("\n"))))


def _prepare_terminal() -> None:
    from nescio.surfaces.cli import output
    from nescio.surfaces.cli.layout import Mark, line

    if sys.stdin is not None and sys.stdin.isatty():
        output.print_note([line(_AT_A_TERMINAL, Mark.QUIET)])
    # Nothing can be left half done, and a thread that waits for input would keep an interrupt waiting too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
