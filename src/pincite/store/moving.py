"""A document whose file has another place in the folder now, and nothing else changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pincite.store.codec import seal_of
from pincite.store.schema import checked, decoding, encoded

_PASSAGE = (int, int, int, int, int, str, str, bytes, bytes, bytes)


def move_document(connection: sqlite3.Connection, store: Path, old: str, new: str) -> None:
    """Give the document at `old` the path `new`, where there is none; `StoreDamaged`."""
    before, path = encoded(old), encoded(new)
    rows = connection.execute(
        "SELECT passages.key, ordinal, start, passages.end, first_line, passages.language,"
        " heading_path, sentences, text, seal"
        " FROM passages JOIN documents ON documents.key = document WHERE path = ?",
        (before,),
    )
    seals = []
    for row in rows:
        with decoding(store):
            key, *place, language, headings, sentences, text, seal = checked(row, *_PASSAGE)
            ordinal, start, end, first_line = place
            where = (ordinal, start, end, first_line)
            # Not to be made good by a new seal.
            if seal != seal_of(before, where, language, headings, sentences, text):
                raise ValueError("a passage is not as it was written")
        seals.append((seal_of(path, where, language, headings, sentences, text), key))
    connection.executemany("UPDATE passages SET seal = ? WHERE key = ?", seals)
    connection.execute("UPDATE documents SET path = ? WHERE path = ?", (path, before))
