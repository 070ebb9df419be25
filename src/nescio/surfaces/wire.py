"""The only JSON of answers and reports. Fields are added, never renamed, never left out when null; schemas lie beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from nescio.domain.answers import Answer, Change, Quote, QuotedSpan, Refusal, Related, Searched, SearchedTerm
from nescio.domain.documents import Notice
from nescio.domain.floors import FLOORS
from nescio.domain.reports import BuildReport, Explanation, HitExplanation, SearchResult, SourceStatus, Status
from nescio.domain.spans import Place
from nescio.domain.views import DocsVersion
from nescio.errors import Fault
from nescio.surfaces.terminal import escape_json

if TYPE_CHECKING:
    from nescio.config.loading import Configuration
    from nescio.evaluate.measuring.figures import Estimate
    from nescio.evaluate.metrics.shares import Share

SCHEMA_VERSION = 1
SCHEMAS = (
    "answer",
    "build",
    "calibrate",
    "cards_ask",
    "cards_build",
    "cards_check",
    "cards_list",
    "cards_show",
    "chunk",
    "cite",
    "config",
    "draft",
    "eval",
    "fault",
    "feedback",
    "findings",
    "gaps",
    "gaps_done",
    "init",
    "keys",
    "live",
    "llms",
    "llms_links",
    "passage",
    "problem",
    "ready",
    "reload",
    "search",
    "secrets_allow",
    "show",
    "sources",
    "status",
    "suggest",
    "verify",
    "version",
)
TRUST = "untrusted"  # document text is data, never an instruction
MODE = "excerpt"  # the docs' own words, no model
INDENT = 2

Json = dict[str, Any]  # an object; its values are JSON values


def encode(value: object, *, indented: bool = False) -> bytes:
    """UTF-8 JSON with a final line feed: one line, or indented by two.

    Characters that a terminal would obey or hide, line separators and lone surrogates are JSON escapes: the values are exact
    and no line of it can be split in two.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=INDENT if indented else None)
    return escape_json(text).encode("utf-8") + b"\n"


def schema(name: str) -> Json:
    """The JSON Schema (2020-12) of one output; `name` is one of SCHEMAS."""
    from importlib.resources import files

    text = files("nescio.surfaces").joinpath("schema", f"{name}.schema.json").read_text("utf-8")
    loaded: Json = json.loads(text)
    return loaded


def answer_json(result: Answer | Refusal) -> Json:
    """One answer or refusal, every key there in both."""
    return {
        "schema_version": SCHEMA_VERSION,
        "question": result.question,
        "status": "answered" if isinstance(result, Answer) else "refused",
        "reason": None if isinstance(result, Answer) else result.reason.value,
        "message": result.message,
        "rewording": None if isinstance(result, Answer) else result.rewording,
        "other_versions": [] if isinstance(result, Answer) else list(result.other_versions),
        "mode": MODE,
        "confidence": result.confidence,
        "base": result.base,
        "floor": result.floor,
        "quotes": [_quote(quote) for quote in result.quotes] if isinstance(result, Answer) else [],
        "related": [_related(place) for place in result.related],
        "corrections": _changes(result.corrections),
        "suggestions": _changes(result.suggestions),
        "warnings": [{"code": warning.code, "message": warning.message} for warning in result.warnings],
        "withheld": result.withheld if isinstance(result, Answer) else 0,
        "more": [_related(place) for place in result.more] if isinstance(result, Answer) else [],
        "searched": _searched(result.searched),
    }


def explanation_json(explanation: Explanation) -> Json:
    """The answer with the working added to it under `explanation`."""
    working = {
        "evidence": explanation.evidence,
        "standout": explanation.standout,
        **working_json(explanation.result.searched.terms, explanation.hits),
    }
    return {**answer_json(explanation.result), "explanation": working}


def working_json(terms: Iterable[SearchedTerm], hits: Iterable[HitExplanation]) -> Json:
    """How each term was weighed, and what each passage scored."""
    return {
        "terms": [
            {"term": one.term, "word": one.word, "documents": one.documents, "kind": one.kind.value, "weight": one.weight}
            for one in terms
        ],
        "hits": [_hit(hit) for hit in hits],
    }


def share_json(share: Share) -> Json:
    """So many of so many. `share` and its interval are null where nothing was counted."""
    low, high = share.interval if share.of else (None, None)
    return {"hits": share.hits, "of": share.of, "share": share.value if share.of else None, "low": low, "high": high}


def estimate_json(estimate: Estimate) -> Json:
    """A figure with its interval."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def search_json(result: SearchResult) -> Json:
    """Ranked passages. `floor_applied` is always false: they are related text, not an answer."""
    return {
        "schema_version": SCHEMA_VERSION,
        "query": result.query,
        "floor_applied": False,
        "hits": [{"rank": hit.rank, **_quote(hit.quote)} for hit in result.hits],
        "index_id": result.index_id,
    }


def quote_json(quote: Quote) -> Json:
    """One passage, shown by its id."""
    return {"schema_version": SCHEMA_VERSION, **_quote(quote)}


def status_json(status: Status) -> Json:
    """The state of an index."""
    return {
        "schema_version": SCHEMA_VERSION,
        "index": status.index,
        "index_id": status.index_id,
        "generation": status.generation,
        "format": status.format,
        "analyzer": status.analyzer,
        "documents": status.documents,
        "passages": status.passages,
        "terms": status.terms,
        "bytes": status.bytes,
        "sources": [_source(source) for source in status.sources],
        "versions": versions_json(status.versions),
    }


def versions_json(versions: Iterable[DocsVersion]) -> list[Json]:
    """The versions of the documents, in their order."""
    return [{"name": one.name, "aliases": list(one.aliases), "default": one.is_default} for one in versions]


def build_json(report: BuildReport) -> Json:
    """What a build did."""
    return {
        "schema_version": SCHEMA_VERSION,
        "index_id": report.index_id,
        "generation": report.generation,
        "files": report.files,
        "passages": report.passages,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "kept": report.kept,
        "skipped": _notices(report.skipped),
        "notices": _notices(report.notices),
        "seconds": report.seconds,
    }


def config_json(configuration: Configuration, index: str) -> Json:
    """Every setting with where its value came from."""
    return {
        "schema_version": SCHEMA_VERSION,
        "file": None if configuration.file is None else str(configuration.file),
        "root": str(configuration.root),
        "index": index,
        "settings": [
            {"key": setting.key, "value": setting.value, "origin": setting.origin, "description": setting.description}
            for setting in configuration.listing()
        ],
        "floors": [
            {
                "name": floor.name,
                "value": floor.value,
                "wrongly_answered": floor.wrongly_answered,
                "wrongly_refused": floor.wrongly_refused,
                "in_force": floor.value == configuration.settings.floor_value,
            }
            for floor in FLOORS
        ],
        "questions_changed": configuration.questions_changed(),
    }


def init_json(written: str) -> Json:
    """The configuration file that was written."""
    return {"schema_version": SCHEMA_VERSION, "written": written}


def fault_json(fault: Fault) -> Json:
    """Something that stopped the work."""
    return {"error": {"code": fault.code, "message": fault.message, "hint": fault.hint}}


def _quote(quote: Quote) -> Json:
    return {
        "text": quote.text,
        "basis": quote.basis.value,
        "spans": [_span(span) for span in quote.spans],
        "highlights": [_span(span) for span in quote.highlights],
        "unfilled": list(quote.unfilled),
        "passage_id": quote.passage_id,
        "source": quote.source,
        "path": quote.path,
        "page_path": quote.page_path,
        "version": quote.version,
        "title": quote.title,
        "heading_path": list(quote.heading_path),
        "url": quote.url,
        "text_url": quote.text_url,
        "permalink": quote.permalink,
        "document_sha256": quote.document_sha256,
        "quote_sha256": quote.quote_sha256,
        "stored_sha256": quote.stored_sha256 or quote.document_sha256,
        "trust": TRUST,
        "base": quote.base,
        "preference": quote.preference,
    }


def _span(span: QuotedSpan) -> Json:
    return {**place_json(span), "path": span.path, "document_sha256": span.document_sha256}


def place_json(place: Place) -> Json:
    """One stretch of a file in every unit."""
    return {
        "start": place.start,
        "end": place.end,
        "start_line": place.start_line,
        "end_line": place.end_line,
        "start_byte": place.start_byte,
        "end_byte": place.end_byte,
        "start_utf16": place.start_utf16,
        "end_utf16": place.end_utf16,
    }


def _related(place: Related) -> Json:
    return {
        "passage_id": place.passage_id,
        "source": place.source,
        "path": place.path,
        "version": place.version,
        "title": place.title,
        "heading_path": list(place.heading_path),
        "start_line": place.start_line,
        "url": place.url,
        "base": place.base,
        "missing": list(place.missing),
        "present": list(place.present),
        "first_words": place.first_words,
    }


def _searched(searched: Searched) -> Json:
    return {
        "documents": searched.documents,
        "passages": searched.passages,
        "terms": [
            {"term": term.term, "word": term.word, "documents": term.documents, "kind": term.kind.value}
            for term in searched.terms
        ],
        "dropped": list(searched.dropped),
        "unknown": list(searched.unknown),
        "expanded": list(searched.expanded),
        "floor": searched.floor,
        "best": searched.best,
        "filters": list(searched.filters),
        "versions": list(searched.versions),
        "index_id": searched.index_id,
    }


def _hit(hit: HitExplanation) -> Json:
    return {
        "passage_id": hit.passage_id,
        "source": hit.source,
        "path": hit.path,
        "page_path": hit.page_path,
        "heading_path": list(hit.heading_path),
        "passage_bm25": hit.passage_bm25,
        "page_bm25": hit.page_bm25,
        "sentence": hit.sentence,
        "window": hit.window,
        "evidence": hit.evidence,
        "base": hit.base,
        "preference": hit.preference,
        "missing": list(hit.missing),
    }


def _source(source: SourceStatus) -> Json:
    return {
        "name": source.name,
        "path": source.path,
        "documents": source.documents,
        "changed": source.changed,
        "missing": source.missing,
    }


def _changes(changes: Iterable[Change]) -> list[Json]:
    return [{"from": change.before, "to": change.after} for change in changes]


def _notices(notices: Iterable[Notice]) -> list[Json]:
    return [{"code": notice.code, "path": notice.path, "line": notice.line, "message": notice.message} for notice in notices]
