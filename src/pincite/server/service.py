"""What the server does, without HTTP: each method is told who calls, and gives what is theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.auditing.log import AuditLog
from pincite.errors import DocumentNotFound, PlaceNotFound, TextChanged
from pincite.given import Given
from pincite.index import Index
from pincite.prompted import ask_given
from pincite.rechecking import verify_in
from pincite.recording import Asked, record_answer
from pincite.records import (
    Answer,
    Citation,
    Excerpt,
    Extraction,
    IndexInfo,
    IndexState,
    Passage,
    Refusal,
    Retrieved,
    Source,
    Turn,
)
from pincite.server.access import Caller, Right
from pincite.server.collections import Collections, CollectionState
from pincite.server.errors import Changed, NotAllowed, NotAsked, NotReady, NotThere
from pincite.server.settings import USUAL, Limits
from pincite.verifications import Status, Verification
from pincite.verifying.checking import unverified

Asking = Callable[[str], None]
"""Told the name of each collection when it is asked."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer or refusal, and the collection it is from."""

    collection: str
    result: Answer | Refusal


@dataclass(frozen=True, slots=True)
class Found:
    """The passages of a collection that are nearest, best first."""

    collection: str
    results: list[Retrieved]
    state: IndexState
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A place and what is around it."""

    collection: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Verified:
    """What has become of citations, in their order, and where they were looked for."""

    collection: str
    verifications: list[Verification]


@dataclass(frozen=True, slots=True)
class Listing:
    """What there is of a collection for a caller."""

    collection: str
    info: IndexInfo
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Original:
    """The file of a document, which is the one that was indexed."""

    source: Source
    file: Path


@dataclass(frozen=True, slots=True)
class Text:
    """All the text of a document, in the stretches it is searched by."""

    collection: str
    source: Source
    extraction: Extraction
    passages: list[Passage]


class Service:
    """Answers from collections, for callers. Any number of threads may use it.

    Raises `NotAllowed` where a caller lacks the right, and `NotThere` alike for what does not exist
    and what is not there for them; no message tells where anything is on the machine.
    """

    def __init__(
        self,
        collections: Collections,
        *,
        log: AuditLog | None = None,
        keep_documents: bool = False,
        limits: Limits = USUAL,
        lexical: bool = False,
    ) -> None:
        self._collections = collections
        self._log = log
        self._keep_documents = keep_documents
        self._limits = limits
        self._lexical = lexical

    def check(self, caller: Caller, question: str, history: Sequence[Turn] = ()) -> None:
        """Raise what `ask` would, before any work is done: `NotAllowed`, `NotAsked`."""
        self._needs(caller, Right.ASK)
        self._check_question(question, history)

    def names(self, caller: Caller) -> tuple[str, ...]:
        """The collections that are there for `caller`, sorted."""
        return self._collections.names(caller)

    def unready(
        self, caller: Caller, *, collection: str | None = None
    ) -> dict[str, CollectionState]:
        """The collections that cannot be asked yet, and how far each is; `NotThere`."""
        names = self.names(caller) if collection is None else (collection,)
        states = {name: self._collections.state(caller, name) for name in names}
        return {name: state for name, state in states.items() if not state.is_open}

    def ask(
        self,
        caller: Caller,
        question: str,
        *,
        collection: str | None = None,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
        asking: Asking | None = None,
    ) -> Reply:
        """The exact words that answer, or a refusal, as `Index.ask` gives them.

        Without a `collection` each that is ready is asked; the surest answer is taken or, where
        there is none, the refusal that came nearest, in the order of their names where they are
        equally sure. `document` then is one of the only collection that has it.
        """
        self.check(caller, question, history)
        if risk is not None and not 0 < risk < 1:
            raise NotAsked(f"a risk is between 0 and 1, not {risk:g}")
        names = self._asked(caller, collection, document)
        best: Reply | None = None
        best_index: Index | None = None
        for name in names:
            if asking is not None:
                asking(name)
            index = self._collections.index_for(caller, name)
            try:
                result = index.ask(question, document=document, history=history, risk=risk)
            except DocumentNotFound as error:
                raise _no_document(document or "", name) from error
            reply = Reply(name, result)
            if best is None or _surer(reply, best):
                best, best_index = reply, index
        assert best is not None
        assert best_index is not None
        if self._log is not None:
            record_answer(
                self._log,
                best_index,
                best.result,
                Asked(document, history, risk, self._lexical),
                caller=caller.name,
                keep_documents=self._keep_documents,
            )
        return best

    def ask_given(
        self, caller: Caller, question: str, given: Sequence[Given], *, history: Sequence[Turn] = ()
    ) -> Answer | Refusal:
        """The exact words of documents that came with the question, or a refusal.

        Neither they nor the answer are kept anywhere.
        """
        self.check(caller, question, history)
        return ask_given(question, given, history=history)

    def search(
        self,
        caller: Caller,
        question: str,
        *,
        collection: str | None = None,
        document: str | None = None,
        limit: int = 10,
    ) -> Found:
        """The passages that fit best; without a `collection` those of the one that fits best."""
        self._needs(caller, Right.ASK)
        self._check_question(question, ())
        names = self._asked(caller, collection, document)
        found = [self._search(caller, name, question, document, limit) for name in names]
        return max(found, key=lambda one: one.results[0].score if one.results else -1.0)

    def show(
        self,
        caller: Caller,
        locator: str,
        *,
        collection: str | None = None,
        text: Extraction | None = None,
    ) -> Shown:
        """A place with its passages, as `Index.show` gives it."""
        self._needs(caller, Right.ASK)
        fault: NotThere | None = None
        for name in self._named(caller, collection):
            index = self._collections.index_for(caller, name)
            try:
                return Shown(name, index.show(locator, text=text))
            except TextChanged as error:
                raise Changed(f"{locator!r} has another text now than the one cited") from error
            except PlaceNotFound as error:
                fault = NotThere(
                    f"there is no place {locator!r} in {name!r}: the document has "
                    f"{error.line_count} lines, {error.length} characters"
                )
            except DocumentNotFound:
                fault = fault or _no_document(locator, name)
            except ValueError as error:
                raise NotAsked(str(error)) from error
        assert fault is not None
        raise fault

    def verify(
        self, caller: Caller, citations: Sequence[Citation], *, collection: str | None = None
    ) -> Verified:
        """What has become of citations of one collection; of documents not there, `gone`.

        Without a `collection` they are looked for in the one that has the most of the documents.
        """
        self._needs(caller, Right.ASK)
        names = self._named(caller, collection)
        paths = {one.document.path for one in citations}
        known = {name: paths & _paths(self._collections.index_for(caller, name)) for name in names}
        name = max(names, key=lambda one: len(known[one]))
        index = self._collections.index_for(caller, name)
        # No other file of the folder is opened: whether it says the words would tell what it says.
        there = [one for one in citations if one.document.path in known[name]]
        checked = iter(verify_in(index.folder, there))
        return Verified(
            name,
            [
                _without_places(one, next(checked) if one.document.path in known[name] else None)
                for one in citations
            ],
        )

    def documents(self, caller: Caller, collection: str | None = None) -> list[Listing]:
        """What there is of each collection; of those that are not ready, nothing."""
        self._needs(caller, Right.ASK)
        listings = []
        for name in self._named(caller, collection):
            index = self._collections.index_for(caller, name)
            listings.append(Listing(name, index.info(), index.changed()))
        return listings

    def text(self, caller: Caller, collection: str, path: str) -> Text:
        """All the text of a document, as it was indexed."""
        self._needs(caller, Right.READ)
        index = self._collections.index_for(caller, collection)
        source, extraction = self._known(index, collection, path)
        return Text(collection, source, extraction, index.passages(path))

    def original(self, caller: Caller, collection: str, path: str) -> Original:
        """The file of a document; `Changed` where it is not the one that was indexed any more."""
        self._needs(caller, Right.READ)
        index = self._collections.index_for(caller, collection)
        source, _ = self._known(index, collection, path)
        if index.changed(path):
            raise Changed(f"{path!r} has changed since it was indexed: index again")
        return Original(source, index.folder / path)

    def renew(self, caller: Caller, collection: str) -> bool:
        """Have a collection indexed again; whether that began, or was going on."""
        self._keeps(caller, collection)
        return self._collections.renew(caller, collection)

    def state(self, caller: Caller, collection: str) -> CollectionState:
        """How far a collection is."""
        self._keeps(caller, collection)
        return self._collections.state(caller, collection)

    def _needs(self, caller: Caller, right: Right) -> None:
        if not caller.may(right):
            raise NotAllowed(f"this needs the right {right.value!r}")

    def _keeps(self, caller: Caller, collection: str) -> None:
        """A run of indexing reads, and tells of, every document of the collection."""
        self._needs(caller, Right.INDEX)
        visible = caller.visible(collection)
        if visible is not None and not visible.is_everything:
            raise NotAllowed(f"this needs all documents of {collection!r} to be there for you")

    def _check_question(self, question: str, history: Sequence[Turn]) -> None:
        limits = self._limits
        if not question.strip():
            raise NotAsked("the question is empty: ask something in words")
        if len(question) > limits.question_characters:
            raise NotAsked(
                f"the question has {len(question)} characters, "
                f"and {limits.question_characters} are taken: ask in fewer words"
            )
        if len(history) > limits.history_turns:
            raise NotAsked(
                f"there are {len(history)} earlier turns, and {limits.history_turns} are taken: "
                f"leave out the oldest"
            )
        if sum(len(turn.text) for turn in history) > limits.history_characters:
            raise NotAsked(
                f"the earlier turns have more than {limits.history_characters} characters: "
                f"leave out the oldest"
            )

    def _named(self, caller: Caller, collection: str | None) -> tuple[str, ...]:
        """That collection, or all that can be asked; never none."""
        if collection is not None:
            return (collection,)
        names = self.names(caller)
        if not names:
            raise NotThere("there is no collection")
        ready = tuple(name for name in names if self._collections.is_open(name))
        if not ready:
            raise NotReady("no collection is indexed yet")
        return ready

    def _asked(
        self, caller: Caller, collection: str | None, document: str | None
    ) -> tuple[str, ...]:
        names = self._named(caller, collection)
        if document is None:
            return names
        having = [
            name for name in names if _has(self._collections.index_for(caller, name), document)
        ]
        if not having:
            raise _no_document(document, collection)
        if len(having) > 1:
            raise NotAsked(f"{document!r} is in {', '.join(having)}: name the collection")
        return tuple(having)

    def _search(
        self, caller: Caller, name: str, question: str, document: str | None, limit: int
    ) -> Found:
        index = self._collections.index_for(caller, name)
        while True:
            # Of one state: a run of indexing may end between the two.
            state = index.state
            results = index.search(question, limit=limit, document=document)
            stale = index.changed()
            if index.state == state:
                return Found(name, results, state, stale)

    def _known(self, index: Index, collection: str, path: str) -> tuple[Source, Extraction]:
        try:
            return index.document(path)
        except DocumentNotFound as error:
            raise _no_document(path, collection) from error


def _without_places(citation: Citation, checked: Verification | None) -> Verification:
    """What is told of a citation: of a document not there the same as of one that is gone."""
    if checked is None or checked.status is Status.GONE:
        return unverified(citation, Status.GONE, "there is no such document")
    return checked


def _surer(one: Reply, other: Reply) -> bool:
    is_answer = isinstance(one.result, Answer), isinstance(other.result, Answer)
    return (is_answer[0], one.result.confidence) > (is_answer[1], other.result.confidence)


def _has(index: Index, path: str) -> bool:
    try:
        index.document(path)
    except DocumentNotFound:
        return False
    return True


def _paths(index: Index) -> set[str]:
    return {source.path for source in index.info().documents}


def _no_document(path: str, collection: str | None) -> NotThere:
    where = f"the collection {collection!r}" if collection else "any collection"
    return NotThere(f"there is no document {path!r} in {where}")
