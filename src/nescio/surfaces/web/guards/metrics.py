"""Which figures does a server have of itself? In Prometheus' text format, without any words of questions or paths of pages."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.types import Scope

from nescio.surfaces.web.visits import Visit

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4
OTHER = "other"  # a path that no route has: clients can think of any number of them
# Seconds. A cached answer takes less than the first, a question asked for the first time some milliseconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class IndexFigures:
    """What is told of the index that answers. `built_at` is in seconds since 1970."""

    index_id: str
    generation: str
    documents: int
    passages: int
    built_at: float


class Metrics:
    """The figures of one server, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = self._counter(
            "nescio_http_requests", "Requests, by route, method and status.", "route", "method", "status"
        )
        self._seconds = Histogram(
            "nescio_http_request_seconds",
            "How long requests took, in seconds.",
            ("route",),
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._faults = self._counter("nescio_faults", "Requests that a fault stopped, by its code.", "code")
        self._answers = self._counter("nescio_answers", "Answers and refusals, by status and reason.", "status", "reason")
        self._cached = self._counter("nescio_answer_cache", "Questions, by whether the answer was kept from before.", "result")
        self._builds = self._counter("nescio_builds", "Builds of a watching server, by how they ended.", "result")
        self._index = Gauge(
            "nescio_index_info", "1 for the index that answers.", ("index_id", "generation"), registry=self._registry
        )
        self._documents = self._gauge("nescio_index_documents", "Documents in the index that answers.")
        self._passages = self._gauge("nescio_index_passages", "Passages in the index that answers.")
        self._age = self._gauge("nescio_index_age_seconds", "How long ago the index that answers was built, in seconds.")
        ProcessCollector(registry=self._registry)
        # Looking a counter up takes longer than counting; there are as many as routes, methods and statuses.
        self._request = lru_cache(maxsize=None)(self._requests.labels)
        self._duration = lru_cache(maxsize=None)(self._seconds.labels)

    def seen(self, scope: Scope, visit: Visit, status: int) -> None:
        """Count a request that is over."""
        route = visit.route or getattr(scope.get("route"), "path", "") or OTHER
        method = visit.method if visit.method in METHODS else OTHER
        self._request(route, method, str(status)).inc()
        self._duration(route).observe(perf_counter() - visit.started)
        if visit.fault:
            self._faults.labels(visit.fault).inc()
        if visit.status:
            self._answers.labels(visit.status, visit.reason).inc()
        if visit.from_cache is not None:
            self._cached.labels("hit" if visit.from_cache else "miss").inc()

    def answers_from(self, index: IndexFigures) -> None:
        """Another index answers from now on."""
        self._index.clear()
        self._index.labels(index.index_id, index.generation).set(1)
        self._documents.set(index.documents)
        self._passages.set(index.passages)
        self._age.set_function(lambda: max(0.0, time.time() - index.built_at))

    def built(self, *, succeeded: bool) -> None:
        """A build has ended."""
        self._builds.labels("ok" if succeeded else "failed").inc()

    def text(self) -> bytes:
        """All figures, as `/metrics` gives them with MEDIA_TYPE."""
        return generate_latest(self._registry)

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(name, told, labels, registry=self._registry)

    def _gauge(self, name: str, told: str) -> Gauge:
        return Gauge(name, told, registry=self._registry)
