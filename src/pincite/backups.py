"""Copies of indexes, logs and tokens that are whole, made while others write, and put back."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.auditing.copying import copy_log, is_log
from pincite.auditing.private import make_private
from pincite.errors import BackupUnusable, StoreDamaged, StoreNotFound, StoreTooNew
from pincite.store.calibrating import FILE_NAME as CALIBRATION
from pincite.store.location import prepare
from pincite.store.origin import note_origin
from pincite.store.schema import FILE_NAME as CATALOGUE
from pincite.store.schema import connect_to_read, translated
from pincite.store.using import IN_USE, check_unused
from pincite.store.writer import open_writer
from pincite.version import __version__

FORMAT = 1
MANIFEST, STORES, STATE, FILES = "manifest.json", "stores", "state", "files"
TOKENS, GROUPS = "tokens.json", "groups.toml"
"""What files that say who may see what are called in a backup."""
_UNFINISHED = ".unfinished"
_NONE: Mapping[str, Path] = {}


@dataclass(frozen=True, slots=True)
class IndexedFolder:
    """A folder of documents, and the directory of its index."""

    folder: Path
    store: Path


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds."""

    collections: tuple[str, ...]
    """Sorted."""
    has_state: bool
    """Whether it holds the state of a server, above all its log."""
    files: tuple[str, ...]
    """Of `TOKENS` and `GROUPS` those that it holds, sorted."""
    file_count: int
    byte_count: int


def back_up(
    folders: Mapping[str, IndexedFolder],
    out: Path,
    *,
    state: Path | None = None,
    files: Mapping[str, Path] = _NONE,
) -> BackupReport:
    """Copy the indexes of these folders, by name, to `out`, and the state and files of a server.

    Each index is copied as its last finished run left it, each log as it is between two entries,
    whoever writes meanwhile. What is derived from an index is left out, and made again. The
    documents are not copied. `out` appears whole or not at all.

    ValueError where `out` is there already, or inside what is copied or indexed; `StoreNotFound`,
    and the `StoreError`s.
    """
    if os.path.lexists(out):
        raise ValueError(f"{out} is there already: name a directory that is not")
    _check_outside(out, folders, state)
    with _appearing(out) as made:
        for name, one in sorted(folders.items()):
            target = made / STORES / name
            target.mkdir(parents=True)
            _copy_store(one, target)
        if state is not None and state.is_dir():
            _copy_state(state, made / STATE)
        for name, file in sorted(files.items()):
            make_private(made / FILES)
            shutil.copy2(file, made / FILES / name)
        described = {
            path.relative_to(made).as_posix(): _described(path)
            for path in sorted(made.rglob("*"))
            if path.is_file()
        }
        manifest = {"format": FORMAT, "pincite": __version__, "files": described}
        (made / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "ascii")
    return _report(described)


def read_backup(backup: Path) -> BackupReport:
    """What a backup holds, every file of it compared with its hash; `BackupUnusable`.

    It is nothing but the files that its manifest names.
    """
    return _report(_checked(backup))


def restore(
    backup: Path,
    folders: Mapping[str, IndexedFolder],
    *,
    state: Path | None = None,
    files: Mapping[str, Path] = _NONE,
    replace: bool = False,
) -> BackupReport:
    """Put indexes of a backup back, and the state and files of a server where they are named.

    The whole backup is checked before anything is written. Each directory and file appears whole or
    not at all; one that is there already is an error, or with `replace` gives way. `DirectoryInUse`
    where a server uses one of them, `StoreBusy` where an index is being written; `BackupUnusable`;
    ValueError for what the backup does not have.
    """
    named = _checked(backup)
    report = _report(named)
    for name in folders:
        if name not in report.collections:
            having = ", ".join(report.collections) or "none"
            raise ValueError(f"the backup has no collection {name!r}; it has {having}")
    if state is not None and not report.has_state:
        raise ValueError("the backup holds no state of a server")
    for name in files:
        if name not in report.files:
            raise ValueError(f"the backup holds no {name}")
    stores = [one.store for one in folders.values()]
    directories = [*stores, *([state] if state else [])]
    held = [one for one in directories if _holds_something(one)]
    held += [file for file in files.values() if file.exists()]
    if held and not replace:
        raise ValueError(f"{held[0]} is there already: --replace puts the backup in its place")
    for directory in directories:
        check_unused(directory)
    for store in stores:
        _check_unwritten(store)
    _put_back(backup, named, folders, state, files)
    return report


def _put_back(
    backup: Path,
    named: Mapping[str, object],
    folders: Mapping[str, IndexedFolder],
    state: Path | None,
    files: Mapping[str, Path],
) -> None:
    for name, one in sorted(folders.items()):
        with _appearing(one.store, replace=True) as made:
            prepare(made)
            _copy_named(backup, f"{STORES}/{name}", named, made)
            _note_folder(made, one.folder)
    if state is not None:
        with _appearing(state, replace=True) as made:
            _copy_named(backup, STATE, named, made)
    for name, target in sorted(files.items()):
        make_private(target.parent)
        new = target.with_name(target.name + _UNFINISHED)
        shutil.copy2(backup / FILES / name, new)
        _sync(new)
        os.replace(new, target)


def _holds_something(directory: Path) -> bool:
    return directory.is_dir() and any(one.name != IN_USE for one in directory.iterdir())


def _check_unwritten(store: Path) -> None:
    """Raise `StoreBusy` where a run of indexing goes on."""
    # One that is damaged is what a backup is for.
    if (store / CATALOGUE).exists():
        with suppress(StoreDamaged, StoreTooNew), open_writer(store):
            pass


def _check_outside(out: Path, folders: Mapping[str, IndexedFolder], state: Path | None) -> None:
    """ValueError where a backup would be copied into itself, or indexed."""
    places = [(one.store, "an index that is copied") for one in folders.values()]
    places += [(one.folder, "a folder of documents") for one in folders.values()]
    if state is not None:
        places.append((state, "the state that is copied"))
    for place, what in places:
        if out.resolve().is_relative_to(place.resolve()):
            raise ValueError(f"{out} is in {place}, {what}: name a directory outside it")


def _copy_store(one: IndexedFolder, target: Path) -> None:
    with translated(one.store):
        source = connect_to_read(one.store)
        if source is None:
            raise StoreNotFound(one.folder)
        # The target last: only when it is closed is all of it in its file.
        with closing(source), closing(sqlite3.connect(target / CATALOGUE)) as copy:
            source.backup(copy)
            # One file, whoever reads it.
            copy.execute("PRAGMA journal_mode = DELETE")
    calibration = one.store / CALIBRATION
    if calibration.is_file():
        shutil.copy2(calibration, target / CALIBRATION)


def _copy_state(state: Path, target: Path) -> None:
    if is_log(state):
        copy_log(state, target)
        return
    make_private(target)
    for path in sorted(state.iterdir()):
        if path.is_symlink():
            continue
        if path.is_dir():
            _copy_state(path, target / path.name)
        elif path.is_file() and path.suffix != ".new" and path.name != IN_USE:
            shutil.copy2(path, target / path.name)


def _note_folder(store: Path, folder: Path) -> None:
    with translated(store), closing(sqlite3.connect(store / CATALOGUE)) as connection, connection:
        note_origin(connection, folder)


def _checked(backup: Path) -> dict[str, dict[str, object]]:
    """The files of a backup, by name; nothing else is in it, and each has its hash."""
    files = _manifest(backup)
    for name in _held_files(backup):
        if name != MANIFEST and name not in files:
            raise BackupUnusable(
                backup, detail=f"{name} is not of it: its manifest has no such file"
            )
    for name, described in files.items():
        path = backup / name
        if not path.is_file():
            raise BackupUnusable(backup, detail=f"{name} is missing")
        if _described(path) != described:
            raise BackupUnusable(backup, detail=f"{name} is not as it was written")
    return files


def _held_files(backup: Path) -> Iterator[str]:
    """The names of all files; `BackupUnusable` where something is no file, above all a link."""
    for path in sorted(backup.rglob("*")):
        name, kind = path.relative_to(backup).as_posix(), path.lstat().st_mode
        if stat.S_ISREG(kind):
            yield name
        elif not stat.S_ISDIR(kind):
            raise BackupUnusable(backup, detail=f"{name} is a link, or no file")


def _copy_named(backup: Path, part: str, names: Iterable[str], target: Path) -> None:
    for name in sorted(names):
        if name.startswith(f"{part}/"):
            copy = target / name.removeprefix(f"{part}/")
            make_private(copy.parent)
            shutil.copy2(backup / name, copy, follow_symlinks=False)


def _manifest(backup: Path) -> dict[str, dict[str, object]]:
    try:
        read = json.loads((backup / MANIFEST).read_bytes())
    except FileNotFoundError as error:
        raise BackupUnusable(backup, detail=f"it has no {MANIFEST}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise BackupUnusable(backup, detail=f"{MANIFEST} cannot be read: {error}") from error
    match read:
        case {"format": int(number)} if number != FORMAT:
            detail = f"its format is {number}, and this Pincite reads {FORMAT}"
            raise BackupUnusable(backup, detail=detail)
        case {"format": int(), "files": dict(files)} if files and all(map(_is_inside, files)):
            return files
    raise BackupUnusable(backup, detail=f"{MANIFEST} is not as it was written")


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return parts[0] in (STORES, STATE, FILES) and not {"", ".", ".."} & set(parts)


def _report(files: Mapping[str, Mapping[str, object]]) -> BackupReport:
    names = {name.split("/")[1] for name in files if name.startswith(f"{STORES}/")}
    return BackupReport(
        collections=tuple(sorted(names)),
        has_state=any(name.startswith(f"{STATE}/") for name in files),
        files=tuple(sorted(n.split("/")[1] for n in files if n.startswith(f"{FILES}/"))),
        file_count=len(files),
        byte_count=sum(int(str(one["bytes"])) for one in files.values()),
    )


def _described(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": sha256}


@contextmanager
def _appearing(directory: Path, *, replace: bool = False) -> Iterator[Path]:
    """A directory to be filled, which gets its name when that is done and all of it on disk."""
    made = directory.with_name(directory.name + _UNFINISHED)
    # Of a run that was killed.
    shutil.rmtree(made, ignore_errors=True)
    make_private(made)
    try:
        yield made
        for path in (*sorted(made.rglob("*")), made):
            _sync(path)
        if replace and directory.exists():
            old = directory.with_name(directory.name + ".replaced")
            shutil.rmtree(old, ignore_errors=True)
            directory.rename(old)
            made.rename(directory)
            shutil.rmtree(old)
        else:
            made.rename(directory)
        _sync(directory.parent)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _sync(path: Path) -> None:
    if os.name == "posix" or path.is_file():
        descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
