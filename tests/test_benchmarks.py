"""The figures that the benchmarks report, and the check of quotes, on inputs whose right values can be worked out by hand."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def module(name: str) -> Any:
    """A module of the benchmarks, which are scripts in a folder of their own and no package."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


metrics = module("metrics")
quote_checks = module("quote_checks")


def test_ndcg_is_one_when_the_right_one_is_first() -> None:
    assert metrics.ndcg(["a", "b"], {"a"}, 10) == 1.0


def test_ndcg_of_the_second_place_is_discounted_by_log2_of_three() -> None:
    assert metrics.ndcg(["b", "a"], {"a"}, 10) == pytest.approx(0.63093, abs=1e-5)


def test_ndcg_is_set_against_the_best_order_of_all_that_is_right() -> None:
    found = metrics.ndcg(["x", "a", "b"], {"a", "b"}, 10)
    assert found == pytest.approx((0.63093 + 0.5) / (1 + 0.63093), abs=1e-5)


def test_ndcg_sees_nothing_beyond_its_depth() -> None:
    assert metrics.ndcg(["x", "a"], {"a"}, 1) == 0.0
    assert metrics.ndcg([], set(), 10) == 0.0


def test_a_hit_is_any_right_one_among_the_first() -> None:
    assert metrics.hit(["x", "a"], {"a", "b"}, 2)
    assert not metrics.hit(["x", "a"], {"a", "b"}, 1)


def test_auroc_is_one_when_all_positives_are_above_and_zero_when_below() -> None:
    assert metrics.auroc([3.0, 4.0], [1.0, 2.0]) == 1.0
    assert metrics.auroc([1.0, 2.0], [3.0, 4.0]) == 0.0


def test_a_tie_counts_half_in_auroc() -> None:
    assert metrics.auroc([1.0], [1.0]) == 0.5
    assert metrics.auroc([1.0, 2.0], [1.0, 0.0]) == pytest.approx(3.5 / 4)


def test_auroc_of_one_sort_alone_is_unknown() -> None:
    assert metrics.auroc([1.0], []) is None
    assert metrics.auroc([], [1.0]) is None


SCORES = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12)


@given(SCORES, SCORES)
def test_auroc_is_the_share_of_pairs_in_the_right_order(positives: list[float], negatives: list[float]) -> None:
    pairs = [(high > low) + (high == low) / 2 for high in positives for low in negatives]
    assert metrics.auroc(positives, negatives) == pytest.approx(sum(pairs) / len(pairs))


def test_wilson_agrees_with_a_worked_example() -> None:
    low, high = metrics.wilson(8, 10)
    assert (low, high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_wilson_stays_between_0_and_1_and_is_open_where_nothing_was_counted() -> None:
    assert metrics.wilson(0, 10)[0] == 0.0
    assert metrics.wilson(0, 10)[1] == pytest.approx(0.2775, abs=1e-4)
    assert metrics.wilson(10, 10)[1] == pytest.approx(1.0)
    assert metrics.wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_holds_the_share_itself(hits: int, more: int) -> None:
    low, high = metrics.wilson(hits, hits + more)
    assert 0.0 <= low <= hits / (hits + more) <= high <= 1.0


def test_a_share_knows_its_counts_its_value_and_its_interval() -> None:
    found = metrics.share([True, False, True, True])
    assert (found.hits, found.of, found.value) == (3, 4, 0.75)
    assert found.interval == metrics.wilson(3, 4)


def test_median_and_percentile_are_values_in_order() -> None:
    assert metrics.median([3.0, 1.0, 2.0]) == 2.0
    assert metrics.median([4.0, 1.0, 2.0, 3.0]) == 2.5
    assert metrics.percentile([float(one) for one in range(1, 101)], 0.95) == 95.0
    assert metrics.percentile([7.0], 0.95) == 7.0


PAGE = "# Café\r\n\r\n👩 The limit is 40.\r\n".encode()
SENTENCE = "The limit is 40."


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "page.md").write_bytes(PAGE)
    yield tmp_path
    quote_checks._read.cache_clear()


def right_quote() -> dict[str, Any]:
    start = PAGE.index(SENTENCE.encode())
    end = start + len(SENTENCE)
    span = {"start_byte": start, "end_byte": end, "start": 12, "end": 28, "start_utf16": 13, "end_utf16": 29}
    return {
        "path": "page.md",
        "basis": "verbatim",
        "text": SENTENCE,
        "spans": [span | {"start_line": 3, "end_line": 3}],
        "document_sha256": hashlib.sha256(PAGE).hexdigest(),
        "quote_sha256": hashlib.sha256(SENTENCE.encode()).hexdigest(),
    }


def test_a_true_quote_has_no_failure(root: Path) -> None:
    assert quote_checks.failures(right_quote(), root) == []


@pytest.mark.parametrize(
    "unit", ["start", "end", "start_line", "end_line", "start_utf16", "end_utf16", "start_byte", "end_byte"]
)
def test_a_quote_that_is_off_by_one_in_any_unit_fails(root: Path, unit: str) -> None:
    quote = right_quote()
    quote["spans"][0][unit] += 1
    assert quote_checks.failures(quote, root)


@pytest.mark.parametrize("key", ["text", "document_sha256", "quote_sha256"])
def test_a_quote_whose_text_or_hash_is_another_fails(root: Path, key: str) -> None:
    assert quote_checks.failures(right_quote() | {key: "The limit is 41."}, root)


def test_a_quote_of_a_file_that_is_not_there_fails(root: Path) -> None:
    assert quote_checks.failures(right_quote() | {"path": "other.md"}, root)


def test_a_decoded_text_may_differ_from_its_bytes_but_brings_no_word_of_its_own(root: Path) -> None:
    assert quote_checks.failures(right_quote() | {"basis": "decoded", "text": "The limit\nis 40."}, root) == []
    assert quote_checks.failures(right_quote() | {"basis": "decoded", "text": "The limit is 41."}, root)
