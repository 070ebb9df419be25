"""Which lines of an included file a directive asks for: by number, by a marked region, by a text in them, by a name."""

from __future__ import annotations

import ast
import re

from nescio.domain.documents import Include
from nescio.domain.spans import Offsets, Span
from nescio.ingest.parsers.include_lines import SPHINX_REGIONS

_MDBOOK_MARK = re.compile(r"\bANCHOR(_END)?:[ \t]*([\w-]+)")
_SNIPPET_MARK = re.compile(r"-+8<-+[ \t]*\[[ \t]*(start|end)[ \t]*:[ \t]*([\w-]+)[ \t]*\]")
_OPTION = re.compile(r"([a-z-]+): (.*)")


def selected_spans(text: str, include: Include) -> list[Span]:
    """The stretches of whole lines that `include` selects, in order, from the first to the last character that is visible.

    Empty when there is no such region, or nothing to see in it. Lines that only mark a region are left out.
    """
    offsets = Offsets(text)
    lines = [offsets.line_span(number) for number in range(1, offsets.line_count + 1)]
    wanted = _numbers(text, lines, include)
    return _stretches(text, lines, wanted)


def _numbers(text: str, lines: list[Span], include: Include) -> list[int]:
    """0-based numbers of the lines, in order, without repetition."""
    numbers = list(range(len(lines)))
    if include.lines:
        numbers = sorted({at for first, last in include.lines for at in range(first - 1, min(last, len(lines)))})
    if include.dialect == "sphinx":
        return _sphinx_lines(text, lines, numbers, include.anchor)
    if include.dialect == "mdbook" and include.anchor:
        return _marked(text, lines, include.anchor, _MDBOOK_MARK)
    if include.dialect == "snippets":
        if include.anchor:
            return _marked(text, lines, include.anchor, _SNIPPET_MARK)
        return [at for at in numbers if not _SNIPPET_MARK.search(text, lines[at].start, lines[at].end)]
    return numbers


def _marked(text: str, lines: list[Span], name: str, mark: re.Pattern[str]) -> list[int]:
    """The lines between the start and the end of the region `name`, without those that mark a region."""
    inside, found = False, []
    for at, line in enumerate(lines):
        match = mark.search(text, line.start, line.end)
        if match is None:
            if inside:
                found.append(at)
        elif match[2] == name:
            inside = match[1] in (None, "start")
    return found


def _sphinx_lines(text: str, lines: list[Span], numbers: list[int], anchor: str | None) -> list[int]:
    """Python objects first, then the texts that start and end the region, looked for in the lines that are left."""
    options = _sphinx_options(anchor)
    if "pyobject" in options:
        first, last = _python_object(text, options["pyobject"])
        numbers = [at for at in numbers if first <= at < last]
    for option in ("start-at", "start-after", "end-before", "end-at"):
        if option not in options:
            continue
        at = next((i for i, n in enumerate(numbers) if options[option] in lines[n].of(text)), None)
        if at is None:
            return []
        numbers = {
            "start-at": numbers[at:],
            "start-after": numbers[at + 1 :],
            "end-before": numbers[:at],
            "end-at": numbers[: at + 1],
        }[option]
    return numbers


def _sphinx_options(anchor: str | None) -> dict[str, str]:
    """The options in an anchor, one a line; text that is no option starts the region after it."""
    if not anchor:
        return {}
    found = [match.groups() for line in anchor.split("\n") if (match := _OPTION.fullmatch(line))]
    options = {name: value for name, value in found if name in SPHINX_REGIONS}
    return options or {"start-after": anchor}


def _python_object(text: str, name: str) -> tuple[int, int]:
    """The 0-based half-open range of lines of a class or function, decorators included; empty when there is none."""
    try:
        body: list[ast.stmt] = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0, 0
    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | None = None
    for part in name.split("."):
        node = next(
            (n for n in body if isinstance(n, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and n.name == part), None
        )
        if node is None:
            return 0, 0
        body = node.body
    if node is None or node.end_lineno is None:
        return 0, 0
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1, node.end_lineno


def _stretches(text: str, lines: list[Span], numbers: list[int]) -> list[Span]:
    spans: list[Span] = []
    for at, number in enumerate(numbers):
        line = lines[number]
        if at and numbers[at - 1] == number - 1 and spans:
            spans[-1] = Span(spans[-1].start, line.end)
        else:
            spans.append(line)
    return [visible for span in spans if (visible := _visible(text, span))]


def _visible(text: str, span: Span) -> Span:
    """Without blank lines before and white space after; empty when there is nothing else."""
    content = span.of(text)
    end = span.start + len(content.rstrip())
    first = span.start + len(content) - len(content.lstrip("\ufeff \t\r\n"))
    if first >= end:
        return Span(span.start, span.start)
    line_end = max(text.rfind("\n", span.start, first), text.rfind("\r", span.start, first))
    start = max(span.start, line_end + 1)
    return Span(start + (start == 0 and text.startswith("\ufeff")), end)
