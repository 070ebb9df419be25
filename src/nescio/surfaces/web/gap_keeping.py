"""Keeps refused questions where the configuration says so, without an answer waiting for it."""

from __future__ import annotations

import time

from nescio.config.loading import Configuration
from nescio.domain.answers import Refusal
from nescio.evaluate.gaps.log import GapLog
from nescio.evaluate.gaps.logged import Mode
from nescio.surfaces.working import Worker

OFF = "off"
MOST_WAITING = 1_000  # refusals: a flood of questions is not kept whole, rather than filling the memory
LAST_SECONDS = 2.0  # that a stopping server waits for the last ones


class GapKeeper:
    """The log of one configuration, written by a thread of its own. Nothing is written where `gaps.log` is off."""

    def __init__(self, configuration: Configuration) -> None:
        chosen = configuration.settings.gaps
        self.is_on = chosen.log != OFF
        self._mode = Mode(chosen.log) if self.is_on else None
        self._log = GapLog(configuration.root / chosen.file, chosen.keep_days, chosen.max_bytes)
        self._worker = Worker("nescio-gaps")

    def start(self) -> None:
        """Begin to write."""
        if self.is_on:
            self._worker.start()

    def close(self) -> None:
        """Write what waits, and end."""
        if self.is_on:
            self._worker.close(LAST_SECONDS)

    def keep(self, refusal: Refusal) -> None:
        """Keep it soon. What cannot be written is left out: an answer matters more than its log."""
        mode = self._mode
        if mode is not None and self._worker.waiting < MOST_WAITING:
            now = time.time()
            self._worker.post(lambda: self._add(refusal, mode, now))

    def _add(self, refusal: Refusal, mode: Mode, now: float) -> None:
        self._log.add(refusal, mode, now)
