"""URLs are those of the built site: the page that is there, the id that its heading has, and no id rather than a wrong one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.answer.links import page_url
from nescio.domain.reports import BuildReport
from nescio.errors import ConfigFault, Fault, IndexFault, IngestFault, NotFoundFault
from nescio.index.site_map import SITE_MAP, SiteMap, SitePlace
from nescio.ingest.built_site import BuiltSite, SourcePage
from nescio.ingest.site_anchors import anchors_on_site, site_headings
from nescio.ingest.site_paths import site_path
from support.projects import Project, command, fault_code

MKDOCS = """<!doctype html><html><head><title>{title} - My project</title></head><body>
<header class="md-header"><h3>My project</h3></header>
<nav class="md-nav"><h2 id="setup">Setup</h2></nav>
<main class="md-main"><article class="md-content__inner">{body}</article></main><footer><h2>Setup</h2></footer></body></html>"""
SPHINX = """<html><head><title>{title} &#8212; My project 1.0 documentation</title></head><body>
<div class="document"><div class="body" role="main">{body}</div></div>
<div class="sphinxsidebar" role="navigation"><h3>Table of Contents</h3></div></body></html>"""
DOCUSAURUS = """<!doctype html><html><head><title data-rh="true">{title} | My project</title></head><body>
<div id="__docusaurus"><nav class="navbar"><b>My project</b></nav><main><article>
<div class="theme-doc-markdown markdown">{body}</div></article></main></div>
<script>var page = "<h2 id='setup'>Setup</h2>"</script></body></html>"""


def mkdocs_heading(level: int, words: str, found: str) -> str:
    return f'<h{level} id="{found}">{words}<a class="headerlink" href="#{found}" title="Permanent link">&para;</a></h{level}>'


def sphinx_section(words: str, found: str, *labels: str) -> str:
    marks = "".join(f'<span id="{label}"></span>' for label in labels)
    link = f'<a class="headerlink" href="#{found}" title="Link to this heading">¶</a>'
    number = '<span class="section-number">1.2. </span>'
    return f'<section id="{found}">\n{marks}<h2>{number}{words}{link}</h2>\n<p>Text.</p></section>\n'


def docusaurus_heading(words: str, found: str) -> str:
    link = f'<a href="#{found}" class="hash-link" aria-label="Direct link to {words}">\u200b</a>'
    return f'<h2 class="anchor anchorWithStickyNavbar_x" id="{found}">{words}{link}</h2>'


def anchors(html: str, *ours: tuple[str, str]) -> list[str]:
    """The id of each of our headings that has a fragment, in order."""
    found = anchors_on_site(html, ours)
    return [found[anchor] for _, anchor in ours if anchor]


# --- Ids of headings -------------------------------------------------------------------------------------------------


def test_ids_of_mkdocs() -> None:
    headings = [
        (1, "Guide", "guide"),
        (2, "Setup", "my-setup"),
        (2, "Caf&eacute; <code>run()</code>", "caf-run"),
        (2, "Setup", "setup_1"),
    ]
    html = MKDOCS.format(title="Guide", body="".join(mkdocs_heading(*heading) for heading in headings))
    ours = [("Guide", "guide"), ("Setup", "setup"), ("Café run()", "cafe-run"), ("Setup", "setup_1")]
    assert anchors(html, *ours) == ["guide", "my-setup", "caf-run", "setup_1"]


def test_ids_of_sphinx() -> None:
    body = (
        sphinx_section("Setup", "setup")
        + sphinx_section("Don’t “quote” – it", "don-t-quote-it")
        + sphinx_section("Setup", "id7")
    )
    html = SPHINX.format(title="Guide", body=body + sphinx_section("Labelled", "labelled", "my-label", "other"))
    ours = [("Setup", "setup"), ('Don\'t "quote" -- it', "x"), ("Setup", "id1"), ("Labelled", "my-label")]
    assert anchors(html, *ours) == ["setup", "don-t-quote-it", "id7", "my-label"]


def test_a_label_of_sphinx_stays_and_a_mark_inside_a_heading_is_not_its_id() -> None:
    inside = sphinx_section('About <span class="target" id="index-0"></span><code>THE_SETTING</code>', "about-the-setting")
    assert anchors(inside, ("About THE_SETTING", "by-rule")) == ["about-the-setting"]


def test_ids_of_objects_that_sphinx_describes() -> None:
    body = (
        '<dl class="py class"><dt class="sig sig-object py" id="app.models.User">'
        '<em class="property">class </em><span>User</span><a class="headerlink" href="#app.models.User">¶</a></dt>'
        '<dd><dl class="py method"><dt class="sig" id="app.models.User.save"><span>save</span>(now)</dt>'
        "<dd>Saves.</dd></dl></dd></dl>"
    )
    html = SPHINX.format(title="Models", body=body)
    assert anchors(html, ("User", "app.models.User"), ("User.save(now=True)", "app.User.models.User.save")) == [
        "app.models.User",
        "app.models.User.save",
    ]


def test_ids_of_docusaurus() -> None:
    body = (
        "<header><h1>Guide</h1></header>" + docusaurus_heading("Setup", "custom") + docusaurus_heading("🚀 Launch", "-launch")
    )
    html = DOCUSAURUS.format(title="Guide", body=body)
    ours = [("Guide", "guide"), ("Setup", "setup"), (":rocket: Launch", "rocket-launch")]
    assert anchors(html, *ours) == ["", "custom", "-launch"]


def test_ids_in_marks_before_a_heading_and_in_old_names() -> None:
    assert anchors('<p>Text.</p><a name="old"></a>\n<h2>Setup</h2>', ("Setup", "setup")) == ["old"]
    assert anchors("<h2><a name='inner'>Setup</a></h2>", ("Setup", "setup")) == ["inner"]
    assert anchors('<div id="around"><p>Text.</p></div><h2>Setup</h2>', ("Setup", "setup")) == [""]
    assert anchors('<div id="around">Text.<h2>Setup</h2></div>', ("Setup", "setup")) == [""]


def test_a_heading_that_is_not_there_has_no_id() -> None:
    assert anchors(mkdocs_heading(2, "Usage", "usage"), ("Setup", "setup")) == [""]


def test_a_heading_whose_words_differ_keeps_an_id_that_is_there_and_not_another_s() -> None:
    html = mkdocs_heading(2, "Setup of version 2", "setup") + mkdocs_heading(2, "Usage", "usage")
    assert anchors(html, ("Setup of {{ version }}", "setup")) == ["setup"]
    assert anchors(html, ("Usage", "x"), ("Usage of {{ it }}", "usage")) == ["usage", ""]


def test_an_id_that_only_stands_in_a_text_is_none() -> None:
    assert anchors('<main><p>Write <code>&lt;a id="setup"&gt; or  id="setup" there</code></p></main>', ("Setup", "setup")) == [
        ""
    ]


def test_headings_of_one_name_are_told_apart_by_what_stands_around_them() -> None:
    names = ["A", "Example", "B", "Example", "C", "Example"]
    html = "".join(mkdocs_heading(2, name, f"x{number}") for number, name in enumerate(names))
    ours = [("A", ""), ("B", ""), ("Example", "example"), ("C", "c"), ("Example", "example_1")]
    assert anchors(html, *ours) == ["x3", "x4", "x5"]


def test_headings_of_one_name_that_cannot_be_told_apart_have_an_id_only_where_it_is_ours() -> None:
    html = "".join(mkdocs_heading(2, "Example", found) for found in ("example", "example_1", "example_2"))
    assert anchors(html, ("Example", "example_1")) == ["example_1"]
    assert anchors(html, ("Example", "other")) == [""]


def test_what_is_no_heading_to_a_reader_is_none() -> None:
    hidden = '<!-- <h2 id="c">C</h2> --><script>"<h2 id=s>S</h2>"</script><template><h2 id="t">T</h2></template>'
    html = MKDOCS.format(title="Guide", body=f'{hidden}<h2 id="real">R</h2>')
    assert [heading.ids for heading in site_headings(html)] == [("real",)]


@given(st.text(alphabet="<>h12/ id='\"a-!sectionr\n", max_size=300), st.lists(st.sampled_from(["a", "h", "i1"]), max_size=4))
def test_any_html_gives_ids_that_stand_in_it_or_none(html: str, ours: list[str]) -> None:
    found = anchors_on_site(html, [(title, f"{title}-{number}") for number, title in enumerate(ours)])
    assert len(found) == len(ours)
    assert all(one in html for one in found.values())


@pytest.mark.parametrize(
    "html",
    [
        "<h2>" * 40_000,
        "<h2>" * 40_000 + "</h2>",
        "<h2 id='a'>A</h2>" * 20_000,
        "<script>" * 40_000,
        "<!--" * 50_000,
        "<div " * 40_000,
        "<section id=a>" * 20_000 + "<h2>A</h2>",
        "<span></span>" * 20_000 + "<h2>A</h2>",
        "<" * 200_000,
    ],
)
def test_hostile_html_takes_time_in_proportion(html: str) -> None:
    anchors_on_site(html, [("A", f"a-{number}") for number in range(100)])


def test_many_headings_are_brought_together_quickly() -> None:
    names = [f"Name {number % 5_000}" for number in range(20_000)]
    html = "".join(f'<h2 id="x{number}">{name}</h2>' for number, name in enumerate(names))
    found = anchors_on_site(html, [(name, f"a{number}") for number, name in enumerate(names)])
    assert all(found[f"a{number}"] == f"x{number}" for number in range(20_000))


# --- Files of pages --------------------------------------------------------------------------------------------------


def site(folder: Path, *files: str, **titled: str) -> BuiltSite:
    """A site of these files; those in `titled` (`a__b` is a/b.html) have a title."""
    pages = dict.fromkeys(files, "") | {f"{name.replace('__', '/')}.html": title for name, title in titled.items()}
    for file, title in pages.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f"<title>{title}</title>" if title else "<p>Text.</p>")
    return BuiltSite(folder, 1_000, 1_000_000)


def pages_of(slug: str, *paths: str, **more: str) -> list[SourcePage]:
    return [SourcePage(path, site_path(path, slug, {}), lambda: more.get("title", ""), more.get("named", "")) for path in paths]


@pytest.mark.parametrize(
    ("slug", "path", "file", "address"),
    [
        ("python-markdown", "guide/a.md", "guide/a/index.html", "guide/a/"),
        ("python-markdown", "guide/a.md", "guide/a.html", "guide/a.html"),
        ("python-markdown", "index.md", "index.html", ""),
        ("sphinx", "guide/a.rst", "guide/a.html", "guide/a.html"),
        ("sphinx", "guide/a.rst", "guide/a/index.html", "guide/a/"),
        ("sphinx", "guide/index.rst", "guide/index.html", "guide/index.html"),
        ("docusaurus", "01-guide/02-a.md", "guide/a/index.html", "guide/a"),
        ("docusaurus", "01-guide/02-a.md", "guide/a.html", "guide/a"),
        ("docusaurus", "01-guide/02-a.md", "01-guide/02-a/index.html", "01-guide/02-a/"),
        ("github", "01-guide/02-a.md", "guide/a/index.html", "guide/a/"),
        ("github", "Guide/My Page.md", "guide/my-page/index.html", "guide/my-page/"),
        ("github", "guide/_index.md", "guide/index.html", "guide/"),
        ("github", "Guide/README.md", "guide/index.html", "guide/"),
        ("github", "guide/a.html", "guide/a.html", "guide/a.html"),
    ],
)
def test_a_page_is_found_by_its_path(tmp_path: Path, slug: str, path: str, file: str, address: str) -> None:
    found = site(tmp_path, file, "404.html").found(pages_of(slug, path))[path]
    assert (found.file, found.path) == (file, address)


@pytest.mark.parametrize(
    ("named", "file"), [("/begin/", "begin/index.html"), ("begin", "guide/begin.html"), ("/x/begin.html", "x/begin.html")]
)
def test_a_page_is_found_as_its_front_matter_calls_it(tmp_path: Path, named: str, file: str) -> None:
    assert site(tmp_path, file).found(pages_of("github", "guide/a.md", named=named))["guide/a.md"].file == file


def test_a_page_is_found_by_a_title_that_only_one_page_has(tmp_path: Path) -> None:
    built = site(tmp_path, x__one="Getting started | My project", x__two="Overview", y__two="Overview")
    assert built.found(pages_of("sphinx", "a.rst", title="Getting Started"))["a.rst"].path == "x/one.html"
    assert built.found(pages_of("sphinx", "a.rst", title="Overview")) == {}
    assert built.found(pages_of("sphinx", "a.rst", "b.rst", title="Getting started")) == {}


def test_no_file_is_the_page_of_two(tmp_path: Path) -> None:
    found = site(tmp_path, "guide/index.html").found(pages_of("python-markdown", "guide/README.md", "guide/index.md"))
    assert list(found) == ["guide/index.md"]


def test_links_and_hidden_folders_of_a_site_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.html").write_text("<p>Text.</p>")
    built_folder = tmp_path / "site"
    site(built_folder, "a.html", ".git/b.html")
    (built_folder / "c.html").symlink_to(tmp_path / "outside.html")
    built = BuiltSite(built_folder, 10, 1_000)
    assert set(built.found(pages_of("sphinx", "a.rst", "b.rst", ".git/b.rst"))) == {"a.rst"}
    assert (built.text("c.html"), built.text("missing.html")) == ("", "")


def test_a_site_that_is_not_there_or_too_large_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(NotFoundFault) as caught:
        BuiltSite(tmp_path / "site", 10, 1_000)
    assert caught.value.code == "site-not-found"
    site(tmp_path, "a.html", "b.html")
    with pytest.raises(IngestFault) as stopped:
        BuiltSite(tmp_path, 1, 1_000)
    assert stopped.value.code == "too-many-files"


# --- In an index -----------------------------------------------------------------------------------------------------

PAGES = {
    "guide.md": "# Guide\n\nAn apple.\n\n## Setup\n\nA banana.\n\n## Usage\n\nA cherry.\n",
    "lost.md": "# Lost\n\nA date.\n",
}
SETTINGS = '[[source]]\npath = "docs"\nslug = "python-markdown"\nsite_url = "https://x.example/"\n'


def put(project: Project, ids: Mapping[str, str], file: str = "guide/index.html") -> None:
    body = "".join(mkdocs_heading(2, words, found) for words, found in ids.items())
    path = project.root / "site" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MKDOCS.format(title="Guide", body=body))


def built(project: Project, settings: str = SETTINGS + 'site = "site"\n') -> BuildReport:
    (project.root / "nescio.toml").write_text(settings)
    return project.build()


def urls(project: Project, folder: Path | None = None) -> list[str]:
    with closing(project.stored(folder)) as index:
        keys = index.keys()
        return [page_url(index.passage(key)).removeprefix("https://x.example/") for key in keys]


@pytest.fixture
def published(project: Project) -> Project:
    project.write_all(PAGES)
    put(project, {"Guide": "guide", "Setup": "my-setup"})
    return project


def test_an_index_has_the_pages_and_ids_of_the_site(published: Project) -> None:
    report = built(published)
    assert urls(published) == ["guide/#guide", "guide/#my-setup", "guide/", "lost/#lost"]
    (notice,) = report.notices
    assert (notice.code, notice.path, notice.message) == (
        "not-on-site",
        "docs",
        "1 page was not found on the built site: lost.md.",
    )


def test_without_a_site_urls_are_by_rule(published: Project) -> None:
    built(published, SETTINGS)
    assert urls(published) == ["guide/#guide", "guide/#setup", "guide/#usage", "lost/#lost"]


def test_another_site_makes_another_generation_though_no_document_changed(published: Project) -> None:
    first = built(published)
    put(published, {"Guide": "guide", "Setup": "new-setup", "Usage": "usage"})
    second = built(published)
    assert (second.unchanged, second.changed, second.index_id) == (2, 0, first.index_id)
    assert second.generation != first.generation
    assert urls(published) == ["guide/#guide", "guide/#new-setup", "guide/#usage", "lost/#lost"]
    built(published, SETTINGS)
    assert urls(published)[1] == "guide/#setup"


def test_the_same_site_makes_no_other_generation(published: Project) -> None:
    built(published)
    published.settle()
    generation = built(published).generation
    again = built(published)
    assert again.generation == generation
    assert [notice.code for notice in again.notices] == ["not-on-site"]


def test_an_edited_page_is_looked_for_again(published: Project) -> None:
    built(published)
    published.write("guide.md", PAGES["guide.md"].replace("## Usage", "## Using it"))
    put(published, {"Guide": "guide", "Setup": "my-setup", "Using it": "using"})
    published.write("lost.md", "# Guide 2\n\nA date.\n")
    put(published, {"Guide 2": "two"}, "elsewhere/index.html")
    built(published)
    assert urls(published) == ["guide/#guide", "guide/#my-setup", "guide/#using", "lost/#guide-2"]


def test_what_a_build_by_increments_says_a_cold_build_says(published: Project, tmp_path: Path) -> None:
    built(published)
    published.write("more.md", "# More\n\nAn elderberry.\n")
    put(published, {"More": "m"}, "more.html")
    built(published)
    increments = urls(published)
    published.build(tmp_path / "cold")
    cold = urls(published, tmp_path / "cold")
    assert increments == cold
    assert "more.html#m" in cold


def test_many_pages_that_the_site_has_not_are_counted(project: Project) -> None:
    project.write_all({f"p{number}.md": f"# Page {number}\n\nText {number}.\n" for number in range(7)})
    put(project, {"Guide": "guide"})
    (notice,) = built(project).notices
    assert notice.message == "7 pages were not found on the built site: p0.md, p1.md, p2.md, p3.md, p4.md and 2 more."


def test_a_site_needs_a_folder_and_an_address(published: Project) -> None:
    with pytest.raises(NotFoundFault) as missing:
        built(published, SETTINGS + 'site = "nowhere"\n')
    with pytest.raises(ConfigFault) as nameless:
        built(published, '[[source]]\npath = "docs"\nsite = "site"\n')
    assert (missing.value.code, nameless.value.code) == ("site-not-found", "site-without-url")
    assert not (published.index / "CURRENT").exists()


def test_what_is_kept_of_a_site_is_checked(published: Project) -> None:
    built(published)
    (file,) = published.index.rglob(SITE_MAP)
    file.write_bytes(file.read_bytes().replace(b"my-setup", b"no-setup"))
    with pytest.raises(IndexFault) as caught:
        urls(published)
    assert caught.value.code == "index-damaged"


def test_a_site_map_reads_what_it_wrote() -> None:
    known = SiteMap(
        {7: SitePlace("a/index.html", "a/", {"x": "é", "y": ""}, (1, 2, 3, 4)), 3: SitePlace("b.html", "b.html", {})}
    )
    assert SiteMap.decode(known.encode()) == known
    assert SiteMap().encode() == b""
    assert SiteMap.decode(b"") == SiteMap()
    for data in (b"{", b"[[1]]", b'{"a": 1}', b"[" * 100_000):
        with pytest.raises(Fault):
            SiteMap.decode(data)


# --- The command -----------------------------------------------------------------------------------------------------


def test_the_command_takes_a_site_and_a_commit(published: Project) -> None:
    (published.root / "nescio.toml").write_text(SETTINGS + 'edit_uri = "https://github.com/o/r/edit/main/docs/"\n')
    done = command(published.root, "build", "--site", "site", "--commit", "0123abcd", "--json")
    assert done.returncode == 0, done.stderr
    assert [notice["code"] for notice in json.loads(done.stdout)["notices"]] == ["not-on-site"]
    shown = command(published.root, "search", "banana", "--json")
    hit = json.loads(shown.stdout)["hits"][0]
    assert hit["url"] == "https://x.example/guide/#my-setup"
    assert hit["permalink"] == "https://github.com/o/r/blob/0123abcd/docs/guide.md?plain=1#L7"


@pytest.mark.parametrize(
    ("settings", "options", "code"),
    [
        (SETTINGS, ["--site", "nowhere"], "site-not-found"),
        (SETTINGS + '[[source]]\npath = "other"\n', ["--site", "site"], "site-ambiguous"),
        (SETTINGS, ["--commit", "main"], "commit-syntax"),
        (SETTINGS, ["--commit", "0123abcd"], "commit-without-edit-uri"),
    ],
)
def test_a_site_or_commit_that_cannot_be_used_is_told(published: Project, settings: str, options: list[str], code: str) -> None:
    (published.root / "other").mkdir()
    (published.root / "nescio.toml").write_text(settings)
    done = command(published.root, "build", *options, "--json")
    assert (done.returncode, fault_code(done)) == (2, code)
