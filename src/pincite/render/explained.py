"""Explanations as records and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.explanations import Contribution, ExplainedPassage, ExplainedSentence, Explanation
from pincite.records import Refusal
from pincite.render.record import (
    Json,
    lines_to_json,
    pincite_to_json,
    place_or_none,
    position_to_json,
    rounded,
    to_json,
)
from pincite.render.terminal import clip, columns, one_line
from pincite.render.text import PLAIN_WIDTH, where_text

_TERMS = 12
_PASSAGES = 5
_REASONS = 4


def explanation_to_json(found: Explanation) -> Json:
    """The published record of `pincite explain`."""
    return {
        "schema": "pincite.explain/1",
        "answer": to_json(found.answer),
        "terms": [
            {
                "term": term.term,
                "weight": rounded(term.weight),
                "passage_count": term.passages,
                "languages": list(term.languages),
            }
            for term in found.terms
        ],
        "expects": list(found.expects),
        "passages": [_passage(passage) for passage in found.passages],
        "sentences": [_sentence(sentence) for sentence in found.sentences],
        "lead": _reasons(found.lead),
        "confidence": _reasons(found.confidence),
        "best_confidence": rounded(found.best_confidence),
        "threshold": rounded(found.threshold),
        "pincite": pincite_to_json(),
    }


def explanation_text(found: Explanation, *, width: int = PLAIN_WIDTH) -> str:
    """One screen: what was looked for, found, weighed and chosen."""
    return "\n".join(_lines(found, width)) + "\n"


def verdict(found: Explanation) -> str:
    """Answered or refused, and by how much."""
    sure = f"confidence {found.best_confidence:.3f}, threshold {found.threshold:.3f}"
    if isinstance(found.answer, Refusal):
        return f"refused ({found.answer.reason.value}): {sure}"
    return f"answered: {sure}"


def _lines(found: Explanation, width: int) -> Iterator[str]:
    yield clip(found.answer.question, width)
    yield verdict(found)
    yield ""
    terms = "  ".join(f"{one_line(term.term)} {term.weight:.2f}" for term in found.terms[:_TERMS])
    yield clip(f"Looked for: {terms or 'nothing'}", width)
    yield f"Kind of answer: {', '.join(found.expects) or 'any'}"
    if not found.passages:
        return
    yield ""
    yield f"Passages, the first {min(_PASSAGES, len(found.passages))} of {len(found.passages)}:"
    for passage in found.passages[:_PASSAGES]:
        mark = ">" if passage.used else " "
        ranks = ", ".join(f"{name} {rank}" for name, rank in passage.ranks)
        lead = f"{mark} {passage.rank:>2}  {passage.score:7.2f}  {ranks}  "
        lead += f"{where_text(passage.path, passage.lines, None)}  "
        yield lead + clip(passage.text, max(20, width - columns(lead)))
    yield ""
    yield "Sentences:"
    for number, sentence in enumerate(found.sentences, start=1):
        where = where_text(sentence.path, sentence.lines, sentence.place)
        lead = f"  {number}  {sentence.score:7.2f}  {where}  "
        yield lead + clip(sentence.text, max(20, width - columns(lead)))
        if sentence.reasons:
            yield f"              {_told(sentence.reasons)}"
    if found.lead:
        yield ""
        yield f"The first has over the second: {_told(found.lead)}"
    if found.confidence:
        yield f"Its confidence, in log-odds: {_told(found.confidence)}"


def _told(reasons: Sequence[Contribution]) -> str:
    return ", ".join(f"{readable(one.name)} {one.amount:+.2f}" for one in reasons[:_REASONS])


def readable(name: str) -> str:
    """The name of a feature as words."""
    return name.replace("_", " ")


def _passage(passage: ExplainedPassage) -> Json:
    return {
        "rank": passage.rank,
        "score": rounded(passage.score),
        "ranks": dict(passage.ranks),
        "used": passage.used,
        "path": passage.path,
        "position": position_to_json(passage.position),
        "lines": lines_to_json(passage.lines),
        "heading_path": list(passage.heading_path),
        "text": passage.text,
    }


def _sentence(sentence: ExplainedSentence) -> Json:
    return {
        "path": sentence.path,
        "position": position_to_json(sentence.position),
        "lines": lines_to_json(sentence.lines),
        "place": place_or_none(sentence.place),
        "text": sentence.text,
        "passage_rank": sentence.passage_rank,
        "score": rounded(sentence.score),
        "reasons": _reasons(sentence.reasons),
    }


def _reasons(reasons: Sequence[Contribution]) -> list[Json]:
    return [
        {
            "name": one.name,
            "value": rounded(one.value),
            "weight": rounded(one.weight),
            "amount": rounded(one.amount),
        }
        for one in reasons
    ]
