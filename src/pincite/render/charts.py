"""Plots as SVG, small enough to need no library: axes from 0 to 1, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

WIDTH, HEIGHT = 420, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 24, 44
BLUE, RED, GREEN, GREY = "#2b6cb0", "#c0392b", "#2f855a", "#a0aec0"
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def lines_chart(
    series: Sequence[tuple[str, str, Sequence[tuple[float, float]]]],
    *,
    x: str,
    y: str,
    marked: tuple[float, float] | None = None,
    marked_at: float | None = None,
    diagonal: bool = False,
) -> str:
    """Lines of points from 0 to 1, each with its name and colour.

    `marked` is a point to stand out, `marked_at` a place on the x axis.
    """
    parts = []
    if diagonal:
        parts.append(_line([(0.0, 0.0), (1.0, 1.0)], GREY, dashed=True))
    if marked_at is not None:
        parts.append(_line([(marked_at, 0.0), (marked_at, 1.0)], GREY, dashed=True))
    for place, (name, colour, points) in enumerate(series):
        if points:
            parts.append(_line(points, colour))
        if len(series) > 1:
            parts.append(_legend(place, name, colour))
    if marked is not None:
        parts.append(_dot(marked, 5, BLUE, "the threshold in use"))
    return _chart(x, y, parts)


def dots_chart(dots: Sequence[tuple[float, float, int]], *, x: str, y: str, name: str) -> str:
    """Dots as (x, y, count) from 0 to 1, the larger the more they stand for, and the diagonal."""
    most = max((count for _, _, count in dots), default=1)
    parts = [_line([(0.0, 0.0), (1.0, 1.0)], GREY, dashed=True)]
    parts += [_line([(a, b) for a, b, _ in dots], BLUE, thin=True)] if dots else []
    parts += [
        _dot((a, b), 3 + 9 * (count / most) ** 0.5, BLUE, f"{count} {name}: {a:.2f}, {b:.2f}")
        for a, b, count in dots
    ]
    return _chart(x, y, parts)


def bars(rows: Sequence[tuple[str, float]], *, width: int = 520) -> str:
    """One bar a row with its name and number, to the left of the line where it is below 0."""
    if not rows:
        return ""
    label, number, height = 190, 60, 20
    room = width - label - number
    low = min(0.0, *(value for _, value in rows))
    high = max(0.0, *(value for _, value in rows))
    scale = room / ((high - low) or 1.0)
    zero = label - low * scale
    parts = []
    for row, (name, value) in enumerate(rows):
        top = row * height
        start = min(zero, zero + value * scale)
        parts.append(
            f'<text x="{label - 8}" y="{top + 14}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{start:.1f}" y="{top + 4}" width="{max(1.0, abs(value) * scale):.1f}" '
            f'height="{height - 8}" fill="{BLUE if value >= 0 else RED}"/>'
            f'<text x="{width - 4}" y="{top + 14}" text-anchor="end">{value:+.3f}</text>'
        )
    total = len(rows) * height
    parts.append(f'<line x1="{zero:.1f}" y1="0" x2="{zero:.1f}" y2="{total}" stroke="{GREY}"/>')
    return _svg(width, total, parts)


def _chart(x: str, y: str, parts: Iterable[str]) -> str:
    grid = []
    for tick in _TICKS:
        across, up = _at((tick, tick))
        grid.append(
            f'<line x1="{_LEFT}" y1="{up:.1f}" x2="{WIDTH - _RIGHT}" y2="{up:.1f}" '
            f'stroke="#e2e8f0"/>'
            f'<text x="{_LEFT - 6}" y="{up + 4:.1f}" text-anchor="end">{tick:.0%}</text>'
            f'<text x="{across:.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
            f"{tick:.0%}</text>"
        )
    middle = (_TOP + HEIGHT - _BOTTOM) / 2
    names = [
        f'<text x="{(_LEFT + WIDTH - _RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"{escape(x)}</text>",
        f'<text x="12" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 12 {middle})">{escape(y)}</text>',
    ]
    return _svg(WIDTH, HEIGHT, [*grid, *parts, *names])


def _svg(width: int, height: int, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-size="11" '
        f'font-family="sans-serif" fill="#4a5568">{"".join(parts)}</svg>'
    )


def _at(point: tuple[float, float]) -> tuple[float, float]:
    across, up = (min(1.0, max(0.0, value)) for value in point)
    return (
        _LEFT + across * (WIDTH - _LEFT - _RIGHT),
        HEIGHT - _BOTTOM - up * (HEIGHT - _TOP - _BOTTOM),
    )


def _line(
    points: Sequence[tuple[float, float]], colour: str, *, dashed: bool = False, thin: bool = False
) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(_at, points))
    stroke = f'stroke="{colour}" stroke-width="{1 if dashed or thin else 2}"'
    dashes = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<polyline points="{places}" fill="none" {stroke}{dashes}/>'


def _dot(point: tuple[float, float], radius: float, colour: str, title: str) -> str:
    x, y = _at(point)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}" fill-opacity="0.75">'
        f"<title>{escape(title)}</title></circle>"
    )


def _legend(place: int, name: str, colour: str) -> str:
    top, start = 10, _LEFT + 78 * place
    return (
        f'<line x1="{start}" y1="{top}" x2="{start + 18}" y2="{top}" stroke="{colour}" '
        f'stroke-width="2"/><text x="{start + 24}" y="{top + 4}">{escape(name)}</text>'
    )
