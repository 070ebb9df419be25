"""The report of an evaluation: one page that needs nothing else, no script, no font, no connection."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from nescio.evaluate.measuring.figures import Calibration, Evaluation, RiskPoint
from nescio.evaluate.measuring.gate import Check
from nescio.evaluate.measuring.outcomes import Verdict
from nescio.evaluate.measuring.verdicts import is_wrong
from nescio.evaluate.metrics.shares import Share
from nescio.evaluate.questions.reading import LISTS
from nescio.surfaces.reports import svg
from nescio.surfaces.reports.markup import Markup, tag, text
from nescio.surfaces.reports.rows import (
    TITLES,
    UNKNOWN,
    Row,
    WrongCase,
    coverage_rows,
    error_rows,
    figure_rows,
    percent,
    wrong_cases,
)

# Nothing is fetched or run, whatever a question or a document holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_EXPLAINED = {
    Verdict.WRONGLY_ANSWERED: "The documents do not cover these, and something was quoted all the same.",
    Verdict.WRONG_PAGE: "These are covered, and what was quoted stands on another page than the file names.",
    Verdict.WRONGLY_REFUSED: "The documents cover these, and no passage reached the floor.",
    Verdict.FAULT: "These were not asked at all.",
}


def html(evaluation: Evaluation, checks: Sequence[Check]) -> bytes:
    """The page as UTF-8. The same evaluation gives the same bytes: no time and no path but the file's as it was named."""
    page = tag(
        "html",
        _head(f"nescio eval: {evaluation.file}"),
        tag("body", _header(evaluation, checks), tag("main", *_sections(evaluation, checks))),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{page}\n".encode()


def _head(title: str) -> Markup:
    style = files("nescio.surfaces.reports").joinpath("report.css").read_text("utf-8")
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", text(title)),
        tag("style", Markup(style)),
    )


def _header(evaluation: Evaluation, checks: Sequence[Check]) -> Markup:
    failed = sum(not check.passed for check in checks)
    said = f"Failed: {failed} of {len(checks)} checks" if failed else "Passed"
    about = (
        ("Questions", f"{len(evaluation.outcomes):,}"),
        ("Documents", f"{evaluation.documents:,}"),
        ("Passages", f"{evaluation.passages:,}"),
        ("Floor", f"{evaluation.floor:.2f}"),
        ("Index", evaluation.index_id[:12]),
    )
    return tag(
        "header",
        tag("p", text("nescio eval"), class_="kind"),
        tag("h1", text(evaluation.file)),
        tag("p", text(said), class_=f"verdict {'bad' if failed else 'good'}"),
        tag("dl", *(tag("div", tag("dt", text(name)), tag("dd", text(value))) for name, value in about)),
    )


def _sections(evaluation: Evaluation, checks: Sequence[Check]) -> list[Markup]:
    return [
        _errors(evaluation),
        _checks(checks),
        _plots(evaluation),
        _figures(evaluation),
        _wrong(evaluation),
    ]


def _errors(evaluation: Evaluation) -> Markup:
    figures = evaluation.figures
    wrongly_answered, wrongly_refused = error_rows(figures)
    return tag(
        "section",
        tag("h2", text("The two ways to be wrong")),
        tag(
            "div",
            _card(wrongly_answered, figures.wrongly_answered),
            _card(wrongly_refused, figures.wrongly_refused),
            class_="cards",
        ),
    )


def _card(row: Row, share: Share) -> Markup:
    if not share.of:
        absent = tag("p", text("The file has no such question."), class_="quiet")
        return tag("div", tag("h3", text(row.name)), tag("p", text(UNKNOWN), class_="big"), absent, class_="card")
    low, high = share.interval
    return tag(
        "div",
        tag("h3", text(row.name)),
        tag("p", text(row.value), class_="big"),
        svg.interval(share.value, low, high),
        tag("p", text(f"{row.counted}; true rate {row.interval} (95 %)"), class_="quiet"),
        class_="card",
    )


def _checks(checks: Sequence[Check]) -> Markup:
    rows = [
        tag(
            "tr",
            tag("td", text("passed" if check.passed else "failed"), class_="nowrap good" if check.passed else "nowrap bad"),
            tag("th", text(check.name), scope="row"),
            tag("td", text(check.sentence)),
        )
        for check in checks
    ]
    return _section("Checks", _table("What has to hold for the run to pass", ("Result", "Check", "What was found"), rows))


def _plots(evaluation: Evaluation) -> Markup:
    figures = evaluation.figures
    plots = [
        _plot(
            "How far apart the two sorts are",
            svg.histograms(evaluation.outcomes, evaluation.floor),
            "The best evidence found for each question. Strong bars are on the wrong side of the floor: "
            "the less the two sorts overlap, the better a floor can tell them apart.",
        )
    ]
    if figures.risk_coverage:
        plots.append(
            _plot(
                "Risk and coverage",
                svg.risk_coverage(figures.risk_coverage, _here(evaluation)),
                "Were only the surest questions answered: how many answers would be wrong. Lower is better.",
                _coverage_table(figures.risk_coverage),
            )
        )
    if figures.calibration is not None:
        plots.append(
            _plot(
                "Calibration",
                svg.reliability(figures.calibration),
                "How often questions of one confidence are covered. On the diagonal, confidence means what it says; "
                "both sorts weigh equally.",
                _reliability_table(figures.calibration),
            )
        )
    return tag("section", tag("h2", text("Plots")), tag("div", *plots, class_="plots"))


def _plot(title: str, drawn: Markup, said: str, *more: Markup) -> Markup:
    return tag(
        "figure", tag("div", drawn), tag("figcaption", tag("h3", text(title)), tag("p", text(said), class_="quiet"), *more)
    )


def _coverage_table(points: Sequence[RiskPoint]) -> Markup:
    rows = []
    for risk, point in coverage_rows(points):
        cells = ("none", UNKNOWN) if point is None else (percent(point.coverage), f"{point.confidence:.2f}")
        rows.append(_row(f"{risk * 100:.0f} %", *cells))
    return _numbers("Most that could be answered", ("Wrong at most", "Answered", "Confidence from"), rows)


def _reliability_table(calibration: Calibration) -> Markup:
    rows = [
        _row(f"{one.low:.2f} to {one.high:.2f}", f"{one.count:,}", percent(one.said), percent(one.covered))
        for one in calibration.bins
    ]
    return _numbers("Said and covered", ("Confidence", "Questions", "Said", "Covered"), rows)


def _numbers(caption: str, heads: Sequence[str], rows: Sequence[Markup]) -> Markup:
    shown = _table(caption, heads, rows, "numbers")
    return tag("details", tag("summary", text("As a table")), shown)


def _figures(evaluation: Evaluation) -> Markup:
    rows = [
        tag(
            "tr",
            tag("th", text(row.name), scope="row"),
            tag("td", tag("b", text(row.value)), tag("span", text(row.interval), class_="interval"), class_="number"),
            tag("td", text(row.counted), class_="number"),
        )
        for row in (*error_rows(evaluation.figures), *figure_rows(evaluation.figures))
    ]
    caption = f"Every figure with its 95 % interval; {UNKNOWN} where the question file does not say what is needed"
    return _section("Figures", _table(caption, ("Figure", "Value", "Counted"), rows))


def _wrong(evaluation: Evaluation) -> Markup:
    sorts = wrong_cases(evaluation)
    if not sorts:
        return _section("Wrong cases", tag("p", text("There are none.")))
    tables = [
        _table(
            f"{TITLES[sort]} ({len(cases):,}). {_EXPLAINED[sort]}",
            ("Entry" if evaluation.file.lower().endswith(LISTS) else "Line", "Question and why", "Evidence"),
            [_case(case) for case in cases],
            "cases",
        )
        for sort, cases in sorts
    ]
    return _section("Wrong cases", *tables)


def _case(case: WrongCase) -> Markup:
    outcome = case.outcome
    return tag(
        "tr",
        tag("th", text(str(outcome.case.line or outcome.case.id)), scope="row"),
        tag("td", tag("p", text(outcome.case.question), class_="question"), tag("p", text(case.why), class_="quiet")),
        tag("td", text(f"{outcome.base:.2f}" if outcome.result else UNKNOWN), class_="number"),
    )


def _here(evaluation: Evaluation) -> tuple[float, float]:
    """The share that was answered, and of that the share that should not have been or is from no right page."""
    answered = [outcome for outcome in evaluation.outcomes if outcome.is_answered]
    wrong = sum(is_wrong(outcome) for outcome in answered)
    return len(answered) / max(1, len(evaluation.outcomes)), wrong / max(1, len(answered))


def _section(title: str, *parts: Markup) -> Markup:
    return tag("section", tag("h2", text(title)), *parts)


def _table(caption: str, heads: Sequence[str], rows: Sequence[Markup], kind: str = "") -> Markup:
    head = tag("thead", tag("tr", *(tag("th", text(name), scope="col") for name in heads)))
    return tag("table", tag("caption", text(caption)), head, tag("tbody", *rows), class_=kind or "plain")


def _row(name: str, *cells: str) -> Markup:
    return tag("tr", tag("th", text(name), scope="row"), *(tag("td", text(cell), class_="number") for cell in cells))
