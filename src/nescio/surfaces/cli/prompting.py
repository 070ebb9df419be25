"""The prompt of `ask` without a question: one question after the other, each completed by Tab from what the documents have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nescio.engine import Engine
from nescio.errors import QuestionFault
from nescio.surfaces import wire
from nescio.surfaces.cli import asking, output, render_answers
from nescio.surfaces.cli.layout import BLANK, Mark, line
from nescio.surfaces.terminal import escape_line

PROMPT = "? "
ENDED = 0
_LIBEDIT = "libedit"  # stands in for GNU readline on macOS, and is told otherwise what Tab does


def is_possible() -> bool:
    """Whether somebody can be asked: both streams are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def ask_on(engine: Engine, request: asking.Request) -> int:
    """Answer one question after the other, until an empty line or the end of the input: 0, whatever was answered or refused.

    Ctrl-C gives up the line. A question that cannot be asked is told, and the next one is waited for.
    """
    with _completed(engine) as is_completed:
        keys = "Tab completes, an empty line ends." if is_completed else "An empty line ends."
        output.print_note([line(keys, Mark.QUIET)])
        for question in _questions():
            try:
                asking.ask_one(engine, question, request)
            except QuestionFault as fault:
                _tell(fault, as_json=request.as_json or request.as_lines)
            except KeyboardInterrupt:
                output.print_note([BLANK])
    return ENDED


def _questions() -> Iterator[str]:
    while True:
        try:
            question = input(PROMPT).strip()
        except KeyboardInterrupt:
            output.print_note([BLANK])
            continue
        except EOFError:
            output.print_note([BLANK])
            return
        if not question:
            return
        yield question


def _tell(fault: QuestionFault, *, as_json: bool) -> None:
    if as_json:
        output.write_note(wire.encode(wire.fault_json(fault)))
    else:
        output.print_note(render_answers.fault(fault))


@contextmanager
def _completed(engine: Engine) -> Iterator[bool]:
    """Let Tab complete what is typed, where the system has an editor of lines; whether it has."""
    try:
        import readline
    except ImportError:
        yield False
        return
    readline.set_completer_delims("")  # all that is typed is completed, and not its last word
    readline.set_completer(Completer(lambda typed: [one.text for one in engine.suggest(typed)]))
    readline.parse_and_bind("bind ^I rl_complete" if _LIBEDIT in (readline.__doc__ or "") else "tab: complete")
    try:
        yield True
    finally:
        readline.set_completer(None)


class Completer:
    """Gives one text for each press of Tab: the suggestions, the best first, then what was typed, and so on.

    An editor of lines goes on by itself only as far as all suggestions begin alike, and these need not begin as what is typed.
    """

    def __init__(self, suggested: Callable[[str], list[str]]) -> None:
        self._suggested = suggested
        self._texts: list[str] = []
        self._at = 0

    def __call__(self, text: str, state: int) -> str | None:
        """What stands in place of `text`; None for any `state` but 0, since it is one."""
        if state:
            return None
        if self._texts and text == self._texts[self._at]:
            self._at = (self._at + 1) % len(self._texts)
        else:
            # What a terminal would obey or hide is not put on its line.
            self._texts = [*(one for one in self._suggested(text) if escape_line(one) == one and one != text), text]
            self._at = 0
        return self._texts[self._at]
