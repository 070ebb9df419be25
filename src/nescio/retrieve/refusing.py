"""Why is a question refused, in one word for programs and one sentence for people?"""

from __future__ import annotations

from nescio.domain.answers import Reason, TermKind
from nescio.protocols import Index
from nescio.retrieve.question import Understood
from nescio.retrieve.ranking import Ranking

TOO_MANY_UNKNOWN = 3  # unknown words beside a correction: too much is guessed


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


def message(reason: Reason, understood: Understood, ranking: Ranking, floor: float) -> str:
    """One sentence for a reader of the refusal."""
    unknown, dropped = ", ".join(understood.unknown), ", ".join(understood.dropped)
    sentences = {
        Reason.QUESTION_EMPTY: "The question holds no words.",
        Reason.ONLY_STOP_WORDS: "The question holds only words that every text has" + (f": {dropped}." if dropped else "."),
        Reason.CORPUS_EMPTY: "The index holds no passage: there is nothing to answer from.",
        Reason.UNKNOWN_WORDS: f"The documentation never uses these words: {unknown}.",
        Reason.HIDDEN_BY_FILTER: "What answers the question lies outside of the part that was asked for.",
        Reason.BELOW_FLOOR: (
            f"No passage covers enough of the question: the best scores {ranking.best:.2f}, the floor is {floor:.2f}"
            + (f"; no passage uses: {unknown}." if unknown else ".")
        ),
    }
    return sentences[reason]
