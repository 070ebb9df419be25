"""A reader asks one version as one sort of reader sees it: as if there were nothing else."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.config.model import Source
from nescio.domain.answers import Answer, Reason, Refusal
from nescio.domain.views import DocsVersion, View, chosen_version, reader_of
from nescio.engine import Engine
from nescio.errors import ConfigFault, NotFoundFault, UsageFault
from nescio.index.reading import StoredIndex
from nescio.ingest.marks import NOBODY, marks
from nescio.ingest.versions import SourceVersions, all_versions, newest_first, versions_of
from support.corpora import pages, questions
from support.projects import Project, Run, said_by

COMMON = "# Setup\n\nThe port of the server is set with the option listen in the file server.ini.\n"
INTERNAL = "---\naudiences: [staff]\n---\n# Escalation\n\nThe pager of the night shift rings after three missed heartbeats.\n"
PARTNER = (
    "---\naudiences: [partners, staff]\n---\n# Rebates\n\nA rebate of ten percent is granted for a quarterly purchase volume.\n"
)


def write_configuration(project: Project, text: str) -> None:
    project.root.mkdir(exist_ok=True, parents=True)
    (project.root / "nescio.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def marked(project: Project) -> Project:
    project.write_all({"setup.md": COMMON, "escalation.md": INTERNAL, "rebates.md": PARTNER}).build()
    return project


def asked(engine: Engine, question: str, *view: str) -> Answer | Refusal:
    return engine.within(reader_view=view).ask(question)


def test_a_marked_page_answers_its_readers_and_no_others(marked: Project) -> None:
    question = "when does the pager of the night shift ring"
    with marked.engine() as engine:
        assert isinstance(asked(engine, question), Answer)
        assert isinstance(asked(engine, question, "audience=staff"), Answer)
        refused = asked(engine, question, "audience=customers")
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.HIDDEN_BY_FILTER
    assert refused.searched.filters == ("reader_view:audience=customers",)


def test_several_audiences_may_be_marked_and_several_may_be_read_as(marked: Project) -> None:
    with marked.engine() as engine:
        assert isinstance(asked(engine, "which rebate is granted", "audience=partners"), Answer)
        both = engine.within(reader_view=["audience=partners", "audience=staff"])
        assert {both.sources()[0].documents, both.index.documents} == {3}
        assert engine.within(reader_view=["audience=customers"]).sources()[0].documents == 1


def test_what_a_reader_may_not_see_is_in_no_number_and_no_list(marked: Project) -> None:
    with marked.engine() as engine:
        result = asked(engine, "is a rebate granted on the port of the pager", "audience=customers")
        ranked = engine.within(reader_view=["audience=customers"]).search("pager rebate port server")
    assert (result.searched.documents, result.searched.passages) == (1, 1)
    counts = {term.term: term.documents for term in result.searched.terms}
    assert (counts["rebat"], counts["pager"], counts["port"]) == (0, 0, 1)
    assert {hit.quote.path for hit in ranked.hits} == {"setup.md"}
    assert {place.path for place in result.related} <= {"setup.md"}
    assert not result.corrections


def test_a_word_is_never_corrected_to_one_that_the_reader_may_not_see(marked: Project) -> None:
    with marked.engine() as engine:
        assert asked(engine, "when does the pagger ring in the night shift").corrections
        assert not asked(engine, "when does the pagger ring in the night shift", "audience=customers").corrections


def test_a_passage_of_a_hidden_page_is_not_shown_by_its_id(marked: Project) -> None:
    with marked.engine() as engine:
        passage_id = engine.search("pager").hits[0].quote.passage_id
        assert engine.show(passage_id).path == "escalation.md"
        with pytest.raises(NotFoundFault):
            engine.within(reader_view=["audience=customers"]).show(passage_id)


@pytest.mark.parametrize("seed", range(4))
def test_a_view_is_as_if_there_were_nothing_else(project: Project, tmp_path: Path, seed: int) -> None:
    every = pages(seed, 60)
    inside = {path for number, path in enumerate(sorted(every)) if number % 3}
    project.write_all({path: text if path in inside else f"---\naudiences: staff\n---\n{text}" for path, text in every.items()})
    project.build()
    alone = Project(tmp_path / "alone").write_all({path: every[path] for path in inside})
    alone.build()
    wanted = questions(seed, 25)
    with project.engine() as engine, alone.engine() as expected:
        got = said_by(engine.within(reader_view=["audience=customers"]), wanted)
        assert [without_names(one) for one in got] == [without_names(one) for one in said_by(expected, wanted)]


def without_names(said: dict[str, Any]) -> str:
    """All but what names the index and the view, and the reason why there is nothing: that may be the view."""
    answer = said["answer"]
    for key in ("index_id", "filters"):
        answer["searched"].pop(key)
    if answer["reason"] in ("hidden_by_filter", "below_floor", "unknown_words"):
        answer["reason"], answer["message"], answer["related"] = "refused", "", []
    said["search"].pop("index_id")
    return json.dumps(said, sort_keys=True)


def test_the_search_index_gives_the_same_hits_as_a_look_at_every_page_in_view(project: Project) -> None:
    every = pages(7, 90)
    project.write_all({path: text if len(text) % 2 else f"---\naudiences: staff\n---\n{text}" for path, text in every.items()})
    project.build()
    stored = project.stored()
    by_search = said_by(Engine(stored, view=View(None, (("audience", "x"),))), questions(7, 20))
    looking = project.stored()
    looking.__dict__["_opened_search"] = None
    assert said_by(Engine(looking, view=View(None, (("audience", "x"),))), questions(7, 20)) == by_search
    stored.close()
    looking.close()


def test_readers_whom_no_page_tells_apart_share_what_was_counted(marked: Project) -> None:
    stored = marked.stored()
    made_up = [stored.view(View(None, reader_of([f"audience=x{number}"]))) for number in range(20)]
    assert len({id(one) for one in made_up}) == 1
    staff = reader_of(["audience=staff", "audience=nobody"])
    assert stored.view(View(None, staff)) is stored.view(View(None, reader_of(["audience=staff"])))
    assert [page.path for page in made_up[0].pages_in_view()] == ["setup.md"]
    stored.close()


def test_facets_are_those_of_the_configuration(project: Project) -> None:
    write_configuration(project, '[facets]\naudience = "audiences"\nedition = "tier"\n[[source]]\npath = "docs"\n')
    project.write_all(
        {"a.md": COMMON, "b.md": "---\ntier: Pro\n---\n# Quotas\n\nThe quota of exports is forty an hour.\n"}
    ).build()
    with project.engine() as engine:
        assert engine.facets == ("audience", "edition")
        assert isinstance(asked(engine, "what is the quota of exports", "edition=pro"), Answer)
        assert isinstance(asked(engine, "what is the quota of exports", "edition=free"), Refusal)
        assert isinstance(asked(engine, "what is the quota of exports", "audience=customers"), Answer)


def test_a_facet_that_the_index_was_not_built_with_is_told(marked: Project) -> None:
    with marked.engine() as engine, pytest.raises(UsageFault) as caught:
        engine.within(reader_view=["edition=pro"])
    assert caught.value.code == "reader-view-not-indexed"


@pytest.mark.parametrize("text", ["", "audience", "audience=", "=x", "Audience=x", "audience=a,b", "audience=a b"])
def test_a_reader_view_is_a_facet_and_a_value(text: str) -> None:
    with pytest.raises(UsageFault) as caught:
        reader_of([text])
    assert caught.value.code == "reader-view-syntax"


def test_audiences_of_a_source_hold_for_pages_that_say_nothing_themselves(project: Project) -> None:
    write_configuration(project, '[[source]]\npath = "docs"\naudiences = ["staff"]\n')
    project.write_all({"a.md": COMMON, "b.md": "---\naudiences: everybody\n---\n# Doors\n\nThe doors open at seven.\n"}).build()
    with project.engine() as engine:
        seen = engine.within(reader_view=["audience=everybody"]).index.pages_in_view()
    assert [page.path for page in seen] == ["b.md"]


def test_a_mark_that_cannot_be_read_hides_the_page_from_every_view_of_its_facet() -> None:
    assert marks({"audiences": {"a": 1}}, {"audience": "audiences"}, ()) == {"audience": (NOBODY,)}
    assert not View(None, (("audience", "a"),)).shows(None, {"audience": (NOBODY,)})
    assert marks({"audiences": ["Key Accounts", 7]}, {"audience": "audiences"}, ()) == {"audience": ("7", "key-accounts")}
    assert marks({}, {"audience": "audiences"}, ()) == {}


@pytest.mark.parametrize(
    "front_matter",
    [
        "---\naudiences: [staff]\ntitle: Rota: the night\n---\n",
        '---\n"audiences" : [staff]\n\ttabs\n---\n',
        "---\naudiences: *nobody\n---\n",
        "---\naudiences: [staff]\n",
        "---\naudiences: [staff]\n" + "x: y\n" * 20_000 + "---\n",
        "---\naudiences: {{{{\n---\n",
        "+++\naudiences = [staff]\n+++\n",
    ],
)
def test_a_mark_in_front_matter_that_cannot_be_read_hides_the_page(project: Project, front_matter: str) -> None:
    project.write("rota.md", f"{front_matter}\n# Rota\n\nThe pager of the night shift rings after three misses.\n")
    project.write("open.md", "---\nnote: a: b\n---\n\n# Fruit\n\nApples are kept in the cellar.\n")
    project.build()
    with project.engine() as engine:
        for value in ("customers", "staff"):
            seen = engine.within(reader_view=[f"audience={value}"])
            assert seen.index.documents == 1
            assert isinstance(seen.ask("Where are apples kept?"), Answer)
        assert engine.index.documents == 2


# Versions

LIMIT = "what is the limit of uploads"
OLD, NEW = "The limit of uploads is five megabytes.", "The limit of uploads is nine megabytes."


@pytest.fixture
def versioned(project: Project) -> Project:
    write_configuration(project, '[[source]]\npath = "docs"\nversions = "folders"\n')
    project.write_all(
        {
            "4.21/limits.md": f"# Limits\n\n{OLD}\n",
            "4.21/gone.md": "# Telegraph\n\nThe telegraph sends dots and dashes over copper wires.\n",
            "4.22/limits.md": f"# Limits\n\n{NEW}\n",
            "about.md": "# About\n\nThe company was founded in a garage near the harbour.\n",
        }
    ).build()
    return project


def test_one_version_answers_and_is_named(versioned: Project) -> None:
    with versioned.engine() as engine:
        assert [version.name for version in engine.versions] == ["4.22", "4.21"]
        newest, older = (
            engine.ask(LIMIT),
            engine.within(docs_version="4.21").ask(LIMIT),
        )
    assert isinstance(newest, Answer)
    assert isinstance(older, Answer)
    assert {(quote.version, NEW in quote.text) for quote in newest.quotes} == {("4.22", True)}
    assert {(quote.version, OLD in quote.text) for quote in older.quotes} == {("4.21", True)}
    assert (newest.searched.versions, older.searched.versions) == (("4.22",), ("4.21",))
    assert (newest.searched.documents, older.searched.documents) == (2, 3)


def test_pages_of_no_version_are_of_all(versioned: Project) -> None:
    with versioned.engine() as engine:
        for version in ("4.21", "4.22"):
            found = engine.within(docs_version=version).ask("where was the company founded")
            assert isinstance(found, Answer)
            assert found.quotes[0].version is None


def test_what_only_another_version_has_is_refused_and_named(versioned: Project) -> None:
    with versioned.engine() as engine:
        found = engine.ask("what does the telegraph send over copper wires")
    assert isinstance(found, Refusal)
    assert (found.reason, found.other_versions) == (Reason.OTHER_VERSION, ("4.21",))
    assert found.message == "Version 4.22 does not cover it, but 4.21 does."
    assert all(place.version in (None, "4.22") for place in found.related)


def test_what_no_version_has_is_below_the_floor_or_unknown(versioned: Project) -> None:
    with versioned.engine() as engine:
        found = engine.ask("how do I knit a sweater")
    assert isinstance(found, Refusal)
    assert (found.reason, found.other_versions) == (Reason.UNKNOWN_WORDS, ())


def test_an_unknown_version_is_told_with_those_that_are_known(versioned: Project) -> None:
    with versioned.engine() as engine, pytest.raises(NotFoundFault) as caught:
        engine.within(docs_version="5")
    assert (caught.value.code, "4.22, 4.21" in caught.value.hint) == ("version-not-found", True)


def test_mike_names_versions_and_aliases(project: Project) -> None:
    write_configuration(project, '[[source]]\npath = "docs"\nversions = "mike"\n')
    listed = [
        {"version": "1.9", "title": "1.9", "aliases": ["stable"]},
        {"version": "2.0", "title": "2.0", "aliases": ["next"]},
    ]
    project.write_all(
        {f"{name}/limits.md": f"# Limits\n\n{text}\n" for name, text in (("1.9", OLD), ("stable", OLD), ("2.0", NEW))}
    )
    project.write("versions.json", json.dumps(listed))
    project.build()
    with project.engine() as engine:
        assert engine.index.documents == 1
        assert engine.within(docs_version="next").ask(LIMIT).searched.versions == ("2.0",)
        assert engine.ask(LIMIT).searched.versions == ("1.9",)
        assert {page.path for page in engine._whole.pages_in_view()} == {"1.9/limits.md", "2.0/limits.md"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1]", '[{"title": "x"}]', "{}x", "[" * 100_000),
        *(
            json.dumps([{"version": name, "title": "x", "aliases": ["latest"]}])
            for name in ("", "..", "../../etc", "/etc", "a\\b", "\x1b[31m1", "\u202e1", "\ud800", "1\x00", "1" * 101)
        ),
        '[{"version": "1", "title": "x", "aliases": ["../x"]}]',
    ],
)
def test_a_list_of_versions_that_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "versions.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigFault) as caught:
        versions_of(Source(path=".", versions="mike"), tmp_path)
    assert caught.value.code == "versions-unreadable"


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are no UTF-8")
def test_a_folder_whose_name_is_no_utf8_stops_nothing(project: Project) -> None:
    write_configuration(project, '[[source]]\npath = "docs"\nversions = "folders"\n')
    project.write("1.0/limits.md", f"# Limits\n\n{OLD}\n")
    os.mkdir(os.fsencode(project.docs) + b"/\xff2")  # noqa: PTH102  (a path is text)
    project.build()
    with project.engine() as engine:
        assert {version.name for version in engine.versions} == {"1.0", "\ufffd2"}


def test_a_folder_that_becomes_another_version_is_read_again(versioned: Project) -> None:
    write_configuration(versioned, '[[source]]\npath = "docs"\nversions = "mike"\n')
    versioned.write("versions.json", json.dumps([{"version": "4.21", "aliases": []}]))
    versioned.build()
    versioned.write(
        "versions.json", json.dumps([{"version": "4.21", "aliases": []}, {"version": "4.22", "aliases": ["latest"]}])
    )
    assert versioned.build().changed == 1
    with versioned.engine() as engine:
        assert engine.ask(LIMIT).searched.versions == ("4.22",)


def test_each_source_may_have_its_own_version(project: Project) -> None:
    write_configuration(
        project,
        '[[source]]\npath = "a"\nversion = "1"\naliases = ["old"]\n'
        '[[source]]\npath = "b"\nversion = "2"\n[[source]]\npath = "docs"\n',
    )
    for folder, text in (("a", OLD), ("b", NEW), ("docs", "Nothing of that.")):
        (project.root / folder).mkdir(exist_ok=True)
        (project.root / folder / "limits.md").write_text(f"# Limits\n\n{text}\n", encoding="utf-8")
    project.build()
    with project.engine() as engine:
        assert engine.ask(LIMIT).searched.versions == ("2",)
        assert engine.within(docs_version="old").ask(LIMIT).searched.versions == ("1",)
        assert [(one.name, one.versions) for one in engine.sources()] == [("b", ("2",)), ("docs", ())]


def test_the_newest_version_comes_first() -> None:
    names = ["2.0", "10.1", "2.0rc1", "dev", "v9.2", "2.0.1", "1"]
    assert sorted(names, key=newest_first) == ["10.1", "v9.2", "2.0.1", "2.0", "2.0rc1", "1", "dev"]


def test_latest_is_asked_by_default_where_it_is_named() -> None:
    known = (DocsVersion("1", ("latest",)), DocsVersion("2"))
    versions = all_versions([SourceVersions(known)])
    assert chosen_version(versions, "") == "1"


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_names_have_an_order(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(backwards, key=newest_first) == sorted(names, key=newest_first)


def test_views_that_show_everything_are_the_index_itself(marked: Project) -> None:
    stored = marked.stored()
    assert isinstance(stored, StoredIndex)
    assert stored.view(View()) is stored
    stored.close()


def test_the_command_asks_a_version_and_a_view(versioned: Project, run_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(versioned.root)
    code, out, _ = run_here("ask", LIMIT, "--docs-version", "4.21")
    assert (code, "five megabytes" in out, "version 4.21" in out) == (0, True, True)
    code, out, _ = run_here("ask", "what does the telegraph send over copper wires")
    assert (code, "but 4.21 does" in out) == (1, True)
    code, out, _ = run_here("search", "telegraph", "--docs-version", "4.22", "--reader-view", "audience=x")
    assert "No passage" in out
