"""Which words may be read as others, and how far apart they may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.retrieve.typos import Spelling, edits_allowed, is_correctable, is_slip

WORD = st.text(alphabet="abcde", min_size=1, max_size=10)


def osa(one: str, other: str) -> int:
    """Optimal string alignment from its definition: insert, delete, replace, swap neighbours that are not touched again."""
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                rows[i][j] = i + j
                continue
            differs = one[i - 1] != other[j - 1]
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + differs)
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@pytest.mark.parametrize("word", ["middleware", "rsponse_model", "corss", "naïve", "dépendance", "long-term", "os.path"])
def test_a_word_of_letters_may_be_read_as_another(word: str) -> None:
    assert is_correctable(word)


@pytest.mark.parametrize(
    "word",
    [
        "cors",
        "a",
        "",
        "1.2.3",
        "v1.2.3",
        "e0277",
        "http/3",
        "oauth2",
        "--no-cache",
        "-v",
        "$home",
        ".net",
        "c++",
        "don't",
        "12345",
    ],
)
def test_a_short_word_a_number_a_flag_or_a_code_is_never_read_as_another(word: str) -> None:
    assert not is_correctable(word)


@pytest.mark.parametrize(("length", "edits"), [(5, 1), (8, 1), (9, 2), (20, 2)])
def test_a_longer_word_may_be_further_off(length: int, edits: int) -> None:
    assert edits_allowed("x" * length) == edits


@pytest.mark.parametrize(
    ("typed", "distance"),
    [("midleware", 1), ("midddleware", 1), ("middlewere", 1), ("middlewaer", 1), ("mdidlewaer", 2), ("middleware", 0)],
)
def test_a_slip_is_counted_as_one_edit(typed: str, distance: int) -> None:
    assert Spelling(["middleware"]).near(typed, 2) == [(distance, "middleware")]


@pytest.mark.parametrize(
    ("typed", "meant"), [("whcih", "which"), ("doess", "does"), ("thhis", "this"), ("wwith", "with"), ("withh", "with")]
)
def test_swapped_or_doubled_letters_are_a_slip(typed: str, meant: str) -> None:
    assert is_slip(typed, meant)


@pytest.mark.parametrize(
    ("typed", "other"), [("shell", "shall"), ("this", "this"), ("sdoes", "does"), ("does", "doess"), ("", "a")]
)
def test_any_other_difference_is_no_slip(typed: str, other: str) -> None:
    assert not is_slip(typed, other)


def test_what_is_too_far_off_is_not_near() -> None:
    assert Spelling(["middleware", "model", "mod"]).near("middling", 1) == []


@given(st.sets(WORD, max_size=30), WORD, st.integers(0, 2))
def test_all_words_within_reach_are_found_in_order(known: set[str], typed: str, edits: int) -> None:
    expected = sorted((osa(typed, word), word) for word in known if osa(typed, word) <= edits)
    assert Spelling(sorted(known)).near(typed, edits) == expected
    assert Spelling(sorted(known, reverse=True)).near(typed, edits) == expected
