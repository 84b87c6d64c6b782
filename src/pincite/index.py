"""The index of a folder: open it, ask it, look at places in it."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pincite import engine
from pincite.answering import calibration
from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.embedding import give_vectors
from pincite.encoder.encode import Encoder
from pincite.encoder.read import CloseReader
from pincite.errors import (
    DocumentNotFound,
    FolderNotFound,
    MissingExtra,
    NotForgotten,
    StoreBusy,
    StoreNotFound,
    StoreNotWritable,
)
from pincite.explanations import Explanation
from pincite.indexing import update
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.locators import document_path, inside, named_path
from pincite.protocols import EncodingCallback, ProgressCallback, Scorer, TextEncoder
from pincite.records import (
    Answer,
    Basis,
    Calibration,
    Excerpt,
    Extraction,
    FittedCalibration,
    IndexInfo,
    IndexReport,
    IndexState,
    Passage,
    Refusal,
    Retrieved,
    Source,
    Span,
    Stretch,
    Turn,
)
from pincite.showing import excerpt, stretch
from pincite.store import Catalogue, store_directory
from pincite.store.calibrating import (
    read_calibrations,
    remove_calibrations,
    write_calibration,
)
from pincite.store.forgetting import holds_nothing_else
from pincite.store.location import views_directory
from pincite.visible import Visible

if TYPE_CHECKING:
    from pincite.views import Views

SOON_ENCODED = 256
"""So many passages are given their vectors before a question is answered; more would take long."""


class Index:
    """The documents of one folder, ready to be asked.

    Use it in `with`, or close it. Any number of threads may ask at once. Every question is
    answered from the last finished run of indexing, whichever process did it.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        report: IndexReport | None = None,
        settings: LoadSettings = DEFAULT,
        *,
        lexical: bool = False,
    ) -> None:
        self._catalogue = catalogue
        self._settings = settings
        # The models are loaded by the first question that needs them.
        self._scorer: Scorer = LinearScorer() if lexical else CloseScorer(CloseReader())
        self._calibrations: tuple[FittedCalibration, ...] | None = None
        self._encoder: TextEncoder | None = None if lexical else Encoder()
        self._lock = threading.Lock()
        self._views: Views | None = None
        self._parts: dict[Visible, Index] = {}
        self.report = report
        """What the update at opening did; None when there was none."""

    @classmethod
    def open_or_build(
        cls,
        folder: str | os.PathLike[str],
        *,
        store: str | os.PathLike[str] | None = None,
        passwords: Sequence[str] = (),
        recognise: bool = False,
        time_limit: float = DEFAULT.seconds,
        memory_limit: int = DEFAULT.memory,
        lexical: bool = False,
        progress: ProgressCallback | None = None,
    ) -> Index:
        """The index of `folder`, built or brought up to date first.

        Now and in later updates, `passwords` are tried on files that ask for one (they are kept
        nowhere), `recognise` reads the characters in pictures too, and a file that takes more
        than `time_limit` seconds or `memory_limit` bytes to read is given up. What could not be
        read before for want of one of these is tried again when it is given.

        Of documents that are gone, no word stays in the index; from a large one they are taken
        by the next `update`, which takes longer. `holds_nothing_else` tells.

        With `lexical` passages are found, and sentences judged, by their words alone: quicker, and
        right less often. Without it, passages are given their vectors as far as that takes seconds:
        where more than `SOON_ENCODED` have none, questions are answered without vectors until an
        `update` has made them. `unencoded` tells how many there are.

        `store` is the directory of the index; by default `.pincite` in the folder, or the user's
        cache where the folder cannot be written. While another process is writing, the last
        finished index is opened as it is (`report` is None); `StoreBusy` when there is none.
        Raises `FolderNotFound`, `NothingReadable` and the `StoreError`s.
        """
        where, place = _folder(folder), _store(store)
        if isinstance(passwords, str):
            raise ValueError("passwords must be several strings, not one: give them in a list")
        settings = LoadSettings(
            tuple(passwords), recognise, seconds=time_limit, memory=memory_limit
        )
        report = None
        try:
            report = update(where, store=place, settings=settings, hurry=True, progress=progress)
        except StoreBusy as busy:
            try:
                return cls(_open(where, place), None, settings, lexical=lexical)
            except StoreNotFound:
                raise busy from None
        index = cls(_open(where, place), report, settings, lexical=lexical)
        index._encode_soon()
        return index

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        store: str | os.PathLike[str] | None = None,
        lexical: bool = False,
    ) -> Index:
        """The last finished index of `folder` as it is; `StoreNotFound` when there is none.

        Files that changed since are noticed when they would be quoted, and are not.
        """
        return cls(_open(_folder(folder), _store(store)), lexical=lexical)

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files of the index, and of the parts that `only` gave."""
        with self._lock:
            parts, self._parts = list(self._parts.values()), {}
            views, self._views = self._views, None
        for part in parts:
            part.close()
        if views is not None:
            views.close()
        self._catalogue.close()

    @property
    def folder(self) -> Path:
        """The folder of documents."""
        return self._catalogue.folder

    @property
    def is_replaced(self) -> bool:
        """Whether what is read was deleted or replaced by another index: open it again."""
        return not self._catalogue.is_of(self._catalogue.store)

    @property
    def state(self) -> IndexState:
        """Generation and fingerprint of the last finished run of indexing."""
        with self._catalogue.snapshot() as snapshot:
            return snapshot.state()

    def update(self, *, progress: ProgressCallback | None = None) -> IndexReport:
        """Bring the index up to date; raises like `open_or_build`, and `StoreBusy`.

        Passages get their vectors too: see `encode`.
        """
        report = self._update(progress=progress)
        self.encode()
        return report

    def encode(self, *, progress: EncodingCallback | None = None) -> None:
        """Give every passage that has none its vector, about 30 ms each; none with `lexical`.

        What is done stays done when this is interrupted. Raises `MissingExtra` without the model,
        and the `StoreError`s.
        """
        if self._encoder is not None:
            for count in give_vectors(self.folder, self._catalogue.store, self._encoder):
                if progress is not None:
                    progress(count.vectors, count.passages)

    @property
    def unencoded(self) -> int:
        """How many passages have no vector yet; while any has none, words alone find passages."""
        with self._catalogue.snapshot() as snapshot:
            count = snapshot.vector_count(Encoder.name)
        return count.passages - count.vectors

    def _encode_soon(self) -> None:
        """Give passages their vectors where nobody waits long for it, and nothing prevents it."""
        if self._encoder is not None and 0 < self.unencoded <= SOON_ENCODED:
            with suppress(MissingExtra, StoreBusy, StoreNotWritable):
                self.encode()

    def forget(self, *paths: str, progress: ProgressCallback | None = None) -> IndexReport:
        """Take documents, or all in a folder, out of the index, and keep them out.

        `paths` are written as in the index. No word of theirs stays in any file of the index,
        only their names; the documents themselves are not touched. Raises `DocumentNotFound` for
        a path that neither the index nor the folder has, and like `update`.
        """
        with self._catalogue.snapshot() as snapshot:
            known = {document.path for document in snapshot.documents()}
        forget = [named_path(path, self.folder, known) for path in paths]
        return self._update(forget=forget, progress=progress)

    def holds_nothing_else(self) -> bool:
        """Whether no file of the index holds anything of earlier states of the documents.

        After `update` and `forget` that is so, unless another process was reading the index
        meanwhile: then it is after the next `update`.
        """
        store = self._catalogue.store
        if not holds_nothing_else(store, self.state):
            return False
        if not views_directory(self.folder, store).exists():
            return True
        from pincite.views import views_hold_nothing_else  # Most have no views.

        return views_hold_nothing_else(self.folder, store)

    def remember(self, *paths: str, progress: ProgressCallback | None = None) -> IndexReport:
        """Undo `forget` for these paths, which are read again.

        Raises `NotForgotten`, and like `update`.
        """
        with self._catalogue.snapshot() as snapshot:
            known = snapshot.forgotten()
        for path in paths:
            if inside(path, self.folder) not in known:
                raise NotForgotten(path, folder=self.folder)
        return self._update(
            remember=[inside(path, self.folder) for path in paths], progress=progress
        )

    def _update(
        self,
        *,
        forget: Sequence[str] = (),
        remember: Sequence[str] = (),
        progress: ProgressCallback | None = None,
    ) -> IndexReport:
        self.report = update(
            self.folder,
            store=self._catalogue.store,
            settings=self._settings,
            forget=forget,
            remember=remember,
            progress=progress,
        )
        self._encode_soon()
        return self.report

    def only(self, visible: Visible) -> Index:
        """The index of the visible documents and of nothing else.

        It answers byte for byte as if the others were not in the folder, save for its generation,
        which counts its own changes; what was learnt from questions about all of them is left
        aside. It is kept up to date by this call and by nothing else: ask for it again for each
        question. A rule that leaves nothing out gives this index itself. It is closed with this
        one, and cannot be updated. The first time takes about 15 seconds for 100,000 passages.
        Raises the `StoreError`s: `StoreBusy` where another process keeps at work on it.
        """
        if visible.is_everything:
            return self
        store = _views_of(self).store_of(visible)
        with self._lock:
            part = self._parts.get(visible)
            if part is None or not part._catalogue.is_of(store):
                if part is not None:
                    part.close()
                catalogue = Catalogue.open(store, folder=self.folder)
                part = self._parts[visible] = Index(catalogue, None, self._settings)
                # The models take memory, and are the same for all.
                part._scorer, part._encoder = self._scorer, self._encoder
            return part

    def has_made(self, visible: Visible) -> bool:
        """Whether `only` was finished for this rule before: then it takes no long time."""
        return visible.is_everything or _views_of(self).has(visible)

    def ask(
        self,
        question: str,
        *,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
        threshold: float | None = None,
        calibrated: bool = True,
    ) -> Answer | Refusal:
        """The exact words that answer, with their places, or a refusal that says why.

        `document` asks inside one document, by its path in the folder; `DocumentNotFound` when
        the index has none there. `history` holds the earlier turns, oldest first. ValueError
        for a blank question.

        `risk` is the share of wrong answers among those given that is put up with; `RiskNotKept`
        for one whose threshold is not known. `threshold` is the least confidence of an answer,
        whatever the risk: with 0.0 the best sentence always is one. What was learnt from questions
        is left aside where `calibrated` is false.
        """
        answer, _ = self.ask_with_basis(
            question,
            document=document,
            history=history,
            risk=risk,
            threshold=threshold,
            calibrated=calibrated,
        )
        return answer

    def ask_with_basis(
        self,
        question: str,
        *,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
        threshold: float | None = None,
        calibrated: bool = True,
    ) -> tuple[Answer | Refusal, Basis]:
        """What `ask` gives with the same arguments, and what it hangs on; raises like it."""
        learnt = self.calibration(risk) if calibrated else None
        settings = engine.AskSettings(threshold=threshold, calibration=learnt)
        with self._catalogue.snapshot() as snapshot:
            path = None if document is None else document_path(document, snapshot, self.folder)
            answer = engine.ask(
                question,
                snapshot,
                document=path,
                history=history,
                scorer=self._scorer,
                encoder=self._encoder,
                settings=settings,
            )
            return answer, snapshot.basis()

    def holds(self, basis: Basis) -> bool:
        """Whether a question that was answered on this basis is answered so again.

        It takes far less time than to ask: the files that were looked at are looked at again.
        """
        with self._catalogue.snapshot() as snapshot:
            if (snapshot.state(), snapshot.encoder()) != (basis.index, basis.encoder):
                return False
            return tuple(snapshot.changed_since_indexed(basis.looked_at)) == basis.changed

    def explain(
        self,
        question: str,
        *,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
    ) -> Explanation:
        """What `ask` answers with the same arguments, and how it came to that; raises like it."""
        # To ask, nothing of it is needed.
        from pincite.explaining import explain

        settings = engine.AskSettings(calibration=self.calibration(risk))
        with self._catalogue.snapshot() as snapshot:
            path = None if document is None else document_path(document, snapshot, self.folder)
            return explain(
                question,
                snapshot,
                scorer=self._scorer,
                encoder=self._encoder,
                document=path,
                history=history,
                settings=settings,
            )

    @property
    def scorer(self) -> str:
        """What chooses the sentences, as answers name it."""
        return self._scorer.name

    def calibration(self, risk: float | None = None) -> Calibration | None:
        """What `ask` goes by: what was learnt from questions about these documents, if anything.

        Else that of the package, which is None where no risk is asked for. `RiskNotKept` for a
        risk whose threshold is not known. What another process learns is seen by an index that is
        opened after that.
        """
        if self._calibrations is None:
            self._calibrations = read_calibrations(self._catalogue.store)
        for fitted in self._calibrations:
            if fitted.scorer == self.scorer:
                return calibration.at_risk(fitted, risk)
        return None if risk is None else calibration.shipped(self.scorer, risk)

    def threshold(self, risk: float | None = None, *, calibrated: bool = True) -> float:
        """Below which confidence `ask` refuses; raises like `calibration`."""
        learnt = self.calibration(risk) if calibrated else None
        settings = engine.AskSettings(calibration=learnt)
        return engine.threshold_of(self._scorer, settings)

    def calibrate(self, fitted: FittedCalibration) -> None:
        """Go by this from now on, for its scorer; it is kept beside the index."""
        write_calibration(self._catalogue.store, fitted)
        self._calibrations = None

    def reset_calibration(self) -> bool:
        """Go by what comes with the package again; whether anything was learnt before."""
        self._calibrations = None
        return remove_calibrations(self._catalogue.store)

    def document(self, path: str) -> tuple[Source, Extraction]:
        """What is known of the document at just this path; `DocumentNotFound`."""
        with self._catalogue.snapshot() as snapshot:
            known = snapshot.source(path)
        if known is None:
            raise DocumentNotFound(path, folder=self.folder)
        return known

    def passages(self, document: str) -> list[Passage]:
        """All of a document's text, in the stretches it is searched by; `DocumentNotFound`."""
        with self._catalogue.snapshot() as snapshot:
            return snapshot.passages_of(document_path(document, snapshot, self.folder))

    def search(
        self, question: str, *, limit: int = 10, document: str | None = None
    ) -> list[Retrieved]:
        """The passages that fit best, best first; raises like `ask`. None of them is an answer."""
        found, _ = self.search_with_basis(question, limit=limit, document=document)
        return found

    def search_with_basis(
        self, question: str, *, limit: int = 10, document: str | None = None
    ) -> tuple[list[Retrieved], Basis]:
        """What `search` gives, and what it hangs on: nothing is found in a file that changed."""
        with self._catalogue.snapshot() as snapshot:
            path = None if document is None else document_path(document, snapshot, self.folder)
            found = engine.search(
                question, snapshot, limit=limit, document=path, encoder=self._encoder
            )
            return found, snapshot.basis()

    def changed(self, *documents: str) -> tuple[str, ...]:
        """Paths of the indexed documents, or those of them, that changed or went since, sorted."""
        with self._catalogue.snapshot() as snapshot:
            paths = documents or [document.path for document in snapshot.documents()]
            return tuple(snapshot.changed_since_indexed(paths))

    def show(self, locator: str, *, text: Extraction | None = None) -> Excerpt:
        """The passages around `PATH`, `PATH:LINE`, `PATH:LINE-LINE` or `PATH#char=START,END`.

        Characters are counted as in a citation's position (RFC 5147 writes them this way).
        `DocumentNotFound` when the index has no such document, `PlaceNotFound` when that has no
        such place, ValueError for one that ends before it starts, or is line 0.

        With the `text` of a citation, its place is shown only where the document still has that
        text, byte for byte, and `TextChanged` is raised where it has another one.
        """
        with self._catalogue.snapshot() as snapshot:
            return excerpt(locator, snapshot, self.folder, text=text)

    def stretch(
        self,
        document: str,
        *,
        around: Span | None = None,
        reach: int = 0,
        text: Extraction | None = None,
    ) -> Stretch:
        """All of a document with its structure, for `pincite.render.leaf`; raises like `show`.

        With `around` the whole passages that touch this place, or what is up to `reach` code points
        before and behind it. `text` is that of a citation, as with `show`.
        """
        with self._catalogue.snapshot() as snapshot:
            return stretch(document, snapshot, self.folder, around=around, reach=reach, text=text)

    def info(self) -> IndexInfo:
        """What the index holds: documents, counts, languages, problems, size."""
        with self._catalogue.snapshot() as snapshot:
            vectors = snapshot.vector_count(Encoder.name)
            return IndexInfo(
                folder=str(self.folder),
                store=str(self._catalogue.store),
                state=snapshot.state(),
                document_count=len(snapshot.documents()),
                passage_count=snapshot.statistics().passage_count,
                sentence_count=snapshot.sentence_count(),
                unencoded_count=vectors.passages - vectors.vectors,
                languages=snapshot.languages(),
                documents=snapshot.documents(),
                problems=snapshot.problems(),
                forgotten=snapshot.forgotten(),
                store_bytes=self._catalogue.store_bytes(),
                calibrations=read_calibrations(self._catalogue.store),
            )


def _views_of(index: Index) -> Views:
    with index._lock:
        if index._views is None:
            from pincite.views import Views  # Whoever owns the documents has none.

            index._views = Views(index.folder, index._catalogue.store)
        return index._views


def _folder(folder: str | os.PathLike[str]) -> Path:
    """The folder from the root, so that it stays the same when the process goes elsewhere."""
    if not os.fspath(folder):
        raise ValueError("no folder is named: give the folder that holds your documents")
    return Path(folder).absolute()


def _store(store: str | os.PathLike[str] | None) -> Path | None:
    if store is None:
        return None
    if not os.fspath(store):
        raise ValueError("the place of the index is empty: name a directory, or leave it out")
    return Path(store).absolute()


def _open(folder: Path, store: Path | None) -> Catalogue:
    if not folder.is_dir():
        raise FolderNotFound(folder)
    return Catalogue.open(store_directory(folder, store), folder=folder)
