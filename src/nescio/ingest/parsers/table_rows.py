"""Which rows of an HTML table are one part: those that a cell spans, and those of the head."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.spans import Span

LONGEST_JOINED = 1_000  # characters of rows that are one part; where a cell spans more, rows are better than none
_ROWSPAN = re.compile(r"""\srowspan\s*=\s*["'{]?\s*(\d{1,4})""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its range, how many rows its cells reach down over (itself counted), whether it is in the table's head."""

    span: Span
    reach: int = 1
    is_head: bool = False
    words: str = ""


def reach_of(tag: str) -> int:
    """How many rows the cell with this start tag spans."""
    match = _ROWSPAN.search(tag)
    return max(1, int(match[1])) if match else 1


def row_groups(rows: Sequence[TableRow]) -> list[list[TableRow]]:
    """The rows of each part, in order: the first part is the head, or the first row where there is none."""
    groups: list[list[TableRow]] = []
    reached = 0
    for at, row in enumerate(rows):
        is_of_head = row.is_head and at > 0 and rows[at - 1].is_head and len(groups) == 1
        is_short = bool(groups) and row.span.end - groups[-1][0].span.start <= LONGEST_JOINED
        if is_short and (at < reached or is_of_head):
            groups[-1].append(row)
        else:
            groups.append([row])
        reached = max(reached, at + row.reach)
    return groups


def parts_of(rows: Sequence[TableRow]) -> list[Span]:
    """The range of each part."""
    return [Span(group[0].span.start, group[-1].span.end) for group in row_groups(rows)]
