"""`nescio ask` without a question: a prompt on a terminal, an error elsewhere."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from nescio.surfaces.cli.prompting import Completer
from support.projects import Project, command, environment

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

PAGES = {
    "install.md": "# How to install it\n\nInstall it with the command `tool get`.\n\n## Installing plugins\n\nCopy them.\n",
    "odd.md": "# Odd \u202eheading\n\nSome words.\n",
}
PATIENCE = 30.0
INTERRUPT, END = b"\x03", b"\x04"


class Terminal:
    """A process that believes to be in front of somebody."""

    def __init__(self, process: subprocess.Popen[bytes], handle: int) -> None:
        self.process = process
        self._handle = handle
        self._said = b""

    def type(self, keys: bytes) -> None:
        os.write(self._handle, keys)

    def until(self, holds: Callable[[str], bool]) -> str:
        """All that was said since the last call, once it holds."""
        end = time.monotonic() + PATIENCE
        while not holds(self._text):
            assert time.monotonic() < end, self._text
            if select.select([self._handle], [], [], 0.1)[0]:
                with suppress(OSError):  # the other end is closed
                    self._said += os.read(self._handle, 65_536)
        text, self._said = self._text, b""
        return text

    def prompt(self) -> str:
        """What is said up to the next prompt."""
        return self.until(lambda text: re.search(r"(^|\n)\? $", text) is not None)

    def ended(self) -> int:
        return self.process.wait(PATIENCE)

    @property
    def _text(self) -> str:
        text = self._said.decode("utf-8", "replace").replace("\r\n", "\n")
        return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", text)


@contextmanager
def terminal(folder: Path, *arguments: str) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    added = {"TERM": "xterm", "INPUTRC": os.devnull, "COLUMNS": "100", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "nescio", "ask", *arguments],
        cwd=folder,
        env=environment(**added),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_controlled,
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)


def _controlled() -> None:
    """Make the terminal the one that Ctrl-C is typed at."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def built(project: Project) -> Project:
    project.write_all(PAGES).build()
    return project


def test_one_question_is_answered_after_the_other(built: Project) -> None:
    with terminal(built.root) as asked:
        assert "an empty line ends" in asked.prompt().lower()
        asked.type(b"how to install it\r")
        assert "tool get" in asked.prompt()
        asked.type(b"how to fly a helicopter\r")
        assert "does not cover this" in asked.prompt()
        asked.type(b"\r")
        assert asked.ended() == 0


def test_the_end_of_the_input_ends_it(built: Project) -> None:
    with terminal(built.root) as asked:
        asked.prompt()
        asked.type(END)
        assert asked.ended() == 0


def test_ctrl_c_gives_up_the_line(built: Project) -> None:
    with terminal(built.root) as asked:
        asked.prompt()
        asked.type(b"how to inst")
        asked.until(lambda text: text.endswith("how to inst"))
        asked.type(INTERRUPT)
        asked.prompt()
        asked.type(b"how to install it\r")
        assert "tool get" in asked.prompt()


def test_tab_completes_from_the_documents(built: Project) -> None:
    pytest.importorskip("readline")
    with terminal(built.root) as asked:
        assert "Tab completes" in asked.prompt()
        asked.type(b"inst\t")
        asked.until(lambda text: "Installing plugins" in text)
        asked.type(b"\t")
        asked.until(lambda text: "How to install it" in text)
        asked.type(b"\r")
        assert "tool get" in asked.prompt()


def test_a_question_that_cannot_be_asked_is_told_and_the_next_one_is_waited_for(built: Project) -> None:
    with terminal(built.root, "--jsonl") as asked:
        asked.prompt()
        for _ in range(3):
            asked.type(b"why " * 250)
        asked.type(b"\r")
        assert "question-too-long" in asked.prompt()
        asked.type(b"how to install it\r")
        assert '"status": "answered"' in asked.prompt()


def test_without_a_terminal_a_question_is_missing(built: Project) -> None:
    told = command(built.root, "ask")
    assert (told.returncode, told.stdout) == (2, "")
    assert "Missing argument 'QUESTION'." in told.stderr
    assert '"code": "usage"' in command(built.root, "ask", "--json").stderr


def test_each_press_of_tab_gives_the_next_suggestion_and_then_what_was_typed() -> None:
    completer = Completer(lambda typed: ["Install", "Odd \u202eone", "How to install"] if typed == "inst" else [])
    assert completer("inst", 0) == "Install"
    assert completer("inst", 1) is None
    assert completer("Install", 0) == "How to install"
    assert completer("How to install", 0) == "inst"
    assert completer("inst", 0) == "Install"
    assert completer("other", 0) == "other"
