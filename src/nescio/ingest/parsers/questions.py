"""A question that stands as a paragraph of its own is the label of what answers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from nescio.domain.documents import Block, BlockKind, GroupKind
from nescio.ingest.parsers.grouping import Region, content_start

LONGEST_QUESTION = 300  # characters of one that is a label
_ENDS = ("?", "\uff1f", "\u061f")
_MARKED = re.compile(r"(?:\*\*|__)?Q(?:uestion)?(?:[ \t]?\d{1,3})?(?:\*\*|__)?[ \t]?[:.](?=[\s*_])")
_ANSWER = re.compile(r"^[ \t>]*(?:\*\*|__)?A(?:nswer)?(?:[ \t]?\d{1,3})?(?:\*\*|__)?[ \t]?[:.](?=[\s*_])", re.MULTILINE)
_STRONG = ("**", "__")
_STRONG_TAGS = re.compile(r"(?:<p\b[^<>]*>)?\s*+<(?P<tag>strong|b)\b[^<>]*>[^<>]*+</(?P=tag)>\s*+(?:</p>)?", re.IGNORECASE)


class Part(StrEnum):
    """What a paragraph is between questions and answers."""

    QUESTION = "question"  # and nothing but that
    APART = "apart"  # begins something else: a bold line, a question with its answer
    TEXT = "text"


def question_regions(blocks: Sequence[Block], part_of: Callable[[Block], Part]) -> Iterator[Region]:
    """A box from each question to what begins something else, to the next heading, or to the end of the groups around it."""
    opened: list[int] = []  # open questions, the one in the fewest groups first
    for at, block in enumerate(blocks):
        part = part_of(block) if block.kind is BlockKind.PARAGRAPH else Part.TEXT
        is_heading = block.kind is BlockKind.HEADING
        while opened and (is_heading or not _goes_on(blocks[opened[-1]], block, part)):
            yield _region(blocks, opened.pop(), at)
        if part is Part.QUESTION:
            opened.append(at)
    while opened:
        yield _region(blocks, opened.pop(), len(blocks))


def _goes_on(label: Block, block: Block, part: Part) -> bool:
    depth = len(label.groups)
    return block.groups[:depth] == label.groups and (part is Part.TEXT or len(block.groups) > depth)


def _region(blocks: Sequence[Block], first: int, last: int) -> Region:
    return Region(GroupKind.BOX, content_start(blocks[first]), content_start(blocks[last - 1]) + 1)


def question_part(words: str) -> Part:
    """What a line is that stands apart from the text around it anyway: a question, or just a line apart."""
    return Part.QUESTION if words.rstrip().endswith(_ENDS) else Part.APART


def written_part(block: Block, text: str) -> Part:
    """In Markdown and reStructuredText: a question is wholly bold (`**Why?**`), or begins with `Q:` and holds no answer."""
    if len(block.span) > LONGEST_QUESTION:
        return Part.TEXT
    written = block.span.of(text).strip(" \t>")
    if _MARKED.match(written):
        return Part.APART if _ANSWER.search(written) else Part.QUESTION
    inner = written[2:-2]
    if written[:2] not in _STRONG or written[-2:] != written[:2] or written[:2] in inner:
        return Part.TEXT
    return question_part(inner)


def tagged_part(block: Block, text: str) -> Part:
    """The same in HTML: a question is a paragraph that is wholly in `<strong>` or `<b>`, or begins with `Q:`."""
    words = block.display or ""
    if len(block.span) > LONGEST_QUESTION:
        return Part.TEXT
    if _MARKED.match(words):
        return Part.APART if _ANSWER.search(words) else Part.QUESTION
    return question_part(words) if _STRONG_TAGS.fullmatch(block.span.of(text)) else Part.TEXT
