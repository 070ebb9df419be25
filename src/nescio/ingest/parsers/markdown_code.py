"""A code block is its fences and its body; a line in the body may bring in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nescio.domain.documents import Block, BlockKind, Include, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.blobs import code_runs
from nescio.ingest.parsers.include_lines import TRIGGERS, include_on, sphinx_include

# As Docusaurus and MkDocs write it, and VitePress in its groups of code.
_TITLE = re.compile(
    r"(?<=[\s{,])title=(?:\"(?P<double>[^\"\n]*[^\"\s][^\"\n]*)\"|'(?P<single>[^'\n]*[^'\s][^'\n]*)')"
    r"|(?<=[\s}])\[(?P<label>[^\[\]\n]*[^\[\]\s][^\[\]\n]*)\](?=[ \t\r]*$)",
    re.MULTILINE,
)
_FENCE = re.compile(r"`{3,}+|~{3,}+")


def is_closed(fenced: str) -> bool:
    """Whether a fenced block, from its opening fence to its last visible character, ends with a closing fence."""
    opening = _FENCE.match(fenced)
    last = fenced[fenced.rfind("\n") + 1 :].strip(" \t\r>") if "\n" in fenced else ""
    return opening is not None and last.startswith(opening[0]) and not last.strip(opening[0][0])


def code_blocks(text: str, span: Span, body: list[tuple[int, int]], info: str | None) -> Iterator[Block]:
    """The block of `span` with its body in the ranges `body`, cut after each line that includes a file but the last.

    `info` is a fence's info string, None for indented code, which includes nothing. A block without words and without an
    include may be among them. The title that a fence gives its code (`title="a.py"`, `[npm]`) is read before it.
    """
    whole = sphinx_include(info, text[span.start : span.end]) if info and info.startswith("{") else None
    if whole is not None:
        yield Block(BlockKind.CODE, span, include=whole)
        return
    code = text[span.start : span.end]
    has_trigger = info is not None and any(trigger in code for trigger in TRIGGERS)
    includes = list(_includes(text, body)) if has_trigger else []
    start = span.start
    for at, (include, line_start, line_end) in enumerate(includes):
        is_last = at + 1 == len(includes)
        end = span.end if is_last else line_end
        around = [(start, line_start), (line_end, end)]
        runs = code_runs(text, _common(body, around))
        yield Block(BlockKind.CODE, Span(start, end), runs if at else _titled(text, span, runs), include=include)
        start = text.find("\n", line_end, span.end) + 1 or span.end  # white space may stand before the line end
    if not includes:
        runs = code_runs(text, body)
        yield Block(BlockKind.CODE, span, runs if info is None else _titled(text, span, runs))


def _titled(text: str, span: Span, runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """The runs of a fence's body with its title before them, on a line of its own; code without words has none."""
    line_end = text.find("\n", span.start, span.end)
    found = _TITLE.search(text, span.start, line_end) if runs and line_end >= 0 else None
    if found is None or found.end() > runs[0].span.start:
        return runs
    first, last = found.span(found.lastgroup or 0)
    return (Run(Span(first, last)), Run(Span(last, last), text="\n"), *runs)


def _includes(text: str, body: list[tuple[int, int]]) -> Iterator[tuple[Include, int, int]]:
    for start, end in body:
        at = start
        while at < end:
            line_end = text.find("\n", at, end)
            line_end = end if line_end < 0 else line_end
            line = text[at:line_end]
            include = include_on(line)
            if include is not None:
                yield include, at, at + len(line.rstrip())
            at = line_end + 1


def _common(body: list[tuple[int, int]], around: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, last in around:
        for start, end in body:
            if text_range := _overlap(first, last, start, end):
                yield text_range


def _overlap(first: int, last: int, start: int, end: int) -> tuple[int, int] | None:
    low, high = max(first, start), min(last, end)
    return (low, high) if low < high else None
