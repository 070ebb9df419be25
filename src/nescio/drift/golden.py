"""Are the golden answers what they were? Each is asked again and held against the words, or the hash, that its entry pins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nescio.domain.answers import Answer, Quote, Refusal
from nescio.domain.findings import Finding, FindingKind, Level
from nescio.engine import Engine
from nescio.errors import QuestionFault, UsageFault
from nescio.evaluate.measuring.places import Pages, is_from_right_page, is_right_page
from nescio.evaluate.metrics.overlap import holds
from nescio.evaluate.questions.cases import Case
from nescio.evaluate.questions.reading import LISTS, QuestionFile

LONGEST_WORDS = 2_000  # characters of old and new words that a finding carries: a quote has 1,200 unless set otherwise


@dataclass(frozen=True, slots=True)
class Golden:
    """A question with the answer that it must have: words, or hashes of quotes, any of which is right; or a refusal."""

    case: Case
    hashes: frozenset[str] = frozenset()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are pinned, of every expected place."""
        return tuple(text for expected in self.case.expect for text in expected.quotes)


def golden_of(questions: QuestionFile, hashes: Mapping[int, frozenset[str]]) -> tuple[Golden, ...]:
    """The entries that pin a quote, and those that must be refused, in the order of the file.

    `hashes` are by line, as `golden_hashes` gives them. Raises UsageFault (`golden-none`) where there is no such entry: a check
    over nothing is not passed.
    """
    every = (Golden(case, hashes.get(case.line, frozenset())) for case in questions.cases)
    found = tuple(one for one in every if one.words or one.hashes or not one.case.answerable)
    if not found:
        raise UsageFault(
            "golden-none",
            f"{questions.path} has no golden answer: no entry pins a quote, and none must be refused.",
            'Add "quote" to the places that are expected, or "quote_sha256" to an entry.',
        )
    return found


def golden_findings(engine: Engine, golden: tuple[Golden, ...], file: str) -> Iterator[Finding]:
    """A finding for each answer that is not as pinned, in order. `file` is the question file as findings show it."""
    located = Pages(engine.index).located
    for one in golden:
        finding = _finding(engine, Golden(located(one.case), one.hashes), file)
        if finding is not None:
            yield finding


def is_kept(one: Golden, quote: Quote) -> bool:
    """Whether a quote has a pinned hash, or shows pinned words on the page that they are pinned to."""
    case = one.case
    if quote.quote_sha256 in one.hashes and (not case.expect or is_from_right_page(case, quote)):
        return True
    return any(
        is_right_page(expected, (quote.page_path, quote.path), quote.source)
        and any(holds(quote.text, words) for words in expected.quotes)
        for expected in case.expect
    )


def _finding(engine: Engine, one: Golden, file: str) -> Finding | None:
    line = 0 if file.lower().endswith(LISTS) else one.case.line
    said = f'"{one.case.question}"'
    try:
        result = engine.ask(one.case.question)
    except QuestionFault as fault:
        return _error(FindingKind.GOLDEN_REFUSED, file, line, f"{said} cannot be asked: {fault.message}", old=_pinned(one))
    if isinstance(result, Refusal):
        if not one.case.answerable:
            return None
        message = f"{said} is refused ({result.reason.value}): {result.message}"
        return _error(FindingKind.GOLDEN_REFUSED, file, line, message, old=_pinned(one))
    if not one.case.answerable:
        message = f"{said} must be refused, and is answered from {_place(result.quotes[0])}."
        return _error(FindingKind.GOLDEN_ANSWERED, file, line, message, new=result.quotes[0].text)
    return None if any(is_kept(one, quote) for quote in result.quotes) else _moved(one, result, file, line)


def _moved(one: Golden, result: Answer, file: str, line: int) -> Finding:
    said = f'"{one.case.question}"'
    same = next((quote for quote in result.quotes if any(holds(quote.text, words) for words in one.words)), None)
    if same is not None:
        expected = ", ".join(dict.fromkeys(place.path for place in one.case.expect))
        message = f"{said} is answered in the same words from {_place(same)}, not from {expected}."
        return _error(FindingKind.GOLDEN_MOVED, file, line, message, _pinned(one), same.text)
    shown = next((quote for quote in result.quotes if is_from_right_page(one.case, quote)), result.quotes[0])
    message = f"{said} is answered in other words, from {_place(shown)}."
    return _error(FindingKind.GOLDEN_MOVED, file, line, message, _pinned(one), shown.text)


def _error(kind: FindingKind, file: str, line: int, message: str, old: str = "", new: str = "") -> Finding:
    return Finding(kind, Level.ERROR, file, line, line, message, old[:LONGEST_WORDS], new[:LONGEST_WORDS])


def _pinned(one: Golden) -> str:
    """What was expected: the first words, else the first hash."""
    return next(iter((*one.words, *sorted(one.hashes))), "")


def _place(quote: Quote) -> str:
    return f"{quote.source}/{quote.path}:{quote.spans[0].start_line}"
