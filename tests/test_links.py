"""A quote links to its page, to its words on that page, and to its lines in the repository."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.answer.links import LONGEST_EXACT, page_url, permalink, text_url
from nescio.domain.candidates import Key
from nescio.domain.documents import Basis, BlockKind, Passage
from nescio.domain.spans import Place, Span
from nescio.ingest.site_paths import site_path
from nescio.protocols import PassageAt
from support.projects import Project

SITE = "https://docs.example.org"
TEXT = st.text(alphabet=st.characters(), max_size=200)  # surrogates too


def at(path: str = "guide/a.md", anchor: str = "", site_url: str | None = SITE, slug: str = "github") -> PassageAt:
    passage = Passage("docs", path, path, "0" * 64, Span(0, 1), (), (), "Title", ("Title",), anchor, Basis.VERBATIM)
    return PassageAt(Key(0, 0), passage, 1, None, site_url, None, slug, site_path(path, slug, {}))


# --- The page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "anchor", "expected"),
    [
        ("a.md", "", "a.md"),
        ("guide/a.md", "next-1", "guide/a.md#next-1"),
        ("my guide/é.md", "", "my%20guide/%C3%A9.md"),
        ("a.md", "数据库", "a.md#%E6%95%B0%E6%8D%AE%E5%BA%93"),
        ("a?b#c.md", "x", "a%3Fb%23c.md#x"),
    ],
)
def test_without_a_site_the_link_is_relative_to_the_folder(path: str, anchor: str, expected: str) -> None:
    assert page_url(at(path, anchor, None)) == expected


@pytest.mark.parametrize("site", ["https://docs.example.org/v1", "https://docs.example.org/v1/"])
@pytest.mark.parametrize(
    ("slug", "path", "expected"),
    [
        ("github", "guide/a.md", "guide/a.md"),
        ("python-markdown", "guide/a.md", "guide/a/"),
        ("python-markdown", "guide/A b.markdown", "guide/A%20b/"),
        ("python-markdown", "guide/index.md", "guide/"),
        ("python-markdown", "guide/README.md", "guide/"),
        ("python-markdown", "index.md", ""),
        ("python-markdown", "README.md", ""),
        ("python-markdown", "guide/readme.md", "guide/readme/"),
        ("python-markdown", "guide/v1.2.md", "guide/v1.2/"),
        ("python-markdown", "my guide/a.md", "my%20guide/a/"),
        ("python-markdown", "guide/a.html", "guide/a.html"),
        ("python-markdown", "guide/a.txt", "guide/a.txt"),
        ("sphinx", "guide/a.rst", "guide/a.html"),
        ("sphinx", "guide/index.rst", "guide/index.html"),
        ("sphinx", "README.md", "README.html"),
        ("sphinx", "guide/a.html", "guide/a.html"),
        ("docusaurus", "intro.md", "intro"),
        ("docusaurus", "index.md", ""),
        ("docusaurus", "guide/README.mdx", "guide/"),
        ("docusaurus", "guide/Guide.md", "guide/"),
        ("docusaurus", "01-guide/02 - start.mdx", "guide/start"),
        ("docusaurus", "01-guide/7.0-new.md", "guide/7.0-new"),
        ("docusaurus", "2021-11-news.md", "2021-11-news"),
        ("docusaurus", "1_a/2.b/index.md", "a/b/"),
    ],
)
def test_with_a_site_the_link_is_where_its_generator_puts_the_page(site: str, slug: str, path: str, expected: str) -> None:
    assert page_url(at(path, "next", site, slug)) == f"https://docs.example.org/v1/{expected}#next"


@pytest.mark.parametrize(
    ("path", "front_matter", "expected"),
    [
        ("guide/a.md", {"slug": "/start"}, "start"),
        ("guide/a.md", {"slug": "/start/"}, "start/"),
        ("guide/a.md", {"slug": "/"}, ""),
        ("guide/a.md", {"slug": "begin"}, "guide/begin"),
        ("guide/a.md", {"slug": "../begin"}, "begin"),
        ("guide/a.md", {"slug": "../../../begin"}, "begin"),
        ("guide/a.md", {"slug": 42}, "guide/42"),
        ("guide/01-a.md", {"id": "first"}, "guide/first"),
        ("guide/a.md", {"id": "first", "slug": "second"}, "guide/second"),
        ("guide/index.md", {"slug": "other"}, "guide/other"),
        ("guide/index.md", {"id": "other"}, "guide/"),
        ("guide/a.md", {"slug": ["x"]}, "guide/a"),
    ],
)
def test_docusaurus_pages_are_called_as_their_front_matter_says(
    path: str, front_matter: dict[str, object], expected: str
) -> None:
    assert site_path(path, "docusaurus", front_matter) == expected


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30).filter(
        lambda path: not path.startswith("/") and "//" not in path
    ),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(["github", "python-markdown", "sphinx", "docusaurus"]),
)
def test_a_link_stays_on_its_site_whatever_the_file_is_called(path: str, anchor: str, slug: str) -> None:
    relative, absolute = page_url(at(path, anchor, None, slug)), page_url(at(path, anchor, SITE, slug))
    assert urlsplit(relative)[:2] == ("", "")
    assert urlsplit(absolute)[:2] == ("https", "docs.example.org")
    assert unquote(urlsplit(absolute).fragment) == anchor
    assert re.fullmatch(r"[!-~]*", relative + absolute)
    assert not set("<>\"'") & set(relative + absolute) - {"'"}


@pytest.mark.parametrize("path", ["javascript:alert(1).md", "data:text/html,x.md", "https://evil.example/x.md"])
def test_a_file_s_name_never_makes_a_link_elsewhere(path: str) -> None:
    found = page_url(at(path, site_url=None))
    assert urlsplit(found).scheme == ""
    assert not found.startswith("/")


def test_the_id_of_the_built_site_goes_before_the_fragment_by_rule() -> None:
    assert page_url(replace(at(anchor="rule"), site_anchor="real")).endswith("guide/a.md#real")
    assert page_url(replace(at(anchor="rule"), site_anchor="")).endswith("guide/a.md")
    assert page_url(replace(at(anchor="rule", site_url=None), site_anchor="real")) == "guide/a.md#rule"


def test_a_fragment_gives_no_directive_to_the_browser() -> None:
    assert ":~:" not in page_url(at(anchor="x:~:text=elsewhere"))


def test_a_site_s_address_is_written_in_ascii() -> None:
    assert page_url(at(site_url="https://docs.example.org/é/")) == "https://docs.example.org/%C3%A9/guide/a.md"


# --- The words on the page -------------------------------------------------------------------------------------------


def paragraph(text: str, anchor: str = "next") -> str | None:
    return text_url(at(anchor=anchor), [(BlockKind.PARAGRAPH, text)])


def words(url: str | None) -> list[str]:
    """The texts of a text fragment, decoded as a browser does."""
    assert url is not None
    page, mark, directive = url.partition(":~:text=")
    assert mark
    assert "#" in page
    return [unquote(part) for part in directive.split(",")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cache is cleared at midnight.", ["The cache is cleared at midnight"]),
        ("The cache\nis cleared  at midnight", ["The cache is cleared at midnight"]),
        ("Set the well-known name, a & b", ["Set the well-known name, a"]),
        ("**Note** that one thing is **never** done", ["that one thing is"]),
        (
            "Call `run()` and wait for the end of it, then `stop()` all of the other ones",
            ["and wait for the end of it, then", "all of the other ones"],
        ),
        ("See [the guide](https://x.example/a b c d e) for more about it", ["for more about it"]),
        ("A <!-- never shown to anyone --> shown text is here", ["shown text is here"]),
        ('An <a title="words that are hidden">open door</a> for you', ["for you"]),
        ("Don't take what isn't yours at any time", ["yours at any time"]),
        ("Wait -- then go on with it...", ["then go on with"]),
        ("读取 配置文件。它在启动时被读取一次", ["读取 配置文件。它在启动时被读取一次"]),
        ("हिन्दी में लिखा हुआ", ["हिन्दी में लिखा हुआ"]),
        (":rocket: Launch it now please", ["Launch it now please"]),
        ("Use _emphasis_ and response_model in one go", ["and response_model in one go"]),
    ],
)
def test_words_are_taken_as_the_page_shows_them(text: str, expected: list[str]) -> None:
    assert words(paragraph(text)) == expected


def test_a_long_text_is_told_by_its_first_and_last_words() -> None:
    text = " ".join(f"word{number}" for number in range(100)) + "."
    start, end = words(paragraph(text))
    assert start == "word0 word1 word2 word3 word4 word5"
    assert end == "word94 word95 word96 word97 word98 word99"
    assert len(text) > LONGEST_EXACT


def test_the_first_text_with_enough_plain_words_is_taken() -> None:
    blocks = [
        (BlockKind.CODE, "pip install the-thing-that-you-need"),
        (BlockKind.PARAGRAPH, "`a` or `b` if you like"),
        (BlockKind.LIST_ITEM, "1. Open the file before all else"),
        (BlockKind.PARAGRAPH, "Then close the file again at once"),
    ]
    assert words(text_url(at(), blocks)) == ["Open the file before all else"]


def test_without_a_text_a_line_of_code_or_a_cell_is_named() -> None:
    assert words(text_url(at(), [(BlockKind.CODE, "x = 1\npip install thing\n")])) == ["pip install thing"]
    table = "| Name | Meaning of the name |\n|---|---|\n| a | b |"
    assert words(text_url(at(), [(BlockKind.TABLE, table)])) == ["Meaning of the name"]


def test_there_is_no_text_fragment_without_a_site_or_a_word() -> None:
    assert text_url(at(site_url=None), [(BlockKind.PARAGRAPH, "Enough plain words")]) is None
    assert paragraph("*** `` --- ==") is None
    assert text_url(at(), []) is None


def test_the_heading_s_anchor_stands_before_the_words() -> None:
    assert paragraph("Plain words, here") == f"{SITE}/guide/a.md#next:~:text=Plain%20words%2C%20here"
    assert paragraph("Plain words - here and there", "") == f"{SITE}/guide/a.md#:~:text=here%20and%20there"
    assert paragraph("A read-only file & more") == f"{SITE}/guide/a.md#next:~:text=A%20read%2Donly%20file"


@given(st.lists(st.tuples(st.sampled_from(list(BlockKind)), TEXT), max_size=4))
def test_any_text_makes_a_fragment_of_its_own_words(blocks: list[tuple[BlockKind, str]]) -> None:
    url = text_url(at(anchor="next"), blocks)
    if url is None:
        return
    assert re.fullmatch(r"[!-~]+", url)
    assert urlsplit(url)[:3] == ("https", "docs.example.org", "/guide/a.md")
    assert urlsplit(url).fragment.startswith("next:~:text=")
    told = url.partition(":~:text=")[2]
    assert not set("-&#") & set(told)
    assert len(told.split(",")) in (1, 2)
    for part in words(url):
        assert any(part in " ".join(text.split()) for _, text in blocks)


@pytest.mark.parametrize("text", ["<!--" * 50_000, "](" * 50_000, "{" * 100_000, "<" * 100_000, "a " * 100_000, "。" * 100_000])
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    for kind in BlockKind:
        text_url(at(), [(kind, text)] * 5)


# --- The lines in the repository -------------------------------------------------------------------------------------


def places(first: int, last: int) -> list[Place]:
    return [Place(0, 1, first, first, 0, 1, 0, 1), Place(2, 3, last, last, 2, 3, 2, 3)]


def linked(edit_uri: str | None, commit: str | None = None, path: str = "guide/a.md", last: int = 7) -> str | None:
    return permalink(replace(at(path), edit_uri=edit_uri, commit=commit), places(3, last))


SHA = "0123abc"


@pytest.mark.parametrize(
    ("edit_uri", "commit", "expected"),
    [
        ("https://github.com/o/r/edit/main/docs/", None, "https://github.com/o/r/blob/main/docs/guide/a.md?plain=1#L3-L7"),
        ("https://github.com/o/r/edit/main/docs", SHA, f"https://github.com/o/r/blob/{SHA}/docs/guide/a.md?plain=1#L3-L7"),
        ("https://github.com/o/r/blob/main/", SHA, f"https://github.com/o/r/blob/{SHA}/guide/a.md?plain=1#L3-L7"),
        ("https://github.com/o/edit/tree/main/", None, "https://github.com/o/edit/blob/main/guide/a.md?plain=1#L3-L7"),
        (
            "https://gitlab.com/g/s/r/-/edit/main/docs/",
            None,
            "https://gitlab.com/g/s/r/-/blob/main/docs/guide/a.md?plain=1#L3-7",
        ),
        ("https://gitlab.com/g/r/edit/main/docs/", SHA, f"https://gitlab.com/g/r/blob/{SHA}/docs/guide/a.md?plain=1#L3-7"),
        (
            "https://codeberg.org/o/r/_edit/branch/main/docs/",
            None,
            "https://codeberg.org/o/r/src/branch/main/docs/guide/a.md?display=source#L3-L7",
        ),
        (
            "https://git.example.org/o/r/src/branch/main/docs/",
            SHA,
            f"https://git.example.org/o/r/src/commit/{SHA}/docs/guide/a.md?display=source#L3-L7",
        ),
        ("https://bitbucket.org/o/r/src/main/docs/", SHA, f"https://bitbucket.org/o/r/src/{SHA}/docs/guide/a.md#lines-3:7"),
        ("https://cgit.example.org/r/plain/docs/", SHA, "https://cgit.example.org/r/plain/docs/guide/a.md#L3-L7"),
        (
            "https://git.example.org/x/o/r/edit/main/docs/",
            None,
            "https://git.example.org/x/o/r/blob/main/docs/guide/a.md?plain=1#L3-L7",
        ),
        ("https://user:pass@github.com/o/r/edit/main/", None, "https://github.com/o/r/blob/main/guide/a.md?plain=1#L3-L7"),
        ("https://github.com/o/r/edit/a%2Fb/é/", None, "https://github.com/o/r/blob/a%2Fb/%C3%A9/guide/a.md?plain=1#L3-L7"),
    ],
)
def test_an_edit_address_becomes_a_view_of_the_lines(edit_uri: str, commit: str | None, expected: str) -> None:
    assert linked(edit_uri, commit) == expected


def test_one_line_is_told_as_one() -> None:
    assert str(linked("https://github.com/o/r/edit/main/", last=3)).endswith("#L3")
    assert str(linked("https://bitbucket.org/o/r/src/main/", last=3)).endswith("#lines-3")


def test_an_included_file_is_linked_itself_and_as_it_is_where_it_is_no_page() -> None:
    found = linked("https://github.com/o/r/edit/main/docs/", path="../src/my file.py")
    assert found == "https://github.com/o/r/blob/main/src/my%20file.py#L3-L7"


@pytest.mark.parametrize(
    "edit_uri",
    [None, "", "edit/main/docs/", "javascript:alert(1)//", "ftp://x.example/a/", "//github.com/o/r/", "http://[", "https:///a"],
)
def test_there_is_no_permalink_without_an_absolute_web_address(edit_uri: str | None) -> None:
    assert linked(edit_uri) is None


def test_a_file_outside_of_the_repository_has_no_permalink() -> None:
    assert linked("https://github.com/o/r/edit/main/docs/", path="../../other/a.md") is None
    assert linked("https://cgit.example.org/r/plain/docs/", path="../a.md") is None


@given(TEXT, st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30), st.sampled_from([None, SHA]))
def test_any_edit_address_makes_a_plain_link_or_none(edit_uri: str, path: str, commit: str | None) -> None:
    for address in (edit_uri, f"https://github.com/{edit_uri}", f"https://h.example/a/b/edit/main/{edit_uri}"):
        url = linked(address.encode("utf-8", "replace").decode(), commit, path)
        assert url is None or (urlsplit(url).scheme in ("http", "https") and re.fullmatch(r"[!-~]+", url))


# --- All together ----------------------------------------------------------------------------------------------------


def test_a_quote_carries_its_links(project: Project) -> None:
    project.write("guide/01-cache.md", "# Cache\n\n## Clearing {#clear}\n\nThe cache is cleared at midnight.\n")
    (project.root / "nescio.toml").write_text(
        '[[source]]\npath = "docs"\nslug = "docusaurus"\nsite_url = "https://x.example/docs/"\n'
        'edit_uri = "https://github.com/o/r/edit/main/docs/"\ncommit = "0123abcd"\n'
    )
    project.build()
    with project.engine() as engine:
        quote = engine.search("cache cleared midnight").hits[0].quote
    assert quote.url == "https://x.example/docs/guide/cache#clear"
    assert quote.text_url == f"{quote.url}:~:text=The%20cache%20is%20cleared%20at%20midnight"
    assert quote.permalink == "https://github.com/o/r/blob/0123abcd/docs/guide/01-cache.md?plain=1#L5"


def test_another_commit_makes_a_new_generation_and_reads_nothing_again(project: Project) -> None:
    project.write("a.md", "# Cache\n\nThe cache is cleared at midnight.\n")
    settings = '[[source]]\npath = "docs"\nedit_uri = "https://github.com/o/r/edit/main/docs/"\n'
    (project.root / "nescio.toml").write_text(settings)
    before = project.build()
    (project.root / "nescio.toml").write_text(settings + 'commit = "0123abcd"\n')
    after = project.build()
    assert (after.unchanged, after.added, after.changed) == (1, 0, 0)
    assert (after.index_id, after.generation != before.generation) == (before.index_id, True)
