"""The table of everything that can be asked over HTTP: routes and their description are made of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from nescio.surfaces.web import changing, figures, health, questions, reading, suggesting
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.requests import (
    AskBody,
    AskQuery,
    EventsQuery,
    FeedbackBody,
    Nothing,
    Parameters,
    PassageQuery,
    SearchQuery,
    SourcesQuery,
    SuggestBody,
    SuggestQuery,
)

Handler = Callable[[Doors, Request], Awaitable[Response]]
Scope = Literal["", "ask", "feedback", "admin"]

COMMON = (400, 401, 403, 408, 413, 421, 422, 429, 500, 503)  # what may come in place of any result


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `gives` is the schema of its result, or the type of what is no JSON; `scope` what a key must allow."""

    method: Literal["GET", "POST"]
    path: str
    name: str
    handler: Handler
    summary: str
    takes: type[Parameters] = Nothing
    gives: str = ""
    scope: Scope = ""
    streams: bool = False  # events, always or where they are asked for
    has_etag: bool = False
    body_types: tuple[str, ...] = ()
    also: tuple[int, ...] = ()  # further statuses of faults


_JSON_BODY = ("application/json",)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "GET",
        "/v1/ask",
        "ask_by_query",
        questions.ask_by_query,
        "Ask a question: the answer in the documents' own words, or a refusal that shows its work. Both are 200.",
        AskQuery,
        "answer",
        "ask",
        streams=True,
        has_etag=True,
        also=(404,),
    ),
    Operation(
        "POST",
        "/v1/ask",
        "ask",
        questions.ask,
        "Ask a question, with everything in a body.",
        AskBody,
        "answer",
        "ask",
        streams=True,
        body_types=_JSON_BODY,
        also=(404, 415),
    ),
    Operation(
        "GET",
        "/v1/search",
        "search",
        reading.search,
        "List ranked passages, with no floor: related text, not answers.",
        SearchQuery,
        "search",
        "ask",
        has_etag=True,
        also=(404,),
    ),
    Operation(
        "GET",
        "/v1/suggest",
        "suggest_by_query",
        suggesting.suggest_by_query,
        "Complete what is typed so far, from the titles, headings and names of the documents.",
        SuggestQuery,
        "suggest",
        "ask",
        also=(404,),
    ),
    Operation(
        "POST",
        "/v1/suggest",
        "suggest",
        suggesting.suggest,
        "Complete what is typed so far, with everything in a body.",
        SuggestBody,
        "suggest",
        "ask",
        body_types=_JSON_BODY,
        also=(404, 415),
    ),
    Operation(
        "GET",
        "/v1/passages/{id}",
        "passage",
        reading.passage,
        "Show a passage by its id, with lines around it where they are asked for.",
        PassageQuery,
        "passage",
        "ask",
        has_etag=True,
        also=(404,),
    ),
    Operation(
        "POST",
        "/v1/cite",
        "cite",
        changing.cite,
        "Check citations that somebody holds against the documents as they are now, as `nescio cite` does.",
        gives="cite",
        scope="ask",
        body_types=tuple(changing.CITATION_TYPES),
        also=(415,),
    ),
    Operation(
        "GET",
        "/v1/sources",
        "sources",
        reading.sources,
        "List the sources, as far as they are in view.",
        SourcesQuery,
        "sources",
        "ask",
        has_etag=True,
        also=(404,),
    ),
    Operation(
        "POST",
        "/v1/feedback",
        "feedback",
        changing.feedback,
        "Say whether an answer helped, or that the documents have a gap. Off until the server is told where to keep it.",
        FeedbackBody,
        "feedback",
        "feedback",
        body_types=_JSON_BODY,
        also=(415,),
    ),
    Operation(
        "GET", "/v1/version", "version", reading.version, "Tell which server and index this is.", gives="version", scope="ask"
    ),
    Operation(
        "POST",
        "/v1/reload",
        "reload",
        changing.reload,
        "Look for a newer index now, and compare the files where they are watched. Needs a key with the scope admin.",
        gives="reload",
        scope="admin",
    ),
    Operation(
        "GET",
        "/v1/events",
        "events",
        changing.events,
        "Hear of each new index: a stream of events named `index`.",
        EventsQuery,
        "text/event-stream",
        "ask",
        streams=True,
    ),
    Operation(
        "GET",
        "/metrics",
        "metrics",
        figures.metrics,
        "Tell the figures, as Prometheus reads them.",
        gives="text/plain",
    ),
    Operation("GET", "/livez", "live", health.live, "Whether the process answers.", gives="live"),
    Operation("GET", "/readyz", "ready", health.ready, "Whether requests should be sent here.", gives="ready"),
)
