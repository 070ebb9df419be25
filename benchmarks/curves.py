"""Draws the curves of docs/how-refusal-works.md: risk over coverage, and what is covered over what was said, one line a set.

python benchmarks/curves.py sets/fastapi sets/awsdocs sets/clapnq --out docs/images
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from judged import SORTS, Judged, both_sorts, of_sort
from nescio.evaluate.metrics.calibration import reliability
from nescio.evaluate.metrics.risk import risk_points
from nescio.surfaces.reports.markup import Markup, joined, tag, text
from questions import open_set
from reporting import ended, note, parser

SIZE, EDGE, TOP = 360, 80, 20  # of the plot in units of the drawing, and the room on its left and below, and above
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
COLOURS = ("#0b7285", "#c2571a", "#6741d9", "#2b8a3e", "#a61e4d")  # told apart by people who see few colours, light and dark
DASHES = ("none", "7 4", "2 3", "10 3 2 3", "4 4")
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #333 } .grid { stroke: #ccc } .even { stroke: #888; stroke-dasharray: 3 4 }
path { fill: none; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 } }
"""

Line = Sequence[tuple[float, float]]


def risk_lines(sets: Mapping[str, Sequence[Judged]]) -> dict[str, Line]:
    """For each set (share answered, share of these that are not covered), the surest first; as many of one sort as of the
    other.
    """
    return {name: [(coverage, risk) for coverage, risk, _ in risk_points(evened(judged))] for name, judged in sets.items()}


def reliability_lines(sets: Mapping[str, Sequence[Judged]]) -> dict[str, Line]:
    """For each set (what was said, what is covered) of five bins of equal mass, both sorts weighing equally."""
    both = {name: [[one.base for one in of_sort(judged, sort)] for sort in SORTS] for name, judged in sets.items()}
    return {name: [(said, share) for _, _, _, said, share in reliability(*sorts)] for name, sorts in both.items()}


def evened(judged: Sequence[Judged]) -> list[tuple[float, bool]]:
    """(score, whether an answer would be wrong), the rarer sort repeated until both are as many."""
    sorts = [of_sort(judged, sort) for sort in SORTS]
    most = max(map(len, sorts))
    return [(some[at % len(some)].base, not some[0].question.answerable) for some in sorts for at in range(most)]


def drawn(lines: Mapping[str, Line], names: tuple[str, str, str], *, diagonal: bool, most: float = 1.0) -> Markup:
    """A picture of its own: `names` are its title, and what runs across and up; `most` is where the upright axis ends."""
    title, across, up = names
    middle = EDGE + SIZE / 2
    return tag(
        "svg",
        tag("title", text(title)),
        tag("style", Markup(STYLE)),
        *grid(most),
        *([tag("line", x1=x(0), y1=y(0, most), x2=x(1), y2=y(1, most), class_="even")] if diagonal else []),
        *(curve(number, line, most) for number, line in enumerate(lines.values())),
        *(legend(number, name) for number, name in enumerate(lines)),
        tag("text", text(across), x=middle, y=TOP + SIZE + 44, text_anchor="middle"),
        tag("text", text(up), transform=f"translate(16 {TOP + SIZE / 2:.0f}) rotate(-90)", text_anchor="middle"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {EDGE + SIZE + 20} {TOP + SIZE + 60 + 20 * len(lines)}",
        role="img",
    )


def x(value: float) -> float:
    """From 0..1 to the drawing."""
    return EDGE + value * SIZE


def y(value: float, most: float) -> float:
    """From 0..most to the drawing, upwards."""
    return TOP + SIZE - value / most * SIZE


def grid(most: float) -> Iterable[Markup]:
    """Lines at the quarters, with what they stand for."""
    for tick in TICKS:
        yield tag("line", x1=x(tick), y1=TOP, x2=x(tick), y2=TOP + SIZE, class_="grid")
        yield tag("line", x1=EDGE, y1=y(tick * most, most), x2=EDGE + SIZE, y2=y(tick * most, most), class_="grid")
        yield tag("text", text(f"{tick * 100:g} %"), x=x(tick), y=TOP + SIZE + 20, text_anchor="middle")
        yield tag("text", text(f"{tick * most * 100:g} %"), x=EDGE - 8, y=y(tick * most, most) + 4, text_anchor="end")


def curve(number: int, line: Line, most: float) -> Markup:
    """One set's line."""
    path = "M" + " L".join(f"{x(across):.1f} {y(min(up, most), most):.1f}" for across, up in line)
    return tag("path", d=path, stroke=COLOURS[number % len(COLOURS)], stroke_dasharray=DASHES[number % len(DASHES)])


def legend(number: int, name: str) -> Markup:
    """Which line is whose, below the plot."""
    height = TOP + SIZE + 66 + 20 * number
    place = f"M{EDGE} {height} L{EDGE + 40} {height}"
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    sample = tag("path", d=place, stroke=colour, stroke_dasharray=dash)
    return joined(sample, tag("text", text(name), x=EDGE + 50, y=height + 4))


def main() -> int:
    """Read the command line, ask and draw."""
    made = parser(__doc__)
    made.add_argument("sets", nargs="+", type=Path, metavar="SET_FOLDER")
    made.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where risk.svg and reliability.svg go")
    arguments = made.parse_args()
    sets = both_sorts([open_set(folder, arguments.work) for folder in arguments.sets], arguments.work)
    arguments.out.mkdir(parents=True, exist_ok=True)
    risk = ("Risk and coverage", "share of the questions that is answered", "of these, not covered by the documents")
    said = ("Reliability", "confidence that was said", "covered in fact")
    pictures = {
        "risk.svg": drawn(risk_lines(sets), risk, diagonal=False, most=0.5),
        "reliability.svg": drawn(reliability_lines(sets), said, diagonal=True),
    }
    for name, picture in pictures.items():
        (arguments.out / name).write_text(picture + "\n", encoding="utf-8", newline="\n")
        note(f"wrote {arguments.out / name}")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
