"""An evaluation as lines for people: how often it was wrong first, then every figure, the checks, and each wrong case."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.answers import SearchedTerm
from nescio.domain.reports import HitExplanation
from nescio.evaluate.measuring.figures import Calibration, Evaluation, RiskPoint
from nescio.evaluate.measuring.gate import Check
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, columns, counted, line, shortened
from nescio.surfaces.reports.rows import (
    TITLES,
    Row,
    WrongCase,
    coverage_rows,
    entry_place,
    error_rows,
    figure_rows,
    percent,
    wrong_cases,
)

SHOWN_HITS = 5  # of the ranking behind a wrong case
LONGEST_QUESTION = 400  # characters of a question that are shown; nobody types more


def evaluation(measured: Evaluation, checks: Sequence[Check], *, explain: bool) -> list[Line]:
    """The whole screen. `explain` adds terms and the first passages to each wrong case."""
    figures = measured.figures
    return [
        *_head(measured),
        BLANK,
        *_table(error_rows(figures), Mark.HEADING),
        *_titled("Figures, each with its 95 % interval", _table(figure_rows(figures))),
        *_titled("Confidence, and the share of questions that are covered in fact", _calibration(figures.calibration)),
        *_titled("Were only the surest questions answered", _coverage(figures.risk_coverage)),
        *_wrong(measured, explain=explain),
        *_titled("Checks", [_check(check) for check in checks]),
        BLANK,
        _end(checks),
    ]


def _head(measured: Evaluation) -> list[Line]:
    asked = counted(len(measured.outcomes), "question")
    of = f"{counted(measured.documents, 'document')} with {counted(measured.passages, 'passage')}"
    faults = [line(f"{counted(measured.figures.faults, 'question')} could not be asked.", Mark.FAULT)]
    return [
        line(f"Asked {asked} of {of}, floor {measured.floor:.2f}", Mark.HEADING),
        Line((Part(measured.file, Mark.PLACE),)),
        *(faults if measured.figures.faults else []),
    ]


def _table(rows: Sequence[Row], mark: Mark = Mark.PLAIN) -> list[Line]:
    width = max((len(row.value) for row in rows), default=0)
    cells = [(row.name, row.value.rjust(width), row.interval, row.counted) for row in rows]
    return [_trimmed(row) for row in columns(cells, marks=(mark, mark, Mark.QUIET, Mark.QUIET))]


def _trimmed(row: Line) -> Line:
    """Without the room for cells that are empty."""
    last = max(place for place, part in enumerate(row.parts) if part.text.strip())
    kept = row.parts[: last + 1]
    return Line((*kept[:-1], Part(kept[-1].text.rstrip(), kept[-1].mark)), row.indent)


def _titled(title: str, lines: list[Line]) -> list[Line]:
    return [BLANK, line(title, Mark.HEADING), *lines] if lines else []


def _calibration(calibration: Calibration | None) -> list[Line]:
    if calibration is None:
        return []
    rows = [
        (
            f"{one.low:.2f} to {one.high:.2f}",
            f"said {percent(one.said):>7}",
            f"covered {percent(one.covered):>7}",
            f"of {one.count:,}",
        )
        for one in calibration.bins
    ]
    return columns(rows, marks=(Mark.PLAIN, Mark.PLAIN, Mark.PLAIN, Mark.QUIET))


def _coverage(points: Sequence[RiskPoint]) -> list[Line]:
    if not points:
        return []
    rows: list[tuple[str, ...]] = []
    for risk, point in coverage_rows(points):
        limit = f"at most {risk * 100:.0f} % wrong"
        if point is None:
            rows.append((limit, "none could be"))
        else:
            rows.append((limit, f"{percent(point.coverage)} answered", f"from a confidence of {point.confidence:.2f}"))
    return columns(rows, marks=(Mark.PLAIN, Mark.PLAIN, Mark.QUIET))


def _wrong(measured: Evaluation, *, explain: bool) -> list[Line]:
    lines: list[Line] = []
    for sort, cases in wrong_cases(measured):
        lines += [BLANK, line(f"{TITLES[sort]}: {len(cases):,}", Mark.HEADING)]
        for case in cases:
            lines += _case(case, measured.file)
            lines += _working(case.outcome) if explain else []
    return lines


def _case(case: WrongCase, file: str) -> list[Line]:
    asked = case.outcome.case
    question = shortened(asked.question, LONGEST_QUESTION)
    head = Line((Part(entry_place(file, case.outcome), Mark.PLACE), Part(f"  {question}")))
    return [BLANK, head, line(case.why, Mark.QUIET, indent=4)]


def _working(outcome: Outcome) -> list[Line]:
    terms = outcome.result.searched.terms if outcome.result else ()
    words = [line("terms: " + ", ".join(map(_term, terms)), indent=4)] if terms else []
    return [*words, *(row for rank, hit in enumerate(outcome.hits[:SHOWN_HITS], 1) for row in _hit(rank, hit))]


def _term(term: SearchedTerm) -> str:
    return f"{term.term} ({term.kind.value}, weight {term.weight:.2f}, in {term.documents:,})"


def _hit(rank: int, hit: HitExplanation) -> list[Line]:
    where = "  " + " > ".join(hit.heading_path)
    parts = f"base {hit.base:.3f}   passage {hit.passage_bm25:.3f}, page {hit.page_bm25:.3f}, "
    parts += f"sentence {hit.sentence:.3f}, window {hit.window:.3f}"
    place = Line((Part(f"{rank:>2}  ", Mark.QUIET), Part(hit.page_path, Mark.PLACE), Part(where)), indent=4)
    return [place, line(parts, Mark.QUIET, indent=8)]


def _check(check: Check) -> Line:
    said = Part("passed  ", Mark.GOOD) if check.passed else Part("FAILED  ", Mark.FAULT)
    return Line((said, Part(check.sentence), Part(f" [{check.name}]", Mark.QUIET)))


def _end(checks: Sequence[Check]) -> Line:
    failed = sum(not check.passed for check in checks)
    if failed:
        return line(f"Failed: {failed} of {counted(len(checks), 'check')}.", Mark.FAULT)
    return line("Passed.", Mark.GOOD)
