"""One caller at a time, in the order in which they came: a plain lock may let the one that holds it in again and again."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType


class Turns:
    """A fair lock, used as a context. It is not reentrant: whoever enters it twice waits for themselves."""

    def __init__(self) -> None:
        self._state = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._state:
            if not self._is_taken:
                self._is_taken = True
                return
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        try:
            called.acquire()
        except BaseException:  # an interrupt while waiting: the turn must not be given to somebody who left
            self._leave(called)
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._pass_on()

    def _leave(self, called: threading.Lock) -> None:
        with self._state:
            is_waiting = called in self._waiting
            if is_waiting:
                self._waiting.remove(called)
        if not is_waiting:
            self._pass_on()

    def _pass_on(self) -> None:
        with self._state:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False
