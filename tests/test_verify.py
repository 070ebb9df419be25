"""Stored passages read again: the same, moved, changed or gone; only moved ones are written anew, and nothing else changes."""

from __future__ import annotations

import hashlib
import json
import re
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.citations.chunking import chunk
from nescio.citations.library import Library
from nescio.citations.reading import read_citations
from nescio.citations.renewing import renewed
from nescio.citations.verifying import Standing, StoredPassage, findings, verify
from nescio.citations.word_diff import MOST_WORDS, word_diff
from nescio.domain.findings import FindingKind, Level
from nescio.errors import UsageFault
from nescio.surfaces import wire, wire_citations
from support.projects import Project, Run

FRUIT = "# Fruit\n\nApples are kept in the cellar at four degrees.\n\nPears ripen in a paper bag.\n"
MARKS = ("\ufeff", "\r\n\r\n", "\n", "\U0001f91d ", "e\u0301 ", "\u5171\u6709 ", "word ", "\t")


@pytest.fixture
def fruit(project: Project) -> Path:
    return project.write("fruit.md", FRUIT)


def rewrite(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="")


def cut(file: Path, **options: Any) -> str:
    """The output of `nescio chunk` for a page of docs/."""
    text = file.read_bytes().decode("utf-8")
    chunks = chunk(text, source="docs", path=file.name, **options)
    return b"".join(wire.encode(wire_citations.chunk_json(one)) for one in chunks).decode("utf-8")


def read_again(project: Project, text: str, name: str = "kept.jsonl") -> tuple[StoredPassage, ...]:
    return verify(read_citations(text.encode("utf-8"), name), Library.of(project.configuration()))


def standings(project: Project, text: str, name: str = "kept.jsonl") -> list[str]:
    return [one.standing.value for one in read_again(project, text, name)]


def sentence(file: Path) -> str:
    """The stored passages of the two sentences."""
    return "".join(line + "\n" for line in cut(file, unit="sentences", size=1).strip().split("\n")[1:])


def test_what_was_not_touched_is_the_same(project: Project, fruit: Path) -> None:
    assert standings(project, sentence(fruit)) == ["same", "same"]


def test_words_that_stand_elsewhere_now_are_moved_with_their_new_place(project: Project, fruit: Path) -> None:
    kept = sentence(fruit)
    rewrite(fruit, FRUIT.replace("# Fruit\n", "# Fruit \U0001f34f\n\nA new line.\r\n"))
    first, _ = read_again(project, kept)
    assert (first.standing, first.lines, first.check.lines) == (Standing.MOVED, (3, 3), (5, 5))
    assert first.renewed is not None
    (place,) = first.renewed.places
    text = fruit.read_bytes().decode("utf-8")
    assert text[place.start : place.end] == "Apples are kept in the cellar at four degrees."
    assert fruit.read_bytes()[place.start_byte : place.end_byte].decode() == text[place.start : place.end]


def test_words_that_were_edited_are_changed_with_a_word_diff(project: Project, fruit: Path) -> None:
    kept = sentence(fruit)
    rewrite(fruit, FRUIT.replace("four", "five"))
    first, second = read_again(project, kept)
    assert (first.standing, second.standing) == (Standing.CHANGED, Standing.SAME)
    assert first.diff == "Apples are kept in the cellar at [-four-]{+five+} degrees."


def test_words_and_documents_that_are_not_there_are_gone(project: Project, fruit: Path) -> None:
    kept = sentence(fruit)
    rewrite(fruit, "# Fruit\n\nNothing of it is left over.\n")
    assert standings(project, kept) == ["gone", "gone"]
    project.write("other.md", "Apples are kept in the cellar at four degrees.\n")
    fruit.unlink()
    first, second = read_again(project, kept)
    assert (first.standing, first.check.found_in, second.standing) == (Standing.GONE, ("docs/other.md",), Standing.GONE)


def test_a_page_that_changed_elsewhere_leaves_the_same(project: Project, fruit: Path) -> None:
    kept = sentence(fruit)
    rewrite(fruit, FRUIT + "\nMore.\n")
    assert standings(project, kept) == ["same", "same"]


def test_findings_tell_kind_level_and_place(project: Project, fruit: Path) -> None:
    kept = sentence(fruit)
    rewrite(fruit, "New.\n\n" + FRUIT.replace("Pears ripen", "Pears never ripen"))
    moved, changed = findings(read_again(project, kept), "kept.jsonl")
    assert (moved.kind, moved.level, moved.path, moved.start_line) == (
        FindingKind.PASSAGE_MOVED,
        Level.WARNING,
        "docs/fruit.md",
        5,
    )
    assert moved.fix == "nescio verify --fix kept.jsonl"
    assert (changed.kind, changed.level, changed.start_line) == (FindingKind.PASSAGE_CHANGED, Level.ERROR, 7)
    assert (changed.old, changed.new) == ("Pears ripen in a paper bag.", "Pears never ripen in a paper bag.")
    rewrite(fruit, "New.\n")
    assert {(one.kind, one.level) for one in findings(read_again(project, kept), "kept.jsonl")} == {
        (FindingKind.PASSAGE_GONE, Level.ERROR)
    }


def test_an_answer_is_verified_and_renewed_with_the_id_of_its_passage(project: Project, fruit: Path) -> None:
    project.build()
    with project.engine() as engine:
        answer = wire.encode(wire.answer_json(engine.ask("where are apples kept")), indented=True).decode("utf-8")
    assert standings(project, answer, "answer.json") == ["same"] * len(json.loads(answer)["quotes"])
    rewrite(fruit, "Before.\n\n" + FRUIT)
    new = renewed(answer, read_again(project, answer, "answer.json"), is_lines=False)
    project.build()
    with project.engine() as engine:
        now = wire.answer_json(engine.ask("where are apples kept"))
    names = ("spans", "highlights", "document_sha256", "passage_id", "text", "quote_sha256")
    assert [json.loads(new)["quotes"][0][name] for name in names] == [now["quotes"][0][name] for name in names]


@pytest.mark.parametrize("is_page_moved", [True, False])
@pytest.mark.parametrize("is_code_moved", [True, False])
def test_each_file_of_a_quote_is_renewed_by_itself(project: Project, is_page_moved: bool, is_code_moved: bool) -> None:
    page, code = "# Fruit\n\nApples are kept so:\n\n{* keep.py *}\n\nThey keep.\n", "# 🍏\napples.keep(degrees=4)\n"
    pages = {"fruit.md": page, "keep.py": code}
    project.write_all(pages).build()
    with project.engine() as engine:
        answer = wire.encode(wire.answer_json(engine.ask("how are apples kept"))).decode("utf-8")
    assert standings(project, answer, "answer.json") == ["same"] * 3
    before = {"fruit.md": "Before 🍏.\n\n" * is_page_moved, "keep.py": "# new é\n" * is_code_moved}
    for path, text in pages.items():
        rewrite(project.docs / path, before[path] + text)
    stored = read_again(project, answer, "answer.json")
    assert [one.standing is Standing.MOVED for one in stored] == [is_page_moved, is_code_moved, is_page_moved]
    new = json.loads(renewed(answer, stored, is_lines=False))["quotes"][0]
    old = json.loads(answer)["quotes"][0]
    for span in (*new["spans"], *new["highlights"]):
        data = (project.docs / span["path"]).read_bytes()
        assert span["document_sha256"] == hashlib.sha256(data).hexdigest()
        said = data[span["start_byte"] : span["end_byte"]].decode("utf-8")
        assert said == data.decode("utf-8")[span["start"] : span["end"]]
        assert span["start_line"] == 1 + data[: span["start_byte"]].count(b"\n")
    assert words_of(project, new, "spans") == new["text"] == old["text"]
    assert words_of(project, new, "highlights").startswith("Apples are kept so:")
    assert new["document_sha256"] == hashlib.sha256((project.docs / "fruit.md").read_bytes()).hexdigest()
    assert (new["passage_id"] == old["passage_id"]) is not is_page_moved


def words_of(project: Project, quote: Any, name: str) -> str:
    return "".join((project.docs / one["path"]).read_text("utf-8")[one["start"] : one["end"]] for one in quote[name])


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(MARKS), max_size=8),
    st.lists(st.sampled_from(MARKS), min_size=1, max_size=8),
    st.sampled_from([None, 1, 2, "\t"]),
    st.booleans(),
)
def test_a_renewed_file_differs_in_nothing_but_places(
    before: list[str], added: list[str], indent: int | str | None, escaped: bool
) -> None:
    from nescio.citations.comparing import Comparison
    from nescio.citations.library import Address
    from nescio.citations.measure import places
    from nescio.citations.verifying import Renewed
    from nescio.config.model import Limits, Secrets
    from nescio.domain.documents import Document
    from nescio.domain.spans import Span

    old = "".join(before) + "Apples are kept here."
    start = old.index("Apples")
    entry = {
        "note": 'a "quoted" \\ {[,:]} \u5171 \U0001f91d', "nested": {"start": 1, "list": [1.50, None, {"end": 2}]},
        "path": "a.md", "start": start, "end": len(old), "text": "Apples are kept here.", "document_sha256": "0" * 64,
    }  # fmt: skip
    text = json.dumps({"citations": [entry], "start": 7}, indent=indent, ensure_ascii=escaped)
    (citation,) = read_citations(text.encode("utf-8"), "a.json")
    document = Document.from_bytes("", "a.md", ("".join(added) + old).encode("utf-8"))
    check = Comparison(document, Address(0, "a.md"), Library((), Limits(), Secrets())).check(citation)
    spans = [Span(*at) for at in check.pieces_at]
    new = Renewed(places(document, spans), document.sha256, "b" * 26)
    stored = StoredPassage(citation, Standing.MOVED, "a.md", (0, 0), check, "", new)
    entry |= {"start": spans[0].start, "end": spans[0].end, "document_sha256": document.sha256}
    expected = json.dumps({"citations": [entry], "start": 7}, indent=indent, ensure_ascii=escaped)
    assert renewed(text, [stored], is_lines=False) == expected


@settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_a_word_diff_holds_both_texts(random: Random) -> None:
    old, new = ("".join(random.choice(["a", "bc", " ", ".", "\n"]) for _ in range(random.randint(0, 20))) for _ in range(2))
    told = word_diff(old, new)
    assert re.sub(r"\[-(.*?)-\]|\{\+(.*?)\+\}", r"\1", told, flags=re.DOTALL) == old
    assert re.sub(r"\[-(.*?)-\]|\{\+(.*?)\+\}", r"\2", told, flags=re.DOTALL) == new


@pytest.mark.parametrize("words", ["a", "ab", "abc"])
def test_a_word_diff_of_hostile_texts_takes_seconds_at_most(words: str) -> None:
    random = Random(1)
    old, new = (" ".join(random.choice(words) for _ in range(MOST_WORDS // 2)) for _ in range(2))
    started = time.process_time()
    word_diff(old, new)
    assert time.process_time() - started < 20


def test_long_texts_stand_beside_each_other() -> None:
    old, new = "a " * 5_000, "b " * 5_000
    assert word_diff(old, new) == f"[-{old}-]{{+{new}+}}"


def test_a_file_without_passages_is_an_error(project: Project, fruit: Path) -> None:
    with pytest.raises(UsageFault) as caught:
        read_again(project, '{"quotes": []}')
    assert caught.value.code == "cite-none"


# The command


@pytest.fixture
def kept(project: Project, fruit: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project.root)
    file = project.root / "kept.jsonl"
    file.write_text(sentence(fruit), encoding="utf-8", newline="")
    return file


def test_the_command_says_what_became_of_each(kept: Path, fruit: Path, run_here: Run) -> None:
    assert run_here("verify", "kept.jsonl")[:2] == (0, "2 passages: 2 same.\n")
    rewrite(fruit, "New.\n\n" + FRUIT.replace("paper", "linen"))
    code, out, err = run_here("verify", "kept.jsonl")
    assert (code, err) == (1, "")
    assert "the words moved to line 5." in out
    assert "[-paper-]{+linen+}" in out
    assert "2 passages: 1 moved, 1 changed." in out
    assert max(map(len, out.split("\n"))) <= 80


def test_the_command_tells_services_what_is_not_the_same(kept: Path, fruit: Path, run_here: Run) -> None:
    assert run_here("verify", "kept.jsonl", "--format", "github")[:2] == (0, "")
    rewrite(fruit, "New.\n\n" + FRUIT)
    code, out, _ = run_here("verify", "kept.jsonl", "--format", "github")
    assert code == 1
    assert out.count("::error file=docs/fruit.md,line=") == 2
    code, out, _ = run_here("verify", "kept.jsonl", "--format", "sarif", "--out", "found.sarif")
    found = json.loads(Path("found.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert (code, out, [one["ruleId"] for one in found]) == (1, "", ["passage_moved", "passage_moved"])
    assert run_here("verify", "kept.jsonl", "--format", "github", "--fix")[0] == 0


def test_the_command_rewrites_moved_ones_only(kept: Path, fruit: Path, run_here: Run) -> None:
    before = kept.read_text(encoding="utf-8").split("\n")
    rewrite(fruit, "New.\n\n" + FRUIT.replace("paper", "linen"))
    assert run_here("verify", "--fix", "kept.jsonl")[0] == 1
    after = kept.read_text(encoding="utf-8").split("\n")
    assert after[0] != before[0]
    assert after[1:] == before[1:]
    assert list(json.loads(after[0])) == list(json.loads(before[0]))
    assert "1 same, 1 changed" in run_here("verify", "kept.jsonl")[1]


def test_with_fix_it_exits_with_0_where_all_others_were_moved(kept: Path, fruit: Path, run_here: Run) -> None:
    rewrite(fruit, "New.\n\n" + FRUIT)
    assert run_here("verify", "kept.jsonl")[0] == 1
    assert run_here("verify", "kept.jsonl", "--fix")[0] == 0
    assert run_here("verify", "kept.jsonl")[0] == 0
    assert run_here("cite", "kept.jsonl")[0] == 0


def test_the_command_prints_json_that_keeps_to_its_schema(kept: Path, fruit: Path, run_here: Run) -> None:
    rewrite(fruit, "New.\n\n" + FRUIT.replace("paper", "linen"))
    code, out, _ = run_here("verify", "kept.jsonl", "--json")
    value = json.loads(out)
    Draft202012Validator(wire.schema("verify")).validate(value)
    assert (code, value["moved"], value["changed"], value["files"][0]["fixed"]) == (1, 1, 1, False)
    assert value["files"][0]["passages"][0]["new_lines"] == [5, 5]


def test_an_answer_in_markdown_is_read_and_never_rewritten(kept: Path, fruit: Path, run_here: Run) -> None:
    answer = "> Apples are kept in the cellar at four degrees.\n\n[fruit](docs/fruit.md#L3)\n"
    (kept.parent / "answer.md").write_text(answer, encoding="utf-8")
    assert run_here("verify", "answer.md")[0] == 0
    rewrite(fruit, "New.\n\n" + FRUIT)
    assert run_here("verify", "--fix", "answer.md")[0] == 1
    assert (kept.parent / "answer.md").read_text(encoding="utf-8") == answer


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_any_end_are_renewed_in_place(end: str, kept: Path, fruit: Path, run_here: Run) -> None:
    text = "\ufeff" + kept.read_text(encoding="utf-8").replace("\n", end)
    kept.write_text(text, encoding="utf-8", newline="")
    rewrite(fruit, "New.\n\n" + FRUIT)
    assert run_here("verify", "--fix", "kept.jsonl")[0] == 0
    assert run_here("verify", "kept.jsonl")[0] == 0
    after = kept.read_bytes().decode("utf-8")
    assert after.startswith("\ufeff{")
    assert after.count(end) == text.count(end)


def test_several_files_are_read_and_nothing_is_written_when_one_is_wrong(kept: Path, fruit: Path, run_here: Run) -> None:
    before = kept.read_bytes()
    rewrite(fruit, "New.\n\n" + FRUIT)
    (kept.parent / "wrong.json").write_text("[", encoding="utf-8")
    code, _, err = run_here("verify", "kept.jsonl", "wrong.json", "--fix", "--json")
    assert (code, json.loads(err)["error"]["code"]) == (2, "cite-syntax")
    assert kept.read_bytes() == before
