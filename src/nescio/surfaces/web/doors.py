"""What all operations share: the configuration, the desk, and what keeps or tells something of each request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from nescio.surfaces.web.asking import Desk, Made
from nescio.surfaces.web.caching import response
from nescio.surfaces.web.feedback import FeedbackLog
from nescio.surfaces.web.gap_keeping import GapKeeper
from nescio.surfaces.web.guards.logs import RequestLog
from nescio.surfaces.web.guards.metrics import Metrics
from nescio.surfaces.web.requests import Parameters, Viewed
from nescio.surfaces.web.stopping import Stop
from nescio.surfaces.web.streaming import Changes
from nescio.surfaces.web.visits import visit_of

if TYPE_CHECKING:
    from nescio.assembly.live.following import Following
    from nescio.assembly.live.watching import Watcher
    from nescio.config.loading import Configuration

VARY = "Accept, Authorization, X-API-Key"


@dataclass(frozen=True, slots=True)
class Doors:
    """One server's parts. `watcher` is None where nobody watches the files."""

    configuration: Configuration
    desk: Desk
    changes: Changes
    feedback: FeedbackLog
    gaps: GapKeeper
    stop: Stop
    metrics: Metrics
    log: RequestLog
    watcher: Watcher | None = None

    @property
    def following(self) -> Following:
        """The index that questions are asked of."""
        return self.desk.following

    def reader_view(self, asked: Viewed) -> tuple[str, ...]:
        """What the reader is: as the request says, else as the settings do."""
        named = asked.reader_view
        return tuple(sorted(set(self.configuration.settings.serve.reader_view if named is None else named)))

    async def reply(self, request: Request, asked: Parameters, made: Made, *, is_private: bool) -> Response:
        """The result of a request, kept from before or made now; or word that it has not changed."""
        reply, from_cache = await self.desk.reply((request.scope["path"], asked), made)
        visit = visit_of(request.scope)
        visit.from_cache = from_cache
        visit.index_id, visit.status, visit.reason = reply.index_id, reply.status, reply.reason
        if reply.refusal is not None:
            self.gaps.keep(reply.refusal)
        known = request.headers.get("if-none-match") if request.method in ("GET", "HEAD") else None
        return response(reply, known, is_private=is_private or visit.key is not None, vary=VARY)
