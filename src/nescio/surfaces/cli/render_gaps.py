"""What was refused, as lines for people: the groups, and what can be done with them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from nescio.evaluate.gaps.groups import Asked, Gap, GapKind, GapReport
from nescio.evaluate.gaps.logged import Near
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, counted, line, shortened

SHOWN_QUESTIONS = 5  # of a group; --json has them all
LONGEST_QUESTION = 160  # characters that are shown of one
SHOWN_HASH = 12  # digits: enough to tell groups apart on a screen
_INDENT = 6  # columns, under the counts


def report(shown: GapReport, top: int) -> list[Line]:
    """The groups, the largest first, under a line that says how much was refused."""
    if not shown.refusals:
        return [*_nothing(shown), *_notes(shown)]
    lines = [line(_summary(shown), Mark.HEADING)]
    for gap in shown.gaps[:top]:
        lines += [BLANK, *_gap(gap)]
    more = len(shown.gaps) - top
    if more > 0:
        lines += [BLANK, line(f"{counted(more, 'smaller group')} more: add --top {len(shown.gaps)} to see all.", Mark.QUIET)]
    return [*lines, *_notes(shown)]


def off(file: str) -> list[Line]:
    """How to turn the log on."""
    return [
        line("Refused questions are not kept: gaps.log is off.", Mark.HEADING),
        BLANK,
        line("To keep them from now on, write one of these in nescio.toml:"),
        BLANK,
        line("[gaps]", indent=2),
        line('log = "hashed"   # counts and nearest pages, no word of a question', indent=2),
        line('log = "text"     # the questions as they were asked', indent=2),
        BLANK,
        line(f"They go to {file}: leave it out of version control."),
    ]


def written(count: int, file: str) -> list[Line]:
    """What was exported, and where to."""
    return [line(f"Wrote {counted(count, 'question')} to {file}.", Mark.GOOD)]


def added(file: str, *, count: int, known: int, left_out: int, sort: str) -> list[Line]:
    """What was added to a question file."""
    if count:
        lines = [line(f"Added {counted(count, 'question')} to {file} as {sort}.", Mark.GOOD)]
        lines.append(line("Look through them: some may be covered in other words, and some may be no questions at all."))
    else:
        lines = [line(f"Nothing new to add to {file}.")]
    if known:
        lines.append(line(f"{counted(known, 'question')} stood in it already.", Mark.QUIET))
    if left_out:
        said = f"{counted(left_out, 'question')} left out: no text is kept of it, or it is no plain line."
        lines.append(line(said, Mark.CAUTION))
    return lines


def purged(files: Sequence[str]) -> list[Line]:
    """What was removed."""
    return [line(f"Removed {file}.", Mark.GOOD) for file in files] or [line("There is no log to remove.")]


def _summary(shown: GapReport) -> str:
    since = f" since {shown.since.isoformat()}" if shown.since else ""
    questions = counted(len(shown.asked), "different question")
    return f"Refused {counted(shown.refusals, 'time')}{since}: {questions} in {counted(len(shown.gaps), 'group')}."


def _nothing(shown: GapReport) -> list[Line]:
    since = f" since {shown.since.isoformat()}" if shown.since else ""
    return [line(f"No refused question{since} is kept in {shown.file}.")]


def _notes(shown: GapReport) -> list[Line]:
    lines = []
    if shown.damaged:
        said = f"{counted(shown.damaged, 'line')} of {shown.file} could not be read and {_are(shown.damaged)} not counted."
        lines.append(line(said, Mark.CAUTION))
    if shown.log == "off":
        lines.append(line("gaps.log is off: nothing is added to this now.", Mark.CAUTION))
    return [BLANK, *lines] if lines else []


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _gap(gap: Gap) -> list[Line]:
    lines = [Line((Part(f"{gap.count:>4,}  "), Part(_title(gap), Mark.HEADING)))]
    texts = [one for one in gap.asked if one.text is not None]
    lines += [_question(one) for one in texts[:SHOWN_QUESTIONS]]
    more = len(texts) - SHOWN_QUESTIONS
    if more > 0:
        lines.append(line(f"... and {more:,} more", Mark.QUIET, indent=_INDENT))
    hidden = len(gap.asked) - len(texts)
    if hidden:
        lines.append(line(f"{counted(hidden, 'different question')}, kept without text", Mark.QUIET, indent=_INDENT))
    if gap.kind is GapKind.UNKNOWN_WORD and gap.nearest:
        lines.append(Line((Part("near ", Mark.QUIET), Part(_place(gap.nearest[0]), Mark.PLACE)), _INDENT))
    return [*lines, line(_days(gap.first, gap.last), Mark.QUIET, indent=_INDENT)]


def _title(gap: Gap) -> str:
    if gap.kind is GapKind.NOTHING_NEAR:
        return "Nothing comes near"
    if gap.kind is GapKind.NEAR_HEADING:
        return f"Near {_place(gap.asked[0].nearest[0])}"  # the nearest one of each of its questions
    if any(one.text is not None for one in gap.asked):
        return f'"{gap.label}" is in no page'
    return f"One word that is in no page (hash {gap.label[:SHOWN_HASH]})"


def _place(near: Near) -> str:
    """A page and the last of its headings: enough to find it. --json has all of them."""
    return f"{near.path}: {near.heading_path[-1]}" if near.heading_path else near.path


def _question(one: Asked) -> Line:
    shown = shortened(one.text or "", LONGEST_QUESTION)
    times = f"  ({one.count:,} times)" if one.count > 1 else ""
    return Line((Part(shown), Part(times, Mark.QUIET)), _INDENT)


def _days(first: date, last: date) -> str:
    return f"on {first.isoformat()}" if first == last else f"{first.isoformat()} to {last.isoformat()}"
