"""Patterns name what git says that they name, and no pattern can keep us busy."""

from __future__ import annotations

import time
import unicodedata

import pytest

from nescio.ingest.globs import compiled

NAMED = [
    ("a.md", "a.md", False),
    ("a.md", "deep/er/a.md", False),
    ("/a.md", "a.md", False),
    ("*.md", "x/y.md", False),
    ("build/", "x/build", True),
    ("docs/*.md", "docs/a.md", False),
    ("docs/**/a.md", "docs/a.md", False),
    ("docs/**/a.md", "docs/x/y/a.md", False),
    ("**/tmp/*.md", "x/tmp/a.md", False),
    ("docs/**", "docs/x/y", False),
    ("a?c", "abc", False),
    ("[ab].md", "b.md", False),
    ("[!a].md", "b.md", False),
    ("[a-c]x", "bx", False),
    ("[]x]y", "]y", False),
    ("[[:digit:]].md", "7.md", False),
    ("\\#a", "#a", False),
    ("\\!a", "!a", False),
    ("a\\*b", "a*b", False),
    ("a\\ ", "a ", False),
    ("a  ", "a", False),
    ("a\r", "a", False),
    ("*a*b*c", "xaybzc", False),
    ("*.md", ".md", False),
    ("x\ny", "x\ny", False),
]
NOT_NAMED = [
    ("# a", "# a", False),
    ("", "a", False),
    ("/", "a", False),
    ("/a.md", "x/a.md", False),
    ("build/", "build", False),
    ("docs/*.md", "docs/x/a.md", False),
    ("docs/*.md", "x/docs/a.md", False),
    ("docs/**", "docs", True),
    ("a?c", "a/c", False),
    ("[!a]b", "/b", False),
    ("[a", "a", False),
    ("[z-a]", "b", False),
    ("a\\", "a", False),
    ("*.md", "a.MD", False),
    ("a\\*b", "axb", False),
]


@pytest.mark.parametrize(("pattern", "path", "is_folder"), NAMED)
def test_a_pattern_names_what_git_says(pattern: str, path: str, is_folder: bool) -> None:
    assert compiled([pattern]).verdict(path, is_folder) is True


@pytest.mark.parametrize(("pattern", "path", "is_folder"), NOT_NAMED)
def test_a_pattern_names_nothing_else(pattern: str, path: str, is_folder: bool) -> None:
    assert compiled([pattern]).verdict(path, is_folder) is None


def test_the_last_pattern_decides() -> None:
    assert compiled(["*.md", "!keep.md"]).verdict("keep.md", False) is False
    assert compiled(["!keep.md", "*.md"]).verdict("keep.md", False) is True


def test_a_pattern_in_one_normal_form_names_a_path_in_the_other() -> None:
    assert compiled([unicodedata.normalize("NFD", "café*")]).verdict("café.md", False) is True


@pytest.mark.parametrize("pattern", ["*a" * 40 + "*b", "**/a/" * 30 + "b", "**/" + "*a" * 20 + "/**/b", "[a-z]*" * 50 + "/"])
def test_no_pattern_takes_long_on_any_path(pattern: str) -> None:
    globs = compiled([pattern])
    started = time.process_time()
    for path in ("a" * 255, "a/" * 1500 + "c", ("a" * 200 + "/") * 20 + "c"):
        assert globs.verdict(path, False) is not True
    assert time.process_time() - started < 1
