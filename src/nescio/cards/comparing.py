"""What became of each fact of a card on disk? Found again as it was, elsewhere, in other words, or not at all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from nescio.cards.rendering import IDENTIFIERS, span_of
from nescio.cards.stored import StoredCard, StoredFact, StoredIdentifier
from nescio.cards.values import Card, Fact, Identifier, hash_of

LIKE = 0.3  # share of all words of two facts that both have, from which one is the other in new words
MOST_COMPARED = 200  # facts of one section and file that are compared by their words: each with each

Old = TypeVar("Old")
New = TypeVar("New")


class Sort(StrEnum):
    """How a fact differs."""

    ADDED = "added"
    REMOVED = "removed"
    EDITED = "edited"
    MOVED = "moved"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that differs. Its place is in the sources as they are now, or where the card says where it is not there."""

    sort: Sort
    section: str
    path: str
    line: int
    end_line: int
    old: str = ""
    new: str = ""


def differences(card: Card, stored: StoredCard) -> Iterator[Difference]:
    """What a card on disk says otherwise than `card` does. Sections that it lacks altogether are not gone through."""
    fresh = [fact for fact in card.facts() if fact.section in stored.sections]
    known: list[StoredFact] = []
    tampered: list[StoredFact] = []
    for fact in stored.facts:
        (known if hash_of(fact.text) == fact.sha256 else tampered).append(fact)
    yield from (_ungrounded(fact) for fact in tampered)
    known, fresh, _ = _matched(known, fresh, _exactly, _exactly)
    known, fresh, moved = _matched(known, fresh, _words, _words)
    known, fresh, resorted = _matched(known, fresh, _words_alone, _words_alone)
    yield from (_moved(old, new) for old, new in (*moved, *resorted))
    known, fresh, edited = _edited(known, fresh)
    yield from (_difference(Sort.EDITED, new, old.text) for old, new in edited)
    for fact in known:
        yield _removed(fact) if _stands(card, fact) else _ungrounded(fact)
    told = {_where(fact) for fact in tampered}  # what false words were made of is told with them
    yield from (_difference(Sort.ADDED, fact, "") for fact in fresh if _where(fact) not in told)
    yield from _identifiers(card, stored)


def _exactly(fact: Fact | StoredFact) -> Hashable:
    return (fact.section, fact.path, fact.text, fact.introduction, fact.start_line, fact.end_line)


def _words(fact: Fact | StoredFact) -> Hashable:
    return (fact.section, fact.path, fact.text, fact.introduction)


def _words_alone(fact: Fact | StoredFact) -> Hashable:
    return fact.text


def _matched(
    known: Sequence[Old], fresh: Sequence[New], old_key: Callable[[Old], Hashable], new_key: Callable[[New], Hashable]
) -> tuple[list[Old], list[New], list[tuple[Old, New]]]:
    """Those of both that have one key, in pairs; what is left of each comes first."""
    waiting: dict[Hashable, deque[New]] = {}
    for new in fresh:
        waiting.setdefault(new_key(new), deque()).append(new)
    left, pairs = [], []
    for old in known:
        same = waiting.get(old_key(old))
        if same:
            pairs.append((old, same.popleft()))
        else:
            left.append(old)
    unmatched = {id(new) for several in waiting.values() for new in several}
    return left, [new for new in fresh if id(new) in unmatched], pairs


def _edited(
    known: Sequence[StoredFact], fresh: Sequence[Fact]
) -> tuple[list[StoredFact], list[Fact], list[tuple[StoredFact, Fact]]]:
    """Facts of one section and file that share enough words, the most alike first."""
    left, rest, pairs = list(known), list(fresh), []
    scored = []
    for at, old in enumerate(left[:MOST_COMPARED]):
        for number, new in enumerate(rest[:MOST_COMPARED]):
            if (old.section, old.path) == (new.section, new.path):
                scored.append((-_likeness(old.text, new.text), at, number))
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    for likeness, at, number in sorted(scored):
        if -likeness >= LIKE and at not in taken_old and number not in taken_new:
            taken_old.add(at)
            taken_new.add(number)
            pairs.append((left[at], rest[number]))
    return (
        [old for at, old in enumerate(left) if at not in taken_old],
        [new for number, new in enumerate(rest) if number not in taken_new],
        pairs,
    )


def _likeness(first: str, second: str) -> float:
    """The share of all words of both that both have."""
    one, other = set(first.casefold().split()), set(second.casefold().split())
    return len(one & other) / max(1, len(one | other))


def _stands(card: Card, fact: StoredFact) -> bool:
    """Whether the words of a fact on disk stand on the lines that it names."""
    origin = next((origin for origin in card.origins if origin.path == fact.path), None)
    if origin is None or fact.end_line - fact.start_line > fact.text.count("\n"):  # else all of a file may be claimed
        return False
    return fact.text in origin.lines(fact.start_line, fact.end_line)


def _where(fact: Fact | StoredFact) -> Hashable:
    return (fact.section, fact.path, fact.start_line)


def _ungrounded(fact: StoredFact) -> Difference:
    return Difference(Sort.UNGROUNDED, fact.section, fact.path, fact.start_line, fact.end_line, fact.text)


def _removed(fact: StoredFact) -> Difference:
    return Difference(Sort.REMOVED, fact.section, fact.path, fact.start_line, fact.end_line, fact.text)


def _difference(sort: Sort, fact: Fact, old: str) -> Difference:
    return Difference(sort, fact.section, fact.path, fact.start_line, fact.end_line, old, fact.text)


def _moved(old: StoredFact, new: Fact) -> Difference:
    """Old and new are places, with the section where that is another and with what introduces it where only that is."""
    before, after = span_of(old.path, old.start_line, old.end_line), span_of(new.path, new.start_line, new.end_line)
    if old.section != new.section:
        before, after = f"{before} ({old.section})", f"{after} ({new.section})"
    if before == after:
        before, after = f"{old.introduction} {old.text}".strip(), f"{new.introduction} {new.text}".strip()
    return Difference(Sort.MOVED, new.section, new.path, new.start_line, new.end_line, before, after)


def _identifiers(card: Card, stored: StoredCard) -> Iterator[Difference]:
    known, fresh, _ = _matched(list(stored.identifiers), list(card.identifiers), _identifier, _identifier)
    known, fresh, moved = _matched(known, fresh, _name, _name)
    for old, new in moved:
        places = (span_of(one.path, one.line, one.line) for one in (old, new))
        yield Difference(Sort.MOVED, IDENTIFIERS, new.path, new.line, new.line, *places)
    for old in known:
        yield Difference(Sort.REMOVED, IDENTIFIERS, old.path, old.line, old.line, old.name)
    for new in fresh:
        yield Difference(Sort.ADDED, IDENTIFIERS, new.path, new.line, new.line, "", new.name)


def _identifier(one: Identifier | StoredIdentifier) -> Hashable:
    return (str(one.kind), one.name, one.path, one.line)


def _name(one: Identifier | StoredIdentifier) -> Hashable:
    return (str(one.kind), one.name, one.path)
