"""The figures that the benchmarks report, and the check of quotes, on inputs whose right values can be worked out by hand."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import shutil
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
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
answers = module("answers")
drawing = module("drawing")
engines = module("engines")
fitting = module("fitting")
floors = module("floors")
judged = module("judged")
kinds = module("kinds")
logistic = module("logistic")
marked = module("marked")
questions = module("questions")
quotes = module("quotes")
reporting = module("reporting")
small = module("small")


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
    sha256 = hashlib.sha256(PAGE).hexdigest()
    return {
        "path": "page.md",
        "basis": "verbatim",
        "text": SENTENCE,
        "spans": [span | {"start_line": 3, "end_line": 3, "path": "page.md", "document_sha256": sha256}],
        "highlights": [],
        "document_sha256": sha256,
        "quote_sha256": hashlib.sha256(SENTENCE.encode()).hexdigest(),
    }


CODE = b"limit = 40\n"


def quote_of_two_files() -> dict[str, Any]:
    """The sentence, and below it the code that the page includes there."""
    quote, sha256 = right_quote(), hashlib.sha256(CODE).hexdigest()
    ends = {"start": 0, "end": 11, "start_byte": 0, "end_byte": 11, "start_utf16": 0, "end_utf16": 11}
    code = {**ends, "start_line": 1, "end_line": 1, "path": "code.py", "document_sha256": sha256}
    sentence = quote["spans"][0]
    for unit in ("end_byte", "end", "end_utf16"):
        sentence[unit] += 2  # the line end, since another file follows
    stored = f"{SENTENCE}\r\n".encode() + CODE
    return quote | {
        "text": stored.decode(),
        "spans": [sentence, code],
        "highlights": [dict(code)],
        "quote_sha256": hashlib.sha256(stored).hexdigest(),
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


def test_a_quote_may_have_spans_in_several_files_each_of_which_is_checked(root: Path) -> None:
    (root / "code.py").write_bytes(CODE)
    assert quote_checks.failures(quote_of_two_files(), root) == []
    other = quote_of_two_files()
    other["spans"][1]["document_sha256"] = other["document_sha256"]
    assert quote_checks.failures(other, root)
    other = quote_of_two_files()
    other["spans"][1]["path"] = "page.md"
    assert quote_checks.failures(other, root)


def test_a_highlight_that_is_not_in_the_quote_fails(root: Path) -> None:
    (root / "code.py").write_bytes(CODE)
    quote = quote_of_two_files()
    quote["spans"][1:], quote["text"] = [], f"{SENTENCE}\r\n"
    quote["quote_sha256"] = hashlib.sha256(quote["text"].encode()).hexdigest()
    assert quote_checks.failures(quote, root) == ["page.md: the highlight 0-11 of code.py is not in the quote"]


# Marked lines: ten lines of forty characters, white space apart; the eleventh has fifty-nine and the twelfth sixty.

LONG = "a.md"


@pytest.fixture
def weights(tmp_path: Path) -> Any:
    lines = ["\t" + "ab c" * 13 + "d"] * 10 + ["x" * 59, "y" * 60, "  "]
    (tmp_path / LONG).write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    return marked.Weights(tmp_path)


def at(*numbers: int) -> Any:
    return frozenset((LONG, number) for number in numbers)


def of(core: Sequence[Any], *helps: int) -> Any:
    return marked.Alternative(tuple(core), at(*helps))


def test_a_line_weighs_its_characters_white_space_and_byte_order_mark_apart(weights: Any) -> None:
    assert [weights.of(at(number)) for number in (1, 2, 11, 12, 13, 99)] == [40, 40, 59, 60, 0, 0]


def test_a_file_of_marked_lines_that_is_not_there_is_named(weights: Any) -> None:
    with pytest.raises(questions.SetError, match=r"other\.md cannot be read"):
        weights.of({("other.md", 1)})


def test_half_of_a_core_span_in_the_first_quote_leads(weights: Any) -> None:
    (core,) = alternatives = [of([at(1, 2, 3, 4)])]
    assert core.needed == at(1, 2, 3, 4)
    assert marked.compared(alternatives, [at(3, 4, 5, 6, 7, 8, 9, 10)], weights).leads
    assert not marked.compared(alternatives, [at(4, 5)], weights).leads
    assert not marked.compared(alternatives, [at(9), at(1, 2, 3, 4)], weights).leads


def test_one_span_of_a_core_is_enough_to_lead_and_any_alternative(weights: Any) -> None:
    assert marked.compared([of([at(1, 2, 3), at(9)])], [at(9)], weights).leads
    assert marked.compared([of([at(1, 2, 3)]), of([at(9)])], [at(9)], weights).leads
    assert not marked.compared([of([at(1, 2, 3)], 9)], [at(9)], weights).leads


def test_a_sentence_from_inside_a_core_span_leads_whatever_the_span_holds_beside_it(weights: Any) -> None:
    alternatives = [of([at(*range(1, 13))])]
    assert marked.compared(alternatives, [at(12)], weights).leads
    assert not marked.compared(alternatives, [at(11)], weights).leads
    assert not marked.compared([of([at(*range(1, 12))])], [at(11, 12, 13)], weights).leads


def test_complete_is_the_share_of_a_whole_core_that_all_quotes_show_of_the_best_alternative(weights: Any) -> None:
    alternatives = [of([at(1, 2), at(3, 4)], 5, 6), of([at(7, 8, 9, 10)])]
    assert marked.compared(alternatives, [at(1), at(4), at(3)], weights).complete == pytest.approx(0.75)
    assert marked.compared(alternatives, [at(1), at(8, 9)], weights).complete == pytest.approx(0.5)
    assert marked.compared(alternatives, [at(5, 6)], weights).complete == 0.0


def test_focus_is_the_share_of_what_is_shown_that_is_core_or_help_of_any_alternative(weights: Any) -> None:
    alternatives = [of([at(1)], 2), of([at(3)], 4)]
    assert marked.compared(alternatives, [at(1, 5), at(4, 5, 13)], weights).focus == pytest.approx(2 / 3)


def test_of_a_refusal_nothing_is_shown(weights: Any) -> None:
    assert marked.compared([of([at(1)])], [], weights) == marked.Found(False, 0.0, None)


@pytest.mark.parametrize(
    ("leads", "complete", "focus", "is_useful"),
    [
        (True, 0.8, 0.4, True),
        (False, 1.0, 1.0, False),
        (True, 0.79, 1.0, False),
        (True, 1.0, 0.39, False),
        (True, 1.0, None, False),
    ],
)
def test_useful_is_lead_and_nearly_complete_and_not_lost_in_other_text(
    leads: bool, complete: float, focus: float | None, is_useful: bool
) -> None:
    assert marked.Found(leads, complete, focus).is_useful is is_useful


def test_a_covered_question_must_have_marked_lines_and_no_other_may(tmp_path: Path) -> None:
    span = {"path": "a.md", "start_line": 2, "end_line": 3}
    row = {"id": "1", "question": "What?", "answerable": True, "answers": [{"core": [span]}], "kind": "what-is"}
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")
    (one,) = marked.load(file)
    assert (one.alternatives, one.kind, one.words) == ((of([at(2, 3)]),), "what-is", "")
    for other in ({"answers": []}, {"answerable": False}):
        file.write_text(json.dumps(row | other), encoding="utf-8")
        with pytest.raises(questions.SetError, match="1 is covered"):
            marked.load(file)


# Logistic regression: examples that weigh exactly as often as a curve says are fitted by that curve.

CURVE = (3.0, -2.0, 0.5)


def on_the_curve() -> list[Any]:
    examples = []
    for first in (-1.0, -0.3, 0.4, 1.1):
        for second in (-0.8, 0.1, 0.9):
            probability = 1 / (1 + math.exp(-(CURVE[0] * first + CURVE[1] * second + CURVE[2])))
            examples.append(logistic.Example((first, second), True, probability))
            examples.append(logistic.Example((first, second), False, 1 - probability))
    return examples


def test_a_regression_finds_the_coefficients_that_the_examples_were_made_with() -> None:
    assert logistic.fitted(on_the_curve(), 0.0) == pytest.approx(CURVE)


def test_a_penalty_makes_the_slopes_flatter() -> None:
    free, held = logistic.fitted(on_the_curve(), 0.0), logistic.fitted(on_the_curve(), 1.0)
    assert all(abs(one) < abs(other) for one, other in zip(held[:2], free[:2], strict=True))


def test_an_example_of_twice_the_weight_counts_as_two() -> None:
    apart = [*on_the_curve(), logistic.Example((2.0, 2.0), True, 2.0)]
    twice = [*on_the_curve(), *[logistic.Example((2.0, 2.0), True, 1.0)] * 2]
    assert logistic.fitted(apart, 0.1) == pytest.approx(logistic.fitted(twice, 0.1))


def test_sorts_that_are_told_apart_without_a_fault_are_fitted_too() -> None:
    examples = [logistic.Example((float(at),), at > 2, 1.0) for at in range(6)]
    slope, intercept = logistic.fitted(examples, 0.003)
    assert 2 < -intercept / slope < 3


def test_equations_are_solved_in_any_order_of_their_rows() -> None:
    assert logistic.solved([[0.0, 2.0], [4.0, 1.0]], [6.0, 7.0]) == pytest.approx([1.0, 3.0])


def test_a_regression_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no examples"):
        logistic.fitted([], 0.0)


def asked(name: str, covered: bool, *, evidence: float = 0.5, standout: float = 0.1, base: float = 0.5) -> Any:
    return judged.Judged(questions.Question(name, name, covered, (), None), evidence, standout, base, True)


def like(covered: Sequence[float], uncovered: Sequence[float]) -> list[Any]:
    """Questions with this evidence, which is their base too."""
    sorts = [(True, covered), (False, uncovered)]
    return [
        asked(f"{sort}{at}", sort, evidence=one, standout=one / 2, base=one)
        for sort, its in sorts
        for at, one in enumerate(its)
    ]


SETS: Mapping[str, list[Any]] = {
    "one": like([0.9, 0.7, 0.5, 0.2], [0.6, 0.4, 0.1]),
    "two": like([0.8, 0.3], [0.5, 0.2, 0.1]),
}


def test_sets_and_sorts_weigh_the_same_whatever_they_hold() -> None:
    found = judged.examples(SETS, lambda one: (one.evidence,))
    assert [sum(one.weight for one in found if one.outcome is sort) for sort in (True, False)] == pytest.approx([1.0, 1.0])
    assert sum(one.weight for one in found[:7]) == pytest.approx(1.0)


def test_a_set_that_is_there_many_times_over_changes_no_constant() -> None:
    more = {"one": SETS["one"] * 5, "two": SETS["two"]}
    for field in ("offset", "evidence", "standout"):
        assert getattr(fitting.fit(more), field) == pytest.approx(getattr(fitting.fit(SETS), field))


def test_a_set_is_also_measured_with_what_the_others_alone_give() -> None:
    found = fitting.choices(SETS)
    assert found["one"]["fitted without it"] == fitting.fit({"two": SETS["two"]})
    assert found["one"]["fitted on all"] == found["two"]["fitted on all"] == fitting.fit(SETS)
    assert list(fitting.choices({"one": SETS["one"]})["one"]) == ["in the code", "fitted on all"]


def test_the_score_of_the_constants_is_that_of_the_engine() -> None:
    from nescio.retrieve.evidence import score

    one = asked("a", True, evidence=0.6, standout=0.2)
    assert fitting.Constants.of_code().score(one) == pytest.approx(score(0.6, 0.2))


def test_what_is_refused_for_another_reason_is_answered_with_no_constants() -> None:
    stopped = judged.Judged(questions.Question("a", "a", True, (), None), 0.9, 0.9, 0.9, False)
    everything = fitting.Constants(-100.0, 1.0, 1.0)
    found = fitting.measured([stopped, asked("b", True), asked("c", False)], everything)
    assert (found["answered"].hits, found["answered"].of, found["refused"].hits) == (1, 2, 0)
    assert judged.answered([stopped], True, 0.1).hits == 0


def test_a_part_of_one_sort_has_no_figures() -> None:
    assert fitting.measured([asked("a", True)], fitting.Constants(5.0, 7.0, 3.0)) is None


def test_a_score_that_is_a_probability_has_even_odds_at_a_half() -> None:
    high, low = [asked(str(at), at < 8, base=0.8) for at in range(10)], [asked(str(at), at < 2, base=0.2) for at in range(10)]
    assert judged.even_odds({"set": high + low}, lambda one: one.base) == pytest.approx(0.5)
    assert judged.even_odds({"set": high + low}, lambda one: 1 - one.base) is None


def test_the_rates_of_a_floor_are_means_over_the_sets() -> None:
    found = floors.rates(SETS, 0.5)
    assert found.wrongly_answered == pytest.approx((1 / 3 + 1 / 3) / 2)
    assert found.wrongly_refused == pytest.approx((1 / 4 + 1 / 2) / 2)


def test_a_named_floor_that_tells_other_rates_is_found() -> None:
    from nescio.domain.floors import NamedFloor

    found = floors.rates(SETS, 0.5)
    assert floors.is_as_told(NamedFloor("balanced", 0.5, 0.33, 0.38), found)
    assert not floors.is_as_told(NamedFloor("balanced", 0.5, 0.33, 0.39), found)


def test_the_strict_floor_answers_and_the_lenient_one_refuses_no_more_than_a_tenth_wrongly() -> None:
    sets = {"set": like([0.26 + at / 40 for at in range(20)], [at / 40 + 0.01 for at in range(20)])}
    found = floors.suggested(sets)
    assert floors.rates(sets, found["strict"]).wrongly_answered <= 0.1
    assert floors.rates(sets, found["strict"] - floors.STEP).wrongly_answered > 0.1
    assert floors.rates(sets, found["lenient"]).wrongly_refused <= 0.1
    assert floors.rates(sets, found["lenient"] + floors.STEP).wrongly_refused > 0.1


@pytest.mark.parametrize("remedy", kinds.REMEDIES, ids=lambda remedy: remedy.name)
def test_a_remedy_is_off_inside_and_on_again_afterwards(remedy: Any) -> None:
    def now() -> list[Any]:
        return [vars(kinds.resolve_name(switch.owner))[switch.name] for switch in remedy.switches]

    before = now()
    with pytest.raises(KeyError), kinds.switched_off(remedy):  # noqa: PT012  (the state inside is what is tested)
        assert now() == [switch.off for switch in remedy.switches]
        raise KeyError
    assert now() == before


def test_a_remedy_that_switches_what_is_not_there_is_named() -> None:
    gone = kinds.Remedy("gone", "nothing", (kinds.Switch("nescio.retrieve.ranking", "NOT_THERE", 0),))
    with (
        pytest.raises(questions.SetError, match=r"'gone' switches nescio\.retrieve\.ranking NOT_THERE"),
        kinds.switched_off(gone),
    ):
        pass


def test_a_gain_is_shown_of_all_and_of_the_halves() -> None:
    figures, without = ({"all": 0.5, "even half": 0.75, "odd half": 0.25}, {"all": 0.25, "even half": 0.75, "odd half": 0.0})
    assert kinds.gain(figures, without) == "+0.250 (+0.000 +0.250)"
    assert kinds.gain(figures, figures) == kinds.SAME
    assert kinds.gain({"all": None}, {"all": None}) == reporting.NOTHING


# The whole way, on documents that are written here.

TOPICS = ("quokka", "wombat", "numbat", "bilby", "potoroo", "bettong", "dunnart", "quoll")


def written(folder: Path, folds: bool = False) -> Path:
    """A set: one page a topic in each of four folders, questions that are covered, and some that are not."""
    for place in ("red", "blue", "green", "white"):
        (folder / "docs" / place).mkdir(parents=True)
        for topic in TOPICS:
            text = f"# The {topic} of {place}\n\nThe {topic} eats {place} leaves at night.\n"
            (folder / "docs" / place / f"{topic}.md").write_text(text, encoding="utf-8")
    rows = [
        {
            "id": f"c{at}",
            "question": f"What does the {topic} of red eat?",
            "answerable": True,
            "expect": [{"path": f"red/{topic}.md"}],
        }
        for at, topic in enumerate(TOPICS)
    ]
    rows += [
        {"id": f"u{at}", "question": f"Which zeppelin carries the {topic} insurance?", "answerable": False}
        for at, topic in enumerate(TOPICS)
        if not folds
    ]
    if folds:
        rows = [row | {"unanswerable_without": "A" if at % 2 else "B"} for at, row in enumerate(rows)]
        (folder / "folds.json").write_text(json.dumps({"A": ["red/quoll.md", "white"], "B": ["blue"]}), encoding="utf-8")
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def a_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("sets") / "tiny")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


def run(tool: Any, monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", [tool.__name__, *map(str, arguments)])
    return int(reporting.ended(tool.main))


def test_the_fit_is_told_for_every_set_and_both_halves(
    a_set: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    assert run(fitting, monkeypatch, a_set, "--work", work, "--json", file) == 0
    found = json.loads(file.read_text(encoding="utf-8"))["tiny"]
    assert found["questions"] == 16
    assert found["measures"]["in the code"]["all"]["answered"]["of"] == 8
    assert set(found["measures"]["fitted on all"]) == {"all", "even half", "odd half"}
    assert "warning" not in capsys.readouterr().err


def test_named_floors_that_tell_other_rates_end_with_1(
    a_set: Path, work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(floors, monkeypatch, a_set, "--work", work) == reporting.FAILED
    assert "DIFFERS" in capsys.readouterr().out


def test_a_set_of_one_sort_is_left_out_and_nothing_but_such_is_an_error(
    tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(tmp_path / "covered")
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").split("\n")
    (folder / "questions.jsonl").write_text("\n".join(lines[:8]) + "\n", encoding="utf-8")
    assert run(floors, monkeypatch, folder, "--work", work) == reporting.WRONG_USE
    assert "of one sort only" in capsys.readouterr().err


def test_a_question_of_a_fold_is_covered_with_it_and_not_without(tmp_path: Path, work: Path) -> None:
    one = questions.open_set(written(tmp_path / "folded", folds=True), work)
    found = judged.both_sorts([one], work)["folded paired"]
    assert len(found) == 16
    assert len(judged.of_sort(found, True)) == len(judged.of_sort(found, False)) == 8


def test_each_remedy_is_a_row_and_each_set_a_column(
    a_set: Path, work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(kinds, monkeypatch, a_set, "--work", work, "--remedy", "standing out") == 0
    told = capsys.readouterr().out
    assert "page@1" in told
    assert told.count("standing out") == 1 + len(kinds.SHOWN) + 1
    assert run(kinds, monkeypatch, a_set, "--work", work, "--remedy", "nothing") == reporting.WRONG_USE


def test_a_drawn_corpus_holds_what_its_questions_need_and_is_the_same_again(a_set: Path, work: Path) -> None:
    (whole,) = drawing.large(questions.open_set(a_set, work))
    source, _ = small.whole_corpus(whole, work)
    drawn = drawing.draw(source, 16, Random(1))
    assert drawn == drawing.draw(source, 16, Random(1))
    assert len(drawn.pages) == 16
    assert [question.answerable for question in drawn.questions] == [True] * 4 + [False] * 4
    needed = {question.id: page for question, page in source.questions}
    assert {needed[question.id] for question in drawn.questions} <= set(drawn.pages)


def test_the_rest_is_drawn_from_the_folders_of_what_is_needed_first() -> None:
    pages = tuple(f"{folder}/{number}.md" for folder in ("near", "far") for number in range(4))
    covered, not_covered = asked("a", True).question, asked("b", False).question
    source = drawing.Source(pages, ((covered, "near/0.md"), (not_covered, "near/1.md")))
    assert drawing.draw(source, 4, Random(0)).pages == pages[:4]


def test_a_set_that_covers_everything_loses_the_right_pages_of_some(tmp_path: Path, work: Path) -> None:
    folder = written(tmp_path / "covered")
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").split("\n")
    (folder / "questions.jsonl").write_text("\n".join(lines[:8]) + "\n", encoding="utf-8")
    (whole,) = drawing.large(questions.open_set(folder, work))
    gone = set(whole.corpus.left_out)
    assert gone
    for question in whole.questions:
        assert question.answerable is not bool(question.paths & gone)
    source, _ = small.whole_corpus(whole, work)
    assert gone.isdisjoint(source.pages)
    assert len(source.pages) == 32 - len(gone)


def test_small_corpora_stand_beside_the_same_questions_on_the_whole(
    a_set: Path, work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(small, "DRAWINGS", {12: 2, 4_000: 1})
    assert run(small, monkeypatch, a_set, "--work", work) == 0
    told = capsys.readouterr().out
    assert "2 of 12 pages" in told
    assert "same, whole" in told
    assert "4000" not in told


def test_a_page_is_named_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("a[b].md", "ab.md", "star*.md", "start.md"):
        (tmp_path / "docs" / name).write_text("# Heading\n\nSome words.\n", encoding="utf-8")
    one = engines.Corpus("odd", tmp_path / "docs", only=("a[b].md", "star*.md"))
    with engines.engine_for(one, tmp_path / "work") as engine:
        assert small._pages(engine) == ("a[b].md", "star*.md")


# Lines that are shown, the whole way: pages of two files each, the code below the sentence being another file.


@pytest.fixture(scope="module")
def marked_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of answers: `tiny`, `packed` which is the same in an archive, and `lost` without documents."""
    folder = tmp_path_factory.mktemp("answers")
    (folder / "docs" / "code").mkdir(parents=True)
    for topic in TOPICS:
        sentence = f"The {topic} eats leaves at night, and this is how it is fed:"
        text = f"# The {topic}\n\n{sentence}\n\n{{{{#include code/{topic}.py}}}}\n"
        (folder / "docs" / f"{topic}.md").write_text(text, encoding="utf-8")
        (folder / "docs" / "code" / f"{topic}.py").write_text(f'feed("{topic}", leaves=40)\n', encoding="utf-8")
    rows = "".join(json.dumps(row) + "\n" for row in marked_rows())
    for name in ("tiny", "packed", "lost"):
        (folder / f"{name}.jsonl").write_text(rows.replace('"id": "', f'"id": "{name}-'), encoding="utf-8")
    with tarfile.open(folder / "packed.tar.xz", "w:xz") as archive:
        for file in sorted((folder / "docs").iterdir()):
            archive.add(file, file.name)
    return folder


def marked_rows() -> Iterator[dict[str, Any]]:
    for number, topic in enumerate(TOPICS):
        page, code = [
            {"path": path, "start_line": line, "end_line": line} for path, line in ((f"{topic}.md", 3), (f"code/{topic}.py", 1))
        ]
        core = [{"path": "quoll.md", "start_line": 3, "end_line": 3}] if topic == "wombat" else [page, code]
        told = {"kind": "how-to" if number % 2 else "what-is", "words": "docs", "answers": [{"core": core}]}
        yield {"id": f"c{number}", "question": f"What does the {topic} eat at night?", "answerable": True, **told}
    yield {"id": "u0", "question": "Which zeppelin carries insurance?", "answerable": False, "kind": "how-to"}


def test_lines_shown_of_pages_and_of_what_they_include_are_counted(
    marked_set: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    docs = f"tiny={marked_set / 'docs'}"
    assert run(answers, monkeypatch, marked_set, "--docs", docs, "--work", work, "--json", file, "--show") == 0
    found = json.loads(file.read_text(encoding="utf-8"))
    assert list(found) == ["packed", "tiny", "together"]
    assert found["packed"]["groups"]["all"]["all"] == found["tiny"]["groups"]["all"]["all"]
    whole = found["tiny"]["groups"]["all"]["all"]
    assert {name: (whole[name]["hits"], whole[name]["of"]) for name in ("answered", "lead", "useful", "uncovered refused")} == {
        "answered": (8, 8),
        "lead": (7, 8),
        "useful": (7, 8),
        "uncovered refused": (1, 1),
    }
    assert whole["complete"] == pytest.approx(7 / 8)
    assert found["tiny"]["quotes exact"]["share"] == 1.0
    assert found["together"]["groups"]["kind how-to"]["all"]["questions"] == 10
    assert found["together"]["groups"]["words docs"]["all"]["questions"] == 16
    told = capsys.readouterr()
    assert "lost: left out" in told.err
    listed = [line.split(":")[0].strip() for line in told.out.split("\n") if "| first:" in line]
    assert listed == [name for name in ("packed-c1", "tiny-c1") if questions.Question(name, "", True, (), None).is_even]


def test_at_another_floor_or_limit_something_else_is_shown(
    marked_set: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "figures.json"
    arguments = (marked_set, "--docs", f"tiny={marked_set / 'docs'}", "--work", work, "--json", file)
    assert run(answers, monkeypatch, *arguments, "--floor", 1) == 0
    whole = json.loads(file.read_text(encoding="utf-8"))["tiny"]["groups"]["all"]["all"]
    assert (whole["answered"]["hits"], whole["complete"], whole["focus"], whole["characters"]) == (0, 0.0, None, None)
    assert run(answers, monkeypatch, *arguments, "--limit", 1) == 0
    assert json.loads(file.read_text(encoding="utf-8"))["tiny"]["quotes exact"]["of"] == len(TOPICS)
    assert run(answers, monkeypatch, *arguments, "--limit", 0) == reporting.WRONG_USE


def test_documents_of_a_set_that_is_not_there_and_no_documents_at_all_are_errors(
    marked_set: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(answers, monkeypatch, marked_set, "--docs", f"other={marked_set}", "--work", work) == reporting.WRONG_USE
    assert "--docs names no set" in capsys.readouterr().err
    (tmp_path / "lost.jsonl").write_bytes((marked_set / "lost.jsonl").read_bytes())
    assert run(answers, monkeypatch, tmp_path, "--work", work) == reporting.WRONG_USE
    assert "has no set with documents" in capsys.readouterr().err


def test_a_quote_of_a_file_that_was_changed_since_is_not_exact(marked_set: Path, work: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(marked_set / "docs", docs)
    first, *_ = marked.load(marked_set / "tiny.jsonl")
    with engines.engine_for(engines.Corpus("changed", docs), work) as engine:
        assert answers.exact([answers.show(engine, first, marked.Weights(docs), answers.Asking())]) == metrics.Share(1, 1)
        quote_checks._read.cache_clear()
        (docs / "code" / "quokka.py").write_text('feed("quokka", leaves=50)\n', encoding="utf-8")
        shown = answers.show(engine, first, marked.Weights(docs), answers.Asking())
    assert answers.exact([shown]) == metrics.Share(0, 1)
    assert "code/quokka.py" in shown.wrong[0]


def test_passages_and_answers_that_show_included_files_are_exact(
    marked_set: Path, work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = marked_set / "tiny.jsonl"
    assert run(quotes, monkeypatch, marked_set / "docs", "--questions", asked, "--work", work) == 0
    assert "100.000 %" in capsys.readouterr().out
