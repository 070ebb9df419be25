"""A line that brings in part of another file: how each dialect writes it. What it brings in is resolved elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nescio.domain.documents import Include

TRIGGERS = ("{*", "{{", "8<-")
LAST_LINE = 2**31 - 1  # the end of a range that goes on to the last line

_FASTAPI = re.compile(r"\{\*[ \t]+(\S+)([^\n]*?)\*\}")
_FASTAPI_LINES = re.compile(r"\bln\[([^\]]*)\]")
_MDBOOK = re.compile(r"\{\{[ \t]*#(?:rustdoc_)?include[ \t]+([^{}\n]+)\}\}")
_MDBOOK_LINES = re.compile(r"(\d*)(?::(\d*))?")
_SNIPPET = re.compile(r"""-+8<-+[ \t]+(?:"([^"\n]+)"|'([^'\n]+)')""")
_SNIPPET_LINES = re.compile(r"(.*?):(\d*(?::\d*)?(?:,\d*(?::\d*)?)*)")
_SPHINX = re.compile(r"\{(literalinclude|include)\}[ \t]*(\S+)[ \t]*")
_SPHINX_OPTION = re.compile(r"^[ \t>]*:([a-z-]+):[ \t]*([^\n]*?)[ \t\r]*$", re.MULTILINE)
_RANGE = re.compile(r"[ \t]*(\d*)[ \t]*(?:[:-][ \t]*(\d*))?[ \t]*")


def include_on(line: str) -> Include | None:
    """The include that `line` consists of (white space around it aside), or None."""
    stripped = line.strip()
    for pattern, read in _DIALECTS:
        match = pattern.fullmatch(stripped)
        if match:
            return read(match)
    return None


def sphinx_include(info: str, body: str) -> Include | None:
    """The include of a MyST fence whose info string is `{literalinclude} path` or `{include} path`, or None."""
    match = _SPHINX.fullmatch(info.strip())
    if match is None:
        return None
    options = {name: _unquoted(value) for name, value in _SPHINX_OPTION.findall(body)}
    return Include("sphinx", match[2], line_ranges(options.get("lines", "")), sphinx_anchor(options))


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def sphinx_anchor(options: Mapping[str, str]) -> str | None:
    """The options of Sphinx that name a region by its text, as an include's `anchor`: `option: value`, one a line."""
    named = [f"{name}: {options[name]}" for name in SPHINX_REGIONS if options.get(name)]
    return "\n".join(named) or None


SPHINX_REGIONS = ("start-after", "start-at", "end-before", "end-at", "pyobject")


def line_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """`1:5,7` or `1-5, 7` as 1-based inclusive pairs; a missing end goes to the last line. What is no range is left out."""
    ranges: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or not (match[1] or match[2]):
            continue
        first = _number(match[1], 1)
        last = first if match[2] is None else _number(match[2], LAST_LINE)
        if first <= last:
            ranges.append((first, last))
    return tuple(ranges)


def _number(digits: str, default: int) -> int:
    return min(int(digits[:10]), LAST_LINE) or 1 if digits else default


def _fastapi(match: re.Match[str]) -> Include:
    lines = _FASTAPI_LINES.search(match[2])
    return Include("fastapi", match[1], line_ranges(lines[1]) if lines else ())


def _mdbook(match: re.Match[str]) -> Include:
    target, _, region = match[1].strip().partition(":")
    if not region:
        return Include("mdbook", target)
    if _MDBOOK_LINES.fullmatch(region):
        return Include("mdbook", target, line_ranges(region))
    return Include("mdbook", target, anchor=region.strip())


def snippet(target: str) -> Include:
    """The include that `--8<-- "target"` stands for: `path`, `path:1:5` or `path:section`."""
    lines = _SNIPPET_LINES.fullmatch(target)
    if lines and lines[2].strip(":,"):
        return Include("snippets", lines[1], line_ranges(lines[2]))
    path, colon, section = target.rpartition(":")
    if colon and path and "/" not in section:
        return Include("snippets", path, anchor=section)
    return Include("snippets", target)


_DIALECTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Include]], ...] = (
    (_FASTAPI, _fastapi),
    (_MDBOOK, _mdbook),
    (_SNIPPET, lambda match: snippet(match[1] or match[2])),
)
