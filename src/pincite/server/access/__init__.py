"""Who asks, and what they may: rights, rules over documents, tokens, groups."""

from pincite.server.access.callers import EVERY_COLLECTION, LOCAL, Caller, DocumentRule, Right

__all__ = [
    "EVERY_COLLECTION",
    "LOCAL",
    "Caller",
    "DocumentRule",
    "Right",
]
