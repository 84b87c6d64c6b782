"""Real documents edited at random: what becomes of the citations of them."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.data import DataSet
from bench.mutations import SHORTEST, mutations
from pincite.answering.composition import is_quotable
from pincite.citing.cite import CONTEXT, cite
from pincite.loaders import document_of_text
from pincite.records import Citation, Document
from pincite.text.passages import split_passages
from pincite.verifications import Status
from pincite.verifying.checking import verify_each
from pincite.verifying.warning import warnings_of

SEED = 20_260_103
CITED = 12
"""Sentences cited of one document."""
MOST_EDITS = 4
_NOTHING = "Something else is said here."
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: a cited sentence, by its number, or what lies between two."""

    words: str
    cited: int = -1
    was: str = ""
    """What a cited sentence said before."""


Paragraph = list[Piece]


def measure(sets: Sequence[DataSet], *, edits: int) -> dict[str, Any]:
    """How often the status of a citation is right after the edits, by what became of it."""
    draw = random.Random(SEED)
    done = 0
    told: Counter[str] = Counter()
    wrong: list[dict[str, str]] = []
    unchanged: Counter[str] = Counter()
    documents = [_documents(data, draw) for data in sets]
    strangers = [_stranger(data, draw) for data in sets]
    turn = 0
    while done < edits and any(documents):
        turn += 1
        waiting = documents[turn % len(documents)]
        if not waiting:
            continue
        document = waiting.pop()
        citations = _citations(document, draw)
        if not citations:
            continue
        unknown = [""] * len(citations)
        for one in verify_each(citations, document, unknown):
            unchanged[one.status.value] += 1
        pieces = _pieces(document.text, citations)
        # What is put in must not say again what is cited.
        quotes = [citation.quote.exact for citation in citations]
        others = [one for one in draw.choice(strangers) if not any(q in one for q in quotes)]
        for _ in range(min(draw.randint(1, MOST_EDITS), edits - done)):
            done += 1
            told[f"edit: {_edit(pieces, others or [_NOTHING], draw)}"] += 1
        text, places = _joined(pieces)
        now = document_of_text(text, name=document.source.path)
        all_found = verify_each(citations, now, unknown)
        for number, (citation, found) in enumerate(zip(citations, all_found, strict=True)):
            expected = _expected(citation, places.get(number))
            told[f"{expected.value} as {found.status.value}"] += 1
            is_false = found.status is Status.VALID and expected is not Status.VALID
            if found.status is not expected and (is_false or len(wrong) < 100):
                wrong.append(
                    {
                        "expected": expected.value,
                        "found": found.status.value,
                        "quote": citation.quote.exact,
                        "now": found.now or (found.position.of(text) if found.position else ""),
                    }
                )
    return {
        "sets": [data.name for data in sets],
        "edits": done,
        "before_any_edit": dict(sorted(unchanged.items())),
        "told": dict(sorted(told.items())),
        "wrong": wrong,
    }


def summary(record: dict[str, Any]) -> dict[str, int | float]:
    """How many citations, the share told rightly, and how many that changed were told valid."""
    pairs = {
        tuple(name.split(" as ")): number
        for name, number in record["told"].items()
        if " as " in name
    }
    every = sum(pairs.values())
    right = sum(number for (expected, found), number in pairs.items() if expected == found)
    false = sum(
        number
        for (expected, found), number in pairs.items()
        if found == "valid" and expected in ("changed", "gone")
    )
    return {
        "edits": record["edits"],
        "citations": every,
        "told rightly, %": round(100 * right / max(1, every), 2),
        "changed or gone, told valid": false,
    }


def rows(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The figures as (name, value), for a table."""
    yield from summary(record).items()
    for status, number in record["before_any_edit"].items():
        yield f"before any edit: {status}", number
    yield from record["told"].items()


def holds(record: dict[str, Any]) -> bool:
    """At least 98 % told rightly, and nothing that changed told valid."""
    found = summary(record)
    return found["told rightly, %"] >= 98 and found["changed or gone, told valid"] == 0


def _documents(data: DataSet, draw: random.Random) -> list[Document]:
    sources = [one for one in data.documents if 1_000 < len(one.text) < 120_000]
    return [
        document_of_text(
            one.text, name="document.md" if one.doc_id.endswith(".md") else "document.txt"
        )
        for one in draw.sample(sources, min(len(sources), 200))
    ]


def _stranger(data: DataSet, draw: random.Random) -> list[str]:
    """Paragraphs to be put in."""
    text = draw.choice(data.documents).text
    return [one for one in _PARAGRAPH.split(text) if len(one) > SHORTEST] or [text[:500]]


def _citations(document: Document, draw: random.Random) -> list[Citation]:
    text = document.text
    found = [
        (passage, sentence.quote)
        for passage in split_passages(document)
        for sentence in passage.sentences
        if is_quotable(sentence) and sentence.quote.end - sentence.quote.start >= SHORTEST
    ]
    chosen = []
    for passage, quote in draw.sample(found, min(CITED, len(found))):
        cited = cite(
            passage,
            quote,
            document.source,
            document.extraction,
            before=text[max(0, quote.start - CONTEXT) : quote.start],
            after=text[quote.end : quote.end + CONTEXT],
            score=0.0,
        )
        warnings = warnings_of(passage, quote, beginning=text)
        chosen.append(replace(cited, warnings=warnings))
    return sorted(chosen, key=lambda one: one.position.start)


def _pieces(text: str, citations: Sequence[Citation]) -> list[Paragraph]:
    """The paragraphs of the text, the cited sentences apart from what lies around them."""
    paragraphs: list[Paragraph] = [[]]
    place = 0

    def add(words: str) -> None:
        start = 0
        for found in _PARAGRAPH.finditer(words):
            paragraphs[-1].append(Piece(words[start : found.end()]))
            paragraphs.append([])
            start = found.end()
        paragraphs[-1].append(Piece(words[start:]))

    for number, citation in enumerate(citations):
        add(text[place : citation.position.start])
        exact = citation.quote.exact
        paragraphs[-1].append(Piece(exact, number, exact))
        place = citation.position.end
    add(text[place:])
    return [one for one in paragraphs if any(piece.words for piece in one)]


def _edit(paragraphs: list[Paragraph], stranger: Sequence[str], draw: random.Random) -> str:
    """Change the paragraphs in one way; what was done."""
    cited = [number for number, one in enumerate(paragraphs) if any(p.cited >= 0 for p in one)]
    place = draw.choice(cited) if cited and draw.random() < 0.7 else draw.randrange(len(paragraphs))
    kind = draw.choice(("insert", "delete", "move", "reword", "reword", "sentence"))
    if kind == "insert":
        paragraphs.insert(place, [Piece(draw.choice(stranger).strip() + "\n\n")])
    elif kind == "delete" and len(paragraphs) > 2:
        del paragraphs[place]
    elif kind == "move" and len(paragraphs) > 2:
        moved = paragraphs.pop(place)
        if not moved[-1].words.endswith("\n"):
            moved.append(Piece("\n\n"))
        paragraphs.insert(draw.randrange(len(paragraphs)), moved)
    elif kind == "sentence":
        sentence = draw.choice(stranger).split(". ")[0].strip().rstrip(".") + ". "
        pieces = paragraphs[place]
        at = next((n for n, one in enumerate(pieces) if one.cited >= 0), 0)
        pieces.insert(at, Piece(sentence))
    else:
        kind = "reword"
        pieces = paragraphs[place]
        targets = [n for n, one in enumerate(pieces) if one.cited >= 0]
        if targets:
            at = draw.choice(targets)
            pieces[at] = replace(pieces[at], words=_reworded(pieces[at].words, draw))
    return kind


def _reworded(sentence: str, draw: random.Random) -> str:
    """The sentence with another number, negation, name or order, or with other words."""
    made = [
        words
        for kind, words in mutations(sentence, ("Anna", "Berlin", "Kowalski"), draw)
        if kind not in ("truncation", "order") and words != sentence
    ]
    if made and draw.random() < 0.8:
        return draw.choice(made)
    words = sentence.split(" ")
    for _ in range(1 + len(words) // 6):
        words[draw.randrange(len(words))] = draw.choice(("lamp", "other", "seven", "quickly"))
    return " ".join(words)


def _joined(paragraphs: Sequence[Paragraph]) -> tuple[str, dict[int, tuple[int, Piece]]]:
    parts: list[str] = []
    places: dict[int, tuple[int, Piece]] = {}
    length = 0
    for piece in (piece for paragraph in paragraphs for piece in paragraph):
        if piece.cited >= 0:
            places[piece.cited] = (length, piece)
        parts.append(piece.words)
        length += len(piece.words)
    return "".join(parts), places


def _expected(citation: Citation, place: tuple[int, Piece] | None) -> Status:
    if place is None:
        return Status.GONE
    start, piece = place
    if piece.words != piece.was:
        return Status.CHANGED
    return Status.VALID if start == citation.position.start else Status.MOVED
