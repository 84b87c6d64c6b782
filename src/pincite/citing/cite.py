"""From a span of a document to a citation of it."""

from __future__ import annotations

from pincite.places import Place, pages_of
from pincite.records import Citation, Extraction, Passage, Quote, Role, Source, Span
from pincite.text.lines import lines_in

CONTEXT = 32
"""Code points of prefix and suffix, fewer at the ends of the document."""


def cite(
    passage: Passage,
    position: Span,
    source: Source,
    extraction: Extraction,
    *,
    before: str,
    after: str,
    score: float,
    place: Place | None = None,
    role: Role = Role.ANSWER,
    cells: str = "",
) -> Citation:
    """The citation of `position`, which must lie inside `passage`; ValueError where it does not.

    `before` and `after` are the document's text on either side of the position, as much as the
    caller has; the nearest `CONTEXT` code points of each are kept.
    """
    if not passage.span.start <= position.start <= position.end <= passage.span.end:
        raise ValueError(f"{position} is not inside the passage at {passage.span}")
    offset = passage.span.start
    exact = passage.text[position.start - offset : position.end - offset]
    return Citation(
        role=role,
        document=source,
        text=extraction,
        quote=Quote(exact=exact, prefix=before[-CONTEXT:], suffix=after[:CONTEXT]),
        position=position,
        lines=lines_in(passage, position),
        pages=pages_of(place),
        place=place,
        heading_path=passage.heading_path,
        score=score,
        cells=cells,
    )
