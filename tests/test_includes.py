"""What a page's directives bring in: the right lines of the right file, from inside the root only."""

from __future__ import annotations

import pytest

from nescio.domain.documents import Document, Include, Page
from nescio.ingest.includes import MAX_DEPTH, MAX_INCLUDES, resolve_includes
from nescio.ingest.parsers.included_lines import selected_spans
from nescio.ingest.parsers.markdown import parse_markdown

NUMBERS = "one\ntwo\nthree\n\nfive\nsix\nseven\n"


def resolved(
    text: str, files: dict[str, str], path: str = "docs/guide/page.md", source_root: str = "docs"
) -> tuple[Page, tuple[str, ...]]:
    def read(name: str) -> Document | None:
        return Document.from_bytes("docs", name, files[name].encode()) if name in files else None

    page = parse_markdown(Document.from_bytes("docs", path, text.encode()))
    return resolve_includes(page, read, path, parse=parse_markdown, source_root=source_root)


def brought_in(page: Page) -> list[tuple[str, str]]:
    """Path and slice of each block that comes from another file."""
    return [(block.document.path, block.span.of(block.document.text)) for block in page.blocks if block.document]


def codes(page: Page) -> list[str]:
    return [notice.code for notice in page.notices]


def chosen(text: str, include: Include) -> list[str]:
    return [span.of(text) for span in selected_spans(text, include)]


def test_a_page_without_directives_is_left_as_it_is() -> None:
    page, looked_at = resolved("# A\n\nText.\n", {})
    assert (len(page.blocks), looked_at) == (2, ())


def test_fastapi_starts_from_the_nearest_folder_in_which_the_target_exists() -> None:
    files = {"docs_src/a.py": NUMBERS, "docs/docs_src/b.py": "b\n"}
    page, looked_at = resolved("{* ../../docs_src/a.py ln[1:2,5] hl[1] *}\n", files, "docs/en/docs/guide/page.md")
    assert brought_in(page) == [("docs_src/a.py", "one\ntwo"), ("docs_src/a.py", "five")]
    assert looked_at == ("docs/docs_src/a.py", "docs/en/docs_src/a.py", "docs_src/a.py")
    assert codes(page) == []


def test_mdbook_starts_from_the_folder_of_the_page() -> None:
    files = {"docs/listings/a.rs": "// ANCHOR: here\nfn a() {}\n// ANCHOR: inner\nlet b;\n// ANCHOR_END: here\nfn c() {}\n"}
    page, _ = resolved("```rust\n{{#rustdoc_include ../listings/a.rs:here}}\n```\n", files)
    assert brought_in(page) == [("docs/listings/a.rs", "fn a() {}"), ("docs/listings/a.rs", "let b;")]


def test_snippets_start_from_the_root_and_then_from_the_folders_towards_the_page() -> None:
    files = {"part.txt": "root\n", "docs/part.txt": "docs\n", "docs/only.py": "only\n"}
    page, _ = resolved('```\n--8<-- "part.txt"\n--8<-- "only.py"\n```\n', files)
    assert brought_in(page) == [("part.txt", "root"), ("docs/only.py", "only")]


def test_sphinx_starts_from_the_page_or_from_the_source_when_the_target_is_absolute() -> None:
    files = {"docs/guide/a.py": "near\n", "docs/a.py": "top\n"}
    page, _ = resolved("```{literalinclude} a.py\n```\n\n```{literalinclude} /a.py\n```\n", files)
    assert brought_in(page) == [("docs/guide/a.py", "near"), ("docs/a.py", "top")]


def test_an_included_block_stands_after_its_directive() -> None:
    page, _ = resolved("Before.\n\n{* a.py *}\n\nAfter.\n", {"docs/guide/a.py": "x = 1\n"})
    kinds = [(block.kind.value, block.include is not None, block.document is not None) for block in page.blocks]
    assert kinds == [
        ("paragraph", False, False),
        ("code", True, False),
        ("code", False, True),
        ("paragraph", False, False),
    ]


def test_markdown_is_read_as_markdown_and_its_own_includes_are_followed() -> None:
    files = {
        "docs/guide/part.md": "## Part\n\n{{#include deep/more.md}}\n",
        "docs/guide/deep/more.md": "---\ntitle: x\n---\nMore.\n",
    }
    page, looked_at = resolved("{{#include part.md}}\n", files)
    assert brought_in(page) == [
        ("docs/guide/part.md", "## Part"),
        ("docs/guide/part.md", "{{#include deep/more.md}}"),
        ("docs/guide/deep/more.md", "More."),
    ]
    assert looked_at == ("docs/guide/deep/more.md", "docs/guide/part.md")


def test_markdown_in_a_fence_is_shown_as_lines() -> None:
    page, _ = resolved("```md\n{{#include part.md}}\n```\n", {"docs/guide/part.md": "# A\n\nb\n"})
    assert brought_in(page) == [("docs/guide/part.md", "# A\n\nb")]


@pytest.mark.parametrize(
    "target",
    [
        "../../../secret.py",
        "/etc/passwd",
        "..\\..\\..\\secret.py",
        "C:/secret.py",
        "https://example.org/a.py",
        "a/../../../../b.py",
    ],
)
def test_a_target_outside_the_root_is_refused(target: str) -> None:
    page, looked_at = resolved(f'--8<-- "{target}"\n', {"secret.py": "no\n", "etc/passwd": "no\n"})
    assert (brought_in(page), looked_at, codes(page)) == ([], (), ["include-outside-root"])


def test_a_missing_file_is_named_with_the_line_and_looked_for_again() -> None:
    page, looked_at = resolved("# A\n\n```\n{{#include gone.py}}\n```\n", {})
    assert [(notice.code, notice.line, notice.path) for notice in page.notices] == [
        ("include-missing", 3, "docs/guide/page.md")
    ]
    assert "gone.py" in page.notices[0].message
    assert looked_at == ("docs/guide/gone.py",)


def test_a_circle_is_survived() -> None:
    files = {"docs/guide/a.md": "A.\n\n{{#include b.md}}\n", "docs/guide/b.md": "B.\n\n{{#include a.md}}\n"}
    page, _ = resolved("{{#include a.md}}\n", files)
    assert [text for _, text in brought_in(page)] == ["A.", "{{#include b.md}}", "B.", "{{#include a.md}}"]
    assert codes(page) == ["include-circle"]


def test_depth_and_number_are_limited() -> None:
    deep = {f"docs/guide/{n}.md": f"Level {n}.\n\n{{{{#include {n + 1}.md}}}}\n" for n in range(MAX_DEPTH + 3)}
    page, _ = resolved("{{#include 0.md}}\n", deep)
    assert codes(page) == ["include-limit"]
    assert sum(text.startswith("Level") for _, text in brought_in(page)) == MAX_DEPTH
    many = "".join("{{#include a.txt}}\n\n" for _ in range(MAX_INCLUDES + 5))
    page, _ = resolved(many, {"docs/guide/a.txt": "a\n"})
    assert (len(brought_in(page)), codes(page)) == (MAX_INCLUDES, ["include-limit"])


def test_a_region_that_is_not_there_is_said() -> None:
    page, _ = resolved('--8<-- "a.py:nowhere"\n', {"a.py": "x\n"})
    assert (brought_in(page), codes(page)) == ([], ["include-empty"])


def test_lines_are_counted_as_everywhere() -> None:
    text = "\ufeffone\r\ntwo\u2028still two\rthree\n"
    assert chosen(text, Include("mdbook", "a", ((2, 2),))) == ["two\u2028still two"]
    assert chosen(text, Include("mdbook", "a", ((1, 1),))) == ["one"]
    assert chosen(text, Include("mdbook", "a")) == ["one\r\ntwo\u2028still two\rthree"]


def test_ranges_may_overlap_and_may_go_beyond_the_file() -> None:
    assert chosen(NUMBERS, Include("fastapi", "a", ((2, 3), (3, 3), (6, 99)))) == ["two\nthree", "six\nseven"]
    assert chosen(NUMBERS, Include("fastapi", "a", ((90, 99),))) == []


def test_marks_of_snippets_are_left_out() -> None:
    text = "a\n# --8<-- [start:part]\nb\n# --8<-- [start:inner]\nc\n# --8<-- [end:part]\nd\n"
    assert chosen(text, Include("snippets", "a", anchor="part")) == ["b", "c"]
    assert chosen(text, Include("snippets", "a")) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        ("start-after: two", ["three\n\nfive\nsix\nseven"]),
        ("start-at: two\nend-before: five", ["two\nthree"]),
        ("end-at: two", ["one\ntwo"]),
        ("two", ["three\n\nfive\nsix\nseven"]),
        ("start-after: nowhere", []),
    ],
)
def test_sphinx_finds_a_region_by_its_text(anchor: str, expected: list[str]) -> None:
    assert chosen(NUMBERS, Include("sphinx", "a", anchor=anchor)) == expected


def test_sphinx_finds_a_python_object() -> None:
    text = "import a\n\nclass A:\n    x = 1\n\n    @a.b\n    def run(self):\n        pass\n\ndef run(): ...\n"
    assert chosen(text, Include("sphinx", "a", anchor="pyobject: A.run")) == ["    @a.b\n    def run(self):\n        pass"]
    assert chosen(text, Include("sphinx", "a", anchor="pyobject: B")) == []
    assert chosen("def (:\n", Include("sphinx", "a", anchor="pyobject: B")) == []


def test_groups_are_cut_to_what_is_brought_in() -> None:
    text = '!!! note "A"\n    One.\n\n    - two\n    - three\n\n    Four.\n'
    page, _ = resolved('--8<-- "part.md:4:7"\n', {"part.md": text})
    inside = [block for block in page.blocks if block.document]
    assert brought_in(page) == [("part.md", "    - two"), ("part.md", "    - three"), ("part.md", "    Four.")]
    assert [[group.span.of(text) for group in block.groups] for block in inside] == [
        ["    - two\n    - three", "    - two"],
        ["    - two\n    - three", "    - three"],
        [],
    ]
