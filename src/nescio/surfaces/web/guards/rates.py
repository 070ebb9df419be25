"""How often may one client ask? So often in a window that slides, counted in memory that is bounded.

The strategy is that of the `limits` package. Its own memory starts a thread that looks at every client each ten milliseconds;
the one here keeps two numbers for each of the clients seen last, and needs no thread.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from math import floor

from limits import RateLimitItem, parse
from limits.storage.base import SlidingWindowCounterSupport, Storage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.types import Scope

from nescio.config.serving import Serve
from nescio.surfaces.web.problems import Headers, RequestFault
from nescio.surfaces.web.visits import Visit

MOST_CLIENTS = 20_000  # some five megabytes; whoever has so many addresses is not stopped by counting
INEXACT = 0.001  # seconds: more than what computing with shares of windows is off
OFF = "off"
# What costs work, or is large. The page, its assets, health and figures are answered from memory.
LIMITED = ("/v1/", "/mcp", "/llms", "/pages/")
SUGGESTING = "/v1/suggest"  # costs next to nothing, and comes with every few letters: counted apart


class Rates:
    """Counts the requests of each client, and apart from them how often it has what it types completed."""

    def __init__(self, settings: Serve, most_clients: int = MOST_CLIENTS) -> None:
        self._requests = _Rate(settings.rate, most_clients)
        self._suggesting = _Rate(settings.suggest_rate, most_clients)

    def check(self, scope: Scope, visit: Visit) -> None:
        """Counts the request. Raises RequestFault (`too-many-requests`), with Retry-After and what was allowed."""
        if visit.path == SUGGESTING:
            self._suggesting.count(visit.client)
        elif visit.path.startswith(LIMITED):
            self._requests.count(visit.client)


class _Rate:
    """One limit."""

    def __init__(self, allowed: str, most_clients: int) -> None:
        self._item: RateLimitItem | None = None if allowed == OFF else parse(allowed)
        self._windows = Windows(most_clients)
        self._limiter = SlidingWindowCounterRateLimiter(self._windows)

    def count(self, client: str) -> None:
        """Count a request of a client. Raises RequestFault (`too-many-requests`)."""
        if self._item is None or self._limiter.hit(self._item, client):
            return
        seconds = self._wait(self._item, client)
        raise RequestFault(
            "too-many-requests",
            f"There were more than {self._item.amount:,} requests in {self._item.get_expiry():,} seconds.",
            f"Ask again in {seconds} {'second' if seconds == 1 else 'seconds'}.",
            _headers(self._item, seconds),
        )

    def _wait(self, item: RateLimitItem, client: str) -> int:
        """In how many whole seconds there is room for one more.

        That is when less of the window before counts, or when the current one has become that.
        """
        expiry = item.get_expiry()
        previous, counts_for, current, ends_in = self._windows.get_sliding_window(item.key_for(client), expiry)
        room = item.amount - current
        wait = counts_for - room * expiry / previous if room > 0 and previous else ends_in - expiry
        return floor(max(0.0, wait) + INEXACT) + 1  # at that moment itself there is none yet


@dataclass(slots=True)
class _Window:
    """How many requests came in the window of that number, and in the one before."""

    number: int
    current: int = 0
    previous: int = 0


class Windows(Storage, SlidingWindowCounterSupport):
    """Two counts for each client, of the clients that were seen last. For one thread; one length of window."""

    STORAGE_SCHEME = None

    def __init__(self, most_clients: int) -> None:
        super().__init__()
        self._windows: OrderedDict[str, _Window] = OrderedDict()
        self._most = most_clients

    def __len__(self) -> int:
        return len(self._windows)

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count a request, unless it is one too many."""
        now = time.time()
        window = self._at(key, expiry, now)
        if floor(window.previous * _left(now, expiry) + window.current) + amount > limit:
            return False
        window.current += amount
        return True

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """The count of the window before and its seconds that still count, then the current one's and its seconds."""
        now = time.time()
        window = self._at(key, expiry, now)
        left = _left(now, expiry) * expiry
        return window.previous, left if window.previous else 0.0, window.current, left + expiry

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget a client."""
        self.clear(key)

    def _at(self, key: str, expiry: int, now: float) -> _Window:
        """The window of a client that is now; a new client takes the place of the one not seen for longest."""
        number = int(now // expiry)
        window = self._windows.get(key)
        if window is None:
            window = self._windows[key] = _Window(number)
            if len(self._windows) > self._most:
                self._windows.popitem(last=False)
            return window
        self._windows.move_to_end(key)
        if window.number != number:
            window.previous = window.current if window.number == number - 1 else 0
            window.number, window.current = number, 0
        return window

    # What the other strategies need.

    @property
    def base_exceptions(self) -> type[Exception]:
        """What can go wrong with the storage: nothing."""
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count a request in the current window."""
        window = self._at(key, expiry, time.time())
        window.current += amount
        return window.current

    def get(self, key: str) -> int:
        """The count of the window in which the client was last seen."""
        window = self._windows.get(key)
        return window.current if window else 0

    def get_expiry(self, key: str) -> float:
        """Now: a window has no end that is known without its length."""
        return time.time()

    def check(self) -> bool:
        """The memory is there."""
        return True

    def reset(self) -> int | None:
        """Forget all clients; how many they were."""
        count = len(self._windows)
        self._windows.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget a client."""
        self._windows.pop(key, None)


def _left(now: float, expiry: int) -> float:
    """The share of the current window that is still to come: so much of the one before counts."""
    return 1 - now / expiry % 1


def _headers(item: RateLimitItem, seconds: int) -> Headers:
    return (
        ("retry-after", str(seconds)),
        ("ratelimit-policy", f'"client";q={item.amount};w={item.get_expiry()}'),
        ("ratelimit", f'"client";r=0;t={seconds}'),
    )
