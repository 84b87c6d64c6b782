"""Bringing the index of a folder up to date: read what is new or changed, forget what is gone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import (
    FolderNotFound,
    NothingReadable,
    StoreBusy,
    StoreNotWritable,
)
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.loaders.formats import EXTRACTORS
from pincite.protocols import ProgressCallback
from pincite.records import IndexReport, IndexState, Need, Problem, Progress
from pincite.store.catalogue import lexical_is_sound
from pincite.store.files import FoundFile, Listing, Stamp, list_files, sha256_of, stamp_of, steady
from pincite.store.forgetting import holds_nothing_else, is_forgotten
from pincite.store.known import Known, KnownFile, KnownProblem, known_files
from pincite.store.location import BESIDE, discard, store_directory, writable_directory
from pincite.store.origin import check_origin
from pincite.store.schema import FILE_NAME

# Most questions find that nothing changed. What reads and writes, and all it is built on, takes
# longer to load than they take to answer, and is loaded where there is something to read.
if TYPE_CHECKING:
    from pincite.reading import Reading
    from pincite.store.writer import Writer


_SOON_WRITTEN = 30_000_000
"""Bytes of a catalogue that is written anew, with all that is derived from it, in 3 seconds."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be done to bring what is known up to date with what is there."""

    read: tuple[FoundFile, ...]
    """New, or no longer what was indexed."""
    restamp: tuple[FoundFile, ...]
    """Looked at, and found to hold what was indexed."""
    unchanged: int
    """Number of files that need not be read, those of `restamp` included."""
    remove: tuple[str, ...]
    problems: tuple[KnownProblem, ...]
    """Those that are known before anything in `read` is read."""
    bytes_done: int
    bytes_total: int
    files_done: int
    files_total: int


@dataclass(slots=True)
class _Outcome:
    """What came of reading the files of a plan."""

    removed: list[str]
    problems: list[KnownProblem]
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    noted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What is to be said of the documents read."""
    text_bytes: int = 0


def update(
    folder: Path,
    *,
    store: Path | None = None,
    settings: LoadSettings = DEFAULT,
    forget: Collection[str] = (),
    remember: Collection[str] = (),
    hurry: bool = False,
    progress: ProgressCallback | None = None,
) -> IndexReport:
    """Bring the index of `folder` up to date, building it if there is none.

    Only what changed is read, and what `settings` may let be read that could not be before. All of
    it becomes the new generation or, on any error, none of it.
    A file that cannot be read is reported as a problem; if it could be read before it is
    removed, for what it says now is not known.

    Files and folders in `forget` are kept out from now on, until they are in `remember`. Of what
    is removed nothing stays in the store, save the names of files to be kept out. In a `hurry`,
    that is left to a later run where the index is large.

    Raises `FolderNotFound`; `NothingReadable`, after which an earlier index is empty;
    `StoreOfAnotherFolder`; `StoreBusy` if there is something to do while another process writes;
    `StoreNotWritable`, `StoreTooNew`, `StoreDamaged`; ValueError where `store` is the folder
    itself. An index of an earlier version that kept other things is built anew.
    """
    if not os.path.isdir(folder):
        raise FolderNotFound(folder)
    directory = store_directory(folder, store)
    if os.path.realpath(directory) == os.path.realpath(folder):
        raise ValueError(
            "the index cannot be kept in the folder of documents itself: "
            f"choose a directory in it, such as {folder / BESIDE}, or another one"
        )
    is_noted = check_origin(directory, folder)
    listing = list_files(folder, without=(directory,))
    known = known_files(directory)
    run = _Run(folder, listing, settings, frozenset(forget), frozenset(remember), hurry, progress)
    plan = _plan(run, known)
    is_told = run.forgotten(known) != known.forgotten
    if known.state.generation and not plan.read and not plan.remove and not is_told:
        _refresh(run, directory, plan, known, is_noted=is_noted)
        state = known.state
        outcome = _Outcome([], list(plan.problems))
    else:
        place = directory if store is not None else writable_directory(folder, directory)
        if place != directory:
            directory, known = place, known_files(place)
            plan = _plan(run, known)
        state, outcome = _write(run, directory, known, plan)
    problems = _sorted(outcome.problems)
    is_empty = not plan.unchanged + len(outcome.added) + len(outcome.changed)
    if is_empty and not (state.generation and run.forgotten(known)):
        reasons = tuple(f"{known.problem.path}: {known.problem.reason}" for known in problems)
        raise NothingReadable(folder, file_count=len(listing.files), reasons=reasons)
    return IndexReport(
        state=state,
        added=tuple(sorted(outcome.added)),
        changed=tuple(sorted(outcome.changed)),
        removed=tuple(sorted(outcome.removed)),
        unchanged=plan.unchanged,
        problems=_reported(problems, known, plan, outcome),
        text_bytes=outcome.text_bytes,
        ignored=listing.ignored,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run has to do with."""

    folder: Path
    listing: Listing
    settings: LoadSettings
    forget: frozenset[str]
    remember: frozenset[str]
    hurry: bool
    progress: ProgressCallback | None

    def forgotten(self, known: Known) -> frozenset[str]:
        """What is kept out from this run on."""
        return (known.forgotten | self.forget) - self.remember

    def wipes(self, directory: Path) -> bool:
        """Whether to write the whole store anew where something was removed from it."""
        if not self.hurry:
            return True
        try:
            return os.path.getsize(directory / FILE_NAME) <= _SOON_WRITTEN
        except OSError:
            return True


def _plan(run: _Run, known: Known) -> Plan:
    """Compare, and hash the files whose stamps do not prove that they are unchanged."""
    folder, listing, progress = run.folder, run.listing, run.progress
    forgotten = run.forgotten(known)
    read: list[FoundFile] = []
    doubtful: list[tuple[FoundFile, KnownFile]] = []
    problems = [
        KnownProblem(problem)
        for problem in listing.problems
        if not is_forgotten(problem.path, forgotten)
    ]
    files = [file for file in listing.files if not is_forgotten(file.path, forgotten)]
    same_loaders = known.loaders == _loaders()
    offered = _offered(run.settings)
    unchanged = 0
    for file in files:
        before = known.files.get(file.path)
        failed = known.problems.get(file.path)
        if before is not None:
            if EXTRACTORS.get(before.extractor) != before.extractor_version or offered.intersection(
                before.needs
            ):
                read.append(file)
            elif before.stamp.proves(file.stamp):
                unchanged += 1
            else:
                doubtful.append((file, before))
        elif (
            failed
            and failed.stamp
            and same_loaders
            and failed.problem.need not in offered
            and failed.stamp.proves(file.stamp)
        ):
            problems.append(failed)
        else:
            read.append(file)

    total = sum(file.stamp.size for file in read) + sum(file.stamp.size for file, _ in doubtful)
    done = looked_at = 0
    count = len(read) + len(doubtful)

    def told(path: str) -> Progress:
        return Progress(path, looked_at, count, done, total, len(problems))

    restamp: list[FoundFile] = []
    unreadable: list[str] = []
    for file, before in doubtful:
        if progress is not None:
            progress(told(file.path))
        try:
            stamp = _unchanged_stamp(folder / file.path, before)
        except OSError as error:
            problems.append(KnownProblem(Problem(file.path, f"cannot be read: {error.strerror}")))
            unreadable.append(file.path)
            stamp = None
        else:
            if stamp is None:
                read.append(file)
                continue
            restamp.append(FoundFile(file.path, stamp))
        done += file.stamp.size
        looked_at += 1
    if progress is not None and total and not read:
        progress(told(doubtful[-1][0].path))

    present = {file.path for file in files}
    gone = [path for path in known.files if path not in present]
    return Plan(
        read=tuple(sorted(read, key=lambda file: file.path)),
        restamp=tuple(restamp),
        unchanged=unchanged + len(restamp),
        remove=tuple(sorted(gone + unreadable)),
        problems=tuple(_sorted(problems)),
        bytes_done=done,
        bytes_total=total,
        files_done=looked_at,
        files_total=count,
    )


def _offered(settings: LoadSettings) -> frozenset[Need]:
    """What there is now that files may have needed before."""
    given = (
        (Need.PASSWORD, bool(settings.passwords)),
        (Need.RECOGNITION, settings.recognise),
        (Need.TIME, settings.seconds > DEFAULT.seconds),
        (Need.MEMORY, settings.memory > DEFAULT.memory),
    )
    return frozenset(need for need, is_given in given if is_given)


def _unchanged_stamp(path: Path, before: KnownFile) -> Stamp | None:
    """The stamp of a file that holds what it held before, None if it does not."""
    stamp = stamp_of(path)
    if stamp.size != before.stamp.size or sha256_of(path) != before.sha256:
        return None
    return steady(stamp, path)


def _refresh(run: _Run, directory: Path, plan: Plan, known: Known, *, is_noted: bool) -> None:
    """Write down what makes the next run quicker. Nothing is lost where that cannot be done."""
    is_noted = is_noted and _sorted(known.problems.values()) == list(plan.problems)
    wipe = run.wipes(directory)
    is_clean = not wipe or holds_nothing_else(directory, known.state)
    if is_noted and is_clean and not plan.restamp and lexical_is_sound(directory, known.state):
        return
    from pincite.store.writer import open_writer

    with suppress(StoreBusy, StoreNotWritable), open_writer(directory) as writer:
        if writer.known() == known:
            _note(run, writer, plan.restamp, plan.problems, wipe=wipe)


def _note(
    run: _Run,
    writer: Writer,
    restamp: Sequence[FoundFile],
    problems: Sequence[KnownProblem],
    *,
    wipe: bool,
) -> IndexState:
    for file in restamp:
        writer.restamp(file.path, file.stamp)
    writer.note_folder(run.folder)
    writer.note_problems(problems, loaders=_loaders())
    writer.repair_lexical()
    return writer.finish(wipe=wipe)


def _write(run: _Run, directory: Path, known: Known, plan: Plan) -> tuple[IndexState, _Outcome]:
    from pincite.readers import read_all
    from pincite.store.writer import open_writer

    with open_writer(directory) as writer:
        current = writer.known()
        if current != known:
            # Another process finished a run since the folder was compared.
            plan, known = _plan(run, current), current
        folder, progress = run.folder, run.progress
        outcome = _Outcome(list(plan.remove), list(plan.problems))
        forgotten = run.forgotten(known)
        if forgotten != known.forgotten:
            writer.note_forgotten(forgotten)
        writer.remove(plan.remove)
        done, looked_at = plan.bytes_done, plan.files_done

        def told(path: str) -> Progress:
            unread = len(outcome.problems)
            return Progress(path, looked_at, plan.files_total, done, plan.bytes_total, unread)

        with closing(read_all(folder, plan.read, run.settings)) as readings:
            for file in plan.read:
                if progress is not None:
                    progress(told(file.path))
                try:
                    _put(next(readings), known, writer, outcome)
                except OSError as error:
                    # Not the file's fault, or it would be a problem: no temporary files, say. To
                    # go on would be to forget every file that is still to come.
                    reason = f"{error.strerror} while working on {file.path}"
                    raise StoreNotWritable(directory, reason=reason) from error
                done += file.stamp.size
                looked_at += 1
        if progress is not None and plan.read:
            progress(told(plan.read[-1].path))
        if known.state.generation or outcome.added:
            problems = _sorted(outcome.problems)
            wipe = run.wipes(directory)
            return _note(run, writer, plan.restamp, problems, wipe=wipe), outcome
    discard(directory)
    return known.state, outcome


def _put(reading: Reading, known: Known, writer: Writer, outcome: _Outcome) -> None:
    """Write down what came of reading a file."""
    from pincite.reading import ReadDocument, ReadingStopped

    path, read = reading.path, reading.outcome
    before = path in known.files
    if isinstance(read, ReadDocument):
        try:
            outcome.text_bytes += writer.put_packed(
                read.source,
                read.extraction,
                read.language,
                reading.passages,
                read.stamp,
                notes=read.notes,
                needs=read.needs,
            )
        except ReadingStopped as stopped:
            read = stopped.known
            writer.remove([path])
        else:
            (outcome.changed if before else outcome.added).append(path)
            outcome.noted[path] = read.notes
            return
    outcome.problems.append(read)
    if before:
        writer.remove([path])
        outcome.removed.append(path)


def _reported(
    unread: Iterable[KnownProblem], known: Known, plan: Plan, outcome: _Outcome
) -> tuple[Problem, ...]:
    """The files that were not read, and what is to be said of those that were, by path."""
    noted = {path: file.notes for path, file in known.files.items()}
    for path in (*plan.remove, *outcome.removed):
        noted.pop(path, None)
    noted |= outcome.noted
    problems = [one.problem for one in unread]
    problems += [
        Problem(path, note, is_partial=True) for path in sorted(noted) for note in noted[path]
    ]
    return tuple(sorted(problems, key=lambda problem: problem.path))


def _sorted(problems: Iterable[KnownProblem]) -> list[KnownProblem]:
    return sorted(problems, key=lambda known: known.problem.path)


def _loaders() -> str:
    return ", ".join(f"{name} {EXTRACTORS[name]}" for name in sorted(EXTRACTORS))
