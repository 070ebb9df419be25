"""MDX is Markdown with JavaScript in it: imports, tags and expressions are masked, the prose between them is the page.

Nothing is deleted: `mdx_spans` says which ranges to mask at the same length, so that every offset holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nescio.ingest.parsers.fences import Fences

MAX_TAG = 5_000  # characters of one tag or expression; a longer one is taken for text
MAX_STATEMENT = 20_000  # characters of one import or export; a longer one ends at its first blank line
MAX_UNCLOSED = 100  # tags or expressions that never close; after that a page's braces are taken for text

_ESM = re.compile(r"^(?:import|export)\b(?=[ \t{*\"'])", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t\r]*+(?=\n)")
_SYNTAX = re.compile(
    r"(?P<code>`{1,3}[^`\n]++`{1,3})|(?P<comment><!--)|(?P<escape>\\[{<])|(?P<tag></?(?=[A-Za-z>]))|(?P<brace>\{)"
)
_TAG_PART = re.compile(r"(?P<string>\"[^\"]*+\"|'[^']*+')|(?P<brace>\{)|(?P<end>>)|(?P<bad><)")
_EXPRESSION_PART = re.compile(
    r"(?P<skip>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`|/\*(?:[^*]|\*(?!/))*+\*/)|(?P<open>\{)|(?P<close>\})",
    re.DOTALL,
)
# Tables are read as those of HTML are.
_TABLE_TAG = re.compile(r"</?(?:table|caption|thead|tbody|tfoot|tr|th|td)(?=[\s/>])")
_STYLE = re.compile(r"<(?:table|caption|thead|tbody|tfoot|tr|th|td)\b[^<>{}\n]{0,500}\bstyle=(?P<style>\{\{[^{}]{0,500}\}\})")
_OPENING, _CLOSING = "([{", ")]}"


def mdx_spans(lines: str, fences: Fences, start: int = 0) -> Iterator[tuple[int, int]]:
    """The ranges to mask: import and export statements, tags, expressions and comments, outside of code."""
    yield from _esm_spans(lines, fences, start)
    at, unclosed = start, 0
    while unclosed < MAX_UNCLOSED and (match := _SYNTAX.search(lines, at)):
        at = match.end()
        if match["code"] or match["escape"] or fences.holds(match.start()):
            continue
        end = _end_of(lines, match)
        if end is None:
            unclosed += 1
            continue
        if not (match["comment"] or (match["tag"] and _TABLE_TAG.match(lines, match.start()))):
            yield match.start(), end
        at = end


def style_spans(lines: str, fences: Fences) -> Iterator[tuple[int, int]]:
    """The styles of the tags of tables, in which a generator's tags would be seen otherwise."""
    return (match.span("style") for match in _STYLE.finditer(lines) if not fences.holds(match.start()))


def _end_of(lines: str, match: re.Match[str]) -> int | None:
    if match["comment"]:
        closed = lines.find("-->", match.end())
        return closed + 3 if closed >= 0 else None
    limit = min(match.start() + MAX_TAG, len(lines))
    return end_of_tag(lines, match.end(), limit) if match["tag"] else _end_of_expression(lines, match.start(), limit)


def end_of_tag(lines: str, at: int, limit: int) -> int | None:
    """After the tag whose name ends at `at`; None when it is not closed before `limit`."""
    while match := _TAG_PART.search(lines, at, limit):
        if match["end"]:
            return match.end()
        if match["bad"]:
            return None
        end = _end_of_expression(lines, match.start(), limit) if match["brace"] else match.end()
        if end is None:
            return None
        at = end
    return None


def _end_of_expression(lines: str, at: int, limit: int) -> int | None:
    """After the brace that closes the one at `at`; strings, templates and comments may hold braces."""
    depth = 0
    for match in _EXPRESSION_PART.finditer(lines, at, limit):
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def _esm_spans(lines: str, fences: Fences, start: int) -> Iterator[tuple[int, int]]:
    """Statements: from `import`/`export` at the start of a line to the first blank line at which every bracket is closed."""
    at, unclosed = start, 0
    while match := _ESM.search(lines, at):
        at = match.end()
        if fences.holds(match.start()):
            continue
        first, at = _ends_of_statement(lines, match.start(), MAX_STATEMENT if unclosed < MAX_UNCLOSED else 0)
        unclosed += at < 0
        at = max(first, at)
        yield match.start(), at


def _ends_of_statement(lines: str, start: int, reach: int) -> tuple[int, int]:
    """Where the first blank line starts, and the first at which every bracket is closed (-1 when none is within `reach`)."""
    first, at, depth = -1, start, 0
    while at < len(lines):
        blank = _BLANK.search(lines, at)
        end = blank.start() if blank else len(lines)
        statement = lines[at:end]
        depth += sum(map(statement.count, _OPENING)) - sum(map(statement.count, _CLOSING))
        first = end if first < 0 else first
        if depth <= 0:
            return first, end
        if blank is None or blank.end() <= at or end - start > reach:
            break
        at = blank.end()
    return first, -1
