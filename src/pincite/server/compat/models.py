"""The models there are: one a collection, one for all of them, and the one for embeddings.

One list serves both interfaces: each finds its own fields in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.server.compat.asked import MODEL
from pincite.server.compat.embeddings import EMBEDDING_MODEL
from pincite.server.compat.said import Json

_UNKNOWN_TIME = 0
_UNKNOWN_DATE = "1970-01-01T00:00:00Z"


def model_names(collections: Sequence[str]) -> list[str]:
    """What can be asked by a caller who sees these collections."""
    return [MODEL, *(f"{MODEL}/{name}" for name in sorted(collections)), EMBEDDING_MODEL]


def model(name: str) -> Json:
    """One model, as both interfaces describe it."""
    return {
        "id": name,
        "object": "model",
        "created": _UNKNOWN_TIME,
        "owned_by": "pincite",
        "type": "model",
        "display_name": name,
        "created_at": _UNKNOWN_DATE,
        "lifecycle": "active",
    }


def models(collections: Sequence[str]) -> Json:
    """All of them; there is one page."""
    names = model_names(collections)
    return {
        "object": "list",
        "data": [model(name) for name in names],
        "has_more": False,
        "first_id": names[0],
        "last_id": names[-1],
    }
