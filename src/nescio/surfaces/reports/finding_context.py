"""What a report of findings knows beside them, and how one is known again in the next report."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nescio.domain.findings import Finding, Level


@dataclass(frozen=True, slots=True)
class Context:
    """`command` is what was run. `base` is the way from the repository's top to the folder that findings' paths start
    in, POSIX, empty where that is the top. `summary` is a sentence on what was looked at. `is_strict`: warnings fail too.
    """

    command: str
    base: str = ""
    summary: str = ""
    is_strict: bool = False

    def path(self, finding: Finding) -> str:
        """The path of a finding from the repository's top."""
        return posixpath.normpath(posixpath.join(self.base, finding.path))

    def fails(self, finding: Finding) -> bool:
        """Whether a finding makes the command fail."""
        return finding.level is Level.ERROR or (self.is_strict and finding.level is Level.WARNING)


def counts(findings: Sequence[Finding]) -> dict[Level, int]:
    """How many findings there are of each level, zeros too."""
    return {level: sum(1 for one in findings if one.level is level) for level in Level}


def with_fingerprints(findings: Sequence[Finding]) -> Iterator[tuple[Finding, str]]:
    """Each finding with a SHA-256 that stays when lines move: over kind, rule, path, and what was there (or is, where nothing
    was). Several that are alike are told apart by their order.
    """
    seen: dict[tuple[str, ...], int] = {}
    for finding in findings:
        parts = (finding.kind.value, finding.rule, finding.path, finding.old or finding.new)
        seen[parts] = seen.get(parts, 0) + 1
        told = "".join(part + "\0" for part in (*parts, str(seen[parts])))
        yield finding, hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
