"""Runs the server: from a configuration and an index to answers on a port, until a signal ends it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from nescio.assembly.live.following import Following
from nescio.config.loading import Configuration
from nescio.surfaces.web.app import create, published_below
from nescio.surfaces.web.asking import Desk
from nescio.surfaces.web.doors import Doors
from nescio.surfaces.web.feedback import FeedbackLog
from nescio.surfaces.web.figures import builds_into
from nescio.surfaces.web.gap_keeping import GapKeeper
from nescio.surfaces.web.guards import Guards, guarded
from nescio.surfaces.web.guards.clients import Clients
from nescio.surfaces.web.guards.connections import bounded_protocol
from nescio.surfaces.web.guards.logs import RequestLog, Write
from nescio.surfaces.web.guards.metrics import Metrics
from nescio.surfaces.web.keyring import KeyRing
from nescio.surfaces.web.stopping import Server, Stop
from nescio.surfaces.web.streaming import Changes

if TYPE_CHECKING:
    import socket

    from nescio.assembly.live.watching import Watcher

CLOSE_SECONDS = 1.0
KEEP_ALIVE_SECONDS = 15  # longer than the pause between two questions of a reader, and no burden


@dataclass(frozen=True, slots=True)
class Heard:
    """Who hears of the server: `started` is called when it answers; `write` gets its log, line by line, each with its end."""

    started: Callable[[], None]
    write: Write


def serve(configuration: Configuration, index: Path, listening: socket.socket, heard: Heard, *, watch: bool) -> int:
    """Answer on a listening socket until a signal comes, and return the exit code. Closes the socket."""
    following = Following(configuration, index)
    watcher = _watcher(configuration, index) if watch else None
    server = server_of(configuration, following, heard, watcher)
    parts: list[Following | Watcher] = [following, *(() if watcher is None else (watcher,))]
    for part in parts:
        part.start()
    try:
        asyncio.run(server.serve([listening]))
    finally:
        _close(parts)
    return server.exit_code


def _watcher(configuration: Configuration, index: Path) -> Watcher:
    from nescio.assembly.live.watching import Watcher

    return Watcher(configuration, index)


def _close(parts: Iterable[Following | Watcher]) -> None:
    """Close what runs in the background. A question that does not end is not waited for longer than a moment."""
    closing = [threading.Thread(target=part.close, daemon=True) for part in parts]
    for thread in closing:
        thread.start()
    for thread in closing:
        thread.join(CLOSE_SECONDS)


def server_of(configuration: Configuration, following: Following, heard: Heard, watcher: Watcher | None = None) -> Server:
    """A server that has everything but a socket."""
    rules = configuration.settings.serve
    stop = Stop()
    changes = Changes(lambda: following.index_id, rules.max_streams)
    stop.then(changes.end)
    doors = Doors(
        configuration=configuration,
        desk=Desk(following, rules),
        changes=changes,
        feedback=FeedbackLog(configuration),
        gaps=GapKeeper(configuration),
        stop=stop,
        metrics=Metrics(),
        log=RequestLog(rules, heard.write),
        watcher=watcher,
    )
    if watcher is not None:
        watcher.on_state(builds_into(doors.metrics))
    keys = KeyRing(configuration.root / rules.keys_file)
    app = guarded(create(doors), Guards(rules, keys, doors.metrics, doors.log))
    config = uvicorn.Config(
        published_below(rules.root_path, app),
        http=bounded_protocol(AutoHTTPProtocol, seconds=rules.receive_seconds, peer=Clients(rules).peer),
        log_config=None,
        log_level="critical",  # what it has to say of requests is in our log
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    return Server(config, rules, stop, heard.started)
