"""The index against the sources: what changed, came and went, and whether it is of this configuration and release at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nescio.domain.findings import Finding, FindingKind, Level
from nescio.domain.spans import LINE_END

FIX = "nescio build"


@dataclass(frozen=True, slots=True)
class Standing:
    """One page as it was indexed and as it is now, by SHA-256; empty where it was or is not there.

    `lines` are the first and last line that differ now, zeros where that is not known. `included` names a file that the page
    includes and that changed; the hashes are that file's then. `reason` says why a page counts as gone though it is there.
    """

    path: str
    indexed: str
    now: str
    lines: tuple[int, int] = (0, 0)
    included: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BuiltWith:
    """What an index depends on beside the documents."""

    analyzer: str
    configuration: str
    release: str


def page_findings(standings: Iterable[Standing]) -> tuple[Finding, ...]:
    """A finding for each page that is not as it was indexed, in the order given."""
    return tuple(_page_finding(one) for one in standings if one.indexed != one.now)


def _page_finding(one: Standing) -> Finding:
    if not one.indexed:
        return _error(FindingKind.INDEX_ADDED, one, "The document is not in the index.")
    if not one.now:
        return _error(FindingKind.INDEX_REMOVED, one, one.reason or "The document is in the index and not there any more.")
    if one.included:
        return _error(FindingKind.INDEX_CHANGED, one, f"What it includes changed since it was indexed: {one.included}.")
    return _error(FindingKind.INDEX_CHANGED, one, "The document changed since it was indexed.")


def _error(kind: FindingKind, one: Standing, message: str) -> Finding:
    return Finding(kind, Level.ERROR, one.path, *one.lines, message, one.indexed, one.now, fix=FIX)


def no_index(path: str, index: str) -> Finding:
    """The finding that there is no index in the folder `index`. `path` is what the finding is shown at."""
    return Finding(FindingKind.INDEX_OUTDATED, Level.ERROR, path, 0, 0, f"There is no index in {index}.", fix=FIX)


def other_format(path: str, message: str) -> Finding:
    """The finding that another release wrote the index; `message` says so."""
    return Finding(FindingKind.INDEX_OUTDATED, Level.ERROR, path, 0, 0, message, fix=FIX)


def outdated(path: str, built: BuiltWith, now: BuiltWith) -> tuple[Finding, ...]:
    """A finding for each thing that the index was built with and that is another now."""
    return tuple(
        Finding(FindingKind.INDEX_OUTDATED, Level.ERROR, path, 0, 0, message, old, new, rule, FIX)
        for rule, message, old, new in _differences(built, now)
    )


def _differences(built: BuiltWith, now: BuiltWith) -> Iterator[tuple[str, str, str, str]]:
    """Rule, message, old, new."""
    if built.configuration != now.configuration:
        yield "configuration", "The index was built with another configuration.", built.configuration, now.configuration
    if built.release != now.release:
        said = f"The index was built by nescio {built.release}, and this is {now.release}."
        yield "release", said, built.release, now.release
    if built.analyzer != now.analyzer:
        said = f"The index was built with the analyzer {built.analyzer}, and this nescio has {now.analyzer}."
        yield "analyzer", said, built.analyzer, now.analyzer


def changed_lines(old: str, new: str) -> tuple[int, int]:
    """The first and last line of `new` between what both texts begin and end with alike; both zero where no line differs.

    Where lines were only taken out, it is the line that stands in their place.
    """
    before, after = LINE_END.split(old), LINE_END.split(new)
    if before == after:
        return 0, 0
    shorter = min(len(before), len(after))
    first = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    same = next((at for at in range(shorter - first) if before[-1 - at] != after[-1 - at]), shorter - first)
    start = min(first + 1, len(after))
    return start, max(start, len(after) - same)
