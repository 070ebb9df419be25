"""Where in a text are secrets? Literals are looked up first, a shape is matched only where one stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nescio.domain.spans import Span
from nescio.ingest.secrets import pem
from nescio.ingest.secrets.rules import WINDOW, Rule, rules

_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
# What ends in a letter and yet stands before a word of its own: an escape of JSON, an escape of a URL.
_ESCAPES = re.compile(r"\\[nrt]|%[0-9A-Fa-f]{2}")
_LONGEST_ESCAPE = 3
_DOTTED_I = "\u0130"  # the one character whose small form is longer than itself
NAME_BEFORE, NAME_AFTER = 16, 8  # code points of a name before its anchor, and of the anchor
_BETWEEN = 2  # line ends that may stand between a keyword and its value


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that was found: the rule's name, and the exact range of the secret part in code points."""

    rule: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible secret; what sorts first is kept where two overlap."""

    generic: bool
    length: int
    start: int
    order: int
    rule: str

    @property
    def preference(self) -> tuple[bool, int, int, int]:
        return self.generic, -self.length, self.order, self.start


def secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in a text, in order, none overlapping: where two would, a shape of its own goes before an assignment, and the
    longer before the shorter. Time grows with the length of the text, whatever is in it.
    """
    lowered = text.replace(_DOTTED_I, "I").lower()
    found = [_candidate(order, rule, span) for order, rule in enumerate(rules()) for span in _spans(rule, text, lowered)]
    found += [_Candidate(False, len(span), span.start, -1, pem.RULE) for span in pem.blocks(text)]
    return _kept(found)


def _candidate(order: int, rule: Rule, span: Span) -> _Candidate:
    return _Candidate(rule.generic, len(span), span.start, order, rule.name)


def _kept(found: Iterable[_Candidate]) -> tuple[Secret, ...]:
    """The preferred ones that overlap none which is preferred to them."""
    starts: list[int] = []
    kept: list[Secret] = []
    for one in sorted(found, key=lambda candidate: candidate.preference):
        span = Span(one.start, one.start + one.length)
        at = bisect_left(starts, span.start)
        if (at and kept[at - 1].span.end > span.start) or (at < len(kept) and kept[at].span.start < span.end):
            continue
        starts.insert(at, span.start)
        kept.insert(at, Secret(one.rule, span))
    return tuple(kept)


def _spans(rule: Rule, text: str, lowered: str) -> Iterator[Span]:
    matches = _after_keywords(rule, text, lowered) if rule.keyword else _matches(rule, text, lowered)
    for match in matches:
        span = Span(*match.span("secret" if "secret" in rule.pattern.groupindex else 0))
        if rule.check(span.of(text)):
            yield span


def _matches(rule: Rule, text: str, lowered: str) -> Iterator[re.Match[str]]:
    if not rule.anchors:
        yield from (match for match in rule.pattern.finditer(text) if _starts_word(text, match.start()))
        return
    searched = lowered if rule.generic else text
    done = 0
    for at in _places(rule.anchors, searched):
        if at < done:
            continue
        match = _match_at(rule, text, at)
        if match is not None:
            done = match.end()
            yield match


def _match_at(rule: Rule, text: str, at: int) -> re.Match[str] | None:
    """The match for an anchor that stands at `at`."""
    if rule.back:
        starts = range(max(0, at - rule.back), at + 1)
        return next((match for match in (rule.pattern.match(text, start) for start in starts) if match), None)
    if rule.unless is not None and rule.unless.search(text, max(0, at - NAME_BEFORE), at + NAME_AFTER):
        return None
    if not rule.generic and text[at].isalnum() and not _starts_word(text, at):
        return None
    return rule.pattern.match(text, at)


def _after_keywords(rule: Rule, text: str, lowered: str) -> Iterator[re.Match[str]]:
    done = 0
    for at in _places(rule.anchors, lowered):
        match = rule.pattern.search(text, max(at, done), at + WINDOW)
        if match is not None and match.end() < at + WINDOW and text.count("\n", at, match.start()) <= _BETWEEN:
            done = match.end()
            yield match


def _places(anchors: Iterable[str], text: str) -> list[int]:
    """Where any of some literals stands, in order, each place once."""
    return sorted({at for anchor in anchors for at in _occurrences(anchor, text)})


def _occurrences(anchor: str, text: str) -> Iterator[int]:
    at = text.find(anchor)
    while at >= 0:
        yield at
        at = text.find(anchor, at + len(anchor))


def _starts_word(text: str, at: int) -> bool:
    """Whether no token goes on from before `at`."""
    if not at or text[at - 1] not in _WORD:
        return True
    before = text[max(0, at - _LONGEST_ESCAPE) : at]
    return _ESCAPES.fullmatch(before) is not None or _ESCAPES.fullmatch(before[1:]) is not None
