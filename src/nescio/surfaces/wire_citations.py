"""The JSON of passages that were cut, of citations that were checked, and of stored passages that were read again."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.citations.chunking import Chunk
from nescio.citations.claims import Citation, CitationCheck
from nescio.citations.verifying import StoredPassage
from nescio.surfaces.wire import SCHEMA_VERSION, TRUST, Json, place_json


def chunks_json(chunks: Sequence[Chunk], unit: str, size: int, overlap: int) -> Json:
    """All passages of one text, at least one."""
    first = chunks[0]
    return {
        "schema_version": SCHEMA_VERSION,
        "source": first.source,
        "path": first.path,
        "document_sha256": first.document_sha256,
        "unit": unit,
        "size": size,
        "overlap": overlap,
        "chunks": [chunk_json(one) for one in chunks],
    }


def chunk_json(chunk: Chunk) -> Json:
    """One passage: a line of the output that is made for programs."""
    return {
        "passage_id": chunk.passage_id,
        "source": chunk.source,
        "path": chunk.path,
        "document_sha256": chunk.document_sha256,
        "quote_sha256": chunk.quote_sha256,
        **place_json(chunk.place),
        "units": chunk.units,
        "trust": TRUST,
        "text": chunk.text,
    }


def checks_json(file: str, checks: Sequence[CitationCheck]) -> Json:
    """What became of every citation of a file."""
    wrong = sum(not one.is_ok for one in checks)
    return {
        "schema_version": SCHEMA_VERSION,
        "file": file,
        "ok": not wrong,
        "checked": len(checks),
        "wrong": wrong,
        "citations": [check_json(one) for one in checks],
    }


def check_json(one: CitationCheck) -> Json:
    """One citation: what it says, what is wrong, and where its words are."""
    return {
        "where": one.citation.where,
        "ok": one.is_ok,
        "problems": [problem.value for problem in one.problems],
        "found_at": None if one.found_at is None else list(one.found_at),
        "occurrences": one.count,
        "distance": one.distance,
        "source": one.source,
        "path": one.path,
        "start_line": None if one.lines is None else one.lines[0],
        "end_line": None if one.lines is None else one.lines[1],
        "found_in": list(one.found_in),
        "like_at": None if one.like_at is None else list(one.like_at),
        "like": one.like,
        "details": list(one.details),
        "claim": _claim(one.citation),
    }


def _claim(citation: Citation) -> Json:
    return {
        "text": citation.text,
        "source": citation.source,
        "path": citation.path,
        "passage_id": citation.passage_id,
        "ranges": [
            {"unit": told.unit.value, "start": told.start, "end": told.end}
            for piece in citation.pieces
            for told in piece.ranges
        ],
    }


def verified_json(files: Sequence[tuple[str, Sequence[StoredPassage], bool]]) -> Json:
    """What became of the passages of each file; the third of each says whether it was written anew."""
    standings = [one.standing.value for _, stored, _ in files for one in stored]
    return {
        "schema_version": SCHEMA_VERSION,
        "ok": set(standings) <= {"same"},
        **{standing: standings.count(standing) for standing in ("same", "moved", "changed", "gone")},
        "files": [
            {"file": file, "fixed": fixed, "passages": [stored_json(one) for one in stored]} for file, stored, fixed in files
        ],
    }


def stored_json(one: StoredPassage) -> Json:
    """One stored passage and what became of it."""
    return {
        "where": one.citation.where,
        "standing": one.standing.value,
        "path": one.path,
        "old_lines": list(one.lines) if one.lines[0] else None,
        "new_lines": None if one.check.lines is None else list(one.check.lines),
        "spans": [] if one.renewed is None else [place_json(place) for place in one.renewed.places],
        "document_sha256": None if one.renewed is None else one.renewed.document_sha256,
        "passage_id": None if one.renewed is None else one.renewed.passage_id,
        "diff": one.diff or None,
        "found_in": list(one.check.found_in),
    }
