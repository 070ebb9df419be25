"""Where the command line keeps what it refused: nowhere unless the configuration says so, never at the cost of an answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nescio.domain.answers import Refusal
from nescio.surfaces.cli import output, workspace
from nescio.surfaces.cli.layout import Mark, line
from nescio.surfaces.cli.workspace import Named, Workspace

if TYPE_CHECKING:
    from nescio.evaluate.gaps.log import GapLog

OFF = "off"


def log_of(place: Workspace) -> GapLog:
    """The log of a workspace, whether or not anything is kept in it."""
    from nescio.evaluate.gaps.log import GapLog

    chosen = place.configuration.settings.gaps
    return GapLog(place.configuration.root / chosen.file, chosen.keep_days, chosen.max_bytes)


class Recorder:
    """Hands the refusals of one command to the log. The configuration is looked at when the first one comes."""

    def __init__(self, named: Named) -> None:
        self._named = named
        self._place: Workspace | None = None
        self._has_failed = False

    def keep(self, refusal: Refusal) -> None:
        """Keep it if that was asked for. What fails is said once, and not tried again for the rest of the command."""
        if self._has_failed:
            return
        self._place = self._place or workspace.find(self._named, needs_docs=False)
        mode = self._place.configuration.settings.gaps.log
        if mode != OFF:
            self._keep(refusal, mode, log_of(self._place))

    def _keep(self, refusal: Refusal, mode: str, log: GapLog) -> None:
        from nescio.evaluate.gaps.logged import Mode

        if not log.add(refusal, Mode(mode), time.time()):
            self._has_failed = True
            said = f"Refused questions could not be kept in {log.path}; see `nescio gaps`, or set gaps.log to off."
            output.print_note([line(said, Mark.CAUTION)])
