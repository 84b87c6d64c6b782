"""An answer in pieces, as these interfaces give it: each quote with its citations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pincite.records import Answer, Citation, Refusal, Role, Span
from pincite.render import to_json
from pincite.render.noted import conflict_text, warning_text
from pincite.server.compat.counting import tokens

Json = dict[str, Any]

Words = tuple[str, tuple[Citation, ...]]
"""What a piece says, and what it quotes."""

BETWEEN = "\n\n"
"""Stands between the quotes in the text of an answer."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of the answer that are quoted together; of a refusal, all of it.

    Without citations, in an answer: what has to be read with the quotes before it.
    """

    span: Span
    """In the text of the answer, in code points."""
    text: str
    citations: tuple[Citation, ...] = ()
    """The place that is quoted, then where the same words stand again."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is said to a question, in its order."""

    pieces: tuple[Piece, ...]
    is_refusal: bool
    is_cut: bool
    """There was more to say than there was to be."""
    token_count: int
    collection: str
    """Empty where documents came with the question."""
    record: Json
    """All of it, whatever was cut."""

    @property
    def text(self) -> str:
        """The pieces, one a paragraph."""
        return BETWEEN.join(piece.text for piece in self.pieces)

    @property
    def extension(self) -> Json:
        """What the field `pincite` holds: the record, and the collection that it is from."""
        return {"collection": self.collection or None, "record": self.record}

    def deltas(self) -> list[str]:
        """The text in parts, one a piece."""
        return [f"{BETWEEN if number else ''}{one.text}" for number, one in enumerate(self.pieces)]


def said(result: Answer | Refusal, *, collection: str = "", most: int | None = None) -> Said:
    """The answer in pieces, `most` tokens of them at most.

    A quote is given whole, with what has to be read with it, or not at all: cut short it could say
    something else. A refusal is one piece.
    """
    groups = _refusal(result) if isinstance(result, Refusal) else _quotes(result)
    # What is said of the quotes together is said wherever one of them is.
    behind = [] if isinstance(result, Refusal) else _notes(map(conflict_text, result.conflicts))
    count = _length(behind)
    kept: list[Words] = []
    is_cut = False
    for group in groups:
        if most is not None and count + _length(group) > most:
            is_cut = True
            break
        kept += group
        count += _length(group)
    pieces = _pieces([*kept, *behind] if kept else [])
    return Said(
        pieces=pieces,
        is_refusal=isinstance(result, Refusal),
        is_cut=is_cut,
        token_count=count if kept else 0,
        collection=collection,
        record=to_json(result),
    )


def _pieces(every: Iterable[Words]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    start = 0
    for text, citations in every:
        pieces.append(Piece(Span(start, start + len(text)), text, citations))
        start += len(text) + len(BETWEEN)
    return tuple(pieces)


def _quotes(answer: Answer) -> list[list[Words]]:
    """Each quote, and behind it what has to be read with it."""
    groups: list[list[Words]] = []
    for citation in answer.citations:
        if citation.role is Role.ALSO and groups:
            words, citations = groups[-1][0]
            groups[-1][0] = (words, (*citations, citation))
            continue
        notes = _notes(map(warning_text, citation.warnings))
        groups.append([(citation.quote.exact, (citation,)), *notes])
    return groups


def _refusal(refusal: Refusal) -> list[list[Words]]:
    return [_notes([" ".join(filter(None, (refusal.text, refusal.explanation, refusal.advice)))])]


def _notes(texts: Iterable[str]) -> list[Words]:
    return [(text, ()) for text in texts]


def _length(group: Iterable[Words]) -> int:
    return sum(tokens([text]) for text, _ in group)
