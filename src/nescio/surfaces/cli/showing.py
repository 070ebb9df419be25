"""How the words of quotes are shown: as a reader of the page sees them on a terminal, else as they stand in the file."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from nescio.domain.answers import Quote
from nescio.surfaces.cli import output, workspace
from nescio.surfaces.cli.layout import Line, Screen
from nescio.surfaces.cli.render_answers import Body, as_written

if TYPE_CHECKING:
    from nescio.assembly.showing.quotes import Showing
    from nescio.engine import Engine


def body(engine: Engine, named: workspace.Named, *, source: bool) -> Body:
    """Shows quotes of an engine. Nothing is loaded for it before there is a quote to show.

    With `source`, and where results go to no terminal, the file's own text.
    """
    screen = None if source else output.screen()
    if screen is None:
        return as_written
    showing = cache(lambda: _showing(named))
    return lambda quote: as_read_or_written(quote, engine, showing(), screen)


def _showing(named: workspace.Named) -> Showing:
    from nescio.assembly.showing.quotes import Showing

    return Showing.of(workspace.find(named, needs_docs=False).configuration)


def as_read_or_written(quote: Quote, engine: Engine, showing: Showing, screen: Screen) -> list[Line]:
    """The quote as a reader sees it; as it stands in the file where that cannot be told.

    The words are what counts: a fault in telling how they look must not cost them.
    """
    from nescio.surfaces.cli.render_blocks import blocks

    try:
        return blocks(showing.blocks(quote, engine), screen)
    except Exception:  # of whatever kind: parsers read what anybody wrote
        return as_written(quote)
