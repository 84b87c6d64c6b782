"""The files of a folder as LlamaIndex's documents, read as Pincite reads them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from pincite.errors import FolderNotFound, UnreadableDocument
from pincite.llama_index.nodes import KEPT, PATH, kept
from pincite.loaders import load


class PinciteReader(BaseReader):
    """One document a file, whatever its format: a PDF is one text, not one a page.

    Documents have the path in the folder as their id, so that reading again replaces them.
    `unread` says which files could not be read, and why. Files are read in this process: for
    files that may be hostile use an index of Pincite, which reads each in a process of its own.
    """

    def __init__(self) -> None:
        self.unread: dict[str, str] = {}
        """Of the last folder, by path."""

    def lazy_load_data(self, folder: str | Path, **load_kwargs: Any) -> Iterable[Document]:
        """The documents of a folder and the folders in it, by path; hidden ones are left out.

        Raises `FolderNotFound`.
        """
        root = Path(folder)
        if not root.is_dir():
            raise FolderNotFound(root)
        self.unread = {}
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_dir() or any(part.startswith(".") for part in name.split("/")):
                continue
            try:
                read = load(path, name=name)
            except UnreadableDocument as error:
                self.unread[name] = error.reason
                continue
            metadata = {
                PATH: name,
                "title": read.source.title,
                KEPT: kept(read.source, read.extraction),
            }
            yield Document(
                text=read.text,
                id_=name,
                metadata=metadata,
                excluded_embed_metadata_keys=list(metadata),
                excluded_llm_metadata_keys=["title", KEPT],
            )
