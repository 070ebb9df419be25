"""Tags of Hugo and Jinja are filled in by a site generator: their names are no words of the page, some of their values are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nescio.ingest.parsers.fences import Fences

TRIGGER = re.compile(r"\{[{%]")  # what a page with a tag holds

# Inline code first, so that a tag that is shown as code stays. Parameters hold no braces and are of bounded length: an
# unclosed tag costs no more than that.
_TAG = re.compile(
    r"(?P<code>`{1,3}[^`\n]++`{1,3})"
    r"|\{\{[<%](?P<shortcode>[^{}]{0,1000})[>%]\}\}"
    r"|\{\{(?![<%]|\s*#(?:include|rustdoc_include|playground)\b)[^{}\n]{0,500}\}\}"
    r"|\{%[^{}\n]{0,500}%\}"
)
_COMMENT = re.compile(r"\s*comment\s*")
_COMMENT_END = re.compile(r"\{\{[<%]\s*/\s*comment\s*[>%]\}\}")
_VALUE = re.compile(r"""\b(?:text|title|caption|name)=(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)')""")
_TERM = re.compile(r'\bterm_id="(?P<double>[^"]*+)"')
_HEADING = re.compile(r'\s*heading\s+"(?P<double>[^"]*+)"')
_NAMED_FOR_MACHINES = re.compile(r"\s*tabs\b")


def template_spans(lines: str, fences: Fences) -> Iterator[tuple[int, int]]:
    """The ranges to mask outside of code: shortcodes but for a value that readers see, comments, other template tags."""
    at = 0
    while match := _TAG.search(lines, at):
        at = match.end()
        if match["code"] or fences.holds(match.start()):
            continue
        shortcode = match["shortcode"]
        if shortcode is None:
            yield match.span()
        elif _COMMENT.fullmatch(shortcode):
            closed = _COMMENT_END.search(lines, at)
            at = closed.end() if closed else len(lines)
            yield match.start(), at
        else:
            yield from _around_value(match)


def _around_value(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    found = _value(match["shortcode"])
    if found is None:
        yield match.span()
        return
    offset = match.start("shortcode")
    group = found.lastgroup or 0
    yield match.start(), offset + found.start(group)
    yield offset + found.end(group), match.end()


def _value(shortcode: str) -> re.Match[str] | None:
    if _NAMED_FOR_MACHINES.match(shortcode):
        return None
    return _HEADING.match(shortcode) or _VALUE.search(shortcode) or _TERM.search(shortcode)
