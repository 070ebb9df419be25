"""A drafted question file: how headings and sentences become questions, what near misses claim, and that it reads back."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.engine import Engine
from nescio.evaluate.drafting.headings import base_of_gerund, from_heading
from nescio.evaluate.drafting.proposing import MOST_PER_PAGE, drafts
from nescio.evaluate.drafting.rewording import reworded
from nescio.evaluate.drafting.sections import split, tidy
from nescio.evaluate.drafting.statements import from_default, from_definition, from_identifier, from_named_heading, is_code_like
from nescio.evaluate.drafting.survey import Survey
from nescio.evaluate.drafting.values import Draft, DraftKind, Wanted
from nescio.evaluate.drafting.words import generic_headings, subjects, verbs
from nescio.evaluate.questions.reading import read_cases
from nescio.surfaces import wire, wire_drafting
from support.projects import Project, command, fault_code

KINDS_OF_MISSES = (DraftKind.SWAPPED_SUBJECT, DraftKind.UNRELATED_PAIR)
PAGES = {
    "guide/clusters.md": """# Clusters

A cluster is a group of machines that run your jobs together.

## Create a cluster

Run `ray up` with a file of settings to create a cluster in your account.

## Deleting clusters

Deleting a cluster frees its machines and removes what was stored on them.

## Overview

This section gives an overview of everything that clusters can be used for.
""",
    "guide/logging.md": """# Logs

## Rotate log files

Log files are rotated once a day, and kept for a week unless you ask for more.

## Options

- `--rotate-size`: how large a file may grow before it is rotated
- `--keep-days`: for how many days rotated files are kept

The `log_level` setting controls how much is written. The `flush_interval` setting defaults to `10`.
""",
    "guide/storage.md": """# Storage

## Mount a bucket

Mounting a bucket makes its objects visible as files below a folder of the machine.

## `bucket_prefix`

Sets the name that every bucket of the project begins with. Default: `proj`.

## How do I encrypt a bucket?

Turn on encryption in the settings of the bucket, before the first object is written.
""",
    "changelog.md": """# Changelog

## Add a gizmo command

The gizmo command was added, and it does many things for everybody who wants it.
""",
}


def nowhere(word: str) -> int:
    return 0


def written_in(*words: str) -> Counter[str]:
    return Counter(words)


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Install the CLI on a server", "How do I install the CLI on a server?"),
        ("Creating a cluster", "How do I create a cluster?"),
        ("Creating and deleting clusters", "How do I create and delete clusters?"),
        ("Running your own server", "How do I run my own server?"),
        ("Step 2: Configure your client", "How do I configure my client?"),
        ("3.1. Upload files (optional)", "How do I upload files?"),
        ("How to restore a backup", "How do I restore a backup?"),
        ("How caching works", "How does caching work?"),
        ("How path operations work", "How do path operations work?"),
        ("When to use a cache", "When should I use a cache?"),
        ("Can I use my own database?", "Can I use my own database?"),
        ("What is a namespace", "What is a namespace?"),
        ("Test a client", "How do I test a client?"),
        ("Working with proxies", "How do I work with proxies?"),
    ],
)
def test_a_heading_becomes_a_question(heading: str, question: str) -> None:
    assert from_heading(heading, nowhere) == question


@pytest.mark.parametrize(
    "heading",
    [
        "Overview",
        "Recap",
        "See also",
        "Next steps",
        "Clusters",
        "Test client",
        "Logging configuration",
        "Path parameters",
        "Create it",
        "Use this instead",
        "Merging of configuration",
        "Create in bulk",
        "Install: the short version",
        "Docker vs Podman",
        "Add <script> tags",
        "Add a {{ template }}",
        "Run the server",
        "CREATE VIEW",
        "When errors happen",
        "",
        "Add a file\x1b[31m",
        "Add a \u202efile",
        "Add a " + "x" * 10_000,
        "Add " + "a " * 10_000,
    ],
)
def test_a_heading_that_makes_no_plain_question_is_skipped(heading: str) -> None:
    assert from_heading(heading, nowhere) is None


def test_a_title_loses_the_capitals_that_only_a_title_has() -> None:
    in_title = from_heading("Deploying Workers to Heroku", written_in("workers", "Heroku").__getitem__)
    assert in_title == "How do I deploy workers to Heroku?"
    in_sentence = from_heading("Deploy workers to the Docker host", written_in("docker").__getitem__)
    assert in_sentence == "How do I deploy workers to the Docker host?"


@pytest.mark.parametrize(
    ("gerund", "base"),
    [
        ("creating", "create"),
        ("running", "run"),
        ("adding", "add"),
        ("specifying", "specify"),
        ("setting", "set"),
        ("during", None),
        ("string", None),
    ],
)
def test_a_gerund_gives_its_verb(gerund: str, base: str | None) -> None:
    assert base_of_gerund(gerund) == base


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("A dependency is a function that is called before yours.", "What is a dependency?"),
        ("Plugins are the way in which others add what you need.", None),
        ("Plugins are an interface for code that others have written.", "What are Plugins?"),
        ("Trio is an alternative library for asynchronous programs.", "What is Trio?"),
        ("This is a function that is called before yours.", None),
        ("The result is a list of all the names found.", None),
        ("A cache is a good idea where pages rarely change.", None),
    ],
)
def test_a_defining_sentence_becomes_a_question(sentence: str, question: str | None) -> None:
    asked = from_definition(sentence, lambda subject: True, nowhere)
    assert (asked.question if asked else None) == question


def test_a_definition_of_something_else_than_the_topic_is_skipped() -> None:
    assert from_definition("A dependency is a function that is called before yours.", lambda subject: False, nowhere) is None


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The `log_level` setting controls how much is written.", "What does the `log_level` setting do?"),
        ("`app.run()` starts the server and waits for requests.", "What does `app.run()` do?"),
        ("The `size` argument takes a positive number of bytes.", "What does the `size` argument accept?"),
        ("`TestClient` is a client for tests without a network.", "What is `TestClient`?"),
        ("`site_name` is used to build the titles of pages.", "What is `site_name` used for?"),
        ("`--no-cache`: do not look into the cache", "What does the `--no-cache` option do?"),
        ("`read_only` - whether it can be written to", "What is `read_only` for?"),
        ("`item_id` is a number that you have chosen.", None),
        ("`size` controls how much is written.", None),
        ("`main.py` contains the code of the app.", None),
        ("`log_level` was removed in version 2 of it.", None),
    ],
)
def test_a_sentence_about_a_name_in_code_becomes_a_question(sentence: str, question: str | None) -> None:
    asked = from_identifier(sentence, listed=True)
    assert (asked.question if asked else None) == question


@pytest.mark.parametrize(
    ("sentence", "heading", "question"),
    [
        ("`max_age` defaults to `600`.", "", "What is the default of `max_age`?"),
        ("The default value of the `timeout` parameter is 5 seconds.", "", "What is the default of the `timeout` parameter?"),
        ("By default, `keep_alive` is `True`.", "", "What is the default of `keep_alive`?"),
        ("`--jobs-limit`: how many at once (default: `4`)", "", "What is the default of the `--jobs-limit` option?"),
        ("Default: `[]`", "ALLOWED_HOSTS", "What is the default value of `ALLOWED_HOSTS`?"),
        ("Defaults to `True`.", "Options", None),
        ("By default everything is kept.", "ALLOWED_HOSTS", None),
    ],
)
def test_a_default_becomes_a_question(sentence: str, heading: str, question: str | None) -> None:
    asked = from_default(sentence, heading)
    assert (asked.question if asked else None) == question


def test_a_heading_that_is_a_name_in_code_becomes_a_question() -> None:
    assert [asked.question for asked in map(from_named_heading, ("defineModel()", "--prune", "ALLOWED_HOSTS")) if asked] == [
        "What does `defineModel()` do?",
        "What does the `--prune` option do?",
        "What does `ALLOWED_HOSTS` do?",
    ]
    assert [from_named_heading(heading) for heading in ("Options", "my_app", "main.py", "DNS", "a" * 10_000)] == [None] * 5


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("How do I delete a cluster?", "How do I remove a cluster?"),
        ("What does the `log_level` parameter do?", "What does the `log_level` param do?"),
        ("What is `delete` for?", None),
        ("How do I deploy a parameter?", "How do I release a parameter?"),
    ],
)
def test_a_question_is_put_in_other_words(question: str, other: str | None) -> None:
    found = reworded(question)
    assert found == other or (other is not None and found not in (None, question))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See [the **guide**](guide.md#top) for `a_b`.", "See the guide for `a_b`."),
        ("The :class:`~a.b.Form` and ``x_y`` of :ref:`forms <f>`.", "The `Form` and `x_y` of forms."),
        ('A <dfn title="x">cluster</dfn> of\n  *machines*{.note}', "A cluster of machines"),
        ("`a_b` and `c_d` have_none _of them_", "`a_b` and `c_d` have_none of them"),
    ],
)
def test_a_sentence_is_read_without_its_markup(written: str, read: str) -> None:
    assert tidy(written) == read


def test_sentences_are_exact_slices_without_what_stands_around_them() -> None:
    text = "  - One thing, e.g. This one. Another (thing). `code` follows!\n    And a last"
    found = list(split(text))
    assert found == ["One thing, e.g. This one.", "Another (thing).", "`code` follows!", "And a last"]
    assert all(sentence in text for sentence in found)


@given(st.text(max_size=400))
def test_no_text_stops_the_rules(text: str) -> None:
    for sentence in split(text):
        assert sentence in text
        read = tidy(sentence)
        asked = (from_identifier(read, listed=True), from_default(read, text), from_definition(read, bool, nowhere))
        assert all(one is None or one.question.isprintable() for one in asked)
    heading = from_heading(text, nowhere)
    assert heading is None or heading.isprintable()
    is_code_like(text)


@pytest.mark.parametrize(
    "unit", ["[", "[a](", "`", "``a", ":ref:`a", "<a ", "a. ", "`a` (", "*_", "--", "{{", "a.b", "a-b:", "1."]
)
def test_hostile_text_takes_no_longer_than_its_length(unit: str) -> None:
    text = unit * (4_000 // len(unit))
    started = time.perf_counter()
    for sentence in [text, *split(text)]:
        from_identifier(tidy(sentence), listed=True)
        from_default(tidy(sentence), sentence)
        from_definition(tidy(sentence), bool, nowhere)
        from_heading(sentence, nowhere)
    assert time.perf_counter() - started < 5


def test_the_lists_of_words_are_lists() -> None:
    assert verbs()["install"]
    assert not verbs()["test"]
    assert "see also" in generic_headings()
    assert len({subject.name for subject in subjects()}) == len(subjects())


@pytest.fixture
def engine(project: Project) -> Iterator[Engine]:
    project.write_all(PAGES).build()
    with project.engine() as opened:
        yield opened


def quotes_of(found: Sequence[Draft]) -> list[tuple[str, str]]:
    return [(place.path, quote) for draft in found for place in draft.expect for quote in place.quotes]


def test_a_small_site_gives_questions_of_every_kind(engine: Engine) -> None:
    found = {draft.question: draft for draft in drafts(engine, Wanted(40, 20))}
    kinds = {draft.kind for draft in found.values()}
    assert kinds == set(DraftKind)
    assert found["How do I mount a bucket?"].expect[0].heading == "Mount a bucket"
    assert found["How do I encrypt a bucket?"].expect[0].path == "guide/storage.md"
    assert not any("gizmo" in question or "verview" in question for question in found)


def test_quotes_are_exact_slices_of_their_pages(engine: Engine) -> None:
    quotes = quotes_of(drafts(engine, Wanted(40, 0)))
    assert quotes
    assert all(quote in PAGES[path] for path, quote in quotes)


def test_the_same_index_and_seed_give_the_same_drafts(engine: Engine, project: Project) -> None:
    first = drafts(engine, Wanted(8, 6, seed=3))
    with project.engine() as other:
        assert drafts(other, Wanted(8, 6, seed=3)) == first
    orders = {tuple(draft.question for draft in drafts(engine, Wanted(8, 6, seed=seed))) for seed in range(4)}
    assert len(orders) > 1


def test_an_id_depends_on_the_words_alone(engine: Engine) -> None:
    ids = [draft.id for draft in drafts(engine, Wanted(20, 20))]
    assert len(set(ids)) == len(ids)
    assert Draft("How do  I ask?", DraftKind.HEADING).id == Draft("how do I ask?", DraftKind.DEFAULT).id


@pytest.mark.parametrize(("answerable", "unanswerable"), [(0, 5), (3, 0), (1, 1), (2, 4)])
def test_no_more_are_drafted_than_wanted(engine: Engine, answerable: int, unanswerable: int) -> None:
    sorts = Counter(draft.answerable for draft in drafts(engine, Wanted(answerable, unanswerable)))
    assert (sorts[True], sorts[False]) == (answerable, unanswerable)


def test_near_misses_claim_what_is_so(engine: Engine) -> None:
    index = engine.index
    misses = [draft for draft in drafts(engine, Wanted(20, 30)) if not draft.answerable]
    assert {draft.kind for draft in misses} == set(KINDS_OF_MISSES)
    for draft in misses:
        assert draft.near is not None
        assert draft.near.path in PAGES
        assert draft.note
        if draft.kind is DraftKind.SWAPPED_SUBJECT:
            assert [index.count(term) for term in draft.lacking] == [0]
        else:
            first, second = draft.lacking
            assert index.count(first)
            assert index.count(second)
            assert not index.pages_with(first) & index.pages_with(second)


def test_what_the_documents_have_is_never_swapped_in(project: Project) -> None:
    every = "\n\n".join(f"{name} is known here." for subject in subjects() for name in subject.names)
    project.write_all({**PAGES, "everything.md": f"# Everything\n\n{every}\n"}).build()
    with project.engine() as engine:
        assert not [draft for draft in drafts(engine, Wanted(20, 20)) if draft.kind is DraftKind.SWAPPED_SUBJECT]
        assert Survey(engine.index).absent_word("Kubernetes") is None


def test_a_page_that_alone_has_the_word_is_named(engine: Engine) -> None:
    found = {draft.question: draft for draft in drafts(engine, Wanted(40, 0))}
    alone = found["How do I mount a bucket?"]
    assert alone.unanswerable_without == "guide/storage.md"


def test_questions_are_spread_over_pages_and_sources(project: Project) -> None:
    sections = "".join(
        f"## Install gadget{at}\n\nInstalling gadget{at} is done with one command, and it takes no time at all.\n\n"
        for at in range(30)
    )
    project.write_all({"one.md": f"# One\n\n{sections}"})
    for at in range(6):
        (project.root / "more").mkdir(exist_ok=True)
        text = f"# Page\n\n## Remove widget{at}\n\nRemoving widget{at} takes one call, and it leaves no file behind.\n"
        (project.root / "more" / f"{at}.md").write_text(text, encoding="utf-8")
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\n\n[[source]]\npath = "more"\n', encoding="utf-8")
    project.build()
    with project.engine() as engine:
        found = Counter(draft.expect[0].path for draft in drafts(engine, Wanted(20, 0)))
    assert found["docs/one.md"] == MOST_PER_PAGE
    assert {path for path in found if path.startswith("more/")} == {f"more/{at}.md" for at in range(6)}


def test_hostile_pages_give_no_hostile_questions(project: Project) -> None:
    hostile = "# Add \x1b[2Ja file\n\nAdding a file \u202e is done so and so, and no other way at all, my friend.\n\n"
    hostile += f"## Install {'x' * 10_000}\n\n{'word ' * 3_000}\n\n"
    hostile += "## Add <b>bold</b> {{ x }}\n\nAdd some of that to your pages, as you like it.\n"
    project.write_all({**PAGES, "hostile.md": hostile}).build()
    with project.engine() as engine:
        found = drafts(engine, Wanted(60, 20))
    assert found
    assert all(draft.question.isprintable() and len(draft.question) < 250 for draft in found)
    assert not any(path == "hostile.md" and "\x1b" in quote for path, quote in quotes_of(found))


def test_html_is_quoted_as_it_is_shown(project: Project) -> None:
    text = "Deleting a <b>job</b> stops it &amp; frees every machine that it was using by then."
    page = f"<h1>Jobs</h1><h2>Delete a job</h2><p>{text}</p>"
    project.write_all({"jobs.html": page}).build()
    with project.engine() as engine:
        draft = drafts(engine, Wanted(1, 0))[0]
    assert draft.question == "How do I delete a job?"
    assert draft.expect[0].quotes == ("Deleting a job stops it & frees every machine that it was using by then.",)


@settings(max_examples=40)
@given(st.sampled_from(DraftKind), st.text(max_size=40), st.text(max_size=20), st.booleans())
def test_a_draft_keeps_to_the_schema(kind: DraftKind, question: str, note: str, changed: bool) -> None:
    value = wire_drafting.drafts_json([Draft(question, kind, note=note, reworded=changed)], None)
    Draft202012Validator(wire.schema("draft")).validate(json.loads(wire.encode(value)))
    assert wire.schema("draft")["properties"]["questions"]["items"]["properties"]["kind"]["enum"] == [
        one.value for one in DraftKind
    ]


def test_the_file_reads_back_as_questions(project: Project) -> None:
    project.write_all(PAGES).build()
    done = command(project.root, "eval", "draft", "--out", "questions.jsonl", "--answerable", "6", "--unanswerable", "4")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "nescio eval questions.jsonl" in done.stderr
    cases = read_cases(project.root / "questions.jsonl").cases
    with project.engine() as engine:
        found = drafts(engine, Wanted(6, 4))
    assert [(case.id, case.question, case.answerable, case.expect) for case in cases] == [
        (draft.id, draft.question, draft.answerable, draft.expect) for draft in found
    ]


def test_a_file_that_is_there_is_left_alone_unless_forced(project: Project) -> None:
    project.write_all(PAGES).build()
    kept = project.root / "questions.jsonl"
    kept.write_text("mine\n", encoding="utf-8")
    assert fault_code(command(project.root, "eval", "draft", "--out", "questions.jsonl", "--json")) == "draft-exists"
    assert kept.read_text(encoding="utf-8") == "mine\n"
    assert command(project.root, "eval", "draft", "--out", "questions.jsonl", "--force").returncode == 0
    assert len(read_cases(kept).cases) > 5
    assert sorted(path.name for path in project.root.iterdir() if path.is_file()) == ["questions.jsonl"]


def test_json_lines_go_to_standard_output_without_a_file(project: Project) -> None:
    project.write_all(PAGES).build()
    lines = command(project.root, "eval", "draft", "--answerable", "2", "--unanswerable", "1").stdout.strip().split("\n")
    assert [json.loads(line)["answerable"] for line in lines] == [True, True, False]
    assert all(json.loads(line)["review"] == "draft" for line in lines)


def test_json_tells_how_many_of_each_kind(project: Project) -> None:
    project.write_all(PAGES).build()
    done = command(project.root, "eval", "draft", "--answerable", "400", "--json")
    said = json.loads(done.stdout)
    assert sum(said["drafted"].values()) == len(said["questions"])
    assert said["out"] is None
    assert "Fewer than the 400 wanted" in done.stderr


def test_documents_that_give_no_question_are_told_so(project: Project) -> None:
    project.write_all({"stub.md": "# Stub\n\nNothing.\n"}).build()
    assert fault_code(command(project.root, "eval", "draft", "--json")) == "draft-nothing"
    assert (
        fault_code(command(project.root, "eval", "draft", "--answerable", "0", "--unanswerable", "0", "--json"))
        == "draft-nothing"
    )


def test_the_lists_are_part_of_the_package() -> None:
    import nescio.evaluate.drafting as room

    folder = Path(str(room.__file__)).parent / "data"
    assert {path.name for path in folder.iterdir()} == {"headings.txt", "subjects.txt", "verbs.txt", "words.txt"}
