"""What the server does, without HTTP: each method is told who calls, and gives what is theirs."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pincite.auditing.checking import AuditReport
from pincite.auditing.entries import Line
from pincite.errors import DocumentNotFound, PlaceNotFound, StoreError, TextChanged
from pincite.given import Given
from pincite.index import Index
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.prompted import ask_given
from pincite.rechecking import verify_in
from pincite.recording import Asked
from pincite.records import Answer, Citation, Extraction, Refusal, Span, Stretch, Turn
from pincite.server.access import Caller, Right
from pincite.server.apart import apart
from pincite.server.collections import Collections, CollectionState
from pincite.server.drawing import page_png
from pincite.server.errors import Changed, NotAllowed, NotAsked, NotKept, NotReady, NotThere
from pincite.server.journal import Journal
from pincite.server.looking import (
    check_question,
    has,
    is_at,
    is_surer,
    known,
    needs,
    needs_all,
    no_document,
    sees_all,
    without_folder,
)
from pincite.server.memory import Memory
from pincite.server.replies import Found, Kept, Listing, Original, Reply, Shown, Text, Verified
from pincite.server.settings import USUAL, Limits
from pincite.server.unanswered import Unanswered
from pincite.store.files import open_at_once
from pincite.verifications import Status
from pincite.verifying.checking import unverified

_log = logging.getLogger("pincite.server")
T = TypeVar("T")
Asking = Callable[[str], None]
"""Told the name of each collection when it is asked."""


class Service:
    """Answers from collections, for callers. Any number of threads may use it.

    Raises `NotAllowed` where a caller lacks the right, and `NotThere` alike for what does not exist
    and what is not there for them; no message tells where anything is on the machine.
    """

    def __init__(
        self,
        collections: Collections,
        *,
        journal: Journal | None = None,
        limits: Limits = USUAL,
        reading: LoadSettings = DEFAULT,
    ) -> None:
        self._collections = collections
        self._journal = journal
        self._limits = limits
        self._memory = Memory(limits.answers_kept)
        self._reading = reading

    def check(self, caller: Caller, question: str, history: Sequence[Turn] = ()) -> None:
        """Raise what `ask` would, before any work is done: `NotAllowed`, `NotAsked`."""
        needs(caller, Right.ASK)
        check_question(question, history, self._limits)

    def names(self, caller: Caller) -> tuple[str, ...]:
        """The collections that are there for `caller`, sorted."""
        return self._collections.names(caller)

    def unready(
        self, caller: Caller, *, collection: str | None = None
    ) -> dict[str, CollectionState]:
        """The collections that cannot be asked yet, and how far each is; `NotThere`.

        A run of indexing reads every document: how far it is, and why it failed, is told only of
        collections that are there for the caller as a whole.
        """
        names = self.names(caller) if collection is None else (collection,)
        states = {name: self._collections.state(caller, name) for name in names}
        return {
            name: state if sees_all(caller, name) else replace(state, problem="", progress=None)
            for name, state in states.items()
            if not state.is_open
        }

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

        Without a `collection` each that is ready is asked, and the surest answer is taken or, where
        there is none, the refusal that came nearest; of equally sure ones, that of the first name.
        With a `document` only the one that has it is asked.
        """
        self.check(caller, question, history)
        if risk is not None and not 0 < risk < 1:
            raise NotAsked(f"a risk is between 0 and 1, not {risk:g}")
        best: tuple[Reply, Index] | None = None
        for name in self._asked(caller, collection, document):
            index = self._collections.index_for(caller, name)
            if asking is not None:
                asking(name)
            try:
                result = self._memory.ask(
                    index,
                    question,
                    caller=caller.name,
                    collection=name,
                    document=document,
                    history=history,
                    risk=risk,
                )
            except DocumentNotFound as error:
                raise no_document(document or "", name) from error
            if best is None or is_surer(result, best[0].result):
                best = Reply(name, result), index
        assert best is not None
        reply, index = best
        if self._journal is not None:
            asked = Asked(document, history, risk, collection=reply.collection)
            self._journal.answered(index, reply.result, asked, caller=caller.name)
        return reply

    def remembers(
        self,
        caller: Caller,
        question: str,
        *,
        collection: str | None = None,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
    ) -> bool:
        """Whether `ask` takes no long time with these arguments; raises like it."""
        self.check(caller, question, history)
        return all(
            self._memory.has(
                self._collections.index_for(caller, name),
                question,
                caller=caller.name,
                collection=name,
                document=document,
                history=history,
                risk=risk,
            )
            for name in self._asked(caller, collection, document)
        )

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
        needs(caller, Right.ASK)
        check_question(question, (), self._limits)
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
        """A place with its passages, as `Index.show` gives it; of a document at just this path."""
        needs(caller, Right.ASK)
        fault = no_document(locator, collection)
        for name in self._named(caller, collection):
            index = self._collections.index_for(caller, name)
            try:
                # A path by way of others would tell where the folder is.
                if is_at(index, locator):
                    return Shown(name, index.show(locator, text=text))
            except TextChanged as error:
                raise Changed(f"{locator!r} has another text now than the one cited") from error
            except PlaceNotFound as error:
                fault = NotThere(
                    f"there is no place {locator!r} in {name!r}: the document has "
                    f"{error.line_count} lines, {error.length} characters"
                )
            except DocumentNotFound:
                continue
            except ValueError as error:
                raise NotAsked(str(error)) from error
        raise fault

    def verify(
        self,
        caller: Caller,
        citations: Sequence[Citation],
        *,
        collection: str | None = None,
        version: str = "",
    ) -> Verified:
        """What has become of citations of one collection; of documents not there, `gone`.

        `version` is that of the Pincite that wrote them, where it is known.

        Without a `collection` they are looked for in the one that has the most of the documents.
        """
        needs(caller, Right.ASK)
        if len(citations) > self._limits.citations:
            raise NotAsked(
                f"there are {len(citations)} citations, and {self._limits.citations} are taken at "
                f"a time: send them in parts"
            )
        paths = sorted({one.document.path for one in citations})
        having = {
            name: {path for path in paths if has(self._collections.index_for(caller, name), path)}
            for name in self._named(caller, collection)
        }
        name = max(having, key=lambda one: len(having[one]))
        folder = self._collections.index_for(caller, name).folder
        # A file that is not in the index is not looked for, whether or not there is one.
        there = [one for one in citations if one.document.path in having[name]]
        versions = [version] * len(there)
        found = iter(
            self._apart(verify_in, folder, there, self._reading, versions) if there else ()
        )
        return Verified(
            name,
            [
                without_folder(next(found), str(folder), name)
                if one.document.path in having[name]
                else unverified(one, Status.GONE, "there is no such document")
                for one in citations
            ],
        )

    def documents(self, caller: Caller, *, collection: str | None = None) -> list[Listing]:
        """What there is of each collection that is ready; problems for those who index."""
        needs(caller, Right.ASK)
        listings = []
        for name in self._named(caller, collection):
            index = self._collections.index_for(caller, name)
            info = index.info()
            if not caller.may(Right.INDEX):
                info = replace(info, problems=())
            listings.append(Listing(name, info, index.changed()))
        return listings

    def stretch(
        self,
        caller: Caller,
        collection: str,
        path: str,
        *,
        around: Span | None = None,
        reach: int = 0,
    ) -> Stretch:
        """A document with its structure, as `Index.stretch` gives it.

        Its whole, and more than the passages around a place, is for those who may read.
        """
        needs(caller, Right.ASK if around is not None and not reach else Right.READ)
        index = self._collections.index_for(caller, collection)
        known(index, collection, path)
        try:
            return index.stretch(path, around=around, reach=reach)
        except PlaceNotFound as error:
            raise NotThere(
                f"{path!r} has no such place: it has {error.length} characters"
            ) from error
        except DocumentNotFound as error:
            raise no_document(path, collection) from error

    def text(self, caller: Caller, collection: str, path: str) -> Text:
        """All the text of a document, as it was indexed."""
        needs(caller, Right.READ)
        index = self._collections.index_for(caller, collection)
        source, extraction = known(index, collection, path)
        return Text(collection, source, extraction, index.passages(path))

    def original(self, caller: Caller, collection: str, path: str) -> Original:
        """The file of a document; `Changed` where it is not the one that was indexed any more."""
        needs(caller, Right.READ)
        index = self._collections.index_for(caller, collection)
        source, _ = known(index, collection, path)
        changed = Changed(f"{path!r} has changed since it was indexed: have it indexed again")
        # Told by its size, mostly: then no more is read of it than was indexed.
        if index.changed(path):
            raise changed
        try:
            file = open_at_once(index.folder / path)
        except OSError as error:
            raise changed from error
        # Of the opened file: whatever the name leads to meanwhile, nothing else is given.
        if hashlib.file_digest(file, "sha256").hexdigest() != source.sha256:
            file.close()
            raise changed
        file.seek(0)
        return Original(source, file, os.fstat(file.fileno()).st_size)

    def page(self, caller: Caller, collection: str, path: str, number: int, width: int) -> bytes:
        """The picture of a page of a PDF document, as PNG."""
        original = self.original(caller, collection, path)
        with original.file as file:
            if original.source.media_type != "application/pdf":
                raise NotThere(f"{path!r} has no pages that are drawn: it is no PDF")
            picture = self._apart(
                page_png, file.read(original.size), number, width, self._reading.passwords
            )
        if picture is None:
            raise NotThere(f"{path!r} has no page {number}")
        return picture

    def kept(self, caller: Caller, *, collection: str | None = None) -> list[Kept]:
        """How each collection is, with what could not be read of it.

        A run of indexing reads every document: of collections of which the caller sees only a part
        nothing is told.
        """
        needs(caller, Right.INDEX)
        if collection is None:
            names = tuple(name for name in self.names(caller) if sees_all(caller, name))
        else:
            needs_all(caller, collection)
            names = (collection,)
        found = []
        for name in names:
            state = self._collections.state(caller, name)
            info = None
            try:
                if state.is_open:
                    info = self._collections.index_for(caller, name).info()
            except StoreError as error:
                # Whoever keeps it is told which one it is.
                _log.warning("the collection %s cannot be asked: %s", name, error)
                state = replace(state, is_open=False, problem=str(error))
            found.append(Kept(name, state, info))
        return found

    def renew(self, caller: Caller, collection: str) -> bool:
        """Have a collection indexed again; whether that began, or was going on already."""
        needs(caller, Right.INDEX)
        needs_all(caller, collection)
        return self._collections.renew(caller, collection)

    def unanswered(self, caller: Caller) -> list[Unanswered]:
        """Questions that were not answered, asked most often first.

        They are of collections that are there for the caller as a whole: one that is not among
        them any more tells that somebody was answered.
        """
        needs(caller, Right.INDEX)
        return self._kept_journal().unanswered(lambda collection: sees_all(caller, collection))

    def notice(self, caller: Caller, collection: str, question: str, note: str) -> None:
        """Tell those who keep the documents that a question should be answered."""
        needs(caller, Right.ASK)
        check_question(question, (), self._limits)
        if len(note) > self._limits.question_characters:
            raise NotAsked(
                f"the note has {len(note)} characters, "
                f"and {self._limits.question_characters} are taken"
            )
        if collection not in self.names(caller):
            raise NotThere(f"there is no collection {collection!r}")
        journal = self._kept_journal()
        journal.notice(question, note, caller=caller.name, collection=collection)

    def entries(self, caller: Caller, *, after: int = 0, limit: int = 100) -> list[Line]:
        """So many entries of the log, with all they hold, from one number on."""
        self._needs_everything(caller)
        return self._kept_journal().entries(after=after, limit=limit)

    def check_log(self, caller: Caller) -> AuditReport:
        """Whether the log is as it was written."""
        self._needs_everything(caller)
        return self._kept_journal().check()

    def _apart(self, work: Callable[..., T], *arguments: object) -> T:
        """What `work` returns in another process: a hostile file costs that and nothing else."""
        seconds, memory = self._limits.seconds, self._reading.memory
        return apart(work, *arguments, seconds=seconds, memory=memory)

    def _kept_journal(self) -> Journal:
        if self._journal is None:
            raise NotKept("this server keeps no log")
        return self._journal

    def _needs_everything(self, caller: Caller) -> None:
        """The log holds the words of every document."""
        needs(caller, Right.ADMIN)
        for name in self._collections.all_names():
            if not sees_all(caller, name):
                raise NotAllowed(
                    "this needs every document of every collection to be there for you"
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
            name for name in names if has(self._collections.index_for(caller, name), document)
        ]
        if not having:
            raise no_document(document, collection)
        if len(having) > 1:
            raise NotAsked(f"{document!r} is in {', '.join(having)}: name the collection")
        return tuple(having)

    def _search(
        self, caller: Caller, name: str, question: str, document: str | None, limit: int
    ) -> Found:
        index = self._collections.index_for(caller, name)
        try:
            results, basis = index.search_with_basis(question, limit=limit, document=document)
        except DocumentNotFound as error:
            raise no_document(document or "", name) from error
        return Found(name, results, basis.index, basis.changed)
