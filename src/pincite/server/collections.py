"""The folders that are served, by name, and their indexes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

from pincite.errors import PinciteError, StoreError, StoreNotFound
from pincite.index import Index
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.records import Progress
from pincite.server.access import Caller
from pincite.server.errors import NotReady, NotThere
from pincite.server.parts import Parts
from pincite.server.renewing import Renewal
from pincite.server.settings import USUAL, NamedFolder
from pincite.store import store_directory
from pincite.store.using import use

_log = logging.getLogger("pincite.server")


@dataclass(frozen=True, slots=True)
class CollectionState:
    """How far a collection is, for those who keep it."""

    is_open: bool
    """It can be asked."""
    is_renewing: bool
    problem: str
    """Why the last run of indexing, or opening the index, failed; empty where it did not."""
    progress: Progress | None = None
    """How far a run of indexing is with the files; None where none is being read."""


class Collections:
    """Folders of documents, each with its index. Use it in `with`, or close it.

    Any number of threads may ask. A run of indexing goes on in a process of its own: until it has
    ended, the last finished index answers, and what is answered is of one index or the other.
    """

    def __init__(
        self,
        folders: tuple[NamedFolder, ...],
        *,
        lexical: bool = False,
        reading: LoadSettings = DEFAULT,
        watch: bool = False,
        first_seconds: float = USUAL.first_seconds,
    ) -> None:
        self._folders = {one.name: one for one in folders}
        self._lexical = lexical
        self._lock = threading.Lock()
        self._indexes: dict[str, Index] = {}
        self._replaced: list[Index] = []
        self._used: list[Callable[[], None]] = []
        self._parts = Parts(first_seconds)
        self._faults: dict[str, str] = {}
        self._renewals = {
            name: Renewal(one, reading, lexical=lexical, watch=watch, done=self._renewed)
            for name, one in self._folders.items()
        }

    def __enter__(self) -> Collections:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def open(self, *, renew: bool = True) -> None:
        """Open every index that there is, and have all of them brought up to date meanwhile.

        Raises what `Index.open` does, but for an index that is not there yet: it is made.
        """
        for name in self._folders:
            self._open(name)
        if renew:
            for renewal in self._renewals.values():
                renewal.start()

    def close(self) -> None:
        """End the runs of indexing and let go of the indexes."""
        for renewal in self._renewals.values():
            renewal.close()
        with self._lock:
            for index in (*self._indexes.values(), *self._replaced):
                index.close()
            self._indexes.clear()
            self._replaced.clear()
            for let_go in self._used:
                let_go()
            self._used.clear()

    def names(self, caller: Caller) -> tuple[str, ...]:
        """The collections that are there for `caller`, sorted."""
        return tuple(name for name in sorted(self._folders) if caller.visible(name) is not None)

    def all_names(self) -> tuple[str, ...]:
        """Every collection, sorted."""
        return tuple(sorted(self._folders))

    def index_for(self, caller: Caller, name: str) -> Index:
        """The documents of a collection that are there for `caller`, ready to be asked.

        `NotThere` where the collection is not, or not for them; `NotReady` while it has no index,
        and while what is there for them is put together for the first time.
        """
        visible = caller.visible(name)
        if visible is None or name not in self._folders:
            raise NotThere(f"there is no collection {name!r}")
        index = self._indexes.get(name)
        if index is None:
            raise NotReady(f"the collection {name!r} is not indexed yet")
        return self._parts.of(index, visible)

    def make_ahead(self, callers: Iterable[Caller]) -> None:
        """Begin to put together what is there for these callers, so that they need not wait."""
        for caller in callers:
            for name, index in sorted(self._indexes.items()):
                visible = caller.visible(name)
                if visible is not None:
                    self._parts.make(index, visible)

    def is_open(self, name: str) -> bool:
        """Whether this collection can be asked."""
        return name in self._indexes

    def is_ready(self) -> bool:
        """Whether every collection can be asked."""
        if self._indexes.keys() != self._folders.keys():
            return False
        try:
            # One that is damaged is noticed when it is read.
            return all(index.state for index in list(self._indexes.values()))
        except StoreError as error:
            _log.warning("a collection cannot be asked: %s", error)
            return False

    def renew(self, caller: Caller, name: str) -> bool:
        """Have a collection indexed again; whether that began, or was going on. `NotThere`."""
        if name not in self.names(caller):
            raise NotThere(f"there is no collection {name!r}")
        return self._renewals[name].start()

    def state(self, caller: Caller, name: str) -> CollectionState:
        """How far a collection is; `NotThere`."""
        if name not in self.names(caller):
            raise NotThere(f"there is no collection {name!r}")
        renewal = self._renewals[name]
        problem = self._faults.get(name) or renewal.problem
        return CollectionState(name in self._indexes, renewal.is_running, problem, renewal.progress)

    def _open(self, name: str) -> None:
        with self._lock:
            known = self._indexes.get(name)
            if known is not None and not known.is_replaced:
                return
            one = self._folders[name]
            try:
                index = Index.open(one.folder, store=one.store, lexical=self._lexical)
            except StoreNotFound:
                return
            if known is not None:
                # Somebody may be asking it.
                self._replaced.append(known)
            self._indexes[name] = index
            # Nothing else is to be put in its place while it is asked.
            self._used.append(use(store_directory(one.folder, one.store)))

    def _renewed(self, name: str) -> None:
        try:
            self._open(name)
            self._faults.pop(name, None)
        except PinciteError as error:
            self._faults[name] = str(error)
