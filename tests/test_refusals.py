"""Every reason to refuse, with what a refusal tells; and what it must never hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.domain.answers import Answer, Change, Reason, Refusal
from nescio.domain.rules import Rules
from nescio.engine import Engine
from nescio.errors import NotFoundFault, QuestionFault
from nescio.retrieve.ranking import NEAR
from nescio.surfaces import wire
from support.projects import Project

PAGES = {
    "guide/cache.md": (
        "# Cache\n\nIt keeps answers an hour.\n\n## Clear the cache\n\nTo clear the cache, delete the cache folder.\n"
    ),
    "guide/start.md": "# Start\n\nStart the server with the start command.\n\n## Port\n\nThe server listens on port 8000.\n",
    "admin/backup.md": "# Backup\n\nA backup is written each night. The backup is encrypted with a passphrase.\n",
    "admin/users.md": "# Users\n\nAdd users with the invite page. Users have roles.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """PAGES, built once."""
    project = Project(Path(tmp_path_factory.mktemp("refusals"))).write_all(PAGES)
    project.build()
    with project.engine() as found:
        yield found


def refused(engine: Engine, question: str, **asked: object) -> Refusal:
    result = engine.ask(question, **asked)  # type: ignore[arg-type]
    assert isinstance(result, Refusal), result
    return result


# --- Reasons ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["", "  \n", "?!", "...", "\x00\x07", "\u200b"])
def test_a_question_without_words_is_refused(engine: Engine, question: str) -> None:
    found = refused(engine, question)
    assert found.reason is Reason.QUESTION_EMPTY
    assert found.message == "The question holds no words."
    assert (found.base, found.confidence, found.searched.terms) == (found.searched.best, found.base, ())


def test_a_question_of_stop_words_is_refused_and_names_them(engine: Engine) -> None:
    found = refused(engine, "What is the")
    assert found.reason is Reason.ONLY_STOP_WORDS
    assert found.searched.dropped == ("what", "is", "the")
    assert "what, is, the" in found.message


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("and/or", "The question holds only words that every text has: and, or."),
        ("don't", "The question holds only words that every text has: don't."),
        ("a number of", "The question holds only words that every text has."),
    ],
)
def test_words_without_a_topic_are_stop_words_however_they_are_put(engine: Engine, question: str, message: str) -> None:
    found = refused(engine, question)
    assert (found.reason, found.message) == (Reason.ONLY_STOP_WORDS, message)


def test_a_question_of_words_that_no_page_has_is_refused_and_names_them(engine: Engine) -> None:
    found = refused(engine, "what is quantum chromodynamics")
    assert found.reason is Reason.UNKNOWN_WORDS
    assert found.searched.unknown == ("quantum", "chromodynamics")
    assert found.message == 'The documentation never uses "quantum" or "chromodynamics".'
    assert found.related == ()


def test_three_unknown_words_beside_a_correction_are_too_much_guessed(engine: Engine) -> None:
    found = refused(engine, "quagga okapi tapir cahce bakcup")
    assert found.reason is Reason.UNKNOWN_WORDS
    assert found.corrections
    assert found.searched.unknown[:3] == ("quagga", "okapi", "tapir")


def test_weak_evidence_is_refused_with_the_best_score_and_the_floor(engine: Engine) -> None:
    found = refused(engine, "which tablet shows the server's invoice for electricity")
    assert found.reason is Reason.BELOW_FLOOR
    assert found.base == found.searched.best < found.floor == found.searched.floor
    assert f"{found.base:.2f}" in found.message
    assert f"{found.floor:.2f}" in found.message
    assert "tablet" in found.message


def test_what_lies_outside_of_the_part_that_was_asked_for_is_refused_as_hidden(engine: Engine) -> None:
    assert isinstance(engine.ask("how is the backup encrypted"), Answer)
    found = refused(engine, "how is the backup encrypted", under="guide")
    assert found.reason is Reason.HIDDEN_BY_FILTER
    assert found.searched.filters == ("under:guide",)
    assert found.related == ()
    assert found.base < found.floor


def test_what_no_part_answers_is_not_called_hidden(engine: Engine) -> None:
    assert refused(engine, "which tablet shows the server's invoice", under="guide").reason is Reason.BELOW_FLOOR


def test_an_index_without_passages_refuses_every_question(project: Project) -> None:
    project.write("empty.md", "<!-- nothing -->\n")
    project.build()
    with project.engine() as engine:
        found = refused(engine, "what is the cache")
        assert found.reason is Reason.CORPUS_EMPTY
        assert (found.searched.documents, found.searched.passages) == (1, 0)
        assert refused(engine, "").reason is Reason.QUESTION_EMPTY
        assert engine.search("cache").hits == ()


def test_without_any_passage_to_quote_a_floor_of_nothing_refuses_too(engine: Engine) -> None:
    found = refused(engine, "encrypted passphrase", floor=0.0, under="guide")
    assert (found.reason, found.base) == (Reason.HIDDEN_BY_FILTER, 0.0)


def test_a_floor_that_nothing_reaches_refuses(engine: Engine) -> None:
    found = refused(engine, "how long does the cache keep answers", floor=1.0)
    assert found.reason is Reason.BELOW_FLOOR
    assert found.floor == 1.0
    assert 0.5 < found.base < 1.0


# --- What a refusal holds --------------------------------------------------------------------------------------------

ASKED = [
    "",
    "the",
    "what is quantum chromodynamics",
    "which tablet shows the server's invoice for electricity",
    "delete users roles",
    "server cache backup users night",
    "how is the invite encrypted each port",
]


@pytest.mark.parametrize("question", ASKED)
def test_a_refusal_says_what_was_searched(engine: Engine, question: str) -> None:
    found = refused(engine, question, floor=1.0)
    assert found.question == question
    assert (found.searched.documents, found.searched.passages) == (4, 6)
    assert found.searched.index_id == engine.index_id
    assert found.message.endswith(".")
    assert found.warnings == ()


@pytest.mark.parametrize("question", ASKED)
def test_related_places_are_near_and_hold_no_quote_and_no_hash(engine: Engine, question: str) -> None:
    found = refused(engine, question, floor=1.0)
    near = {hit.passage_id for hit in engine.explain(question, floor=1.0, limit=20).hits if hit.evidence >= NEAR}
    assert {place.passage_id for place in found.related} <= near
    assert bool(found.related) is bool(near)
    assert len(found.related) <= 3
    said = wire.answer_json(found)
    assert said["quotes"] == []
    assert all(not {"text", "spans", "quote_sha256", "document_sha256"} & set(place) for place in said["related"])


def test_nothing_is_related_where_nothing_comes_near(engine: Engine) -> None:
    assert refused(engine, "what is a prime number of the night").related == ()


def test_related_places_name_each_heading_once(project: Project) -> None:
    long = "# Cache\n\n" + "\n\n".join(f"The cache keeps {number}. " + "word " * 150 for number in range(60))
    project.write("a.md", long)
    project.build()
    with project.engine() as engine:
        found = refused(engine, "cache keeps", floor=1.0)
    assert [place.heading_path for place in found.related] == [("Cache",)]


def test_no_more_than_three_places_are_related(project: Project) -> None:
    pages = {f"p{number}.md": f"# Page {number}\n\nThe lion sleeps{' well' * number} here.\n" for number in range(6)}
    project.write_all(pages).build()
    with project.engine() as engine:
        assert len(refused(engine, "where does the lion sleep", floor=1.0).related) == 3


def test_a_suggestion_is_made_for_a_word_with_another_name(engine: Engine) -> None:
    found = refused(engine, "which directory", floor=1.0)
    assert found.suggestions == (Change("directory", "folder"),)


def test_a_wording_is_proposed_that_finds_more_and_it_is_no_answer(engine: Engine) -> None:
    found = refused(engine, "Which Directory of the cache must I delete?", floor=1.0)
    assert found.rewording == "Which folder of the cache must I delete?"
    assert engine.ask(found.rewording, floor=1.0).base > found.base


def test_no_wording_is_proposed_where_the_documents_have_no_other_word(engine: Engine) -> None:
    assert refused(engine, "what is quantum chromodynamics").rewording is None
    assert refused(engine, "which port is encrypted", floor=1.0).rewording is None


def test_a_refusal_tells_unknown_words_from_those_that_are_only_elsewhere(engine: Engine) -> None:
    found = refused(engine, "which sauna clears the cache of the passphrase", floor=1.0)
    assert 'The documentation never uses "sauna".' in found.message
    assert 'The nearest passage says nothing of "passphrase".' in found.message


def test_words_that_stand_too_far_apart_are_not_called_missing(engine: Engine) -> None:
    found = refused(engine, "cache folder", floor=1.0)
    assert "every word of the question" in found.message


def test_a_related_place_tells_which_words_it_has_not(engine: Engine) -> None:
    found = refused(engine, "delete the cache of the invite", floor=1.0)
    place = next(one for one in found.related if one.path == "guide/cache.md")
    assert place.missing == ("invite",)


# --- Bases and scopes ------------------------------------------------------------------------------------------------


def test_narrowing_the_search_changes_no_base(engine: Engine) -> None:
    for question in ("clear the cache", "server port", "backup encrypted users"):
        anywhere = {hit.passage_id: hit for hit in engine.explain(question, limit=20).hits}
        inside = {hit.passage_id: hit for hit in engine.explain(question, limit=20, under="admin").hits}
        assert all(hit.path.startswith("admin/") for hit in inside.values())
        assert all(hit.base == anywhere[name].base for name, hit in inside.items() if name in anywhere)


@given(st.integers(1, 6), st.sampled_from([*ASKED, "clear the cache", "server port"]))
def test_the_number_of_quotes_asked_for_changes_no_base(engine: Engine, limit: int, question: str) -> None:
    one, many = engine.ask(question, limit=1), engine.ask(question, limit=limit)
    assert (type(one), one.base, one.confidence, one.searched) == (type(many), many.base, many.confidence, many.searched)


def test_a_heading_never_lifts_a_passage_over_the_floor(engine: Engine) -> None:
    """A preference orders; the floor reads the base."""
    explained = engine.explain("port users", limit=20)
    preferred = max(explained.hits, key=lambda hit: hit.preference)
    assert preferred.preference > 0
    floor = preferred.base + preferred.preference / 2
    result = engine.ask("port users", floor=floor)
    assert isinstance(result, Refusal) or all(quote.base >= floor for quote in result.quotes)


# --- Limits ----------------------------------------------------------------------------------------------------------


def test_a_question_that_is_too_long_is_a_fault(engine: Engine) -> None:
    with pytest.raises(QuestionFault) as caught:
        engine.ask("x" * (engine.rules.longest_question + 1))
    assert caught.value.code == "question-too-long"
    assert str(engine.rules.longest_question) in caught.value.message
    assert "limits.max_question_characters" in caught.value.hint


def test_a_question_at_the_limit_is_read(engine: Engine) -> None:
    assert isinstance(engine.ask("cache " * (engine.rules.longest_question // 6)), Answer | Refusal)


def test_a_question_of_too_many_words_is_a_fault(engine: Engine) -> None:
    with pytest.raises(QuestionFault) as caught:
        engine.ask(" ".join(f"word{number}" for number in range(engine.rules.most_terms + 1)))
    assert caught.value.code == "question-too-many-terms"
    assert "limits.max_question_terms" in caught.value.hint


@pytest.mark.parametrize("surface", ["ask", "search", "explain"])
def test_a_limit_holds_however_the_question_is_put(engine: Engine, surface: str) -> None:
    strict = Engine(engine.index, Rules(longest_question=5))
    with pytest.raises(QuestionFault):
        getattr(strict, surface)("too long")


def test_a_part_that_is_not_there_is_a_fault(engine: Engine) -> None:
    with pytest.raises(NotFoundFault):
        engine.ask("cache", under="nowhere")


@given(st.text(max_size=120))
def test_any_question_is_answered_or_refused(engine: Engine, text: str) -> None:
    assert isinstance(engine.ask(text), Answer | Refusal)
