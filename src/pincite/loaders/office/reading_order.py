"""The order in which boxes on a slide are read, where the file's order is not it."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

_MOST_BOXES = 300
"""More are left in the order of the file: each is compared with each."""
_SHARED = 0.5
"""Part of the smaller extent that two boxes share when they stand beside or above each other."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    left: float
    top: float
    right: float
    bottom: float


def reading_order(boxes: Sequence[Rectangle | None]) -> list[int]:
    """The indexes of `boxes` as they are read: what is above or to the left comes first.

    Where that leaves the order open (a column or a row first?), and for boxes that overlap or
    whose place is not known, the order given is kept.
    """
    count = len(boxes)
    if count > _MOST_BOXES:
        return list(range(count))
    after: list[list[int]] = [[] for _ in boxes]
    waits = [0] * count
    for one in range(count):
        for other in range(count):
            first, second = boxes[one], boxes[other]
            if first is not None and second is not None and _precedes(first, second):
                after[one].append(other)
                waits[other] += 1
    ready = [index for index in range(count) if not waits[index]]
    order: list[int] = []
    done: set[int] = set()
    while len(order) < count:
        # Boxes that wait for one another are taken as the file has them.
        index = heapq.heappop(ready) if ready else min(set(range(count)) - done)
        if index in done:
            continue
        done.add(index)
        order.append(index)
        for other in after[index]:
            waits[other] -= 1
            if not waits[other]:
                heapq.heappush(ready, other)
    return order


def _precedes(first: Rectangle, second: Rectangle) -> bool:
    is_above = first.bottom <= second.top and _share(
        first.left, first.right, second.left, second.right
    )
    is_left = first.right <= second.left and _share(
        first.top, first.bottom, second.top, second.bottom
    )
    return is_above or is_left


def _share(start: float, end: float, other_start: float, other_end: float) -> bool:
    shared = min(end, other_end) - max(start, other_start)
    return shared > _SHARED * min(end - start, other_end - other_start)
