"""What a drafted question is, and what was asked for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from nescio.evaluate.questions.cases import Expected

ID_LENGTH = 12  # hexadecimal digits: 48 bits, plenty for the questions of one file


class DraftKind(StrEnum):
    """How a question was drafted. The last two are of questions that the documents should not be able to answer."""

    HEADING = "heading"  # a heading that tells how something is done, or is a question itself
    DEFINITION = "definition"  # a sentence that says what something is
    IDENTIFIER = "identifier"  # a sentence that says what a name in code does
    OPTION = "option"  # the same of an entry in a list, or of a flag
    DEFAULT = "default"  # a sentence that gives a default
    SWAPPED_SUBJECT = "swapped_subject"  # asks the same of something that the documents do not have
    UNRELATED_PAIR = "unrelated_pair"  # asks of two things that no page has together


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposed question. An answerable one has its place in `expect`; any other has none, the near miss in `near`, and the
    reason in `note`.

    `lacking` are the terms that the note speaks of: one that is in no passage, or several that stand together on no page.
    `unanswerable_without` is the one page that has the question's rarest word; None where there are more.
    """

    question: str
    kind: DraftKind
    expect: tuple[Expected, ...] = ()
    near: Expected | None = None
    note: str = ""
    lacking: tuple[str, ...] = ()
    reworded: bool = False
    unanswerable_without: str | None = None

    @property
    def id(self) -> str:
        """A name that depends on the question's words alone."""
        return hashlib.sha256(same_words(self.question).encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]

    @property
    def answerable(self) -> bool:
        """Whether the documents should answer it."""
        return bool(self.expect)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many questions of each sort, and the number that another choice of them is made by."""

    answerable: int = 20
    unanswerable: int = 20
    seed: int = 0


def same_words(question: str) -> str:
    """Two questions of the same words give the same."""
    return " ".join(question.lower().split())


def in_order_of(seed: int, name: str) -> bytes:
    """What to sort names by for an order that looks like chance, and in which a new name moves no other."""
    return hashlib.sha256(f"{seed}:{name}".encode("utf-8", "surrogatepass")).digest()
