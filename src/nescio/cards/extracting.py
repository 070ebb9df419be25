"""From a parsed page to its facts: one for each list item, paragraph, table row and runnable line under a section's heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nescio.cards.commands import commands
from nescio.cards.sections import Sections
from nescio.cards.values import Fact, Origin
from nescio.domain.documents import INTRODUCES, Block, BlockKind, Group, GroupKind, Page, Run
from nescio.domain.spans import LINE_END, Span, clipped

# Code points. A longer sentence before a list says something of its own.
LONGEST_LEAD = 600
_MARKER = re.compile(r"[ \t>]*(?:[-*+\u2022]|\d{1,9}[.)]|#\.)[ \t]+(?:\[[ xX]\][ \t]+)?")
_RULE = re.compile(r"[-=+|:\s]*")
_LED = (BlockKind.LIST_ITEM, BlockKind.CODE)


def facts(page: Page, origin: Origin, sections: Sections) -> Iterator[Fact]:
    """The facts of a page in reading order.

    A heading that belongs to no section goes on with the section of the heading above it. Text that another file includes, code
    that no shell runs and front matter are none. What introduces a list or code is no fact but goes with each of theirs, and so
    does the label of a box.
    """
    trail: list[tuple[int, str | None, str]] = []
    body: list[Block] = []
    for block in page.blocks:
        if block.kind is not BlockKind.HEADING:
            if block.runs and block.document is None:
                body.append(block)
            continue
        yield from _under(trail, body, origin)
        body = []
        while trail and trail[-1][0] >= block.level:
            trail.pop()
        own, inherited = sections.of(block.title), trail[-1][1] if trail else None
        trail.append((block.level, own or inherited, "" if own else block.title))
    yield from _under(trail, body, origin)


def _under(trail: Sequence[tuple[int, str | None, str]], body: Sequence[Block], origin: Origin) -> Iterator[Fact]:
    section, heading = (trail[-1][1], trail[-1][2]) if trail else (None, "")
    if section is None:
        return
    for lead, block in _with_leads(body, origin.document.text):
        if not _is_masked(block, origin) and not (lead and _is_masked(lead, origin)):
            yield Fact(section, origin, block, heading, lead)


def _is_masked(block: Block, origin: Origin) -> bool:
    """Whether something stood in a block that may not be told."""
    return bool(clipped(origin.document.masked, block.span))


def _with_leads(body: Sequence[Block], text: str) -> Iterator[tuple[Block | None, Block]]:
    """What each fact of a section stands in, with what introduces it."""
    lead: Block | None = None
    labels: dict[Group, Block] = {}
    for at, block in enumerate(body):
        if (box := _labelled(block)) is not None:
            labels[box] = _words_alone(block, text)
            continue
        if at and not _continues(body[at - 1], block):
            lead = None
        following = body[at + 1] if at + 1 < len(body) else None
        if following is not None and _introduces(block, following, text):
            lead = _stripped(block, text)
            continue
        label = next((labels[group] for group in reversed(block.groups) if group in labels), None)
        yield from ((lead or label, one) if header is None else (header, one) for header, one in _cut(block, text))


def _labelled(block: Block) -> Group | None:
    """The box that the block is the label of."""
    boxes = (group for group in block.groups if group.kind is GroupKind.BOX and group.span.start == block.span.start)
    return next(boxes, None)


def _words_alone(label: Block, text: str) -> Block:
    """A label without the markup that its line begins and ends with."""
    if label.display is not None or label.pieces:
        return _stripped(label, text)
    return replace(label, span=Span(label.runs[0].span.start, label.runs[-1].span.end))


def _continues(before: Block, block: Block) -> bool:
    """Whether what introduced the one, or is the one, introduces the other too."""
    return block.kind in _LED and before.kind in (BlockKind.PARAGRAPH, block.kind)


def _introduces(block: Block, following: Block, text: str) -> bool:
    """Whether a block only leads into what follows, and that has facts of its own."""
    is_lead = block.kind is BlockKind.PARAGRAPH or (block.kind is BlockKind.LIST_ITEM and following.kind is BlockKind.CODE)
    if not is_lead or following.kind not in _LED or len(block.span) > LONGEST_LEAD:
        return False
    ends = "".join(run.visible(text) for run in block.runs[-2:]).rstrip().endswith(INTRODUCES)
    return ends and (following.kind is BlockKind.LIST_ITEM or any(True for _ in commands(following, text)))


def _cut(block: Block, text: str) -> Iterator[tuple[Block | None, Block]]:
    """The facts of a block, each with its table's header."""
    if block.kind is BlockKind.CODE:
        yield from ((None, one) for one in commands(block, text))
    elif block.kind is BlockKind.TABLE and len(block.parts) > 1:
        header, *rows = _rows(block, text)
        yield from ((header, row) for row in rows if _reads(row, text))
    elif _reads(stripped := _stripped(block, text), text):
        yield None, stripped


def _reads(block: Block, text: str) -> bool:
    return any(run.visible(text).strip() for run in block.runs) and bool((block.display or block.span.of(text)).strip())


def _stripped(block: Block, text: str) -> Block:
    """A block without a list's marker and indentation."""
    if block.display is not None or block.kind not in (BlockKind.LIST_ITEM, BlockKind.PARAGRAPH):
        return block
    marker = _MARKER.match(text, block.span.start, block.span.end) if block.kind is BlockKind.LIST_ITEM else None
    start = marker.end() if marker else block.span.start
    while start < block.span.end and text[start] in " \t":
        start += 1
    return _narrowed(block, Span(start, block.span.end))


def _rows(block: Block, text: str) -> Iterator[Block]:
    """The rows of a table without the rules between them, the header first."""
    lines = None if block.display is None else block.display.split("\n")
    if lines is not None and len(lines) != len(block.parts):
        lines = [text[part.start : part.end] for part in block.parts]
    for at, part in enumerate(block.parts):
        span = _without_rules(part, text) if lines is None else part
        # Of the header, all that is shown of it over a row: the rule below it, and the line end.
        pieces = (Span(part.start, block.parts[1].start),) if at == 0 else ()
        yield replace(_narrowed(block, span), parts=(span,), display=None if lines is None else lines[at], pieces=pieces)


def _without_rules(part: Span, text: str) -> Span:
    """A row without the lines of it that only draw."""
    rows: list[Span] = []
    start = part.start
    for match in LINE_END.finditer(text, part.start, part.end):
        rows.append(Span(start, match.start()))
        start = match.end()
    rows.append(Span(start, part.end))
    said = [row for row in rows if not _RULE.fullmatch(text, row.start, row.end)]
    return Span(said[0].start, said[-1].end) if said else part


def _narrowed(block: Block, span: Span) -> Block:
    runs = tuple(_run(run, span) for run in block.runs if run.span.start < span.end and span.start < run.span.end)
    return replace(block, span=span, runs=runs)


def _run(run: Run, inside: Span) -> Run:
    return run if run.span.is_within(inside) or run.text is not None else replace(run, span=clipped((run.span,), inside)[0])
