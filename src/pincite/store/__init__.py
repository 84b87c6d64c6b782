"""The embedded store: a catalogue in SQLite that is the truth, and a lexical index beside it.

What writes it is in `pincite.store.writer`, and is not loaded to ask.
"""

from pincite.store.catalogue import Catalogue
from pincite.store.location import store_directory
from pincite.store.memory import MemoryCorpus
from pincite.store.snapshot import Snapshot

__all__ = [
    "Catalogue",
    "MemoryCorpus",
    "Snapshot",
    "store_directory",
]
