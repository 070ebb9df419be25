"""The documents as files for language models: what stands in them, where they are, and whose files are left alone."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyromark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.assembly.showing.markdown_blocks import fenced, markdown_of
from nescio.assembly.showing.page_texts import PageText, PageTexts
from nescio.assembly.showing.text import Written
from nescio.domain.documents import Block, BlockKind, Document, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.choice import PARSERS
from nescio.surfaces import wire
from nescio.surfaces.llms.places import OURS, Places, Site, site_of, twin_name, version_folder
from support.projects import Project, listing
from support.projects import Run as Command

PAGES = {
    "index.md": "---\ntitle: Kitchen\ndescription: How the kitchen works.\n---\nWelcome to the kitchen. Mind the stove.\n",
    "fruit/apples.md": "# Apples\n\nApples are kept in the cellar. They go soft in the warm.\n",
    "fruit/index.md": "# All fruit\n\nWhat grows on trees.\n",
    "changelog.md": "# Changes\n\nThe stove was replaced in spring.\n",
}
SITE = '[[source]]\npath = "docs"\nsite_url = "https://kitchen.example/docs"\nslug = "python-markdown"\n'


def configured(project: Project, text: str) -> Project:
    (project.root / "nescio.toml").write_text(text, encoding="utf-8")
    return project


def text_of(project: Project, path: str, *reader: str) -> str:
    """The text of a page, from a new index."""
    return {page.path: page for page in page_texts(project, *reader)}[path].text


def page_texts(project: Project, *reader: str) -> list[PageText]:
    project.build()
    with project.engine() as engine:
        return list(PageTexts(project.configuration()).pages(engine.within(reader_view=reader)))


@pytest.fixture
def kitchen(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Documents of a site, in which a command is run."""
    monkeypatch.chdir(project.root)
    return configured(project.write_all(PAGES), SITE)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(out: str, schema: str) -> Any:
    value = json.loads(out)
    Draft202012Validator(wire.schema(schema)).validate(value)
    return value


# What is written


def test_the_list_has_a_section_for_each_folder_and_changelogs_last(kitchen: Project, run_here: Command) -> None:
    assert run_here("llms", "out", "--name", "The Kitchen", "--summary", "Cooking,\n for all.")[0] == 0
    assert (kitchen.root / "out" / "llms.txt").read_text("utf-8") == (
        "# The Kitchen\n"
        "\n"
        "> Cooking, for all.\n"
        "\n"
        "## docs\n"
        "\n"
        "- [Kitchen](https://kitchen.example/docs/index.html.md): How the kitchen works.\n"
        "\n"
        "## All fruit\n"
        "\n"
        "- [All fruit](https://kitchen.example/docs/fruit/index.html.md): What grows on trees.\n"
        "- [Apples](https://kitchen.example/docs/fruit/apples/index.html.md): Apples are kept in the cellar.\n"
        "\n"
        "## Optional\n"
        "\n"
        "- [Changes](https://kitchen.example/docs/changelog/index.html.md): The stove was replaced in spring.\n"
    )


def test_each_page_has_a_twin_without_front_matter_but_with_its_title(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out")
    out = contents(kitchen.root / "out")
    assert out["index.html.md"] == b"# Kitchen\n\nWelcome to the kitchen. Mind the stove.\n"
    assert out["fruit/apples/index.html.md"] == PAGES["fruit/apples.md"].encode()
    assert set(out) == {
        *("llms.txt", "llms-full.txt", "links.json", OURS, "index.html.md", "changelog/index.html.md"),
        *("fruit/index.html.md", "fruit/apples/index.html.md"),
    }


def test_all_pages_stand_in_one_with_their_path_and_url(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out", "--name", "The Kitchen")
    whole = (kitchen.root / "out" / "llms-full.txt").read_text("utf-8")
    assert whole.startswith("# The Kitchen\n\n====")
    assert "\nPath: docs/fruit/apples.md\nURL: https://kitchen.example/docs/fruit/apples/\n====" in whole
    assert [whole.index(word) for word in ("Mind the stove", "grows on trees", "go soft", "in spring")] == sorted(
        whole.index(word) for word in ("Mind the stove", "grows on trees", "go soft", "in spring")
    )


def test_the_links_between_pages_and_twins_are_told(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out")
    links = told((kitchen.root / "out" / "links.json").read_text("utf-8"), "llms_links")
    assert links["llms_txt"] == "https://kitchen.example/docs/llms.txt"
    apples = next(page for page in links["pages"] if page["path"] == "fruit/apples.md")
    assert apples == {
        "source": "docs",
        "path": "fruit/apples.md",
        "url": "https://kitchen.example/docs/fruit/apples/",
        "twin": "fruit/apples/index.html.md",
        "alternate": '<link rel="alternate" type="text/markdown" '
        'href="https://kitchen.example/docs/fruit/apples/index.html.md">',
        "canonical": '<link rel="canonical" href="https://kitchen.example/docs/fruit/apples/">',
    }


def test_without_a_site_links_are_relative(project: Project, monkeypatch: pytest.MonkeyPatch, run_here: Command) -> None:
    project.write_all({"a b.md": "# One [two](x)\n\nSome words stand here.\n"})
    monkeypatch.chdir(project.root)
    assert run_here("llms", "out", "--name", "X", "--docs", "docs")[0] == 0
    listed = (project.root / "out" / "llms.txt").read_text("utf-8")
    assert "- [One two](a%20b.md): Some words stand here.\n" in listed
    assert told((project.root / "out" / "links.json").read_text("utf-8"), "llms_links")["pages"][0]["canonical"] is None


def test_the_same_documents_make_the_same_bytes_anywhere(tmp_path: Path, run_here: Command, monkeypatch: Any) -> None:
    made = []
    for name, order in (("one", sorted(PAGES)), ("two", sorted(PAGES, reverse=True))):
        place = configured(Project(tmp_path / name / "deep").write_all({path: PAGES[path] for path in order}), SITE)
        monkeypatch.chdir(place.root)
        run_here("llms", "out")
        made.append(contents(place.root / "out"))
        assert not any(str(tmp_path).encode() in data for data in made[-1].values())
    assert made[0] == made[1]


# What is included


INCLUDING = {
    "fastapi": (
        "Read this:\n\n{* ../docs_src/app.py ln[1:2] *}\n\nDone.\n",
        "Read this:\n\n```python\nimport os\nos.sep\n```\n\nDone.",
    ),
    "fastapi in a fence": (
        "Read this:\n\n```Python hl_lines=1\n{!> a.txt !}\n{* ../docs_src/app.py *}\n```\n",
        "Read this:\n\n```Python hl_lines=1\n{!> a.txt !}\nimport os\nos.sep\nif os:\n    pass\n```",
    ),
    "mdbook": (
        "Text.\n\n```python\n{{#include ../docs_src/app.py:2}}\n```\n\nAnd {{#include ../docs_src/app.py}} not.\n",
        "Text.\n\n```python\nos.sep\n```\n\nAnd {{#include ../docs_src/app.py}} not.",
    ),
    "snippets": ('Text.\n\n--8<-- "docs_src/note.md"\n\nEnd.\n', "Text.\n\n*Note* the [link](x.md).\n\nEnd."),
    "snippets from the root": ('--8<-- "docs/part.md"\n\nEnd.\n', "Only a part.\n\nEnd."),
    "a block of snippets": (
        "Text.\n\n--8<--\ndocs_src/note.md\ndocs/part.md\n--8<--\n\nEnd.\n",
        "Text.\n\n*Note* the [link](x.md).\nOnly a part.\n\nEnd.",
    ),
    "in an admonition": (
        '!!! note\n    Look:\n\n    --8<-- "docs_src/note.md"\n\n    {* ../docs_src/app.py ln[3:4] *}\n',
        "!!! note\n    Look:\n\n    *Note* the [link](x.md).\n\n    ```python\n    if os:\n        pass\n    ```",
    ),
    "a file that includes": ('--8<-- "docs_src/outer.md"\n', "# Outer\n\nBefore.\n\n*Note* the [link](x.md).\n\nAfter."),
    "nothing but another include": ('Text.\n\n--8<-- "docs_src/wrapper.md"\n', "Text.\n\n*Note* the [link](x.md)."),
    "literalinclude": (
        "Text.\n\n```{literalinclude} ../docs_src/app.py\n:language: pycon\n:lines: 1\n```\n",
        "Text.\n\n```pycon\nimport os\n```",
    ),
    "include of MyST": ("Text.\n\n```{include} ../docs_src/note.md\n```\n", "Text.\n\n*Note* the [link](x.md)."),
    "what has front matter": ('Text.\n\n--8<-- "docs_src/headed.md"\n', "Text.\n\nBody of it."),
    "what is not Markdown": ('Text.\n\n--8<-- "docs_src/other.rst"\n', "Text.\n\n## Other\n\nSee `this` and *not*\\* that."),
    "what is not there": ('Text.\n\n--8<-- "gone.md"\n\nEnd.\n', 'Text.\n\n--8<-- "gone.md"\n\nEnd.'),
    "Windows line ends": (
        'Text.\r\n\r\n--8<-- "docs_src/note.md"\r\n\r\nEnd.\r\n',
        "Text.\n\n*Note* the [link](x.md).\n\nEnd.",
    ),
}
INCLUDED = {
    "app.py": "import os\nos.sep\nif os:\n    pass\n",
    "note.md": "*Note* the [link](x.md).\n",
    "outer.md": '# Outer\n\nBefore.\n\n--8<-- "docs_src/note.md"\n\nAfter.\n',
    "wrapper.md": '--8<-- "docs_src/note.md"\n',
    "headed.md": "---\ntitle: Headed\n---\nBody of it.\n",
    "other.rst": "Other\n=====\n\nSee ``this`` and \\*not\\** that.\n",
}


def with_sources(project: Project) -> Project:
    configured(project, '[[source]]\npath = "docs"\ninclude_root = "."\n')
    for name, text in INCLUDED.items():
        project.write(f"../docs_src/{name}", text)
    project.write("part.md", "Only a part.\n")
    return project


@pytest.mark.parametrize("name", INCLUDING)
def test_an_include_stands_where_its_directive_stood(project: Project, name: str) -> None:
    page, expected = INCLUDING[name]
    with_sources(project).write("page.md", f"# Page\n\n{page}" if not page.startswith('--8<-- "docs_src/outer') else page)
    found = text_of(project, "page.md")
    if name == "what is not Markdown":
        assert re.search(r"# Other\n\nSee `this` and", found)
        return
    assert found.removeprefix("# Page\n\n") == expected


def test_includes_of_restructuredtext_stand_in_their_places(project: Project) -> None:
    with_sources(project).write(
        "page.rst",
        "Page\n====\n\nFirst.\n\n.. literalinclude:: ../docs_src/app.py\n   :lines: 3-4\n\nThen.\n\n"
        ".. include:: ../docs_src/other.rst\n\nLast.\n",
    )
    found = text_of(project, "page.rst")
    assert found.startswith("# Page\n\nFirst.\n\n```python\nif os:\n    pass\n```\n\nThen.\n\n# Other\n\nSee `this` and")
    assert found.endswith("that.\n\nLast.")


def test_what_is_included_is_found_without_the_documents(project: Project) -> None:
    with_sources(project).write("deep/er/page.md", '# Page\n\n--8<-- "docs_src/wrapper.md"\n\n{* ../docs_src/app.py ln[1] *}\n')
    expected = "# Page\n\n*Note* the [link](x.md).\n\n```python\nimport os\n```"
    assert text_of(project, "deep/er/page.md") == expected
    for folder in ("docs", "docs_src"):
        shutil.rmtree(project.root / folder)
    with project.engine() as engine:
        pages = {page.path: page.text for page in PageTexts(project.configuration()).pages(engine)}
    assert pages["deep/er/page.md"] == expected


def test_a_page_does_not_grow_without_end_by_what_it_includes(project: Project) -> None:
    configured(project, '[limits]\nmax_file_bytes = 20000\n[[source]]\npath = "docs"\ninclude_root = "."\n')
    project.write("../docs_src/large.md", "A large file has many words.\n\n" * 200)
    directive = '--8<-- "docs_src/large.md"\n\n'
    project.write("page.md", "# Page\n\n" + directive * 40)
    found = text_of(project, "page.md")
    assert len(found) < 40_000
    assert found.count("--8<--") == 36


def test_a_fence_is_longer_than_those_in_its_code() -> None:
    assert fenced("a\n````\nb", "md") == "`````md\na\n````\nb\n`````"
    assert fenced("a", "no name!") == "```\na\n```"


# Pages of other formats


def test_html_becomes_markdown(project: Project) -> None:
    project.write(
        "page.html",
        "<h1>Page</h1><p>See <code>a|b</code> &lt;b&gt; and <a href='javascript:x'>this</a>.</p>"
        "<ul><li>One<ul><li>Two</li></ul></li></ul>"
        "<pre class='language-py'>if x:\n    y</pre>"
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td>3</td></tr></table>",
    )
    assert text_of(project, "page.html") == (
        "# Page\n\nSee `a|b` \\<b> and this.\n\n- One\n\n    - Two\n\n```py\nif x:\n    y\n```\n\n"
        "| A | B |\n| --- | --- |\n| 1\\|2 | 3 |"
    )


def test_a_notebook_becomes_markdown(project: Project) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Book\n", "\n", "Some *words* here."]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": ["x = 1\n", "print(x)"]},
    ]
    notebook = {"cells": cells, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    project.write("page.ipynb", json.dumps(notebook))
    assert text_of(project, "page.ipynb") == "# Book\n\nSome words here.\n\n```python\nx = 1\nprint(x)\n```"


SIGNS = [
    *"ab12*_`[]()<>#+-=|~&;:!$^\\.\"'/{} ",
    "\n",
    "**",
    "__",
    "](",
    "[^1]",
    "&amp;",
    "<b>",
    "1. ",
    "- ",
    "# ",
    "- [ ] ",
    "***",
]
TEXTS = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=14).map("".join)
OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
)


class Seen(HTMLParser):
    """The tags of a text of HTML and its characters other than white space."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += "".join(data.split())


@settings(max_examples=300)
@given(TEXTS, st.sampled_from([BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST_ITEM]))
def test_text_of_other_formats_is_never_taken_for_markup(text: str, kind: BlockKind) -> None:
    block = Block(kind, Span(0, len(text)), (Run(Span(0, len(text))),), level=2 if kind is BlockKind.HEADING else 0)
    made = markdown_of(Written(text, "text"), [block])
    seen = Seen(pyromark.html(made, options=OPTIONS))
    assert seen.tags <= {"p", "br", "h2", "ul", "ol", "li"}, made
    marker = re.match(r"[ \t]*(?:[-*+•]|\(?(?:\w{1,9}|#)[.)])(?=\s|$)", text) if kind is BlockKind.LIST_ITEM else None
    assert marker or seen.text == "".join(text.split()), made


RST = """Title
=====

Some *text* with ``code|bar`` and `a link <https://x.example>`_.

1. One

   - Inner

2. Two

.. code-block:: python

   def f(*args):
       return `x`

=====  =====
A      B
=====  =====
1 * 2  3_4
=====  =====
"""


def test_restructuredtext_becomes_markdown_of_the_same_words(project: Project) -> None:
    project.write("page.rst", RST)
    made = text_of(project, "page.rst")
    again = PARSERS["markdown"](Document.from_bytes("docs", "x.md", made.encode()))
    expected = "Title Some text with code|bar and a link. One Inner Two def f(*args): return `x` A B 1 * 2 3_4"
    assert " ".join(words(again.blocks, made)) == expected
    assert [block.kind.value for block in again.blocks] == [
        *("heading", "paragraph", "list_item", "list_item", "list_item", "code", "table"),
    ]


def words(blocks: tuple[Block, ...], text: str) -> list[str]:
    spaced = (" ".join("".join(run.visible(text) for run in block.runs).split()) for block in blocks if not block.parts)
    cells = (run.visible(text) for block in blocks if block.parts for run in block.runs)
    return " ".join([*spaced, *cells]).split()


# Who may read what


def test_what_is_masked_stays_masked(project: Project) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    configured(project, '[secrets]\non_found = "mask"\n')
    project.write(
        "page.md",
        f"# Page\n\nThe key is {token} and it opens the front door of the whole kitchen for everybody who cooks there.\n",
    )
    found = text_of(project, "page.md")
    assert token not in found
    assert found.startswith("# Page\n\nThe key is ")
    assert found.endswith(" and it opens the front door of the whole kitchen for everybody who cooks there.")


def test_a_page_for_others_is_in_no_file(kitchen: Project, run_here: Command) -> None:
    kitchen.write("staff.md", "---\naudiences: [staff]\n---\n# Rota\n\nThe night shift is on Mondays.\n")
    assert run_here("llms", "guests", "--reader-view", "audience=guests", "--docs", "docs")[0] == 0
    assert not any(b"Rota" in data or b"staff" in data for data in contents(kitchen.root / "guests").values())
    run_here("llms", "staff", "--reader-view", "audience=staff")
    assert any(b"night shift" in data for data in contents(kitchen.root / "staff").values())
    code, _, err = run_here("llms", "out", "--reader-view", "colour=red")
    assert (code, "colour" in err) == (2, True)


VERSIONED = '[[source]]\npath = "docs"\nversions = "folders"\n'


@pytest.fixture
def versions(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    pages = {f"{name}/guide.md": f"# Guide\n\nThis is what {name} does.\n" for name in ("1.0", "2.0")}
    monkeypatch.chdir(project.root)
    return configured(project.write_all({**pages, "licence.md": "# Licence\n\nFree to use by all.\n"}), VERSIONED)


def test_the_default_version_is_at_the_top_and_others_in_their_folders(versions: Project, run_here: Command) -> None:
    out = told(run_here("llms", "out", "--json")[1], "llms")
    assert (out["versions"], out["pages"]) == (["2.0", "1.0"], 3)
    found = contents(versions.root / "out")
    assert set(found) == {
        *(OURS, "llms.txt", "llms-full.txt", "links.json", "licence.md", "2.0/guide.md"),
        *("1.0/llms.txt", "1.0/llms-full.txt", "1.0/links.json", "1.0/guide.md"),
    }
    top, older = found["llms.txt"].decode(), found["1.0/llms.txt"].decode()
    assert "version 2.0." in top
    assert "Other versions: [1.0](1.0/llms.txt)" in top
    assert "what 2.0 does" in top
    assert "what 1.0 does" not in top
    assert "Other versions: [2.0](../llms.txt)" in older
    assert "(../licence.md)" in older
    assert "(guide.md): This is what 1.0 does." in older
    assert b"2.0 does" not in found["1.0/llms-full.txt"]


def test_one_version_is_written_alone(versions: Project, run_here: Command) -> None:
    assert told(run_here("llms", "out", "--docs-version", "1.0", "--json")[1], "llms")["versions"] == ["1.0"]
    found = contents(versions.root / "out")
    assert "1.0/guide.md" in found
    assert not any("2.0" in path or b"2.0" in data for path, data in found.items() if path != OURS)
    assert run_here("llms", "out", "--docs-version", "9")[0] == 2


# Where it is written


def test_a_second_run_writes_nothing(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out")
    before = listing(kitchen.root / "out")
    out = told(run_here("llms", "out", "--json")[1], "llms")
    assert (out["written"], out["removed"], len(out["unchanged"]), out["current"]) == ([], [], 8, True)
    assert listing(kitchen.root / "out") == before


def test_what_is_no_longer_a_page_goes_and_its_empty_folder(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out")
    (kitchen.docs / "fruit" / "apples.md").unlink()
    out = told(run_here("llms", "out", "--docs", "docs", "--json")[1], "llms")
    assert "fruit/apples/index.html.md" in out["removed"] or "fruit/apples.md" in out["removed"]
    assert not (kitchen.root / "out" / "fruit" / "apples").exists()


def test_files_of_others_are_never_touched(kitchen: Project, run_here: Command) -> None:
    theirs = kitchen.root / "out" / "fruit" / "index.html"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    assert run_here("llms", "out")[0] == 0
    (kitchen.root / "out" / "changelog" / "index.html.md").write_text("edited by somebody")
    (kitchen.docs / "changelog.md").unlink()
    (kitchen.docs / "fruit" / "index.md").unlink()
    run_here("build")
    assert run_here("llms", "out")[0] == 0
    assert theirs.read_text() == "theirs"
    assert (kitchen.root / "out" / "changelog" / "index.html.md").read_text() == "edited by somebody"
    assert not (kitchen.root / "out" / "fruit" / "index.html.md").exists()


def test_a_file_in_the_way_stops_everything(kitchen: Project, run_here: Command) -> None:
    kitchen.build()
    out = kitchen.root / "out"
    out.mkdir()
    (out / "llms.txt").write_text("written by hand")
    code, _, err = run_here("llms", "out", "--json")
    assert (code, json.loads(err)["error"]["code"]) == (2, "llms-foreign-file")
    assert contents(out) == {"llms.txt": b"written by hand"}


def test_a_folder_in_the_way_stops_everything(kitchen: Project, run_here: Command) -> None:
    (kitchen.root / "out" / "llms.txt").mkdir(parents=True)
    assert run_here("llms", "out")[0] == 2
    assert contents(kitchen.root / "out") == {}


def test_the_same_bytes_are_in_nobody_s_way(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out")
    (kitchen.root / "out" / OURS).unlink()
    assert run_here("llms", "out")[0] == 0


def test_links_lead_nowhere_out_of_the_folder(kitchen: Project, run_here: Command) -> None:
    elsewhere = kitchen.root / "elsewhere"
    elsewhere.mkdir()
    (kitchen.root / "out").mkdir()
    (kitchen.root / "out" / "fruit").symlink_to(elsewhere)
    assert run_here("llms", "out")[0] == 2
    assert list(elsewhere.iterdir()) == []


def test_a_list_of_ours_that_was_edited_removes_nothing_elsewhere(kitchen: Project, run_here: Command) -> None:
    run_here("llms", "out")
    victim = kitchen.root / "victim.txt"
    victim.write_text("mine")
    manifest = kitchen.root / "out" / OURS
    value = json.loads(manifest.read_text("utf-8"))
    sha256 = "6f2b1ae4f1e4bd7e8f0ba6a8b2bd8f3c5b4f2c59fd7a4ce5ed6d1e6cb1d5d5a5"
    value["files"] |= {"../victim.txt": sha256, str(victim): sha256}
    for content in (json.dumps(value), "no JSON", '{"files": 3}'):
        manifest.write_text(content, encoding="utf-8")
        assert run_here("llms", "out")[0] == 0
        assert victim.read_text() == "mine"


def test_a_check_says_what_would_be_written_and_writes_nothing(kitchen: Project, run_here: Command) -> None:
    code, out, _ = run_here("llms", "out", "--check")
    assert (code, (kitchen.root / "out").exists()) == (1, False)
    assert "differs" in out
    run_here("llms", "out")
    code, out, _ = run_here("llms", "out", "--check")
    assert (code, out) == (0, "4 pages in out: all as they should be.\n")
    kitchen.write("fruit/apples.md", "# Apples\n\nApples are eaten at once.\n")
    run_here("build")
    code, out, _ = run_here("llms", "out", "--check", "--json")
    value = told(out, "llms")
    assert (code, value["current"]) == (1, False)
    assert set(value["written"]) == {OURS, "fruit/apples/index.html.md", "llms.txt", "llms-full.txt"}


def test_it_says_so_where_the_next_build_would_read_its_files(kitchen: Project, run_here: Command) -> None:
    assert "lies in the source docs" in run_here("llms", "docs/out")[2]


# Names


@pytest.mark.parametrize(
    ("page", "twin"),
    [
        ("", "index.html.md"),
        ("guide/", "guide/index.html.md"),
        ("guide.html", "guide.html.md"),
        ("guide", "guide.md"),
        ("guide.md", "guide.md"),
        ("guide.rst", "guide.rst.md"),
    ],
)
def test_a_twin_is_beside_its_page(page: str, twin: str) -> None:
    assert twin_name(page) == twin


def a_page(source: str, path: str, site_url: str | None = None, site_path: str | None = None) -> PageText:
    shown = path if site_path is None else site_path
    return PageText(source, path, None, "T", "", None, site_url, shown, "")


@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows does not have")
def test_names_that_are_none_everywhere_get_one_that_is(
    project: Project, monkeypatch: pytest.MonkeyPatch, run_here: Command
) -> None:
    monkeypatch.chdir(project.root)
    names = ("new\nline.md", "a:b.md", 'a"b.md', "trailing ./d .md", "\u00e9" * 110 + ".md")
    project.write_all({name: f"# Page {number}\n\nText.\n" for number, name in enumerate(names)}).build()
    assert run_here("llms", "out", "--docs", "docs")[0] == 0
    written = [path.relative_to(project.root / "out").as_posix() for path in (project.root / "out").rglob("*.md")]
    assert len(written) == len(names)
    assert not any(character in path for path in written for character in '\n:"')
    assert {"docs/new-line.md", "docs/a-b.md", "docs/a-b-2.md"} <= set(written)


def test_no_two_pages_have_one_twin() -> None:
    pages = [a_page("docs", path, "https://x.example", "") for path in ("README.md", "index.md", "INDEX.md", "a/index.md")]
    pages += [
        a_page("docs", "b.md", "https://x.example", slug) for slug in ("x" * 300, "a\nb", "../../etc/passwd", "c:\\d", " ")
    ]
    pages += [a_page("docs", "llms.txt", "https://x.example", "llms.txt"), a_page("docs", "d", None, "index.html.md/d")]
    places = Places(site_of(pages))
    places.keep("llms.txt")
    found = [places.of(page, "") for page in pages]
    assert len({path.casefold() for path in found}) == len(pages)
    assert all(re.fullmatch(r"[\w./-]+\.md", path) and ".." not in path.split("/") for path in found)
    folders = {path.rpartition("/")[0] for path in found}
    assert not folders & set(found)


def test_sources_are_where_their_sites_are() -> None:
    pages = [a_page("guide", "a.md", "https://x.example/docs/"), a_page("api", "a.md", "https://x.example/docs/api")]
    assert site_of(pages) == Site("https://x.example/docs/", {"guide": "", "api": "api"})
    pages = [a_page("guide", "a.md", "https://x.example/docs"), a_page("api", "a.md", "https://y.example/docs")]
    assert site_of(pages) == Site(None, {"guide": "guide", "api": "api"})
    pages = [a_page("guide", "a.md", "https://x.example/docs"), a_page("api", "a.md")]
    assert site_of(pages) == Site(None, {"guide": "guide", "api": "api"})


@pytest.mark.parametrize(("name", "folder"), [("4.22", "4.22"), ("v1/beta 2", "v1-beta-2"), ("..", "version---"), ("é", "-")])
def test_a_version_is_a_plain_folder(name: str, folder: str) -> None:
    assert version_folder(name) == folder


# Over HTTP


@pytest.fixture
def http(versions: Project) -> Iterator[Any]:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    from support.serving import served

    versions.write("1.0/other.rst", "Other\n=====\n\nOnly the first one had this.\n")
    versions.build()
    with served(versions, VERSIONED) as running:
        yield running.http


def test_a_server_has_the_list_and_each_page(http: Any) -> None:
    listed = http.get("/llms.txt")
    assert (listed.status_code, listed.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert "- [Guide](pages/docs/2.0/guide.md): This is what 2.0 does.\n" in listed.text
    assert "Other versions: [1.0](llms.txt?version=1.0)" in listed.text
    page = http.get("/pages/docs/2.0/guide.md")
    assert (page.text, page.headers["content-type"]) == (
        "# Guide\n\nThis is what 2.0 does.\n",
        "text/markdown; charset=utf-8",
    )
    whole = http.get("/llms-full.txt").text
    assert "what 2.0 does" in whole
    assert "what 1.0 does" not in whole


def test_a_server_tells_another_version_with_links_that_stay_in_it(http: Any) -> None:
    listed = http.get("/llms.txt", params={"version": "1.0"}).text
    link = re.search(r"\[Other\]\(([^)]+)\)", listed)
    assert link is not None
    assert link[1] == "pages/docs/1.0/other.rst.md?version=1.0"
    assert http.get(f"/{link[1]}").text == "# Other\n\nOnly the first one had this.\n"
    assert http.get("/pages/docs/1.0/other.rst.md").status_code == 404


def test_a_server_sends_only_what_changed(http: Any) -> None:
    for path in ("/llms.txt", "/llms-full.txt", "/pages/docs/2.0/guide.md"):
        etag = http.get(path).headers["etag"]
        assert http.get(path, headers={"If-None-Match": etag}).status_code == 304
        assert http.head(path).headers["etag"] == etag


@pytest.mark.parametrize(
    "path", ["docs/2.0/nothing.md", "docs/2.0/guide", "docs/../2.0/guide.md", "other/2.0/guide.md", "docs/%00.md"]
)
def test_a_server_has_no_other_pages(http: Any, path: str) -> None:
    answer = http.get(f"/pages/{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_a_server_that_asks_for_keys_tells_nobody_else(kitchen: Project) -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    from support.serving import served

    kitchen.build()
    with served(kitchen, "anonymous = false\n") as running:
        for path in ("/llms.txt", "/llms-full.txt", "/pages/docs/index.md"):
            assert running.http.get(path).status_code == 401


def test_a_server_tells_a_reader_what_that_reader_may_see(kitchen: Project) -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    from support.serving import served

    kitchen.write("staff.md", "---\naudiences: [staff]\n---\n# Rota\n\nThe night shift is on Mondays.\n")
    kitchen.build()
    with served(kitchen, 'reader_view = ["audience=guests"]\n') as running:
        assert "Rota" not in running.http.get("/llms.txt").text
        assert "Rota" not in running.http.get("/llms-full.txt").text
        assert running.http.get("/pages/docs/staff.md").status_code == 404
        assert running.http.get("/llms.txt").headers["cache-control"] == "private, no-cache"
        mine = running.http.get("/llms.txt", params={"reader_view": "audience=staff"}).text
        assert "(pages/docs/staff.md?reader_view=audience%3Dstaff)" in mine
