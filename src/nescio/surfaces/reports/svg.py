"""The plots of an evaluation as inline SVG: no script, no font, no colour of their own (report.css has those)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nescio.evaluate.measuring.figures import Calibration, ReliabilityBin, RiskPoint
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.surfaces.reports.markup import Markup, joined, tag, text
from nescio.surfaces.reports.rows import percent

WIDTH, HEIGHT = 460, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 16, 22, 46  # room for the labels around a plot
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_TOPS = (0.1, 0.2, 0.5, 1.0)  # where the axis of the risk may end: what is low is read off large
BINS = 20  # of the histogram: .05 wide, as fine as a few hundred questions fill
MOST_POINTS = 400  # of a curve: about one for each pixel
_STRIP = 46  # height of the strip with the sizes of the bins
_DOT = 5.0


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where a plot stands, and the value at the top of its upright axis."""

    top: float = _TOP
    bottom: float = HEIGHT - _BOTTOM
    most: float = 1.0

    def x(self, value: float) -> float:
        """From 0..1 to the drawing."""
        return _LEFT + value * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        """From 0..most to the drawing, upwards."""
        return self.bottom - value / self.most * (self.bottom - self.top)


def risk_coverage(points: Sequence[RiskPoint], here: tuple[float, float]) -> Markup:
    """Share of wrong answers over the share of questions answered; `here` is (coverage, risk) at the floor in force."""
    axes = _Axes(most=_top([*(point.risk for point in points), here[1]]))
    line = _path((axes.x(point.coverage), axes.y(point.risk)) for point in _thinned(points))
    first, last = axes.x(points[0].coverage), axes.x(points[-1].coverage)
    area = f"{line} L{last:.1f} {axes.bottom:.1f} L{first:.1f} {axes.bottom:.1f} Z"
    x, y = axes.x(here[0]), axes.y(here[1])
    is_right = here[0] > 0.6
    said = f"{percent(here[1])} wrong"
    return _figure(
        "Risk and coverage",
        f"At the floor in force {percent(here[0])} of the questions are answered, and {percent(here[1])} of these wrongly.",
        _grid(axes, "share of questions answered", "wrong among them"),
        tag("path", d=area, class_="area"),
        tag("path", d=line, class_="curve"),
        tag("line", x1=x, x2=x, y1=axes.top, y2=axes.bottom, class_="floor"),
        tag("circle", cx=x, cy=y, r=_DOT, class_="here"),
        _label(x - 9 if is_right else x + 9, axes.top + 14, "at this floor", "end" if is_right else "start", "note"),
        _label(x - 9 if is_right else x + 9, axes.top + 31, said, "end" if is_right else "start", "note strong"),
    )


def reliability(calibration: Calibration) -> Markup:
    """What was covered over what was said, a dot for each bin, with its distance from the diagonal; below it the sizes."""
    axes = _Axes(bottom=HEIGHT - _BOTTOM - _STRIP - 8)
    diagonal = tag("line", x1=axes.x(0), y1=axes.y(0), x2=axes.x(1), y2=axes.y(1), class_="diagonal")
    bins = [one for one in calibration.bins if one.count]
    told = "; ".join(f"said {percent(one.said)}, covered {percent(one.covered)}, {one.count:,} questions" for one in bins)
    return _figure(
        "Calibration",
        f"{told}. Expected calibration error {calibration.error.value:.3f}.",
        _grid(axes, "confidence that was said", "covered in fact", below=_STRIP + 8),
        diagonal,
        *(_bin(axes, one) for one in bins),
        _path_through(axes, bins),
        _sizes(axes, bins),
    )


def histograms(outcomes: Sequence[Outcome], floor: float) -> Markup:
    """How many questions had which evidence: covered ones upwards, the others downwards, the wrong side of the floor strong."""
    asked = [outcome for outcome in outcomes if outcome.result is not None]
    counts = {
        (covered, answered): _counts(one.base for one in asked if (one.case.answerable, one.is_answered) == (covered, answered))
        for covered in (True, False)
        for answered in (True, False)
    }
    most = max(1, *(a + b for sort in (True, False) for a, b in zip(counts[sort, True], counts[sort, False], strict=True)))
    middle = (_TOP + HEIGHT - _BOTTOM) / 2
    up, down = _Axes(bottom=middle, most=most), _Axes(top=HEIGHT - _BOTTOM, bottom=middle, most=most)
    whole = _Axes()
    x = whole.x(floor)
    is_right = floor > 0.8
    return _figure(
        "Evidence of both sorts",
        f"{_told(asked, covered=True)}; {_told(asked, covered=False)}. The floor is {floor:.2f}.",
        _across(whole, "evidence (base)"),
        _bars(up, counts[True, False], counts[True, True], "covered"),
        _bars(down, counts[False, True], counts[False, False], "uncovered"),
        tag("line", x1=whole.x(0), x2=whole.x(1), y1=middle, y2=middle, class_="axis"),
        tag("line", x1=x, x2=x, y1=whole.top, y2=whole.bottom, class_="floor"),
        _label(x - 6 if is_right else x + 6, whole.top - 6, f"floor {floor:.2f}", "end" if is_right else "start", "note"),
        _label(_LEFT - 8, up.top + 6, f"{most:,}", "end"),
        _label(_LEFT - 8, middle + 5, "0", "end"),
        _label(_LEFT - 8, whole.bottom + 4, f"{most:,}", "end"),
        _upright(30, (up.top + middle) / 2, "covered", "covered"),
        _upright(30, (middle + whole.bottom) / 2, "not covered", "uncovered"),
    )


def interval(value: float, low: float, high: float) -> Markup:
    """A share on a line from 0 to 1 with its interval."""
    width, height = 300, 14
    marks = [
        tag("rect", x=0, y=6, width=width, height=2, class_="track"),
        tag("rect", x=low * width, y=3, width=max(1.0, (high - low) * width), height=8, rx=4, class_="reach"),
        tag("circle", cx=min(max(value * width, 5), width - 5), cy=7, r=5, class_="here"),
    ]
    return tag("svg", *marks, viewBox=f"0 0 {width} {height}", class_="interval-bar", aria_hidden="true")


def _told(asked: Sequence[Outcome], *, covered: bool) -> str:
    sort = [outcome for outcome in asked if outcome.case.answerable is covered]
    answered = sum(outcome.is_answered for outcome in sort)
    return f"{'Covered' if covered else 'Not covered'}: {answered:,} of {len(sort):,} answered"


def _counts(values: Iterable[float]) -> list[int]:
    found = [0] * BINS
    for value in values:
        found[min(int(max(value, 0) * BINS), BINS - 1)] += 1
    return found


def _bars(axes: _Axes, wrong: Sequence[int], right: Sequence[int], sort: str) -> Markup:
    """Bars from the axis on, what is wrong nearest to it."""
    width = axes.x(1 / BINS) - axes.x(0) - 1.5
    bars = []
    for number, (bad, good) in enumerate(zip(wrong, right, strict=True)):
        x = axes.x(number / BINS) + 0.75
        for start, end, kind in ((0, bad, "wrong"), (bad, bad + good, "right")):
            if end > start:
                ends = sorted((axes.y(start), axes.y(end)))
                bars.append(tag("rect", x=x, y=ends[0], width=width, height=ends[1] - ends[0], class_=f"bar {sort} {kind}"))
    return joined(*bars)


def _bin(axes: _Axes, one: ReliabilityBin) -> Markup:
    x, y = axes.x(one.said), axes.y(one.covered)
    gap = tag("line", x1=x, x2=x, y1=axes.y(one.said), y2=y, class_="gap")
    return joined(gap, tag("circle", cx=x, cy=y, r=_DOT, class_="here"))


def _path_through(axes: _Axes, bins: Sequence[ReliabilityBin]) -> Markup:
    return (
        tag("path", d=_path((axes.x(one.said), axes.y(one.covered)) for one in bins), class_="curve thin") if bins else joined()
    )


def _sizes(axes: _Axes, bins: Sequence[ReliabilityBin]) -> Markup:
    """A bar for each bin, as wide as its range of confidence, so that its area is its number of questions."""
    bottom = axes.bottom + 8 + _STRIP
    densest = max((one.count / max(one.high - one.low, 0.01) for one in bins), default=1.0)
    bars = []
    for one in bins:
        high = one.count / max(one.high - one.low, 0.01) / densest * (_STRIP - 14)
        left, right = axes.x(one.low), max(axes.x(one.high), axes.x(one.low) + 2)
        bars.append(tag("rect", x=left + 0.5, y=bottom - high, width=right - left - 1, height=high, class_="bar size"))
    counts = sorted({one.count for one in bins})
    said = " to ".join(f"{count:,}" for count in (*counts[:1], *counts[1:][-1:])) + " questions a bin"
    return joined(
        tag("line", x1=axes.x(0), x2=axes.x(1), y1=bottom, y2=bottom, class_="axis"),
        *bars,
        _label(axes.x(1), axes.bottom + 20, said, "end", "small"),
    )


def _top(risks: Sequence[float]) -> float:
    most = max(risks, default=1.0)
    return next((top for top in _TOPS if most <= top), 1.0)


def _grid(axes: _Axes, across: str, up: str, *, below: float = 0) -> Markup:
    lines = []
    for quarter in _QUARTERS:
        y = axes.y(quarter * axes.most)
        lines.append(tag("line", x1=axes.x(0), x2=axes.x(1), y1=y, y2=y, class_="grid"))
        lines.append(_label(_LEFT - 8, y + 5, f"{quarter * axes.most * 100:.3g} %", "end"))
    middle = (axes.top + axes.bottom) / 2
    return joined(*lines, _across(axes, across, below=below, as_percent=True), _upright(16, middle, up))


def _across(axes: _Axes, name: str, *, below: float = 0, as_percent: bool = False) -> Markup:
    bottom = axes.bottom + below
    ticks = []
    for quarter in _QUARTERS:
        x = axes.x(quarter)
        ticks.append(tag("line", x1=x, x2=x, y1=axes.top, y2=bottom, class_="grid"))
        anchor = "end" if quarter == 1 and as_percent else "middle"
        where = x + _RIGHT - 2 if anchor == "end" else x
        ticks.append(_label(where, bottom + 19, f"{quarter * 100:.0f} %" if as_percent else f"{quarter:g}", anchor))
    return joined(*ticks, _label((axes.x(0) + axes.x(1)) / 2, bottom + 40, name, "middle", "name"))


def _upright(x: float, y: float, said: str, sort: str = "") -> Markup:
    return tag(
        "text", text(said), transform=f"translate({x:.0f} {y:.0f}) rotate(-90)", text_anchor="middle", class_=f"name {sort}"
    )


def _label(x: float, y: float, said: str, anchor: str, kind: str = "tick") -> Markup:
    return tag("text", text(said), x=x, y=y, text_anchor=anchor, class_=kind)


def _thinned(points: Sequence[RiskPoint]) -> Sequence[RiskPoint]:
    """As many points as a line can show, evenly taken, the last one among them."""
    step = max(1, len(points) // MOST_POINTS)
    return [*points[:-1:step], points[-1]]


def _path(places: Iterable[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _figure(title: str, told: str, *parts: Markup) -> Markup:
    name = title.lower().replace(" ", "-")
    return tag(
        "svg",
        tag("title", text(title), id=f"{name}-title"),
        tag("desc", text(told), id=f"{name}-desc"),
        *parts,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        class_="plot",
    )
