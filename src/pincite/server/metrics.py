"""What the server counts of itself. No figure tells of a document or of who asked."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """Counters of one application, in the format of Prometheus."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._in_flight = Gauge(
            "pincite_requests_in_flight", "Requests begun and not ended", registry=self._registry
        )
        self._requests = Counter(
            "pincite_requests",
            "Requests ended",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "pincite_request_seconds",
            "How long requests took",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )

    def watch(self, name: str, documentation: str, value: Callable[[], float]) -> None:
        """Tell what `value` gives whenever the figures are asked for."""
        Gauge(name, documentation, registry=self._registry).set_function(value)

    def begun(self) -> None:
        """A request began."""
        self._in_flight.inc()

    def ended(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request ended; `status` is 0 where nothing was replied."""
        self._in_flight.dec()
        # What clients make up must not make figures without end.
        named = method if method in _METHODS else "other"
        self._requests.labels(named, route or "none", str(status)).inc()
        self._seconds.labels(route or "none").observe(seconds)

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self._registry)
