"""The two streams. Results go to stdout, everything else to stderr; Rich draws for a terminal, plain lines go to a pipe."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from nescio.errors import StorageFault
from nescio.surfaces.cli.layout import Line, Mark, Part, Screen
from nescio.surfaces.terminal import escape_line

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int, str], None]

_STYLES = {
    Mark.HEADING: "bold",
    Mark.PLACE: "cyan",
    Mark.QUIET: "dim",
    Mark.GOOD: "green",
    Mark.CAUTION: "yellow",
    Mark.FAULT: "bold red",
    Mark.CODE: "cyan",
    Mark.KEYWORD: "magenta",
    Mark.NAME: "bright_blue",
    Mark.STRING: "green",
    Mark.NUMBER: "cyan",
    Mark.COMMENT: "dim",
    Mark.BUILTIN: "cyan",
}
_PLAIN_TERMINALS = frozenset({"dumb", "unknown"})


class ReaderGoneError(Exception):
    """The program that read our output has left. Nobody is there to be told."""


def prepare_streams() -> None:
    """Let no stream stop the output: what its encoding lacks is written out (`\\u2014`), and a closed one takes everything."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write_note(data: bytes) -> None:
    """Bytes to stderr as they are, flushed. Where nobody can read them, the work goes on."""
    with suppress(OSError):
        sys.stderr.flush()
        sys.stderr.buffer.write(data)
        sys.stderr.buffer.flush()


def write_result(data: bytes) -> None:
    """Bytes to stdout as they are, flushed. Raises ReaderGoneError."""
    with _reader():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def print_result(lines: Iterable[Line]) -> None:
    """Lines to stdout, flushed. Raises ReaderGoneError."""
    with _reader():
        _print(lines, sys.stdout)


def print_note(lines: Iterable[Line]) -> None:
    """Lines to stderr, flushed. Where nobody can read them, the work goes on."""
    with suppress(OSError):
        _print(lines, sys.stderr)


def screen() -> Screen | None:
    """The terminal that results are printed on; None where they go elsewhere."""
    return Screen(_console(sys.stdout).width, _draws()) if sys.stdout.isatty() else None


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on stderr for the time of a build, gone afterwards; None where stderr is not a terminal that can draw it."""
    if not (sys.stderr.isatty() and _draws()):
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    drawn = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*drawn, console=_console(sys.stderr), transient=True) as bar:
        task = bar.add_task("Reading", total=None)

        def show(done: int, total: int, doing: str) -> None:
            bar.update(task, completed=done, total=total or None, description=_short(doing) or "Reading")

        yield show


def _short(label: str, width: int = 34) -> str:
    """The end of a label that is too long for its place: of a path, that is what tells files apart."""
    shown = escape_line(label)
    return (shown if len(shown) <= width else "..." + shown[3 - width :]).ljust(width)


def let_go() -> None:
    """Before the process ends: make the interpreter's own last flush harmless when a stream cannot be written to."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


@contextmanager
def _reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError from None
    except OSError as error:
        message = f"The result could not be written out: {error.strerror or error}."
        raise StorageFault("output-failed", message, "Check where the output goes, then run it again.") from error


def _print(lines: Iterable[Line], stream: TextIO) -> None:
    if stream.isatty():
        _draw(lines, stream)
    else:
        for shown in lines:
            safe = _exact if shown.exact else escape_line
            stream.write(" " * shown.indent + "".join(safe(part.text) for part in shown.parts) + "\n")
    stream.flush()


def _draw(lines: Iterable[Line], stream: TextIO) -> None:
    """Lines on a terminal. Exact lines are no text to Rich, which would wrap them and turn their tabs into spaces."""
    from rich.padding import Padding
    from rich.segment import Segment, Segments
    from rich.text import Text

    console = _console(stream)
    for shown in lines:
        if shown.exact or not shown.parts:
            segments = [Segment(_exact(part.text), console.get_style(_style(part))) for part in shown.parts]
            console.print(Segments([Segment(" " * shown.indent if segments else ""), *segments, Segment.line()]), crop=False)
            continue
        text = Text(overflow="fold")
        for part in shown.parts:
            text.append(escape_line(part.text), style=_style(part))
        console.print(Padding(text, (0, 0, 0, shown.indent), expand=False), highlight=False)


def _style(part: Part) -> str:
    """As Rich names them."""
    names = (_STYLES.get(part.mark, ""), "bold" if part.strong else "")
    return " ".join(name for name in names if name) or "none"


def _exact(text: str) -> str:
    return "\t".join(escape_line(cell) for cell in text.split("\t"))


def _draws() -> bool:
    """Whether the terminal is one for colours and moving bars, and the user wants them."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in _PLAIN_TERMINALS


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, color_system="auto" if _draws() else None, markup=False, emoji=False, highlight=False)
