"""From a file to what the store keeps of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import UnreadableDocument
from pincite.loaders import DEFAULT, LoadSettings, load
from pincite.records import Extraction, Need, Problem, Source
from pincite.store.files import Stamp, because, stamp_of, steady
from pincite.store.known import KnownProblem
from pincite.store.packing import PackedPassages, pack_passages
from pincite.text.passages import split_passages


class ReadingStopped(Exception):
    """The reading of a file ended before its end; `known` is what is to be noted of it."""

    def __init__(self, known: KnownProblem) -> None:
        super().__init__(known.problem.reason)
        self.known = known


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as the store keeps it, but for its passages."""

    source: Source
    extraction: Extraction
    language: str
    stamp: Stamp
    notes: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one file: a document and its passages, or a problem."""

    path: str
    outcome: ReadDocument | KnownProblem
    passages: Iterator[PackedPassages]
    """To be taken before the next file; raises `ReadingStopped`, after which there are no more."""


def read(folder: Path, path: str, settings: LoadSettings = DEFAULT) -> Reading:
    """Read the file at `path` in `folder`, in this process. Raises OSError where that is not the
    file's fault.
    """
    place = folder / path
    try:
        stamp = stamp_of(place)
    except OSError as error:
        problem = Problem(path, f"cannot be read: {because(error)}")
        return Reading(path, KnownProblem(problem), iter(()))
    try:
        document = load(place, name=path, settings=settings)
    except UnreadableDocument as error:
        # What the system refuses it may grant next time, without a trace on the file.
        refused = isinstance(error.__cause__, OSError)
        problem = Problem(path, error.reason, need=Need(error.need) if error.need else None)
        return Reading(path, KnownProblem(problem, None if refused else stamp), iter(()))
    passages = split_passages(document)
    outcome = ReadDocument(
        document.source,
        document.extraction,
        document.language,
        steady(stamp, place),
        document.notes,
        document.needs,
    )
    packed = pack_passages(document.source.title, passages, document.marks)
    return Reading(path, outcome, packed)
