"""What a reader sees is all there is: nothing in a document can move the cursor, hide words or turn their order round."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.surfaces.terminal import escape, escape_json, escape_line

any_text = st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z", "Cc", "Cf", "Cs", "Cn"]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("bell\x07", "bell\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("del\x7f", "del\\x7f"),
        ("evil\u202etxt", "evil\\u202etxt"),
        ("\u2066a\u2069", "\\u2066a\\u2069"),
        ("a\u200eb\u200f", "a\\u200eb\\u200f"),
        ("pass\u200bword", "pass\\u200bword"),
        ("soft\xadhyphen", "soft\\xadhyphen"),
        ("\ufeffbom", "\\ufeffbom"),
        ("one\u2028two\u2029three\x85four", "one\\u2028two\\u2029three\\x85four"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("lone\ud800", "lone\\ud800"),
        ("form\x0cfeed\x0b", "form\\x0cfeed\\x0b"),
    ],
)
def test_what_a_terminal_obeys_or_hides_is_written_out(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert escape_line(text) == shown


@pytest.mark.parametrize("text", ["plain", "[bold]not markup[/bold]", "a\\x1b", "naïve — “quoted” 共有 🤝", "é", "\xa0"])
def test_printable_text_comes_back_as_it_is(text: str) -> None:
    assert escape(text) == text


def test_line_ends_become_line_feeds_and_tabs_stay() -> None:
    assert escape("a\r\n\tb\rc\n") == "a\n\tb\nc\n"


def test_a_line_stays_one_line() -> None:
    assert escape_line("a\nb\r\n\tc") == "a\\nb\\x0d\\n\\tc"


def test_joiners_are_kept_where_they_are_spelling_and_shown_where_they_hide() -> None:
    assert escape("می\u200cخواهم") == "می\u200cخواهم"
    assert escape("👩\u200d💻 ❤\ufe0f") == "👩\u200d💻 ❤\ufe0f"
    assert escape("pass\u200dword\u200c") == "pass\\u200dword\\u200c"
    assert escape("a\ufe00\ufe01") == "a\ufe00\\ufe01"


@given(any_text)
def test_no_control_or_surrogate_is_left(text: str) -> None:
    shown = escape(text)
    left = {unicodedata.category(character) for character in shown if character not in "\n\t"}
    assert not left & {"Cc", "Cs", "Zl", "Zp"}
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert escape(shown) == shown


@given(any_text)
def test_a_line_never_gains_a_line(text: str) -> None:
    shown = escape_line(text)
    assert len(shown.splitlines()) <= 1
    assert escape_line(shown) == shown


@given(st.dictionaries(st.text(), any_text))
def test_escaped_json_parses_to_the_same_values_on_one_line(value: dict[str, str]) -> None:
    encoded = escape_json(json.dumps(value, ensure_ascii=False))
    assert len(encoded.splitlines()) == 1
    assert json.loads(encoded) == json.loads(json.dumps(value))
