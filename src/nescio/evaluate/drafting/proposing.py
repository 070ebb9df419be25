"""Proposes a question file from the documents themselves, for a person to review: what they answer, and near misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, islice, zip_longest

from nescio.domain.candidates import Key, is_changelog
from nescio.engine import Engine
from nescio.evaluate.drafting.candidates import Asker, Candidate
from nescio.evaluate.drafting.misses import Misser
from nescio.evaluate.drafting.rewording import reworded
from nescio.evaluate.drafting.survey import Survey
from nescio.evaluate.drafting.values import Draft, DraftKind, Wanted, in_order_of, same_words
from nescio.protocols import Index

MOST_PER_PAGE = 4
MOST_PAGES = 2_000  # that are read; more bring no better choice
BASES = 6  # pages with candidates per question wanted, so that kinds and near misses have a choice
REWORDED_EVERY = 3
# What share of the answerable questions each kind should have, where the documents have it.
SHARES = {
    DraftKind.HEADING: 0.45,
    DraftKind.DEFINITION: 0.2,
    DraftKind.IDENTIFIER: 0.15,
    DraftKind.OPTION: 0.1,
    DraftKind.DEFAULT: 0.1,
}


def drafts(engine: Engine, wanted: Wanted) -> tuple[Draft, ...]:
    """At most as many as wanted of each sort: the answerable ones, then the near misses; none twice.

    The same for the same index and seed. At most MOST_PER_PAGE of each sort are of one page.
    """
    index = engine.index
    survey = Survey(index)
    pages = _pages(index, wanted.seed)
    asker = Asker(index, survey, named=len({source for source, _ in pages}) > 1)
    by_page = _looked_at(asker, [keys for _, keys in pages], BASES * max(wanted.answerable, wanted.unanswerable))
    chosen = _chosen(by_page, wanted.answerable)
    answerable = _each_once(_answerable(survey, chosen))
    others = [candidate for turn in zip_longest(*by_page) for candidate in turn if candidate and candidate not in chosen]
    misser = Misser(survey, wanted.seed, (*others, *chosen))
    return (*answerable, *_misses(misser, (*chosen, *others), wanted.unanswerable))


def _pages(index: Index, seed: int) -> list[tuple[str, list[Key]]]:
    """The source and the passages of each page to ask of, sources in turn, in an order of the seed. No lists of changes."""
    by_source: dict[str, list[tuple[bytes, str, list[Key]]]] = {}
    for _, group in groupby(index.keys(), key=lambda key: key.page):
        keys = list(group)
        passage = index.passage(keys[0]).passage
        if not is_changelog(passage.page_path):
            order = in_order_of(seed, f"{passage.source}/{passage.page_path}")
            by_source.setdefault(passage.source, []).append((order, passage.source, keys))
    turns = zip_longest(*(sorted(pages) for pages in by_source.values()))
    return [(page[1], page[2]) for turn in turns for page in turn if page]


def _looked_at(asker: Asker, pages: Iterable[Sequence[Key]], enough: int) -> list[list[Candidate]]:
    """The candidates page by page, until so many pages have some."""
    found = (asker.candidates(keys) for keys in islice(pages, MOST_PAGES))
    return list(islice(filter(None, found), enough))


def _chosen(by_page: Iterable[Sequence[Candidate]], wanted: int) -> list[Candidate]:
    """One of each page, then a second, then a third: each time of the kind that is furthest behind its share."""
    waiting = [list(candidates) for candidates in by_page]
    taken: Counter[DraftKind] = Counter()
    chosen: list[Candidate] = []
    seen: set[str] = set()
    for _ in range(MOST_PER_PAGE):
        for candidates in waiting:
            if len(chosen) >= wanted:
                return chosen
            fresh = [one for one in candidates if one.question not in seen and one.key.word not in seen]
            if fresh:
                best = min(fresh, key=lambda one: taken[one.kind] / SHARES[one.kind])
                candidates.remove(best)
                seen.update((best.question, best.key.word))
                taken[best.kind] += 1
                chosen.append(best)
    return chosen


def _answerable(survey: Survey, chosen: Iterable[Candidate]) -> Iterator[Draft]:
    """Each as a draft. One of REWORDED_EVERY is put in other words, or a later one where that cannot be done."""
    done = 0
    for number, candidate in enumerate(chosen, 1):
        other = reworded(candidate.question) if done < number // REWORDED_EVERY else None
        done += other is not None
        alone = len(survey.pages_with(candidate.key.term)) == 1
        path = candidate.place.path if alone else None
        question = other or candidate.question
        yield Draft(question, candidate.kind, (candidate.place,), reworded=other is not None, unanswerable_without=path)


def _misses(misser: Misser, bases: Sequence[Candidate], wanted: int) -> Iterator[Draft]:
    """Half of each kind, as far as they go; what one lacks the other makes up."""
    swapped = _each_once(_of_pages(bases, misser.swapped))
    paired = _each_once(_of_pages(bases[::-1], misser.paired))
    first = list(islice(swapped, (wanted + 1) // 2))
    second = list(islice(paired, wanted - len(first)))
    more = islice(swapped, wanted - len(first) - len(second))
    return chain(first, more, second)


def _of_pages(bases: Iterable[Candidate], make: Callable[[Candidate], Draft | None]) -> Iterator[Draft]:
    made: Counter[int] = Counter()
    for base in bases:
        draft = make(base) if made[base.page] < MOST_PER_PAGE else None
        if draft is not None:
            made[base.page] += 1
            yield draft


def _each_once(drafts_: Iterable[Draft]) -> Iterator[Draft]:
    seen: set[str] = set()
    for draft in drafts_:
        if same_words(draft.question) not in seen:
            seen.add(same_words(draft.question))
            yield draft
