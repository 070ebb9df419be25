"""A floor is chosen two-sided, says how sure it is, and is written without touching the rest; else it says `not separable`."""

from __future__ import annotations

import json
import math
import os
import random
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.config.loading import load
from nescio.config.model import Calibration, FloorName, Settings
from nescio.config.template import template
from nescio.config.writing import write_floor
from nescio.domain.floors import FLOORS, floor_value
from nescio.errors import ConfigFault, UsageFault
from nescio.evaluate.calibrating.choosing import STEPS, choose, score_bins
from nescio.evaluate.calibrating.values import Aim, Calibrated, NotSeparable, Rates, Scored
from nescio.evaluate.measuring.counting import separation
from nescio.evaluate.measuring.figures import Estimate
from nescio.evaluate.metrics.binomial import least_of, most_hits, upper_bound
from nescio.surfaces import wire
from support.projects import Project, command, fault_code

EVIDENCE = Calibration(questions="q.jsonl", questions_sha256="0" * 64, answerable=12, auroc=0.9, by="cost 1")


def questions(covered: list[float], uncovered: list[float]) -> list[Scored]:
    return [Scored(f"a{at}", base, True) for at, base in enumerate(covered)] + [
        Scored(f"u{at}", base, False) for at, base in enumerate(uncovered)
    ]


def area(asked: list[Scored]) -> Estimate:
    covered, uncovered = ([one.base for one in asked if one.answerable is sort] for sort in (True, False))
    found = separation(covered, uncovered)
    assert found is not None
    return found


def chosen(asked: list[Scored], aim: Aim) -> Calibrated:
    result = choose(asked, aim, area(asked))
    assert isinstance(result, Calibrated)
    return result


def loss(asked: list[Scored], floor: float, cost: float) -> float:
    """What a floor costs, counted plainly."""
    answered = [one.base >= floor for one in asked if not one.answerable]
    refused = [one.base < floor for one in asked if one.answerable]
    return cost * sum(answered) / len(answered) + sum(refused) / len(refused)


def overlapping(seed: int, count: int = 60) -> list[Scored]:
    """Two sorts that overlap, the covered ones higher."""
    draw = random.Random(seed)
    covered = [min(1.0, max(0.0, draw.gauss(0.6, 0.15))) for _ in range(count)]
    return questions(covered, [min(1.0, max(0.0, draw.gauss(0.35, 0.15))) for _ in range(count)])


# The exact bound


@pytest.mark.parametrize(
    ("hits", "of", "confidence", "bound"),
    [
        (0, 10, 0.95, 1 - 0.05**0.1),
        (0, 22, 0.9, 1 - 0.1 ** (1 / 22)),
        (1, 10, 0.975, 0.4450161),  # the 95 % two-sided interval of 1 in 10 that tables show: .0025 to .4450
        (5, 20, 0.975, 0.4910459),  # of 5 in 20: .0866 to .4910
        (9, 10, 0.9, 0.9 ** (1 / 10)),
        (10, 10, 0.9, 1.0),
        (0, 0, 0.9, 1.0),
    ],
)
def test_the_bound_is_the_known_exact_one(hits: int, of: int, confidence: float, bound: float) -> None:
    assert upper_bound(hits, of, confidence) == pytest.approx(bound, abs=1e-6)


@given(st.integers(1, 400), st.floats(0.01, 0.99), st.floats(0.5, 0.99))
def test_the_most_hits_that_are_allowed_are_those_whose_bound_is_on_target(of: int, target: float, confidence: float) -> None:
    allowed = most_hits(of, target, confidence)
    if allowed is not None:
        assert upper_bound(allowed, of, confidence) <= target + 1e-6
    following = 0 if allowed is None else allowed + 1
    if following < of:
        assert upper_bound(following, of, confidence) > target - 1e-6
    assert (allowed is None) == (of < least_of(target, confidence))


def test_a_bound_of_many_thousands_does_not_underflow() -> None:
    assert upper_bound(20_000, 100_000, 0.9) == pytest.approx(0.2016, abs=1e-4)


# Choosing


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0.5, 1.0, 2.0, 5.0]))
def test_no_floor_costs_less_than_the_one_that_is_chosen(seed: int, cost: float) -> None:
    asked = overlapping(seed, 25)
    result = choose(asked, Aim(cost=cost), area(asked))
    if isinstance(result, Calibrated):
        best = loss(asked, result.rates.floor, cost)
        assert all(best <= loss(asked, step / STEPS, cost) + 1e-9 for step in range(1, STEPS + 1))


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.randoms())
def test_the_order_of_the_file_changes_nothing(seed: int, shuffler: random.Random) -> None:
    asked = overlapping(seed, 20)
    mixed = asked.copy()
    shuffler.shuffle(mixed)
    for aim in (Aim(), Aim(max_wrong=0.3)):
        assert choose(asked, aim, area(asked)) == choose(mixed, aim, area(asked))


def test_the_floor_is_the_middle_of_the_widest_stretch_that_is_best() -> None:
    result = chosen(questions([0.8] * 10 + [0.41], [0.2] * 10 + [0.4]), Aim())
    assert result.rates.floor == 0.405
    gap = chosen(questions([0.8] * 12, [0.2] * 12), Aim())
    assert gap.rates.floor == pytest.approx(0.5, abs=0.001)
    assert (gap.rates.wrongly_answered.hits, gap.rates.wrongly_refused.hits) == (0, 0)


def test_a_higher_cost_never_answers_more_wrongly() -> None:
    asked = overlapping(3)
    results = [chosen(asked, Aim(cost=cost)).rates for cost in (0.2, 1, 3, 8)]
    assert [rates.wrongly_answered.hits for rates in results] == sorted(
        (r.wrongly_answered.hits for r in results), reverse=True
    )
    assert results[0].floor < results[-1].floor


@pytest.mark.parametrize("target", [0.1, 0.2, 0.4])
def test_the_most_wrong_answers_are_kept_and_a_lower_floor_would_not_keep_them(target: float) -> None:
    asked = overlapping(5)
    result = chosen(asked, Aim(max_wrong=target))
    assert result.wrong_bound <= target + 1e-6
    wrong, of = result.rates.wrongly_answered.hits, result.rates.wrongly_answered.of
    lower = next(
        count
        for step in range(round(result.rates.floor * STEPS), 0, -1)
        if (count := sum(one.base >= step / STEPS for one in asked if not one.answerable)) > wrong
    )
    assert upper_bound(lower, of, 0.9) > target


def test_the_bound_holds_as_often_as_it_says() -> None:
    """Questions drawn again and again from one source: the true share is over the target in at most a tenth of the draws."""
    over = 0
    for seed in range(100):
        asked = overlapping(seed, 40)
        result = choose(asked, Aim(max_wrong=0.25), area(asked))
        if isinstance(result, Calibrated):
            truth = 0.5 * math.erfc((result.rates.floor - 0.35) / (0.15 * math.sqrt(2)))
            over += truth > 0.25
    assert over <= 0.1 * 100 + 6  # two standard errors


def test_what_is_held_out_is_no_better_than_what_was_chosen_on_in_the_mean() -> None:
    results = [chosen(overlapping(seed), Aim()) for seed in range(20)]

    def total(rates: Rates) -> float:
        return rates.wrongly_answered.value + rates.wrongly_refused.value

    assert sum(total(r.held_out) for r in results) > sum(total(r.rates) for r in results)
    assert all((r.held_out.wrongly_answered.of, r.held_out.wrongly_refused.of) == (60, 60) for r in results)


def test_the_histogram_counts_every_question_once() -> None:
    bins = score_bins(questions([0.0, 0.05, 1.0], [0.999, 0.04]))
    assert (sum(part.answerable for part in bins), sum(part.unanswerable for part in bins)) == (3, 2)
    assert (bins[0].answerable, bins[1].answerable, bins[-1].answerable) == (1, 1, 1)
    assert (bins[0].unanswerable, bins[-1].unanswerable) == (1, 1)
    assert (bins[0].low, bins[-1].high) == (0, 1)


# Not separable


def test_sorts_that_score_alike_are_not_separable() -> None:
    scores = [at / 30 for at in range(30)]
    for aim in (Aim(), Aim(max_wrong=0.3)):
        asked = questions(scores, scores)
        result = choose(asked, aim, area(asked))
        assert isinstance(result, NotSeparable)
        assert "0.5 is chance" in result.sentence
        assert result.needed is None


def test_too_few_unanswerable_questions_for_a_target_are_told_with_how_many_it_takes() -> None:
    asked = questions([0.9] * 20, [0.1] * 20)
    result = choose(asked, Aim(max_wrong=0.1), area(asked))
    assert isinstance(result, NotSeparable)
    assert result.needed == 22
    assert "22 unanswerable questions, and there are 20" in result.sentence
    enough = questions([0.9] * 20, [0.1] * 22)
    assert isinstance(choose(enough, Aim(max_wrong=0.1), area(enough)), Calibrated)


def test_a_target_that_only_refusing_all_reaches_is_not_separable() -> None:
    asked = questions([0.6] * 40, [0.1] * 30 + [0.9] * 10)
    result = choose(asked, Aim(max_wrong=0.05), area(asked))
    assert isinstance(result, NotSeparable)
    assert result.needed is not None or "score highest" in result.sentence


def test_a_floor_that_always_answers_or_always_refuses_is_never_chosen() -> None:
    asked = questions([0.05] + [0.6] * 40, [0.1] * 30 + [0.9] * 10)
    for cost, best in ((1e-9, "answer every question"), (1e9, "refuse every question")):
        result = choose(asked, Aim(cost=cost), area(asked))
        assert isinstance(result, NotSeparable)
        assert best in result.sentence
    assert 0 < chosen(asked, Aim()).rates.wrongly_refused.value < 1


@pytest.mark.parametrize(
    "given", [{"cost": 0.0}, {"cost": -1.0}, {"cost": math.nan}, {"cost": math.inf}, {"max_wrong": 0.0}, {"max_wrong": 1.0}]
)
def test_an_aim_that_means_nothing_is_wrong_use(given: dict[str, float]) -> None:
    with pytest.raises(UsageFault) as caught:
        Aim(**given)
    assert caught.value.code == "calibrate-out-of-range"


# Named floors


def test_the_names_that_can_be_set_are_the_named_floors() -> None:
    assert set(get_args(FloorName)) == {floor.name for floor in FLOORS}
    assert [Settings(floor=floor.name).floor_value for floor in FLOORS] == [floor.value for floor in FLOORS]
    assert Settings().floor_value == floor_value("balanced") == 0.5


def test_a_stricter_floor_is_higher_and_answers_less_of_both_sorts() -> None:
    for stricter, looser in pairwise(FLOORS):
        assert stricter.value > looser.value
        assert stricter.wrongly_answered < looser.wrongly_answered
        assert stricter.wrongly_refused > looser.wrongly_refused


@pytest.mark.parametrize("by", ["file", "variable", "flag"])
def test_a_floor_can_be_named_in_a_file_a_variable_and_a_flag(tmp_path: Path, by: str) -> None:
    if by == "file":
        (tmp_path / "nescio.toml").write_text('floor = "strict"\n')
    environ = {"NESCIO_FLOOR": "strict"} if by == "variable" else {}
    flags = {"floor": "strict"} if by == "flag" else {}
    settings = load(tmp_path, environ=environ, flags=flags, needs_docs=False).settings
    assert (settings.floor, settings.floor_value) == ("strict", floor_value("strict"))


def test_a_flag_that_is_a_number_is_one_and_a_wrong_name_is_told_with_the_nearest(tmp_path: Path) -> None:
    assert load(tmp_path, environ={}, flags={"floor": "0.25"}, needs_docs=False).settings.floor == 0.25
    with pytest.raises(ConfigFault) as caught:
        load(tmp_path, environ={}, flags={"floor": "strickt"}, needs_docs=False)
    assert "(flag --floor)" in caught.value.message
    assert caught.value.hint == "Did you mean strict?"


# Writing


def written(root: Path, text: str | None, name: str = "nescio.toml", floors: tuple[float, ...] = (0.512,)) -> str:
    """The file after calibrations, read back and found to say what was written."""
    (root / ".git").mkdir(exist_ok=True)
    (root / "docs").mkdir(exist_ok=True)
    if text is not None:
        (root / name).write_bytes(text.encode("utf-8"))
    for floor in floors:
        write_floor(load(root, environ={}, flags={}), floor, EVIDENCE)
    settings = load(root, environ={}, flags={}).settings
    assert (settings.floor, settings.calibration) == (floors[-1], EVIDENCE)
    assert sorted(path.name for path in root.iterdir()) == sorted([".git", "docs", name])
    return (root / name).read_bytes().decode("utf-8")


def without_calibration(text: str) -> str:
    return text.replace("\r\n", "\n").partition("\n[calibration]")[0]


def test_comments_order_and_spacing_stay(tmp_path: Path) -> None:
    text = '# ours\nlimit=2   # few\nfloor = 0.4 # mine\n\n# where\n[[source]]\npath = "docs" # here\n'
    after = written(tmp_path, text)
    assert without_calibration(after) == text.replace("0.4", "0.512")
    assert after.endswith("auroc = 0.9\n")


def test_a_floor_that_was_not_there_stands_above_the_tables_and_their_comments(tmp_path: Path) -> None:
    after = written(tmp_path, 'limit = 2\n\n# where\n[[source]]\npath = "docs"\n')
    assert without_calibration(after) == 'limit = 2\nfloor = 0.512\n\n# where\n[[source]]\npath = "docs"\n'


def test_a_second_calibration_takes_the_place_of_the_first(tmp_path: Path) -> None:
    text = '[calibration]\n# why\nby = "x" # said\nwrong_bound = 0.3\n\n[[source]]\npath = "docs"\n'
    once = written(tmp_path, text)
    assert '# why\nby = "cost 1" # said\n' in once
    assert "wrong_bound" not in once
    assert written(tmp_path, None, floors=(0.3, 0.512)) == once


def test_where_there_is_no_file_the_template_is_written_with_the_floor(tmp_path: Path) -> None:
    after = written(tmp_path, None)
    assert without_calibration(after).rstrip("\n") == template().replace('#floor = "balanced"', "floor = 0.512").rstrip("\n")


def test_a_new_file_has_the_folders_that_were_named(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    write_floor(load(tmp_path, environ={}, flags={}, docs=[Path("one"), Path("two")]), 0.5, EVIDENCE)
    sources = load(tmp_path, environ={}, flags={}).settings.sources
    assert [source.path for source in sources] == ["one", "two"]


@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_windows_line_ends_and_a_byte_order_mark_stay(tmp_path: Path, start: str) -> None:
    after = written(tmp_path, start + "# ours\r\nlimit = 2\r\n\r\n[limits]\r\nmax_files = 3\r\n")
    assert after.startswith(start + "# ours\r\nlimit = 2\r\nfloor = 0.512\r\n\r\n[limits]\r\n")
    assert after.count("\n") == after.count("\r\n")


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nname = "x"\n\n[tool.nescio]\nlimit = 2\n\n[tool.other]\nz = 1  # z\n',
        '[[tool.nescio.source]]\npath = "docs"\n\n[tool.other]\nz = 1\n',
        '[tool.nescio]\nfloor = "strict"\n[tool.other]\nz = 1\n[tool.nescio.limits]\nmax_files = 3\n',
        "tool.nescio.floor = 0.3\n",
    ],
)
def test_a_pyproject_keeps_all_that_is_others(tmp_path: Path, text: str) -> None:
    after = tomllib.loads(written(tmp_path, text, "pyproject.toml"))
    before = tomllib.loads(text)
    before["tool"]["nescio"] |= {"floor": 0.512, "calibration": EVIDENCE.model_dump(exclude_none=True)}
    assert after == before


def test_a_file_that_cannot_be_edited_is_left_as_it_is(tmp_path: Path) -> None:
    text = "[tool]\nnescio = {floor = 0.3}\n"
    with pytest.raises(ConfigFault) as caught:
        written(tmp_path, text, "pyproject.toml")
    assert (caught.value.code, caught.value.hint) == ("config-not-written", "Write it yourself: floor = 0.512")
    assert (tmp_path / "pyproject.toml").read_text() == text


@pytest.mark.skipif(os.name != "posix", reason="links and modes need POSIX")
def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    real = tmp_path / "real.toml"
    real.write_text("limit = 2\n")
    real.chmod(0o640)
    (tmp_path / "nescio.toml").symlink_to(real)
    write_floor(load(tmp_path, environ={}, flags={}), 0.512, EVIDENCE)
    assert (tmp_path / "nescio.toml").is_symlink()
    assert "floor = 0.512" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


@given(st.text(st.sampled_from("a#=[]\"'\n \t.12{}"), max_size=60))
def test_whatever_stands_in_a_file_either_it_is_edited_right_or_left_alone(text: str) -> None:
    from nescio.config.writing import _edited, _wanted

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    edited = _edited(text, 0.5, {"by": "x"}, in_project=False)
    if edited is not None and not {"floor", "calibration"} & set(table):
        assert tomllib.loads(edited) == _wanted(text, 0.5, {"by": "x"}, in_project=False)


def test_a_calibration_is_listed_and_changes_no_index(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    before = load(tmp_path, environ={}, flags={})
    assert not [setting for setting in before.listing() if setting.key.startswith("calibration.")]
    write_floor(before, 0.512, EVIDENCE)
    after = load(tmp_path, environ={}, flags={})
    listed = {setting.key: setting.origin for setting in after.listing() if setting.key.startswith("calibration.")}
    assert listed == {f"calibration.{name}": "nescio.toml" for name in EVIDENCE.model_dump(exclude_none=True)}
    assert after.fingerprint() == before.fingerprint()


# The command

BEASTS = ("otter", "heron", "badger", "lynx", "beaver", "weasel", "marten", "falcon", "raven", "magpie", "salmon", "pike")
ABSENT = (
    "walrus",
    "penguin",
    "kangaroo",
    "giraffe",
    "zebra",
    "tapir",
    "gibbon",
    "iguana",
    "ostrich",
    "llama",
    "panda",
    "hyena",
)


def zoo(project: Project, unanswerable: tuple[str, ...] = ABSENT) -> Path:
    """A page a beast, and a file of questions about these and others."""
    for beast in BEASTS:
        project.write(f"{beast}.md", f"# The {beast}\n\nThe {beast} sleeps in winter below the old {beast} bridge.\n")
    lines = [{"question": f"where does the {beast} sleep in winter?", "answerable": True} for beast in BEASTS]
    lines += [{"question": f"where does the {beast} sleep in winter?", "answerable": False} for beast in unanswerable]
    file = project.root / "questions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def test_the_command_writes_the_floor_and_the_screen_says_so(project: Project) -> None:
    zoo(project)
    (project.root / "nescio.toml").write_text('# ours\nlimit = 2\n\n[[source]]\npath = "docs"\n', encoding="utf-8")
    done = command(project.root, "calibrate", "questions.jsonl")
    assert done.returncode == 0, done.stderr
    text = (project.root / "nescio.toml").read_text("utf-8")
    assert text.startswith("# ours\nlimit = 2\nfloor = 0.")
    found = tomllib.loads(text)["calibration"]
    assert (found["questions"], found["answerable"], found["unanswerable"]) == ("questions.jsonl", 12, 12)
    assert (found["floor"], found["by"]) == (tomllib.loads(text)["floor"], "cost 1")
    assert max(map(len, done.stdout.split("\n"))) <= 80 + len(str(project.root))
    assert f"<- floor {found['floor']:g}" in done.stdout
    for said in ("AUROC", "held out", "strict 0.65", "Wrote floor"):
        assert said in done.stdout
    assert "(calibrated)" in command(project.root, "config").stdout


def test_the_command_tells_its_json_and_writes_nothing_on_a_dry_run(project: Project) -> None:
    zoo(project)
    done = command(project.root, "calibrate", "questions.jsonl", "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    Draft202012Validator(wire.schema("calibrate")).validate(told)
    assert (told["status"], told["written"], told["overridden_by"]) == ("chosen", None, None)
    assert [named["name"] for named in told["named"]] == ["strict", "balanced", "lenient"]
    assert not (project.root / "nescio.toml").exists()


def test_sorts_that_cannot_be_told_apart_exit_with_1_and_leave_the_configuration(project: Project) -> None:
    zoo(project, tuple(f"{beast} {beast}" for beast in BEASTS))
    done = command(project.root, "calibrate", "questions.jsonl")
    assert (done.returncode, "Not separable." in done.stdout) == (1, True)
    assert "nothing was written" in done.stdout
    told = json.loads(command(project.root, "calibrate", "questions.jsonl", "--json").stdout)
    Draft202012Validator(wire.schema("calibrate")).validate(told)
    assert (told["status"], told["floor"]) == ("not_separable", None)
    assert not (project.root / "nescio.toml").exists()


def test_a_variable_that_hides_the_floor_and_a_changed_question_file_are_told(project: Project) -> None:
    file = zoo(project)
    done = command(project.root, "calibrate", "questions.jsonl", NESCIO_FLOOR="strict")
    assert "another floor comes from the environment NESCIO_FLOOR" in done.stdout
    assert "has changed" not in command(project.root, "config").stdout
    file.write_text(file.read_text("utf-8") + "\n", encoding="utf-8")
    assert "questions.jsonl has changed since the floor was chosen" in command(project.root, "config").stdout
    told: dict[str, Any] = json.loads(command(project.root, "config", "--json", NESCIO_FLOOR="strict").stdout)
    Draft202012Validator(wire.schema("config")).validate(told)
    assert told["questions_changed"] is True
    assert [floor["name"] for floor in told["floors"] if floor["in_force"]] == ["strict"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--cost", "1", "--max-wrong", "0.1"), "calibrate-two-ways"),
        (("--cost", "-1"), "calibrate-out-of-range"),
        (("--confidence", "1"), "calibrate-out-of-range"),
    ],
)
def test_a_wrong_aim_is_told_before_anything_is_built(project: Project, arguments: tuple[str, ...], code: str) -> None:
    zoo(project)
    done = command(project.root, "calibrate", "questions.jsonl", "--json", *arguments)
    assert (done.returncode, fault_code(done)) == (2, code)
    assert not project.index.exists()


def test_too_few_questions_are_told_with_both_counts(project: Project) -> None:
    zoo(project, ABSENT[:9])
    done = command(project.root, "calibrate", "questions.jsonl", "--json")
    assert (done.returncode, fault_code(done)) == (2, "calibrate-too-few")
    assert "12 answerable and 9 unanswerable" in done.stderr
