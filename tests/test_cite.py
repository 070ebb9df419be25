"""Citations that somebody else holds: what is right is never called wrong, and what is wrong is caught, placed and named."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import random as chance
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.citations import folding
from nescio.citations.checking import check
from nescio.citations.chunking import chunk
from nescio.citations.claims import CitationCheck, Piece, Problem, Range
from nescio.citations.folding import View
from nescio.citations.library import Library
from nescio.citations.locating import Searched
from nescio.citations.measure import Unit
from nescio.citations.reading import read_citations
from nescio.domain.documents import Document
from nescio.errors import UsageFault
from nescio.surfaces import wire, wire_citations
from support.projects import Project, Run

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
POLICY = "Refunds are issued within 14 days. Shipping is free. Returns need a receipt. You must not send it back opened."
SHIPPING = "Shipping is free."


def benchmark(name: str) -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


odd = benchmark("citations")


@pytest.fixture
def library(project: Project) -> Library:
    """The policy in docs/, and two more pages."""
    project.write("policy.txt", POLICY)
    project.write("guide/fruit.md", "# Fruit\n\nApples are kept in the cellar\nat four degrees.\n")
    project.write("marks.md", "\ufeff# Marks\r\n\r\nThe 🤝 icon.\r\nCafe\u0301 is open.\r\n")
    return Library.of(project.configuration())


def checked(library: Library, *entries: Mapping[str, Any]) -> tuple[CitationCheck, ...]:
    return check(read_citations(json.dumps(entries).encode("utf-8"), "held.json"), library)


def one(library: Library, **entry: Any) -> CitationCheck:
    (found,) = checked(library, entry)
    return found


def problems(library: Library, **entry: Any) -> list[str]:
    return [problem.value for problem in one(library, **entry).problems]


# The properties


@settings(max_examples=300)
@given(st.randoms(use_true_random=False))
def test_what_is_wrong_or_of_another_version_is_caught_and_named_and_what_is_right_is_not(random: Random) -> None:
    for kind, is_right, shown in odd.examine(odd.document(random), random):
        assert is_right, f"{kind}: {shown}"


@settings(max_examples=200)
@given(st.randoms(use_true_random=False), st.lists(st.sampled_from(["mark", "line_ends", "composed", "decomposed", "spaces"])))
def test_a_reading_leads_back_to_what_was_read(random: Random, names: list[str]) -> None:
    text = odd.document(random)
    view = View(text, tuple(getattr(folding, name) for name in names))
    for _ in range(5):
        start, end = sorted(random.randint(0, len(view.text)) for _ in range(2))
        span = view.back(start, end)
        assert 0 <= span.start <= span.end <= len(text)
        if start < end:
            assert view.text[start:end] in View(span.of(text), tuple(getattr(folding, name) for name in names)).text or names


@settings(max_examples=200)
@given(st.text("ab", max_size=30), st.text("ab", min_size=1, max_size=3), st.integers(0, 40))
def test_the_nearest_occurrence_is_the_nearest(text: str, words: str, claimed: int) -> None:
    starts = [at for at in range(len(text)) if text.startswith(words, at)]
    found = folding.nearest(text, words, claimed)
    assert (found is None) is (not starts)
    if found is not None:
        assert abs(found.start - claimed) == min(abs(at - claimed) for at in starts)


# By example


def test_a_late_citation_is_found_where_its_words_are(library: Library) -> None:
    found = one(library, path="policy.txt", start=36, end=53, text=SHIPPING)
    assert found.found_at == (35, 52)
    assert (found.problems, found.distance, found.count) == ((Problem.OFF_BY_ONE,), 1, 1)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"start": 35, "end": 52, "text": SHIPPING}, []),
        ({"start": 34, "end": 51, "text": SHIPPING}, ["off_by_one"]),
        ({"start": 35, "end": 53, "text": SHIPPING}, ["off_by_one"]),
        ({"start": 40, "end": 57, "text": SHIPPING}, ["moved"]),
        ({"start": 400, "end": 417, "text": SHIPPING}, ["moved", "range_outside"]),
        ({"start_line": 1, "end_line": 1, "text": SHIPPING}, []),
        ({"start_line": 1, "text": SHIPPING}, []),
        ({"start_line": 2, "end_line": 2, "text": SHIPPING}, ["moved", "range_outside"]),
        ({"text": SHIPPING}, []),
        ({"start": 0, "end": 10}, []),
        ({"start": 0, "end": 1000}, ["range_outside"]),
        ({"start": 35, "end": 52, "start_byte": 36, "end_byte": 53, "text": SHIPPING}, ["units_disagree"]),
        ({"start": 0, "end": 34, "text": "Refunds are issued within 30 days."}, ["number_changed"]),
        ({"text": "You must send it back opened."}, ["negation_changed"]),
        ({"text": "Refunds are not issued within 3 days."}, ["number_changed", "negation_changed"]),
        ({"text": "Refunds are always issued within fourteen days."}, ["text_changed"]),
        ({"text": "Refunds are issued ... Returns need a receipt."}, ["ellipsis_drops_words"]),
        ({"text": "Refunds are issued \u2026 You must not send it"}, ["ellipsis_drops_words"]),
        ({"text": "Shipping  is\nfree."}, ["whitespace_changed"]),
        ({"text": "Dolphins sing at night."}, ["not_found"]),
        ({"text": SHIPPING, "document_sha256": "0" * 64}, ["other_version"]),
        ({"text": SHIPPING, "start": 35, "end": 52, "passage_id": "a" * 26}, ["id_unknown"]),
        ({"text": SHIPPING, "start": 35, "end": 52, "quote_sha256": "0" * 64}, ["text_changed"]),
        ({"start": 35, "end": 52, "quote_sha256": hashlib.sha256(SHIPPING.encode()).hexdigest()}, []),
        ({"start": 34, "end": 51, "quote_sha256": hashlib.sha256(SHIPPING.encode()).hexdigest()}, ["text_changed"]),
    ],
)
def test_each_cause_is_named(entry: dict[str, Any], expected: list[str], library: Library) -> None:
    assert problems(library, path="policy.txt", **entry) == expected


def test_what_an_ellipsis_left_out_is_told_with_its_number_or_negation(library: Library) -> None:
    number = one(library, path="policy.txt", text="Refunds are issued ... Shipping is free.")
    assert number.details == ("left out (number): within 14 days.",)
    negation = one(library, path="policy.txt", text="You must [...] send it back opened.")
    assert negation.details == ("left out (negation): not",)
    assert negation.found_at == (77, 110)


def test_a_changed_number_says_what_the_document_has(library: Library) -> None:
    found = one(library, path="policy.txt", text="Refunds are issued within 30 days.")
    assert (found.found_at, found.like_at, found.like) == (None, (0, 34), POLICY[:34])
    assert found.details == ("30 is 14 there",)


# Where "icon" stands after a mark, two line ends and an emoji: as it is, and as others count.
ICON = {"": 18, "off_by_one": 19, "bom_dropped": 17, "crlf_normalised": 16, "moved": 25}


@pytest.mark.parametrize(("expected", "start"), ICON.items())
def test_a_miscounted_place_is_named(expected: str, start: int, library: Library) -> None:
    found = one(library, path="marks.md", start=start, end=start + 4, text="icon")
    assert found.found_at == (18, 22)
    # Off by one, late, is what UTF-16 units give after one emoji.
    names = {"off_by_one": ["utf16_units"], "": []}.get(expected, [expected])
    assert [problem.value for problem in found.problems] == names


def test_an_accent_that_was_composed_is_named(library: Library) -> None:
    text = "\ufeff# Marks\r\n\r\nThe \U0001f91d icon.\r\n"
    found = one(library, path="marks.md", start=len(text), end=len(text) + 4, text="Caf\u00e9")
    assert (found.problems, found.found_at) == ((Problem.NFC_NFD,), (len(text), len(text) + 5))


def test_bytes_that_were_given_as_characters_are_named(library: Library) -> None:
    start = len("\ufeff# Marks\r\n\r\nThe \U0001f91d ".encode())
    assert problems(library, path="marks.md", start=start, end=start + 4, text="icon") == ["bytes_as_characters"]


def test_another_unit_than_the_one_that_is_told_is_named(library: Library) -> None:
    assert problems(library, path="marks.md", start_byte=18, end_byte=22, text="icon") == ["other_units"]


def test_words_in_another_document_are_found_there(library: Library) -> None:
    found = one(library, path="guide/fruit.md", text=SHIPPING)
    assert (found.problems, found.found_in) == ((Problem.OTHER_SOURCE,), ("docs/policy.txt",))


def test_a_document_that_is_not_there_is_named_and_its_words_are_looked_for(library: Library) -> None:
    found = one(library, path="gone.md", text=SHIPPING)
    assert found.problems == (Problem.SOURCE_MISSING, Problem.OTHER_SOURCE)
    assert problems(library, path="gone.md", text="Nobody ever wrote this down.") == ["source_missing"]


def test_words_without_a_path_are_right_where_they_are_found(library: Library) -> None:
    found = one(library, text="Apples are kept in the cellar")
    assert (found.is_ok, found.path, found.lines) == (True, "guide/fruit.md", (3, 3))


@pytest.mark.parametrize("path", ["guide/fruit.md", "docs/guide/fruit.md", "fruit.md", "./guide/fruit.md", "a/guide/fruit.md"])
def test_a_path_is_known_with_or_without_the_folders_above_it(path: str, library: Library) -> None:
    assert one(library, path=path, text="Apples are kept").path == "guide/fruit.md"


def test_the_nearest_of_several_is_told_with_their_number(project: Project) -> None:
    project.write("a.md", "same\n\nsame\n\nsame\n")
    found = one(Library.of(project.configuration()), path="a.md", start=8, end=12, text="same")
    assert (found.found_at, found.count) == ((6, 10), 3)


def test_every_passage_that_was_cut_is_right_as_it_was_cut(library: Library, project: Project) -> None:
    text = (project.docs / "marks.md").read_bytes().decode("utf-8")
    cut = chunk(text, unit="words", size=3, source="docs", path="marks.md")
    lines = b"".join(wire.encode(wire_citations.chunk_json(passage)) for passage in cut)
    assert all(found.is_ok for found in check(read_citations(lines, "cut.jsonl"), library))


def test_an_answer_of_nescio_is_right_and_so_is_a_passage_by_its_id(project: Project) -> None:
    project.write("fruit.md", "# Fruit\n\nApples are kept in the cellar at four degrees.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    project.write("page.html", "<h1>Pears</h1><p>Pears &amp; plums ripen <b>in</b> a paper bag.</p>")
    project.build()
    library = Library.of(project.configuration())
    with project.engine() as engine:
        answers = [wire.answer_json(engine.ask(text)) for text in ("where are apples kept", "where do pears ripen")]
        found = wire.search_json(engine.search("apples pears"))
    assert [answer["status"] for answer in answers] == ["answered", "answered"]
    for value in (*answers, found):
        results = check(read_citations(json.dumps(value).encode("utf-8"), "answer.json"), library)
        assert [result.problems for result in results] == [()] * len(results)
    quote = answers[0]["quotes"][0]
    assert one(library, passage_id=quote["passage_id"]).is_ok
    assert problems(library, passage_id="a" * 26) == ["id_unknown"]


def test_an_id_is_known_only_while_the_document_is_as_it_was(project: Project) -> None:
    file = project.write("fruit.md", "# Fruit\n\nApples are kept in the cellar.\n")
    project.build()
    with project.engine() as engine:
        quote = wire.search_json(engine.search("apples"))["hits"][0]
    file.write_text("# Fruit\n\nApples are kept in the attic.\n", encoding="utf-8")
    library = Library.of(project.configuration())
    assert problems(library, path="fruit.md", passage_id=quote["passage_id"]) == ["id_unknown"]
    assert "other_version" in problems(library, **quote)


def test_secrets_of_a_document_are_never_told(project: Project) -> None:
    token = "gh" + "p_" + "9fK2mQ7xL4vB8nR1sT6wY3zC5dH0jGaE1pUo"
    project.write("a.md", f"The token for every deployment today is {token} and nothing else here.\n")
    found = one(
        Library.of(project.configuration()), path="a.md", text="The token for every deployment today was x and nothing else"
    )
    assert found.like is not None
    assert token[8:16] not in json.dumps(wire_citations.check_json(found))


# Reading citations

ANSWER = """Apples, they say:

> Apples are kept in the cellar
> at four degrees.

[fruit](docs/guide/fruit.md#L3-L4)

And "Shipping is free." ([policy](docs/policy.txt#L1)), as \u201cReturns need a receipt.\u201d [policy](policy.txt).

> Refunds are issued within 14 days.
> \u2014 [policy](docs/policy.txt)

> Shipping is free.

policy.txt:1

```md
> Not a quote. [x](y.md)
```

"Only words", and "a link elsewhere" [site](https://example.org/a.md).
"""


def test_a_markdown_answer_is_read_by_its_quotes_and_links(library: Library) -> None:
    found = read_citations(ANSWER.encode("utf-8"), "answer.md")
    assert [(one.path, one.pieces[0].ranges[:1]) for one in found] == [
        ("docs/guide/fruit.md", (Range(Unit.LINES, 3, 4),)),
        ("docs/policy.txt", (Range(Unit.LINES, 1, 1),)),
        ("policy.txt", ()),
        ("docs/policy.txt", ()),
        ("policy.txt", (Range(Unit.LINES, 1, 1),)),
    ]
    assert [one.problems for one in check(found, library)] == [()] * 5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"text": "Shipping is free."}'),
        ("a.json", '[{"text": "Shipping is free."}]'),
        ("a.json", '{"citations": [{"text": "Shipping is free."}]}'),
        ("a.jsonl", '{"text": "Shipping is free."}\n\n'),
        ("a.jsonl", '\ufeff[{"text": "Shipping is free."}]'),
        ("a.json", '{"cases": [{"expect": [{"path": "policy.txt", "quotes": ["Shipping is free."]}]}, {"expect": 3}, 4]}'),
        ("standard input", '{"text": "Shipping is free."}\n{"quotes": []}\n'),
        ("standard input", "> Shipping is free.\n"),
    ],
)
def test_citations_are_read_from_many_shapes(name: str, text: str) -> None:
    (found,) = read_citations(text.encode("utf-8"), name)
    assert found.text == SHIPPING


@pytest.mark.parametrize(
    ("name", "text", "code", "said"),
    [
        ("a.json", "[]", "cite-none", "a.json"),
        ("a.md", "Nothing quoted.", "cite-none", "a.md"),
        ("a.jsonl", "", "cite-none", "a.jsonl"),
        ("a.jsonl", '{"text": "a"}\n{"text"\n', "cite-syntax", "line 2"),
        ("a.json", '[\n{"text": "a"},\n}', "cite-syntax", "line 3"),
        ("a.json", "[" * 100_000, "cite-syntax", "line 1"),
        ("a.json", "[3]", "cite-syntax", "entry 1"),
        ("a.json", "3", "cite-syntax", "a.json"),
        ("a.json", '[{"path": "a.md"}]', "cite-syntax", "entry 1"),
        ("a.json", '[{"start": -1, "end": 2}]', "cite-syntax", "`start`"),
        ("a.json", '[{"start": 3, "end": 2}]', "cite-syntax", "3"),
        ("a.json", '[{"start": 3}]', "cite-syntax", "`end`"),
        ("a.json", '[{"start_line": 0}]', "cite-syntax", "start_line"),
        ("a.json", '[{"text": 3}]', "cite-syntax", "`text`"),
        ("a.json", '[{"spans": 3, "text": "a"}]', "cite-syntax", "`spans`"),
        ("a.md", "\xff", "cite-syntax", "line 1"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(name: str, text: str, code: str, said: str) -> None:
    with pytest.raises(UsageFault) as caught:
        read_citations(text.encode("latin-1"), name)
    assert caught.value.code == code
    assert said in caught.value.message


TEXTS_HELD = (
    SHIPPING,
    "four degrees",
    "caf\u00e9 is",
    "a ... b",
    "\ud800",
    "\0",
    "",
    ".",
    "../x",
    "policy.txt",
    "marks.md",
    "docs",
)
TEXT_FIELDS = ("path", "source", "text", "passage_id", "page_path", "document_sha256", "quote_sha256", "basis")
RANGE_FIELDS = ("start", "end", "start_byte", "end_byte", "start_utf16", "end_utf16", "start_line", "end_line")
offsets_held = st.integers(-1, 120)
FIELDS_HELD = {
    **dict.fromkeys(TEXT_FIELDS, st.sampled_from(TEXTS_HELD)),
    **dict.fromkeys(RANGE_FIELDS, offsets_held),
}
entries = st.fixed_dictionaries(
    {},
    optional={
        **FIELDS_HELD,
        "spans": st.lists(st.fixed_dictionaries({"start": offsets_held, "end": offsets_held}), max_size=2) | st.just(3),
    },
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=st.lists(entries, max_size=3))
def test_whatever_is_held_is_checked_or_refused(held: list[dict[str, Any]], library: Library) -> None:
    try:
        found = read_citations(json.dumps(held).encode("utf-8"), "held.json")
    except UsageFault as fault:
        told = fault.code
    else:
        told = ""
        results = check(found, library)
        assert len(results) == len(found)
        Draft202012Validator(wire.schema("cite")).validate(
            json.loads(wire.encode(wire_citations.checks_json("held.json", results)))
        )
    assert told in ("", "cite-none", "cite-syntax")


def test_none_is_not_the_same_as_all_right(library: Library) -> None:
    with pytest.raises(UsageFault) as caught:
        check((), library)
    assert caught.value.code == "cite-none"


@settings(max_examples=200)
@given(st.text(st.sampled_from('>"[](){}:,#L1a.\n\r `~\u201c\u201d'), max_size=80))
def test_any_markdown_is_read_or_refused(text: str) -> None:
    from nescio.citations import markdown

    for found in markdown.citations(text, "a.md"):
        assert found.text


HOSTILE = (
    '"' * 40_000,
    '"a' * 20_000,
    "> " * 30_000,
    "[" * 40_000,
    '"a"[' * 10_000,
    "\u201c" * 20_000,
    "> a\n" * 10_000,
    " " * 40_000,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_answers_take_no_longer_than_their_length(text: str) -> None:
    from nescio.citations import markdown

    started = time.process_time()
    list(markdown.citations(text, "a.md"))
    assert time.process_time() - started < 3


@pytest.mark.parametrize("unit", ["a", "ab", "a ", "1 ", "not ", "... ", "\u0301", "\r"])
def test_hostile_documents_take_no_longer_than_their_length(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    searched = Searched(Document.from_bytes("", "a.md", text.encode("utf-8")))
    started = time.process_time()
    for words in ("b" + unit * 500, unit * 500 + "b", "x ... y", unit * 600):
        searched.locate(Piece((Range(Unit.CODE_POINTS, 7, 9),), words), is_loose=False)
    assert time.process_time() - started < 20


def test_a_thousand_citations_are_checked_in_seconds(project: Project) -> None:
    random = chance.Random(0)
    words = [f"word{number}" for number in range(3000)]
    pages = {f"d{number % 20}/p{number}.md": " ".join(random.choices(words, k=600)) for number in range(300)}
    project.write_all(pages)
    entries = []
    for path, text in list(pages.items())[:250]:
        entries += [
            {"path": path, "start": 10, "end": 90, "text": text[10:90]},
            {"path": path, "start": 11, "end": 91, "text": text[10:90]},
            {"path": "d1/p1.md", "text": text[200:300]},
            {"path": path, "text": " ".join(random.choices(words, k=12))},
        ]
    started = time.process_time()
    found = checked(Library.of(project.configuration()), *entries)
    assert time.process_time() - started < 20
    assert sum(one.is_ok for one in found) == 251


# The command


@pytest.fixture
def folder(library: Library, project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project.root)
    return project.root


def test_the_command_says_what_is_wrong_and_exits_with_1(folder: Path, run_here: Run) -> None:
    held = [{"path": "policy.txt", "start": 36, "end": 53, "text": SHIPPING}, {"text": SHIPPING}]
    (folder / "held.json").write_text(json.dumps(held), encoding="utf-8")
    code, out, err = run_here("cite", "held.json")
    assert (code, err) == (1, "")
    assert "[off_by_one]" in out
    assert "Found at 35 to 52 (line 1)." in out
    assert "2 citations: 1 match, 1 do not." in out
    assert max(map(len, out.split("\n"))) <= 80


def test_the_command_exits_with_0_when_all_match_and_2_when_there_is_none(folder: Path, run_here: Run) -> None:
    (folder / "held.json").write_text(json.dumps([{"text": SHIPPING}]), encoding="utf-8")
    assert run_here("cite", "held.json")[:2] == (0, "1 citation: all match.\n")
    (folder / "held.json").write_text("[]", encoding="utf-8")
    code, out, err = run_here("cite", "held.json", "--json")
    assert (code, out, json.loads(err)["error"]["code"]) == (2, "", "cite-none")


def test_the_command_tells_services_what_is_wrong(folder: Path, run_here: Run) -> None:
    Path("held.jsonl").write_text(json.dumps({"path": "policy.txt", "start": 40, "end": 57, "text": SHIPPING}) + "\n")
    code, out, _ = run_here("cite", "held.jsonl", "--format", "github")
    assert code == 1
    assert "policy.txt,line=1" in out
    assert "(moved)" in out
    assert run_here("cite", "held.jsonl", "--format", "json", "--out", "found.json")[0] == 1
    assert json.loads(Path("found.json").read_text(encoding="utf-8"))["findings"][0]["kind"] == "citation_wrong"


def test_the_command_prints_json_that_keeps_to_its_schema(folder: Path, run_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    held = [
        {"path": "policy.txt", "start": 36, "end": 53, "text": SHIPPING},
        {"path": "policy.txt", "text": "Refunds are issued within 30 days."},
        {"path": "none.md", "text": SHIPPING},
        {"passage_id": "a" * 26},
    ]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(held).encode("utf-8"))))
    code, out, _ = run_here("cite", "-", "--json")
    value = json.loads(out)
    Draft202012Validator(wire.schema("cite")).validate(value)
    assert code == 1
    assert value["citations"][0]["found_at"] == [35, 52]
    assert [one["problems"] for one in value["citations"]] == [
        ["off_by_one"],
        ["number_changed"],
        ["source_missing", "other_source"],
        ["id_unknown"],
    ]


def test_the_schema_lists_every_problem() -> None:
    listed = wire.schema("cite")["properties"]["citations"]["items"]["properties"]["problems"]["items"]["enum"]
    assert listed == [problem.value for problem in Problem]


@pytest.mark.parametrize("against", ["docs/policy.txt", "docs", "copies", "copies/policy.txt"])
def test_citations_are_checked_against_a_folder_or_a_file(against: str, folder: Path, run_here: Run) -> None:
    (folder / "copies").mkdir()
    (folder / "copies" / "policy.txt").write_text(POLICY, encoding="utf-8")
    held = [{"path": "policy.txt", "start": 35, "end": 52, "text": SHIPPING}, {"text": SHIPPING}]
    (folder / "held.json").write_text(json.dumps(held), encoding="utf-8")
    assert run_here("cite", "held.json", "--against", against)[0] == 0


def test_what_is_named_and_not_there_is_an_error(folder: Path, run_here: Run) -> None:
    (folder / "held.json").write_text(json.dumps([{"text": SHIPPING}]), encoding="utf-8")
    (folder / "binary.md").write_bytes(b"a\0b")
    for arguments, fault in (
        (("none.json",), "file-not-found"),
        (("held.json", "--against", "none"), "against-not-found"),
        (("held.json", "--against", "binary.md"), "against-unreadable"),
    ):
        code, _, err = run_here("cite", *arguments, "--json")
        assert (code, json.loads(err)["error"]["code"]) == (2, fault)


def test_from_python_passages_are_cut_and_citations_checked(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    import nescio

    policy = "Refunds are issued within 14 days. Shipping is free. Returns need a receipt."
    project.write("policy.md", policy)
    monkeypatch.chdir(project.docs.parent)
    first, second = nescio.chunk(policy, unit="sentences", size=2, overlap=1)
    assert [(one.place.start, one.place.end) for one in (first, second)] == [(0, 52), (35, 76)]
    late = json.dumps({"path": "policy.md", "start": 40, "end": 57, "text": "Shipping is free."})
    (found,) = nescio.cite(late, "docs")
    assert (found.is_ok, found.found_at, found.count) == (False, (35, 52), 1)
