"""Work off the event loop: so many at a time, so many waiting, so long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pincite.server.errors import TooBusy, TookTooLong

T = TypeVar("T")


class Workers:
    """A few threads that do what would hold up the event loop.

    Work that takes longer than `seconds` is given up: whoever asked is told, and the thread is free
    again when it ends.
    """

    def __init__(self, *, at_once: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(at_once, "pincite-server")
        self._most = at_once + waiting
        self._seconds = seconds
        self._held = 0
        self.abandoned = 0
        """So many threads work on what nobody waits for any more."""

    @property
    def held(self) -> int:
        """How many requests are worked on or wait."""
        return self._held

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises; `TooBusy` or `TookTooLong` in its place."""
        if self._held >= self._most:
            raise TooBusy("as many requests as may wait are waiting: come again later")
        self._held += 1
        future = self._pool.submit(work)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._let_go))
        result = asyncio.wrap_future(future)
        result.add_done_callback(_look_at)
        try:
            await asyncio.wait((result,), timeout=self._seconds)
        except asyncio.CancelledError:
            future.cancel()
            raise
        if result.done():
            return result.result()
        if future.cancel():
            raise TooBusy("the requests before it took too long: come again later")
        self.abandoned += 1
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._is_back))
        raise TookTooLong(f"it took more than {self._seconds:g} seconds")

    def close(self) -> None:
        """Take no more work, and drop what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _let_go(self) -> None:
        self._held -= 1

    def _is_back(self) -> None:
        self.abandoned -= 1


def _look_at(result: asyncio.Future[T]) -> None:
    # Nobody may wait for it any more: then what it raised is nobody's fault to report.
    if not result.cancelled():
        result.exception()
