"""How the terms, sentences and marks of a passage are packed for the catalogue."""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pincite.place_forms import place_from_row, place_to_row
from pincite.places import Mark
from pincite.protocols import FieldTerms
from pincite.records import BlockKind, Passage, Sentence, Span
from pincite.text.tokens import terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# One entry is 64 bits: the term's number, then how often it stands in title (6 bits), headings
# (6 bits) and body (20 bits). Counts stop at the largest number that fits: in ranking the
# difference between 63 and 64 occurrences is nothing.
_TERM = 32
_TITLE = 26
_HEADINGS = 20
_FEW = (1 << (_TITLE - _HEADINGS)) - 1
_MANY = (1 << _HEADINGS) - 1
_COUNTS = (1 << _TERM) - 1

_LONGEST_TERM = 128
SENTENCE_BYTES = 16
"""What one sentence takes in a blob of `pack_sentences`."""
_KINDS = tuple(BlockKind)
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}

Counts = tuple[int, int, int]
_NEVER: Counts = (0, 0, 0)


def term_key(term: str) -> str:
    """What `term` is stored and looked up by: itself, or a digest if it is very long."""
    if len(term) <= _LONGEST_TERM:
        return term
    return "#" + hashlib.sha256(term.encode("utf-8", "surrogatepass")).hexdigest()


@functools.lru_cache(maxsize=256)
def _title_terms(title: str, path: str, language: str) -> tuple[str, ...]:
    titled = terms(title, language)
    known = set(titled)
    named = (term for term in terms(PurePosixPath(path).stem, language) if term not in known)
    return tuple(map(term_key, (*titled, *named)))


def field_terms(title: str, passage: Passage) -> FieldTerms:
    """What a passage is found by; its file's name counts as part of its document's title."""
    language = passage.language
    return FieldTerms(
        title=_title_terms(title, passage.path, language),
        headings=_keys(" \n ".join(passage.heading_path), language),
        body=_keys(_quotable(passage), language),
    )


def _quotable(passage: Passage) -> str:
    """The text without comments, front matter and the like: what is not quoted is not found."""
    if all(sentence.kind is not BlockKind.MARKUP for sentence in passage.sentences):
        return passage.text
    start = passage.span.start
    return " \n ".join(
        passage.text[sentence.start - start : sentence.end - start]
        for sentence in passage.sentences
        if sentence.kind is not BlockKind.MARKUP
    )


def _keys(text: str, language: str) -> list[str]:
    if not text:
        return []
    found = terms(text, language)
    if max(map(len, found), default=0) > _LONGEST_TERM:
        return [term_key(term) for term in found]
    return found


def count_terms(fields: FieldTerms) -> dict[str, int]:
    """The packed counts of each term of a passage, without the term's number."""
    counts: dict[str, int] = Counter(fields.body)
    if len(fields.body) > _MANY:
        counts = {term: min(count, _MANY) for term, count in counts.items()}
    for names, shift in ((fields.headings, _HEADINGS), (fields.title, _TITLE)):
        for term in names:
            count = counts.get(term, 0)
            if count >> shift & _FEW < _FEW:
                counts[term] = count + (1 << shift)
    return counts


def pack_terms(
    numbers: npt.NDArray[np.int64], counts: npt.NDArray[np.uint32], sizes: Sequence[int]
) -> list[bytes]:
    """One blob for each passage, which has the next `size` of the terms given one after another.

    In a blob the terms are sorted by number, so that one is found quickly. `numbers` are the terms'
    numbers, `counts` their packed counts.
    """
    import numpy as np  # Asking does without: it takes longer to load than a question takes.

    entries = numbers.astype("<u8") << np.uint64(_TERM) | counts.astype("<u8")
    start = 0
    for size in sizes:
        entries[start : start + size].sort()
        start += size
    return list(_cut(entries.tobytes(), (size * 8 for size in sizes)))


def term_numbers(blob: bytes) -> npt.NDArray[np.int64]:
    """The numbers of the terms in blobs of `pack_terms`, joined."""
    import numpy as np  # Only writing needs it.

    return (np.frombuffer(blob, dtype="<u8") >> np.uint64(_TERM)).astype(np.int64)


def term_counts(blob: bytes) -> npt.NDArray[np.uint32]:
    """Their packed counts, in the same order."""
    import numpy as np  # Only writing needs it.

    return (np.frombuffer(blob, dtype="<u8") & np.uint64(_COUNTS)).astype(np.uint32)


def unpack_fields(blob: bytes, vocabulary: dict[int, str]) -> FieldTerms:
    """The terms of a packed passage, in order of their numbers."""
    title: list[str] = []
    headings: list[str] = []
    body: list[str] = []
    for entry in _integers("Q", blob):
        term = vocabulary[entry >> _TERM]
        in_title, in_headings, in_body = split_counts(entry)
        title += [term] * in_title
        headings += [term] * in_headings
        body += [term] * in_body
    return FieldTerms(title=title, headings=headings, body=body)


def split_counts(entry: int) -> Counts:
    """Occurrences in title, headings and body, from packed counts with or without a number."""
    return _split(entry & _COUNTS)


# Nearly all counts are the same few.
@functools.lru_cache(maxsize=4096)
def _split(counts: int) -> Counts:
    return counts >> _TITLE, counts >> _HEADINGS & _FEW, counts & _MANY


def counts_of(blobs: Sequence[bytes], numbers: Sequence[int | None]) -> list[list[Counts]]:
    """How often the terms `numbers` stand in each packed passage; None is a term nobody has.

    ValueError for blobs that `pack_terms` did not make.
    """
    if any(len(blob) % 8 for blob in blobs):
        raise ValueError("the terms of a passage are cut off")
    entries = _integers("Q", b"".join(blobs))
    wanted = [None if number is None else number << _TERM for number in numbers]
    rows: list[list[Counts]] = []
    start = 0
    for blob in blobs:
        end = start + len(blob) // 8
        row = [_NEVER] * len(wanted)
        for column, first in enumerate(wanted):
            if first is not None:
                place = bisect_left(entries, first, start, end)
                if place < end and (entry := entries[place]) < first + (1 << _TERM):
                    row[column] = _split(entry & _COUNTS)
        rows.append(row)
        start = end
    return rows


def pack_sentences(passages: Iterable[Passage]) -> list[bytes]:
    """One blob for each passage: end, quote and kind of its sentences, from its start on."""
    flat: list[int] = []
    sizes: list[int] = []
    for passage in passages:
        base = passage.span.start
        for sentence in passage.sentences:
            quote = sentence.quote
            flat += (
                sentence.end - base,
                quote.start - base,
                quote.end - base,
                _KIND_NUMBERS[sentence.kind],
            )
        sizes.append(SENTENCE_BYTES * len(passage.sentences))
    return list(_cut(_integers("I", array("I", flat).tobytes()).tobytes(), sizes))


def unpack_sentences(blob: bytes, base: int) -> tuple[Sentence, ...]:
    """The sentences that `pack_sentences` packed, for a passage that starts at `base`."""
    flat = _integers("I", blob)
    sentences: list[Sentence] = []
    start = base
    for at in range(0, len(flat), 4):
        end, quote_start, quote_end, kind = flat[at : at + 4]
        quote = Span(base + quote_start, base + quote_end)
        sentences.append(Sentence(start, base + end, quote, _KINDS[kind]))
        start = base + end
    return tuple(sentences)


def seal_of(
    path: bytes,
    place: tuple[int, int, int, int],
    language: str,
    heading_path: str,
    sentences: bytes,
    text: bytes,
) -> bytes:
    """Eight bytes that tell whether a passage is still what was written.

    All as packed; `place` is ordinal, start, end and first line.
    """
    sizes = (*place, len(path), len(language), len(heading_path), len(sentences))
    head = f"{sizes}{language}{heading_path}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(b"".join((head, path, sentences, text)), digest_size=8).digest()


def _integers(code: str, packed: bytes) -> array[int]:
    """Integers packed with the lowest byte first, or packed so from the machine's own order.

    `code` is I for 32 bits and Q for 64. ValueError where the last one is cut off.
    """
    found = array(code, packed)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _cut(packed: bytes, sizes: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield packed[start : start + size]
        start += size


def pack_marks(marks: Sequence[Mark], base: int) -> bytes:
    """Marks, with offsets from `base` on, as compressed ASCII JSON; empty for none."""
    if not marks:
        return b""
    rows = [
        [
            mark.start - base,
            mark.end - mark.start,
            place_to_row(mark.place),
            [after - before for before, after in zip((0, *mark.edges), mark.edges, strict=False)]
            if mark.edges
            else 0,
            *([1] if mark.secondary else []),
        ]
        for mark in marks
    ]
    # Fast: places repeat themselves, and what is left is small.
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode("ascii"), 1)


def unpack_marks(blob: bytes, base: int) -> list[Mark]:
    """The marks that `pack_marks` packed."""
    if not blob:
        return []
    try:
        rows = json.loads(zlib.decompress(blob))
    except zlib.error as error:
        raise ValueError("the marks of a passage are damaged") from error
    return [
        Mark(
            base + start,
            base + start + size,
            place_from_row(place),
            tuple(accumulate(steps)) if steps else (),
            secondary=bool(secondary),
        )
        for start, size, place, steps, *secondary in rows
    ]


def pack_headings(heading_path: Sequence[str]) -> str:
    """A heading path as ASCII JSON, lone surrogates included."""
    return json.dumps(list(heading_path)) if heading_path else ""


@functools.lru_cache(maxsize=4096)
def unpack_headings(stored: str) -> tuple[str, ...]:
    """The heading path that `pack_headings` packed."""
    return tuple(json.loads(stored)) if stored else ()


def pack_notes(notes: Sequence[str]) -> bytes:
    """The notes on a document as ASCII JSON; empty for none."""
    return json.dumps(list(notes)).encode("ascii") if notes else b""


def unpack_notes(blob: bytes) -> tuple[str, ...]:
    """The notes that `pack_notes` packed."""
    return tuple(json.loads(blob)) if blob else ()


def fingerprint(documents: Iterable[tuple[str, str, str, str]]) -> str:
    """SHA-256 over (path, file hash, extractor, extractor version) of all documents, sorted."""
    digest = hashlib.sha256()
    for document in sorted(documents):
        digest.update(json.dumps(document).encode("ascii") + b"\n")
    return digest.hexdigest()
