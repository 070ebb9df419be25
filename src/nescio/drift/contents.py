"""What a text holds that its reader should know of: fences left open, what speaks to an assistant, what nobody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from nescio.domain.findings import Finding, FindingKind, Level
from nescio.drift.instructions import instructions
from nescio.drift.invisible import hidden

MOST_OF_A_KIND = 50  # findings of a kind that are told one by one; beyond, a text is told to hold more
LONGEST_TEXT = 200  # characters of a line that are shown
FENCE_NOTICE = "fence-unclosed"  # what the parsers call it

Notices = Iterable[tuple[str, int, str]]  # code, line, message: as a page of an index keeps them


def content_findings(path: str, text: str, notices: Notices = ()) -> tuple[Finding, ...]:
    """The warnings over one document, in order of line. `path` is shown with each; `notices` are what its parser said."""
    kinds = (_fences(path, notices), _instructions(path, text), _invisible(path, text))
    return tuple(sorted(chain.from_iterable(map(_bounded, kinds)), key=lambda one: (one.start_line, one.kind)))


def _bounded(findings: Iterator[Finding]) -> Iterator[Finding]:
    last = None
    for last in islice(findings, MOST_OF_A_KIND):
        yield last
    more = sum(1 for _ in findings)
    if last is not None and more:
        said = f"There are {more} more of this kind below in this document."
        yield Finding(last.kind, last.level, path=last.path, start_line=last.end_line, end_line=last.end_line, message=said)


def _fences(path: str, notices: Notices) -> Iterator[Finding]:
    for code, line, _ in notices:
        if code == FENCE_NOTICE:
            said = f"A fence opened at line {line} is never closed: all that follows it is code."
            yield Finding(FindingKind.FENCE_UNCLOSED, Level.WARNING, path, line, line, said)


def _instructions(path: str, text: str) -> Iterator[Finding]:
    for one in instructions(text):
        shown = one.text if len(one.text) <= LONGEST_TEXT else one.text[:LONGEST_TEXT] + "..."
        said = f"This seems to instruct an assistant that reads it: {shown}"
        lines = (one.start_line, one.end_line)
        yield Finding(FindingKind.INSTRUCTION_LIKE, Level.WARNING, path, *lines, said, new=shown, rule=one.shape)


def _invisible(path: str, text: str) -> Iterator[Finding]:
    for one in hidden(text):
        names = ", ".join(one.names)
        said = f"The line holds {one.count} {'character' if one.count == 1 else 'characters'} that nobody sees: {names}."
        yield Finding(FindingKind.INVISIBLE_CHARACTERS, Level.WARNING, path, one.line, one.line, said, new=names)
