"""What is typed is completed from titles, headings and names: the best fit first, each text once, within the reader's view."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import closing

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from nescio.domain.candidates import Key
from nescio.domain.suggestions import LONGEST_TYPED, PageHeadings, Suggestion, SuggestionKind
from nescio.engine import Engine
from nescio.index.headings import HEADINGS
from nescio.retrieve import completing
from nescio.retrieve.completing import Completions, names
from support.projects import Project

TEXT = "\n\nSome words of its own.\n\n"
PAGES = {
    "install.md": f"# How to install uv{TEXT}## Installing tools{TEXT}### On Windows{TEXT}## Uninstall{TEXT}",
    "cache.md": f"# Caching{TEXT}## Clearing the cache{TEXT}## The `--no-cache` option{TEXT}## Installing tools{TEXT}",
    "names.md": f"# Reference{TEXT}## `UV_CACHE_DIR`{TEXT}## aws_s3_bucket and CreateBucket{TEXT}## Groups\n\n### Keys{TEXT}",
    "changelog.md": f"# Changelog{TEXT}## Caching{TEXT}## Clearing everything{TEXT}## In{TEXT}",
}


@pytest.fixture
def built(project: Project) -> Project:
    project.write_all(PAGES).build()
    return project


def texts(found: Iterable[Suggestion]) -> list[str]:
    return [one.text for one in found]


def test_what_begins_so_comes_first_then_words_inside_then_letters_inside(built: Project) -> None:
    with built.engine() as engine:
        assert texts(engine.suggest("install")) == ["Installing tools", "How to install uv", "Uninstall"]


def test_words_are_found_in_any_order_and_the_last_one_by_its_beginning(built: Project) -> None:
    with built.engine() as engine:
        assert texts(engine.suggest("tools inst")) == ["Installing tools"]
        assert texts(engine.suggest("uv how")) == ["How to install uv"]
        assert texts(engine.suggest("  CACHE   the clear")) == ["Clearing the cache"]


def test_a_word_with_a_typing_error_is_found_where_nothing_else_is(built: Project) -> None:
    with built.engine() as engine:
        assert texts(engine.suggest("isntall")) == ["Installing tools", "How to install uv"]
        assert texts(engine.suggest("clearign cache")) == ["Clearing the cache"]
        assert texts(engine.suggest("windwos")) == ["On Windows"]
        assert engine.suggest("uvv") == ()


def test_of_equal_fit_the_shorter_comes_first_then_what_comes_first(project: Project) -> None:
    headings = ("Set colour", "Set c", "Set a", "Set b")
    project.write_all({"a.md": "# Page" + TEXT + "".join(f"## {one}{TEXT}" for one in headings)}).build()
    with project.engine() as engine:
        assert texts(engine.suggest("set")) == ["Set c", "Set a", "Set b", "Set colour"]
        assert texts(engine.suggest("set", limit=2)) == ["Set c", "Set a"]


def test_each_text_is_there_once_with_its_better_place(built: Project) -> None:
    with built.engine() as engine:
        tools = next(one for one in engine.suggest("installing tools"))
        caching = next(one for one in engine.suggest("caching"))
    assert (tools.path, tools.kind) == ("cache.md", SuggestionKind.HEADING)  # the first of two
    assert (caching.path, caching.kind, caching.heading_path) == ("cache.md", SuggestionKind.TITLE, ())


def test_lists_of_changes_come_last(built: Project) -> None:
    with built.engine() as engine:
        assert texts(engine.suggest("clear")) == ["Clearing the cache", "Clearing everything"]
        assert texts(engine.suggest("in"))[-2:] == ["In", "Clearing everything"]


def test_names_are_suggested_as_they_are_written(built: Project) -> None:
    with built.engine() as engine:
        found = {one.text: one for typed in ("--no", "uv_", "aws_s3", "bucket") for one in engine.suggest(typed)}
    assert {text for text, one in found.items() if one.kind is SuggestionKind.NAME} == {
        "--no-cache",
        "UV_CACHE_DIR",
        "aws_s3_bucket",
        "CreateBucket",
    }
    assert found["--no-cache"].heading_path == ("Caching", "The --no-cache option")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The `--index-url` and --extra-index-url options", ["--index-url", "--extra-index-url"]),
        ("Using pyproject.toml (and uv.lock).", ["pyproject.toml", "uv.lock"]),
        ("GET /v1/ask, Node.js; std::vec::Vec", ["/v1/ask", "Node.js", "std::vec::Vec"]),
        ("Call open() or os.path.join()", ["open()", "os.path.join()"]),
        ("e.g. 3.12 or v1.2.3, the VPCs of AWS/EC2 and https://example.org/a", []),
        ("Plain words, a well-known state-of-the-art thing", []),
    ],
)
def test_what_is_a_name(text: str, expected: list[str]) -> None:
    assert list(names(text)) == expected


def test_a_suggestion_says_where_it_leads(project: Project) -> None:
    (project.root).mkdir(exist_ok=True)
    configured = '[[source]]\npath = "docs"\nsite_url = "https://docs.example.org/"\n'
    project.write_all(PAGES)
    (project.root / "nescio.toml").write_text(configured, encoding="utf-8")
    project.build()
    with project.engine() as engine:
        (title,) = engine.suggest("how to install uv")
        (windows,) = engine.suggest("on windows")
        (groups,) = engine.suggest("groups")
    assert (title.path, title.heading_path, title.title) == ("install.md", (), "How to install uv")
    assert title.url is not None
    assert title.url.startswith("https://docs.example.org/install")
    assert "#" not in title.url
    assert windows.heading_path == ("How to install uv", "Installing tools", "On Windows")
    assert str(windows.url).endswith("#on-windows")
    # A heading without a text of its own leads to what comes first below it.
    assert (groups.heading_path, str(groups.url).partition("#")[2]) == (("Reference", "Groups"), "keys")


@pytest.mark.parametrize("typed", ["", "   ", "x" * (LONGEST_TYPED + 1), "\0", "\ud800", "?!", "a " * 50, "qqqq"])
def test_what_nothing_fits_has_no_suggestion(built: Project, typed: str) -> None:
    with built.engine() as engine:
        assert engine.suggest(typed) == ()


def test_an_empty_index_has_no_suggestion(project: Project) -> None:
    project.write_all({"empty.md": ""}).build()
    with project.engine() as engine:
        assert engine.suggest("a") == ()


# What a reader may not see


def test_what_is_not_in_view_is_never_suggested(project: Project) -> None:
    staff = "---\naudiences: [staff]\n---\n"
    project.write_all(
        {
            "a.md": f"{staff}# Pager{TEXT}## Shared heading{TEXT}## The --night-shift option{TEXT}",
            "b.md": f"# Setup{TEXT}## Shared heading{TEXT}",
        }
    ).build()
    with project.engine() as engine:
        customers = engine.within(reader_view=["audience=customers"])
        for typed in ("pager", "pagre", "--night", "night shift", "p", "agpe"):
            assert customers.suggest(typed) == ()
        assert texts(engine.suggest("pagre")) == ["Pager"]
        assert [(one.text, one.path) for one in engine.suggest("shared")] == [("Shared heading", "a.md")]
        assert [(one.text, one.path) for one in customers.suggest("shared")] == [("Shared heading", "b.md")]


def test_each_version_has_its_own_suggestions(project: Project) -> None:
    project.write_all({"v1/a.md": f"# Old way{TEXT}", "v2/a.md": f"# New way{TEXT}"})
    configured = "".join(f'[[source]]\npath = "docs/v{number}"\nversion = "{number}"\n' for number in (1, 2))
    (project.root / "nescio.toml").write_text(configured, encoding="utf-8")
    project.build()
    with project.engine() as engine:
        names_of = [version.name for version in engine.versions]
        found = {name: texts(engine.within(docs_version=name).suggest("way")) for name in names_of}
    assert sorted(found.values()) == [["New way"], ["Old way"]]


# The table beside the records


def assert_table_says_what_records_say(project: Project) -> None:
    with closing(project.stored()) as stored:
        assert HEADINGS in stored.manifest.files
        table = [PageHeadings(*map(list, page)) for page in stored.headings()]
        stored._headings = None
        assert table == list(stored.headings())


def test_the_table_says_what_the_records_say_after_pages_came_and_went(built: Project) -> None:
    assert_table_says_what_records_say(built)
    built.write("names.md", f"# Renamed{TEXT}## Fresh heading{TEXT}")
    (built.docs / "cache.md").unlink()
    built.write("z/more.md", f"# More{TEXT}")
    built.build()
    assert_table_says_what_records_say(built)
    with built.engine() as engine:
        assert texts(engine.suggest("fresh")) == ["Fresh heading"]
        assert engine.suggest("reference") == ()


def test_an_index_without_the_table_suggests_the_same(built: Project) -> None:
    typed = ("inst", "cache the", "--no", "windwos", "in")
    with built.engine() as engine:
        expected = [engine.suggest(one) for one in typed]
    stored = built.stored()
    stored._headings = None  # as an older release built it
    with Engine(stored) as engine:
        assert [engine.suggest(one) for one in typed] == expected


def test_a_build_over_an_index_without_the_table_makes_it(built: Project) -> None:
    with closing(built.stored()) as stored:
        generation = built.index / "generations" / stored.generation
        stored.manifest.files.pop(HEADINGS)  # type: ignore[attr-defined]
        data = stored.manifest.encode()
    (generation / HEADINGS).unlink()
    (generation / "manifest.json").write_bytes(data)
    built.write("new.md", f"# Quite new{TEXT}")
    built.build()
    assert_table_says_what_records_say(built)
    with built.engine() as engine:
        assert texts(engine.suggest("quite")) == ["Quite new"]
        assert texts(engine.suggest("windows")) == ["On Windows"]


# By the definition


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", folded(text))


def fit(text: str, typed: str) -> int | None:
    """0: begins so, 1: has the words, 2: has them inside of words."""
    own, asked = words_of(text), words_of(typed)
    if folded(text).startswith(folded(typed)):
        return 0
    if not asked:
        return None
    if all(word in own for word in asked[:-1]) and any(word.startswith(asked[-1]) for word in own):
        return 1
    inside = all(any(word in one for one in own) for word in asked)
    return 2 if inside and max(map(len, asked)) >= completing.SHORTEST_INSIDE else None


LETTERS = st.text(alphabet="abAB -_é\u0130", min_size=1, max_size=6)


@given(st.lists(LETTERS, min_size=1, max_size=12), LETTERS)
@example(["Aab", "bA a"], "ab a")
def test_what_fits_is_what_the_definition_says(headings: list[str], typed: str) -> None:
    shown = [" ".join(text.split()) for text in headings]
    shown = [text for text in shown if text]
    page = PageHeadings(shown, list(range(len(shown))), [1] * len(shown))
    found = Completions([page], frozenset()).find(typed, 50)
    expected = sorted(
        (fitting, len(text), at, text)
        for folding, at in {folded(text): at for at, text in reversed(list(enumerate(shown)))}.items()
        for text in [shown[at]]
        if words_of(folding) and (fitting := fit(text, typed)) is not None
    )
    headings_found = [one.text for one in found if one.text in shown]  # and not the names in them
    if expected and folded(typed):
        assert headings_found == [shown[at] for _, _, at, _ in expected]
    elif headings_found:  # a typing error, then
        asked = words_of(typed)
        assert max(map(len, asked)) >= completing.SHORTEST_MISTYPED


@given(st.lists(st.text(alphabet="abcd", min_size=3, max_size=11), min_size=1, max_size=8, unique=True), st.data())
def test_typing_errors_are_found_as_far_as_the_distance_says(headings: list[str], data: st.DataObject) -> None:
    typed = data.draw(st.text(alphabet="abcd", min_size=4, max_size=11))
    page = PageHeadings(headings, list(range(len(headings))), [1] * len(headings))
    found = [one.text for one in Completions([page], frozenset()).find(typed, 50)]
    if any(typed in text for text in headings):
        assert sorted(found) == sorted(text for text in headings if typed in text)
    else:
        most = 1 if len(typed) <= 8 else 2
        near = [text for text in headings if any(OSA.distance(typed, text[:end]) <= most for end in range(len(text) + 1))]
        assert sorted(found) == sorted(near)


def test_many_words_that_hold_what_is_typed_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    headings = [f"x{number}tion of {number % 7}" for number in range(60)]
    page = PageHeadings(headings, list(range(60)), [1] * 60)
    few, many = ([one.key for one in _found_with(monkeypatch, most, page)] for most in (5, 100))
    assert few == many
    assert few[0] == Key(0, 0)


def _found_with(monkeypatch: pytest.MonkeyPatch, most: int, page: PageHeadings) -> Sequence[completing.Completion]:
    monkeypatch.setattr(completing, "MOST_HOLDING", most)
    return Completions([page], frozenset()).find("tion", 20)
