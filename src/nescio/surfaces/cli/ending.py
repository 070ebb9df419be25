"""How a command ends: the exit code of what it returned or raised, and the message that goes with it."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import typer

from nescio.errors import Fault, UsageFault
from nescio.surfaces.cli import output
from nescio.surfaces.cli.layout import Mark, exact, line
from nescio.surfaces.faults import INTERRUPTED, READER_GONE, exit_code, fault_of

DEBUG_VARIABLE = "NESCIO_DEBUG"


@runtime_checkable
class CommandLineProblem(Protocol):
    """What Typer raises for a command line that it cannot read."""

    exit_code: int

    def format_message(self) -> str: ...


def finish(app: typer.Typer, arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Whatever stops it is said on stderr, as JSON where JSON was asked for."""
    try:
        code = app(args=list(arguments), prog_name="nescio", standalone_mode=False)
    except output.ReaderGoneError:
        return READER_GONE
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        return _told(_fault(error), error, as_json=_wants_json(arguments))
    if code == INTERRUPTED:
        return _interrupted()
    return code if isinstance(code, int) else 0


def _fault(error: Exception) -> Fault:
    if isinstance(error, CommandLineProblem):
        return UsageFault("usage", error.format_message().replace("Value error, ", ""), _usage_hint(error))
    return fault_of(error)


def _usage_hint(error: CommandLineProblem) -> str:
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "nescio")
    hint = f"Run `{command} --help` to see how it is used."
    if "such option" in error.format_message().lower() and command == "nescio ask":
        return f"{hint} A question that starts with a dash goes after `--`."
    return hint


def _told(fault: Fault, error: Exception, *, as_json: bool) -> int:
    """Say what happened on stderr."""
    from nescio.surfaces import wire
    from nescio.surfaces.cli import render_answers
    from nescio.surfaces.terminal import escape

    if os.environ.get(DEBUG_VARIABLE) == "1":
        output.print_note(exact(escape("".join(traceback.format_exception(error)).rstrip("\n"))))
    if as_json:
        output.write_note(wire.encode(wire.fault_json(fault)))
    else:
        output.print_note(render_answers.fault(fault))
    return exit_code(fault)


def _interrupted() -> int:
    output.print_note([line("Interrupted. An index that was there is as it was.", Mark.CAUTION)])
    return INTERRUPTED


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether JSON was asked for, though the command line may be one that cannot be read."""
    before_dashes = list(arguments)[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in before_dashes or "--jsonl" in before_dashes
