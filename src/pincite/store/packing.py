"""Passages made ready to be written: all the work on them that needs no store, nor its process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.places import Mark
from pincite.records import Passage, Span
from pincite.store.codec import (
    Counts,
    count_terms,
    field_terms,
    pack_headings,
    pack_marks,
    pack_sentences,
    seal_of,
    unpack_headings,
    unpack_marks,
    unpack_sentences,
)
from pincite.store.schema import decoded, encoded

_AT_ONCE = 1_000
"""Passages packed and written together: bounds the memory that a large document takes."""

PassageRow = tuple[int, int, int, int, str, str, bytes, bytes, bytes]
"""Ordinal, start, end, first line, language, heading path, sentences, seal, text."""


@dataclass(frozen=True, slots=True)
class PackedPassages:
    """Some passages of one document, as the catalogue keeps them but for their keys.

    Plain data, to be sent from one process to another.
    """

    rows: list[PassageRow]
    lengths: list[Counts]
    """Number of terms in title, headings and body."""
    sentence_count: int
    words: list[tuple[str, str, str]]
    """The terms of title, headings and body, with spaces between them."""
    vocabulary: list[str]
    """The terms of these passages, each once, in the order in which they are met."""
    places: npt.NDArray[np.uint32]
    """The terms of each passage, one passage after another, by their places in `vocabulary`."""
    counts: npt.NDArray[np.uint32]
    """For each of `places`: how often the passage has the term, as `count_terms` packs it."""
    sizes: list[int]
    """How many of `places` each passage has."""
    marks: list[bytes]
    """Of each passage, empty where it has none."""


def pack_passages(
    title: str, passages: Sequence[Passage], marks: Sequence[Mark] = ()
) -> Iterator[PackedPassages]:
    """The passages of the document called `title`, with its marks, packed, some at a time."""
    following = 0
    for start in range(0, len(passages), _AT_ONCE):
        some = passages[start : start + _AT_ONCE]
        own: list[bytes] = []
        for passage in some:
            first = following
            while following < len(marks) and marks[following].start < passage.span.end:
                following += 1
            own.append(pack_marks(marks[first:following], passage.span.start))
            # A mark may reach into the next passage.
            if following and marks[following - 1].end > passage.span.end:
                following -= 1
        yield _pack(title, some, own)


def unpack_passages(path: str, packed: PackedPassages) -> list[Passage]:
    """The passages of the document at `path` that were packed so."""
    return [
        Passage(
            path=path,
            ordinal=ordinal,
            span=Span(start, end),
            text=decoded(text),
            first_line=first_line,
            heading_path=unpack_headings(headings),
            language=language,
            sentences=unpack_sentences(sentences, start),
        )
        for ordinal, start, end, first_line, language, headings, sentences, _, text in packed.rows
    ]


def unpack_places(packed: PackedPassages) -> list[Mark]:
    """Where the text of these passages stands in the file, each mark once."""
    marks: dict[int, Mark] = {}
    for row, blob in zip(packed.rows, packed.marks, strict=True):
        marks.update((mark.start, mark) for mark in unpack_marks(blob, row[1]))
    return [marks[start] for start in sorted(marks)]


def _pack(title: str, passages: Sequence[Passage], marks: list[bytes]) -> PackedPassages:
    lengths: list[Counts] = []
    words: list[tuple[str, str, str]] = []
    vocabulary = _Places()
    places: list[int] = []
    counts: list[int] = []
    sizes: list[int] = []
    for passage in passages:
        fields = field_terms(title, passage)
        counted = count_terms(fields)
        places += map(vocabulary.__getitem__, counted)
        counts += counted.values()
        sizes.append(len(counted))
        lengths.append((len(fields.title), len(fields.headings), len(fields.body)))
        words.append((" ".join(fields.title), " ".join(fields.headings), " ".join(fields.body)))
    rows = [
        _row(passage, sentences)
        for passage, sentences in zip(passages, pack_sentences(passages), strict=True)
    ]
    return PackedPassages(
        rows=rows,
        lengths=lengths,
        sentence_count=sum(len(passage.sentences) for passage in passages),
        words=words,
        vocabulary=list(vocabulary),
        places=np.array(places, dtype=np.uint32),
        counts=np.array(counts, dtype=np.uint32),
        sizes=sizes,
        marks=marks,
    )


def _row(passage: Passage, sentences: bytes) -> PassageRow:
    span, language = passage.span, passage.language
    place = (passage.ordinal, span.start, span.end, passage.first_line)
    headings = pack_headings(passage.heading_path)
    text = encoded(passage.text)
    seal = seal_of(encoded(passage.path), place, language, headings, sentences, text)
    return (*place, language, headings, sentences, seal, text)


class _Places(dict[str, int]):
    """Numbers what it is asked for, from 0, in the order in which it is met."""

    def __missing__(self, term: str) -> int:
        self[term] = place = len(self)
        return place
