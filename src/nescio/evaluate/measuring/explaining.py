"""Why did a case come out wrong? In two plain sentences at most, from what the engine said of it."""

from __future__ import annotations

from collections.abc import Iterable

from nescio.domain.answers import Answer, Quote, Refusal
from nescio.domain.reports import HitExplanation
from nescio.evaluate.measuring.outcomes import Outcome, Verdict
from nescio.evaluate.measuring.places import pages, rank_of_right_page
from nescio.evaluate.measuring.verdicts import verdict
from nescio.evaluate.questions.cases import Case

MOST_NAMED = 5  # words, or places, in one sentence


def why(outcome: Outcome) -> str:
    """One or two sentences; nothing of a case that came out right."""
    result, found = outcome.result, verdict(outcome)
    if result is None:
        return f"It could not be asked ({outcome.fault}) and counts as refused."
    if isinstance(result, Refusal) and found is Verdict.WRONGLY_REFUSED:
        return f"{_refused(result)} {_where_it_stood(outcome)}".rstrip()
    if isinstance(result, Answer) and found is Verdict.WRONGLY_ANSWERED:
        return f"{_answered(outcome, result)} {_shown_of(outcome)}"
    if isinstance(result, Answer) and found is Verdict.WRONG_PAGE:
        places = dict.fromkeys(_place(quote.page_path, quote.heading_path) for quote in result.quotes)
        return f"Quoted from {_several(places)}. {_sentence(_right_page(outcome))}"
    return ""


def _refused(refusal: Refusal) -> str:
    unknown = f"; in no passage: {_several(refusal.searched.unknown)}" if refusal.searched.unknown else ""
    return (
        f"Refused ({refusal.reason.value}): the best evidence is {refusal.base:.3f}, the floor is {refusal.floor:.3f}{unknown}."
    )


def _where_it_stood(outcome: Outcome) -> str:
    """Where the right page came, and what came first; empty where nothing was ranked and no page is named."""
    closest = [f"the closest passage is in {_place(hit.page_path, hit.heading_path)}" for hit in outcome.hits[:1]]
    if not outcome.case.expect:
        return _sentence(closest[0]) if closest else ""
    if rank_of_right_page(outcome) == 1:
        return _sentence(f"{closest[0]}, the right page")
    return _sentence("; ".join((_right_page(outcome), *closest)))


def _right_page(outcome: Outcome) -> str:
    """Where a right page came in the ranking, as a clause."""
    rank = rank_of_right_page(outcome)
    if rank is not None:
        page = pages(outcome)[rank - 1]
        base = max(hit.base for hit in outcome.hits if hit.page_path == page)
        return f"the right page {page} came as number {rank} of the pages, with evidence {base:.3f}"
    if not any(place.pages for place in outcome.case.expect):
        return f"no page of the index is {_wanted(outcome.case)}"
    return f"the right page {_wanted(outcome.case)} is not among the {len(outcome.hits)} passages that were looked at"


def _wanted(case: Case) -> str:
    return _several(dict.fromkeys(place.path for place in case.expect), " or ")


def _answered(outcome: Outcome, answer: Answer) -> str:
    quote = answer.quotes[0]
    hit = _hit_of(outcome, quote)
    covers = "" if hit is None else f", where one sentence covers {hit.sentence * 100:.0f} % of the question"
    place = _place(quote.page_path, quote.heading_path)
    return f"Answered from {place} with evidence {answer.base:.3f} (floor {answer.floor:.3f}){covers}."


def _hit_of(outcome: Outcome, quote: Quote) -> HitExplanation | None:
    return next((hit for hit in outcome.hits if hit.passage_id == quote.passage_id), None)


def _shown_of(outcome: Outcome) -> str:
    if not outcome.lacking:
        return "The quotes have every content word of the question."
    return f"The quotes lack: {_several(outcome.lacking)}."


def _place(page: str, headings: Iterable[str]) -> str:
    return " > ".join((page, *headings))


def _several(items: Iterable[str], joint: str = ", ") -> str:
    """All of a few; of many the first, and how many more there are."""
    found = list(items)
    more = len(found) - MOST_NAMED
    return joint.join(found[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."
