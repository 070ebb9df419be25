"""Which lines of a code block would a reader run? Those of shell fences, and those after a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nescio.domain.documents import Block, BlockKind, Run
from nescio.domain.spans import LINE_END, Span

SHELLS = frozenset(
    ("bash", "bat", "batch", "cmd", "console", "fish", "ksh", "powershell", "ps1", "pwsh", "sh", "sh-session", "shell")
) | {"shell-session", "terminal", "zsh"}
_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)")
_DIRECTIVE = re.compile(r"^[ \t]*\.\. (?:code-block|code|sourcecode|prompt)::[ \t]*([\w+-]*)", re.MULTILINE)
_OPTION = re.compile(r"[ \t]*(?::[\w-]+:[^\r\n]*)?")
_CLASS = re.compile(r"(?:language|lang|highlight)-([\w+-]+)")
_PROMPT = re.compile(r"[ \t]*(?:[$%\u276f\u279c]|PS>)[ \t]+(?=\S)")
_HERE = re.compile(r"<<-?[ \t]*[\"']?(\w+)")
LOOKED_BACK = 500  # code points before a block in which the directive that it belongs to may stand
LONGEST_HERE = 200  # lines of a here-document; one that does not end by then is none
LOOKED_AT = 300  # code points of an HTML block that may say its language


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a block's code; `shown` is how it is read where the slice is not it."""

    span: Span
    text: str
    shown: str | None = None


def commands(block: Block, text: str) -> Iterator[Block]:
    """The lines of a code block that would be run, each a block of its own, in order; without prompt and indentation.

    Lines that go on (a backslash at the end, a here-document) are one. Comments and output are none. `text` is the document's.
    """
    lines = _lines(block, text)
    has_prompts = any(_PROMPT.match(line.text) for line in lines)
    if not has_prompts and _language(block, text) not in SHELLS:
        return
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        start = _start(lines[at], has_prompts=has_prompts)
        if start is not None:
            yield _command(lines[at:end], start)
        at = end


def _start(line: _Line, *, has_prompts: bool) -> int | None:
    """Where the command starts in a line; None where it has none."""
    prompt = _PROMPT.match(line.text)
    if has_prompts:
        return prompt.end() if prompt else None
    bare = line.text.lstrip()
    return len(line.text) - len(bare) if bare and not bare.startswith("#") else None


def _end(lines: Sequence[_Line], at: int) -> int:
    """The line after the last one of what starts at `at`."""
    here = _HERE.search(lines[at].text)
    end = at + 1
    if here:
        within = range(end, min(end + LONGEST_HERE, len(lines)))
        return next((line + 1 for line in within if lines[line].text.strip() == here[1]), end)
    while end < len(lines) and lines[end - 1].text.rstrip().endswith(("\\", "^", "`")) and lines[end].text.strip():
        end += 1
    return end


def _command(lines: Sequence[_Line], start: int) -> Block:
    first, last = lines[0], lines[-1]
    end = last.span.start + len(last.text.rstrip()) if last.shown is None else last.span.end
    span = Span(first.span.start + (start if first.shown is None else 0), end)
    is_shown = any(line.shown is not None for line in lines)
    display = "\n".join(line.text for line in lines)[start:].rstrip() if is_shown else None
    return Block(BlockKind.CODE, span, (Run(span, code=True, text=display),), display=display)


def _lines(block: Block, text: str) -> list[_Line]:
    """The lines of the code, without line ends."""
    if block.pieces:  # a notebook's: its cells are no shell
        return []
    found = list(_cut((run for run in block.runs if run.code), text))
    if block.display is None:
        return found
    shown = block.display.split("\n")
    if len(shown) != len(found):
        return []
    return [replace(line, text=one, shown=one) if line.text != one else line for line, one in zip(found, shown, strict=True)]


def _cut(runs: Iterable[Run], text: str) -> Iterator[_Line]:
    """The lines that runs make together. Between them may be a quotation's marks, or the CR of a line end."""
    start: int | None = None
    end = 0
    for span in (run.span for run in runs):
        if start is not None and text[end : span.start] not in ("", "\r"):
            yield _line(start, end, text)
            start = None
        at = span.start if start is None else start
        for match in LINE_END.finditer(text, span.start, span.end):
            is_first = start is not None and match.start() == span.start
            yield _line(at, end if is_first else match.start(), text)
            start, at = None, match.end()
        start, end = (at if at < span.end else None), span.end
    if start is not None:
        yield _line(start, end, text)


def _line(start: int, end: int, text: str) -> _Line:
    return _Line(Span(start, end), text[start:end])


def _language(block: Block, text: str) -> str:
    """What the block says that it is written in, in lower case; empty where it does not say."""
    fence = _FENCE.match(text, block.span.start, block.span.end)
    if fence:
        return fence[1].lower()
    if block.display is not None:
        named = _CLASS.search(text, block.span.start, min(block.span.end, block.span.start + LOOKED_AT))
        return named[1].lower() if named else ""
    return _directive(text[max(0, block.span.start - LOOKED_BACK) : block.span.start])


def _directive(before: str) -> str:
    """The language of the directive that ends where the block starts: only its options and empty lines stand between."""
    named = next(reversed(list(_DIRECTIVE.finditer(before))), None)
    if named is None:
        return ""
    between = LINE_END.split(before[named.end() :])
    return named[1].lower() if all(_OPTION.fullmatch(row) for row in between[1:]) else ""
