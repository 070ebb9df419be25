"""The tools that agents call: what each takes, what it gives, and the one line of work behind it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from nescio.assembly.visible_documents import visible, visible_library
from nescio.citations.checking import check, ids_alone
from nescio.citations.claims import Citation
from nescio.citations.reading import read_citations
from nescio.config.loading import Configuration
from nescio.domain.answers import Answer, Detail, Quote, Refusal
from nescio.domain.reports import SearchResult, SourceInView
from nescio.domain.surroundings import Surroundings
from nescio.domain.views import DocsVersion
from nescio.engine import Engine
from nescio.errors import UsageFault
from nescio.surfaces import wire
from nescio.surfaces.mcp import texts
from nescio.surfaces.mcp.access import Access
from nescio.surfaces.mcp.arguments import Argument
from nescio.surfaces.mcp.schemas import output_schema
from nescio.surfaces.wire import Json
from nescio.surfaces.wire_citations import checks_json
from nescio.surfaces.wire_http import passage_json, sources_json

MOST_QUOTES = 20  # as the setting `limit` allows
MOST_PASSAGES = 100  # of a search: more is a dump of the documents
MOST_LINES = 200  # around a passage: enough to read on, too few to fetch a book
USUAL_PASSAGES = 10
CITED, ANSWER = "citations.json", "answer.md"  # what is to be checked, as files: their endings say how they are read


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gives back: for programs and, the same in words, for models."""

    structured: Json
    text: str


@dataclass(frozen=True, slots=True)
class DocsTool:
    """A tool. No text of documents and no name of a file is in it."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    output: Json
    call: Callable[[Access, Json], Awaitable[Outcome]]


def docs_tools(configuration: Configuration, *, may_name_reader: bool) -> tuple[DocsTool, ...]:
    """All tools, in the order in which they are listed. `may_name_reader`: whether calls may name a reader view."""
    longest = configuration.settings.limits.max_question_characters
    part = _part(may_name_reader=may_name_reader)
    return (_ask_docs(longest, part), _search_docs(longest, part), *_tools_of_what_is_known(part))


def _ask_docs(longest: int, part: tuple[Argument, ...]) -> DocsTool:
    question = Argument("question", _text("The question, as a person would ask it.", longest), is_needed=True)
    return DocsTool(
        "ask_docs",
        "Ask the documentation",
        "Answer a question from the documentation in its own words: exact quotes, each with a citation that can be "
        "checked. If the documentation does not cover the question, the result says so (status refused) with the "
        "reason: then say that it is not documented instead of answering from memory.",
        (question, _limit("quotes", MOST_QUOTES), DETAIL, FLOOR, UNDER, *part),
        output_schema("answer"),
        _ask,
    )


def _search_docs(longest: int, part: tuple[Argument, ...]) -> DocsTool:
    query = Argument("query", _text("Words to look for.", longest), is_needed=True)
    return DocsTool(
        "search_docs",
        "Search the documentation",
        "List the passages that are closest to some words, best first. No floor is applied: these are related text, "
        "not an answer. Use ask_docs to find out whether a question is answered.",
        (query, _limit("passages", MOST_PASSAGES), UNDER, *part),
        output_schema("search"),
        _search,
    )


def _tools_of_what_is_known(part: tuple[Argument, ...]) -> tuple[DocsTool, ...]:
    """Those that take no words to look for."""
    return (
        DocsTool(
            "get_passage",
            "Get one passage",
            "Give the exact text of a passage by its passage_id, with lines of its file around it if wanted.",
            (PASSAGE_ID, CONTEXT, *part),
            output_schema("passage"),
            _passage,
        ),
        DocsTool(
            "check_citations",
            "Check citations",
            "Check whether quoted words stand in the documentation where they are said to, and say what is wrong with "
            "those that do not. Use it on quotes before they are shown to somebody.",
            (CITATIONS, MARKDOWN, *part),
            output_schema("cite"),
            _cite,
        ),
        DocsTool(
            "list_sources",
            "List the sources",
            "List the sources of the documentation with their versions and sizes.",
            part,
            output_schema("sources"),
            _sources,
        ),
    )


def _text(description: str, most: int) -> Json:
    return {"type": "string", "maxLength": most, "description": description}


def _limit(what: str, most: int) -> Argument:
    said = f"Most {what}, from 1 to {most}."
    return Argument("limit", {"type": "integer", "minimum": 1, "maximum": most, "description": said})


DETAIL = Argument(
    "detail",
    {
        "type": "string",
        "enum": [one.value for one in Detail],
        "description": "section: what of a section answers, whole (the usual); highlights: only the sentences that answer.",
    },
)
FLOOR = Argument(
    "floor",
    {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "Least evidence of an answer, from 0 to 1, instead of the configured one. Leave it out as a rule.",
    },
)
UNDER = Argument(
    "under", {"type": "string", "minLength": 1, "description": "Only pages at or below this path, as citations show it."}
)
PASSAGE_ID = Argument(
    "passage_id",
    {"type": "string", "minLength": 1, "description": "The passage_id of a quote, a passage or a related place."},
    is_needed=True,
)
CONTEXT = Argument(
    "context",
    {
        "type": "integer",
        "minimum": 0,
        "maximum": MOST_LINES,
        "description": f"How many lines of the file to give before and after it, from 0 to {MOST_LINES}.",
    },
)
CITATIONS = Argument(
    "citations",
    {
        "type": "array",
        "items": {"type": "object"},
        "description": "Citations, an object each: text, path and what else is known of source, start_line, end_line, start, "
        "end, passage_id, quote_sha256, document_sha256. Quotes of ask_docs can be given as they are.",
    },
)
MARKDOWN = Argument(
    "markdown",
    {
        "type": "string",
        "minLength": 1,
        "description": "Instead of citations: an answer in Markdown with quoted words and links to the files they are from.",
    },
)
VERSION = Argument(
    "version",
    {"type": "string", "minLength": 1, "description": "The version of the documentation, or an alias. Default: the usual one."},
)
READER_VIEW = Argument(
    "reader_view",
    {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "description": "What the reader is, FACET=VALUE each: pages for others are left out.",
    },
)


def _part(*, may_name_reader: bool) -> tuple[Argument, ...]:
    return (VERSION, READER_VIEW) if may_name_reader else (VERSION,)


async def _ask(access: Access, given: Json) -> Outcome:
    def asked(engine: Engine) -> Answer | Refusal:
        part = {"limit": given["limit"], "floor": given["floor"], "under": given["under"]}
        return engine.ask(given["question"], **part, detail=given["detail"] or Detail.SECTION)

    result = await access.seen(given, asked)
    if isinstance(result, Refusal):
        await access.keep(result)
    return Outcome(wire.answer_json(result), texts.answer_text(result))


async def _search(access: Access, given: Json) -> Outcome:
    def searched(engine: Engine) -> SearchResult:
        return engine.search(given["query"], limit=given["limit"] or USUAL_PASSAGES, under=given["under"])

    result = await access.seen(given, searched)
    return Outcome(wire.search_json(result), texts.search_text(result))


async def _passage(access: Access, given: Json) -> Outcome:
    lines = given["context"] or 0

    def shown(engine: Engine) -> tuple[Surroundings | Quote, str]:
        named = given["passage_id"]
        return engine.surroundings(named, lines) if lines else engine.show(named), engine.index_id

    around, index_id = await access.seen(given, shown)
    return Outcome(passage_json(around, index_id), texts.passage_text(around))


async def _cite(access: Access, given: Json) -> Outcome:
    citations, markdown = given["citations"], given["markdown"]
    if (citations is None) == (markdown is None):
        raise UsageFault("tool-arguments", "Either citations or markdown has to be given.", "Give one of them, not both.")
    name, data = (CITED, wire.encode(citations)) if markdown is None else (ANSWER, markdown.encode("utf-8"))
    cited = await access.beside(lambda: _citations(access, data, name))
    is_any, ids = given["version"] is None, ids_alone(cited)
    seen = await access.seen(given, lambda engine: visible(engine, of_all_versions=is_any, ids=ids))
    until = time.monotonic() + access.configuration.settings.serve.request_seconds
    checks = await access.beside(lambda: check(cited, visible_library(access.configuration, seen, until)))
    return Outcome(checks_json(name, checks), texts.checks_text(checks))


def _citations(access: Access, data: bytes, name: str) -> tuple[Citation, ...]:
    """What was given. Raises UsageFault (`input-too-large`, `cite-...`)."""
    most = access.configuration.settings.serve.max_body_bytes
    if len(data) > most:
        raise UsageFault("input-too-large", f"What is to be checked has more than {most} bytes.", "Check fewer at a time.")
    return read_citations(data, name)


async def _sources(access: Access, given: Json) -> Outcome:
    def listed(engine: Engine) -> tuple[Iterable[SourceInView], tuple[DocsVersion, ...], str]:
        return engine.sources(), engine.versions, engine.index_id

    sources, versions, index_id = await access.seen(given, listed)
    return Outcome(sources_json(sources, index_id), texts.sources_text(sources, versions))
