"""How a benchmark speaks: results on stdout as a table, or in a file as JSON; everything else on stderr."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from metrics import Share
from nescio.errors import Fault
from questions import SetError

FAILED, WRONG_USE = 1, 2
DEFAULT_WORK = Path(tempfile.gettempdir()) / "nescio-benchmarks"
NOTHING = "-"

Figure = float | Share | None


def note(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)


def parser(description: str | None) -> argparse.ArgumentParser:
    """A command line with what every benchmark takes."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument(
        "--work",
        type=Path,
        default=DEFAULT_WORK,
        metavar="FOLDER",
        help=f"for indexes and unpacked files (default {DEFAULT_WORK})",
    )
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file too")
    return made


def ended(main: Callable[[], int]) -> int:
    """The exit code of `main`; what stopped it is said in one line."""
    try:
        return main()
    except SetError as error:
        note(f"error: {error}")
    except Fault as fault:
        note(f"error: {fault.code}: {fault.message} {fault.hint}")
    except KeyboardInterrupt:
        note("interrupted")
    return WRONG_USE


def write_json(path: Path | None, value: Any) -> None:
    """`value` as a file, where one was asked for."""
    if path is not None:
        path.write_text(json.dumps(value, indent=2, ensure_ascii=False, default=_plain) + "\n", encoding="utf-8")
        note(f"wrote {path}")


def _plain(value: object) -> object:
    if isinstance(value, Share):
        low, high = value.interval
        return {"hits": value.hits, "of": value.of, "share": value.value, "low": low, "high": high}
    raise TypeError(f"{type(value).__name__} has no JSON")


def table(rows: Sequence[Sequence[str]], indent: int = 2) -> str:
    """Rows, the first of them the head, as aligned columns: the first column left, the others right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(" " * indent + "  ".join(_cells(row, widths)).rstrip() for row in rows)


def _cells(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [
        cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]


def figure(value: Figure, *, with_interval: bool = False) -> str:
    """A number to three places; a share with its counts, and with its interval where asked for."""
    if value is None:
        return NOTHING
    if isinstance(value, Share):
        low, high = value.interval
        counts = f"{value.value:.3f} {value.hits}/{value.of}"
        return f"{counts} [{low:.2f}, {high:.2f}]" if with_interval else counts
    return f"{value:.3f}"
