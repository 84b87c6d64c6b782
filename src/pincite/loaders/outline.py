"""The heading path as a document is read from top to bottom."""

from __future__ import annotations


class Outline:
    """Holds the headings that are open at the place reached so far."""

    def __init__(self) -> None:
        self.path: tuple[str, ...] = ()
        self._levels: list[int] = []

    def open(self, heading: str, level: int) -> tuple[str, ...]:
        """The path from here on: `heading` closes every heading of its level or deeper."""
        self.close(level)
        self.path = (*self.path, heading)
        self._levels.append(level)
        return self.path

    def close(self, level: int) -> None:
        """Nothing from here on stands under the headings of `level` or deeper."""
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        self.path = self.path[: len(self._levels)]
