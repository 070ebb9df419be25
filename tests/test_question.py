"""What a question is worth, word by word: weights, words read as others, and what may help the order but never the floor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.analysis import lexicon
from nescio.analysis.tokens import Analyzer
from nescio.domain.answers import Change, SearchedTerm, TermKind
from nescio.domain.candidates import Scope, idf
from nescio.index.reading import StoredIndex
from nescio.retrieve.question import (
    CODE_SHARE,
    COMMON_SHARE,
    EVERYWHERE,
    FRAME_SHARE,
    PART_WEIGHT,
    PRIOR_PASSAGES,
    STOP_WEIGHT,
    Reader,
    Understood,
)
from nescio.retrieve.ranking import rank
from nescio.retrieve.typos import Spelling
from support.projects import Project

PAGES = {
    "guide.md": (
        "# Middleware\n\nThe middleware runs before each request. It sees the response_model of the route.\n\n"
        "## Cross-origin requests\n\nCORS means cross-origin resource sharing. Allow the origins with `--allow-origin`.\n\n"
        "## Timeouts\n\nSet the timeout in seconds. HTTP/2 is on by default. Show 3 details.\n"
    ),
    "install.md": (
        "# Install\n\nInstall the server with pip. Version 1.2.3 is needed.\n\n```\npip install server\n```\n\n"
        "## Delete a folder\n\nTo remove a directory, run the cleaner. A number of problems were solved.\n"
    ),
    "other.md": "# Other\n\nCats and dogs live here. The modal, a model and more model options. Those about others.\n",
}
QUESTION_WORDS = [
    "middleware",
    "midleware",
    "cors",
    "folder",
    "zebra",
    "the",
    "response_model",
    "rsponse_model",
    "HTTP/3",
    "cross-origin",
    "timeout",
    "delete",
    "how",
    "--allow-origin",
    "1.2.4",
    "modal",
    "moddl",
    "is",
    "show",
    "number",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredIndex]:
    """PAGES, built once."""
    project = Project(Path(tmp_path_factory.mktemp("question"))).write_all(PAGES)
    project.build()
    stored = project.stored()
    yield stored
    stored.close()


@pytest.fixture(scope="module")
def reader(index: StoredIndex) -> Reader:
    spelling = Spelling(index.words())
    return Reader(index, Analyzer(), lambda: spelling)


def term(understood: Understood, name: str) -> SearchedTerm:
    return next(one for one in understood.terms if one.term == name)


def worth(index: StoredIndex, name: str, share: float = COMMON_SHARE) -> float:
    """The idf of a term as if PRIOR_PASSAGES more had been read."""
    return idf(index.passages + PRIOR_PASSAGES, index.count(name) + PRIOR_PASSAGES * share)


# --- Weights ---------------------------------------------------------------------------------------------------------


def test_a_content_word_weighs_its_idf(index: StoredIndex, reader: Reader) -> None:
    found = term(reader.read("middleware"), "middlewar")
    assert found == SearchedTerm(
        "middlewar", index.count("middlewar"), TermKind.CONTENT, pytest.approx(worth(index, "middlewar")), "middleware"
    )


def test_a_word_that_frames_questions_weighs_less_in_a_small_corpus(index: StoredIndex, reader: Reader) -> None:
    shown, cats = term(reader.read("show cats"), "show"), term(reader.read("show cats"), "cat")
    assert index.count("show") == index.count("cat")
    assert shown.weight == pytest.approx(worth(index, "show", FRAME_SHARE))
    assert shown.weight < cats.weight


def test_a_part_of_a_compound_weighs_half_and_has_no_share(index: StoredIndex, reader: Reader) -> None:
    found = reader.read("response_model")
    assert term(found, "response_model").kind is TermKind.CONTENT
    assert term(found, "model").kind is TermKind.PART
    assert term(found, "model").weight == pytest.approx(PART_WEIGHT * worth(index, "model"))
    assert {one.term: one.share > 0 for one in found.question.terms} == {
        "response_model": True,
        "respons": False,
        "model": False,
    }


def test_a_stop_word_weighs_three_tenths_and_has_no_share(tmp_path: Path) -> None:
    pages = {f"{number}.md": f"# Page\n\nText number {number}.\n" for number in range(19)}
    project = Project(tmp_path).write_all({**pages, "rare.md": "# Rare\n\nStand behind the middleware.\n"})
    project.build()
    index = project.stored()
    found = Reader(index, Analyzer(), lambda: Spelling(())).read("behind the middleware")
    assert term(found, "the").kind is TermKind.STOP
    assert term(found, "the").weight == pytest.approx(STOP_WEIGHT * worth(index, "the"))
    assert "the" in found.dropped
    assert {one.term: one.share > 0 for one in found.question.terms}["the"] is False
    index.close()


def test_a_stop_word_that_is_nearly_everywhere_is_not_looked_for(index: StoredIndex, reader: Reader) -> None:
    assert index.count("the") > EVERYWHERE * index.passages
    found = reader.read("the middleware")
    assert [one.term for one in found.terms] == ["middlewar"]
    assert found.dropped == ("the",)


@pytest.mark.parametrize(
    ("word", "share"), [("http/2", CODE_SHARE), ("1.2.3", 1.0), ("middleware", 1.0), ("response_model", 1.0)]
)
def test_a_name_of_letters_and_digits_has_half_as_much_share_again(reader: Reader, word: str, share: float) -> None:
    asked = next(one for one in reader.read(word).question.terms if one.share)
    assert asked.share == pytest.approx(share * asked.weight)


def test_an_unknown_word_weighs_as_much_as_the_rarest(index: StoredIndex, reader: Reader) -> None:
    found = reader.read("zebra middleware")
    rarest = max(worth(index, name) for name in ("timeout", "cat", "pip", "cor"))
    assert term(found, "zebra") == SearchedTerm("zebra", 0, TermKind.UNKNOWN, pytest.approx(rarest), "zebra")
    assert found.unknown == ("zebra",)
    assert [one.term for one in found.question.terms] == ["middlewar"]
    assert found.question.total == pytest.approx(sum(one.weight for one in found.terms))
    assert found.question.share_total == pytest.approx(found.question.total)


def test_a_word_said_twice_counts_once(reader: Reader) -> None:
    assert reader.read("cats cats Cats").question == reader.read("cats").question


def test_a_word_that_is_also_a_part_counts_as_the_word(reader: Reader) -> None:
    for asked in ("model response_model", "response_model model"):
        found = term(reader.read(asked), "model")
        assert (found.kind, found.weight) == (TermKind.CONTENT, term(reader.read("model"), "model").weight)


def test_words_of_a_function_phrase_are_not_asked_for(reader: Reader) -> None:
    assert [one.term for one in reader.read("a number of cats").terms] == ["cat"]


def test_words_written_together_are_asked_for_one_by_one_when_the_compound_is_unknown(reader: Reader) -> None:
    found = reader.read("cats/dogs")
    assert [(one.term, one.kind) for one in found.terms] == [("cat", TermKind.CONTENT), ("dog", TermKind.CONTENT)]
    assert found.unknown == ()


def test_a_code_that_differs_by_a_digit_is_unknown_not_its_parts(reader: Reader) -> None:
    for asked in ("HTTP/3", "1.2.4", "E0277"):
        found = reader.read(asked)
        assert found.unknown == (asked.lower(),)
        assert found.corrections == found.suggestions == ()


def test_the_content_of_a_question_is_counted(reader: Reader) -> None:
    assert reader.read("is the zebra in midleware response_model").content == 3
    assert reader.read("is the").content == 0


@pytest.mark.parametrize("text", ["", "   ", "?!", "\u200b"])
def test_a_question_without_words_is_empty(reader: Reader, text: str) -> None:
    assert reader.read(text).is_empty
    assert not reader.read("the").is_empty


# --- Words read as others --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("midleware", "middleware"),
        ("middlewaer", "middleware"),
        ("mdidlewaer", "middleware"),
        ("rsponse_model", "response_model"),
        ("corss", "cors"),
        ("tiemout", "timeout"),
        ("secnods", "seconds"),
    ],
)
def test_a_slip_of_the_pen_is_read_as_the_word_that_was_meant(reader: Reader, typed: str, meant: str) -> None:
    found = reader.read(typed)
    assert found.corrections == (Change(typed, meant),)
    assert found.unknown == ()


@pytest.mark.parametrize("typed", ["whcih", "doess", "thier", "withh"])
def test_a_mistyped_stop_word_is_left_out(reader: Reader, typed: str) -> None:
    found = reader.read(f"{typed} middleware")
    assert typed in found.dropped
    assert (found.unknown, found.corrections) == ((), ())


def test_a_word_of_its_own_that_is_near_a_stop_word_is_not_left_out(reader: Reader) -> None:
    assert reader.read("quiet middleware").unknown == ("quiet",)


def test_a_corrected_word_counts_as_the_word_that_it_was_read_as(reader: Reader) -> None:
    typed, meant = reader.read("rsponse_model"), reader.read("response_model")
    assert typed.question == meant.question
    assert term(typed, "response_model").kind is TermKind.CORRECTED


@pytest.mark.parametrize("typed", ["cats1", "HTTP/3", "--alow-origin", "1.2.4", "catz", "dgos", "$HOEM", "v1.2.4", "C++"])
def test_a_short_word_a_number_or_a_flag_is_never_read_as_another(reader: Reader, typed: str) -> None:
    assert reader.read(typed).corrections == ()


def test_a_word_that_is_there_is_never_corrected(index: StoredIndex, reader: Reader) -> None:
    assert all(reader.read(word).corrections == () for word in index.words())


@pytest.mark.parametrize(("typed", "near"), [("bequest", "request"), ("aversion", "version"), ("shaping", "sharing")])
def test_a_word_with_synonyms_is_never_read_as_another(reader: Reader, index: StoredIndex, typed: str, near: str) -> None:
    assert lexicon.synonyms(typed)
    assert near in index.words()
    assert reader.read(typed).corrections == ()


def test_a_word_is_never_read_as_a_stop_word(reader: Reader) -> None:
    assert "those" in Analyzer().stop_words
    assert reader.read("thosse").corrections == ()
    assert reader.read("abouut").corrections == ()


def test_a_word_is_never_read_as_itself(reader: Reader) -> None:
    found = reader.read("number")
    assert found.unknown == ("number",)
    assert Change("number", "number") not in (*found.corrections, *found.suggestions)


def test_of_words_equally_near_the_most_frequent_is_taken_and_the_others_kept(reader: Reader) -> None:
    found = reader.read("moddl")
    assert found.corrections == (Change("moddl", "model"),)
    assert found.alternatives == (Change("moddl", "modal"),)


def test_a_word_can_be_read_as_the_caller_says(reader: Reader) -> None:
    found = reader.read("moddl", {"moddl": "modal"})
    assert found.corrections == (Change("moddl", "modal"),)
    assert found.alternatives == (Change("moddl", "model"),)
    assert found.question == reader.read("modal").question


def test_a_word_too_far_off_is_suggested_and_stays_unknown(reader: Reader) -> None:
    found = reader.read("tmieuot")
    assert (found.corrections, found.unknown) == ((), ("tmieuot",))
    assert found.suggestions == (Change("tmieuot", "timeout"),)


def test_of_a_short_word_no_other_is_suggested_that_differs_in_two_letters(reader: Reader) -> None:
    found = reader.read("modem")
    assert [change.after for change in (*found.corrections, *found.suggestions)] == ["model"]
    found = reader.read("medem")
    assert found.unknown == ("medem",)
    assert found.suggestions == ()


def test_a_word_of_a_heading_alone_is_known_to_those_who_mistype_it(reader: Reader) -> None:
    assert reader.read("timeuots").corrections == (Change("timeuots", "timeouts"),)


def test_a_word_of_the_same_meaning_is_suggested(reader: Reader) -> None:
    found = reader.read("erase")
    assert found.unknown == ("erase",)
    assert found.suggestions in ((Change("erase", "delete"),), (Change("erase", "remove"),))


# --- Expansions ------------------------------------------------------------------------------------------------------


def test_synonyms_that_the_docs_use_are_added_at_lower_weight(index: StoredIndex, reader: Reader) -> None:
    found = reader.read("folder")
    assert found.expanded == ("directori",)
    added = term(found, "directori")
    assert added.kind is TermKind.EXPANSION
    assert added.weight == pytest.approx(lexicon.THESAURUS_WEIGHT * min(worth(index, "folder"), worth(index, "directori")))


def test_the_words_of_an_acronym_share_its_weight(index: StoredIndex, reader: Reader) -> None:
    found = reader.read("cors")
    words = len(lexicon.acronym("cors")[0])
    assert found.expanded == ("cross", "origin", "resourc", "share")
    assert term(found, "cross").weight <= lexicon.THESAURUS_WEIGHT / words * worth(index, "cor") + 1e-9


def test_a_word_that_is_asked_for_is_no_expansion(reader: Reader) -> None:
    assert reader.read("folder directory").expanded == ()
    assert reader.read("cross origin cors").expanded == ("resourc", "share")


def test_a_corrected_word_has_no_expansions(reader: Reader) -> None:
    assert reader.read("corss").expanded == ()


# --- Other forms of a word -------------------------------------------------------------------------------------------


def forms_of(understood: Understood, name: str) -> tuple[tuple[str, ...], ...]:
    return next((one.forms for one in understood.question.terms if one.term == name), ())


def test_a_compound_may_be_written_as_its_words(reader: Reader) -> None:
    assert forms_of(reader.read("response_model"), "response_model") == (("respons", "model"),)


def test_an_acronym_may_be_spelled_out(reader: Reader) -> None:
    assert ("cross", "origin", "resourc", "share") in forms_of(reader.read("cors"), "cor")


def test_a_word_that_no_page_has_may_stand_there_as_one_derived_from_it(reader: Reader) -> None:
    found = reader.read("installer of middleware")
    assert forms_of(found, "instal") == ()
    solution = reader.read("solution of problems")
    assert term(solution, "solut").kind is TermKind.UNKNOWN
    assert forms_of(solution, "solut") == (("solv",),)


def test_a_word_that_a_page_has_stands_for_itself_alone(reader: Reader) -> None:
    assert forms_of(reader.read("timeout"), "timeout") == ()


def test_a_form_is_one_whose_words_the_index_has(reader: Reader) -> None:
    assert forms_of(reader.read("what is DirectoryCleaner"), "directoryclean") == (("directori", "cleaner"),)
    assert forms_of(reader.read("what is ZebraCleaner"), "zebraclean") == ()


# --- Numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "how many workers are started",
        "How long is a token valid?",
        "what is the maximum size of a file",
        "what's the default limit of connections",
        "Which number of replicas is recommended",
    ],
)
def test_a_question_that_only_a_number_answers_asks_for_one(reader: Reader, question: str) -> None:
    assert reader.read(question).question.asks_number


@pytest.mark.parametrize("question", ["how do I limit the number of workers", "what is a limiter", "show the size"])
def test_a_question_about_numbers_need_not_ask_for_one(reader: Reader, question: str) -> None:
    assert not reader.read(question).question.asks_number


# --- The order -------------------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(QUESTION_WORDS), max_size=6).map(" ".join))
def test_expansions_never_change_a_base(index: StoredIndex, reader: Reader, text: str) -> None:
    understood = reader.read(text)
    bare = replace(understood, question=replace(understood.question, extra=()))
    with_them, without = rank(index, understood, Scope()), rank(index, bare, Scope())
    assert {hit.key: hit.base for hit in with_them.hits} == {hit.key: hit.base for hit in without.hits}
    assert (with_them.best, with_them.standout) == (without.best, without.standout)


@given(st.lists(st.sampled_from(QUESTION_WORDS), max_size=6).map(" ".join))
def test_totals_hold_every_term_and_shares_the_content(reader: Reader, text: str) -> None:
    found = reader.read(text)
    asked = [one for one in found.terms if one.kind is not TermKind.EXPANSION]
    content = [one for one in asked if one.kind in (TermKind.CONTENT, TermKind.CORRECTED, TermKind.UNKNOWN)]
    assert found.question.total == pytest.approx(sum(one.weight for one in asked))
    codes = [one for one in content if any(map(str.isdigit, one.term)) and any(map(str.isalpha, one.term))]
    more = sum((CODE_SHARE - 1) * one.weight for one in codes)
    assert found.question.share_total == pytest.approx(sum(one.weight for one in content) + more)
    assert found.content == len(content)
    assert all(one.documents for one in found.terms if one.kind is not TermKind.UNKNOWN)
    looked_for = {one.term: one.forms for one in found.question.terms}
    assert {name for name, forms in looked_for.items() if not forms} <= {one.term for one in asked if one.documents}
    assert looked_for.keys() >= {one.term for one in asked if one.documents}


@given(st.text(max_size=100))
def test_any_text_can_be_read(reader: Reader, text: str) -> None:
    assert reader.read(text) == reader.read(text)


def test_known_words_tell_the_language_of_a_question(index: StoredIndex, reader: Reader) -> None:
    german = Reader(index, Analyzer("de"), lambda: Spelling(()))
    assert reader.known_words("how is the middleware") > german.known_words("how is the middleware")
    assert german.known_words("wie ist das und der") > reader.known_words("wie ist das und der")


def test_words_that_spell_out_an_acronym_bring_it_along_for_the_order(index: StoredIndex, reader: Reader) -> None:
    pages = reader.read("origin resource sharing over cross origin resource sharing")
    assert "cor" in pages.expanded
    assert all(one.term != "cor" for one in pages.question.terms)
    assert index.count("cor")


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("<script>alert(9)</script> how do I zoom a tile", ("<script>alert(9)</script>",)),
        ("how do I zoom a tile <img src=x onerror=alert(1)>", ("<img src=x onerror=alert(1)>",)),
        ("how do I zoom a <STYLE media=all>b{}</style> tile", ("<STYLE media=all>b{}</style>",)),
        ('<a href="javascript:alert(2)">how do I zoom a tile', ('<a href="javascript:alert(2)">',)),
        ("<iframe src=//evil.test></iframe> how do I zoom a tile", ("<iframe src=//evil.test>", "</iframe>")),
    ],
)
def test_markup_in_a_question_is_left_out_and_told(reader: Reader, question: str, left_out: tuple[str, ...]) -> None:
    plain, found = reader.read("how do I zoom a tile"), reader.read(question)
    assert found.question == plain.question
    assert set(left_out) <= set(found.dropped)


@pytest.mark.parametrize("question", ["what is <script setup>", "is List<String> a list", "when is a < b and c > d"])
def test_names_in_angle_brackets_are_words_of_a_question(reader: Reader, question: str) -> None:
    words = {term.word for term in reader.read(question).terms}
    assert words & {"script", "string", "list", "b", "c"}
    assert "<" not in "".join(reader.read(question).dropped)


def test_a_tag_with_attributes_asks_for_its_name(reader: Reader) -> None:
    found = reader.read('how do I style <input type="number">')
    assert "input" in {term.word for term in found.terms}
    assert 'type="number"' in found.dropped
