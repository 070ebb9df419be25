"""The `check` command: whether index, golden answers and documents are as they should be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nescio.surfaces.cli import findings, output, workspace
from nescio.surfaces.cli.layout import counted
from nescio.surfaces.cli.options import Format

if TYPE_CHECKING:
    from nescio.assembly.checking import Checked, GoldenFile
    from nescio.config.loading import Configuration

COMMAND = "nescio check"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is checked, and how it is told."""

    golden: Path | None = None
    self_test: bool = False
    strict: bool = False
    format: Format = Format.TEXT
    out: Path | None = None


def check(named: workspace.Named, wanted: Wanted) -> int:
    """Check everything and tell what was found. 0 when nothing at error level was, else 1.

    Raises the faults of the configuration, the question file, the index and the documents, and of a self-test that failed.
    """
    from nescio.assembly import checking, self_testing

    place = workspace.find(named, needs_docs=True)
    golden = _golden(place.configuration, wanted.golden)
    with output.progress_bar() as progress:
        tried = self_testing.self_test(place.configuration, golden, progress) if wanted.self_test else ""
        checked = checking.check(place.configuration, place.index, golden, progress)
    return findings.report(
        checked.findings,
        wanted.format,
        wanted.out,
        command=COMMAND,
        root=place.configuration.root,
        summary=_summary(checked, tried),
        strict=wanted.strict,
    )


def _golden(configuration: Configuration, given: Path | None) -> GoldenFile | None:
    """The question file that was named, else the one that is set; None where there is neither."""
    from nescio.assembly.checking import read_golden

    setting = configuration.settings.check.golden
    path = given or (configuration.root / setting if setting else None)
    return None if path is None else read_golden(configuration, path)


def _summary(checked: Checked, tried: str) -> str:
    documents = counted(checked.documents, "document")
    more = [] if checked.cards is None else [counted(checked.cards, "card")]
    more += [counted(checked.golden, "golden answer")] if checked.golden else []
    parts = [documents, "the index", *more]
    said = f"Checked {', '.join(parts[:-1])} and {parts[-1]}."
    return f"{said} {tried}".rstrip()
