"""What a check found: a closed set of kinds, each with where it is, what was there and what is there now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FindingKind(StrEnum):
    """What is not as it should be. The names are stable: reports use them as rule ids."""

    INDEX_CHANGED = "index_changed"  # a document is not what was indexed
    INDEX_ADDED = "index_added"  # a document is not in the index
    INDEX_REMOVED = "index_removed"  # an indexed document is not there any more
    INDEX_OUTDATED = "index_outdated"  # the index was built with another configuration or release, or there is none
    CARD_CHANGED = "card_changed"  # a card would be written otherwise
    CARD_MISSING = "card_missing"  # a unit has no card
    CARD_INCOMPLETE = "card_incomplete"  # a card lacks a section that every card has
    CARD_UNGROUNDED = "card_ungrounded"  # a fact's words are not where it says
    CARD_ORPHANED = "card_orphaned"  # a card's unit is not there any more
    GOLDEN_REFUSED = "golden_refused"  # a question that must be answered is refused
    GOLDEN_ANSWERED = "golden_answered"  # a question that must be refused is answered
    GOLDEN_MOVED = "golden_moved"  # a golden answer is quoted from another place, or in other words
    PASSAGE_MOVED = "passage_moved"  # stored words stand somewhere else in their file now
    PASSAGE_CHANGED = "passage_changed"  # stored words were edited
    PASSAGE_GONE = "passage_gone"  # stored words, or their file, are not there any more
    CITATION_WRONG = "citation_wrong"  # a citation's words are not where it says
    SECRET = "secret"  # noqa: S105  (a known shape of a secret; its value is never told)
    FENCE_UNCLOSED = "fence_unclosed"  # a code fence that runs to the end of its file
    INSTRUCTION_LIKE = "instruction_like"  # text that seems to instruct an assistant
    INVISIBLE_CHARACTERS = "invisible_characters"  # characters that a reader does not see


class Level(StrEnum):
    """How bad it is. An error fails a check."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    `path` is as a reader of the repository writes it (POSIX, relative to the configuration's folder); lines are 1-based and
    inclusive, 0 for the whole file. `old` and `new` are what was there and what is there now, empty where that means nothing;
    of a secret both are empty always. `rule` tells kinds apart further (a secret's rule); `fix` is the one command that mends
    it.
    """

    kind: FindingKind
    level: Level
    path: str
    start_line: int
    end_line: int
    message: str
    old: str = ""
    new: str = ""
    rule: str = ""
    fix: str = ""
