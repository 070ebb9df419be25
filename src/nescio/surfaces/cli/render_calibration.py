"""A calibration as lines for people: how both sorts of questions score, the floor chosen, and how often it is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nescio.domain.floors import FLOORS
from nescio.evaluate.calibrating.choosing import FOLDS
from nescio.evaluate.calibrating.values import Calibrated, CalibrationReport, NotSeparable, Rates, ScoreBin
from nescio.evaluate.metrics.shares import Share
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, columns, counted, line

BAR = 22  # columns of the longest bar: two of them, counts and scores between, and the mark of the floor make 80
_COUNT = 5
_SCORE = 6
_RATES = ("wrongly answered", "wrongly refused")


def report(shown: CalibrationReport) -> list[Line]:
    """Everything that was found. What was written is said by `written`."""
    floor = shown.result.rates.floor if isinstance(shown.result, Calibrated) else None
    sorts = f"{shown.answerable:,} answerable and {shown.unanswerable:,} unanswerable questions"
    lines = [line(f"{shown.file}: {sorts}.", Mark.HEADING)]
    if shown.faults:
        lines.append(line(f"{counted(shown.faults, 'question')} could not be asked and took no part.", Mark.CAUTION))
    lines += [BLANK, *_histogram(shown.bins, floor), BLANK]
    area = shown.auroc
    lines += [line(f"AUROC {area.value:.2f} (95 %: {area.low:.2f} to {area.high:.2f}): how often an answerable question")]
    lines += [line("scores above an unanswerable one; 0.5 is chance."), BLANK]
    lines += _chosen(shown, shown.result) if isinstance(shown.result, Calibrated) else _not_separable(shown.result)
    rows = [(f"{named.name} {named.value:g}", rates) for named, rates in zip(FLOORS, shown.named, strict=True)]
    return [*lines, BLANK, line("The named floors on these questions", Mark.HEADING), *_table(rows)]


def written(floor: float, file: str, overridden_by: str | None) -> list[Line]:
    """What the configuration says now, and what hides it."""
    lines = [BLANK, line(f"Wrote floor = {floor:g} to {file}, and what it rests on.", Mark.GOOD)]
    if overridden_by:
        lines.append(line(f"It is not in force: another floor comes from the {overridden_by}.", Mark.CAUTION))
    return lines


def not_written(floor: float) -> list[Line]:
    """What would have been written."""
    return [BLANK, line(f"Nothing was written. Without --dry-run: floor = {floor:g}.", Mark.QUIET)]


def _chosen(shown: CalibrationReport, result: Calibrated) -> list[Line]:
    rows = [("on these questions", result.rates), (f"held out, {FOLDS} parts", result.held_out)]
    title = Line((Part(f"Floor {result.rates.floor:g}", Mark.GOOD), Part(f", by {shown.aim.said}")))
    bound = f"Wrongly answered are, with confidence {shown.aim.confidence:g}, at most {_percent(result.wrong_bound)}."
    return [title, *_table(rows), line(bound)]


def _not_separable(result: NotSeparable) -> list[Line]:
    head = Line((Part("Not separable. ", Mark.CAUTION), Part(result.sentence)))
    if result.needed is not None:
        return [head, line("Add unanswerable questions, or allow a larger share with --max-wrong.")]
    return [
        head,
        line("No floor was chosen, and nothing was written."),
        line(
            "Look at the questions on the wrong side with `nescio eval`: often the documents do answer one that was meant "
            "to have no answer, or use other words than the question."
        ),
    ]


def _table(rows: Iterable[tuple[str, Rates]]) -> list[Line]:
    cells = [("", *_RATES)]
    cells += [(name, _shown(rates.wrongly_answered), _shown(rates.wrongly_refused)) for name, rates in rows]
    return columns(cells, indent=2, marks=(Mark.PLAIN,))


def _shown(share: Share) -> str:
    """A share with how sure it is: `16 % (10 to 25 %)`."""
    low, high = share.interval
    return f"{_percent(share.value)} ({100 * low:.0f} to {_percent(high)})"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _histogram(bins: Sequence[ScoreBin], floor: float | None) -> list[Line]:
    """One row for each range of scores, best first: unanswerable questions to the left, answerable ones to the right."""
    sums = [sum(part.unanswerable for part in bins), sum(part.answerable for part in bins)]
    shares = [(part.unanswerable / sums[0], part.answerable / sums[1]) for part in bins]
    longest = max(max(pair) for pair in shares)
    used = [at for at, pair in enumerate(shares) if any(pair)]
    title = f"{'unanswerable':>{BAR + _COUNT + 1}}{'score':^{_SCORE + 2}}answerable"
    lines = [line(title, Mark.QUIET)]
    for at in range(used[-1], used[0] - 1, -1):
        left, right = ("#" * _length(share, longest) for share in shares[at])
        part = bins[at]
        is_floor = floor is not None and part.low <= floor < part.high
        row = f"{left:>{BAR}} {part.unanswerable:>{_COUNT}}  {part.low:.2f}  {part.answerable:<{_COUNT}} {right}".rstrip()
        lines.append(Line((Part(row), Part(f"  <- floor {floor:g}" if is_floor else "", Mark.GOOD))))
    return lines


def _length(share: float, longest: float) -> int:
    """Columns of a bar; the least that is there shows."""
    return max(1, round(BAR * share / longest)) if share else 0
