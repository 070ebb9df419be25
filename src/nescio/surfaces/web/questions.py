"""The operation that all others are there for: a question in, an answer or a refusal out, as JSON or as events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from nescio.domain.answers import Answer, Refusal
from nescio.surfaces import wire
from nescio.surfaces.web.caching import Reply, reply_of
from nescio.surfaces.web.doors import VARY, Doors
from nescio.surfaces.web.rendering import with_display
from nescio.surfaces.web.requests import AskBody, AskQuery, from_body, from_query
from nescio.surfaces.web.streaming import HEARTBEAT, HEARTBEAT_SECONDS, event, stream, wants_events
from nescio.surfaces.web.troubles import problem_line
from nescio.surfaces.web.visits import visit_of

if TYPE_CHECKING:
    from nescio.config.loading import Configuration
    from nescio.engine import Engine


async def ask_by_query(doors: Doors, request: Request) -> Response:
    """GET /v1/ask."""
    return await _told(doors, request, from_query(request, AskQuery))


async def ask(doors: Doors, request: Request) -> Response:
    """POST /v1/ask."""
    return await _told(doors, request, await from_body(request, AskBody))


async def _told(doors: Doors, request: Request, asked: AskBody) -> Response:
    visit_of(request.scope).question = asked.question
    if not wants_events(request.headers.get("accept")):
        return await _answered(doors, request, asked)
    answered = asyncio.ensure_future(_answered(doors, request, asked))
    # What goes wrong soon is told with its own status; after that the stream has begun, and it is an event.
    done, _ = await asyncio.wait([answered], timeout=HEARTBEAT_SECONDS)
    if done:
        await answered
    return stream(_events(doors, request, answered), headers={"Vary": VARY})


async def _answered(doors: Doors, request: Request, asked: AskBody) -> Response:
    reader = doors.reader_view(asked)
    return await doors.reply(
        request, asked, lambda engine: _reply(engine, asked, reader, doors.configuration), is_private=bool(reader)
    )


async def _events(doors: Doors, request: Request, answered: asyncio.Future[Response]) -> AsyncIterator[bytes]:
    """The answer and that it is done; a fault in its place."""
    try:
        while not (await asyncio.wait([answered], timeout=HEARTBEAT_SECONDS))[0]:
            yield HEARTBEAT
        yield event("answer", bytes(answered.result().body))
    except Exception as error:
        yield event("fault", problem_line(error, request.scope, doors.log))
    finally:
        answered.cancel()
    yield event("done", b"{}\n")


def _reply(engine: Engine, asked: AskBody, reader: tuple[str, ...], configuration: Configuration) -> Reply:
    viewed = engine.within(docs_version=asked.version, reader_view=reader)
    result = viewed.ask(asked.question, limit=asked.limit, floor=asked.floor, under=asked.under, detail=asked.detail)
    told = wire.answer_json(result)
    if asked.display and isinstance(result, Answer):
        told["quotes"] = with_display(told["quotes"], result.quotes, viewed, configuration)
    return reply_of(
        wire.encode(told),
        result.searched.index_id,
        status=told["status"],
        reason=told["reason"] or "",
        refusal=result if isinstance(result, Refusal) else None,
    )
