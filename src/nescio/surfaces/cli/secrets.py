"""The `secrets` commands: what looks like a key, a token or a password is found, or let through, and its value never shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nescio.surfaces.cli.options import HELP, ConfigOption, Format, FormatOption, JsonOption, OutOption

COMMAND = "nescio secrets scan"
DONE = 0

app = typer.Typer(context_settings=HELP, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def secrets(context: typer.Context) -> None:
    """Find secrets in the documentation, or let one through that is a sample.

    Exit code: 0 none found or done, 1 found, 2 wrong use, 5 reading or writing failed.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def scan(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Files and folders, instead of the configured documents.", show_default=False),
    ] = None,
    format: FormatOption = Format.TEXT,  # noqa: A002
    out: OutOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Say where secrets stand: file, line and kind, never the value. Exit code: 0 none, 1 found."""
    from nescio.assembly import secret_scanning
    from nescio.surfaces.cli import findings, output, render_secrets, workspace

    place = workspace.find(workspace.Named(config_file), needs_docs=not paths)
    scanned = secret_scanning.scan(place.configuration, [Path.cwd() / path for path in paths or ()])
    output.print_note(render_secrets.unread(scanned))
    told = Format.JSON if as_json else format
    root = place.configuration.root
    return findings.report(scanned.findings, told, out, command=COMMAND, root=root, summary=render_secrets.summary(scanned))


@app.command()
def allow(
    place: Annotated[str, typer.Argument(metavar="FILE:LINE", help="A line as `nescio secrets scan` shows it.")],
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Let the secrets on a line through: their keyed fingerprints go into the configuration file."""
    from nescio.assembly import secret_scanning
    from nescio.surfaces import wire, wire_secrets
    from nescio.surfaces.cli import output, render_secrets, workspace

    found = workspace.find(workspace.Named(config_file), needs_docs=False)
    allowed = secret_scanning.allow(found.configuration, place)
    if as_json:
        output.write_result(wire.encode(wire_secrets.allowed_json(allowed), indented=True))
    else:
        output.print_result(render_secrets.allowed(allowed))
    return DONE
