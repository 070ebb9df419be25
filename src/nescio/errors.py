"""The tree of faults. A fault is something that stopped the work; a refusal is an answer and is never raised.

    Fault
    +-- UsageFault        the caller asked for something that cannot be done as asked      (exit 2)
    |   +-- ConfigFault       a configuration file, variable or flag is wrong
    |   +-- QuestionFault     the question is too long or not text
    |   +-- NotFoundFault     an id, a path or an index that is not there
    +-- IngestFault       the documents were refused; the index that was there stands      (exit 3)
    +-- BusyFault         another process is writing the index                             (exit 4)
    +-- StorageFault      reading or writing failed                                        (exit 5)
    |   +-- IndexFault        the index is damaged, or of another format
    +-- InternalFault     a promise of ours was broken: a bug                              (exit 70)

Codes are kebab-case, stable from the release that adds them, and documented in docs/errors.md (a test holds the two together).
"""

from __future__ import annotations


class Fault(Exception):
    """Something stopped the work.

    `code` is stable and kebab-case, `message` says what happened and where, `hint` says what to do next (may be empty).
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[Fault], tuple[str, str, str]]:
        return type(self), (self.code, self.message, self.hint)


class UsageFault(Fault):
    """The caller asked for something that cannot be done as asked."""


class ConfigFault(UsageFault):
    """A configuration file, environment variable or flag is wrong."""


class QuestionFault(UsageFault):
    """The question is over a limit, or is not text."""


class NotFoundFault(UsageFault):
    """What was named is not there: an id, a path, an index."""


class IngestFault(Fault):
    """The documents were refused. Nothing was committed; the index that was there stands."""


class BusyFault(Fault):
    """Another process is writing the index."""


class StorageFault(Fault):
    """Reading or writing failed."""


class IndexFault(StorageFault):
    """The index is damaged, or was written in another format."""


class InternalFault(Fault):
    """A promise of ours was broken. Always a bug worth a report."""
