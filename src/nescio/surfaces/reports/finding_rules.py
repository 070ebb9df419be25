"""What each kind of finding means and what mends it, in the words that every report of findings uses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nescio.domain.findings import Finding, FindingKind

LONGEST_SHOWN = 240  # characters of old and new words; the JSON has all of them
SHOWN_HASH = 12  # digits: enough to tell two versions apart
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding: its name as people read it, and what to do."""

    title: str
    remedy: str


_BUILD = "Run `nescio build`."
_CARDS = "Run `nescio cards build` and look at what changed."
_GOLDEN = "Look at what is quoted now. Mend the document, or write the new words into the question file."
_PASSAGES = "Run `nescio verify --fix` for what only moved; ask again for what changed."
RULES: dict[FindingKind, Rule] = {
    FindingKind.INDEX_CHANGED: Rule("Document changed since it was indexed", _BUILD),
    FindingKind.INDEX_ADDED: Rule("Document not in the index", _BUILD),
    FindingKind.INDEX_REMOVED: Rule("Indexed document is gone", _BUILD),
    FindingKind.INDEX_OUTDATED: Rule("Index missing, or built otherwise", _BUILD),
    FindingKind.CARD_CHANGED: Rule("Card is not up to date", _CARDS),
    FindingKind.CARD_MISSING: Rule("Card is missing", _CARDS),
    FindingKind.CARD_INCOMPLETE: Rule("Card lacks a section", _CARDS),
    FindingKind.CARD_UNGROUNDED: Rule("Fact is not where its card says", _CARDS),
    FindingKind.CARD_ORPHANED: Rule("Card without its unit", "Remove the card, or bring its unit back."),
    FindingKind.GOLDEN_REFUSED: Rule("Golden question is refused", "Mend the document, or remove the question."),
    FindingKind.GOLDEN_ANSWERED: Rule("Question that must be refused is answered", _GOLDEN),
    FindingKind.GOLDEN_MOVED: Rule("Golden answer moved", _GOLDEN),
    FindingKind.PASSAGE_MOVED: Rule("Stored words moved", _PASSAGES),
    FindingKind.PASSAGE_CHANGED: Rule("Stored words changed", _PASSAGES),
    FindingKind.PASSAGE_GONE: Rule("Stored words are gone", _PASSAGES),
    FindingKind.CITATION_WRONG: Rule(
        "Citation is wrong", "Cite the place where the words stand, or the words that stand there."
    ),
    FindingKind.SECRET: Rule("Secret in a document", "Take it out and revoke it: what was committed is known."),
    FindingKind.FENCE_UNCLOSED: Rule("Code fence is never closed", "Close the fence where the code ends."),
    FindingKind.INSTRUCTION_LIKE: Rule("Text that instructs an assistant", "Remove it, unless the page is about such text."),
    FindingKind.INVISIBLE_CHARACTERS: Rule("Characters that nobody sees", "Remove them, or write them as escapes or entities."),
}


def rule_id(finding: Finding) -> str:
    """The stable name of what was found: the kind, and where there are several of a kind, a slash and which."""
    return f"{finding.kind.value}/{finding.rule}" if finding.rule else finding.kind.value


def remedy(finding: Finding) -> str:
    """What mends a finding: its one command where it has one, else what to do in words."""
    return f"Run `{finding.fix}`." if finding.fix else RULES[finding.kind].remedy


def changes(finding: Finding) -> tuple[tuple[str, str], ...]:
    """What was there and what is there now, `was` and `is now` before them, shortened; not what the message says already."""
    pairs = (("was", finding.old), ("is now", finding.new))
    return tuple((name, _shown(words)) for name, words in pairs if words and words not in finding.message)


def said(finding: Finding) -> str:
    """All of a finding in one line: the message, what was and is there, and what to do."""
    words = "; ".join(f'{name} "{shown}"' for name, shown in changes(finding))
    return " ".join(part for part in (finding.message, f"It {words}." if words else "", remedy(finding)) if part)


def _shown(words: str) -> str:
    if _SHA256.fullmatch(words):
        return words[:SHOWN_HASH]
    return words if len(words) <= LONGEST_SHOWN else words[:LONGEST_SHOWN] + " ..."
