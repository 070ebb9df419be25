"""From a question to an answer in the documents' own words: the whole way, over a folder of documents."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nescio.assembly import building, opening
from nescio.config.loading import load
from nescio.domain.answers import Answer, Change, Refusal
from nescio.engine import CORRECTED_CONFIDENCE, Engine
from nescio.errors import NotFoundFault
from nescio.surfaces import wire
from support.projects import Project, environment

TESTS = Path(__file__).parent

PAGES = {
    "cors.md": (
        "# CORS\n\nCORS means cross-origin resource sharing: a browser asks before it reads from another origin.\n\n"
        "## Add CORS\n\nTo add CORS to an application, install the middleware:\n\n"
        "```python\n# allow one origin\napp.add_middleware(CORSMiddleware, allow_origins=['https://example.org'])\n```\n\n"
        "Restart the server.\n"
    ),
    "responses.md": (
        "# Responses\n\nA response is what a route returns.\n\n## The response model\n\n"
        "The `response_model` says which fields of a response are sent. It filters the output.\n"
    ),
    "install.md": (
        "# Install\n\nInstall with pip:\n\n```\npip install --no-cache server\n```\n\n## Windows\n\nUse the installer.\n\n"
        "## Flags\n\n| Flag | Meaning |\n|------|---------|\n"
        "| `--no-cache` | do not keep downloads |\n| `--retries` | how often to try |\n"
    ),
    "languages.md": "# Languages\n\n## C++\n\nThe C++ client is header only.\n\n## C#\n\nThe C# client is on NuGet.\n",
    "sub/deep/keys.md": "# Keys\n\nKeys are rotated every ninety days. A key is revoked at once.\n",
    "sub/dashes.md": "# Dashes\n\nThe verbose mode is set with \u2013verbose when the daemon starts.\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """PAGES, built once, never changed."""
    project = Project(Path(tmp_path_factory.mktemp("engine"))).write_all(PAGES)
    project.build()
    return project


@pytest.fixture(scope="module")
def engine(built: Project) -> Iterator[Engine]:
    with built.engine() as found:
        yield found


def answered(engine: Engine, question: str, **asked: object) -> Answer:
    result = engine.ask(question, **asked)  # type: ignore[arg-type]
    assert isinstance(result, Answer), result
    return result


# --- Answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "path", "words"),
    [
        ("what is the response_model", "responses.md", "The `response_model` says which fields"),
        ("how do I add CORS", "cors.md", "To add CORS to an application, install the middleware:\n\n```python\n# allow"),
        ("what is CORS", "cors.md", "cross-origin resource sharing"),
        ("cross origin", "cors.md", "cross-origin resource sharing"),
        ("how often are keys rotated", "sub/deep/keys.md", "every ninety days"),
        ("what does --retries mean", "install.md", "| Flag | Meaning |"),
        ("C++ client", "languages.md", "The C++ client is header only."),
        ("C# client", "languages.md", "The C# client is on NuGet."),
    ],
)
def test_a_question_is_answered_in_the_words_of_the_page(engine: Engine, question: str, path: str, words: str) -> None:
    found = answered(engine, question)
    assert found.quotes[0].path == path
    assert words in found.quotes[0].text
    assert 0.5 <= found.base <= 1.0
    assert found.confidence == found.base == found.searched.best


def test_every_quote_is_the_file_s_own_bytes(built: Project, engine: Engine) -> None:
    for question in (
        "what is CORS",
        "how do I add CORS",
        "response_model",
        "--no-cache",
        "client",
        "keys",
        "install server windows",
    ):
        for quote in engine.ask(question, floor=0.0, limit=10).quotes:  # type: ignore[union-attr]
            data = (built.docs / quote.path).read_bytes()
            slices = b"".join(data[span.start_byte : span.end_byte] for span in quote.spans)
            assert slices.decode() == quote.text
            assert hashlib.sha256(slices).hexdigest() == quote.quote_sha256
            assert hashlib.sha256(data).hexdigest() == quote.document_sha256


@pytest.mark.parametrize(
    "question", ["what is quantum chromodynamics", "quantum chromodynamics neutrino flux", "who painted the ceiling"]
)
def test_what_the_pages_do_not_cover_is_refused(engine: Engine, question: str) -> None:
    assert isinstance(engine.ask(question), Refusal)


@pytest.mark.parametrize(
    ("question", "change", "path"),
    [
        ("what is rsponse_model", Change("rsponse_model", "response_model"), "responses.md"),
        ("how do I add corss", Change("corss", "cors"), "cors.md"),
    ],
)
def test_a_corrected_word_is_named_and_caps_what_is_claimed(engine: Engine, question: str, change: Change, path: str) -> None:
    found = answered(engine, question)
    assert found.corrections == (change,)
    assert found.quotes[0].path == path
    assert found.confidence == CORRECTED_CONFIDENCE < found.base


def test_of_two_readings_the_one_that_makes_sense_is_taken(project: Project) -> None:
    project.write(
        "model.md", "# Model\n\nA model has fields. " + "The model is a model of a model.\n\n## Model\n\nMore on the model.\n"
    )
    project.write("modal.md", "# Windows\n\nThe modal closes with the escape key.\n")
    project.build()
    with project.engine() as engine:
        found = answered(engine, "how does the moddl close with escape")
    assert found.corrections == (Change("moddl", "modal"),)
    assert found.quotes[0].path == "modal.md"


# --- Limits and floors -----------------------------------------------------------------------------------------------


def test_at_most_as_many_quotes_as_asked_for_and_the_rest_is_counted(engine: Engine) -> None:
    everything = answered(engine, "server client install", floor=0.0, limit=20)
    assert len(everything.quotes) > 3
    for limit in (1, 2, 3):
        found = answered(engine, "server client install", floor=0.0, limit=limit)
        assert found.quotes == everything.quotes[:limit]
        assert found.withheld == len(everything.quotes) + everything.withheld - limit


def test_the_quotes_clear_the_floor_and_the_base_is_the_best_of_them(engine: Engine) -> None:
    for floor in (0.0, 0.3, 0.5, 0.7):
        result = engine.ask("which client is on NuGet", floor=floor, limit=20)
        assert isinstance(result, Answer)
        assert all(quote.base >= floor for quote in result.quotes)
        assert result.base == max(quote.base for quote in result.quotes)
        assert all(place.base < floor for place in result.related)


def test_a_floor_of_nothing_answers_what_shares_a_word_and_a_floor_of_all_refuses(engine: Engine) -> None:
    assert isinstance(engine.ask("which tablet shows the server", floor=0.0), Answer)
    assert isinstance(engine.ask("what is CORS", floor=1.0), Refusal)


def test_a_quote_that_covers_every_word_and_leads_clearly_is_shown_alone(engine: Engine) -> None:
    found = answered(engine, "keys are rotated every ninety days", floor=0.0)
    assert len(found.quotes) == 1
    assert found.quotes[0].path == "sub/deep/keys.md"


def test_the_same_words_on_two_pages_are_quoted_once(project: Project) -> None:
    page = "# Session\n\nA session lasts an hour.\n"
    project.write_all({"a.md": page, "b.md": page, "c.md": "# Other\n\nAn hour passes.\n"}).build()
    with project.engine() as engine:
        found = answered(engine, "how long does a session last", limit=5)
    assert [quote.path for quote in found.quotes if "session" in quote.text] == ["a.md"]


# --- Scope -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("under", ["sub", "sub/", "docs/sub", "sub/deep", "sub/deep/keys.md", "docs"])
def test_only_pages_below_a_path_are_quoted(engine: Engine, under: str) -> None:
    found = answered(engine, "how often are keys rotated", under=under)
    assert found.quotes[0].path == "sub/deep/keys.md"
    assert found.searched.filters == (f"under:{under}",)


def test_a_folder_s_name_is_not_the_start_of_another_s(project: Project) -> None:
    project.write_all({"api/a.md": "# A\n\nThe lion sleeps.\n", "api2/b.md": "# B\n\nThe lion roars.\n"}).build()
    with project.engine() as engine:
        assert [hit.quote.path for hit in engine.search("lion", under="api").hits] == ["api/a.md"]


# --- Search, explain, show -------------------------------------------------------------------------------------------


def test_search_ranks_passages_whole_and_knows_no_floor(engine: Engine) -> None:
    found = engine.search("which tablet shows the server", limit=5)
    assert isinstance(engine.ask("which tablet shows the server"), Refusal)
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert found.hits
    assert engine.search("add CORS", limit=1).hits[0].quote.text.endswith("Restart the server.")
    assert len(engine.search("server client", limit=2).hits) == 2
    assert engine.search("").hits == ()


def test_explain_shows_the_working_of_what_ask_says(engine: Engine) -> None:
    found = engine.explain("how do I add CORS")
    assert found.result == engine.ask("how do I add CORS")
    best = max(found.hits, key=lambda hit: hit.base)
    assert best.base == pytest.approx(found.result.base)
    assert best.evidence == pytest.approx((best.page_bm25 + best.sentence + best.window) / 3)
    assert found.evidence == best.evidence
    order = [(hit.passage_bm25 + 3 * hit.evidence) / 4 + hit.preference for hit in found.hits]
    assert order == sorted(order, reverse=True)


def test_a_passage_is_shown_whole_by_its_id(engine: Engine) -> None:
    quote = answered(engine, "what is the response_model").quotes[0]
    for written in (quote.passage_id, f"  {quote.passage_id.upper()}\n"):
        shown = engine.show(written)
        assert quote.text in shown.text
        assert (shown.passage_id, shown.path) == (quote.passage_id, quote.path)


def test_an_id_dies_with_an_edit_of_its_file(project: Project) -> None:
    project.write("a.md", "# A\n\nThe lion sleeps.\n\n## B\n\nThe zebra runs.\n")
    project.build()
    with project.engine() as engine:
        old = engine.search("lion").hits[0].quote.passage_id
        assert engine.show(old).text == "The lion sleeps."
    project.write("a.md", "# A\n\nThe lion sleeps.\n\n## B\n\nThe zebra runs away.\n")
    project.build()
    with project.engine() as engine:
        with pytest.raises(NotFoundFault) as caught:
            engine.show(old)
        assert caught.value.code == "passage-not-found"
        assert old in caught.value.message
        assert engine.show(engine.search("lion").hits[0].quote.passage_id).text == "The lion sleeps."


@pytest.mark.parametrize("written", ["", "x", "a" * 26, "../../etc", "\x00"])
def test_an_id_that_is_none_is_a_fault(engine: Engine, written: str) -> None:
    with pytest.raises(NotFoundFault):
        engine.show(written)


# --- Included files --------------------------------------------------------------------------------------------------


def test_included_code_stands_in_the_quote_of_its_page_after_what_leads_into_it(project: Project) -> None:
    (project.root / "src").mkdir()
    (project.root / "src" / "main.py").write_bytes(b"import stripes\n\nzebra = stripes.Zebra()\n")
    project.write(
        "tutorial.md", "# Tutorial\n\nFirst, rest.\n\nMake an animal like this:\n\n{* ../src/main.py *}\n\nThen go.\n"
    )
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\ninclude_root = "."\n')
    project.build()
    with project.engine() as engine:
        found = answered(engine, "zebra stripes", floor=0.1)
    (quote,) = found.quotes
    code = "import stripes\n\nzebra = stripes.Zebra()\n"
    assert quote.text == f"First, rest.\n\nMake an animal like this:\n\n{code}Then go."
    assert (quote.path, quote.page_path) == ("tutorial.md", "tutorial.md")
    files = {span.path: project.docs / span.path for span in quote.spans}
    assert [span.path for span in quote.spans] == ["tutorial.md", "../src/main.py", "tutorial.md"]
    assert [hashlib.sha256(files[span.path].read_bytes()).hexdigest() for span in quote.spans] == [
        span.document_sha256 for span in quote.spans
    ]
    assert "".join(files[span.path].read_text("utf-8")[span.start : span.end] for span in quote.spans) == quote.text
    (mark,) = quote.highlights
    assert (mark.path, code[mark.start : mark.end]) == ("../src/main.py", "zebra = stripes.Zebra()")


def test_the_same_lines_included_on_two_pages_are_one_text_with_one_id(project: Project) -> None:
    project.write("main.py", "zebra = stripes.Zebra()\n")
    for name in ("one", "two"):
        project.write(f"{name}.md", f"# Page {name}\n\nAs in {name}:\n\n{{* main.py *}}\n")
    project.build()
    with project.engine() as engine:
        hits = [hit.quote for hit in engine.search("zebra stripes").hits if hit.quote.path == "main.py"]
        assert {hit.page_path for hit in hits} == {"one.md", "two.md"}
        (passage_id,) = {hit.passage_id for hit in hits}
        assert engine.show(passage_id).text == "zebra = stripes.Zebra()"
        quotes = answered(engine, "zebra stripes", floor=0.0, limit=9).quotes
        assert [span.path for quote in quotes for span in quote.spans].count("main.py") == 1


# --- Languages -------------------------------------------------------------------------------------------------------


def test_a_question_is_read_in_the_language_of_the_pages_that_know_its_words(project: Project) -> None:
    for name, text in {
        "en/keys.md": "# Keys\n\nThe keys are rotated every ninety days.\n",
        "de/haus.md": "# Häuser\n\nDie Häuser werden jeden Monat gestrichen.\n",
    }.items():
        project.write(name, text)
    (project.root / "nescio.toml").write_text(
        '[[source]]\npath = "docs/en"\nname = "english"\n\n[[source]]\npath = "docs/de"\nname = "deutsch"\nlanguage = "de-AT"\n'
    )
    project.build()
    with project.engine() as engine:
        assert engine.index.languages == ("de", "en")
        german = answered(engine, "Wann wird das Haus gestrichen?")
        assert (german.quotes[0].source, german.searched.dropped) == ("deutsch", ("wann", "wird", "das"))
        english = answered(engine, "How often is a key rotated?")
        assert (english.quotes[0].source, english.searched.unknown) == ("english", ())


# --- Warnings --------------------------------------------------------------------------------------------------------


def test_a_page_that_was_changed_or_removed_since_is_said_to_be_stale(project: Project) -> None:
    page = project.write("a.md", "# A\n\nThe lion sleeps all day.\n")
    project.build()
    with project.engine() as engine:
        assert answered(engine, "when does the lion sleep").warnings == ()
        os.utime(page, ns=(1, 1))
        assert answered(engine, "when does the lion sleep").warnings == ()
        page.write_text("# A\n\nThe lion sleeps all night.\n")
        (changed,) = answered(engine, "when does the lion sleep").warnings
        page.unlink()
        (removed,) = answered(engine, "when does the lion sleep").warnings
    assert (changed.code, removed.code) == ("stale", "stale")
    assert "docs/a.md changed" in changed.message
    assert "docs/a.md was removed" in removed.message


def test_a_folder_that_is_gone_cannot_be_compared_with(project: Project) -> None:
    page = project.write("a.md", "# A\n\nThe lion sleeps all day.\n")
    project.build()
    configuration = project.configuration()
    page.unlink()
    project.docs.rmdir()
    with opening.open_index(configuration, project.index) as engine:
        (warning,) = answered(engine, "when does the lion sleep").warnings
    assert warning.code == "unchecked"


def test_a_typographic_dash_before_a_flag_is_pointed_out(engine: Engine) -> None:
    found = answered(engine, "which mode is set with --verbose when the daemon starts")
    assert [warning.code for warning in found.warnings] == ["dash"]
    assert "\u2013verbose" in found.quotes[0].text


# --- Determinism -----------------------------------------------------------------------------------------------------

QUESTIONS = [
    "what is CORS",
    "how do I add corss",
    "rsponse_model moddl",
    "server client install",
    "keys",
    "the",
    "",
    "quantum flux",
]

SAYING = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from support.projects import Project
print(json.dumps(Project(Path(sys.argv[2])).answers(json.loads(sys.argv[3]))))
"""


def test_an_answer_is_the_same_each_time(built: Project, engine: Engine) -> None:
    first = [wire.answer_json(engine.ask(question)) for question in QUESTIONS]
    again = [wire.answer_json(engine.ask(question)) for question in reversed(QUESTIONS)]
    assert first == again[::-1]
    assert [said["answer"] for said in built.answers(QUESTIONS)] == first


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_an_answer_does_not_depend_on_the_seed_of_hashes(built: Project, seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAYING, str(TESTS), str(built.root), json.dumps(QUESTIONS)],
        env=environment(PYTHONHASHSEED=seed),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert json.loads(done.stdout) == json.loads(json.dumps(built.answers(QUESTIONS)))


def test_the_same_documents_elsewhere_give_the_same_answers(built: Project, tmp_path: Path) -> None:
    other = Project(tmp_path).write_all(dict(reversed(PAGES.items())))
    other.build()
    assert other.answers(QUESTIONS) == built.answers(QUESTIONS)


def test_versions_and_links_of_a_source_are_named(project: Project) -> None:
    project.write("guide/a.md", "# Lions\n\n## When they sleep\n\nThe lion sleeps all day.\n")
    (project.root / "nescio.toml").write_text(
        '[[source]]\npath = "docs"\nversion = "2.1"\nsite_url = "https://docs.example.org/"\nslug = "python-markdown"\n'
    )
    configuration = load(project.root, environ={}, flags={"jobs": 1}, needs_docs=False)
    building.build(configuration, project.index)
    with opening.open_index(configuration, project.index) as engine:
        found = answered(engine, "when does the lion sleep")
    assert found.quotes[0].url == "https://docs.example.org/guide/a/#when-they-sleep"
    assert (found.quotes[0].version, found.searched.versions) == ("2.1", ("2.1",))
