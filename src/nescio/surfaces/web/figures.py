"""Keeps the figures of a server up to date with the index that answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from nescio.assembly.live.watch_state import WatchState
from nescio.errors import Fault
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.guards.metrics import MEDIA_TYPE, IndexFigures, Metrics


async def metrics(doors: Doors, request: Request) -> Response:
    """GET /metrics."""
    return Response(doors.metrics.text(), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})


def builds_into(metrics: Metrics) -> Callable[[WatchState], None]:
    """What counts the builds of a watcher, told of each of its states."""
    counted = WatchState("starting")

    def count(state: WatchState) -> None:
        nonlocal counted
        for _ in range(state.builds - counted.builds):
            metrics.built(succeeded=True)
        for _ in range(state.failed_builds - counted.failed_builds):
            metrics.built(succeeded=False)
        counted = state

    return count


def renew(doors: Doors) -> None:
    """Tell the figures which index answers now. Waits for the engine; without one, they stay as they are."""
    with suppress(Fault), doors.following.engine() as engine:
        generation = doors.following.generation or ""
        index = engine.index
        figures = IndexFigures(engine.index_id, generation, index.documents, index.passages, time.time())
        doors.metrics.answers_from(figures)
