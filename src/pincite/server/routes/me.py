"""Who calls, as the server sees them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from pincite.server.access import Right
from pincite.server.described import problems_of
from pincite.server.routes.context import TheCaller, TheService

router = APIRouter(tags=["server"])


@router.get("/me", responses=problems_of())
async def me(caller: TheCaller, service: TheService) -> dict[str, Any]:
    """The caller's name, what they may do, and the collections that are there for them."""
    return {
        "name": caller.name,
        "rights": [right.value for right in Right if caller.may(right)],
        "collections": [{"name": name} for name in service.names(caller)],
    }
