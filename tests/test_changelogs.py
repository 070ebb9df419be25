"""Pages that list changes mention everything and explain little: they answer questions about changes alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nescio.domain.answers import Answer, Reason, Refusal
from nescio.domain.candidates import is_changelog
from nescio.engine import Engine
from nescio.retrieve.ranking import is_about_changes
from support.projects import Project

PAGES = {
    "guide.md": "# Sessions\n\nA session lasts an hour. Sessions are kept in memory.\n",
    "CHANGELOG.md": (
        "# Changelog\n\n## 2.1.0\n\nSessions got a shorter cookie. The teapot was removed.\n\n"
        "## 2.0.0\n\nSession storage moved to memory. A session lasts an hour now.\n"
    ),
    "about/release-notes.md": "# Release notes\n\nThe teapot was introduced in 1.5.0.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """PAGES, built once."""
    project = Project(Path(tmp_path_factory.mktemp("changelogs"))).write_all(PAGES)
    project.build()
    with project.engine() as found:
        yield found


@pytest.mark.parametrize(
    "path",
    [
        "CHANGELOG.md",
        "docs/changelog.rst",
        "changes.md",
        "CHANGES.txt",
        "release-notes.md",
        "release_notes/v1.md",
        "releases/2.0.md",
        "history.md",
        "whats-new.md",
        "what-s-new-2.0.md",
        "news/2024.md",
        "a/changelogs/b.md",
    ],
)
def test_a_page_of_changes_is_known_by_its_path(path: str) -> None:
    assert is_changelog(path)


@pytest.mark.parametrize(
    "path",
    [
        "guide.md",
        "exchange.md",
        "changing-colors.md",
        "newsletter.md",
        "historical.md",
        "release.md",
        "renewal/a.md",
        "track-changes-in-a-file.md",
    ],
)
def test_other_pages_are_not_taken_for_one(path: str) -> None:
    assert not is_changelog(path)


@pytest.mark.parametrize(
    "question",
    [
        "what changed in 2.0",
        "when was the teapot removed",
        "what is new in the latest version",
        "is the teapot deprecated",
        "since which version are sessions kept in memory",
        "how do I migrate to v2.1",
        "breaking changes",
    ],
)
def test_a_question_about_changes_is_known_by_its_words(question: str) -> None:
    assert is_about_changes(question)


@pytest.mark.parametrize(
    "question", ["how long does a session last", "what is the teapot", "how do sessions work", "renew a session"]
)
def test_another_question_is_not_taken_for_one(question: str) -> None:
    assert not is_about_changes(question)


def test_a_changelog_answers_a_question_about_changes(engine: Engine) -> None:
    found = engine.ask("when was the teapot removed")
    assert isinstance(found, Answer)
    assert found.quotes[0].path == "CHANGELOG.md"
    introduced = engine.ask("when was the teapot introduced")
    assert isinstance(introduced, Answer)
    assert introduced.quotes[0].path == "about/release-notes.md"


def test_a_changelog_does_not_answer_another_question(engine: Engine) -> None:
    found = engine.ask("how long does a session last")
    assert isinstance(found, Answer)
    assert {quote.path for quote in found.quotes} == {"guide.md"}
    assert {hit.quote.path for hit in engine.search("session memory").hits} == {"guide.md"}


def test_a_changelog_stays_out_of_sight_whatever_the_floor(engine: Engine) -> None:
    found = engine.ask("teapot", floor=0.0)
    assert isinstance(found, Refusal)
    assert found.reason is Reason.BELOW_FLOOR


def test_a_word_that_only_changelogs_have_is_refused_without_naming_them(engine: Engine) -> None:
    found = engine.ask("what is the teapot")
    assert isinstance(found, Refusal)
    assert found.related == ()
