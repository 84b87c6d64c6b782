"""What a server is told when it starts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.server.access import TrustedProxy

_NAME = re.compile(r"[^\W_][\w.-]*")
"""Of a collection: it stands in addresses."""


@dataclass(frozen=True, slots=True)
class NamedFolder:
    """A folder of documents and what the collection made of it is called."""

    name: str
    folder: Path
    store: Path | None = None
    """Where its index is kept; None for its usual place."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"{self.name!r} is no name of a collection: letters, digits, '.', '_' and '-', "
                f"the first a letter or digit; write NAME=FOLDER to give one"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a request may send and take."""

    body_bytes: int = 1_048_576
    question_bytes: int = 300_000
    """Of a body that holds a question and earlier turns: as many as they take with every character
    escaped."""
    question_characters: int = 2_000
    history_turns: int = 40
    history_characters: int = 20_000
    citations: int = 100
    """Of one request to verify them."""
    documents_sent: int = 20
    """Files that come with a question."""
    documents_seconds: float = 20.0
    """To read all of them in."""
    at_once: int = max(2, os.cpu_count() or 1)
    """So many requests are worked on at a time."""
    waiting: int = 64
    """So many more may wait for their turn; the next is told to come again."""
    seconds: float = 30.0
    """From the turn that a request waits for to the end of its work."""
    first_seconds: float = 3.0
    """For what is there for a caller to be put together for the first time; then they are told to
    come again, and it goes on."""
    answers_kept: int = 1_000
    """For when the same caller asks the same again, and nothing has changed."""
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    write_seconds: float = 30.0
    """For a client that does not read what it asked for."""
    shutdown_seconds: int = 15
    """For what is in flight when the server is told to end."""


USUAL = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What is served, where, and within which limits."""

    folders: tuple[NamedFolder, ...]
    state: Path
    """The directory of what the server keeps for itself: the log, and who may see what."""
    host: str = "127.0.0.1"
    port: int = 8137
    allowed_hosts: tuple[str, ...] = ()
    """Names, besides its own address, that the server may be called by."""
    tokens: Path | None = None
    """The file of tokens, which need not be there yet."""
    groups: Path | None = None
    """The file of groups."""
    proxy: TrustedProxy | None = None
    """What signs people on in front; None where there is none to trust."""
    lexical: bool = False
    reading: LoadSettings = DEFAULT
    watch: bool = False
    """Index again whenever a file changes."""
    audit: bool = True
    audit_sync_seconds: float = 0.0
    """How long an entry of the log may be with the operating system alone; 0 for not at all."""
    keep_documents: bool = False
    """Keep the documents with the log, so that its questions can be asked again."""
    limits: Limits = USUAL

    def __post_init__(self) -> None:
        if not self.folders:
            raise ValueError("no folder is named: give one or more")
        names = [one.name for one in self.folders]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two collections are called {twice[0]!r}: give names, as NAME=FOLDER")


def state_directory() -> Path:
    """Where a server keeps what it remembers, where no directory is named."""
    import platformdirs  # To be told the directory, it is not needed.

    return Path(platformdirs.user_state_path("pincite", appauthor=False)).absolute()


def named_folder(given: str) -> NamedFolder:
    """What `NAME=FOLDER`, or `FOLDER` alone, means; ValueError where it is neither."""
    name, equals, folder = given.partition("=")
    if equals and name and os.sep not in name and folder:
        return NamedFolder(name, Path(folder).absolute())
    if not given:
        raise ValueError("no folder is named: give the folder that holds your documents")
    path = Path(os.path.abspath(given))
    return NamedFolder(re.sub(r"\s+", "-", path.name.strip()), path)


def named_folders(given: Iterable[str]) -> tuple[NamedFolder, ...]:
    """The folders of a command line, by name."""
    return tuple(sorted(map(named_folder, given), key=lambda one: one.name))
