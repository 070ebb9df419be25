"""The operations that check or leave something: citations, feedback, a new look at the index, and word of changes."""

from __future__ import annotations

import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from nescio.assembly.visible_documents import Visible, visible, visible_library
from nescio.citations.checking import check, ids_alone
from nescio.citations.claims import Citation
from nescio.citations.reading import read_citations
from nescio.surfaces import wire, wire_http
from nescio.surfaces.web.caching import JSON
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.feedback import Feedback
from nescio.surfaces.web.requests import EventsQuery, FeedbackBody, Nothing, from_body, from_query, media_type
from nescio.surfaces.web.visits import visit_of
from nescio.surfaces.wire_citations import checks_json

# What the citations of a body are read as: the endings of the files that `nescio cite` takes.
CITATION_TYPES = {
    "application/json": "request.json",
    "application/jsonl": "request.jsonl",
    "application/x-ndjson": "request.jsonl",
    "text/markdown": "request.md",
    "text/plain": "request",
}
LAST_EVENT = "last-event-id"


async def cite(doors: Doors, request: Request) -> Response:
    """POST /v1/cite. The documents are read anew, as they are on disk now."""
    from_query(request, Nothing)
    name = CITATION_TYPES[media_type(request, *CITATION_TYPES)]
    data = await request.body()
    citations = await doors.desk.check(lambda: read_citations(data, name))
    seen = await doors.desk.work(lambda: _seen(doors, citations))
    until = time.monotonic() + doors.configuration.settings.serve.request_seconds
    checks = await doors.desk.check(lambda: check(citations, visible_library(doors.configuration, seen, until)))
    return _once(checks_json(name, checks))


def _seen(doors: Doors, citations: Sequence[Citation]) -> Visible:
    """The documents of all versions, as the reader sees them who names no view: no other file of the server is looked at."""
    with doors.following.engine() as engine:
        reader = doors.configuration.settings.serve.reader_view
        return visible(engine.within(reader_view=reader), of_all_versions=True, ids=ids_alone(citations))


async def feedback(doors: Doors, request: Request) -> Response:
    """POST /v1/feedback."""
    said = await from_body(request, FeedbackBody)
    kept = Feedback(said.verdict, said.question, said.comment, said.index_id, said.passage_id)
    await doors.desk.aside(lambda: doors.feedback.add(kept, time.time()))
    return _once(wire_http.thanks_json())


async def reload(doors: Doors, request: Request) -> Response:
    """POST /v1/reload. Looks at the index now; where files are watched, they are compared too."""
    from_query(request, Nothing)
    before = doors.following.index_id
    index_id = await doors.desk.aside(doors.following.look)
    if doors.watcher is not None:
        doors.watcher.reconcile()
    return _once(wire_http.reload_json(index_id, changed=index_id != before, reconciling=doors.watcher is not None))


async def events(doors: Doors, request: Request) -> Response:
    """GET /v1/events."""
    asked = from_query(request, EventsQuery)
    return doors.changes.events(request.headers.get(LAST_EVENT) or asked.since, visit_of(request.scope).client)


def _once(told: wire.Json) -> Response:
    return Response(wire.encode(told), media_type=JSON, headers={"Cache-Control": "no-store"})
