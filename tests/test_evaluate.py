"""An evaluation of real small engines: what came of each case, the figures, why it came out wrong, and the gate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nescio.domain.answers import Answer, Refusal
from nescio.engine import Engine
from nescio.errors import NotFoundFault, UsageFault
from nescio.evaluate.measuring.baseline import read_baseline
from nescio.evaluate.measuring.evaluating import evaluate, is_exact
from nescio.evaluate.measuring.explaining import why
from nescio.evaluate.measuring.figures import Evaluation
from nescio.evaluate.measuring.gate import Check, Gate, checks
from nescio.evaluate.measuring.outcomes import Outcome, Verdict
from nescio.evaluate.measuring.verdicts import is_wrong, verdict
from nescio.evaluate.metrics.shares import Share
from nescio.evaluate.questions.cases import Case, Expected
from nescio.evaluate.questions.reading import QuestionFile
from support.projects import Project

PAGES = {
    "index.md": "# Welcome\n\nThis server keeps documents. Start with the guide.\n",
    "guide/index.md": "# Guide\n\nThe guide has a page for each task that an operator has.\n",
    "guide/backup.md": (
        "# Backup\n\nA backup is written each night.\n\n## Encryption\n\nEvery backup is encrypted with a passphrase.\n"
    ),
    "guide/users.md": "# Users\n\nInvite users from the members page.\n\n## `Roles` of users\n\nA role grants permissions.\n",
    "keys.md": "# Keys\r\n\r\nKeys are rotated every ninety days. A key is revoked at once.\r\n",
}
BACKUP = Case("backup", "how is a backup encrypted", True, (Expected("guide/backup.md", "encryption", ("with a passphrase",)),))
KEYS = Case("keys", "how often are keys rotated", True, (Expected("keys.md", None, ("rotated every ninety days",)),))
INVITE = Case("invite", "how do I invite users", True)
PRICE = Case("price", "what is the price of a backup in the enterprise plan", False)
ROCKET = Case("rocket", "which rocket fuel burns users", False)
LONG = Case("long", "backup " * 500, False)
CASES = (BACKUP, KEYS, INVITE, PRICE, ROCKET)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """PAGES, built once."""
    project = Project(Path(tmp_path_factory.mktemp("evaluate"))).write_all(PAGES)
    project.build()
    return project


@pytest.fixture(scope="module")
def engine(built: Project) -> Iterator[Engine]:
    with built.engine() as found:
        yield found


def questions(*cases: Case) -> QuestionFile:
    return QuestionFile("questions.jsonl", "0" * 64, cases)


def outcome(engine: Engine, case: Case, floor: float | None = None) -> Outcome:
    return evaluate(engine, questions(case), floor=floor).outcomes[0]


# --- What came of it -------------------------------------------------------------------------------------------------


def test_right_answers_and_refusals_are_counted_as_such(engine: Engine) -> None:
    found = evaluate(engine, questions(*CASES))
    figures = found.figures
    assert [verdict(one) for one in found.outcomes] == [Verdict.ANSWERED] * 3 + [Verdict.REFUSED] * 2
    assert not any(map(is_wrong, found.outcomes))
    assert (figures.wrongly_answered, figures.wrongly_refused) == (Share(0, 2), Share(0, 3))
    assert (figures.from_right_page, dict(figures.page_at)) == (Share(2, 2), {1: Share(2, 2), 5: Share(2, 2)})
    assert (figures.quote_held, figures.quote_overlap) == (Share(2, 2), 1.0)
    assert figures.right_citations == Share(2, 2)
    assert figures.exact_citations.hits == figures.exact_citations.of >= 3
    assert figures.auroc is not None
    assert (figures.auroc.value, figures.auroc.high, figures.faults) == (1.0, 1.0, 0)
    assert (found.documents, found.floor, found.index_id) == (5, engine.rules.floor, engine.index_id)
    assert [one.case.id for one in found.outcomes] == [case.id for case in CASES]


def test_only_cases_that_say_what_is_needed_count_for_a_figure(engine: Engine) -> None:
    figures = evaluate(engine, questions(INVITE)).figures
    nothing = Share(0, 0)
    assert (figures.from_right_page, figures.quote_held, figures.right_citations) == (nothing, nothing, nothing)
    assert dict(figures.page_at) == dict(figures.section_at) == {1: nothing, 5: nothing}
    assert figures.quote_overlap is figures.auroc is figures.calibration is None
    assert figures.wrongly_answered == nothing
    assert figures.risk_area == 0.0


def test_sections_go_by_their_heading_as_a_reader_sees_it(engine: Engine) -> None:
    roles = Case("roles", "which permissions does a role grant", True, (Expected("guide/users.md", "ROLES  of users"),))
    other = replace(roles, id="other", expect=(Expected("guide/users.md", "Members"),))
    anywhere = replace(roles, id="anywhere", expect=(Expected("guide/backup.md", "Backup"), Expected("guide/users.md")))
    for case, hits in ((roles, 1), (other, 0), (anywhere, 1)):
        figures = evaluate(engine, questions(case)).figures
        assert dict(figures.section_at) == {1: Share(hits, 1), 5: Share(hits, 1)}
        assert dict(figures.page_at) == {1: Share(1, 1), 5: Share(1, 1)}


def test_a_question_over_a_limit_is_a_fault_and_counts_as_refused(engine: Engine) -> None:
    found = evaluate(engine, questions(LONG, replace(LONG, id="long too", answerable=True)))
    assert [verdict(one) for one in found.outcomes] == [Verdict.FAULT] * 2
    assert all(one.fault == "question-too-long" and is_wrong(one) for one in found.outcomes)
    assert (found.figures.wrongly_answered, found.figures.wrongly_refused) == (Share(0, 1), Share(1, 1))
    assert found.figures.faults == 2
    assert "question-too-long" in why(found.outcomes[0])


def test_a_floor_out_of_range_is_no_outcome(engine: Engine) -> None:
    with pytest.raises(UsageFault, match="floor"):
        evaluate(engine, questions(KEYS), floor=1.5)


def test_the_same_index_and_file_give_the_same_evaluation(built: Project, engine: Engine) -> None:
    with built.engine() as other:
        assert evaluate(engine, questions(*CASES), floor=0.3) == evaluate(other, questions(*CASES), floor=0.3)


def test_the_order_of_the_file_moves_no_figure(engine: Engine) -> None:
    forward, backward = (evaluate(engine, questions(*cases)).figures for cases in (CASES, CASES[::-1]))
    assert forward == backward


def test_progress_is_told_after_each_question(engine: Engine) -> None:
    told: list[tuple[int, int, str]] = []
    evaluate(engine, questions(KEYS, PRICE), progress=lambda *one: told.append(one))
    assert told == [(1, 2, "keys"), (2, 2, "price")]


def test_refused_questions_stand_in_the_risk_curve_with_what_would_have_been_quoted(engine: Engine) -> None:
    wrong = replace(KEYS, id="wrong", expect=(Expected("index.md"),))
    refusing = evaluate(engine, questions(KEYS, wrong), floor=1.0).figures
    assert refusing.wrongly_refused == Share(2, 2)
    assert [(point.coverage, point.risk) for point in refusing.risk_coverage] == [(1.0, 0.5)]


def test_a_citation_that_is_off_is_not_exact(engine: Engine) -> None:
    quote = outcome(engine, KEYS).quotes[0]
    moved = replace(quote.spans[0], start_byte=quote.spans[0].start_byte + 1)
    assert is_exact(engine, quote)
    assert not is_exact(engine, replace(quote, spans=(moved,)))
    assert not is_exact(engine, replace(quote, text=quote.text + "."))
    assert not is_exact(engine, replace(quote, quote_sha256="0" * 64))


# --- Which page is meant ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "guide/backup.md",
        "docs/guide/backup.md",
        "./guide/backup.md",
        "guide\\backup.md",
        "repo/site/docs/guide/backup.md",
        "backup.md",
    ],
)
def test_a_page_is_named_from_its_source_from_further_up_or_by_its_end(engine: Engine, path: str) -> None:
    assert verdict(outcome(engine, replace(BACKUP, expect=(Expected(path),)))) is Verdict.ANSWERED


@pytest.mark.parametrize("path", ["ackup.md", "guide/backup", "other/guide.md", "guide", "keys.md", ""])
def test_another_page_is_a_wrong_page(engine: Engine, path: str) -> None:
    assert verdict(outcome(engine, replace(BACKUP, expect=(Expected(path),)))) is Verdict.WRONG_PAGE


def test_of_two_pages_that_a_path_may_end_in_the_longer_is_meant(engine: Engine) -> None:
    task = Case("task", "which page is there for each task of an operator", True, (Expected("repo/docs/guide/index.md"),))
    welcome = Case("welcome", "where does this server start to keep documents", True, (Expected("repo/docs/guide/index.md"),))
    assert verdict(outcome(engine, task)) is Verdict.ANSWERED
    assert verdict(outcome(engine, welcome, floor=0.1)) is Verdict.WRONG_PAGE
    assert outcome(engine, task).case.expect[0].pages == ("docs/guide/index.md",)


def test_pages_of_the_same_path_are_told_apart_by_their_source(project: Project) -> None:
    (project.root / "old").mkdir()
    (project.root / "old" / "keys.md").write_text("# Keys\n\nKeys never expire in the old release.\n", encoding="utf-8")
    project.write("keys.md", "# Keys\n\nKeys are rotated every ninety days.\n")
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\n[[source]]\npath = "old"\n', encoding="utf-8")
    project.build()
    with project.engine() as engine:
        for path, expected in (
            ("keys.md", Verdict.ANSWERED),
            ("docs/keys.md", Verdict.ANSWERED),
            ("old/keys.md", Verdict.WRONG_PAGE),
        ):
            assert verdict(outcome(engine, replace(KEYS, expect=(Expected(path),)))) is expected, path


# --- Why -------------------------------------------------------------------------------------------------------------


def test_what_came_out_right_needs_no_reason(engine: Engine) -> None:
    assert [why(one) for one in evaluate(engine, questions(*CASES)).outcomes] == [""] * len(CASES)


def test_a_wrong_refusal_tells_the_evidence_and_where_the_right_page_stood(engine: Engine) -> None:
    found = outcome(engine, KEYS, floor=1.0)
    assert isinstance(found.result, Refusal)
    assert verdict(found) is Verdict.WRONGLY_REFUSED
    assert f"Refused (below_floor): the best evidence is {found.base:.3f}, the floor is 1.000." in why(found)
    assert "The closest passage is in keys.md > Keys, the right page." in why(found)


def test_a_wrong_refusal_names_unknown_words_and_a_page_that_is_not_there(engine: Engine) -> None:
    told = why(outcome(engine, Case("x", "frobnicate the backup", True, (Expected("guide/restore.md"),)), floor=1.0))
    assert "in no passage: frobnicate" in told
    assert "No page of the index is guide/restore.md; the closest passage is in guide/backup.md" in told


def test_a_wrong_refusal_tells_the_rank_of_a_right_page_or_that_it_was_not_among_them(engine: Engine) -> None:
    second = Case("x", "encrypted backup page", True, (Expected("guide/users.md"),))
    assert "The right page guide/users.md came as number " in why(outcome(engine, second, floor=1.0))
    absent = replace(second, expect=(Expected("keys.md"),))
    assert "The right page keys.md is not among the " in why(outcome(engine, absent, floor=1.0))


def test_a_wrong_answer_tells_what_covers_how_much_and_which_words_are_lacking(engine: Engine) -> None:
    found = outcome(engine, PRICE, floor=0.0)
    assert isinstance(found.result, Answer)
    assert verdict(found) is Verdict.WRONGLY_ANSWERED
    assert found.lacking == ("price", "enterprise", "plan")
    told = why(found)
    assert told.startswith(f"Answered from guide/backup.md > Backup with evidence {found.base:.3f} (floor 0.000), where one")
    assert "% of the question." in told
    assert told.endswith("The quotes lack: price, enterprise, plan.")


def test_words_are_lacking_as_the_index_compares_them(engine: Engine) -> None:
    asked = replace(PRICE, question="rotating a key, revocation of backups")
    assert outcome(engine, asked, floor=0.0).lacking == ("revocation",)


def test_a_wrong_page_tells_what_was_quoted_and_where_the_right_one_came(engine: Engine) -> None:
    told = why(outcome(engine, replace(BACKUP, expect=(Expected("guide/users.md"),))))
    assert told.startswith("Quoted from guide/backup.md > Backup > Encryption. ")
    assert "guide/users.md" in told.partition(". ")[2]


# --- The gate --------------------------------------------------------------------------------------------------------


def failed(found: Iterable[Check]) -> list[str]:
    return [check.name for check in found if not check.passed]


def test_a_good_engine_passes_the_default_gate(engine: Engine) -> None:
    found = checks(evaluate(engine, questions(*CASES)), Gate(), None)
    assert [check.name for check in found] == ["both_sorts", "max_wrong", "max_refused"]
    assert failed(found) == []


def test_an_engine_that_always_answers_fails_the_default_gate(engine: Engine) -> None:
    found = evaluate(engine, questions(*CASES), floor=0.0)
    assert all(one.is_answered for one in found.outcomes)
    assert failed(checks(found, Gate())) == ["max_wrong"]


def test_an_engine_that_always_refuses_fails_the_default_gate(engine: Engine) -> None:
    found = evaluate(engine, questions(*CASES), floor=1.0)
    assert not any(one.is_answered for one in found.outcomes)
    assert failed(checks(found, Gate())) == ["max_refused"]


def test_one_sort_of_question_alone_passes_no_gate(engine: Engine) -> None:
    for cases, advice in (((KEYS, INVITE), "must be refused"), ((PRICE, ROCKET), "must be answered")):
        first, *others = checks(evaluate(engine, questions(*cases)), Gate(max_wrong=1.0, max_refused=1.0))
        assert not first.passed
        assert advice in first.sentence
        assert failed(others) == []


def test_limits_are_met_exactly_and_failed_beyond(engine: Engine) -> None:
    found = evaluate(engine, questions(*CASES, replace(KEYS, id="lost", question="who painted the ceiling")))
    assert found.figures.wrongly_refused == Share(1, 4)
    assert failed(checks(found, Gate(max_refused=0.25, min_answered=0.75, max_wrong=0.0))) == []
    assert failed(checks(found, Gate(max_refused=0.24, min_answered=0.76))) == ["max_refused", "min_answered"]
    refused, answered = checks(found, Gate(max_refused=0.24, min_answered=0.76))[2:]
    assert (refused.value, refused.limit, answered.value, answered.limit) == (0.25, 0.24, 0.75, 0.76)
    assert "1 of 4 covered questions were refused: 25.0 %" in refused.sentence


# --- No worse than last time -----------------------------------------------------------------------------------------


def written(found: Evaluation) -> dict[str, Any]:
    """What of an evaluation's JSON a later one is compared with."""

    def share(one: Share) -> dict[str, Any]:
        return {"hits": one.hits, "of": one.of, "share": one.value}

    figures = found.figures
    return {
        "figures": {
            "wrongly_answered": share(figures.wrongly_answered),
            "wrongly_refused": share(figures.wrongly_refused),
            "page_at": {str(depth): share(one) for depth, one in figures.page_at},
        },
        "cases": [{"id": one.case.id, "verdict": verdict(one).value} for one in found.outcomes],
    }


def against(folder: Path, before: Evaluation, now: Evaluation) -> list[Check]:
    file = folder / "before.json"
    file.write_text(json.dumps(written(before)), encoding="utf-8")
    found = checks(now, Gate(max_wrong=1.0, max_refused=1.0), read_baseline(file))
    return [check for check in found if check.name.startswith("baseline_")]


def test_the_same_as_last_time_is_no_worse(engine: Engine, tmp_path: Path) -> None:
    found = evaluate(engine, questions(*CASES))
    compared = against(tmp_path, found, found)
    assert [check.name for check in compared] == [
        "baseline_wrongly_answered",
        "baseline_wrongly_refused",
        "baseline_page_at_1",
    ]
    assert failed(compared) == []


def test_what_got_worse_is_named(engine: Engine, tmp_path: Path) -> None:
    good = evaluate(engine, questions(*CASES))
    answering, refusing = (evaluate(engine, questions(*CASES), floor=floor) for floor in (0.0, 1.0))
    wrong = against(tmp_path, good, answering)
    assert failed(wrong) == ["baseline_wrongly_answered"]
    assert wrong[0].sentence == "Not covered and answered: 100.0 %, last time 0.0 %. Got worse: price, rocket."
    refused = against(tmp_path, good, refusing)
    assert failed(refused) == ["baseline_wrongly_refused"]
    assert refused[1].sentence.endswith("Got worse: backup, keys, invite.")
    assert failed(against(tmp_path, answering, good)) == []


def test_a_ranking_that_got_worse_is_told(engine: Engine, tmp_path: Path) -> None:
    good = evaluate(engine, questions(KEYS, BACKUP, PRICE))
    worse = evaluate(engine, questions(KEYS, replace(BACKUP, expect=(Expected("guide/users.md"),)), PRICE))
    found = against(tmp_path, good, worse)
    assert failed(found) == ["baseline_page_at_1"]
    assert (found[2].value, found[2].limit) == (0.5, 1.0)
    assert found[2].sentence.endswith("Got worse: backup.")


def test_of_many_that_got_worse_the_first_five_are_named_and_new_ones_apart(engine: Engine, tmp_path: Path) -> None:
    many = [replace(PRICE, id=f"price {number}") for number in range(8)]
    before = evaluate(engine, questions(KEYS, *many))
    now = evaluate(engine, questions(KEYS, *many, ROCKET), floor=0.0)
    sentence = against(tmp_path, before, now)[0].sentence
    assert "Got worse: price 0, price 1, price 2, price 3, price 4 and 3 more." in sentence
    assert sentence.endswith("Not asked then: rocket.")


def test_a_figure_that_one_of_both_lacks_is_not_compared(engine: Engine, tmp_path: Path) -> None:
    before, now = evaluate(engine, questions(INVITE)), evaluate(engine, questions(*CASES))
    assert [check.name for check in against(tmp_path, before, now)] == ["baseline_wrongly_refused"]


def test_a_baseline_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(NotFoundFault) as caught:
            read_baseline(path)
        assert caught.value.code == "baseline-not-found"


SHARE, NO_SHARE = '{"hits": 0, "of": 1}', '{"hits": 2, "of": 1}'
FIGURES = '{"wrongly_answered": %s, "wrongly_refused": {"hits": 0, "of": 1}, "page_at": {}}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"figures": {}, "cases": []}',
        f'{{"figures": {FIGURES % NO_SHARE}, "cases": []}}',
        f'{{"figures": {FIGURES % 0.5}, "cases": []}}',
        f'{{"figures": {FIGURES % SHARE}, "cases": [1]}}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_file_that_is_no_evaluation_is_no_baseline(tmp_path: Path, text: str) -> None:
    file = tmp_path / "before.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageFault) as caught:
        read_baseline(file)
    assert caught.value.code == "baseline-syntax"
    assert str(file) in caught.value.message
