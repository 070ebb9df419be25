"""A question with what is right, as one entry of a question file says it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Expected:
    """A right place. `path` is a page's, below its source (or with the source's name before it); `heading` one of its headings;
    `quotes` are words that an answer from there should show, any of which is right. `pages` are the pages of an index that
    `path` names, as `source/path`: empty until it was looked up, and where there is none.
    """

    path: str
    heading: str | None = None
    quotes: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a question file. Any of `expect` is right; an unanswerable question has none. `line` is where it stands."""

    id: str
    question: str
    answerable: bool
    expect: tuple[Expected, ...] = ()
    line: int = 0
