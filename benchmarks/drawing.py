"""Small corpora drawn from a large one, with questions that they cover, and questions of which they hold a near miss."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from random import Random

from engines import Corpus
from judged import SORTS, askings
from questions import Question, QuestionSet, SetError

# A quarter of the pages each: right pages of questions that are covered, and near misses of others.
PAGES_A_PAIR = 4


@dataclass(frozen=True, slots=True)
class Large:
    """A whole corpus and what is asked of it, both sorts."""

    corpus: Corpus
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A small corpus: its pages in order, and what is asked of it, as many of the one sort as of the other."""

    pages: tuple[str, ...]
    questions: tuple[Question, ...]


def large(one: QuestionSet) -> list[Large]:
    """The corpora of a set that have both sorts: as they are, without one fold, or without the right pages of some questions.

    Raises SetError when one sort is absent nonetheless.
    """
    found = [Large(corpus, tuple(questions)) for corpus, questions in askings(one)] or [without_answers(one)]
    for each in found:
        if {question.answerable for question in each.questions} != set(SORTS):
            raise SetError(f"{each.corpus.name}: all questions are covered, or none is; more questions are needed")
    return found


def without_answers(one: QuestionSet) -> Large:
    """The corpus without any right page of half of the questions, which it does not cover then.

    Others all of whose right pages are gone with these are not asked.
    """
    covered = [question for question in one.questions if question.answerable]
    robbed = [question for question in covered if _is_robbed(question)]
    gone = frozenset().union(*(question.paths for question in robbed))
    kept = [question for question in covered if question.paths - gone and not _is_robbed(question)]
    questions = (*kept, *(replace(question, answerable=False) for question in robbed))
    return Large(Corpus(f"{one.name}-without-answers", one.docs, tuple(sorted(gone))), questions)


def _is_robbed(question: Question) -> bool:
    """By another byte of the hash than the one that tells even from odd, so that both halves have both sorts."""
    return hashlib.sha256(question.id.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True)
class Source:
    """What can be drawn: `pages` of the whole corpus, and questions, each with the page that must come with it.

    That is the right page of a covered question, and the first page that the whole corpus gives for another.
    """

    pages: tuple[str, ...]
    questions: tuple[tuple[Question, str], ...]


def draw(source: Source, size: int, random: Random) -> Drawn:
    """So many pages: those that the questions need, the rest at random, from the folders of those while there are any."""
    sorts = [[one for one in source.questions if one[0].answerable is sort] for sort in SORTS]
    count = min(size // PAGES_A_PAIR, *map(len, sorts))
    chosen = [one for sort in sorts for one in random.sample(sort, count)]
    picked = dict.fromkeys(page for _, page in chosen)
    fill = _near_first([page for page in source.pages if page not in picked], picked, random)
    return Drawn(tuple(sorted([*picked, *fill][:size])), tuple(question for question, _ in chosen))


def _near_first(pages: Sequence[str], picked: Collection[str], random: Random) -> list[str]:
    """Pages in random order, those in the folder of a picked one first."""
    folders = {PurePosixPath(page).parent for page in picked}
    return sorted(random.sample(pages, len(pages)), key=lambda page: PurePosixPath(page).parent not in folders)
