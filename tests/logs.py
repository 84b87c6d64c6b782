"""What entries of a log hold, at the least."""

from __future__ import annotations

from typing import Any


def said(question: str, *, status: str = "answered") -> dict[str, Any]:
    """The content of an entry for an answer to this question, or a refusal."""
    return {
        "caller": "",
        "asked": {"document": None, "history": [], "risk": None, "lexical": True},
        "record": {
            "question": question,
            "status": status,
            "encoder": "",
            "index": {"fingerprint": "f" * 64, "generation": 1},
            "citations": [],
            "retrieved": [],
        },
    }
