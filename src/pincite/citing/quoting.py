"""Citations and retrieved passages as a corpus knows them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pincite.citing.cite import CONTEXT, cite
from pincite.places import without_boxes
from pincite.protocols import Corpus
from pincite.records import Citation, Passage, Retrieved, Role, ScoredPassage, Span
from pincite.text.lines import lines_in


def citation_in(
    corpus: Corpus,
    passage: Passage,
    position: Span,
    *,
    score: float,
    role: Role = Role.ANSWER,
    cells: str = "",
) -> Citation:
    """The citation of `position` in a passage of `corpus`; ValueError where it has no such."""
    known = corpus.source(passage.path)
    if known is None:
        raise ValueError(f"{passage.path!r} has a passage but no document in this corpus")
    source, extraction = known
    around = corpus.passages_of(
        passage.path,
        span=Span(max(0, position.start - CONTEXT), position.end + CONTEXT),
    )
    text = "".join(part.text for part in around)
    start = position.start - around[0].span.start
    end = position.end - around[0].span.start
    return cite(
        passage,
        position,
        source,
        extraction,
        before=text[:start],
        after=text[end:],
        score=score,
        place=corpus.place(passage.path, position),
        role=role,
        cells=cells,
    )


def retrieved_in(
    corpus: Corpus,
    ranked: Sequence[ScoredPassage],
    shown: Sequence[ScoredPassage],
    *,
    used: Collection[Passage] = (),
) -> tuple[Retrieved, ...]:
    """The passages `shown` of those `ranked`, each with its rank among them, best first."""
    records = []
    for rank, scored in enumerate(ranked, start=1):
        known = corpus.source(scored.passage.path)
        if scored not in shown or known is None:
            continue
        passage = scored.passage
        records.append(
            Retrieved(
                rank=rank,
                score=scored.score,
                used=passage in used,
                document=known[0],
                position=passage.span,
                lines=lines_in(passage, passage.span),
                place=without_boxes(corpus.place(passage.path, passage.span)),
                heading_path=passage.heading_path,
                text=passage.text,
            )
        )
    return tuple(records)
