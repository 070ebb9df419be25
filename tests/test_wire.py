"""The JSON that programs rely on: it keeps to the schemas that are shipped, whatever the values are."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from nescio.config.loading import load
from nescio.domain.answers import (
    Answer,
    AnswerWarning,
    Change,
    Quote,
    QuotedSpan,
    Reason,
    Refusal,
    Related,
    Searched,
    SearchedTerm,
    TermKind,
)
from nescio.domain.documents import Basis, Notice
from nescio.domain.reports import (
    BuildReport,
    Explanation,
    HitExplanation,
    Ranked,
    SearchResult,
    SourceStatus,
    Status,
)
from nescio.domain.views import DocsVersion
from nescio.errors import ConfigFault
from nescio.surfaces import wire

texts = st.text(st.characters(exclude_categories=[]), max_size=20)  # lone surrogates too
scores = st.floats(-10, 10)
shares = st.floats(0, 1)
counts = st.integers(0, 10**12)
lines = st.integers(1, 10**6)
hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
ids = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=26, max_size=26)


def several(of: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, min_size=least, max_size=2).map(tuple)


places = st.builds(QuotedSpan, counts, counts, lines, lines, counts, counts, counts, counts, texts, hashes)
quotes = st.builds(
    Quote,
    text=texts,
    basis=st.sampled_from(Basis),
    spans=several(places, 1),
    highlights=several(places),
    unfilled=several(texts),
    passage_id=ids,
    source=texts,
    path=texts,
    page_path=texts,
    version=st.none() | texts,
    title=texts,
    heading_path=several(texts),
    url=st.none() | texts,
    document_sha256=hashes,
    quote_sha256=hashes,
    base=scores,
    preference=scores,
)
related = st.builds(
    Related,
    passage_id=ids,
    source=texts,
    path=texts,
    version=st.none() | texts,
    title=texts,
    heading_path=several(texts),
    start_line=lines,
    url=st.none() | texts,
    base=scores,
    missing=several(texts),
    present=several(texts),
    first_words=texts,
)
changes = several(st.builds(Change, texts, texts))
warnings = several(st.builds(AnswerWarning, texts, texts))
searched = st.builds(
    Searched,
    documents=counts,
    passages=counts,
    terms=several(st.builds(SearchedTerm, texts, counts, st.sampled_from(TermKind), scores)),
    dropped=several(texts),
    unknown=several(texts),
    expanded=several(texts),
    floor=scores,
    best=scores,
    filters=several(texts),
    versions=several(texts),
    index_id=texts,
)
shared = {
    "question": texts,
    "confidence": shares,
    "base": scores,
    "floor": scores,
    "related": several(related),
    "corrections": changes,
    "suggestions": changes,
    "warnings": warnings,
    "searched": searched,
    "message": texts,
}
answers = st.builds(Answer, **shared, quotes=several(quotes, 1), withheld=counts, more=several(related))
refusals = st.builds(Refusal, **shared, reason=st.sampled_from(Reason))
results = answers | refusals
notices = several(st.builds(Notice, texts, texts, counts, texts))
reports = st.builds(BuildReport, texts, texts, *[counts] * 7, skipped=notices, notices=notices, seconds=st.floats(0, 1e6))
statuses = st.builds(
    Status,
    texts,
    texts,
    texts,
    counts,
    texts,
    *[counts] * 4,
    sources=several(st.builds(SourceStatus, texts, texts, *[counts] * 3)),
    versions=several(st.builds(DocsVersion, texts, several(texts), st.booleans())),
)
hits = st.builds(HitExplanation, ids, texts, texts, texts, several(texts), *[scores] * 7)
explanations = st.builds(Explanation, results, scores, scores, several(hits))
searches = st.builds(SearchResult, texts, several(st.builds(Ranked, quotes, lines)), texts)


def validate(name: str, value: object) -> None:
    """The value keeps to the schema once it went through the bytes that are printed."""
    for indented in (False, True):
        Draft202012Validator(wire.schema(name)).validate(json.loads(wire.encode(value, indented=indented)))


@pytest.mark.parametrize("name", wire.SCHEMAS)
def test_every_schema_is_a_valid_schema_that_asks_for_all_that_it_lists(name: str) -> None:
    Draft202012Validator.check_schema(wire.schema(name))
    waiting: list[Any] = [wire.schema(name)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, dict):
            if part.get("type") == "object":
                assert set(part["properties"]) - set(part["required"]) <= {"explanation", "display"}
                assert part["additionalProperties"] is True
            waiting.extend(part.values())


def test_the_schema_lists_every_enum() -> None:
    answer = wire.schema("answer")
    parts = answer["$defs"]
    assert answer["properties"]["reason"]["enum"] == [None, *(reason.value for reason in Reason)]
    assert answer["properties"]["status"]["enum"] == ["answered", "refused"]
    assert answer["properties"]["mode"]["enum"] == [wire.MODE]
    assert parts["quote"]["properties"]["basis"]["enum"] == [basis.value for basis in Basis]
    assert parts["quote"]["properties"]["trust"] == {**parts["quote"]["properties"]["trust"], "const": wire.TRUST}
    assert parts["term"]["properties"]["kind"]["enum"] == [kind.value for kind in TermKind]


def test_a_quote_is_described_alike_in_every_schema() -> None:
    quote = {**wire.schema("answer")["$defs"]["quote"]["properties"]}
    del quote["display"]  # only where it was asked for
    shown = wire.schema("show")["properties"]
    found = wire.schema("search")["properties"]["hits"]["items"]["properties"]
    around = wire.schema("passage")["properties"]
    assert {name: shown[name] for name in quote} == quote
    assert {name: found[name] for name in quote} == quote
    assert {name: around[name] for name in quote} == quote


@settings(max_examples=60, deadline=None)
@given(results)
def test_every_answer_and_refusal_keeps_to_the_schema(result: Answer | Refusal) -> None:
    validate("answer", wire.answer_json(result))


@settings(max_examples=30, deadline=None)
@given(answers, refusals)
def test_an_answer_and_a_refusal_have_the_same_keys(answer: Answer, refusal: Refusal) -> None:
    answered, refused = wire.answer_json(answer), wire.answer_json(refusal)
    assert list(answered) == list(refused)
    assert (answered["status"], answered["reason"]) == ("answered", None)
    assert (refused["status"], refused["quotes"], refused["withheld"], refused["more"]) == ("refused", [], 0, [])
    assert refused["mode"] == "excerpt"
    assert refused["reason"] == refusal.reason.value


@settings(max_examples=30, deadline=None)
@given(explanations, searches, quotes, statuses, reports)
def test_every_other_output_keeps_to_its_schema(
    explanation: Explanation, search: SearchResult, quote: Quote, status: Status, report: BuildReport
) -> None:
    validate("answer", wire.explanation_json(explanation))
    validate("search", wire.search_json(search))
    validate("show", wire.quote_json(quote))
    validate("status", wire.status_json(status))
    validate("build", wire.build_json(report))


def test_settings_faults_and_a_written_file_keep_to_their_schemas(tmp_path: Path) -> None:
    configuration = load(tmp_path, environ={}, flags={"floor": 0.25}, docs=[tmp_path])
    shown = wire.config_json(configuration, "index")
    validate("config", shown)
    assert {"floor": (0.25, "flag --floor"), "limits.max_include_depth": (5, "default")}.items() <= {
        setting["key"]: (setting["value"], setting["origin"]) for setting in shown["settings"]
    }.items()
    validate("fault", wire.fault_json(ConfigFault("unknown-key", "No such key.", "Did you mean floor?")))
    validate("init", wire.init_json("nescio.toml"))


EXAMPLE = Answer(
    question="what is [it]\ud800?",
    confidence=0.6,
    base=0.7,
    floor=0.5,
    quotes=(
        Quote(
            text="The 🤝 icon — 共有.\u2028\x1b[31m\n\tend\u202e",
            basis=Basis.VERBATIM,
            spans=(QuotedSpan(1, 5, 2, 3, 1, 7, 1, 6, "e.md", "0" * 64),),
            passage_id="a" * 26,
            source="docs",
            path="e.md",
            page_path="e.md",
            version=None,
            title="E",
            heading_path=("E", "Icons"),
            url=None,
            document_sha256="0" * 64,
            quote_sha256="1" * 64,
            base=0.7,
            preference=1.0,
            highlights=(QuotedSpan(1, 3, 2, 2, 1, 3, 1, 3, "e.md", "0" * 64),),
        ),
    ),
    related=(),
    corrections=(Change("icno", "icon"),),
    suggestions=(),
    warnings=(),
    withheld=2,
    searched=Searched(1, 2, (SearchedTerm("icon", 1, TermKind.CONTENT, 1.5, "icons"),), (), (), (), 0.5, 0.7, (), (), "abc"),
)


def test_null_fields_are_there_and_words_are_from_and_to() -> None:
    shown = wire.answer_json(EXAMPLE)
    assert shown["schema_version"] == 1
    assert shown["corrections"] == [{"from": "icno", "to": "icon"}]
    (quote,) = shown["quotes"]
    named = {"path": "e.md", "document_sha256": "0" * 64}
    assert [{name: span[name] for name in named} for span in quote["spans"]] == [named]
    assert [(mark["start"], mark["end"], mark["path"]) for mark in quote["highlights"]] == [(1, 3, "e.md")]
    assert (shown["quotes"][0]["url"], shown["quotes"][0]["version"], shown["quotes"][0]["trust"]) == (None, None, "untrusted")
    assert shown["searched"]["terms"] == [{"term": "icon", "word": "icons", "documents": 1, "kind": "content"}]


def test_json_is_utf8_and_exact_and_holds_nothing_that_a_terminal_obeys() -> None:
    printed = wire.encode(wire.answer_json(EXAMPLE))
    assert "🤝 icon — 共有" in printed.decode("utf-8")
    assert json.loads(printed)["quotes"][0]["text"] == EXAMPLE.quotes[0].text
    assert json.loads(printed)["question"] == EXAMPLE.question
    for hidden in ("\x1b", "\u202e", "\u2028"):
        assert hidden.encode() not in printed


def test_one_line_or_indented_by_two() -> None:
    assert wire.encode({"a": [1]}) == b'{"a": [1]}\n'
    assert wire.encode({"a": [1]}, indented=True) == b'{\n  "a": [\n    1\n  ]\n}\n'
    assert len(wire.encode(wire.answer_json(EXAMPLE)).decode().splitlines()) == 1


def test_a_score_that_is_not_a_number_is_never_printed() -> None:
    with pytest.raises(ValueError, match="JSON"):
        wire.encode(wire.answer_json(replace(EXAMPLE, base=float("nan"))))
