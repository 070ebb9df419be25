"""The screens for people: the docs' words as they stand, then where they are from, how sure it is, and what to do next."""

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len

from nescio.config.model import Settings
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
from nescio.domain.reports import BuildReport, Ranked, SearchResult, SourceStatus, Status
from nescio.domain.views import DocsVersion
from nescio.errors import NotFoundFault
from nescio.surfaces.cli import output, render_answers, render_reports
from nescio.surfaces.cli.layout import Line

CODE = "Use it so:\n\n```python\nif ready:\n\tstart()  # [bold]now[/bold]\n```"
QUOTE = Quote(
    text=CODE,
    basis=Basis.VERBATIM,
    spans=(QuotedSpan(0, 5, 36, 41, 0, 5, 0, 5, "guide/start.md", "0" * 64),),
    passage_id="a" * 26,
    source="docs",
    path="guide/start.md",
    page_path="guide/start.md",
    version=None,
    title="Start",
    heading_path=("Start", "First steps"),
    url="https://docs.example.org/guide/start/#first-steps",
    document_sha256="0" * 64,
    quote_sha256="1" * 64,
    base=0.7,
    preference=1.0,
)
SEARCHED = Searched(
    documents=153,
    passages=1402,
    terms=(
        SearchedTerm("quantum", 0, TermKind.UNKNOWN, 5.0),
        SearchedTerm("flux", 3, TermKind.CONTENT, 4.0),
        SearchedTerm("flow", 9, TermKind.EXPANSION, 0.3),
    ),
    dropped=("what", "is"),
    unknown=("quantum",),
    expanded=("flow",),
    floor=0.5,
    best=0.41,
    filters=("under:guide",),
    versions=("1.2",),
    index_id="f" * 64,
)
NEAR = Related(
    *("b" * 26, "docs", "guide/flux.md", None, "Flux", ("Flux", "Units"), 12, None, 0.41),
    missing=("quantum",),
    present=("flux",),
    first_words="Flux is told in webers.",
)
ANSWER = Answer(
    question="how do I strat",
    confidence=0.58,
    base=0.7,
    floor=0.5,
    quotes=(QUOTE,),
    related=(NEAR,),
    corrections=(Change("strat", "start"),),
    suggestions=(),
    warnings=(AnswerWarning("stale", "guide/start.md has changed since it was indexed."),),
    withheld=3,
    searched=SEARCHED,
    more=(replace(NEAR, path="guide/more.md"),),
)
REFUSAL = Refusal(
    question="what is quantum flux",
    reason=Reason.UNKNOWN_WORDS,
    message="One of the two words that matter stands on no page.",
    confidence=0.1,
    base=0.41,
    floor=0.5,
    related=(NEAR,),
    corrections=(),
    suggestions=(Change("quantum", "quanta"),),
    warnings=(),
    searched=SEARCHED,
)
REPORT = BuildReport("id", "g", 3, 9, 1, 1, 1, 1, 0, (Notice("not-utf8", "bad.md", 0, "byte 6 is not UTF-8"),), (), 1.234)


def plain(lines: list[Line]) -> str:
    return "".join(" " * shown.indent + "".join(part.text for part in shown.parts) + "\n" for shown in lines)


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def drawn(lines: list[Line], monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    for name, value in {"COLUMNS": "80", "TERM": "xterm-256color", "NO_COLOR": "", **environment}.items():
        monkeypatch.setenv(name, value)
    stream = Terminal()
    monkeypatch.setattr("sys.stdout", stream)
    output.print_result(lines)
    return stream.getvalue()


def test_a_quote_stands_as_in_the_source_between_its_heading_and_its_place() -> None:
    shown = plain(render_answers.answer(ANSWER))
    assert shown.startswith(f"Start > First steps\n\n{CODE}\n\nguide/start.md:36-41\nhttps://docs.example.org/")


def test_an_answer_says_how_sure_it_is_what_was_read_as_what_and_what_is_withheld() -> None:
    shown = plain(render_answers.answer(ANSWER))
    assert "Confidence 58 % (low)" in shown
    assert 'Read "strat" as "start".' in shown
    assert "Warning: guide/start.md has changed since it was indexed. [stale]" in shown
    more = "More in the documentation:\n  guide/more.md:12  Flux > Units\n  ... and 2 more: --limit 4 shows them.\n"
    assert shown.endswith(more)
    assert "webers" not in shown


def test_an_answer_that_leaves_nothing_out_ends_with_how_sure_it_is() -> None:
    shown = plain(render_answers.answer(replace(ANSWER, withheld=0, more=())))
    assert shown.split("\n")[-2].startswith("Confidence ")
    assert "and 0 more" not in plain(render_answers.answer(replace(ANSWER, withheld=1)))


def test_a_limit_that_is_offered_can_be_given() -> None:
    assert "--limit 20 shows" in plain(render_answers.answer(replace(ANSWER, withheld=500)))
    assert Settings(limit=render_answers.MOST_QUOTES).limit == render_answers.MOST_QUOTES
    with pytest.raises(ValueError, match="20"):
        Settings(limit=render_answers.MOST_QUOTES + 1)


@pytest.mark.parametrize(("confidence", "word"), [(0.8, "high"), (0.6, "fair"), (0.59, "low")])
def test_confidence_has_a_word(confidence: float, word: str) -> None:
    assert f"% ({word})" in plain(render_answers.answer(replace(ANSWER, confidence=confidence)))


def test_an_included_file_is_cited_with_its_page_and_all_its_lines() -> None:
    file = ("src/app.py", "0" * 64)
    spans = (QuotedSpan(0, 5, 3, 3, 0, 5, 0, 5, *file), QuotedSpan(9, 12, 7, 9, 9, 12, 9, 12, *file))
    included = replace(QUOTE, path="src/app.py", spans=spans, url=None, version="1.2")
    shown = plain(render_answers.answer(replace(ANSWER, quotes=(included,))))
    assert "src/app.py:3,7-9  on the page guide/start.md  version 1.2\n" in shown


def test_a_quote_of_several_files_is_cited_file_by_file_the_page_first() -> None:
    code = QuotedSpan(0, 5, 1, 4, 0, 5, 0, 5, "src/app.py", "2" * 64)
    after = replace(QUOTE.spans[0], start=50, end=60, start_line=45, end_line=46)
    both = replace(QUOTE, spans=(code, QUOTE.spans[0], code, after), version="1.2")
    shown = plain(render_answers.answer(replace(ANSWER, quotes=(both,))))
    page, file = "guide/start.md:36-41,45-46  version 1.2", "src/app.py:1-4  on the page guide/start.md"
    assert f"{page}\n{file}\nhttps://docs.example.org/" in shown


def test_sources_are_named_where_there_is_more_than_one() -> None:
    assert "source docs" not in plain(render_answers.answer(ANSWER))
    two = replace(ANSWER, quotes=(QUOTE, replace(QUOTE, source="api")))
    assert "source api" in plain(render_answers.answer(two))


def test_a_refusal_starts_with_a_clear_sentence_and_shows_its_work() -> None:
    shown = plain(render_answers.refusal(REFUSAL))
    assert shown.startswith("The documentation does not cover this, as far as its words show.\nOne of the two words")
    for part in (
        "Searched 153 documents, 1,402 passages.",
        "flux (3)",
        "in no page  quantum",
        "also tried  flow",
        "left out    what, is",
        "filters     under:guide",
        "versions    1.2",
        "0.41, and an answer needs 0.50",
        'Did you mean "quanta" where you wrote "quantum"?',
        "Nearest places, not an answer:\n  guide/flux.md:12  Flux > Units\n    Flux is told in webers.\n"
        "    has: flux; has not: quantum\n",
    ):
        assert part in shown


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_its_sentence(reason: Reason) -> None:
    first = plain(render_answers.refusal(replace(REFUSAL, reason=reason))).split("\n")[0]
    assert first.endswith(".")


def test_search_results_are_marked_and_cut_short() -> None:
    shown = plain(render_answers.search(SearchResult("start", (Ranked(QUOTE, 1),), "id")))
    assert shown.startswith("Ranked passages, no floor applied: related text, not an answer.\n")
    assert "if ready:\n...\nguide/start.md:36-41" in shown
    assert "No passage" in plain(render_answers.search(SearchResult("start", (), "id")))


def test_a_build_lists_what_was_skipped_and_why() -> None:
    shown = plain(render_reports.build(REPORT, ".nescio"))
    assert shown.startswith("Indexed 3 files, 9 passages in 1.2 s, 1 skipped.\n1 added, 1 changed, 1 removed, 1 unchanged\n")
    assert "  bad.md  byte 6 is not UTF-8 [not-utf8]\n" in shown


def test_a_long_list_of_skipped_files_is_cut_and_says_so() -> None:
    many = replace(REPORT, skipped=REPORT.skipped * 25)
    shown = plain(render_reports.build(many, ".nescio"))
    assert shown.count("bad.md") == render_reports.SHOWN_NOTICES
    assert "... and 5 more" in shown


@pytest.mark.parametrize(("count", "shown"), [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (155_123_456, "155.1 MB")])
def test_sizes_are_readable(count: int, shown: str) -> None:
    assert render_reports.size(count) == shown


def test_status_says_what_to_do_about_changes() -> None:
    state = Status("i", "id", "g", 1, "a", 1, 2, 3, 4, (SourceStatus("docs", "docs", 1, 2, 0),))
    assert "2 changed since" in plain(render_reports.status(state))
    assert "nescio build" in plain(render_reports.status(state))
    fresh = replace(state, sources=(SourceStatus("docs", "docs", 1, 0, 0),))
    assert "nescio build" not in plain(render_reports.status(fresh))
    assert "versions" not in plain(render_reports.status(fresh))
    versions = (DocsVersion("2.1", ("latest",), is_default=True), DocsVersion("2.0"))
    assert "2.1 (latest, default), 2.0" in plain(render_reports.status(replace(fresh, versions=versions)))


def test_on_a_terminal_a_quote_keeps_every_character(monkeypatch: pytest.MonkeyPatch) -> None:
    long = replace(QUOTE, text=CODE + "\n" + "word " * 60 + "\n\n\x1b[2Jtail  ")
    shown = drawn(render_answers.answer(replace(ANSWER, quotes=(long,))), monkeypatch)
    assert CODE + "\n" + "word " * 60 + "\n\n\\x1b[2Jtail  \n" in shown


def test_on_a_terminal_everything_but_the_quote_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    far = replace(NEAR, heading_path=("Flux", "Units " * 30))
    for lines in (render_answers.refusal(replace(REFUSAL, related=(far,))), render_reports.build(REPORT, "folder/" * 30)):
        shown = drawn(lines, monkeypatch, NO_COLOR="1")
        assert max(cell_len(row) for row in shown.split("\n")) <= 80


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_reaches_a_terminal_without_colours(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = render_answers.answer(ANSWER) + render_answers.fault(NotFoundFault("no-index", "There is none.", "Build it."))
    assert "\x1b" not in drawn(lines, monkeypatch, **environment)


def test_a_terminal_with_colours_gets_them_and_markup_in_documents_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = replace(QUOTE, heading_path=("[red]Start[/red] :smile:",))
    shown = drawn(render_answers.answer(replace(ANSWER, quotes=(marked,))), monkeypatch)
    assert "\x1b[" in shown
    assert "[red]Start[/red] :smile:" in shown


def test_blank_lines_are_there_on_a_terminal_too(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = render_answers.answer(ANSWER)
    assert drawn(lines, monkeypatch, NO_COLOR="1").count("\n\n") == plain(lines).count("\n\n")
