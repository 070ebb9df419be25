"""No secret becomes permanent: a build refuses it or masks it, and nothing that is kept, said or shown has a part of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from nescio.assembly.masking import audible
from nescio.config.loading import load
from nescio.domain.answers import Answer, Refusal
from nescio.domain.documents import Document, Page
from nescio.domain.spans import Span
from nescio.errors import IngestFault
from nescio.evaluate.gaps.logged import logged
from nescio.ingest.parsers.choice import parser_for
from nescio.ingest.secrets.guarding import secured
from nescio.ingest.secrets.scanning import secrets
from nescio.ingest.splitter import split
from nescio.surfaces import wire
from support.projects import Project, Run
from test_benchmarks import module

tokens: Any = module("tokens")

SHORTEST_PART = 8
MASK = {"secrets__on_found": "mask"}


def made(kind: str, seed: int = 7) -> Any:
    return tokens.make(kind, Random(seed))


def parts(secret: str) -> Iterator[bytes]:
    """Every stretch of eight characters in the part that was drawn by chance, and of its other case."""
    for body in secret.split("\n"):
        if not body.startswith("-----"):
            start = body.find("_") + 1 if "_" in body[:12] else 0
            for at in range(start, len(body) - SHORTEST_PART + 1):
                part = body[at : at + SHORTEST_PART]
                yield part.encode()
                yield part.lower().encode()


def assert_nothing_of(secrets_made: list[Any], *said: bytes | str) -> None:
    whole = b"\0".join(one.encode() if isinstance(one, str) else one for one in said)
    assert not [part for one in secrets_made for part in parts(one.secret) if part in whole]


def ask(project: Project, question: str) -> Answer | Refusal:
    with project.engine() as engine:
        return engine.ask(question)


def validated(name: str, output: str) -> Any:
    """The JSON of an output, which keeps to its schema."""
    value = json.loads(output)
    Draft202012Validator(wire.schema(name)).validate(value)
    return value


def kept(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def plant(project: Project) -> list[Any]:
    """Pages of several formats with a secret each, and one without."""
    github, slack, key = made("github"), made("slack"), made("private-key")
    npm, stripe, mail = made("npm"), made("stripe"), made("sendgrid")
    project.write("setup.md", f"# Setup\n\nInstall the runner first.\n\nTOKEN={github.secret}\n\nThen restart the daemon.\n")
    project.write(
        "keys.md", f"# Keys \U0001f511\r\n\r\nZebras need café permits.\r\n\r\n{key.secret}\r\n\r\nKeep the stable dry.\r\n"
    )
    project.write("page.html", f"<h1>Hooks</h1><p>The hook &amp; its value {npm.secret} go there.</p><p>Walruses swim.</p>")
    cell = {"cell_type": "markdown", "source": [f"Use {stripe.secret} to pay.\n", "\n", "Penguins waddle.\n"]}
    project.write("book.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    project.write("guide.rst", f"Guide\n=====\n\nOwls hoot.\n\nSend with ``{mail.secret}`` only.\n")
    project.write("table.md", f"# Table\n\n| Name | Value |\n| --- | --- |\n| chat | {slack.secret} |\n| size | giraffe |\n")
    project.write("clean.md", "# Clean\n\nLemurs leap.\n")
    return [github, slack, key, npm, stripe, mail]


@pytest.fixture
def run(project: Project, run_here: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(project.root)
    return run_here


# Refused


def test_a_build_refuses_secrets_and_keeps_nothing(project: Project, run: Run) -> None:
    planted = plant(project)
    code, out, err = run("build", "--jobs", "1")
    assert (code, out) == (3, "")
    assert "[secrets-found]" in err
    for place in ("docs/setup.md:5: ", "docs/keys.md:5: ", "docs/page.html:1: ", "docs/guide.rst:6: ", "docs/table.md:5: "):
        assert place in err
    assert "github-token" in err
    assert_nothing_of(planted, kept(project.index), err)
    assert run("status")[0] == 2


def test_with_json_the_same_is_told_as_json(project: Project, run: Run) -> None:
    planted = plant(project)
    code, out, err = run("build", "--json", "--jobs", "1")
    assert (code, out) == (3, "")
    told = validated("fault", err)["error"]
    assert told["code"] == "secrets-found"
    assert "6 secrets stand" in told["message"]
    assert_nothing_of(planted, err)


def test_the_index_that_was_there_stands(project: Project) -> None:
    project.write_all({"a.md": "# A\n\nLemurs leap.\n"}).build()
    before = kept(project.index / "generations"), (project.index / "CURRENT").read_bytes()
    project.write("a.md", f"# A\n\nLemurs leap far.\n\n{made('github').secret}\n")
    with pytest.raises(IngestFault) as caught:
        project.build()
    assert caught.value.code == "secrets-found"
    assert (kept(project.index / "generations"), (project.index / "CURRENT").read_bytes()) == before
    assert isinstance(ask(project, "do lemurs leap?"), Answer)


def test_at_most_twenty_places_are_told_and_the_rest_counted(project: Project) -> None:
    for number in range(25):
        project.write(f"p{number:02d}.md", f"# P\n\n{made('github', number).secret}\n")
    with pytest.raises(IngestFault) as caught:
        project.build()
    assert "25 secrets stand" in caught.value.message
    assert caught.value.message.count("github-token") == 20
    assert caught.value.message.endswith("and 5 more")


def test_a_secret_in_an_included_file_is_refused_where_it_stands(project: Project) -> None:
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\ninclude_root = "."\n', "utf-8")
    (project.root / "src").mkdir()
    secret = made("github")
    (project.root / "src" / "main.py").write_text(f"def zebra():\n    return 1\n\nTOKEN = '{secret.secret}'\n", "utf-8")
    project.write("a.md", "# A\n\nRun the zebra.\n\n{* ../src/main.py ln[1:2] *}\n")
    with pytest.raises(IngestFault) as caught:
        project.build()
    assert "src/main.py:4: A secret is written here (github-token)." in caught.value.message
    report = project.build(**MASK)
    assert (report.files, report.skipped) == (1, ())
    assert_nothing_of([secret], kept(project.index))


def test_a_secret_that_comes_into_an_included_file_is_refused(project: Project) -> None:
    (project.root / "nescio.toml").write_text('[[source]]\npath = "docs"\ninclude_root = "."\n', "utf-8")
    (project.root / "src").mkdir()
    included = project.root / "src" / "main.py"
    included.write_text("def zebra():\n    return 1\n", "utf-8")
    project.write("a.md", "# A\n\nRun the zebra.\n\n{* ../src/main.py ln[1:2] *}\n")
    project.build()
    secret = made("github")
    included.write_text(f"def zebra():\n    return 1\n\nTOKEN = '{secret.secret}'\n", "utf-8")
    with pytest.raises(IngestFault) as caught:
        project.build()
    assert "src/main.py:4: A secret is written here (github-token)." in caught.value.message
    assert_nothing_of([secret], kept(project.index))


def test_several_processes_refuse_the_same(project: Project) -> None:
    pages = {f"p{number:03d}.md": f"# P{number}\n\nWords of page {number}.\n" for number in range(80)}
    secret = made("gitlab")
    project.write_all({**pages, "bad.md": f"# Bad\n\n{secret.secret}\n"})
    with pytest.raises(IngestFault) as caught:
        project.build(jobs=2)
    assert caught.value.code == "secrets-found"
    assert_nothing_of([secret], kept(project.index), caught.value.message)


# Masked


def test_with_masks_everything_else_is_indexed_and_nothing_of_a_secret_is_kept(project: Project, run: Run) -> None:
    planted = plant(project)
    (project.root / "nescio.toml").write_text('[secrets]\non_found = "mask"\n[[source]]\npath = "docs"\n', "utf-8")
    said = [*run("build", "--jobs", "1")[1:]]
    for question in (
        "install the runner first",
        "what do walruses do?",
        "token value",
        "penguins waddle",
        "owls hoot",
        "giraffe size",
    ):
        for form in ((), ("--json",), ("--explain", "--json")):
            said += run("ask", *form, question)[1:]
        said += run("search", "--json", question)[1:]
    assert_nothing_of(planted, kept(project.index), *said)


def test_offsets_outside_of_masks_are_those_of_the_file(project: Project) -> None:
    plant(project)
    project.build(**MASK)
    with closing(project.stored()) as stored:
        for key in stored.keys():  # noqa: SIM118  (a method of the index)
            passage = stored.passage(key).passage
            document = stored.document(passage.document_sha256)
            data = (project.docs / passage.path).read_bytes()
            assert len(document.data) == len(data)
            hidden = {point for span in document.masked for point in range(span.start, span.end)}
            text = data.decode("utf-8")
            assert [c for at, c in enumerate(text) if at not in hidden] == [
                c for at, c in enumerate(document.text) if at not in hidden
            ]


def test_a_quote_is_made_of_bytes_of_the_file_and_has_both_hashes(project: Project) -> None:
    plant(project)
    project.build(**MASK)
    with closing(project.engine()) as engine:
        quotes = [hit.quote for hit in engine.search("runner daemon zebras stable", limit=10).hits]
    assert {"setup.md", "keys.md"} <= {quote.path for quote in quotes}
    for quote in (quote for quote in quotes if quote.basis == "verbatim"):
        data = (project.docs / quote.path).read_bytes()
        assert "".join(data[place.start_byte : place.end_byte].decode() for place in quote.spans) == quote.text
        assert "*" not in quote.text
    by_path = {quote.path: quote for quote in quotes}
    assert by_path["setup.md"].stored_sha256 != by_path["setup.md"].document_sha256


def test_a_token_that_is_masked_is_not_what_a_question_is_answered_with(project: Project) -> None:
    project.write("s.md", f"# CI\n\nThe runner needs Python.\n\nTOKEN={made('github').secret}\n")
    project.build(**MASK)
    assert isinstance(ask(project, "What is the token?"), Refusal)
    assert isinstance(ask(project, "What does the runner need?"), Answer)


def test_a_passage_that_is_all_secret_is_not_there(project: Project) -> None:
    project.write("k.md", f"# Zebra key\n\n```\n{made('private-key').secret}\n```\n\n# Other\n\nLemurs leap.\n")
    assert project.build(**MASK).passages == 1


def test_a_masked_index_says_nothing_of_staleness(project: Project) -> None:
    plant(project)
    project.build(**MASK)
    answer = ask(project, "install the runner first")
    assert isinstance(answer, Answer)
    assert not answer.warnings


def test_increments_say_what_a_cold_build_says(project: Project) -> None:
    plant(project)
    project.build(**MASK)
    project.write("setup.md", f"# Setup\n\nInstall it anew.\n\nTOKEN={made('github', 8).secret}\n")
    project.write("more.md", f"# More\n\nOtters float.\n\n`{made('gitlab').secret}`\n")
    (project.docs / "page.html").unlink()
    report = project.build(**MASK)
    cold = project.root / "cold"
    assert project.build(cold, **MASK).index_id == report.index_id
    with closing(project.stored()) as here, closing(project.stored(cold)) as there:
        assert here.manifest.blobs.keys() == there.manifest.blobs.keys()
        assert {sha: here.blob(sha) for sha in here.manifest.blobs} == {sha: there.blob(sha) for sha in there.manifest.blobs}
        assert [blob.masked for blob in here.manifest.blobs.values()] == [blob.masked for blob in there.manifest.blobs.values()]
        assert here.corpus.vocabulary.terms() == there.corpus.vocabulary.terms()
    assert project.build(**MASK).unchanged == report.files


def test_another_policy_is_another_index(project: Project) -> None:
    plant(project)
    project.build(**MASK)
    with pytest.raises(IngestFault):
        project.build()


def test_damage_of_masked_bytes_is_noticed(project: Project) -> None:
    plant(project)
    project.build(**MASK)
    with closing(project.stored()) as stored:
        blobs = [(sha, blob) for sha, blob in stored.manifest.blobs.items() if blob.masked]
        assert blobs
        assert all(stored.document(sha).stored_sha256 == blob.stored != sha for sha, blob in blobs)


def test_decoded_text_is_shown_by_the_block_or_not_at_all(project: Project) -> None:
    secret = made("npm")
    project.write("p.html", f"<h1>T</h1><p>Zebras &amp; {secret.secret}</p><p>Walruses &amp; ice.</p>")
    project.build(**MASK)
    with closing(project.engine()) as engine:
        quote = engine.search("walruses", limit=1).hits[0].quote
    assert quote.text == "Walruses & ice."
    data = (project.docs / "p.html").read_bytes()
    assert b"Zebras" not in b"".join(data[place.start_byte : place.end_byte] for place in quote.spans)


def page_of(text: str) -> tuple[Page, Document]:
    policy = load(Path.cwd(), environ={}, flags={"secrets.on_found": "mask"}, needs_docs=False).settings.secrets
    document = secured(Document.from_bytes("docs", "a.md", text.encode()), policy)
    assert isinstance(document, Document)
    parse = parser_for("a.md", "auto", text)
    assert parse is not None
    return parse(document), document


def test_words_beside_a_masked_secret_are_evidence_where_they_say_more_than_it() -> None:
    token = made("github").secret
    said = f"A long sentence about runners, and daemons, and what they need to be started with a token such as {token} here."
    page, document = page_of(f"# T\n\nTOKEN={token}\n\n{said}\n")
    (section,) = [audible(one, document.masked) for one in split(page)]
    assert section is not None
    heard = "".join(run.visible(section.text) for block in section.blocks for run in block.runs)
    assert "runners" in heard
    assert "TOKEN=" not in heard


# Allowed


def test_an_allowed_line_is_indexed_as_it_stands(project: Project, run: Run) -> None:
    secret, other = made("github"), made("npm")
    project.write("a.md", f"# Sample tokens\n\nA sample token looks like {secret.secret} in the log.\n")
    project.write("b.md", f"# B\n\n{other.secret}\n")
    (project.root / "nescio.toml").write_text('# ours\n[[source]]\npath = "docs" # here\n', "utf-8")
    code, out, err = run("secrets", "allow", "docs/a.md:3")
    assert (code, err) == (0, "")
    assert "github-token" in out
    written = (project.root / "nescio.toml").read_text("utf-8")
    assert '# ours\n[[source]]\npath = "docs" # here\n' in written
    assert_nothing_of([secret, other], out, written)
    code, out, err = run("build", "--jobs", "1")
    assert code == 3
    assert "docs/a.md" not in err
    code, out, _ = run("secrets", "allow", "--json", "docs/b.md:3")
    assert (code, validated("secrets_allow", out)["rules"]) == (0, ["npm-token"])
    assert (
        load(project.root, environ={}, flags={}).settings.secrets.key
        == load(project.root, environ={}, flags={}).settings.secrets.key
    )
    assert len(load(project.root, environ={}, flags={}).settings.secrets.allow) == 2
    assert run("build", "--jobs", "1")[0] == 0
    assert secret.secret in run("search", "--json", "sample token")[1]


def test_allowing_twice_writes_once(project: Project, run: Run) -> None:
    project.write("a.md", f"{made('github').secret}\n")
    assert run("secrets", "allow", "docs/a.md:1")[0] == 0
    before = (project.root / "nescio.toml").read_bytes()
    code, out, _ = run("secrets", "allow", "docs/a.md:1")
    assert (code, out.startswith("Allowed before")) == (0, True)
    assert (project.root / "nescio.toml").read_bytes() == before


def test_a_key_from_the_environment_stays_out_of_the_file(project: Project, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("a.md", f"{made('github').secret}\n")
    key = "5" * 64
    monkeypatch.setenv("NESCIO_SECRETS__KEY", key)
    assert run("secrets", "allow", "docs/a.md:1")[0] == 0
    assert key not in (project.root / "nescio.toml").read_text("utf-8")
    assert run("build", "--jobs", "1")[0] == 0
    monkeypatch.delenv("NESCIO_SECRETS__KEY")
    assert run("build", "--jobs", "1")[0] == 3


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_project_table_can_hold_fingerprints_too(project: Project, run: Run, ending: str) -> None:
    project.write("a.md", f"{made('github').secret}\n")
    text = '[project]\nname = "x"\n\n[tool.nescio]\nlimit = 2\n\n[tool.other]\na = 1\n'.replace("\n", ending)
    (project.root / "pyproject.toml").write_text(text, "utf-8", newline="")
    assert run("secrets", "allow", "docs/a.md:1")[0] == 0
    written = (project.root / "pyproject.toml").read_bytes()
    assert (b"\r\n" in written) == (ending == "\r\n")
    assert len(load(project.root, environ={}, flags={}).settings.secrets.allow) == 1
    assert load(project.root, environ={}, flags={}).settings.limit == 2


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("docs/a.md", "allow-place"),
        ("docs/a.md:0", "allow-place"),
        ("docs:1", "allow-place"),
        ("docs/a.md:x", "allow-place"),
        ("docs/a.md:1", "allow-nothing"),
        ("docs/a.md:99", "allow-nothing"),
        ("docs/none.md:1", "scan-not-found"),
    ],
)
def test_what_cannot_be_allowed_is_told(place: str, code: str, project: Project, run: Run) -> None:
    project.write("a.md", f"# A\n\n{made('github').secret}\n")
    exit_code, out, err = run("secrets", "allow", "--json", place)
    assert (exit_code, out, validated("fault", err)["error"]["code"]) == (2, "", code)


def test_a_secret_that_was_put_into_the_configuration_is_not_repeated(project: Project, run: Run) -> None:
    secret = made("github")
    (project.root / "nescio.toml").write_text(f'[secrets]\nallow = ["{secret.secret}"]\n', "utf-8")
    code, out, err = run("build")
    assert (code, out) == (2, "")
    assert "secrets.allow" in err
    assert_nothing_of([secret], err)


# Scanned


def test_a_scan_says_where_and_what_kind_and_exits_with_1(project: Project, run: Run) -> None:
    planted = plant(project)
    code, out, err = run("secrets", "scan")
    assert (code, err) == (1, "")
    assert "docs/setup.md:5" in out
    assert_nothing_of(planted, out)
    code, out, _ = run("secrets", "scan", "--json", "docs/setup.md", "docs/clean.md")
    told = validated("findings", out)
    assert (code, told["command"], told["errors"]) == (1, "nescio secrets scan", 1)
    (finding,) = told["findings"]
    assert (finding["kind"], finding["rule"], finding["path"]) == ("secret", "github-token", "docs/setup.md")
    assert (finding["start_line"], finding["old"], finding["new"]) == (5, "", "")
    assert not (project.root / ".nescio").exists()


def test_a_scan_of_clean_files_and_folders_exits_with_0(project: Project, run: Run) -> None:
    project.write("clean.md", "# Clean\n\nLemurs leap.\n")
    (project.root / "main.py").write_text("print('lemurs')\n", "utf-8")
    assert run("secrets", "scan", "main.py")[0] == 0
    (project.root / "logo.png").write_bytes(b"\x89PNG\0\0")
    assert run("secrets", "scan", ".")[0] == 0
    assert run("secrets", "scan", "docs")[0] == 0
    assert run("secrets", "scan")[0] == 0


def test_a_scan_of_a_folder_looks_at_files_of_every_sort(project: Project, run: Run) -> None:
    (project.root / "src").mkdir()
    (project.root / "src" / "main.py").write_text(f"TOKEN = '{made('github').secret}'\n", "utf-8")
    code, out, _ = run("secrets", "scan", "src")
    assert code == 1
    assert "src/main.py:1" in out


def test_a_scan_of_nothing_is_told(project: Project, run: Run) -> None:
    code, _, err = run("secrets", "scan", "--json", "absent.md")
    assert (code, validated("fault", err)["error"]["code"]) == (2, "scan-not-found")


def test_a_scan_finds_what_a_build_refuses(project: Project, run: Run) -> None:
    (project.root / "nescio.toml").write_text(
        '[secrets]\non_found = "mask"\n[[source]]\npath = "docs"\ninclude_root = "."\n', "utf-8"
    )
    (project.root / "main.py").write_text(f"TOKEN = '{made('github').secret}'\n", "utf-8")
    project.write("a.md", "# A\n\nRun it.\n\n{* ../main.py *}\n")
    code, out, _ = run("secrets", "scan", "--json")
    assert code == 1
    assert [one["path"] for one in json.loads(out)["findings"]] == ["main.py"]


# Logged


def test_a_question_that_holds_a_secret_is_logged_without_it(project: Project) -> None:
    secret = made("github")
    project.write("a.md", "# A\n\nLemurs leap.\n")
    project.build()
    refusal = ask(project, f"why is {secret.secret} rejected by the frobnicator?")
    assert isinstance(refusal, Refusal)
    kept_of_it = logged(refusal, 1.0, None)
    assert kept_of_it is not None
    assert_nothing_of([secret], repr(kept_of_it))
    assert "frobnicator" in str(kept_of_it.question)


def test_the_tests_would_find_a_leak() -> None:
    secret = made("github")
    with pytest.raises(AssertionError):
        assert_nothing_of([secret], f"x{secret.secret[10:18]}y")
    assert secrets(secret.secret)
    assert Span(0, 1)
