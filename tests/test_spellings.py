"""One word in several spellings is one word; words that only look alike are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.support.projects import Project

from nescio.analysis.tokens import Analyzer
from nescio.domain.answers import Answer, Refusal
from nescio.retrieve.spellings import spellings, with_units
from nescio.retrieve.typos import is_opposite

SAME = (
    ("licence", "license"), ("colour", "color"), ("organisation", "organization"), ("initialise", "initialize"),
    ("centre", "center"), ("defence", "defense"), ("catalogue", "catalog"), ("cancelled", "canceled"), ("grey", "gray"),
    ("analyse", "analyze"), ("programme", "program"), ("judgement", "judgment"), ("behaviour", "behavior"),
    ("fibre", "fiber"), ("modelling", "modeling"), ("customising", "customizing"), ("serialiser", "serializer"),
    ("dialogue", "dialog"), ("favourite", "favorite"), ("cheque", "check"), ("labelled", "labeled"),
)  # fmt: skip
OPPOSITE = (
    ("unpublish", "publish"), ("decryption", "encryption"), ("exclude", "include"), ("disable", "enable"),
    ("inactive", "active"), ("nonblocking", "blocking"), ("preprocess", "postprocess"), ("export", "import"),
    ("uninstall", "install"), ("deactivate", "activate"), ("irregular", "regular"), ("overflow", "underflow"),
    ("upload", "download"), ("offline", "online"), ("inbound", "outbound"), ("resubmit", "submit"), ("asymmetric", "symmetric"),
    ("misconfigure", "configure"), ("unlock", "lock"), ("interactive", "reactive"),
)  # fmt: skip
SLIPS = (("pubish", "publish"), ("reponse", "response"), ("instal", "install"), ("disbale", "disable"), ("dowload", "download"))


@pytest.mark.parametrize(("word", "other"), SAME)
def test_two_spellings_of_a_word_are_found_both_ways(word: str, other: str) -> None:
    assert other in set(spellings(word))
    assert word in set(spellings(other))


@pytest.mark.parametrize(("word", "other"), OPPOSITE)
def test_a_word_that_turns_another_is_no_slip_of_it(word: str, other: str) -> None:
    assert is_opposite(word, other)
    assert is_opposite(other, word)


@pytest.mark.parametrize(("word", "other"), SLIPS)
def test_a_slip_of_the_finger_turns_nothing(word: str, other: str) -> None:
    assert not is_opposite(word, other)


def _counts(*known: str) -> Callable[[str], int]:
    return lambda term: int(term in known)


@pytest.mark.parametrize(
    ("question", "known", "read"),
    [
        ("limit 512 MB", ("512mb", "limit"), ["limit", "512mb"]),
        ("limit 512MB", ("512", "mb", "limit"), ["limit", "512", "mb"]),
        ("limit 512 MB", ("512", "mb", "512mb", "limit"), ["limit", "512", "mb"]),
        ("after 30 s", ("30s",), ["after", "30s"]),
        ("after 30s", ("30s",), ["after", "30s"]),
        ("version 3 beta", ("3beta",), ["version", "3", "beta"]),
        ("12 monkeys", ("12",), ["12", "monkeys"]),
    ],
)
def test_a_number_and_its_unit_are_read_as_the_documents_write_them(
    question: str, known: tuple[str, ...], read: list[str]
) -> None:
    words = with_units(Analyzer().words(question), _counts(*known))
    assert [word for word, _ in words] == read


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The licence lasts for two years.", "how long does the license last"),
        ("The license lasts for two years.", "how long does the licence last"),
        ("The upload is limited to 512MB.", "is the upload limited to 512 MB"),
        ("The upload is limited to 512 MB.", "is the upload limited to 512MB"),
        ("The colour of the lamp is amber.", "what is the color of the lamp"),
    ],
)
def test_a_question_in_another_spelling_is_answered(text: str, question: str, project: Project) -> None:
    project.write("a.md", f"# Notes\n\n{text}\n")
    project.write("b.md", "# Boards\n\nA board holds cards in lanes.\n")
    project.build()
    with project.engine() as engine:
        result = engine.ask(question)
    assert isinstance(result, Answer)
    assert result.quotes[0].text == text
    assert result.corrections == ()


def test_what_is_only_documented_the_other_way_round_is_not_corrected_to_it(project: Project) -> None:
    project.write("a.md", "# Sites\n\nTo publish a site, press F4.\n")
    project.build()
    with project.engine() as engine:
        result = engine.ask("how do I unpublish a site")
    assert isinstance(result, Refusal)
    assert result.corrections == ()
