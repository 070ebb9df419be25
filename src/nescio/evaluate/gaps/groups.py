"""What do the documents lack? Refused questions in groups: by a word that no page has, else by the place that came nearest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from nescio.evaluate.gaps.logged import Logged, Near

MOST_NEAREST = 3  # places that are shown of a group, as many as a refusal has


class GapKind(StrEnum):
    """What the questions of a group have in common."""

    UNKNOWN_WORD = "unknown_word"
    NEAR_HEADING = "near_heading"
    NOTHING_NEAR = "nothing_near"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, however often and in whichever spelling it was asked. `text` is the most frequent one, None where only a hash
    is kept. `unknown`, `nearest`, `reason`, `best` and `floor` are of the last time.
    """

    identity: str
    text: str | None
    count: int
    first: date
    last: date
    reason: str
    unknown: tuple[str, ...]
    nearest: tuple[Near, ...]
    best: float
    floor: float


@dataclass(frozen=True, slots=True)
class Gap:
    """Questions that may want the same page. `label` is the word (or its hash), the place, or empty where nothing is near.

    `count` is how often they were asked; `asked` are the different ones, the most frequent first. `nearest` are the places that
    came nearest to most of them.
    """

    kind: GapKind
    label: str
    count: int
    asked: tuple[Asked, ...]
    nearest: tuple[Near, ...]
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class GapReport:
    """A log in groups. `log` is the setting now, `since` the first day asked for, `damaged` how many lines are unreadable."""

    file: str
    log: str
    since: date | None
    refusals: int
    damaged: int
    gaps: tuple[Gap, ...]

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The different questions, group by group."""
        return tuple(one for gap in self.gaps for one in gap.asked)


def gaps(entries: Iterable[Logged]) -> tuple[Gap, ...]:
    """The groups, the largest first, then by label (none last) and kind. The order of the entries does not matter.

    A question with unknown words belongs to the one that most different questions share (of several, the one asked for more
    often, then by letters), else to the page and section that came nearest, else to those that nothing is near.
    """
    asked = _asked(entries)
    shared = _shared(asked)
    members: dict[tuple[GapKind, str], list[Asked]] = defaultdict(list)
    for one in asked:
        members[_group(one, shared)].append(one)
    found = [_gap(kind, label, those) for (kind, label), those in members.items()]
    return tuple(sorted(found, key=lambda gap: (-gap.count, not gap.label, gap.label, gap.kind)))


def place_name(near: Near) -> str:
    """A place in one line: `guide/errors.md: Errors > Handlers`."""
    headings = " > ".join(near.heading_path)
    return f"{near.path}: {headings}" if headings else near.path


def _asked(entries: Iterable[Logged]) -> list[Asked]:
    by_question: dict[str, list[Logged]] = defaultdict(list)
    for entry in entries:
        by_question[entry.identity].append(entry)
    return [_one(identity, sorted(times, key=_moment)) for identity, times in sorted(by_question.items())]


def _one(identity: str, times: Sequence[Logged]) -> Asked:
    last = times[-1]
    spellings = Counter(entry.question for entry in times if entry.question is not None)
    text = min(spellings, key=lambda spelling: (-spellings[spelling], spelling), default=None)
    return Asked(
        identity,
        text,
        len(times),
        _day(times[0].at),
        _day(last.at),
        last.reason,
        tuple(dict.fromkeys(last.unknown)),
        last.nearest,
        last.best,
        last.floor,
    )


def _moment(entry: Logged) -> tuple[object, ...]:
    """An order of entries that has no ties but between equals."""
    near = tuple((place.source, place.path, place.heading_path, place.base) for place in entry.nearest)
    return (entry.at, entry.reason, entry.unknown, near, entry.best, entry.floor, entry.index_id, entry.question or "")


def _shared(asked: Iterable[Asked]) -> dict[str, tuple[int, int]]:
    """How many different questions have an unknown word, and how often these were asked."""
    shared: dict[str, tuple[int, int]] = {}
    for one in asked:
        for word in one.unknown:
            different, times = shared.get(word, (0, 0))
            shared[word] = (different + 1, times + one.count)
    return shared


def _group(one: Asked, shared: Mapping[str, tuple[int, int]]) -> tuple[GapKind, str]:
    if one.unknown:
        most = max(shared[word] for word in one.unknown)
        return GapKind.UNKNOWN_WORD, min(word for word in one.unknown if shared[word] == most)
    if one.nearest:
        return GapKind.NEAR_HEADING, place_name(one.nearest[0])
    return GapKind.NOTHING_NEAR, ""


def _gap(kind: GapKind, label: str, members: Sequence[Asked]) -> Gap:
    return Gap(
        kind,
        label,
        sum(one.count for one in members),
        tuple(sorted(members, key=lambda one: (-one.count, one.text or "", one.identity))),
        _nearest(members),
        min(one.first for one in members),
        max(one.last for one in members),
    )


def _nearest(members: Sequence[Asked]) -> tuple[Near, ...]:
    """The places that are near most of the questions, each with its best score; then the better ones."""
    times: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    best: dict[tuple[str, str, tuple[str, ...]], Near] = {}
    for one in members:
        for near in one.nearest:
            key = (near.source, near.path, near.heading_path)
            times[key] += one.count
            best[key] = max(near, best.get(key, near), key=lambda place: place.base)
    order = sorted(times, key=lambda key: (-times[key], -best[key].base, key))
    return tuple(best[key] for key in order[:MOST_NEAREST])


def _day(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()
