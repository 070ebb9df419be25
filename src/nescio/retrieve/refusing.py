"""Why is a question refused, in one word for programs and plain words for people, and what may be asked instead?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nescio.domain.answers import Change, Reason, TermKind
from nescio.protocols import Index
from nescio.retrieve.question import Understood
from nescio.retrieve.ranking import Hit, Ranking, covered_terms

TOO_MANY_UNKNOWN = 3  # unknown words beside a correction: too much is guessed

_CONTENT = (TermKind.CONTENT, TermKind.CORRECTED, TermKind.UNKNOWN)


def reason_to_refuse(index: Index, understood: Understood, ranking: Ranking, floor: float) -> Reason | None:
    """The reason, or None when something qualified. The first that holds, from the question's faults to weak evidence."""
    if understood.is_empty:
        return Reason.QUESTION_EMPTY
    if not understood.content:
        return Reason.ONLY_STOP_WORDS
    if not index.passages:
        return Reason.CORPUS_EMPTY
    if not _has_known(understood) or _is_guesswork(understood):
        return Reason.UNKNOWN_WORDS
    if ranking.hits and ranking.best >= floor:
        return None
    is_better_outside = ranking.best_anywhere > ranking.best and ranking.best_anywhere >= floor
    return Reason.HIDDEN_BY_FILTER if is_better_outside else Reason.BELOW_FLOOR


def _has_known(understood: Understood) -> bool:
    return any(term.kind in (TermKind.CONTENT, TermKind.CORRECTED, TermKind.PART) for term in understood.terms)


def _is_guesswork(understood: Understood) -> bool:
    return bool(understood.corrections) and len(understood.unknown) >= TOO_MANY_UNKNOWN


def missing(understood: Understood, hit: Hit) -> tuple[str, ...]:
    """The question's content words, as typed, that a passage has neither in its text nor above it; in the question's order."""
    return _words(understood, hit, are_there=False)


def present(understood: Understood, hit: Hit) -> tuple[str, ...]:
    """Those that it has."""
    return _words(understood, hit, are_there=True)


def _words(understood: Understood, hit: Hit, *, are_there: bool) -> tuple[str, ...]:
    there = covered_terms(understood.question, hit.candidate)
    found = (term.word for term in understood.terms if term.kind in _CONTENT and (term.term in there) is are_there)
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Told:
    """What a refusal is told from. `version` was asked, `others` are versions that have an answer."""

    understood: Understood
    ranking: Ranking
    floor: float
    version: str | None = None
    others: Sequence[str] = ()


def message(reason: Reason, told: Told) -> str:
    """A sentence or two for a reader of the refusal."""
    understood = told.understood
    if reason is Reason.BELOW_FLOOR:
        return _below_floor(understood, told.ranking, told.floor)
    unknown, dropped = listed(understood.unknown), ", ".join(understood.dropped)
    sentences = {
        Reason.QUESTION_EMPTY: "The question holds no words.",
        Reason.ONLY_STOP_WORDS: "The question holds only words that every text has" + (f": {dropped}." if dropped else "."),
        Reason.CORPUS_EMPTY: "The index holds no passage: there is nothing to answer from.",
        Reason.UNKNOWN_WORDS: f"The documentation never uses {unknown}.",
        Reason.HIDDEN_BY_FILTER: "What answers the question lies outside of the part that was asked for.",
        Reason.OTHER_VERSION: f"Version {told.version} does not cover it, but {_either(told.others)} does.",
    }
    return sentences[reason]


def _below_floor(understood: Understood, ranking: Ranking, floor: float) -> str:
    if not ranking.hits:
        return "No passage has any of the question's words."
    nearest = max(ranking.hits, key=lambda hit: hit.base.value)
    lacking = missing(understood, nearest)
    never = [word for word in lacking if word in understood.unknown]
    elsewhere = [word for word in lacking if word not in understood.unknown]
    said = ["The nearest passage has every word of the question, but too far apart or in passing."] if not lacking else []
    said += [f"The documentation never uses {listed(never)}."] if never else []
    said += [f"The nearest passage says nothing of {listed(elsewhere)}."] if elsewhere else []
    return " ".join([*said, f"The best evidence is {ranking.best:.2f}, and an answer needs {floor:.2f}."])


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def listed(words: Sequence[str]) -> str:
    """Words in quotation marks, as a sentence names them."""
    quoted = [f'"{word}"' for word in words]
    return " or ".join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]]))


def reworded(text: str, suggestions: Sequence[Change]) -> str | None:
    """The question with the words that the documents use in place of unknown ones; None where none is known."""
    found = text
    for change in suggestions:
        spelled = re.compile(rf"(?<!\w){re.escape(change.before)}(?!\w)", re.IGNORECASE)
        found = spelled.sub(lambda _, after=change.after: after, found)  # type: ignore[misc]
    return found if found != text else None
