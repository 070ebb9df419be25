"""Every question that a page could be asked, with the place that answers it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from nescio.domain.candidates import Key
from nescio.evaluate.drafting.headings import Written, from_heading
from nescio.evaluate.drafting.sections import Section, Sentence, sections_of
from nescio.evaluate.drafting.statements import Asked, from_default, from_definition, from_identifier, from_named_heading
from nescio.evaluate.drafting.survey import Survey, TopicWord
from nescio.evaluate.drafting.values import DraftKind
from nescio.evaluate.questions.cases import Expected
from nescio.protocols import Index

SHORTEST_ANSWER = 5  # words
ANSWERS_WITHIN = 8  # sentences: what a section says later is about its details
_WRITTEN_WORD = re.compile(r"(?<![\w`.-])[a-z][a-z-]+(?![\w`(])|(?<=[a-z,] )[A-Z][a-z]+")
# A sentence that leads elsewhere, or leans on the one before it.
_ELSEWHERE = re.compile(
    r"\b(?:read the docs|refer to|see (?:the|also|our|how)|learn (?:more|how)|for (?:more|further) (?:details|information)|"
    r"as (?:explained|mentioned|described|shown)|this (?:page|section|chapter|guide|tutorial)|if you (?:don't|already))\b",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"(?:that|those|they|he|she|but|and|so|then|now|also|note|before|after|see|however|again)\b", re.IGNORECASE
)

Found = tuple[Asked, DraftKind, str]  # a question, its kind, and the words that answer it


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with its place. `key` is its rarest word, `about` the name or noun that it asks of, empty for a heading's."""

    question: str
    kind: DraftKind
    page: int
    place: Expected
    key: TopicWord
    about: str


class Asker:
    """Makes candidates of the pages of one index. With `named` sources, a place's path begins with its source."""

    def __init__(self, index: Index, survey: Survey, *, named: bool) -> None:
        self._index = index
        self._survey = survey
        self._named = named

    def candidates(self, keys: Sequence[Key]) -> list[Candidate]:
        """Of one page, section by section, each question once. `keys` are all its passages."""
        sections = list(sections_of(self._index, keys))
        texts = (said.text for section in sections for said in section.sentences)
        written = Counter(word for text in texts for word in _WRITTEN_WORD.findall(text))
        found: dict[str, Candidate] = {}
        for section in sections:
            for asked in self._asked(section, written.__getitem__):
                made = self._candidate(section, *asked)
                if made is not None:
                    found.setdefault(made.question, made)
        return list(found.values())

    def _asked(self, section: Section, written: Written) -> Iterator[Found]:
        answer = self._answer(section)
        if answer is not None:
            yield from _by_heading(section.heading, answer, written)
        topic = partial(self._survey.same_topic, others=(section.heading, section.title))
        for said in section.sentences:
            yield from _by_sentence(said, section.heading, topic, written)

    def _answer(self, section: Section) -> Sentence | None:
        """What to quote for the whole section: of its first sentences the one with most of the heading's words."""
        wanted = {word.term for word in self._survey.words(section.heading)}
        fit = [said for said in section.sentences[:ANSWERS_WITHIN] if _answers(said)]
        shared = [len(wanted & self._survey.terms(said.text)) for said in fit]
        return fit[shared.index(max(shared))] if fit else None

    def _candidate(self, section: Section, asked: Asked, kind: DraftKind, quote: str) -> Candidate | None:
        key = self._survey.key(asked.about or asked.question)
        if key is None:
            return None
        path = f"{section.source}/{section.path}" if self._named else section.path
        place = Expected(path, section.heading or None, (quote,))
        return Candidate(asked.question, kind, section.page, place, key, asked.about)


def _by_heading(heading: str, answer: Sentence, written: Written) -> Iterator[Found]:
    question = from_heading(heading, written)
    if question:
        yield Asked(question, ""), DraftKind.HEADING, answer.quote
    named = from_named_heading(heading)
    if named:
        yield named, _kind_of(named), answer.quote


def _by_sentence(said: Sentence, heading: str, topic: Callable[[str], bool], written: Written) -> Iterator[Found]:
    defined = from_definition(said.text, topic, written) if said.opens and not said.listed else None
    if defined:
        yield defined, DraftKind.DEFINITION, said.quote
    default = from_default(said.text, heading)
    if default:
        yield default, DraftKind.DEFAULT, said.quote
    named = from_identifier(said.text, listed=said.listed and said.opens)
    if named:
        yield named, _kind_of(named), said.quote


def _kind_of(asked: Asked) -> DraftKind:
    return DraftKind.OPTION if asked.is_option else DraftKind.IDENTIFIER


def _answers(said: Sentence) -> bool:
    """Whether a sentence says something itself."""
    is_plain = said.text.isprintable() and not _ELSEWHERE.search(said.text) and not _LEANING.match(said.text)
    return is_plain and not said.listed and len(said.text.split()) >= SHORTEST_ANSWER
