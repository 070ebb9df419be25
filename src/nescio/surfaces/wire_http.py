"""The JSON that only the HTTP API has: which server and index this is, its sources, and a passage among its lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nescio.domain.answers import Quote
from nescio.domain.release import VERSION
from nescio.domain.reports import SourceInView
from nescio.domain.suggestions import Suggestion
from nescio.domain.surroundings import Surroundings
from nescio.domain.views import DocsVersion
from nescio.surfaces.wire import SCHEMA_VERSION, Json, quote_json, versions_json

NAME = "nescio"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a server says of itself. `index_id` and `generation` are None while there is no index."""

    title: str
    summary: str
    index_id: str | None
    generation: str | None
    versions: tuple[DocsVersion, ...]
    facets: tuple[str, ...]
    reader_view: tuple[str, ...]
    floor: float
    limit: int
    longest_question: int
    feedback: bool
    watching: bool


def version_json(standing: Standing) -> Json:
    """Which nescio, which index, and what can be asked of it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "name": NAME,
        "version": VERSION,
        "title": standing.title,
        "summary": standing.summary,
        "index_id": standing.index_id,
        "generation": standing.generation,
        "versions": versions_json(standing.versions),
        "facets": list(standing.facets),
        "reader_view": list(standing.reader_view),
        "floor": standing.floor,
        "limit": standing.limit,
        "max_question_characters": standing.longest_question,
        "feedback": standing.feedback,
        "watching": standing.watching,
    }


def suggest_json(typed: str, suggestions: Iterable[Suggestion], index_id: str) -> Json:
    """What may be meant by what is typed so far, best first."""
    return {
        "schema_version": SCHEMA_VERSION,
        "typed": typed,
        "suggestions": [
            {
                "text": one.text,
                "kind": one.kind.value,
                "source": one.source,
                "path": one.path,
                "version": one.version,
                "title": one.title,
                "heading_path": list(one.heading_path),
                "url": one.url,
            }
            for one in suggestions
        ],
        "index_id": index_id,
    }


def sources_json(sources: Iterable[SourceInView], index_id: str) -> Json:
    """The sources as far as they are in view."""
    return {
        "schema_version": SCHEMA_VERSION,
        "sources": [
            {
                "name": source.name,
                "documents": source.documents,
                "passages": source.passages,
                "versions": list(source.versions),
            }
            for source in sources
        ],
        "index_id": index_id,
    }


def passage_json(around: Surroundings | Quote, index_id: str) -> Json:
    """A passage by its id, with the lines around it; alone, `before` and `after` are empty and the lines are its own."""
    if isinstance(around, Quote):
        lines = (around.spans[0].start_line, around.spans[-1].end_line)
        around = Surroundings(around, "", "", *lines)
    return {
        **quote_json(around.quote),
        "before": around.before,
        "after": around.after,
        "start_line": around.start_line,
        "end_line": around.end_line,
        "index_id": index_id,
    }


def quote_of(around: Surroundings | Quote) -> Quote:
    """The passage alone."""
    return around if isinstance(around, Quote) else around.quote


def reload_json(index_id: str, *, changed: bool, reconciling: bool) -> Json:
    """What came of a look at the index: whether another one is in force now, and whether the files are compared again."""
    return {"schema_version": SCHEMA_VERSION, "index_id": index_id, "changed": changed, "reconciling": reconciling}


def thanks_json() -> Json:
    """That feedback was kept."""
    return {"schema_version": SCHEMA_VERSION, "kept": True}


def live_json() -> Json:
    """That the process answers."""
    return {"status": "live"}


def ready_json(problems: Sequence[str]) -> Json:
    """That questions are answered, and the codes of what keeps the index from being the newest."""
    return {"status": "degraded" if problems else "ready", "problems": list(problems)}
