"""The fragment of a heading is the one that the site's own generator makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.ingest.slugs import STYLES, Slugs

TITLES = st.lists(
    st.sampled_from(["Setup", "setup", "Setup 1", "Setup-1", "Setup_1", "数据库", "!!!", "", "Ünï cödé"]), max_size=12
)


def taken(style: str, *titles: str) -> list[str]:
    slugs = Slugs(style)
    return [slugs.take(title, None) for title in titles]


@pytest.mark.parametrize(
    ("title", "github", "python_markdown", "docutils"),
    [
        ("Getting Started", "getting-started", "getting-started", "getting-started"),
        ("What's new?", "whats-new", "whats-new", "what-s-new"),
        ("C++ & C#", "c--c", "c-c", "c-c"),
        ("response_model", "response_model", "response_model", "response-model"),
        ("Version 1.2.3", "version-123", "version-123", "version-1-2-3"),
        ("A - B", "a---b", "a-b", "a-b"),
        ("Café", "café", "cafe", "cafe"),
        ("数据库 索引", "数据库-索引", "_1", "id1"),
        ("🚀 Launch", "-launch", "launch", "launch"),
        ("⚙\ufe0f Settings", "\ufe0f-settings", "settings", "settings"),
        ("  Spaces  ", "spaces", "spaces", "spaces"),
        ("1.2 Übung", "12-übung", "12-ubung", "ubung"),
        ("हिन्दी में", "हिन्दी-में", "_1", "id1"),
        ("x² + ½ Ⓐ", "x---ⓐ", "x2-12-a", "x2-12-a"),
        ("Łódź & Straße", "łódź--straße", "odz-strae", "lodz-strasze"),
        ("a_b‿c", "a_b‿c", "a_bc", "a-bc"),
        ("`code` — “quotes”", "code--quotes", "code-quotes", "code-quotes"),
        ("!!!", "", "_1", "id1"),
    ],
)
def test_a_title_has_the_fragment_of_its_generator(title: str, github: str, python_markdown: str, docutils: str) -> None:
    assert taken("github", title) == [github]
    assert taken("python-markdown", title) == [python_markdown]
    assert taken("sphinx", title) == [docutils]
    assert taken("docusaurus", title) == [github]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("github", ["setup", "setup-1", "setup-2"]),
        ("python-markdown", ["setup", "setup_1", "setup_2"]),
        ("sphinx", ["setup", "id1", "id2"]),
        ("docusaurus", ["setup", "setup-1", "setup-2"]),
    ],
)
def test_repeated_titles_are_numbered(style: str, expected: list[str]) -> None:
    assert taken(style, "Setup", "setup", "SETUP") == expected


def test_a_title_that_looks_numbered_gets_what_is_left() -> None:
    assert taken("github", "Setup", "Setup", "Setup 1") == ["setup", "setup-1", "setup-1-1"]
    assert taken("github", "Setup 1", "Setup", "Setup") == ["setup-1", "setup", "setup-2"]


def test_python_markdown_counts_on_from_a_number_that_is_there() -> None:
    assert taken("python-markdown", "Setup_5", "Setup_5", "Setup") == ["setup_5", "setup_6", "setup"]
    assert taken("python-markdown", "数据", "索引", "数据") == ["_1", "_2", "_3"]


@pytest.mark.parametrize("style", sorted(STYLES))
def test_many_headings_of_one_name_are_told_apart_in_linear_time(style: str) -> None:
    assert len(set(taken(style, *["Recap"] * 20_000))) == 20_000


@pytest.mark.parametrize("style", sorted(set(STYLES) - {"docusaurus"}))
def test_an_explicit_fragment_stands_as_it_is_and_is_taken(style: str) -> None:
    slugs = Slugs(style)
    assert slugs.take("Any title", "My_Id") == "My_Id"
    assert slugs.take("Setup", "setup") == "setup"
    assert slugs.take("Setup", None) != "setup"


def test_docusaurus_does_not_see_that_a_fragment_given_by_hand_is_taken() -> None:
    slugs = Slugs("docusaurus")
    assert [slugs.take("Any title", "setup"), slugs.take("Setup", None), slugs.take("Setup", None)] == [
        "setup",
        "setup",
        "setup-1",
    ]


def test_sphinx_counts_everything_without_a_name_of_its_own_together() -> None:
    assert taken("sphinx", "Setup", "数据库", "Setup", "Usage", "Usage", "1.") == ["setup", "id1", "id2", "usage", "id3", "id4"]


def test_what_has_no_letters_is_numbered_from_its_second_time_on_by_github() -> None:
    assert taken("github", "!!!", "???", "Setup") == ["", "-1", "setup"]


def test_a_fragment_given_by_hand_twice_is_given_twice() -> None:
    slugs = Slugs("github")
    assert [slugs.take("A", "x"), slugs.take("B", "x")] == ["x", "x"]


@given(TITLES, st.sampled_from(sorted(STYLES)))
def test_made_fragments_are_distinct_and_have_no_spaces(titles: list[str], style: str) -> None:
    made = [slug for slug in taken(style, *titles) if slug]
    assert len(set(made)) == len(made)
    assert not any(set(" \t\n#") & set(slug) for slug in made)


@given(st.text(max_size=40), st.sampled_from(sorted(STYLES)))
def test_any_title_has_a_fragment_or_none(title: str, style: str) -> None:
    assert taken(style, title) == taken(style, title)


def test_python_markdown_leaves_fragments_that_are_given_by_hand_further_down() -> None:
    assert Slugs("python-markdown", ["setup"]).take("Setup", None) == "setup_1"
    assert Slugs("github", ["setup"]).take("Setup", None) == "setup"
