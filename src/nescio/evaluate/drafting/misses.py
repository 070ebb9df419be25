"""Near misses: questions like the answerable ones, of what the documents do not have. That they lack it is looked up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from nescio.evaluate.drafting.candidates import Candidate
from nescio.evaluate.drafting.survey import Survey, TopicWord
from nescio.evaluate.drafting.values import Draft, DraftKind, in_order_of
from nescio.evaluate.drafting.words import IDENTIFIER_SORTS, Subject, subjects
from nescio.evaluate.questions.cases import Expected

CONCEPT = "concept"
MOST_ALIKE = 3  # questions of the same form
VOWELS = "AEIOUaeiou"
MOST_PARTNERS = 2  # of one page: no file should ask after one page all the time
# Verbs, what to ask instead (the question's verb, the whole question, the absent thing), and what sorts of things fit.
_EDITS = (
    ("create add define implement", "How do I {verb} {other}?", (CONCEPT,)),
    ("use integrate configure", "How do I {verb} {other}?", ("queue", "auth", "monitor")),
    ("install", "{question} with {other}?", ("installer",)),
    ("run serve start host", "{question} on {other}?", ("system", "cloud")),
    ("deploy publish migrate upload export", "{question} to {other}?", ("cloud", "storage")),
    ("test mock simulate", "{question} with {other}?", ("tester",)),
    ("authenticate authorize secure protect restrict", "{question} with {other}?", ("auth",)),
    ("store save persist query cache insert delete retrieve", "{question} in {other}?", ("database", "storage")),
    ("monitor trace log measure debug troubleshoot", "{question} with {other}?", ("monitor",)),
    ("send receive stream connect handle", "{question} over {other}?", ("protocol", "queue")),
    ("parse convert serialize load import return render generate", "{question} as {other}?", ("format",)),
    ("build bundle compile package", "{question} with {other}?", ("builder",)),
)
_HOW = re.compile(r"How do I (\w+) ")
_JOINED = re.compile(r" (?:with|on|to|in|over|as|from|using|for|and|or|by) ")
_SHAPES = (
    ("flag", re.compile(r"--?[A-Za-z][\w-]*")),
    ("upper", re.compile(r"[A-Z][A-Z\d]*(?:_[A-Z\d]+)+")),
    ("snake", re.compile(r"[a-z][a-z\d]*(?:_[a-z\d]+)+")),
    ("kebab", re.compile(r"[a-z]+(?:-[a-z]+)+")),
    ("pascal", re.compile(r"(?:[A-Z][a-z\d]*){2,}")),
    ("camel", re.compile(r"[a-z]+(?:[A-Z][a-z\d]*)+")),
)
_CODE = re.compile(r"`([^`]+)`")
_OF_TWO = (
    "How does {0} affect {1}?",
    "Can I use {0} together with {1}?",
    "What happens when I combine {0} with {1}?",
)


class Misser:
    """Makes near misses of candidates. Each absent subject and each partner is used once, so that no two are alike."""

    def __init__(self, survey: Survey, seed: int, topics: Iterable[Candidate]) -> None:
        self._survey = survey
        self._seed = seed
        self._used: set[str] = set()
        self._partners: Counter[int] = Counter()
        self._forms: Counter[str] = Counter()
        self._topics = [topic for topic in topics if topic.about]

    def swapped(self, base: Candidate) -> Draft | None:
        """The question with a thing that is in no passage in the place of one that it names, or beside it."""
        for edit in (self._other_thing, self._other_name, self._other_concept, self._other_object):
            found = next(edit(base), None)
            if found:
                return found
        return None

    def paired(self, base: Candidate) -> Draft | None:
        """The question's subject together with another's that stands on no page with it, of the same folder if it can be."""
        if (
            self._used.intersection((base.about, base.key.word))
            or _JOINED.search(base.question)
            or self._partners[base.page] == MOST_PARTNERS
        ):
            return None
        for topic in sorted(self._topics, key=lambda topic: _folder(topic) != _folder(base)):
            if self._go_together(base, topic) and self._survey.never_meet((base.key.term, topic.key.term)):
                self._used.update((base.about or base.key.word, base.key.word, topic.about))
                self._partners.update((base.page, topic.page))
                note = f'No page has both "{base.key.word}" and "{topic.key.word}", which is of {topic.place.path}.'
                lacking = (base.key.term, topic.key.term)
                return _miss(base, self._together(base, topic), DraftKind.UNRELATED_PAIR, note, lacking)
        return None

    @cached_property
    def _absent(self) -> dict[str, list[tuple[Subject, TopicWord]]]:
        """By sort, what no passage has under any of its names, with a word that is nowhere, in an order of this seed."""
        found: dict[str, list[tuple[Subject, TopicWord]]] = {}
        for subject in sorted(subjects(), key=lambda one: in_order_of(self._seed, one.name)):
            words = [self._survey.absent_word(name) for name in subject.names]
            if words[0] and all(words):
                found.setdefault(subject.sort, []).append((subject, words[0]))
        return found

    def _other_thing(self, base: Candidate) -> Iterator[Draft]:
        """A well-known thing by another of its sort."""
        for known in subjects():
            for name in known.names:
                if known.sort not in (*IDENTIFIER_SORTS, CONCEPT) and _has_word(base.question, name):
                    yield from self._instead(base, (known.sort,), _replacing(base.question, name))

    def _other_name(self, base: Candidate) -> Iterator[Draft]:
        """A name in code by another of its shape."""
        named = _CODE.search(base.question)
        bare = base.about.removesuffix("()")
        sort = next((sort for sort, shape in _SHAPES if shape.fullmatch(bare)), None)
        if named and sort:
            yield from self._instead(base, (sort,), _replacing(base.question, bare))

    def _other_concept(self, base: Candidate) -> Iterator[Draft]:
        if base.kind is DraftKind.DEFINITION and self._forms[CONCEPT] < MOST_ALIKE:
            self._forms[CONCEPT] += 1
            yield from self._instead(base, (CONCEPT,), "What is {}?".format)

    def _other_object(self, base: Candidate) -> Iterator[Draft]:
        """What is done, done to another thing or by means of one."""
        found = _HOW.match(base.question)
        if found is None:
            return
        for verbs, form, sorts in _EDITS:
            keeps = "{question}" in form
            if (
                found[1] in verbs.split(" ")
                and self._forms[form] < MOST_ALIKE
                and not (keeps and _JOINED.search(base.question))
            ):
                self._forms[form] += 1
                yield from self._instead(base, sorts, _filling(form, found[1], base.question.removesuffix("?")))

    def _instead(self, base: Candidate, sorts: Sequence[str], ask: Callable[[str], str]) -> Iterator[Draft]:
        for sort in sorts:
            for subject, word in self._absent.get(sort, ()):
                if subject.name not in self._used:
                    self._used.add(subject.name)
                    note = f'No passage has the word "{word.word}".'
                    yield _miss(base, ask(subject.name), DraftKind.SWAPPED_SUBJECT, note, (word.term,))

    def _go_together(self, base: Candidate, topic: Candidate) -> bool:
        """Names in code go with names in code, nouns with nouns; what is done goes with either."""
        if topic.page == base.page or topic.about in self._used or self._partners[topic.page] >= MOST_PARTNERS:
            return False
        return base.kind is DraftKind.HEADING or (base.kind is DraftKind.DEFINITION) == (topic.kind is DraftKind.DEFINITION)

    def _together(self, base: Candidate, topic: Candidate) -> str:
        if base.kind is DraftKind.HEADING:
            return f"{base.question.removesuffix('?')} with {_shown(topic)}?"
        if base.kind is DraftKind.DEFINITION:
            return f"What is the difference between {_shown(base)} and {_shown(topic)}?"
        return _OF_TWO[sum(self._partners.values()) // 2 % len(_OF_TWO)].format(_shown(base), _shown(topic))


def _replacing(question: str, name: str) -> Callable[[str], str]:
    """Puts another name in the place of one, after the article that it needs."""
    articled = re.compile(rf"\b(an?) {re.escape(name)}")
    return lambda other: articled.sub(f"{'an' if other[0] in VOWELS else 'a'} {name}", question).replace(name, other)


def _filling(form: str, verb: str, question: str) -> Callable[[str], str]:
    return lambda other: form.format(verb=verb, question=question, other=other)


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w`.-]){re.escape(word)}(?![\w`-])", text) is not None


def _shown(candidate: Candidate) -> str:
    return candidate.about if candidate.kind is DraftKind.DEFINITION else f"`{candidate.about}`"


def _folder(candidate: Candidate) -> str:
    return candidate.place.path.rpartition("/")[0]


def _miss(base: Candidate, question: str, kind: DraftKind, note: str, lacking: tuple[str, ...]) -> Draft:
    near = Expected(base.place.path, base.place.heading)
    return Draft(question, kind, near=near, note=note, lacking=lacking)
