"""The operations that look something up: passages, sources, and which server and index this is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from nescio.domain.views import DocsVersion
from nescio.errors import NotFoundFault
from nescio.surfaces import wire, wire_http
from nescio.surfaces.web.caching import JSON, Reply, reply_of
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.rendering import blocks_of
from nescio.surfaces.web.requests import Nothing, PassageQuery, SearchQuery, SourcesQuery, from_query

if TYPE_CHECKING:
    from nescio.engine import Engine


async def search(doors: Doors, request: Request) -> Response:
    """GET /v1/search."""
    asked = from_query(request, SearchQuery)
    reader = doors.reader_view(asked)

    def made(engine: Engine) -> Reply:
        viewed = engine.within(docs_version=asked.version, reader_view=reader)
        found = viewed.search(asked.query, limit=asked.limit, under=asked.under)
        return reply_of(wire.encode(wire.search_json(found)), found.index_id)

    return await doors.reply(request, asked, made, is_private=bool(reader))


async def passage(doors: Doors, request: Request) -> Response:
    """GET /v1/passages/{id}."""
    asked = from_query(request, PassageQuery)
    reader = doors.reader_view(asked)
    passage_id = request.path_params["id"]

    def made(engine: Engine) -> Reply:
        viewed = engine.within(docs_version=asked.version, reader_view=reader)
        shown = viewed.surroundings(passage_id, asked.context) if asked.context else viewed.show(passage_id)
        told = wire_http.passage_json(shown, engine.index_id)
        if asked.display:
            told["display"] = blocks_of(wire_http.quote_of(shown), viewed, doors.configuration)
        return reply_of(wire.encode(told), engine.index_id)

    return await doors.reply(request, asked, made, is_private=bool(reader))


async def sources(doors: Doors, request: Request) -> Response:
    """GET /v1/sources."""
    asked = from_query(request, SourcesQuery)
    reader = doors.reader_view(asked)

    def made(engine: Engine) -> Reply:
        found = engine.within(docs_version=asked.version, reader_view=reader).sources()
        return reply_of(wire.encode(wire_http.sources_json(found, engine.index_id)), engine.index_id)

    return await doors.reply(request, asked, made, is_private=bool(reader))


async def version(doors: Doors, request: Request) -> Response:
    """GET /v1/version. Answers while there is no index too."""
    from_query(request, Nothing)
    index_id, versions, facets = await doors.desk.work(lambda: _index(doors))
    settings = doors.configuration.settings
    standing = wire_http.Standing(
        title=settings.title,
        summary=settings.summary,
        index_id=index_id,
        generation=doors.following.generation,
        versions=versions,
        facets=facets,
        reader_view=settings.serve.reader_view,
        floor=settings.floor_value,
        limit=settings.limit,
        longest_question=settings.limits.max_question_characters,
        feedback=doors.feedback.is_on,
        watching=doors.watcher is not None,
    )
    body = wire.encode(wire_http.version_json(standing))
    return Response(body, media_type=JSON, headers={"Cache-Control": "no-store"})


def _index(doors: Doors) -> tuple[str | None, tuple[DocsVersion, ...], tuple[str, ...]]:
    """The index with its versions and facets, as far as there is one."""
    try:
        with doors.following.engine() as engine:
            return engine.index_id, engine.versions, engine.facets
    except NotFoundFault:
        return None, (), ()
