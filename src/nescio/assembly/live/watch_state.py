"""What a watcher last said of itself: the value that comes from the process that watches."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Literal

from nescio.domain.documents import Notice
from nescio.domain.reports import BuildReport
from nescio.errors import Fault, InternalFault

MOST_NAMED = 3  # files that a message names: more are counted
SEE_ALL = "See all of them: nescio build."
MORE_WATCHES = "On Linux let this user watch more files: sysctl fs.inotify.max_user_watches"

Doing = Literal["starting", "watching", "building", "failed", "ended"]


@dataclass(frozen=True, slots=True)
class WatchState:
    """What a watcher does, and how its last build ended.

    `failed`: the last build, or the watching itself, came to nothing, and `code` says why; watching goes on, and an index that
    was there stands. `code`, `message` and `hint` are empty where all is well. With `watching` they tell what the last build
    left out (`files-skipped`), or how files are watched (`watch-polling`). `at` is when it was said, in seconds since 1970.
    `index_id` and `generation` are those of the last build that succeeded, None before; `seconds` is how long it took. `builds`
    and `failed_builds` count since the watcher started.
    """

    state: Doing
    code: str = ""
    message: str = ""
    hint: str = ""
    at: float = field(default_factory=time.time)
    index_id: str | None = None
    generation: str | None = None
    seconds: float = 0.0
    builds: int = 0
    failed_builds: int = 0


def failed(before: WatchState, fault: Fault) -> WatchState:
    """The state after a build, or the watching itself, came to nothing."""
    return replace(
        before,
        state="failed",
        code=fault.code,
        message=fault.message,
        hint=fault.hint,
        at=time.time(),
        failed_builds=before.failed_builds + 1,
    )


def built(before: WatchState, report: BuildReport) -> WatchState:
    """The state after a build that succeeded."""
    notice = _left_out(report)
    return WatchState(
        "watching",
        notice.code if notice else "",
        notice.message if notice else "",
        SEE_ALL if notice else "",
        index_id=report.index_id,
        generation=report.generation,
        seconds=report.seconds,
        builds=before.builds + 1,
        failed_builds=before.failed_builds,
    )


def polling(before: WatchState, trouble: str) -> WatchState:
    """The state where files are compared for want of events, told where there is nothing else to tell."""
    if before.state != "watching" or before.code:
        return before
    message = f"There are no events of files here ({trouble}): they are compared several times a second."
    notice = Notice("watch-polling", "", 0, message)
    return replace(before, code=notice.code, message=notice.message, hint=MORE_WATCHES, at=time.time())


def lost(before: WatchState, exit_code: int | None, wait: float) -> WatchState:
    """The state after the process that watches was lost, `wait` seconds before it is started again."""
    how = "could not be started" if exit_code is None else f"ended unasked (exit code {exit_code})"
    message = f"The process that watches the files {how}. It is started again in {wait:g} seconds."
    return failed(before, InternalFault("watcher-lost", message, "Is there enough memory? Until then: nescio build."))


def _left_out(report: BuildReport) -> Notice | None:
    """What is said of the files that a build skipped."""
    if not report.skipped:
        return None
    named = "; ".join(_named(notice) for notice in report.skipped[:MOST_NAMED])
    more = f"; and {len(report.skipped) - MOST_NAMED} more" if len(report.skipped) > MOST_NAMED else ""
    kept = f" Earlier text of {report.kept} stays." if report.kept else ""
    count = "1 file was skipped" if len(report.skipped) == 1 else f"{len(report.skipped)} files were skipped"
    return Notice("files-skipped", "", 0, f"{count}: {named}{more}.{kept}")


def _named(notice: Notice) -> str:
    return f"{notice.path} ({notice.code})"
