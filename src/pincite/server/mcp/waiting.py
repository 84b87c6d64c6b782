"""Waiting for collections that are indexed for the first time, and telling how far that is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pincite.records import Progress
from pincite.render.text import progress_text
from pincite.server.access import Caller, Right
from pincite.server.errors import NotReady
from pincite.server.service import Service

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Takes what is done, of how much, and a sentence for a person."""

_LOOK_SECONDS = 0.1


async def until_ready(
    service: Service, caller: Caller, collection: str | None, report: Report
) -> None:
    """Return when the collection, or every one that is there for the caller, can be asked.

    `NotReady` where one cannot be indexed; it says why to those who keep the documents. `NotThere`.
    How far it is is reported to those for whom all of a collection is there, to others once that it
    is being indexed.
    """
    seen: dict[str, Progress] = {}
    told, idle = -1, 0
    while unready := service.unready(caller, collection=collection):
        # Twice, as a run may have ended between the two looks that make a state.
        idle = idle + 1 if not all(one.is_renewing for one in unready.values()) else 0
        if idle > 1:
            name, state = next(item for item in unready.items() if not item[1].is_renewing)
            why = state.problem if caller.may(Right.INDEX) else ""
            raise NotReady(f"the collection {name!r} has no index{f': {why}' if why else ''}")
        seen |= {name: one.progress for name, one in unready.items() if one.progress}
        done = sum(one.byte_count for one in seen.values())
        if done > told:
            told = done
            total = sum(one.bytes_in_all for one in seen.values()) or None
            message = "; ".join(map(progress_text, seen.values())) or "being indexed"
            await report(done, total, message)
        await asyncio.sleep(_LOOK_SECONDS)
