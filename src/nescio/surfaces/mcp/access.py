"""What a server of tools stands on, and what its callers may see: the index as it is now, in a reader view."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

from nescio.config.loading import Configuration
from nescio.domain.answers import Refusal
from nescio.engine import Engine
from nescio.errors import BusyFault, Fault, IngestFault, UsageFault
from nescio.surfaces.faults import fault_of
from nescio.surfaces.terminal import escape
from nescio.surfaces.wire import Json
from nescio.surfaces.working import Workplace

_NO_INDEX = ("There is no index to answer from yet.", "Ask again in a moment.")
_INSIDE = ("The server could not do this.", "Tell whoever runs it: the server's log has the reason.")
# Faults of use that speak of this machine's folders, which is nobody's business elsewhere.
_OF_THIS_MACHINE = frozenset({"docs-not-found", "no-docs", "index-not-a-folder", "index-closed"})

T = TypeVar("T")


class Follows(Protocol):
    """Gives the engine of the newest index: `nescio.assembly.live.following.Following`."""

    def engine(self) -> AbstractContextManager[Engine]:
        """The engine, for one caller at a time. Raises the fault that keeps it from being opened."""
        ...


def log_failure(error: Exception) -> None:
    """Tell the log of this process where something broke. What was broken by may be text of documents: it is written out."""
    logging.getLogger("nescio.mcp").error("%s", escape("".join(traceback.format_exception(error))))


@dataclass(frozen=True, slots=True)
class Access:
    """The documents as callers of one server see them.

    `workplace`, which is at work, has the threads and the limits. `reader_view` is that of calls that name none; where it
    `is_fixed`, of all calls: none can name another. Where the caller `is_here`, on this machine, faults name its folders.
    `refused` is called with each refusal, in a thread, and `failed` with what was raised and is no fault of ours.
    """

    configuration: Configuration
    following: Follows
    workplace: Workplace
    reader_view: tuple[str, ...] = ()
    is_fixed: bool = False
    is_here: bool = True
    refused: Callable[[Refusal], None] | None = None
    failed: Callable[[Exception], None] = log_failure

    async def seen(self, given: Json, work: Callable[[Engine], T]) -> T:
        """What `work` makes with the engine over what a call asks for by `version` and `reader_view`, in a thread.

        Raises what it raises, the faults of opening an index and of choosing a part of it, and BusyFault.
        """
        named = given.get("reader_view")
        reader_view = self.reader_view if named is None or self.is_fixed else tuple(named)

        def held() -> T:
            with self.following.engine() as engine:
                return work(engine.within(docs_version=given.get("version"), reader_view=reader_view))

        return await self.workplace.work(held)

    async def keep(self, refusal: Refusal) -> None:
        """Hand a refusal to whoever keeps them, in a thread; where that takes too long, the answer does not wait."""
        refused = self.refused
        if refused is not None:
            with suppress(BusyFault):
                await self.workplace.aside(lambda: refused(refusal))

    async def beside(self, work: Callable[[], T]) -> T:
        """What `work` makes without the engine, in a thread that questions do not wait for. Raises BusyFault too."""
        return await self.workplace.check(work)

    def told(self, error: Exception) -> Fault:
        """The fault that an error is, in words for the one who asks."""
        fault = fault_of(error)
        if not isinstance(error, Fault):
            self.failed(error)
        if self.is_here:
            return fault
        if fault.code == "no-index":
            return UsageFault(fault.code, *_NO_INDEX)
        is_of_use = isinstance(fault, UsageFault | IngestFault | BusyFault) and fault.code not in _OF_THIS_MACHINE
        return fault if is_of_use else Fault(fault.code, *_INSIDE)
