"""Are the cards on disk what the sources make of them now? Byte for byte, and where not, which fact and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from nescio.cards.comparing import Difference, Sort, differences
from nescio.cards.rendering import DATA, PAGE, heading, rendered
from nescio.cards.stored import StoredCard, bytes_of, parsed, strangers
from nescio.cards.values import Card
from nescio.domain.findings import Finding, FindingKind, Level

FIX = "nescio cards build"


class Verdict(StrEnum):
    """What is said of a card, the worst of what was found."""

    OK = "ok"
    WOULD_CHANGE = "would-change"
    MISSING = "missing"
    INCOMPLETE = "incomplete"
    UNGROUNDED = "ungrounded"
    ORPHANED = "orphaned"


# From the worst; a card has the first of which it has a finding.
_VERDICTS = {
    FindingKind.CARD_ORPHANED: Verdict.ORPHANED,
    FindingKind.CARD_MISSING: Verdict.MISSING,
    FindingKind.CARD_UNGROUNDED: Verdict.UNGROUNDED,
    FindingKind.CARD_INCOMPLETE: Verdict.INCOMPLETE,
    FindingKind.CARD_CHANGED: Verdict.WOULD_CHANGE,
}
_KINDS = {Sort.UNGROUNDED: FindingKind.CARD_UNGROUNDED}


@dataclass(frozen=True, slots=True)
class Checked:
    """A card with its verdict and what was found; nothing where it is ok."""

    name: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()


def check(cards: Sequence[Card], folder: Path, shown: str) -> list[Checked]:
    """Each card in order of names, then what is on disk and has no unit any more.

    `folder` is where cards are, `shown` the same as the configuration writes it. Raises OSError.
    """
    checked = [_checked(card, folder, PurePosixPath(shown)) for card in cards]
    names = frozenset(name for card in cards for name in (card.name + PAGE, card.name + DATA))
    return [*checked, *_orphans(folder, names, PurePosixPath(shown))]


def _checked(card: Card, folder: Path, shown: PurePosixPath) -> Checked:
    fresh = rendered(card)
    there = {name: bytes_of(folder, name) for name in fresh}
    if there == fresh:
        return Checked(card.name, Verdict.OK)
    findings = [_missing(str(shown / name)) for name, content in there.items() if content is None]
    if not findings:
        page, content = there[card.name + PAGE] or b"", there[card.name + DATA] or b""
        findings = list(_drift(card, page, content, shown)) or list(_edited(fresh, there, shown))
    return Checked(card.name, _worst(findings), tuple(findings))


def _worst(findings: Iterable[Finding]) -> Verdict:
    kinds = {finding.kind for finding in findings}
    return next(verdict for kind, verdict in _VERDICTS.items() if kind in kinds)


def _orphans(folder: Path, names: frozenset[str], shown: PurePosixPath) -> Iterator[Checked]:
    found: dict[str, list[str]] = {}
    for name in strangers(folder, names):
        found.setdefault(name[: name.rfind(".")], []).append(name)
    for card, files in found.items():
        message = f"The card {card} has no unit any more."
        findings = (_finding(FindingKind.CARD_ORPHANED, str(shown / name), 0, message) for name in files)
        yield Checked(card, Verdict.ORPHANED, tuple(findings))


def _missing(path: str) -> Finding:
    return _finding(FindingKind.CARD_MISSING, path, 0, f"There is no {path}, though its unit is there.")


def _drift(card: Card, page: bytes, content: bytes, shown: PurePosixPath) -> Iterator[Finding]:
    """What the card's JSON says otherwise than the sources do, fact by fact."""
    path = str(shown / (card.name + DATA))
    stored = parsed(content)
    if stored is None:
        yield _finding(FindingKind.CARD_CHANGED, path, 0, f"{path} is not the JSON of a card.")
        return
    yield from _incomplete(card, stored, page, shown)
    for found in differences(card, stored):
        kind = _KINDS.get(found.sort, FindingKind.CARD_CHANGED)
        yield Finding(
            kind, Level.ERROR, found.path, found.line, found.end_line, _told(card, found), found.old, found.new, fix=FIX
        )


def _incomplete(card: Card, stored: StoredCard, page: bytes, shown: PurePosixPath) -> Iterator[Finding]:
    rows = frozenset(page.split(b"\n"))
    for section in card.sections:
        for name, has in ((DATA, section.name in stored.sections), (PAGE, heading(section.name).encode() in rows)):
            if not has:
                path = str(shown / (card.name + name))
                message = f"{path} has no section {section.name}, which every card has."
                yield _finding(FindingKind.CARD_INCOMPLETE, path, 0, message)


def _told(card: Card, found: Difference) -> str:
    where = f"{card.name}, {found.section}"
    return {
        Sort.ADDED: f"{where}: the sources have a fact that the card has not.",
        Sort.REMOVED: f"{where}: the card has a fact that is under no heading of the section any more.",
        Sort.EDITED: f"{where}: a fact reads otherwise now.",
        Sort.MOVED: f"{where}: a fact stands elsewhere now.",
        Sort.UNGROUNDED: f"{where}: the card says what its source does not say.",
    }[found.sort]


def _edited(fresh: dict[str, bytes], there: dict[str, bytes | None], shown: PurePosixPath) -> Iterator[Finding]:
    """Where a card's files differ though its facts do not: somebody wrote in them, or another release made them."""
    for name, content in fresh.items():
        now = (there[name] or b"").decode("utf-8", "replace").split("\n")
        wanted = content.decode("utf-8").split("\n")
        if now != wanted:
            both = enumerate(zip(now, wanted, strict=False))
            at = next((at for at, (one, other) in both if one != other), min(len(now), len(wanted)))
            path = str(shown / name)
            message = f"{path} is not what would be written, from line {at + 1} on."
            old, new = (rows[at] if at < len(rows) else "" for rows in (now, wanted))
            yield Finding(FindingKind.CARD_CHANGED, Level.ERROR, path, at + 1, at + 1, message, old, new, fix=FIX)


def _finding(kind: FindingKind, path: str, line: int, message: str) -> Finding:
    return Finding(kind, Level.ERROR, path, line, line, message, fix=FIX)
