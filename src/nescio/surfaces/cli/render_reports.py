"""What the other commands report, as lines for people: a build, the state of an index, the settings in force."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nescio.domain.documents import Notice
from nescio.domain.floors import FLOORS
from nescio.domain.reports import BuildReport, SourceStatus, Status
from nescio.domain.views import DocsVersion
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, columns, counted, line

if TYPE_CHECKING:
    from nescio.config.loading import Configuration, Setting

SHOWN_NOTICES = 20  # a screenful; --json has them all
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def build(report: BuildReport, index: str) -> list[Line]:
    """The summary of a build: what is in the index, what changed, what could not be read and why."""
    lines = [summary(report), line(_changes(report), Mark.QUIET), line(f"Index {index}", Mark.QUIET)]
    lines += _listed("Skipped, not in the index:", report.skipped, Mark.FAULT)
    return lines + _listed("Read, with something to know:", report.notices, Mark.CAUTION)


def summary(report: BuildReport) -> Line:
    """The one line of a build."""
    parts = f"{counted(report.files, 'file')}, {counted(report.passages, 'passage')} in {report.seconds:.1f} s"
    skipped = f", {len(report.skipped):,} skipped" if report.skipped else ""
    return Line((Part("Indexed ", Mark.GOOD), Part(parts), Part(skipped, Mark.CAUTION), Part(".")))


def status(shown: Status) -> list[Line]:
    """The state of an index and of the folders it was made from."""
    rows = [
        ("index", shown.index),
        ("documents", f"{shown.documents:,}"),
        ("passages", f"{shown.passages:,}"),
        ("terms", f"{shown.terms:,}"),
        ("size", size(shown.bytes)),
        ("index id", shown.index_id),
        ("generation", shown.generation),
        ("format", str(shown.format)),
        ("analyzer", shown.analyzer),
    ]
    if shown.versions:
        rows.append(("versions", ", ".join(map(_version, shown.versions))))
    lines = columns(rows, marks=(Mark.QUIET,))
    for source in shown.sources:
        lines += _source(source)
    if any(source.changed or source.missing for source in shown.sources):
        lines += [BLANK, line("Run `nescio build` to bring the index up to date.", Mark.CAUTION)]
    return lines


def _version(version: DocsVersion) -> str:
    """A version with its other names and whether it is asked where none is named: `2.1 (latest, default)`."""
    more = [*version.aliases, *(["default"] if version.is_default else [])]
    return f"{version.name} ({', '.join(more)})" if more else version.name


def config(configuration: Configuration, index: str) -> list[Line]:
    """Every setting with its value and where that came from; first the file and the index folder, last what is amiss."""
    file = "none" if configuration.file is None else str(configuration.file)
    head = columns([("file", file), ("index", index)], marks=(Mark.QUIET,))
    lines = [*head, BLANK]
    for setting in configuration.listing():
        lines.append(_setting(setting))
        if setting.key == "floor":
            lines += _floor(configuration)
    return lines + _calibration_notes(configuration)


def size(count: int) -> str:
    """Bytes in the largest unit that leaves a whole number before the point: `12.4 MB`."""
    amount, unit = float(count), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{count} bytes" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"


def notice(shown: Notice) -> Line:
    """A file, the line where there is one, what is the matter."""
    place = f"{shown.path}:{shown.line}" if shown.line else shown.path
    return Line((Part(place, Mark.PLACE), Part(f"  {shown.message} "), Part(f"[{shown.code}]", Mark.QUIET)), indent=2)


def _listed(title: str, notices: Sequence[Notice], mark: Mark) -> list[Line]:
    if not notices:
        return []
    more = len(notices) - SHOWN_NOTICES
    rest = [line(f"... and {more:,} more; --json lists them all.", Mark.QUIET, indent=2)] if more > 0 else []
    return [BLANK, line(title, mark), *map(notice, notices[:SHOWN_NOTICES]), *rest]


def _changes(report: BuildReport) -> str:
    counts = [
        (report.added, "added"),
        (report.changed, "changed"),
        (report.removed, "removed"),
        (report.unchanged, "unchanged"),
        (report.kept, "unreadable now, kept as they were"),
    ]
    return ", ".join(f"{number:,} {word}" for number, word in counts if number) or "Nothing to index."


def _source(source: SourceStatus) -> list[Line]:
    state = [(source.changed, "changed since"), (source.missing, "gone since")]
    now = ", ".join(f"{number:,} {word}" for number, word in state if number) or "unchanged since"
    name = Part(f"source {source.name}  ", Mark.HEADING)
    parts = (name, Part(source.path, Mark.PLACE), Part(f"  {counted(source.documents, 'document')}, {now}"))
    return [BLANK, Line(parts)]


def _setting(setting: Setting) -> Line:
    value = json.dumps(setting.value, ensure_ascii=False)
    return Line((Part(setting.key, Mark.HEADING), Part(f" = {value}"), Part(f"  ({setting.origin})", Mark.QUIET)))


def _floor(configuration: Configuration) -> list[Line]:
    """The number of the floor and how often it is wrong, where that was measured."""
    value, known = configuration.settings.floor_value, configuration.settings.calibration
    shown = [
        f"{named.value:g} ({named.name}): on public question sets {_wrong(named.wrongly_answered, named.wrongly_refused)}"
        for named in FLOORS
        if named.value == value
    ]
    if known.floor == value and known.wrongly_answered is not None and known.wrongly_refused is not None:
        shown.append(f"{value:g} (calibrated): {_wrong(known.wrongly_answered, known.wrongly_refused)}")
    return [line(text, Mark.QUIET, indent=2) for text in shown]


def _wrong(answered: float, refused: float) -> str:
    return f"{100 * answered:.0f} % wrongly answered, {100 * refused:.0f} % wrongly refused"


def _calibration_notes(configuration: Configuration) -> list[Line]:
    """What is no longer as it was when the floor was chosen."""
    known, value = configuration.settings.calibration, configuration.settings.floor_value
    notes = []
    if configuration.questions_changed():
        notes.append(f"{known.questions} has changed since the floor was chosen on it: run `nescio calibrate` again.")
    if known.floor is not None and known.floor != value:
        notes.append(f"The floor in force is {value:g}; the one that was calibrated is {known.floor:g}.")
    return [BLANK, *(line(note, Mark.CAUTION) for note in notes)] if notes else []
