"""Bringing the index of a folder up to date: read what is new or changed, forget what is gone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import (
    FolderNotFound,
    NothingReadable,
    StoreBusy,
    StoreNotWritable,
)
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.planning import Plan, Run, by_path, loaders_now, plan_run
from pincite.protocols import ProgressCallback
from pincite.records import IndexReport, IndexState, Problem, Progress
from pincite.store.catalogue import lexical_is_sound
from pincite.store.files import KEPT, FoundFile, is_there, list_files
from pincite.store.forgetting import holds_nothing_else
from pincite.store.known import Known, KnownProblem, known_files
from pincite.store.location import (
    BESIDE,
    discard,
    is_view,
    store_directory,
    views_directory,
    writable_directory,
)
from pincite.store.origin import check_origin

# Most questions find that nothing changed. What reads and writes, and all it is built on, takes
# longer to load than they take to answer, and is loaded where there is something to read.
if TYPE_CHECKING:
    from pincite.reading import Reading
    from pincite.store.writer import Writer


@dataclass(slots=True)
class _Outcome:
    """What came of reading the files of a plan."""

    removed: list[str]
    problems: list[KnownProblem]
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    kept: int = 0
    """Documents whose files could not be looked into this time."""
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
    A file that cannot be read is reported as a problem. If it could be read before it is removed,
    for it says something else now; but where the system refuses to have it read, or to list the
    folder it is in, its document is kept until that can be told. It is not quoted, as one is not
    whose file changed.

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
    if is_view(directory):
        raise ValueError(
            f"{directory} holds a part of another index, and follows that: update the whole one"
        )
    is_noted = check_origin(directory, folder)
    listing = list_files(folder, without=(directory,))
    known = known_files(directory)
    run = Run(folder, listing, settings, frozenset(forget), frozenset(remember), hurry, progress)
    plan = plan_run(run, known)
    is_told = run.forgotten(known) != known.forgotten
    if (
        known.state.generation
        and not plan.read
        and not plan.remove
        and not plan.moves
        and not is_told
    ):
        _refresh(run, directory, plan, known, is_noted=is_noted)
        state = known.state
        outcome = _Outcome([], list(plan.problems))
    else:
        place = directory if store is not None else writable_directory(folder, directory)
        if place != directory:
            directory, known = place, known_files(place)
            plan = plan_run(run, known)
        state, outcome = _write(run, directory, known, plan)
    is_new = state != known.state
    if (is_new or is_told or not hurry) and views_directory(folder, directory).exists():
        from pincite.views import refresh_views

        # What went from the index is to be nowhere else either.
        refresh_views(folder, directory, wipe=not hurry)
    problems = by_path(outcome.problems)
    kept = plan.kept + outcome.kept
    is_empty = not plan.unchanged + len(outcome.added) + len(outcome.changed) + kept
    if is_empty and not (state.generation and run.forgotten(known)):
        reasons = tuple(f"{known.problem.path}: {known.problem.reason}" for known in problems)
        raise NothingReadable(folder, file_count=len(listing.files), reasons=reasons)
    return IndexReport(
        state=state,
        added=tuple(sorted(outcome.added)),
        changed=tuple(sorted(outcome.changed)),
        removed=tuple(sorted(outcome.removed)),
        unchanged=plan.unchanged - len(plan.moves),
        problems=_reported(problems, known, plan, outcome),
        text_bytes=outcome.text_bytes,
        ignored=listing.ignored,
    )


def _refresh(run: Run, directory: Path, plan: Plan, known: Known, *, is_noted: bool) -> None:
    """Write down what makes the next run quicker. Nothing is lost where that cannot be done."""
    is_noted = is_noted and by_path(known.problems.values()) == list(plan.problems)
    wipe = run.wipes(directory)
    is_clean = not wipe or holds_nothing_else(directory, known.state)
    if is_noted and is_clean and not plan.restamp and lexical_is_sound(directory, known.state):
        return
    from pincite.store.writer import open_writer

    with suppress(StoreBusy, StoreNotWritable), open_writer(directory) as writer:
        if writer.known() == known:
            _note(run, writer, plan.restamp, plan.problems, wipe=wipe)


def _note(
    run: Run,
    writer: Writer,
    restamp: Sequence[FoundFile],
    problems: Sequence[KnownProblem],
    *,
    wipe: bool,
) -> IndexState:
    for file in restamp:
        writer.restamp(file.path, file.stamp)
    writer.note_folder(run.folder)
    writer.note_problems(problems, loaders=loaders_now())
    writer.repair_lexical()
    return writer.finish(wipe=wipe)


def _write(run: Run, directory: Path, known: Known, plan: Plan) -> tuple[IndexState, _Outcome]:
    from pincite.readers import read_all
    from pincite.store.writer import open_writer

    with open_writer(directory) as writer:
        current = writer.known()
        if current != known:
            # Another process finished a run since the folder was compared.
            plan, known = plan_run(run, current), current
        folder, progress = run.folder, run.progress
        outcome = _Outcome(list(plan.remove), list(plan.problems))
        forgotten = run.forgotten(known)
        if forgotten != known.forgotten:
            writer.note_forgotten(forgotten)
        writer.remove(plan.remove)
        for old, file in plan.moves:
            writer.move(old, file.path)
            writer.restamp(file.path, file.stamp)
            outcome.removed.append(old)
            outcome.added.append(file.path)
            outcome.noted[file.path] = known.files[old].notes
        done, looked_at = plan.bytes_done, plan.files_done

        def told(path: str) -> Progress:
            unread = len(outcome.problems)
            return Progress(path, looked_at, plan.files_total, done, plan.bytes_total, unread)

        with closing(read_all(folder, plan.read, run.settings)) as readings:
            for file in plan.read:
                if progress is not None:
                    progress(told(file.path))
                try:
                    _put(next(readings), folder, known, writer, outcome)
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
            problems = by_path(outcome.problems)
            wipe = run.wipes(directory)
            return _note(run, writer, plan.restamp, problems, wipe=wipe), outcome
    discard(directory)
    return known.state, outcome


def _put(reading: Reading, folder: Path, known: Known, writer: Writer, outcome: _Outcome) -> None:
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
    elif before and read.stamp is None and is_there(folder / path):
        # Not the file's fault: what it says now may well be what it said.
        outcome.kept += 1
        problem = replace(read.problem, reason=f"{read.problem.reason}; {KEPT}")
        outcome.problems.append(replace(read, problem=problem))
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
