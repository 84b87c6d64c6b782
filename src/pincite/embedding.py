"""Giving passages their vectors: after everything else, some at a time.

An index answers by words as soon as it is written. Vectors come later and change nothing until the
last passage has its own: so answers hang on what is in the index, never on how far this has come.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pincite.errors import StoreBusy
from pincite.protocols import VECTOR_LENGTH, TextEncoder
from pincite.retrieval.combining import encoded_text
from pincite.store import Catalogue, Snapshot
from pincite.store.location import views_directory
from pincite.store.vectors import VectorCount, write_vectors

_AT_ONCE = 256
"""Passages whose vectors are written together: what is lost when a run is killed."""
_NOTHING = bytes(VECTOR_LENGTH)
"""In place of a vector: as near to everything as to nothing."""
_PATIENCE = 60
"""Seconds to wait for another process that writes."""


def give_vectors(folder: Path, store: Path, encoder: TextEncoder) -> Iterator[VectorCount]:
    """Give every passage of an index that has none its vector; yields how far it has come.

    First before anything is done, then after each part, which is kept whatever happens later. Goes
    on with what another process adds meanwhile. Raises `StoreNotFound`, `StoreNotWritable`,
    `StoreDamaged`, `StoreBusy` where another process keeps writing, and `MissingExtra` without the
    model.
    """
    with Catalogue.open(store, folder=folder) as catalogue:
        after = 0
        seen: VectorCount | None = None
        while True:
            with catalogue.snapshot() as snapshot:
                count = snapshot.vector_count(encoder.name)
                if count != seen:
                    after = 0
                passages = snapshot.unencoded(encoder.name, after=after, limit=_AT_ONCE)
                texts = _texts(snapshot, [one.key for one in passages])
            yield count
            if not passages:
                if seen is not None and views_directory(folder, store).exists():
                    from pincite.views import refresh_views  # Most have no views.

                    # Whoever asks a part next is not to wait for what others may see.
                    refresh_views(folder, store, wipe=False)
                return
            read = iter(encoder.encode_packed([text for text in texts if text]))
            vectors = [next(read) if text else _NOTHING for text in texts]
            for patience in reversed(range(_PATIENCE)):
                try:
                    seen = write_vectors(store, encoder.name, count, passages, vectors)
                    break
                except StoreBusy:
                    if not patience:
                        raise
                    time.sleep(1)
            after = passages[-1].key


def _texts(snapshot: Snapshot, keys: list[int]) -> list[str]:
    passages = snapshot.passages(keys)
    known = {path: snapshot.source(path) for path in sorted({one.path for one in passages})}
    titles = {path: found[0].title if found else "" for path, found in known.items()}
    return [encoded_text(titles[passage.path], passage) for passage in passages]
