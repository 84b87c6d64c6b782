"""Work off the event loop."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from pincite.server.errors import TookTooLong
from pincite.server.working import Workers


def test_what_fails_when_nobody_waits_for_it_any_more_is_not_reported() -> None:
    reported: list[dict[str, Any]] = []
    goes_on = threading.Event()
    workers = Workers(at_once=1, waiting=1, seconds=0.01)

    def fail() -> None:
        goes_on.wait()
        raise TookTooLong("it fails as well")

    async def give_up() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: reported.append(told))
        with pytest.raises(TookTooLong, match=r"more than 0\.01 seconds"):
            await workers.run(fail)
        assert (workers.held, workers.abandoned) == (1, 1)
        goes_on.set()
        while workers.abandoned:
            await asyncio.sleep(0.01)

    asyncio.run(give_up())
    workers.close()
    assert (workers.held, reported) == (0, [])
