"""Answers from your own documents: the exact words, the exact place, or an honest refusal.

    import pincite

    with pincite.Index.open_or_build("documents") as index:
        answer = index.ask("How long do refunds take?")

`ask` gives an `Answer` or a `Refusal`; what can go wrong is a `PinciteError`.
"""

from pincite.errors import (
    DocumentNotFound,
    FolderError,
    FolderNotFound,
    MissingExtra,
    NothingReadable,
    PinciteError,
    PlaceNotFound,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreNotFound,
    StoreNotWritable,
    StoreTooNew,
    UnreadableDocument,
)
from pincite.index import Index
from pincite.records import (
    Answer,
    Citation,
    Excerpt,
    Extraction,
    IndexInfo,
    IndexReport,
    IndexState,
    Lines,
    Problem,
    Quote,
    Refusal,
    RefusalReason,
    Retrieved,
    Source,
    Span,
    Turn,
)
from pincite.version import __version__

__all__ = [
    "Answer",
    "Citation",
    "DocumentNotFound",
    "Excerpt",
    "Extraction",
    "FolderError",
    "FolderNotFound",
    "Index",
    "IndexInfo",
    "IndexReport",
    "IndexState",
    "Lines",
    "MissingExtra",
    "NothingReadable",
    "PinciteError",
    "PlaceNotFound",
    "Problem",
    "Quote",
    "Refusal",
    "RefusalReason",
    "Retrieved",
    "Source",
    "Span",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreNotFound",
    "StoreNotWritable",
    "StoreTooNew",
    "Turn",
    "UnreadableDocument",
    "__version__",
]
