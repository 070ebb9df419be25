"""The `serve` commands: answer questions over HTTP, and keep the keys that programs ask with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nescio.errors import StorageFault
from nescio.surfaces.cli import keys
from nescio.surfaces.cli.options import HELP, ConfigOption, DocsOption, IndexOption

if TYPE_CHECKING:
    from nescio.config.loading import Configuration

NEEDED = ("fastapi", "starlette", "uvicorn", "limits", "prometheus_client")
NEEDED_TO_WATCH = ("watchfiles",)
_OPEN = (
    "Other machines can reach this address, and no key is needed to ask. "
    "Set serve.anonymous to false to ask for keys: nescio serve keys add NAME."
)
_NO_KEYS = "Nobody can ask: serve.anonymous is false and there is no key. Make one: nescio serve keys add NAME."

app = typer.Typer(context_settings=HELP, rich_markup_mode=None)
app.add_typer(keys.app, name="keys")


@app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option("--host", metavar="ADDRESS", help="The address to listen on. Default: this machine alone.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65_535, help="The port to listen on; 0: a free one.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Keep the index up to date while files change.")] = False,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
) -> int:
    """Answer questions over HTTP, with a page to ask on.

    Builds the index first where there is none; with --docs, brings it up to date first. Exit code: 0 stopped, 2 wrong use, 3
    the documents were refused, 5 reading or writing failed.
    """
    if context.invoked_subcommand is not None:
        return 0
    from nescio.surfaces import extras
    from nescio.surfaces.cli import workspace

    extras.need("serve", *NEEDED, *(NEEDED_TO_WATCH if watch else ()))
    named = workspace.Named(config_file, index, tuple(docs or ()), {"serve.host": host, "serve.port": port})
    place = workspace.find(named, needs_docs=watch)
    with workspace.ready_engine(named) as engine:
        engine.within(reader_view=place.configuration.settings.serve.reader_view)  # a wrong one is told now, not to each reader
    return _serve(place.configuration, place.index, watch=watch)


def _serve(configuration: Configuration, index: Path, *, watch: bool) -> int:
    from nescio.surfaces.cli import output
    from nescio.surfaces.cli.layout import line
    from nescio.surfaces.web import listening, running

    rules = configuration.settings.serve
    with listening.listen(rules.host, rules.port) as opened:
        _warn(configuration, is_local=listening.is_local(opened))
        told = [line(f"Answering on {listening.url_of(opened, rules.root_path)}")]
        heard = running.Heard(lambda: output.print_result(told), _write)
        return running.serve(configuration, index, opened, heard, watch=watch)


def _warn(configuration: Configuration, *, is_local: bool) -> None:
    """Say so where everybody can ask that reaches this machine, or nobody at all."""
    from nescio.surfaces.cli import output
    from nescio.surfaces.cli.layout import Mark, line

    said = "" if is_local else _OPEN
    if not configuration.settings.serve.anonymous:
        said = _locked_out(configuration)
    if said:
        output.print_note([line(said, Mark.CAUTION)])


def _locked_out(configuration: Configuration) -> str:
    """Why no key opens the server, empty where there is one."""
    from nescio.surfaces.web.keyring import KeyRing

    try:
        kept = KeyRing(configuration.root / configuration.settings.serve.keys_file).kept()
    except StorageFault as fault:
        return f"Nobody can ask: {fault.message} {fault.hint} [{fault.code}]"
    return "" if kept else _NO_KEYS


def _write(text: str) -> None:
    """A line of the log."""
    sys.stderr.write(text)
    sys.stderr.flush()
