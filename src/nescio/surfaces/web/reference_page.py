"""Writes the page of the API out of its OpenAPI description: a section for each operation, with a form to try it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

Json = dict[str, Any]

_CODE = re.compile(r"`([^`]*)`")
SAMPLES = {"question": "How do I install it?", "verdict": "helpful"}
JSON_TYPE = "application/json"

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} HTTP API</title>
<link rel="stylesheet" href="docs.css">
<script src="docs.js" defer></script>
</head>
<body>
<header>
<h1>{title} HTTP API</h1>
<p>{description}</p>
<p>Version {version}. The same for programs: <a href="openapi.json">openapi.json</a>. <a href="./">Ask a question</a>.</p>
<form><p><label for="key">API key, where one is needed</label>
<input id="key" type="password" autocomplete="off" spellcheck="false"></p></form>
</header>
<nav aria-label="Operations"><ul>
{contents}
</ul></nav>
<main>
{operations}
</main>
</body>
</html>
"""
_OPERATION = """<section id="{id}" aria-labelledby="{id}-title">
<h2 id="{id}-title"><span class="method">{method}</span> <code>{path}</code></h2>
<p>{summary}</p>
<form data-method="{method}" data-path="{path}">
{fields}
<p><button type="submit">Send</button></p>
<div class="result" role="status"></div>
</form>
<details><summary>What comes back</summary>
<dl>
{responses}
</dl></details>
</section>"""
_FIELD = """<p class="field"><label for="{id}"><code>{name}</code>{needed}</label>
<input id="{id}" name="{name}" data-in="{place}" data-many="{many}"{required} autocomplete="off" spellcheck="false">
<span class="hint">{hint}</span></p>"""
_BODY = """<p class="field"><label for="{id}">Body (<code>{type}</code>)</label>
<textarea id="{id}" data-type="{type}" rows="{rows}" spellcheck="false">{sample}</textarea></p>"""


def page(described: Json) -> str:
    """The page of an OpenAPI document. Everything in it is escaped."""
    operations = list(_operations(described))
    info = described["info"]
    contents = (
        f'<li><a href="#{one["operationId"]}"><span class="method">{method}</span> {escape(path)}</a></li>'
        for method, path, one in operations
    )
    return _PAGE.format(
        title=escape(info["title"]),
        description=escape(info["description"]),
        version=escape(info["version"]),
        contents="\n".join(contents),
        operations="\n".join(_section(described, *one) for one in operations),
    )


def _operations(described: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _section(described: Json, method: str, path: str, operation: Json) -> str:
    name = operation["operationId"]
    return _OPERATION.format(
        id=name,
        method=method,
        path=escape(path),
        summary=_CODE.sub(r"<code>\1</code>", escape(operation["summary"])),
        fields="\n".join([*_fields(name, operation.get("parameters", ())), *_body(described, name, operation)]),
        responses="\n".join(_responses(operation["responses"])),
    )


def _fields(operation: str, parameters: Iterable[Json]) -> Iterator[str]:
    for one in parameters:
        required = one.get("required", False)
        yield _FIELD.format(
            id=f"{operation}-{one['name']}",
            name=escape(one["name"]),
            place=one["in"],
            many="yes" if one["schema"].get("type") == "array" else "no",
            needed=" (needed)" if required else "",
            required=" required" if required else "",
            hint=escape(" ".join(filter(None, (one.get("description", ""), _bounds(one["schema"]))))),
        )


def _bounds(schema: Json) -> str:
    """What values it may have, in words."""
    kind = {"array": "Several are separated by spaces."}.get(schema.get("type", ""), "")
    if "minimum" in schema and "maximum" in schema:
        kind = f"From {schema['minimum']} to {schema['maximum']}."
    default = schema.get("default")
    return kind if default is None else f"{kind} Default: {json.dumps(default)}.".strip()


def _body(described: Json, operation: str, told: Json) -> Iterator[str]:
    content = told.get("requestBody", {}).get("content", {})
    if not content:
        return
    kind, body = next(iter(content.items()))
    sample = json.dumps(_sample(described, body["schema"]), indent=2)
    rows = sample.count("\n") + 1
    yield _BODY.format(id=f"{operation}-body", type=kind, rows=rows, sample=escape(sample))


def _sample(described: Json, schema: Json) -> Json:
    """A body with everything that is needed."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found = described["components"]["schemas"].get(name, {})
    return {field: SAMPLES.get(field, "") for field in found.get("required", ())} or {"citations": []}


def _responses(responses: Json) -> Iterator[str]:
    for status, one in sorted(responses.items()):
        kinds = ", ".join(f"<code>{escape(kind)}</code>" for kind in one.get("content", {}))
        yield f"<dt>{escape(status)}</dt><dd>{escape(one['description'])} {kinds}</dd>"
