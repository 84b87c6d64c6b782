"""Who asks, and what they may: rights, rules over documents, tokens, groups."""

from pincite.server.access.callers import EVERY_COLLECTION, LOCAL, Caller, DocumentRule, Right
from pincite.server.access.recognising import Recognising, TrustedProxy

__all__ = [
    "EVERY_COLLECTION",
    "LOCAL",
    "Caller",
    "DocumentRule",
    "Recognising",
    "Right",
    "TrustedProxy",
]
