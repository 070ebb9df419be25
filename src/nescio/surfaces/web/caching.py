"""Keeps encoded results to be given again, and tells browsers and proxies when theirs is still the same."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from nescio.domain.answers import Refusal

JSON = "application/json"
# An answer warns of files that changed since the build, so that it has to be made again before long: once it is due, the next
# who wants it still gets it, and it is made again behind him; after a longer time nobody gets it any more.
DUE_SECONDS = 10.0
LAST_SECONDS = 60.0
MOST_BYTES = 256 * 1024  # of a result that is kept: a thousand of the largest are still no burden
NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class Reply:
    """A result as it is sent, with what the log, the figures and the gaps want to know of it."""

    body: bytes
    etag: str
    index_id: str
    status: str = ""
    reason: str = ""
    refusal: Refusal | None = None


def reply_of(body: bytes, index_id: str, *, status: str = "", reason: str = "", refusal: Refusal | None = None) -> Reply:
    """A reply whose ETag is that of these bytes from this index."""
    digest = hashlib.sha256(index_id.encode("utf-8") + b"\n" + body).hexdigest()
    return Reply(body, f'"{digest[:32]}"', index_id, status, reason, refusal)


class Replies:
    """The replies that were wanted last. For one thread: that of the event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[float, Reply]] = OrderedDict()

    def find(self, key: Hashable) -> tuple[Reply, bool] | None:
        """The reply to a request, if it is there and new enough, and whether it is due to be made again."""
        found = self._kept.get(key)
        if found is None:
            return None
        age = time.monotonic() - found[0]
        if age > LAST_SECONDS:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return found[1], age > DUE_SECONDS

    def keep(self, key: Hashable, reply: Reply) -> None:
        """Keep a reply; the one that was wanted longest ago goes where there are too many."""
        if not self._most or len(reply.body) > MOST_BYTES:
            return
        self._kept[key] = (time.monotonic(), reply)
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)


def response(reply: Reply, asked: str | None, *, is_private: bool = False, vary: str = "", media_type: str = JSON) -> Response:
    """The reply, or that it has not changed for somebody who `asked` with If-None-Match."""
    headers = {"ETag": reply.etag, "Cache-Control": "private, no-cache" if is_private else "no-cache"}
    if vary:
        headers["Vary"] = vary
    if asked is not None and _matches(asked, reply.etag):
        return Response(status_code=NOT_MODIFIED, headers=headers)
    return Response(reply.body, media_type=media_type, headers=headers)


def _matches(asked: str, etag: str) -> bool:
    return asked.strip() == "*" or any(one.strip().removeprefix("W/") == etag for one in asked.split(","))
