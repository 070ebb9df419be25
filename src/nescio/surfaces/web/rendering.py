"""Adds to quotes the blocks that a page can show without reading markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nescio.domain.answers import Quote
from nescio.surfaces.wire import Json

if TYPE_CHECKING:
    from nescio.engine import Engine


def with_display(told: Sequence[Json], quotes: Sequence[Quote], engine: Engine) -> list[Json]:
    """The JSON of these quotes, each with its blocks as `display`."""
    return [{**one, "display": blocks_of(quote, engine)} for one, quote in zip(told, quotes, strict=True)]


def blocks_of(quote: Quote, engine: Engine) -> list[Json]:
    """The blocks of one quote as they were indexed, code coloured."""
    from nescio.assembly.showing.display import display
    from nescio.surfaces.web.highlighting import tokens
    from nescio.surfaces.wire_display import display_json

    return display_json(display(quote, engine.index.document(quote.document_sha256)), tokens=tokens)
