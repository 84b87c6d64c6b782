"""Small corpora for tests, written where they are used."""

from __future__ import annotations

from pincite.loaders import document_of_text
from pincite.store import MemoryCorpus
from pincite.text.passages import split_passages


def corpus_of(files: dict[str, str]) -> MemoryCorpus:
    """A corpus of the given texts by path."""
    documents = [document_of_text(text, name=name) for name, text in files.items()]
    return MemoryCorpus(documents, [p for d in documents for p in split_passages(d)])
