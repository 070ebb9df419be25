"""Which patterns may name a heading? Expressions that cost no more than a constant, whatever the heading says."""

from __future__ import annotations

import re

LONGEST_PATTERN = 300  # characters
MOST_REPEATED = 2  # unbounded repetitions: each may try every place of a heading, and together they multiply
MOST_OPTIONAL = 8  # each doubles what may be tried
_TOKEN = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?[^\]\\]*(?:\\.[^\]\\]*)*\])|(?P<special>\(\?)|(?P<group>\()|(?P<closed>\))"
    r"|(?P<bounded>\{)|(?P<repeat>[*+])|(?P<optional>\?)|(?P<plain>.)",
    re.DOTALL,
)


def problem(pattern: str) -> str | None:
    """What is wrong with a pattern, in words; None where it may be used.

    A pattern is a regular expression for a whole heading. Not in it: groups that are repeated, counted repetitions, references
    to groups, looking ahead or behind.
    """
    if len(pattern) > LONGEST_PATTERN:
        return f"a pattern of at most {LONGEST_PATTERN} characters"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"a regular expression ({error})"
    return _costly(pattern)


def _costly(pattern: str) -> str | None:
    repeated = optional = 0
    before = ""
    for token in _TOKEN.finditer(pattern):
        kind = token.lastgroup or ""
        if kind in ("special", "bounded"):
            return f"a pattern without {token[0]}"
        if kind == "escape" and token[0][1] in "123456789":
            return "a pattern without references to groups"
        if kind == "repeat" and before == "closed":
            return "a pattern that repeats no group"
        repeated += kind == "repeat"
        optional += kind == "optional" and before != "repeat"
        before = kind
    if repeated > MOST_REPEATED or optional > MOST_OPTIONAL:
        return f"a pattern with at most {MOST_REPEATED} of * and +, and at most {MOST_OPTIONAL} of ?"
    return None
