"""The operation behind a list of suggestions: what is typed so far, completed from titles, headings and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from nescio.surfaces import wire, wire_http
from nescio.surfaces.web.caching import JSON
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.requests import SuggestBody, SuggestQuery, from_body, from_query

if TYPE_CHECKING:
    from nescio.engine import Engine


async def suggest_by_query(doors: Doors, request: Request) -> Response:
    """GET /v1/suggest."""
    return await _told(doors, from_query(request, SuggestQuery))


async def suggest(doors: Doors, request: Request) -> Response:
    """POST /v1/suggest: what is typed stands in no log of addresses on the way."""
    return await _told(doors, await from_body(request, SuggestBody))


async def _told(doors: Doors, asked: SuggestBody) -> Response:
    reader = doors.reader_view(asked)

    def made(engine: Engine) -> bytes:
        viewed = engine.within(docs_version=asked.version, reader_view=reader)
        found = viewed.suggest(asked.typed, limit=asked.limit)
        return wire.encode(wire_http.suggest_json(asked.typed, found, engine.index_id))

    # Not kept, here or elsewhere: it takes less than a millisecond, and would push answers out.
    return Response(await doors.desk.told(made), media_type=JSON, headers={"Cache-Control": "no-store"})
