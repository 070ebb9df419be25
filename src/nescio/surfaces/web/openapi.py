"""Describes the operations as OpenAPI 3.1: what is taken as it is read, what is given by the schemas of our JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from nescio.domain.release import VERSION
from nescio.surfaces import wire
from nescio.surfaces.web.operations import COMMON, OPERATIONS, Operation
from nescio.surfaces.web.requests import Parameters

Json = dict[str, Any]

TITLE = "nescio"
DESCRIPTION = (
    "Answers from documentation in its own words, each with a citation that anyone can check, or a refusal that says what was "
    "searched. A refusal is a result (200); what stops a request is a problem (RFC 9457) with a stable `code`."
)
EVENTS = "text/event-stream"
PROBLEM = "application/problem+json"
COMPONENTS = "#/components/schemas/"
_REASONS = {
    400: "The request cannot be understood, or asks for what the index does not have.",
    401: "A key is needed, or the key is unknown.",
    403: "The key or the origin does not allow this, or it is switched off.",
    404: "There is nothing of that name.",
    408: "The request did not arrive in time.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    421: "The request was sent to a name that this server does not have.",
    422: "A parameter is wrong, or the question is over a limit.",
    429: "Too many requests of this client.",
    500: "Something broke inside.",
    503: "The server is busy, is stopping, or has no index.",
}


def described(operation: Operation) -> Json:
    """What the framework does not know of an operation."""
    told: Json = {"responses": dict(_responses(operation)), "security": _security(operation)}
    parameters = [*_path_parameters(operation), *([] if operation.body_types else _query_parameters(operation.takes))]
    if operation.has_etag:
        told["parameters"] = [*parameters, _header("If-None-Match", "The ETag that is known: 304 where it is still the same.")]
    elif parameters:
        told["parameters"] = parameters
    if operation.body_types:
        told["requestBody"] = {"required": True, "content": {kind: _body(operation, kind) for kind in operation.body_types}}
    return told


def document(routes: Sequence[BaseRoute], root: str) -> Json:
    """The whole description of these routes below a root path, with every schema that it speaks of."""
    told: Json = get_openapi(
        title=TITLE,
        version=VERSION,
        description=DESCRIPTION,
        routes=routes,
        servers=[{"url": root}] if root else None,
    )
    components = told.setdefault("components", {})
    components["schemas"] = dict(_schemas())
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A key that `nescio serve keys add` made."},
        "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key."},
    }
    return told


def _schemas() -> Iterator[tuple[str, Json]]:
    names = dict.fromkeys((*(one.gives for one in OPERATIONS if "/" not in one.gives), "problem"))
    for name in names:
        schema = wire.schema(name)
        schema.pop("$schema", None)
        inner = schema.pop("$defs", {})
        for part, described in (("", schema), *((f".{key}", value) for key, value in inner.items())):
            text = json.dumps(described).replace('"#/$defs/', f'"{COMPONENTS}{name}.')
            yield name + part, json.loads(text)
    for takes in dict.fromkeys(one.takes for one in OPERATIONS if one.body_types and one.takes.model_fields):
        yield takes.__name__, takes.model_json_schema()


def _responses(operation: Operation) -> Iterator[tuple[str, Json]]:
    found: Json = {"description": "The result."}
    if "/" in operation.gives:
        found["content"] = {operation.gives: {"schema": {"type": "string"}}}
    else:
        found["content"] = {"application/json": {"schema": {"$ref": COMPONENTS + operation.gives}}}
        if operation.streams:
            found["content"][EVENTS] = {"schema": {"type": "string"}}
    if operation.has_etag:
        found["headers"] = {"ETag": {"description": "Names this result.", "schema": {"type": "string"}}}
        yield "304", {"description": "What the client has is still the result."}
    yield "200", found
    for status in sorted({*COMMON, *operation.also}):
        content = {PROBLEM: {"schema": {"$ref": COMPONENTS + "problem"}}}
        yield str(status), {"description": _REASONS[status], "content": content}


def _security(operation: Operation) -> list[Json]:
    """Which keys are taken: none is needed for some operations, or where anonymous questions are allowed."""
    keys: list[Json] = [{"bearer": []}, {"header": []}]
    return keys if operation.scope == "admin" else [{}, *keys] if operation.scope else []


def _path_parameters(operation: Operation) -> Iterator[Json]:
    if "{id}" in operation.path:
        yield {"name": "id", "in": "path", "required": True, "description": "The passage's id.", "schema": {"type": "string"}}


def _query_parameters(takes: type[Parameters]) -> Iterator[Json]:
    schema = takes.model_json_schema()
    required = schema.get("required", ())
    for name, described in schema.get("properties", {}).items():
        text = described.pop("description", "")
        yield {"name": name, "in": "query", "required": name in required, "description": text, "schema": _plain(described)}


def _plain(described: Json) -> Json:
    """A query string has no null: what may be left out is as it is when it is there."""
    described.pop("title", None)
    choices = described.pop("anyOf", None)
    if choices is None:
        return described
    described.pop("default", None)
    given: Json = next(choice for choice in choices if choice.get("type") != "null")
    return {**given, **described}


def _header(name: str, description: str) -> Json:
    return {"name": name, "in": "header", "required": False, "description": description, "schema": {"type": "string"}}


def _body(operation: Operation, kind: str) -> Json:
    if operation.takes.model_fields:
        return {"schema": {"$ref": COMPONENTS + operation.takes.__name__}}
    return {"schema": {} if kind == "application/json" else {"type": "string"}}
