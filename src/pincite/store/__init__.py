"""The embedded store: a catalogue in SQLite that is the truth, and a lexical index beside it."""

from pincite.store.catalogue import Catalogue
from pincite.store.location import store_directory
from pincite.store.memory import MemoryCorpus
from pincite.store.snapshot import Snapshot
from pincite.store.writer import Writer, open_writer

__all__ = [
    "Catalogue",
    "MemoryCorpus",
    "Snapshot",
    "Writer",
    "open_writer",
    "store_directory",
]
