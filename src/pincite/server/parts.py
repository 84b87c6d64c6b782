"""The parts of indexes that are there for callers: made in threads of their own the first time."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future

from pincite.index import Index
from pincite.server.errors import NotReady
from pincite.visible import Visible

_log = logging.getLogger("pincite.server")


class Parts:
    """Gives of an index what a rule leaves; any number of threads may use it.

    To make a part takes long for a large index. It is made one at a time, and whoever asks for it
    is told to come again after `seconds`: threads that answer others do not wait for it.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._making: dict[tuple[int, Visible], Future[Index]] = {}

    def of(self, index: Index, visible: Visible) -> Index:
        """The part, as `Index.only` gives it; `NotReady` where it is made for the first time."""
        making = self.make(index, visible)
        if making is None:
            return index.only(visible)
        try:
            return making.result(self._seconds)
        except TimeoutError as error:
            raise NotReady(
                "the documents that are there for you are put together for the first time: come "
                "again in a moment"
            ) from error

    def make(self, index: Index, visible: Visible) -> Future[Index] | None:
        """Begin to make the part, unless it was made before; None where it was."""
        key = (id(index), visible)
        with self._lock:
            found = self._making.get(key)
            if found is not None or index.has_made(visible):
                return found
            making = self._making[key] = Future()
        # The end of the server waits for none of them: half of a part is none.
        threading.Thread(
            target=self._make, args=(index, visible, key, making), name="pincite-part", daemon=True
        ).start()
        return making

    def _make(
        self, index: Index, visible: Visible, key: tuple[int, Visible], making: Future[Index]
    ) -> None:
        try:
            with self._turn:
                part = index.only(visible)
        except Exception as error:
            _log.warning("a part of the documents could not be made: %s", type(error).__name__)
            self._made(key)
            making.set_exception(error)
        else:
            self._made(key)
            making.set_result(part)

    def _made(self, key: tuple[int, Visible]) -> None:
        with self._lock:
            self._making.pop(key, None)
