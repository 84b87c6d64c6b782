"""A place in a document with the passages around it, as `pincite show` shows it."""

from __future__ import annotations

from pathlib import Path

from pincite.errors import DocumentNotFound, PlaceNotFound, TextChanged
from pincite.locators import document_path, parsed
from pincite.places import Mark
from pincite.records import Excerpt, Extraction, Lines, Span, Stretch
from pincite.store.snapshot import Snapshot
from pincite.text.lines import line_starts, lines_in


def excerpt(
    locator: str, snapshot: Snapshot, folder: Path, *, text: Extraction | None = None
) -> Excerpt:
    """The passages around a place; see `pincite.Index.show`, which raises like this."""
    name, lines, span = parsed(locator, lambda name: snapshot.source(name) is not None)
    path = document_path(name, snapshot, folder)
    known = snapshot.source(path)
    if known is not None:
        _check_text(locator, path, text, known[1], folder)
    passages = snapshot.passages_of(path, span=span, lines=lines)
    if known is None or not passages:
        raise _no_place(locator, path, snapshot, folder)
    held_text = "".join(passage.text for passage in passages)
    whole = Span(passages[0].span.start, passages[-1].span.end)
    if lines is not None:
        span = _span_of(lines, held_text, passages[0].first_line, whole.start)
    if span is None or span.end > whole.end:
        raise _no_place(locator, path, snapshot, folder)
    # Lines may name a passage too many, which only its text tells.
    held = [p for p in passages if p.span.start < max(span.end, span.start + 1)]
    held = [p for p in held if p.span.end > span.start] or passages[-1:]
    whole_passages = Span(held[0].span.start, held[-1].span.end)
    return Excerpt(
        document=known[0],
        text=known[1],
        heading_path=held[0].heading_path,
        excerpt="".join(passage.text for passage in held),
        position=whole_passages,
        lines=Lines(held[0].first_line, lines_in(held[-1], held[-1].span).end),
        marked=span,
        marked_lines=Lines(
            lines_in(held[0], Span(span.start, span.start)).start,
            lines_in(held[-1], Span(max(span.start, held[-1].span.start), span.end)).end,
        ),
        place=snapshot.place(path, span),
        stale=bool(snapshot.changed_since_indexed([path])),
    )


def stretch(
    document: str,
    snapshot: Snapshot,
    folder: Path,
    *,
    around: Span | None = None,
    reach: int = 0,
    text: Extraction | None = None,
) -> Stretch:
    """A document, or what is around a place of it; see `pincite.Index.stretch`."""
    path = document_path(document, snapshot, folder)
    known = snapshot.source(path)
    if known is None:
        raise DocumentNotFound(document, folder=folder)
    _check_text(document, path, text, known[1], folder)
    length = snapshot.length_of(path)
    wanted = None
    if around is not None:
        if around.end > length:
            raise _no_place(f"{path}#char={around.start},{around.end}", path, snapshot, folder)
        wanted = Span(max(0, around.start - reach), min(length, around.end + reach))
    passages = snapshot.passages_of(path, span=wanted)
    marks: list[Mark] = []
    if passages:
        marks = snapshot.marks_of(path, Span(passages[0].span.start, passages[-1].span.end))
    return Stretch(
        document=known[0],
        text=known[1],
        passages=tuple(passages),
        marks=tuple(marks),
        length=length,
        stale=bool(snapshot.changed_since_indexed([path])),
    )


def _check_text(
    named: str, path: str, text: Extraction | None, known: Extraction, folder: Path
) -> None:
    """`TextChanged` where a text is asked for that is not the one the index has."""
    if text is not None and text.sha256 != known.sha256:
        was, now = (f"{one.extractor} {one.extractor_version}" for one in (text, known))
        raise TextChanged(named, path=path, folder=folder, was=was, now=now)


def _no_place(locator: str, path: str, snapshot: Snapshot, folder: Path) -> PlaceNotFound:
    """That a document of the index has no such place, and how much it has."""
    passages = snapshot.passages_of(path)
    lines = length = 0
    if passages:
        last = passages[-1]
        lines = last.first_line + len(line_starts(last.text)) - 1
        length = last.span.end
    return PlaceNotFound(locator, path=path, folder=folder, line_count=lines, length=length)


def _span_of(lines: Lines, text: str, first_line: int, offset: int) -> Span | None:
    """The span of whole lines, without the last line end; None when `text` has no such line."""
    starts = line_starts(text)
    first, last = lines.start - first_line, lines.end - first_line
    if not 0 <= first < len(starts):
        return None
    start = starts[first]
    end = starts[last + 1] if last + 1 < len(starts) else len(text)
    return Span(offset + start, offset + max(start, len(text[:end].rstrip("\r\n"))))
