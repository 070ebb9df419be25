"""What of a question is markup and no words of somebody who asks: scripts, and attributes of tags. It is left out, and told."""

from __future__ import annotations

import re

# Elements whose content no browser shows as text, and tags that would run something: all of it goes.
_ACTIVE = re.compile(
    r"<(script|style)\b[^<>]*>[^<]*(?:<(?!/\1)[^<]*)*</\1\s*>|"
    r"<[a-z][a-z0-9-]*\s[^<>]*(?:\bon[a-z]+\s*=|javascript:|data:)[^<>]*>|"
    r"</?(?:iframe|object|embed)\b[^<>]*>",
    re.IGNORECASE,
)
# Of any other tag with attributes the name stays: <input type="number"> asks about input.
_ATTRIBUTES = re.compile(r"(?<=<)([a-z][a-z0-9-]*)(\s[^<>]*=[^<>]*)(?=>)", re.IGNORECASE)


def without_markup(text: str) -> tuple[str, tuple[str, ...]]:
    """A question without what is markup in it, and the parts that were left out, as typed, in order of kind.

    Takes time that grows with the square of the length at worst: questions are short (`limits.max_question_characters`).
    """
    if "<" not in text:
        return text, ()
    left_out: list[str] = []

    def taken(found: re.Match[str]) -> str:
        left_out.append(found[0])
        return " "

    def named(found: re.Match[str]) -> str:
        left_out.append(found[2].strip())
        return found[1]

    return _ATTRIBUTES.sub(named, _ACTIVE.sub(taken, text)), tuple(left_out)
