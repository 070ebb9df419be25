"""The JSON of drafted questions, in a report and in the file that a person edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nescio.evaluate.drafting.values import Draft, DraftKind
from nescio.evaluate.questions.cases import Expected
from nescio.surfaces.wire import SCHEMA_VERSION, Json


def drafts_json(drafts: Sequence[Draft], out: str | None) -> Json:
    """The questions that were drafted, how many of each kind, and the file that they were written to."""
    return {
        "schema_version": SCHEMA_VERSION,
        "drafted": counts_of(drafts),
        "out": out,
        "questions": [draft_json(draft) for draft in drafts],
    }


def counts_of(drafts: Iterable[Draft]) -> dict[str, int]:
    """How many drafts are of each kind, kinds with none included."""
    kinds = [draft.kind for draft in drafts]
    return {kind.value: kinds.count(kind) for kind in DraftKind}


def draft_json(draft: Draft) -> Json:
    """One drafted question, as an entry of a question file."""
    return {
        "id": draft.id,
        "question": draft.question,
        "answerable": draft.answerable,
        "expect": [{**_where(place), "quote": next(iter(place.quotes), None)} for place in draft.expect],
        "kind": draft.kind.value,
        "review": "draft",
        "reworded": draft.reworded,
        "near": None if draft.near is None else _where(draft.near),
        "note": draft.note,
        "unanswerable_without": draft.unanswerable_without,
    }


def draft_line(draft: Draft) -> Json:
    """The same for a file that a person edits: without what says nothing."""
    silent = (None, False, "")
    return {name: value for name, value in draft_json(draft).items() if name == "answerable" or value not in silent}


def _where(place: Expected) -> Json:
    return {"path": place.path, "heading": place.heading}
