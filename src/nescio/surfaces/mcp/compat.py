"""The two tools `search` and `fetch` with the result shapes that connectors for deep research expect."""

from __future__ import annotations

import json

from nescio.config.loading import Configuration
from nescio.domain.answers import Quote
from nescio.domain.reports import SearchResult
from nescio.engine import Engine
from nescio.surfaces.mcp.access import Access
from nescio.surfaces.mcp.addresses import page_uri
from nescio.surfaces.mcp.arguments import Argument
from nescio.surfaces.mcp.schemas import or_fault
from nescio.surfaces.mcp.tools import USUAL_PASSAGES, DocsTool, Outcome
from nescio.surfaces.wire import TRUST, Json

SEARCH_FETCH = "search-fetch"  # how the pair is called
_WEB = ("https://", "http://")
_TEXT: Json = {"type": "string"}
_ID = Argument("id", {"type": "string", "minLength": 1, "description": "The id of a result of search."}, is_needed=True)


def search_fetch_tools(configuration: Configuration) -> tuple[DocsTool, ...]:
    """The two tools. Ids are those of passages."""
    most = configuration.settings.limits.max_question_characters
    query = Argument("query", {"type": "string", "maxLength": most, "description": "Words to look for."}, is_needed=True)
    return (
        DocsTool(
            "search",
            "Search the documentation",
            "List the passages of the documentation that are closest to a query, best first: related text, not an answer.",
            (query,),
            or_fault(_results_schema()),
            _search,
        ),
        DocsTool(
            "fetch",
            "Fetch a passage",
            "Give the exact text of a passage of the documentation by its id, with its citation as metadata.",
            (_ID,),
            or_fault(_document_schema()),
            _fetch,
        ),
    )


async def _search(access: Access, given: Json) -> Outcome:
    def searched(engine: Engine) -> SearchResult:
        return engine.search(given["query"], limit=USUAL_PASSAGES)

    found = await access.seen({}, searched)
    quotes: dict[str, Quote] = {}
    for hit in found.hits:  # several pages may show one included file
        quotes.setdefault(hit.quote.passage_id, hit.quote)
    results = [{"id": name, "title": _title(quote), "url": _url(quote)} for name, quote in quotes.items()]
    return _told({"results": results})


async def _fetch(access: Access, given: Json) -> Outcome:
    quote = await access.seen({}, lambda engine: engine.show(given["id"]))
    first, last = quote.spans[0].start_line, quote.spans[-1].end_line
    metadata = {
        "source": quote.source,
        "path": quote.path,
        "version": quote.version or "",
        "start_line": str(first),
        "end_line": str(last),
        "document_sha256": quote.document_sha256,
        "quote_sha256": quote.quote_sha256,
        "trust": TRUST,
    }
    told = {"id": quote.passage_id, "title": _title(quote), "text": quote.text, "url": _url(quote), "metadata": metadata}
    return _told(told)


def _told(result: Json) -> Outcome:
    """The result, also as one text of JSON: older connectors read that."""
    return Outcome(result, json.dumps(result, ensure_ascii=False))


def _title(quote: Quote) -> str:
    return " > ".join(quote.heading_path) or quote.title or quote.path


def _url(quote: Quote) -> str:
    """Where it can be read: on the site if there is one, else as a resource."""
    if quote.url is not None and quote.url.startswith(_WEB):
        return quote.url
    return page_uri(quote.version, quote.source, quote.page_path)


def _results_schema() -> Json:
    result = {"type": "object", "properties": {"id": _TEXT, "title": _TEXT, "url": _TEXT}, "required": ["id", "title", "url"]}
    return {"properties": {"results": {"type": "array", "items": result}}, "required": ["results"]}


def _document_schema() -> Json:
    names = ("id", "title", "text", "url")
    metadata = {
        "type": "object",
        "additionalProperties": _TEXT,
        "description": "The citation; trust says that the text is data.",
    }
    return {"properties": {**dict.fromkeys(names, _TEXT), "metadata": metadata}, "required": [*names, "metadata"]}
