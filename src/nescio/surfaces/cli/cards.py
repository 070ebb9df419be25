"""The `cards` commands: fact cards are built, checked, asked, listed and shown."""

from __future__ import annotations

from typing import Annotated

import typer

from nescio.errors import UsageFault
from nescio.surfaces.cli.options import HELP, ConfigOption, FloorOption, Format, FormatOption, JsonOption, OutOption

DONE = 0

app = typer.Typer(invoke_without_command=True, context_settings=HELP, rich_markup_mode=None)


@app.callback()
def cards(context: typer.Context, config_file: ConfigOption = None, as_json: JsonOption = False) -> int:
    """Fact cards: what the documents say of each unit, in the same sections always. Alone: list them.

    Exit code: 0 done, 1 drift or refused, 2 wrong use or no card, 3 a source was refused, 5 reading or writing failed.
    """
    if context.invoked_subcommand is not None:
        _options_come_after(context)
        return DONE
    from nescio.surfaces.cli import carding

    return carding.list_cards(config_file, as_json=as_json)


@app.command()
def build(config_file: ConfigOption = None, as_json: JsonOption = False) -> int:
    """Write a card for each unit, as Markdown and JSON, and remove cards of units that are gone."""
    from nescio.surfaces.cli import carding

    return carding.build(config_file, as_json=as_json)


@app.command()
def check(
    format: FormatOption = Format.TEXT,  # noqa: A002
    out: OutOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Say whether the cards are what the sources make of them now; exit with 1 where they are not."""
    from nescio.surfaces.cli import carding

    return carding.check(config_file, format, out, as_json=as_json)


@app.command()
def ask(
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", help="The question; a card named in it is the one asked.")],
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Most facts to show.")] = None,
    floor: FloorOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Answer a question with facts, list a section of a card, or say that no card covers it."""
    from nescio.surfaces.cli import carding

    return carding.ask(config_file, " ".join(words), {"floor": floor, "limit": limit}, as_json=as_json)


@app.command("list")
def list_them(config_file: ConfigOption = None, as_json: JsonOption = False) -> int:
    """List the cards, with how many facts each section has."""
    from nescio.surfaces.cli import carding

    return carding.list_cards(config_file, as_json=as_json)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The card's name.")],
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show a card as its sources make it now."""
    from nescio.surfaces.cli import carding

    return carding.show(config_file, name, as_json=as_json)


def _options_come_after(context: typer.Context) -> None:
    """Raises UsageFault where an option stands before `build` and the like, which would not see it."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name != "DEFAULT":
            name, below = parameter.opts[0], context.invoked_subcommand
            hint = f"Options go after it: nescio cards {below} {name} ..."
            raise UsageFault("usage", f"{name} stands before {below}.", hint)
