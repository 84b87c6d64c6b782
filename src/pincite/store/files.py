"""The files of a folder: which there are, and whether one is still what it was."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from io import BufferedReader
from pathlib import Path

from pincite.records import Problem
from pincite.store.ignoring import Rules, rules_of
from pincite.store.schema import APPLICATION_ID, FILE_NAME, LEXICAL_NAME

# Two writes so close together can leave the same time stamp, on file systems that count in
# seconds; a file read so soon after it changed is therefore read again the next time.
_SETTLING_NS = 2_000_000_000
_CHUNK = 1 << 20
KEPT = "what was read of it before is kept, and not quoted"
"""Of a file or folder that cannot be read, for the time being."""
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_STORED = frozenset({FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", LEXICAL_NAME})


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the file system says of a file; an equal, settled stamp means an unchanged file."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    settled: bool
    """False where the file changed so shortly before it was looked at that another change could
    have gone unseen."""

    def proves(self, now: Stamp) -> bool:
        """Whether a file that had this stamp when it was read and has `now` is unchanged."""
        return self.settled and (self.size, self.mtime_ns, self.ctime_ns, self.inode) == (
            now.size,
            now.mtime_ns,
            now.ctime_ns,
            now.inode,
        )


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of a folder, by its path relative to it, separated by `/`."""

    path: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder, sorted by path, and what could not be listed."""

    files: tuple[FoundFile, ...]
    problems: tuple[Problem, ...]
    ignored: int = 0
    """Number of files and folders that ignore files leave out."""
    refused: frozenset[str] = frozenset()
    """Files and folders that are there, and of which the system does not say what they are or
    hold; `.` for the folder itself."""


def stamp_of(path: Path | str) -> Stamp:
    """The stamp of the file at `path` now; raises OSError if there is none."""
    return stamp_from(os.stat(path))


def stamp_from(found: os.stat_result) -> Stamp:
    """The stamp of the file that the system described so."""
    changed = max(found.st_mtime_ns, found.st_ctime_ns)
    # SQLite's integers have 64 bits and a sign. Years after 2262 do not fit, nor do all file
    # numbers; the lower bits of those tell files apart well enough.
    return Stamp(
        size=found.st_size,
        mtime_ns=_fitting(found.st_mtime_ns),
        ctime_ns=_fitting(found.st_ctime_ns),
        inode=found.st_ino & 0x7FFF_FFFF_FFFF_FFFF,
        settled=time.time_ns() - changed > _SETTLING_NS,
    )


def _fitting(nanoseconds: int) -> int:
    if _LEAST <= nanoseconds <= _MOST:
        return nanoseconds
    return _LEAST if nanoseconds < _LEAST else _MOST


def steady(stamp: Stamp, path: Path) -> Stamp:
    """`stamp`, unsettled if the file changed again since it was taken."""
    try:
        now = stamp_of(path)
    except OSError:
        return replace(stamp, settled=False)
    return stamp if replace(stamp, settled=True).proves(now) else replace(stamp, settled=False)


def open_at_once(path: Path | str) -> BufferedReader:
    """The file at `path`, to be read; OSError where it cannot be, or is no regular file.

    Nobody is waited for: a pipe may have taken the place of what was there.
    """
    return open(path, "rb", opener=_regular)


def _regular(path: str, flags: int) -> int:
    number = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return number


def sha256_of(path: Path | str) -> str:
    """SHA-256 of the file's bytes, in hexadecimal; raises OSError if it cannot be read."""
    digest = hashlib.sha256()
    with open_at_once(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def list_files(folder: Path, *, without: Iterable[Path] = ()) -> Listing:
    """Every file of `folder` and the folders in it, save hidden ones and those in `without`.

    What `.gitignore` and `.pinciteignore` files leave out is left out, as git understands them. A
    folder that holds an index is left out as well. Links to folders are not followed. A link to
    a file counts as a file if it leads to one inside the folder that is not listed itself.
    Whatever else cannot be listed is a problem, not an error.
    """
    top = os.fspath(folder)
    left_out = {os.path.realpath(path) for path in without}
    files: dict[str, FoundFile] = {}
    links: list[str] = []
    problems: dict[str, str] = {}
    refused: set[str] = set()
    ignored = 0
    waiting: list[tuple[str, Rules | None]] = [("", None)]
    while waiting:
        prefix, above = waiting.pop()
        try:
            with os.scandir(os.path.join(top, prefix)) as found:
                entries = list(found)
        except OSError as error:
            if not _is_gone(error):
                path = prefix.rstrip("/") or "."
                refused.add(path)
                problems[path] = f"cannot be listed: {because(error)}; {KEPT}"
            continue
        holds_index = _holds_index(entries)
        if holds_index and prefix:
            continue
        names = {entry.name for entry in entries}
        rules, unread = rules_of(os.path.join(top, prefix), prefix, names, above)
        problems.update(unread)
        for entry in entries:
            if entry.name.startswith(".") or (holds_index and entry.name in _STORED):
                continue
            path = prefix + entry.name
            try:
                if rules and rules.leave_out(path, is_folder=entry.is_dir(follow_symlinks=False)):
                    ignored += 1
                elif entry.is_symlink():
                    links.append(path)
                elif entry.is_dir():
                    if not left_out or os.path.realpath(entry.path) not in left_out:
                        waiting.append((path + "/", rules))
                elif entry.is_file():
                    # Not entry.stat(): Windows leaves change time and file number out of it.
                    files[path] = FoundFile(path, stamp_of(entry.path))
                else:
                    problems[path] = "not a regular file"
            except OSError as error:
                if not _is_gone(error):
                    refused.add(path)
                    problems[path] = f"cannot be read: {because(error)}; {KEPT}"
    real_top = os.path.realpath(top)
    for path in sorted(links):
        reason = _follow(top, real_top, path, files)
        if reason:
            problems[path] = reason
    return Listing(
        files=tuple(files[path] for path in sorted(files)),
        problems=tuple(Problem(path, problems[path]) for path in sorted(problems)),
        ignored=ignored,
        refused=frozenset(refused),
    )


def because(error: OSError) -> str:
    """Why the system refuses to have a file or folder read, and what to do."""
    if isinstance(error, PermissionError):
        return "no permission: change its permissions, or move it elsewhere"
    return f"{error.strerror or error}: see that the disk or the network it is on works"


def is_there(path: Path) -> bool:
    """Whether there is a file at `path`, or there may be one."""
    try:
        os.stat(path)
    except OSError as error:
        return not _is_gone(error)
    return True


def _is_gone(error: OSError) -> bool:
    """Whether the system says that a file or folder is not there."""
    return isinstance(error, (FileNotFoundError, NotADirectoryError))


def _holds_index(entries: Iterable[os.DirEntry[str]]) -> bool:
    """Whether these are the entries of a directory in which Pincite keeps an index."""
    by_name = {entry.name: entry for entry in entries}
    catalogue = by_name.get(FILE_NAME)
    if catalogue is None:
        return False
    if LEXICAL_NAME in by_name:
        return True
    try:
        # Not whatever has the name: opening a pipe would wait.
        if not catalogue.is_file():
            return False
        with open(catalogue.path, "rb") as file:
            return file.read(72)[68:] == APPLICATION_ID.to_bytes(4, "big")
    except OSError:
        return False


def _follow(top: str, real_top: str, path: str, files: dict[str, FoundFile]) -> str | None:
    target = os.path.realpath(os.path.join(top, path))
    try:
        found = os.stat(target)
    except OSError as error:
        return f"a link that leads nowhere: {error.strerror}"
    inside = os.path.relpath(target, real_top).replace(os.sep, "/")
    if inside == ".." or inside.startswith("../"):
        return "a link out of the folder, not followed"
    if stat.S_ISREG(found.st_mode) and inside not in files:
        files[path] = FoundFile(path, stamp_from(found))
    return None
