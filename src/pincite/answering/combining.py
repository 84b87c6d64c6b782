"""One answer from those to the parts of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.records import Answer, Citation, Refusal, Retrieved, Role


def combined(question: str, parts: Sequence[str], found: Sequence[Answer | Refusal]) -> Answer:
    """The quotes for each part in order, each saying which it answers, and the parts without.

    A quote that answers several parts is given once. ValueError where no part is answered.
    """
    both = list(zip(parts, found, strict=True))
    answers = [(part, one) for part, one in both if isinstance(one, Answer)]
    if not answers:
        raise ValueError(f"no part of {question!r} is answered: ask it as a whole")
    citations: list[Citation] = []
    for part, answer in answers:
        for citation in answer.citations:
            _add(citations, citation, part)
    return Answer(
        question=question,
        text=text_of(citations),
        confidence=min(answer.confidence for _, answer in answers),
        citations=tuple(citations),
        retrieved=_merged([one.retrieved for one in found]),
        index=found[0].index,
        stale=tuple(sorted({path for one in found for path in one.stale})),
        unanswered_parts=tuple(part for part, one in both if isinstance(one, Refusal)),
        conflicts=tuple(conflict for _, answer in answers for conflict in answer.conflicts),
    )


def text_of(citations: Sequence[Citation]) -> str:
    """The quotes in order, one a paragraph; the same words in other places are told once."""
    return "\n\n".join(one.quote.exact for one in citations if one.role is not Role.ALSO)


def _add(citations: list[Citation], citation: Citation, part: str) -> None:
    """Add what answers `part`, or name the part with the quote that says it already."""
    for number, held in enumerate(citations):
        if _within(citation, held):
            if part not in held.parts:
                citations[number] = replace(held, parts=(*held.parts, part))
            return
    role = Role.PART if citation.role is Role.ANSWER else citation.role
    citations.append(replace(citation, role=role, parts=(part,)))


def _within(citation: Citation, held: Citation) -> bool:
    return (
        citation.document.path == held.document.path
        and held.position.start <= citation.position.start
        and citation.position.end <= held.position.end
    )


def _merged(lists: Sequence[Sequence[Retrieved]]) -> tuple[Retrieved, ...]:
    """The passages looked at for each part, by turns, each once; used where any part uses it."""
    by_rank = sorted(
        ((one.rank, number, one) for number, shown in enumerate(lists) for one in shown),
        key=lambda entry: entry[:2],
    )
    used = {_place(one) for _, _, one in by_rank if one.used}
    places: set[tuple[str, int]] = set()
    merged: list[Retrieved] = []
    for _, _, one in by_rank:
        if _place(one) not in places:
            places.add(_place(one))
            merged.append(replace(one, rank=len(merged) + 1, used=_place(one) in used))
    return tuple(merged)


def _place(one: Retrieved) -> tuple[str, int]:
    return one.document.path, one.position.start
