"""From what was read of HTML inside Markdown to blocks: whole lines, as far as the next part lets them have them."""

from __future__ import annotations

from dataclasses import replace

from nescio.domain.documents import Block, BlockKind
from nescio.domain.spans import Span
from nescio.ingest.parsers.markdown_html import Draft
from nescio.ingest.parsers.table_rows import parts_of


def draft_block(draft: Draft, lines: str, floor: int, end: int, following: Draft | None) -> Block:
    """The block of a draft that has runs, not before `floor` and not behind `end`.

    It goes to the end of its last line unless `following` starts there. A table without rows is a paragraph.
    """
    first = draft.start if draft.start >= 0 else draft.runs[0].span.start
    last = max(draft.end, draft.runs[-1].span.end)
    limit = max(last, following.runs[0].span.start) if following else end
    line_end = lines.find("\n", last, limit)
    if line_end >= 0 or following is None:
        last += len(lines[last : line_end if line_end >= 0 else limit].rstrip())
    line = max(floor, lines.rfind("\n", floor, first) + 1)
    block = Block(draft.kind, Span(line, last), tuple(draft.runs), draft.level)
    if draft.kind is BlockKind.HEADING:
        return replace(block, anchor=draft.anchor)
    return _table(block, draft) if draft.kind is BlockKind.TABLE else block


def _table(block: Block, draft: Draft) -> Block:
    parts = parts_of(draft.rows)
    if not parts:
        return replace(block, kind=BlockKind.PARAGRAPH)
    return replace(block, parts=(Span(block.span.start, parts[0].end), *parts[1:]))
