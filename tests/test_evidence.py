"""How much of a question a passage covers: each rule with figures worked out by hand, and what holds for any."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.domain.candidates import Candidate, Key, Question, WeightedTerm
from nescio.domain.terms import Sentence
from nescio.retrieve.evidence import (
    ASKED_PRECISION,
    ASKED_RECALL,
    ELSEWHERE,
    EVIDENCE,
    LEAST_NEXT,
    NEXT_PAGES,
    NO_NUMBER,
    OF_PAGE,
    OF_PASSAGE,
    OF_SENTENCE,
    OF_WINDOW,
    OFFSET,
    REFERRING,
    STANDOUT,
    WINDOW_HEADING,
    WINDOW_WORDS,
    Evidence,
    evidence,
    score,
    standout,
)

LINK = 1


def at(*positions: int, link: bool = False) -> list[int]:
    return [position * 2 + link for position in positions]


def asked(*shares: float, missing: float = 0.0, number: bool = False) -> Question:
    terms = tuple(WeightedTerm(f"t{number}", share or 1.0, share) for number, share in enumerate(shares))
    return Question(terms, sum(term.weight for term in terms) + missing, sum(shares) + missing, asks_number=number)


def candidate(
    *places: list[int],
    sentences: tuple[tuple[int, bool], ...] = ((0, False),),
    counts: tuple[int, ...] = (),
    paragraphs: tuple[int, ...] = (0,),
    heading: tuple[int, ...] = (),
    path: tuple[int, ...] = (),
    bm25: tuple[float, float, float] = (0.0, 0.0, 0.0),
    heading_precision: float = 0.0,
) -> Candidate:
    """`places` of each term; `heading` and `path` are the terms that stand there, `counts` the sentences with a number."""
    return Candidate(
        Key(0, 0),
        *bm25,
        places,
        tuple(term in heading for term in range(len(places))),
        tuple(term in path for term in range(len(places))),
        [Sentence(start, refers, number in counts).packed for number, (start, refers) in enumerate(sentences)],
        list(paragraphs),
        length=100,
        heading_precision=heading_precision,
    )


def sentence(question: Question, found: Candidate) -> float:
    return evidence(question, found).sentence


def window(question: Question, found: Candidate) -> float:
    return evidence(question, found).window


# --- s: the best sentence --------------------------------------------------------------------------------------------


def test_a_sentence_with_every_word_covers_the_whole_question() -> None:
    assert sentence(asked(2.0, 1.0), candidate(at(3), at(5))) == pytest.approx(1.0)


def test_a_word_counts_by_its_share() -> None:
    assert sentence(asked(3.0, 1.0), candidate(at(3), [])) == pytest.approx(3 / 4)


def test_a_word_that_no_passage_has_counts_as_missing() -> None:
    assert sentence(asked(2.0, missing=2.0), candidate(at(0))) == pytest.approx(1 / 2)


def test_a_word_without_a_share_counts_nothing() -> None:
    question = Question((WeightedTerm("the", 0.3, 0.0), WeightedTerm("floor", 2.0, 2.0)), 2.3, 2.0)
    found = evidence(question, candidate(at(0), []))
    assert (found.sentence, found.window) == (0.0, 0.0)


def test_a_question_without_content_has_no_evidence() -> None:
    found = evidence(Question((), 1.0, 0.0), candidate())
    assert (found.sentence, found.window) == (0.0, 0.0)


@pytest.mark.parametrize("above", [{"heading": (1,)}, {"path": (1,)}])
def test_a_word_only_in_the_heading_or_the_path_counts_six_tenths(above: dict[str, tuple[int, ...]]) -> None:
    assert sentence(asked(1.0, 1.0), candidate(at(0), [], **above)) == pytest.approx((1 + 0.6) / 2)  # type: ignore[arg-type]
    assert ELSEWHERE == 0.6


def test_a_word_in_the_heading_and_in_the_sentence_counts_once_in_full() -> None:
    assert sentence(asked(1.0, 1.0), candidate(at(0), at(1), heading=(1,))) == pytest.approx(1.0)


def test_words_in_the_heading_alone_are_evidence_too() -> None:
    assert sentence(asked(1.0, 3.0), candidate([], [], heading=(0,), sentences=())) == pytest.approx(0.6 / 4)


def test_a_word_only_in_link_text_counts_six_tenths() -> None:
    assert sentence(asked(1.0, 1.0), candidate(at(0), at(1, link=True))) == pytest.approx((1 + 0.6) / 2)


def test_a_word_in_link_text_and_beside_it_counts_in_full() -> None:
    assert sentence(asked(1.0), candidate([*at(0, link=True), *at(4)])) == pytest.approx(1.0)
    assert sentence(asked(1.0), candidate([*at(0), *at(4, link=True)])) == pytest.approx(1.0)


def test_a_word_in_another_sentence_of_the_paragraph_counts_six_tenths() -> None:
    two_sentences = candidate(at(0), at(6), sentences=((0, False), (5, False)))
    assert sentence(asked(2.0, 1.0), two_sentences) == pytest.approx((2 + 0.6) / 3)


def test_a_word_of_the_heading_in_another_sentence_keeps_its_six_tenths() -> None:
    found = candidate(at(0), at(6), sentences=((0, False), (5, False)), heading=(1,))
    assert sentence(asked(2.0, 1.0), found) == pytest.approx((2 + 0.6) / 3)


def test_a_word_in_another_paragraph_counts_nothing() -> None:
    apart = candidate(at(0), at(6), sentences=((0, False), (5, False)), paragraphs=(0, 5))
    assert sentence(asked(2.0, 1.0), apart) == pytest.approx(2 / 3)


def test_a_sentence_that_points_elsewhere_counts_eight_tenths() -> None:
    assert sentence(asked(1.0), candidate(at(2), sentences=((0, True),))) == pytest.approx(0.8)
    assert REFERRING == 0.8


def test_a_sentence_that_says_it_goes_before_one_that_points_elsewhere() -> None:
    both = candidate(at(0, 6), at(1), sentences=((0, True), (5, False)), paragraphs=(0, 5))
    assert sentence(asked(3.0, 1.0), both) == pytest.approx(max(4 * 0.8, 3.0) / 4)


def test_a_sentence_without_a_number_counts_eight_tenths_where_only_a_number_answers() -> None:
    two_sentences = {"sentences": ((0, False), (5, False)), "counts": (1,), "paragraphs": (0, 5)}
    assert sentence(asked(1.0, number=True), candidate(at(0), **two_sentences)) == pytest.approx(0.8)  # type: ignore[arg-type]
    assert sentence(asked(1.0, number=True), candidate(at(6), **two_sentences)) == pytest.approx(1.0)  # type: ignore[arg-type]
    assert sentence(asked(1.0), candidate(at(0), **two_sentences)) == pytest.approx(1.0)  # type: ignore[arg-type]
    assert NO_NUMBER == 0.8


def test_a_heading_alone_holds_no_number() -> None:
    assert sentence(asked(1.0, number=True), candidate([], heading=(0,), sentences=())) == pytest.approx(0.6 * 0.8)


def test_a_word_at_the_start_of_a_sentence_belongs_to_it() -> None:
    referring_first = candidate(at(5), sentences=((0, True), (5, False)))
    assert sentence(asked(1.0), referring_first) == pytest.approx(1.0)
    in_link = candidate(at(5, link=True), sentences=((0, False), (5, True)))
    assert sentence(asked(1.0), in_link) == pytest.approx(0.6 * 0.8)


# --- w: the best window ----------------------------------------------------------------------------------------------


def test_words_within_the_window_count_together() -> None:
    assert window(asked(1.0, 1.0), candidate(at(0), at(WINDOW_WORDS - 1))) == pytest.approx(1.0)
    assert WINDOW_WORDS == 12


def test_words_further_apart_count_one_at_a_time() -> None:
    assert window(asked(2.0, 1.0), candidate(at(0), at(WINDOW_WORDS))) == pytest.approx(2 / 3)


def test_a_word_counts_once_in_a_window() -> None:
    assert window(asked(1.0, 1.0), candidate(at(0, 1, 2, 3), at(40))) == pytest.approx(1 / 2)


def test_a_window_may_stand_anywhere() -> None:
    assert window(asked(1.0, 1.0, 1.0), candidate(at(0, 50), at(55), at(20, 58))) == pytest.approx(1.0)


def test_a_word_of_the_heading_has_its_part_of_every_window() -> None:
    assert window(asked(1.0, 1.0), candidate(at(0), [], heading=(1,))) == pytest.approx((1 + 0.7) / 2)
    assert window(asked(1.0, 1.0), candidate(at(0), at(90), heading=(1,))) == pytest.approx((1 + 0.7) / 2)
    assert window(asked(1.0, 1.0), candidate(at(0), at(5), heading=(1,))) == pytest.approx(1.0)
    assert WINDOW_HEADING == 0.7


# --- e, D and the score ----------------------------------------------------------------------------------------------


def test_what_decides_leaves_out_the_passage_s_bm25_and_what_orders_has_it() -> None:
    found = evidence(
        asked(1.0, 1.0), candidate(at(0), at(40), bm25=(0.5, 0.3, 0.2), paragraphs=(0, 30), sentences=((0, False), (30, False)))
    )
    assert (found.passage_bm25, found.page_bm25, found.sentence, found.window) == (0.5, 0.3, 0.5, 0.5)
    assert found.mean == pytest.approx((0.3 + 0.5 + 0.5) / 3)
    orders = OF_PASSAGE * 0.5 + OF_PAGE * 0.3 + OF_SENTENCE * 0.5 + OF_WINDOW * 0.5
    assert found.rank == pytest.approx(orders)
    assert sum((OF_PASSAGE, OF_PAGE, OF_SENTENCE, OF_WINDOW)) == pytest.approx(1.0)
    assert found.extra == 0.2


def test_a_heading_that_is_the_question_is_as_good_as_a_sentence() -> None:
    question = asked(2.0, 1.0)
    headed = candidate(at(3), [], heading=(0, 1), heading_precision=ASKED_PRECISION)
    assert (sentence(question, headed), window(question, headed)) == (1.0, 1.0)


def test_a_heading_with_more_to_it_than_the_question_is_none() -> None:
    wider = candidate([], [], heading=(0, 1), heading_precision=ASKED_PRECISION - 0.01)
    assert sentence(asked(2.0, 1.0), wider) == pytest.approx(ELSEWHERE)
    assert window(asked(2.0, 1.0), wider) == pytest.approx(WINDOW_HEADING)


def test_a_heading_with_less_than_the_question_is_none() -> None:
    narrow = candidate([], [], heading=(0,), heading_precision=1.0)
    assert sentence(asked(1.0, 1.0), narrow) == pytest.approx(ELSEWHERE / 2)
    lacking = candidate([], heading=(0,), heading_precision=1.0)
    assert sentence(asked(9.0, missing=1.0), lacking) == pytest.approx(ASKED_RECALL)
    assert sentence(asked(8.9, missing=1.1), lacking) == pytest.approx(8.9 / 10 * ELSEWHERE)


def test_the_words_of_the_path_do_not_make_a_heading_the_question() -> None:
    assert sentence(asked(1.0), candidate([], path=(0,), heading_precision=1.0)) == pytest.approx(ELSEWHERE)


def with_mean(page: int, mean: float, number: int = 0) -> Evidence:
    return Evidence(Key(page, number), mean, mean, mean, mean, 0.0)


MANY = 100  # pages


def test_the_only_page_stands_out_by_its_evidence() -> None:
    assert standout([with_mean(0, 0.6), with_mean(0, 0.5, 1)], 1) == pytest.approx(0.6)
    assert standout([], MANY) == 0.0


def test_the_best_page_stands_out_from_the_mean_of_the_next() -> None:
    found = [with_mean(0, 0.9), with_mean(0, 0.1, 1), with_mean(1, 0.7), with_mean(2, 0.5), with_mean(3, 0.6)]
    assert standout(found, MANY) == pytest.approx(0.9 - 0.6)


def test_a_page_that_is_weak_or_has_no_word_counts_four_tenths() -> None:
    found = [with_mean(0, 0.9), with_mean(1, 0.7), with_mean(2, 0.1)]
    assert standout(found, MANY) == pytest.approx(0.9 - (0.7 + 0.4 + 0.4) / 3)
    assert standout(found[:1], MANY) == pytest.approx(0.9 - 0.4)
    assert LEAST_NEXT == 0.4


def test_a_small_corpus_has_fewer_next_pages() -> None:
    assert standout([with_mean(0, 0.9), with_mean(1, 0.7)], 2) == pytest.approx(0.9 - 0.7)
    assert standout([with_mean(0, 0.9), with_mean(1, 0.7)], 3) == pytest.approx(0.9 - (0.7 + 0.4) / 2)


def test_only_the_next_three_pages_are_looked_at() -> None:
    found = [with_mean(0, 0.9), *(with_mean(1 + page, 0.5) for page in range(NEXT_PAGES)), with_mean(20, 0.45)]
    assert standout(found, MANY) == pytest.approx(0.9 - 0.5)
    assert NEXT_PAGES == 3


def test_the_score_is_the_fitted_curve() -> None:
    assert score(0.5, 0.2) == pytest.approx(1 / (1 + math.exp(OFFSET - EVIDENCE * 0.5 - STANDOUT * 0.2)))
    assert score(0.0, 0.0) < 0.01
    assert score(1.0, 1.0) > 0.99


# --- For any candidate -----------------------------------------------------------------------------------------------

SHARES = st.lists(st.floats(0.1, 10), min_size=1, max_size=5)
PLACES = st.lists(st.integers(0, 200), max_size=6).map(lambda found: sorted(set(found)))


@st.composite
def candidates(draw: st.DrawFn) -> tuple[Question, Candidate]:
    shares = draw(SHARES)
    starts = [0, *accumulate(draw(st.lists(st.integers(1, 20), max_size=8)))]
    paragraphs = [0, *sorted(set(draw(st.lists(st.sampled_from(starts), max_size=3))) - {0})]
    count = len(shares)
    found = candidate(
        *(draw(PLACES) for _ in range(count)),
        sentences=tuple((start, draw(st.booleans())) for start in starts),
        counts=tuple(draw(st.sets(st.integers(0, len(starts) - 1)))),
        paragraphs=tuple(paragraphs),
        heading=tuple(draw(st.sets(st.integers(0, count - 1)))),
        path=tuple(draw(st.sets(st.integers(0, count - 1)))),
        bm25=(draw(st.floats(0, 1)), draw(st.floats(0, 1)), 0.0),
    )
    return asked(*shares, missing=draw(st.floats(0, 5)), number=draw(st.booleans())), found


def plainly(question: Question, found: Candidate) -> tuple[float, float]:
    """s and w from their definitions, every window tried, and every sentence that has a word of the question."""
    count = len(question.terms)
    above = [heading or path for heading, path in zip(found.in_heading, found.in_path, strict=True)]
    share = [term.share for term in question.terms]
    bounds = [*(packed >> 2 for packed in found.sentences), 10**9]
    fences = [*found.paragraphs, 10**9]
    best_sentence = sum(share[term] * 0.6 for term in range(count) if above[term]) * (0.8 if question.asks_number else 1.0)
    for number, (start, end) in enumerate(pairwise(bounds)):
        paragraph = max(at for at, first in enumerate(fences[:-1]) if first <= start)
        worth = 0.0
        for term in range(count):
            inside = [place for place in found.places[term] if start <= place >> 1 < end]
            near = any(fences[paragraph] <= place >> 1 < fences[paragraph + 1] for place in found.places[term])
            in_text = any(not place & 1 for place in inside)
            worth += share[term] * (1.0 if in_text else 0.6 if inside or above[term] or near else 0.0)
        has_word = any(start <= place >> 1 < end for places in found.places for place in places)
        worth *= 0.8 if found.sentences[number] & 1 else 1.0
        worth *= 0.8 if question.asks_number and not found.sentences[number] & 2 else 1.0
        best_sentence = max(best_sentence, has_word * worth)
    best_window = 0.0
    for end in {place >> 1 for places in found.places for place in places} | {0}:
        inside = [any(end - 12 < place >> 1 <= end for place in found.places[term]) for term in range(count)]
        worth = sum(share[term] * (1.0 if inside[term] else 0.7 if above[term] else 0.0) for term in range(count))
        best_window = max(best_window, worth)
    return best_sentence / question.share_total, best_window / question.share_total


@given(candidates())
def test_each_measure_is_between_none_and_all(made: tuple[Question, Candidate]) -> None:
    found = evidence(*made)
    for measure in (found.sentence, found.window, found.mean):
        assert 0 <= measure <= 1 + 1e-9


@given(candidates())
def test_the_measures_are_what_their_definitions_say(made: tuple[Question, Candidate]) -> None:
    found = evidence(*made)
    assert (found.sentence, found.window) == pytest.approx(plainly(*made))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_more_evidence_and_more_standing_out_never_score_less(one: float, other: float, here: float, there: float) -> None:
    assert score(max(one, other), here) >= score(min(one, other), here)
    assert score(one, max(here, there)) >= score(one, min(here, there))
    assert 0 < score(one, here) < 1
