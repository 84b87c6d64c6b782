"""What a run of indexing has to do: the files of a folder compared with what is known of them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.loaders.formats import EXTRACTORS, SNIFFING
from pincite.protocols import ProgressCallback
from pincite.records import Need, Progress
from pincite.store.files import FoundFile, Listing, Stamp, sha256_of, stamp_of, steady
from pincite.store.forgetting import is_forgotten
from pincite.store.known import Known, KnownFile, KnownProblem
from pincite.store.schema import FILE_NAME

_SOON_WRITTEN = 30_000_000
"""Bytes of a catalogue that is written anew, with all that is derived from it, in 3 seconds."""

_KINDS = f"sniffing {SNIFFING}, "


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be done to bring what is known up to date with what is there."""

    read: tuple[FoundFile, ...]
    """New, or no longer what was indexed."""
    restamp: tuple[FoundFile, ...]
    """Looked at, and found to hold what was indexed."""
    moves: tuple[tuple[str, FoundFile], ...]
    """Documents whose files are found, unchanged, in another place: the path before, the file."""
    unchanged: int
    """Number of files that need not be read, those of `restamp` and `moves` included."""
    kept: int
    """Number of documents of which it cannot be told whether their files are still there."""
    remove: tuple[str, ...]
    problems: tuple[KnownProblem, ...]
    """Those that are known before anything in `read` is read."""
    bytes_done: int
    bytes_total: int
    files_done: int
    files_total: int


@dataclass(frozen=True, slots=True)
class Run:
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


def plan_run(run: Run, known: Known) -> Plan:
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
    same_loaders = known.loaders == loaders_now()
    same_kinds = known.loaders.startswith(_KINDS)
    offered = _offered(run.settings)
    unchanged = 0
    for file in files:
        before = known.files.get(file.path)
        failed = known.problems.get(file.path)
        if before is not None:
            was_refused = _lies_in(file.path, known.problems)
            if not same_kinds or was_refused or not _is_read_now(before, offered):
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
    for file, before in doubtful:
        if progress is not None:
            progress(told(file.path))
        try:
            stamp = _unchanged_stamp(folder / file.path, before)
        except OSError:
            # Why not, reading it will tell.
            stamp = None
        if stamp is None:
            read.append(file)
            continue
        restamp.append(FoundFile(file.path, stamp))
        done += file.stamp.size
        looked_at += 1
    if progress is not None and total and not read:
        progress(told(doubtful[-1][0].path))

    present = {file.path for file in files}
    gone = set(known.files) - present
    # Of a folder that cannot be listed it is not known what is gone from it.
    kept = {
        path
        for path in gone
        if _lies_in(path, listing.refused) and not is_forgotten(path, forgotten)
    }
    gone -= kept
    moves = _moves(run, known, read, gone)
    moved = {file.path for _, file in moves}
    gone.difference_update(old for old, _ in moves)
    for _, file in moves:
        done += file.stamp.size
        looked_at += 1
    return Plan(
        read=tuple(file for file in _in_order(read) if file.path not in moved),
        restamp=tuple(restamp),
        moves=tuple(moves),
        unchanged=unchanged + len(restamp) + len(moves),
        kept=len(kept),
        remove=tuple(sorted(gone)),
        problems=tuple(by_path(problems)),
        bytes_done=done,
        bytes_total=total,
        files_done=looked_at,
        files_total=count,
    )


def _moves(
    run: Run, known: Known, read: Iterable[FoundFile], gone: Iterable[str]
) -> list[tuple[str, FoundFile]]:
    """Which of the files to be read are those of documents that are gone from another place.

    Only files that kept their names: a title may be made of the name, and stands in the index
    of every passage.
    """
    before: dict[tuple[str, int, int], list[str]] = {}
    offered = _offered(run.settings)
    for path in sorted(gone):
        file = known.files[path]
        if _is_read_now(file, offered):
            key = (PurePosixPath(path).name, file.stamp.size, file.stamp.mtime_ns)
            before.setdefault(key, []).append(path)
    if not before or not known.loaders.startswith(_KINDS):
        return []
    moves = []
    for found in _in_order(read):
        key = (PurePosixPath(found.path).name, found.stamp.size, found.stamp.mtime_ns)
        for old in before.get(key, ()):
            file = known.files[old]
            if found.path in known.files:
                continue
            try:
                stamp = _unchanged_stamp(run.folder / found.path, file)
            except OSError:
                # Which reading it will tell.
                break
            if stamp is not None:
                moves.append((old, FoundFile(found.path, stamp)))
                before[key].remove(old)
                break
    return moves


def _in_order(files: Iterable[FoundFile]) -> list[FoundFile]:
    return sorted(files, key=lambda file: file.path)


def _lies_in(path: str, places: Collection[str]) -> bool:
    """Whether the file at `path` is one of `places`, or in a folder that is."""
    return "." in places or is_forgotten(path, places)


def _is_read_now(before: KnownFile, offered: frozenset[Need]) -> bool:
    """Whether an unchanged file would be read as it was before."""
    is_same = EXTRACTORS.get(before.extractor) == before.extractor_version
    return is_same and not offered.intersection(before.needs)


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


def by_path(problems: Iterable[KnownProblem]) -> list[KnownProblem]:
    """The problems, sorted by path."""
    return sorted(problems, key=lambda known: known.problem.path)


def loaders_now() -> str:
    """The loaders that there are, as an index names those that read its files."""
    return _KINDS + ", ".join(f"{name} {EXTRACTORS[name]}" for name in sorted(EXTRACTORS))
