"""The `serve keys` commands: who may ask a server, and for what. A key is shown once, when it is made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nescio.surfaces.cli.options import HELP, ConfigOption, JsonOption
from nescio.surfaces.web.keyring import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nescio.surfaces.cli.layout import Line
    from nescio.surfaces.web.keyring import Key, KeyRing

DONE = 0

app = typer.Typer(context_settings=HELP, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def keys(context: typer.Context) -> None:
    """Make, list and revoke the API keys of a server; one that runs knows at once.

    Exit code: 0 done, 2 wrong use, 5 reading or writing failed.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the key is called in lists and in the log.")],
    scope: Annotated[
        list[Scope] | None,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="What it may do: ask, feedback or admin; may be repeated. Default: ask and feedback.",
        ),
    ] = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Make a key and show it, once: only its hash is kept."""
    from datetime import UTC, datetime

    created = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    ring = _ring(config_file)
    key, text = ring.add(name, scope or [Scope.ASK, Scope.FEEDBACK], created)
    return _tell(ring, [key], _added(key, text), text=text, as_json=as_json)


@app.command("list")
def list_keys(config_file: ConfigOption = None, as_json: JsonOption = False) -> int:
    """Show all keys: their names, the beginnings they are known by, what they may do, and since when."""
    ring = _ring(config_file)
    kept = ring.kept()
    return _tell(ring, kept, _listed(kept), as_json=as_json)


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The key's name, as in `nescio serve keys list`.")],
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Take a key away: a server that runs refuses it from then on."""
    from nescio.surfaces.cli.layout import Mark, line

    ring = _ring(config_file)
    key = ring.revoke(name)
    return _tell(ring, [key], [line(f"Revoked {key.name}.", Mark.GOOD)], as_json=as_json)


def _ring(config_file: Path | None) -> KeyRing:
    """The keys of the configuration in force."""
    from nescio.surfaces.cli import workspace
    from nescio.surfaces.web.keyring import KeyRing

    configuration = workspace.find(workspace.Named(config_file), needs_docs=False).configuration
    return KeyRing(configuration.root / configuration.settings.serve.keys_file)


def _added(key: Key, text: str) -> list[Line]:
    from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, line

    return [
        line(f"Added {key.name}: {_scopes(key)}.", Mark.GOOD),
        BLANK,
        Line((Part(text),), indent=0, exact=True),
        BLANK,
        line("Keep it now: it cannot be shown again. Send it as `Authorization: Bearer KEY`.", Mark.QUIET),
    ]


def _listed(kept: Sequence[Key]) -> list[Line]:
    from nescio.surfaces.cli.layout import Mark, columns, line
    from nescio.surfaces.web.keyring import PREFIX

    if not kept:
        return [line("There are no keys.")]
    rows = [(key.name, f"{PREFIX}{key.id}_...", _scopes(key), key.created) for key in kept]
    return columns(rows, marks=(Mark.HEADING,))


def _scopes(key: Key) -> str:
    return ", ".join(key.scopes)


def _tell(ring: KeyRing, told: Sequence[Key], lines: list[Line], *, text: str | None = None, as_json: bool) -> int:
    """Print what was done. In JSON, `key` is the new key's text, and null where there is none."""
    from nescio.surfaces import wire, wire_keys
    from nescio.surfaces.cli import output

    if not as_json:
        output.print_result(lines)
        return DONE
    output.write_result(wire.encode(wire_keys.keys_json(str(ring.path), told, text), indented=True))
    return DONE
