"""An answer in pieces, as these interfaces give it: each quote with its citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.records import Answer, Citation, Refusal, Role, Span
from pincite.render import to_json
from pincite.server.compat.counting import tokens

Json = dict[str, Any]

BETWEEN = "\n\n"
"""Stands between the quotes in the text of an answer."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of the answer that are quoted together; of a refusal, all of it."""

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

    A quote is given whole or not at all: cut short it could say something else. A refusal is one
    piece.
    """
    every = _refusal(result) if isinstance(result, Refusal) else _quotes(result)
    kept: list[Piece] = []
    count = 0
    for piece in every:
        length = tokens([piece.text])
        if most is not None and count + length > most:
            break
        kept.append(piece)
        count += length
    return Said(
        pieces=tuple(kept),
        is_refusal=isinstance(result, Refusal),
        is_cut=len(kept) < len(every),
        token_count=count,
        collection=collection,
        record=to_json(result),
    )


def _quotes(answer: Answer) -> list[Piece]:
    pieces: list[Piece] = []
    start = 0
    for citation in answer.citations:
        if citation.role is Role.ALSO and pieces:
            last = pieces[-1]
            pieces[-1] = Piece(last.span, last.text, (*last.citations, citation))
            continue
        words = citation.quote.exact
        pieces.append(Piece(Span(start, start + len(words)), words, (citation,)))
        start += len(words) + len(BETWEEN)
    return pieces


def _refusal(refusal: Refusal) -> list[Piece]:
    text = " ".join(filter(None, (refusal.text, refusal.explanation, refusal.advice)))
    return [Piece(Span(0, len(text)), text)]
