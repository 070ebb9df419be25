"""Passages of a text: each is exactly its slice, nothing is cut that may not be, and every refusal has its own code."""

from __future__ import annotations

import importlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.citations.chunking import MAX_PASSAGES, Chunk, chunk
from nescio.config.model import Secrets
from nescio.domain.documents import Document, passage_id
from nescio.domain.spans import Offsets, Span
from nescio.errors import IngestFault, UsageFault
from nescio.surfaces import wire
from support.projects import Run

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
POLICY = "Refunds are issued within 14 days. Shipping is free. Returns need a receipt."
TOKEN = "gh" + "p_" + "9fK2mQ7xL4vB8nR1sT6wY3zC5dH0jGaE1pUo"


def benchmark(name: str) -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


odd = benchmark("citations")


def spans(chunks: tuple[Chunk, ...]) -> list[tuple[int, int]]:
    return [(one.place.start, one.place.end) for one in chunks]


def refused(**options: Any) -> str:
    with pytest.raises(UsageFault) as caught:
        chunk(**options)
    assert caught.value.hint
    return caught.value.code


def letters(text: str) -> Iterator[tuple[int, int]]:
    return ((at, at + 1) for at in range(len(text)))


def test_two_sentences_that_share_one_stand_at_0_to_52_and_35_to_76() -> None:
    chunks = chunk(POLICY, unit="sentences", size=2, overlap=1)
    assert spans(chunks) == [(0, 52), (35, 76)]
    assert [one.text for one in chunks] == [POLICY[0:52], POLICY[35:76]]


@settings(max_examples=200)
@given(st.randoms(use_true_random=False), st.sampled_from(odd.UNITS))
def test_every_passage_is_exactly_its_slice_in_every_unit(random: Random, unit: str) -> None:
    text = odd.document(random)
    offsets = Offsets(text)
    for one in odd.cut(text, unit, random):
        assert odd.is_exact(one, text)
        assert one.place == offsets.place(Span(one.place.start, one.place.end))
        span = Span(one.place.start, one.place.end)
        assert one.passage_id == passage_id(one.source, one.path, one.document_sha256, span)


@settings(max_examples=100)
@given(st.text(max_size=200), st.sampled_from(["characters", "words", "sentences", "blocks"]), st.integers(1, 9))
def test_any_text_with_words_is_cut(text: str, unit: str, size: int) -> None:
    has_words = bool(text.strip().strip("\ufeff").strip())
    if not has_words:
        return
    chunks = chunk(text, unit=unit, size=size, overlap=0)
    assert all(text[one.place.start : one.place.end] == one.text for one in chunks)


def test_words_are_counted_and_the_last_passage_has_the_rest() -> None:
    chunks = chunk("a b c d e f g", size=3, overlap=1)
    assert [one.text for one in chunks] == ["a b c", "c d e", "e f g"]
    assert [one.text for one in chunk("a b c d", size=3, overlap=0)] == ["a b c", "d"]


def test_the_size_is_200_words_and_the_overlap_a_tenth() -> None:
    chunks = chunk(" ".join(f"w{number}" for number in range(400)))
    assert [one.units for one in chunks] == [200, 200, 40]
    assert chunks[1].text.startswith("w180 ")


def test_where_no_spaces_are_written_each_letter_is_a_word() -> None:
    assert [one.text for one in chunk("共有する。次", size=2, overlap=0)] == ["共有", "する。", "次"]


def test_a_byte_order_mark_is_counted_and_belongs_to_no_word() -> None:
    (one,) = chunk("\ufeffone two")
    assert (one.place.start, one.place.start_byte, one.text) == (1, 3, "one two")


def test_a_code_fence_is_one_sentence_and_one_block() -> None:
    text = "# Title\n\nDo this. Then that.\n\n```sh\nrun it. now.\n```\n"
    assert [one.text for one in chunk(text, unit="sentences", size=1, path="a.md")] == [
        "# Title",
        "Do this.",
        "Then that.",
        "```sh\nrun it. now.\n```",
    ]
    assert len(chunk(text, unit="blocks", size=1, path="a.md")) == 3


def test_tokens_are_those_of_the_caller() -> None:
    assert [one.text for one in chunk("abcde", unit="tokens", size=2, overlap=0, tokenizer=letters)] == ["ab", "cd", "e"]


def test_the_id_is_bound_to_source_path_hash_and_span() -> None:
    ids = {
        chunk(POLICY, source=source, path=path)[0].passage_id for source, path in (("a", "x.md"), ("b", "x.md"), ("a", "y.md"))
    }
    ids |= {chunk(POLICY + " More.", source="a", path="x.md")[0].passage_id}
    assert len(ids) == 4


def test_a_document_keeps_its_address_and_its_encoding() -> None:
    text = "\ufeffGrüße 🤝 there"
    document = Document.from_bytes("docs", "a.txt", text.encode("utf-16-le"), "utf-16-le")
    (one,) = chunk(document=document)
    assert document.data[one.place.start_byte : one.place.end_byte].decode("utf-16-le") == one.text == "Grüße 🤝 there"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"text": ""}, "chunk-no-text"),
        ({"text": " \n\t\r\n"}, "chunk-no-text"),
        ({}, "chunk-no-text"),
        ({"text": "a", "size": 0}, "chunk-bad-size"),
        ({"text": "a", "size": 1.5}, "chunk-bad-size"),
        ({"text": "a", "size": True}, "chunk-bad-size"),
        ({"text": "a", "size": 2, "overlap": 2}, "chunk-bad-overlap"),
        ({"text": "a", "size": 2, "overlap": -1}, "chunk-bad-overlap"),
        ({"text": "a", "unit": "lines"}, "chunk-bad-unit"),
        ({"text": "a", "unit": "words", "tokenizer": letters}, "chunk-bad-unit"),
        ({"text": "a", "unit": "tokens"}, "chunk-tokenizer-missing"),
        ({"text": "a", "document": Document.from_bytes("", "a", b"a")}, "chunk-two-texts"),
        ({"text": "a\ud800"}, "chunk-not-unicode"),
        ({"text": "a b c d", "size": 1, "max_passages": 3}, "chunk-too-many"),
        ({"text": "ab " * 300, "size": 50, "overlap": 45}, "chunk-too-much-overlap"),
    ],
)
def test_each_refusal_has_its_own_code(options: dict[str, Any], code: str) -> None:
    assert refused(**options) == code


@pytest.mark.parametrize(
    "ranges",
    [
        [(0, 9)],
        [(-1, 1)],
        [(1, 1)],
        [(2, 3), (0, 1)],
        [(0, 3), (1, 2)],
        [(0.0, 1)],
        [(True, 2)],
        [5],
        [],
        None,
    ],
)
def test_a_tokenizer_that_gives_no_ranges_in_order_is_refused(ranges: Any) -> None:
    assert refused(text="abcd", unit="tokens", tokenizer=lambda text: ranges) == "chunk-tokenizer-failed"


def test_a_tokenizer_that_raises_is_refused_without_its_words() -> None:
    def broken(text: str) -> list[tuple[int, int]]:
        raise KeyError(text)

    with pytest.raises(UsageFault) as caught:
        chunk("private words", unit="tokens", tokenizer=broken)
    assert caught.value.code == "chunk-tokenizer-failed"
    assert "KeyError" in caught.value.message
    assert "private" not in caught.value.message


def test_characters_of_several_tokens_have_the_same_range_several_times() -> None:
    chunks = chunk("🤝a", unit="tokens", size=2, overlap=0, tokenizer=lambda text: [(0, 1), (0, 1), (0, 1), (1, 2)])
    assert [one.text for one in chunks] == ["🤝", "🤝a"]


def test_too_many_are_refused_before_any_is_cut() -> None:
    assert MAX_PASSAGES == 20_000
    assert refused(text="a " * 30_000, size=1) == "chunk-too-many"


def test_a_secret_is_refused_and_never_told() -> None:
    with pytest.raises(IngestFault) as caught:
        chunk(f"Use it.\n\ntoken = {TOKEN}\n", path="a.md")
    assert caught.value.code == "secrets-found"
    assert "line 3" in caught.value.message
    assert TOKEN[8:16] not in caught.value.message


def test_a_secret_is_masked_where_that_is_set_and_all_else_stays_in_place() -> None:
    text = f"Use it.\n\ntoken = {TOKEN} and more\n"
    (one,) = chunk(text, secrets=Secrets(on_found="mask"))
    assert TOKEN[8:16] not in one.text
    assert len(one.text) == len(text.strip())
    assert one.text.endswith(" and more")


# The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "policy.txt").write_text(POLICY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_prints_a_line_for_each_passage(folder: Path, run_here: Run) -> None:
    code, out, err = run_here("chunk", "docs/policy.txt", "--unit", "sentences", "--size", "2", "--overlap", "1")
    lines = [json.loads(line) for line in out.strip().split("\n")]
    assert (code, err) == (0, "")
    assert [(line["start"], line["end"]) for line in lines] == [(0, 52), (35, 76)]
    assert (lines[0]["source"], lines[0]["path"]) == ("docs", "policy.txt")


def test_the_command_prints_one_list_as_json(folder: Path, run_here: Run) -> None:
    code, out, _ = run_here("chunk", "docs/policy.txt", "--size", "3", "--overlap", "0", "--json")
    value = json.loads(out)
    Draft202012Validator(wire.schema("chunk")).validate(value)
    assert (code, value["overlap"], len(value["chunks"])) == (0, 0, 5)


def test_the_command_reads_standard_input(folder: Path, run_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(POLICY.encode("utf-8"))))
    code, out, _ = run_here("chunk", "-")
    assert code == 0
    assert json.loads(out)["text"] == POLICY


@pytest.mark.parametrize(
    ("arguments", "exit_code", "fault"),
    [
        (("nowhere.md",), 2, "file-not-found"),
        (("docs/policy.txt", "--size", "0"), 2, "chunk-bad-size"),
        (("docs/policy.txt", "--overlap", "200"), 2, "chunk-bad-overlap"),
        (("docs/policy.txt", "--unit", "tokens"), 2, "chunk-tokenizer-missing"),
        (("docs/policy.txt", "--unit", "tokens", "--tokenizer", "nothing"), 2, "chunk-tokenizer-missing"),
        (("docs/policy.txt", "--unit", "tokens", "--tokenizer", "json:nothing"), 2, "chunk-tokenizer-missing"),
        (("docs/policy.txt", "--unit", "tokens", "--tokenizer", "json:dumps"), 2, "chunk-tokenizer-failed"),
        (("docs/binary.txt",), 2, "chunk-not-unicode"),
        (("docs/secret.txt",), 3, "secrets-found"),
    ],
)
def test_the_command_refuses_with_a_code(
    arguments: tuple[str, ...], exit_code: int, fault: str, folder: Path, run_here: Run
) -> None:
    (folder / "docs" / "binary.txt").write_bytes(b"a\xff")
    (folder / "docs" / "secret.txt").write_text(f"token = {TOKEN}", encoding="utf-8")
    code, out, err = run_here("chunk", *arguments, "--json")
    assert (code, out) == (exit_code, "")
    assert json.loads(err)["error"]["code"] == fault


def test_a_tokenizer_is_named_by_module_and_function(folder: Path, run_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "own_tokens.py").write_text("def pairs(text):\n    return [(at, at + 1) for at in range(len(text))]\n")
    monkeypatch.syspath_prepend(str(folder))
    code, out, _ = run_here(
        "chunk", "docs/policy.txt", "--unit", "tokens", "--tokenizer", "own_tokens:pairs", "--size", "38", "--overlap", "0"
    )
    assert code == 0
    assert [json.loads(line)["end"] for line in out.strip().split("\n")] == [38, 76]


def test_a_tokenizer_of_the_library_is_read_from_its_file(folder: Path, run_here: Run) -> None:
    library = pytest.importorskip("tokenizers")
    made = library.Tokenizer(library.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    made.pre_tokenizer = library.pre_tokenizers.Whitespace()
    made.save(str(folder / "words.json"))
    code, out, _ = run_here(
        "chunk", "docs/policy.txt", "--unit", "tokens", "--tokenizer", "words.json", "--size", "7", "--overlap", "0"
    )
    assert code == 0
    assert json.loads(out.split("\n")[0])["text"] == POLICY[:34]
