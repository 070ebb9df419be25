"""The JSON of what was refused, and the tables that it is exported to. Fields are added, never renamed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from nescio.evaluate.gaps.groups import Asked, Gap, GapReport
from nescio.evaluate.gaps.logged import Near
from nescio.surfaces.terminal import escape_line
from nescio.surfaces.wire import SCHEMA_VERSION, Json, encode

# What a spreadsheet takes for the start of a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
COLUMNS = (
    "kind",
    "gap",
    "gap_count",
    "question",
    "question_hash",
    "count",
    "first",
    "last",
    "reason",
    "unknown",
    "best",
    "floor",
    "nearest_path",
    "nearest_headings",
)


def gaps_json(report: GapReport, top: int) -> Json:
    """The `top` largest groups; `groups` says how many there are."""
    return {
        "schema_version": SCHEMA_VERSION,
        "file": report.file,
        "log": report.log,
        "since": None if report.since is None else report.since.isoformat(),
        "refusals": report.refusals,
        "questions": len(report.asked),
        "damaged": report.damaged,
        "groups": len(report.gaps),
        "gaps": [_gap(gap) for gap in report.gaps[:top]],
    }


def gaps_done_json(action: str, files: Sequence[str], *, count: int, known: int = 0, left_out: int = 0) -> Json:
    """What `export`, `add` or `purge` did."""
    return {
        "schema_version": SCHEMA_VERSION,
        "action": action,
        "files": list(files),
        "count": count,
        "known": known,
        "left_out": left_out,
    }


def rows(report: GapReport) -> list[Json]:
    """One row for each different question, group by group; every row has all of COLUMNS."""
    return [_row(gap, one) for gap in report.gaps for one in gap.asked]


def json_lines(table: Iterable[Json]) -> bytes:
    """The rows exactly, one line each."""
    return b"".join(map(encode, table))


def csv_table(table: Iterable[Json]) -> bytes:
    """The rows for a spreadsheet, in UTF-8 under a row of names: text that it would compute is put after a `'`, what a terminal
    obeys is written out, and no row has a second line.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([_cell(name, row[name]) for name in COLUMNS] for row in table)
    return text.getvalue().encode("utf-8")


def _row(gap: Gap, one: Asked) -> Json:
    near = one.nearest[0] if one.nearest else None
    values = (
        gap.kind.value,
        gap.label,
        gap.count,
        one.text,
        one.identity if one.text is None else None,
        one.count,
        one.first.isoformat(),
        one.last.isoformat(),
        one.reason,
        list(one.unknown),
        one.best,
        one.floor,
        near.path if near else None,
        list(near.heading_path) if near else [],
    )
    return dict(zip(COLUMNS, values, strict=True))


def _cell(name: str, value: object) -> str:
    if isinstance(value, list):
        text = (" > " if name == "nearest_headings" else ", ").join(value)
    else:
        text = "" if value is None else str(value)
    shown = escape_line(text)
    return f"'{shown}" if text.startswith(FORMULA_STARTS) else shown


def _gap(gap: Gap) -> Json:
    return {
        "kind": gap.kind.value,
        "label": gap.label,
        "count": gap.count,
        "different": len(gap.asked),
        "questions": [_asked(one) for one in gap.asked if one.text is not None],
        "nearest": [_near(place) for place in gap.nearest],
        "first": gap.first.isoformat(),
        "last": gap.last.isoformat(),
    }


def _asked(one: Asked) -> Json:
    return {"question": one.text, "count": one.count, "first": one.first.isoformat(), "last": one.last.isoformat()}


def _near(place: Near) -> Json:
    return {
        "source": place.source,
        "path": place.path,
        "heading_path": list(place.heading_path),
        "base": place.base,
    }
