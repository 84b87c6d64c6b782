"""A place in the file's own units as a person would name it."""

from __future__ import annotations

from pincite.places import (
    CellPlace,
    ChapterPlace,
    ElementPlace,
    MemberPlace,
    MessagePlace,
    NodePlace,
    NotebookPlace,
    Page,
    PagePlace,
    ParagraphPlace,
    Place,
    SlidePlace,
    TimePlace,
)
from pincite.records import Lines
from pincite.render.terminal import one_line


def lines_text(lines: Lines) -> str:
    """`line 3` or `lines 3-4`, of a text that is the file itself."""
    return _range("line", lines.start, lines.end)


def place_text(place: Place) -> str:
    """`page 12 (xii), lines 3-4` and the like, on one line; never empty."""
    match place:
        case PagePlace():
            return " and ".join(map(_page, place.pages))
        case CellPlace():
            return _join(
                f"sheet {one_line(place.sheet)}" if place.sheet else "",
                place.cells,
                _named("row", place.row),
                _named("column", place.column),
            )
        case SlidePlace():
            return _join(
                _range("slide", place.first, place.last) + (" notes" if place.notes else ""),
                _named("", place.title),
            )
        case ParagraphPlace():
            cell = (("table", place.table), ("row", place.row), ("column", place.column))
            return _join(
                "" if place.part == "body" else place.part,
                *(f"{name} {number}" for name, number in cell if number),
                _range("paragraph", place.first, place.last),
            )
        case ElementPlace():
            return _join(f"#{one_line(place.id)}" if place.id else "", one_line(place.path))
        case NodePlace():
            return one_line(place.path) or "the whole"
        case NotebookPlace():
            return _join(_range("cell", place.first, place.last), place.source)
        case TimePlace():
            return _join(f"{_clock(place.start)}-{_clock(place.end)}", one_line(place.speaker))
        case ChapterPlace():
            return _join(f"chapter {place.number}", _named("", place.title), _within(place.within))
        case MessagePlace():
            return _join(
                f"message {place.number}" if place.number > 1 else "",
                f"{place.part} {one_line(place.name)}".strip() or "message",
                _within(place.within),
            )
        case MemberPlace():
            return _join(f"in {one_line(place.path)}", _within(place.within))


def _page(page: Page) -> str:
    label = f" ({one_line(page.label)})" if page.label and page.label != str(page.number) else ""
    return _join(
        f"page {page.number}{label}",
        _range("line", page.first_line, page.last_line) if page.first_line else "",
        "recognised from a picture" if page.recognised else "",
    )


def _within(place: Place | None) -> str:
    return "" if place is None else place_text(place)


def _named(what: str, name: str) -> str:
    return f"{what} '{one_line(name)}'".strip() if name else ""


def _range(what: str, first: int, last: int) -> str:
    return f"{what} {first}" if first == last else f"{what}s {first}-{last}"


def _clock(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}:{second:02}.{rest:03}"


def _join(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
