"""What the service gives: records with the name of the collection they are from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from pincite.records import (
    Answer,
    Excerpt,
    Extraction,
    IndexInfo,
    IndexState,
    Passage,
    Refusal,
    Retrieved,
    Source,
)
from pincite.server.collections import CollectionState
from pincite.verifications import Verification


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer or refusal, and the collection it is from."""

    collection: str
    result: Answer | Refusal


@dataclass(frozen=True, slots=True)
class Found:
    """The passages of a collection that are nearest, best first."""

    collection: str
    results: list[Retrieved]
    state: IndexState
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A place and what is around it."""

    collection: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Verified:
    """What has become of citations, in their order, and where they were looked for."""

    collection: str
    verifications: list[Verification]


@dataclass(frozen=True, slots=True)
class Listing:
    """What there is of a collection for a caller."""

    collection: str
    info: IndexInfo
    stale: tuple[str, ...]
    """Paths of documents that changed or went since they were indexed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """How a collection is, for those who keep its documents."""

    collection: str
    state: CollectionState
    info: IndexInfo | None
    """None while it has no index."""


@dataclass(frozen=True, slots=True)
class Original:
    """The file of a document, which is the one that was indexed; to be closed."""

    source: Source
    file: BinaryIO
    size: int


@dataclass(frozen=True, slots=True)
class Text:
    """All the text of a document, in the stretches it is searched by."""

    collection: str
    source: Source
    extraction: Extraction
    passages: list[Passage]
