"""The figures of an evaluation against brute force, worked examples and what must hold of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.evaluate.metrics import calibration
from nescio.evaluate.metrics.auroc import auroc, auroc_interval
from nescio.evaluate.metrics.hits import hit
from nescio.evaluate.metrics.overlap import MOST_WORDS, common_length, holds, overlap, words
from nescio.evaluate.metrics.risk import risk_area, risk_points
from nescio.evaluate.metrics.shares import share, wilson

SCORES = st.lists(st.integers(0, 6).map(lambda one: one / 6), min_size=1, max_size=12)
JUDGED = st.lists(st.tuples(st.integers(0, 4).map(lambda one: one / 4), st.booleans()), min_size=1, max_size=20)
WORDS = st.lists(st.sampled_from("abc"), max_size=7)


# --- Shares ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_intervals_of_the_literature(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=5e-5)


def test_a_share_of_nothing_is_open() -> None:
    assert share([]).value == 0.0
    assert share([]).interval == (0.0, 1.0)


# --- AUROC -----------------------------------------------------------------------------------------------------------


@given(SCORES, SCORES)
def test_auroc_is_the_share_of_pairs_in_the_right_order(positives: list[float], negatives: list[float]) -> None:
    pairs = [(high > low) + (high == low) / 2 for high in positives for low in negatives]
    assert auroc(positives, negatives) == pytest.approx(sum(pairs) / len(pairs))


@given(SCORES, SCORES)
def test_auroc_of_the_sorts_exchanged_is_the_rest_to_one(positives: list[float], negatives: list[float]) -> None:
    area, other = auroc(positives, negatives), auroc(negatives, positives)
    assert area is not None
    assert other == pytest.approx(1 - area)


@given(st.floats(0, 1), st.integers(1, 300), st.integers(1, 300))
def test_an_interval_of_auroc_holds_the_area_and_stays_between_0_and_1(area: float, positives: int, negatives: int) -> None:
    low, high = auroc_interval(area, positives, negatives)
    assert 0 <= low <= area <= high <= 1


@given(st.floats(0, 1), st.integers(1, 100), st.integers(1, 100))
def test_an_interval_of_auroc_is_mirrored_with_the_area(area: float, positives: int, negatives: int) -> None:
    low, high = auroc_interval(area, positives, negatives)
    assert auroc_interval(1 - area, negatives, positives) == pytest.approx((1 - high, 1 - low), abs=1e-6)


def test_sorts_told_apart_without_a_fault_leave_doubt_that_shrinks_with_their_number() -> None:
    few, many = auroc_interval(1.0, 14, 14), auroc_interval(1.0, 140, 140)
    assert few[1] == many[1] == 1.0
    assert 0.8 < few[0] < 0.9 < many[0] < 1.0


def test_an_interval_of_auroc_holds_the_true_area_as_often_as_it_says() -> None:
    drawn, true_area, held = random.Random(7), 0.75, 0
    for _ in range(300):
        positives = [max(drawn.random(), drawn.random(), drawn.random()) for _ in range(40)]  # P(max of 3 > 1) = 3/4
        negatives = [drawn.random() for _ in range(60)]
        area = auroc(positives, negatives)
        assert area is not None
        low, high = auroc_interval(area, 40, 60)
        held += low <= true_area <= high
    assert 0.91 <= held / 300 <= 0.99


def test_auroc_of_one_sort_alone_is_unknown() -> None:
    assert auroc([], [0.5]) is None
    assert auroc_interval(0.5, 0, 3) == (0.0, 1.0)


# --- Hits ------------------------------------------------------------------------------------------------------------


def test_a_hit_is_any_right_one_among_the_first() -> None:
    assert hit(["x", "a"], {"a", "b"}, 2)
    assert not hit(["x", "a"], {"a", "b"}, 1)
    assert not hit([], {"a"}, 5)


# --- Overlap ---------------------------------------------------------------------------------------------------------


def longest_by_trying(first: Sequence[str], second: Sequence[str]) -> int:
    """Every subsequence of the first, tried against the second."""

    def is_in(some: Sequence[str]) -> bool:
        rest = iter(second)
        return all(word in rest for word in some)

    return max(size for size in range(len(first) + 1) for some in combinations(first, size) if is_in(some))


@given(WORDS, WORDS)
def test_the_longest_common_subsequence_is_what_trying_all_finds(first: list[str], second: list[str]) -> None:
    assert common_length(first, second) == longest_by_trying(first, second)


def test_overlap_is_the_share_of_words_in_order() -> None:
    assert overlap("Keys are rotated every ninety days.", "keys are rotated every ninety days") == 1.0
    assert overlap("days ninety every", "every ninety days") == pytest.approx(1 / 3)
    assert overlap("Keys, as a rule, are kept.", "Keys are rotated") == pytest.approx(2 / 3)
    assert overlap("nothing of it", "every ninety days") == 0.0


def test_white_space_case_and_punctuation_do_not_count_in_overlap() -> None:
    assert overlap("World War I,\r\n the DADA\tmovement .", "world war i , the Dada movement") == 1.0
    assert words("Straße  2.0") == ["strasse", "2", "0"]


def test_scripts_without_spaces_overlap_letter_by_letter() -> None:
    assert overlap("\u6587\u5b57\u5217", "\u6587\u5b57") == 1.0
    assert overlap("\u6587\u7ae0", "\u6587\u5b57") == 0.5


def test_an_expectation_without_words_is_shown_whole_or_not_at_all() -> None:
    assert overlap("a => b", "=>") == 1.0
    assert overlap("a -> b", "=>") == 0.0


def test_only_so_many_words_are_compared() -> None:
    assert len(words("a " * (MOST_WORDS + 5))) == MOST_WORDS
    assert overlap("a b " * MOST_WORDS, "b a " * MOST_WORDS) == pytest.approx(1.0, abs=1e-3)


def test_a_quote_holds_what_stands_in_it_white_space_apart() -> None:
    assert holds("The limit\n is 40.", "limit is  40")
    assert not holds("The limit is 40.", "limit is 41")
    assert not holds("The limit is 40.", "LIMIT")


# --- Risk and coverage -----------------------------------------------------------------------------------------------


def test_risk_rises_as_more_is_answered() -> None:
    points = risk_points([(0.9, False), (0.8, True), (0.3, False), (0.1, True)])
    assert points == [(0.25, 0.0, 0.9), (0.5, 0.5, 0.8), (0.75, pytest.approx(1 / 3), 0.3), (1.0, 0.5, 0.1)]


def test_the_area_is_the_mean_risk_over_the_coverages() -> None:
    judged = [(0.9, False), (0.8, True), (0.3, False), (0.1, True)]
    assert risk_area(judged) == pytest.approx((0 + 1 / 2 + 1 / 3 + 2 / 4) / 4)
    assert risk_area([]) is None
    assert risk_points([]) == []


def test_equal_confidences_make_one_point_and_their_even_rate() -> None:
    judged = [(0.5, True), (0.5, False), (0.5, False), (0.5, False)]
    assert risk_points(judged) == [(1.0, 0.25, 0.5)]
    assert risk_area(judged) == pytest.approx(0.25)


@given(JUDGED, st.randoms(use_true_random=False))
def test_the_order_of_a_file_does_not_matter_to_risk(judged: list[tuple[float, bool]], drawn: random.Random) -> None:
    shuffled = list(judged)
    drawn.shuffle(shuffled)
    assert risk_points(shuffled) == risk_points(judged)
    assert risk_area(shuffled) == risk_area(judged)


@given(JUDGED)
def test_the_last_point_answers_everything(judged: list[tuple[float, bool]]) -> None:
    coverage, risk, confidence = risk_points(judged)[-1]
    assert coverage == 1.0
    assert risk == pytest.approx(sum(wrong for _, wrong in judged) / len(judged))
    assert confidence == min(one for one, _ in judged)


# --- Calibration -----------------------------------------------------------------------------------------------------


def test_a_perfect_bin_has_no_error() -> None:
    """Of ten with .2 two are covered, of ten with .8 eight."""
    covered, uncovered = [0.2] * 2 + [0.8] * 8, [0.2] * 8 + [0.8] * 2
    assert calibration.calibration_error(covered, uncovered, bins=2) == pytest.approx(0.0, abs=1e-12)
    assert calibration.reliability(covered, uncovered, bins=2) == [
        (0.2, 0.2, 10, pytest.approx(0.2), pytest.approx(0.2)),
        (0.8, 0.8, 10, pytest.approx(0.8), pytest.approx(0.8)),
    ]


def test_a_confidence_of_one_that_is_wrong_half_the_time_is_off_by_a_half() -> None:
    assert calibration.calibration_error([1.0] * 4, [1.0] * 4) == pytest.approx(0.5)
    assert calibration.brier([1.0] * 4, [1.0] * 4) == pytest.approx(0.5)


def test_both_sorts_weigh_equally_whatever_the_file_has_of_each() -> None:
    assert calibration.calibration_error([0.5] * 90, [0.5] * 10) == pytest.approx(0.0, abs=1e-12)
    assert calibration.brier([1.0] * 90, [1.0] * 10) == pytest.approx(0.5)


def test_bins_have_equal_mass_where_confidences_differ() -> None:
    confidences = [one / 100 for one in range(100)]
    bins = calibration.reliability(confidences[::2], confidences[1::2])
    assert [count for _, _, count, _, _ in bins] == [20] * 5
    assert [low for low, *_ in bins] == [0.0, 0.2, 0.4, 0.6, 0.8]


@given(SCORES, SCORES, st.randoms(use_true_random=False))
def test_the_order_of_a_file_does_not_matter_to_calibration(
    covered: list[float], uncovered: list[float], drawn: random.Random
) -> None:
    def everything() -> tuple[object, ...]:
        both = covered, uncovered
        return (
            calibration.reliability(*both),
            calibration.calibration_error(*both),
            calibration.error_interval(*both),
            calibration.brier(*both),
        )

    before = everything()
    drawn.shuffle(covered)
    drawn.shuffle(uncovered)
    assert everything() == before


@given(SCORES, SCORES, st.integers(1, 8))
def test_bins_hold_every_case_once_and_lie_in_order(covered: list[float], uncovered: list[float], bins: int) -> None:
    found = calibration.reliability(covered, uncovered, bins)
    assert 1 <= len(found) <= bins
    assert sum(count for _, _, count, _, _ in found) == len(covered) + len(uncovered)
    edges = [edge for low, high, *_ in found for edge in (low, high)]
    assert edges == sorted(edges)
    assert all(low - 1e-12 <= said <= high + 1e-12 and 0 <= is_so <= 1 for low, high, _, said, is_so in found)


@given(SCORES, SCORES)
def test_the_interval_of_the_error_holds_it_and_comes_out_the_same_again(covered: list[float], uncovered: list[float]) -> None:
    error = calibration.calibration_error(covered, uncovered)
    low, high = calibration.error_interval(covered, uncovered)
    assert 0 <= low <= error <= high <= 1 + 1e-12
    assert calibration.error_interval(covered, uncovered) == (low, high)


def test_a_perfect_engine_shows_about_the_error_that_chance_leaves() -> None:
    drawn, own, chance = random.Random(3), [], []
    for _ in range(20):
        confidences = [drawn.random() for _ in range(150)]
        outcomes = [drawn.random() < one for one in confidences]
        covered = [one for one, is_so in zip(confidences, outcomes, strict=True) if is_so]
        uncovered = [one for one, is_so in zip(confidences, outcomes, strict=True) if not is_so]
        own.append(calibration.calibration_error(covered, uncovered))
        chance.append(calibration.perfect_error(covered, uncovered))
    assert sum(own) / 20 == pytest.approx(sum(chance) / 20, abs=0.015)


def test_chance_leaves_less_error_with_more_questions_and_none_where_nothing_is_open() -> None:
    few, many = [0.3, 0.7] * 5, [0.3, 0.7] * 500
    assert calibration.perfect_error(few, few) > 3 * calibration.perfect_error(many, many) > 0
    assert calibration.perfect_error([1.0], [0.0]) == 0.0


@pytest.mark.parametrize(("covered", "uncovered"), [([0.5], []), ([], [0.5])])
def test_calibration_needs_both_sorts(covered: list[float], uncovered: list[float]) -> None:
    with pytest.raises(ValueError, match="one sort"):
        calibration.calibration_error(covered, uncovered)
