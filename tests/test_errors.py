"""What the messages tell a person to do is what helps in their case."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.errors import DocumentNotFound, PlaceNotFound, StoreNotWritable

FOLDER = Path("documents")


@pytest.mark.parametrize(
    "reason",
    [
        "the disk is full",
        "the disk is full or failing (disk I/O error)",
        "No space left on device while working on a.md",
        "Disk quota exceeded",
    ],
)
def test_without_room_for_the_index_the_remedy_is_room(reason: str) -> None:
    message = str(StoreNotWritable(Path("store"), reason=reason))
    assert "free space there, or choose another place with --store" in message
    assert "make it writable" not in message


@pytest.mark.parametrize("reason", ["no permission to write there", "Read-only file system"])
def test_without_permission_the_remedy_is_permission(reason: str) -> None:
    message = str(StoreNotWritable(Path("store"), reason=reason))
    assert "make it writable, or choose another place with --store" in message
    assert "space" not in message


def test_a_place_that_is_not_there_says_how_long_the_document_is() -> None:
    error = PlaceNotFound(
        "policy.md:99", path="policy.md", folder=FOLDER, line_count=41, length=2100
    )
    assert isinstance(error, DocumentNotFound)
    assert str(error) == (
        "no place 'policy.md:99' in the index of documents: policy.md has 41 lines, 2100 characters"
    )
