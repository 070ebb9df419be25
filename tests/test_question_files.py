"""Question files in every form that people write, and what is said of those that are wrong."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.errors import NotFoundFault, UsageFault
from nescio.evaluate.questions.cases import Case, Expected
from nescio.evaluate.questions.reading import QuestionFile, ReadLimits, read_cases
from nescio.ingest.yaml_values import YamlError, yaml_values


def read(folder: Path, name: str, text: str | bytes, limits: ReadLimits | None = None) -> QuestionFile:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_cases(path, limits)


def refused(folder: Path, name: str, text: str | bytes, limits: ReadLimits | None = None) -> UsageFault:
    with pytest.raises(UsageFault) as caught:
        read(folder, name, text, limits)
    assert str(folder / name) in caught.value.message
    assert caught.value.hint
    return caught.value


# --- Forms -----------------------------------------------------------------------------------------------------------

ROWS = [
    {
        "id": "keys",
        "question": "how often are keys rotated",
        "answerable": True,
        "expect": [
            {"path": "sub/keys.md", "heading": "Keys", "quote": "every ninety days"},
            {"path": "faq.md", "quotes": ["ninety", "every quarter"]},
        ],
        "kind": "number",
    },
    {"id": "price", "question": "what does it cost", "answerable": False, "expect": []},
    {"question": "who may use it"},
]
CASES = (
    Case(
        "keys",
        "how often are keys rotated",
        True,
        (Expected("sub/keys.md", "Keys", ("every ninety days",)), Expected("faq.md", None, ("ninety", "every quarter"))),
        1,
    ),
    Case("price", "what does it cost", False, (), 2),
    Case("line-3", "who may use it", True, (), 3),
)
YAML = """\
- id: keys
  question: how often are keys rotated
  answerable: yes
  expect:
    - path: sub/keys.md
      heading: Keys
      quote: every ninety days
    - {path: faq.md, quotes: [ninety, every quarter]}
  kind: number
- {id: price, question: what does it cost, answerable: no, expect: []}
- who may use it
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("q.NDJSON", "\r\n".join(map(json.dumps, ROWS)) + "\r\n"),
        ("q.json", json.dumps(ROWS, indent=1)),
        ("q.yaml", YAML),
        ("q.yml", YAML.replace("\n", "\r\n")),
        ("bom.jsonl", "\ufeff" + "\n".join(map(json.dumps, ROWS))),
        ("bom.yaml", "\ufeff" + YAML),
    ],
)
def test_the_same_cases_come_from_every_form(tmp_path: Path, name: str, text: str) -> None:
    found = read(tmp_path, name, text)
    assert found.cases == CASES
    assert found.path == str(tmp_path / name)
    assert found.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_plain_lines_are_questions_and_an_exclamation_mark_says_must_refuse(tmp_path: Path) -> None:
    text = "\ufeff# from the forum\r\nhow often are keys rotated\r\n\r\n!what does it cost\r  ! who made it  \nwhat is a -> b\n"
    assert read(tmp_path, "q.txt", text).cases == (
        Case("line-2", "how often are keys rotated", True, (), 2),
        Case("line-4", "what does it cost", False, (), 4),
        Case("line-5", "who made it", False, (), 5),
        Case("line-6", "what is a -> b", True, (), 6),
    )


def test_lines_end_as_lines_of_documents_do(tmp_path: Path) -> None:
    assert [case.question for case in read(tmp_path, "q", "a\u2028b\x0cc\nd").cases] == ["a\u2028b\x0cc", "d"]


def test_an_exclamation_mark_without_quotes_says_must_refuse_in_yaml_too(tmp_path: Path) -> None:
    """To YAML it is a tag, which a loader may drop: a question that must be refused would become one to answer."""
    text = "- !what does it cost\n- ! who made it\n- '!is it free'\n- !cost\n- how is it made!\n"
    found = read(tmp_path, "q.yaml", text).cases
    assert [(case.question, case.answerable) for case in found] == [
        ("what does it cost", False),
        ("who made it", False),
        ("is it free", False),
        ("cost", False),
        ("how is it made!", True),
    ]


def test_lines_without_an_id_are_named_by_their_number(tmp_path: Path) -> None:
    text = '\n{"question": "a"}\n\n{"question": "b", "id": 7}\n'
    assert [(case.id, case.line) for case in read(tmp_path, "q.jsonl", text).cases] == [("line-2", 2), ("7", 4)]


def test_nulls_are_as_if_the_key_were_not_there(tmp_path: Path) -> None:
    row = {"id": None, "question": "a", "answerable": None, "expect": [{"path": "a.md", "heading": None, "quote": None}]}
    assert read(tmp_path, "q.json", json.dumps([row])).cases == (Case("line-1", "a", True, (Expected("a.md"),), 1),)


# --- Faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "code", "words"),
    [
        ("q.jsonl", '{"question": "a", "id": "x"}\n{"question": "b", "id": "x"}', "questions-duplicate-id", "line 2"),
        ("q.jsonl", '{"question": "a", "id": "line-2"}\n{"question": "b"}', "questions-duplicate-id", "'line-2'"),
        ("q.json", '[{"question": "a", "id": 1}, {"question": "b", "id": "1"}]', "questions-duplicate-id", "entry 2"),
        ("q.jsonl", '{"question": "a"}\n{"id": "x"}', "questions-wrong-value", "line 2: question is missing"),
        ("q.jsonl", '{"question": 5}', "questions-wrong-value", "question is 5; expected: a text"),
        ("q.jsonl", '{"question": "a", "answerable": "no"}', "questions-wrong-value", "answerable is 'no'"),
        ("q.jsonl", '{"question": "a", "id": true}', "questions-wrong-value", "id is True"),
        ("q.jsonl", '{"question": "a", "id": " "}', "questions-wrong-value", "id is ' '"),
        ("q.jsonl", '{"question": "a", "expect": {"path": "a"}}', "questions-wrong-value", "expect is an object"),
        ("q.jsonl", '{"question": "a", "expect": ["a.md"]}', "questions-wrong-value", "an entry of expect is 'a.md'"),
        ("q.jsonl", '{"question": "a", "expect": [{"heading": "A"}]}', "questions-wrong-value", "path is missing"),
        ("q.jsonl", '{"question": "a", "expect": [{"path": "a", "heading": 1}]}', "questions-wrong-value", "heading is 1"),
        ("q.jsonl", '{"question": "a", "expect": [{"path": "a", "quotes": "b"}]}', "questions-wrong-value", "quotes is 'b'"),
        ("q.jsonl", "[1]", "questions-wrong-value", "line 1: the entry is a list"),
        ("q.json", "[null]", "questions-wrong-value", "entry 1: the entry is missing"),
        ("q.yaml", "- question: [a]", "questions-wrong-value", "entry 1: question is a list"),
        ("q.yaml", "- no\n", "questions-wrong-value", "the entry is False"),
        ("q.jsonl", '{"question": " "}', "questions-empty-question", "line 1"),
        ("q.txt", "a\n!\n", "questions-empty-question", "line 2"),
        ("q.yaml", "- ''\n", "questions-empty-question", "entry 1"),
        (
            "q.jsonl",
            '{"question": "a", "answerable": false, "expect": [{"path": "a.md"}]}',
            "questions-refused-with-place",
            "'a.md'",
        ),
        ("q.txt", "", "questions-none", "no question"),
        ("q.txt", "# nothing\n\n", "questions-none", "no question"),
        ("q.json", "[]", "questions-none", "no question"),
        ("q.yaml", "# nothing\n", "questions-none", "no question"),
        ("q.jsonl", "{}\n{", "questions-wrong-value", "line 1"),
        ("q.jsonl", '{"question": "a"}\n{"question": ', "questions-syntax", "line 2"),
        ("q.json", '{"question": "a"}', "questions-syntax", "no list"),
        ("q.json", "[" * 200_000, "questions-syntax", "not JSON"),
        ("q.jsonl", "9" * 10_000, "questions-syntax", "line 1"),
        ("q.yaml", "- [a", "questions-syntax", "line"),
        ("q.yaml", "- question: &a b\n- question: *a\n", "questions-syntax", "line 2: an alias"),
        ("q.yaml", "- a\n---\n- b\n", "questions-syntax", "line 2: a second document"),
        ("q.yaml", "- ? [a]\n  : b\n", "questions-syntax", "line 1: a key"),
        ("q.yaml", "- a\x07\n", "questions-syntax", "YAML"),
        ("q.txt", b"caf\xe9\n", "questions-syntax", "byte 3 is 0xE9"),
        ("q.jsonl", b"\xff\xfe{\x00", "questions-syntax", "byte 0 is 0xFF"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, name: str, text: str | bytes, code: str, words: str) -> None:
    fault = refused(tmp_path, name, text)
    assert fault.code == code
    assert words in fault.message


@pytest.mark.parametrize("path", ["none.jsonl", "folder", "none/q.txt", "nul\0.txt"])
def test_a_file_that_is_not_there_is_not_found(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotFoundFault) as caught:
        read_cases(tmp_path / path)
    assert caught.value.code == "questions-not-found"


def test_a_file_over_a_limit_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "q.txt", "a\nb\nc\n", ReadLimits(max_bytes=5)).code == "questions-too-large"
    assert refused(tmp_path, "q.txt", "a\nb\nc\n", ReadLimits(max_cases=2)).code == "questions-too-many"
    assert len(read(tmp_path, "q.txt", "a\nb\nc\n", ReadLimits(6, 3)).cases) == 3


def test_aliases_that_would_grow_without_end_are_refused_at_once(tmp_path: Path) -> None:
    levels = [f"- &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 40)]
    assert refused(tmp_path, "q.yaml", "\n".join(["- &a0 x", *levels])).code == "questions-syntax"


def test_yaml_of_any_depth_costs_no_stack(tmp_path: Path) -> None:
    assert refused(tmp_path, "q.yaml", f"- question: {'[' * 500}{']' * 500}\n").code == "questions-wrong-value"
    assert refused(tmp_path, "q.yaml", f"- question: {'[' * 100_000}{']' * 100_000}\n").code.startswith("questions-")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        (
            "a: 1\nb: 2024-01-01\nc: 'no'\nd: no\ne: ~\nf: !!str x",
            {"a": "1", "b": "2024-01-01", "c": "no", "d": False, "e": None, "f": "x"},
        ),
        ("[a, [b, {c: []}], {}]", ["a", ["b", {"c": []}], {}]),
        ("|\n  a\n  b\n", "a\nb\n"),
    ],
)
def test_yaml_is_read_as_plain_values(text: str, value: object) -> None:
    assert yaml_values(text) == value


@given(st.text(alphabet="ab-:*&!?[]{}#'\"|>\n \t~,", max_size=60))
def test_any_text_is_yaml_or_a_fault(text: str) -> None:
    with contextlib.suppress(YamlError):
        yaml_values(text)


@given(name=st.sampled_from(["q.jsonl", "q.json", "q.yaml", "q.txt"]), data=st.binary(max_size=80))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes) -> None:
    with contextlib.suppress(UsageFault):
        assert read(tmp_path_factory.getbasetemp(), name, data).cases
