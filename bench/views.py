"""Measures parts of a large index: making one, keeping it up, asking it, disk."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import folder as folders
from bench.data import DataSet
from bench.scale import SEED, invented
from pincite import Index
from pincite.encoder.encode import Encoder
from pincite.protocols import VECTOR_LENGTH
from pincite.store import Catalogue
from pincite.store.vectors import write_vectors
from pincite.visible import Visible

SHARES = {
    20: Visible(("*0.txt", "*1.txt")),
    80: Visible(("**",), ("*0.txt", "*1.txt")),
}
"""By the last figure of the names of the files."""


def measure(sets: Sequence[DataSet], *, passages: int) -> dict[str, Any]:
    """Figures for parts of a folder of about `passages` passages."""
    documents = invented(sets, passages)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        folder, store = Path(temporary, "documents"), Path(temporary, "store")
        paths = folders.file_names(documents)
        folders.write(documents, folder, paths)
        by_name = sorted(folder.iterdir())
        found: dict[str, Any] = {}
        with Index.open_or_build(folder, store=store, lexical=True) as index:
            _give_some_vectors(folder, store)
            found["passages"] = index.info().passage_count
            found["store_bytes"] = index.info().store_bytes
            for share, visible in SHARES.items():
                found[f"make_{share}"] = timed(lambda visible=visible: index.only(visible))
                part = index.only(visible)
                info = part.info()
                found[f"passages_{share}"] = info.passage_count
                found[f"bytes_{share}"] = info.store_bytes
                found[f"unencoded_{share}"] = info.unencoded_count
            found["unchanged"] = timed(lambda: [index.only(one) for one in SHARES.values()])
            by_name[0].write_text("What is said here is new.\n", "utf-8")
            found["update_and_both_views"] = timed(lambda: index.update())
            found["after_an_update"] = timed(lambda: [index.only(one) for one in SHARES.values()])
    return found


def timed(work: Callable[[], object]) -> dict[str, float]:
    """Seconds that the work takes, by the clock and of the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}


def rows(got: dict[str, Any]) -> list[tuple[str, Any]]:
    """The figures for reading, with their units."""
    found: list[tuple[str, Any]] = [
        ("passages", got["passages"]),
        ("store MB", got["store_bytes"] / 1e6),
    ]
    for share in SHARES:
        found += [
            (f"{share} %: passages", got[f"passages_{share}"]),
            (f"{share} %: made, s", got[f"make_{share}"]["seconds"]),
            (f"{share} %: made, CPU s", got[f"make_{share}"]["cpu_seconds"]),
            (f"{share} %: store MB", got[f"bytes_{share}"] / 1e6),
        ]
    for name, said in (
        ("unchanged", "both looked at with nothing changed, ms"),
        ("after_an_update", "both looked at after an update, ms"),
    ):
        found += [(said, got[name]["seconds"] * 1000)]
    found += [
        ("update with one file changed, and both parts, s", got["update_and_both_views"]["seconds"])
    ]
    return found


def _give_some_vectors(folder: Path, store: Path) -> None:
    """Vectors drawn at random: they take the room of real ones, and no time to make."""
    choose = random.Random(SEED)
    with Catalogue.open(store, folder=folder) as catalogue:
        while True:
            with catalogue.snapshot() as snapshot:
                count = snapshot.vector_count(Encoder.name)
                some = snapshot.unencoded(Encoder.name, after=0, limit=5_000)
            if not some:
                return
            vectors = [choose.randbytes(VECTOR_LENGTH) for _ in some]
            write_vectors(store, Encoder.name, count, some, vectors)
