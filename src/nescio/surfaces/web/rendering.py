"""Adds to quotes the blocks that a page can show without reading markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nescio.domain.answers import Quote
from nescio.surfaces.wire import Json

if TYPE_CHECKING:
    from nescio.config.loading import Configuration
    from nescio.engine import Engine


def with_display(told: Sequence[Json], quotes: Sequence[Quote], engine: Engine, configuration: Configuration) -> list[Json]:
    """The JSON of these quotes, each with its blocks as `display`."""
    blocks = (blocks_of(quote, engine, configuration) for quote in quotes)
    return [{**one, "display": shown} for one, shown in zip(told, blocks, strict=True)]


def blocks_of(quote: Quote, engine: Engine, configuration: Configuration) -> list[Json]:
    """The blocks of one quote as they were indexed, code coloured."""
    from nescio.assembly.showing.quotes import Showing
    from nescio.surfaces.highlighting import tokens
    from nescio.surfaces.wire_display import display_json

    return display_json(Showing.of(configuration).blocks(quote, engine), tokens=tokens)
