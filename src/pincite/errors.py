"""Everything Pincite raises about the world (bad arguments are `ValueError`).

PinciteError
├── FolderError
│   ├── FolderNotFound        the path is missing or is not a folder
│   ├── NothingReadable       no file in it could be read as a document
│   └── DocumentNotFound      a path or citation names no document of the index
│       ├── NotForgotten      a path to be remembered was never forgotten
│       ├── PlaceNotFound     the document is there, and has no such line or characters
│       └── TextChanged       a citation is of another text of the document than there is now
├── UnreadableDocument        one file could not be read (never stops a folder)
├── StoreError
│   ├── StoreNotFound         asked to open an index that was never built
│   ├── StoreDamaged          the catalogue cannot be read as one
│   ├── StoreTooNew           written by a later version of Pincite
│   ├── StoreOfAnotherFolder  the directory holds the index of another folder
│   ├── StoreBusy             another process is writing
│   ├── CalibrationDamaged    the calibration beside the index cannot be read as one
│   └── StoreNotWritable      no place to write: permission or disk space
├── QuestionsUnusable         a set of questions cannot be asked or judged as it is
├── AuditError                something about a log of answers
│   ├── AuditDamaged          a line of it is not as it was written
│   ├── AuditNotWritable      a line could not be brought to disk: permission, a full disk
│   ├── ArchiveIncomplete     documents that were asked are not kept any more
│   └── CheckpointUnusable    a checkpoint or its key is none, or was signed with another
├── RecordUnusable            a saved answer cannot be read as one
├── RiskNotKept               no threshold is known that keeps to the risk asked for
└── MissingExtra              a feature needs a package or model that is not installed
"""

from __future__ import annotations

import os
import re
from pathlib import Path

# What SQLite, the lexical index and the system say when there is no room left.
_NO_SPACE = re.compile(r"\bfull\b|no space left|quota", re.IGNORECASE)


REASONS_SHOWN = 5


class PinciteError(Exception):
    """Base of every error Pincite raises about files, stores and its surroundings."""


class FolderError(PinciteError):
    """Something about the folder of documents."""


class FolderNotFound(FolderError):
    """The folder to index does not exist, or the path is not a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = "is not a folder" if os.path.exists(path) else "does not exist"
        super().__init__(f"{path} {found}: give the folder that holds your documents")


class NothingReadable(FolderError):
    """A folder in which no file could be read as a document."""

    def __init__(self, path: Path, *, file_count: int, reasons: tuple[str, ...] = ()) -> None:
        self.path = path
        self.file_count = file_count
        self.reasons = reasons
        found = f"none of its {file_count} files was read" if file_count else "it holds no files"
        self.found = f"nothing to read in {path}: {found}"
        """The message without the reasons."""
        super().__init__("\n  ".join((self.found, *reasons[:REASONS_SHOWN])))


class DocumentNotFound(FolderError):
    """A path, line or citation that names no document of the index.

    `near` are documents of the same name in other folders, which may have been meant.
    """

    def __init__(self, locator: str, *, folder: Path, near: tuple[str, ...] = ()) -> None:
        self.locator = locator
        self.folder = folder
        self.near = near
        meant = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        super().__init__(
            f"no document {locator!r} in the index of {folder}: "
            f"{meant}`pincite info {folder}` lists what is there"
        )


class NotForgotten(DocumentNotFound):
    """A path that is to be remembered and was never forgotten."""

    def __init__(self, path: str, *, folder: Path) -> None:
        super().__init__(path, folder=folder)
        self.args = (
            f"{path!r} was not forgotten in the index of {folder}: `pincite info {folder}` lists "
            "under `forgotten` what was",
        )


class PlaceNotFound(DocumentNotFound):
    """A line or characters that a document of the index does not have.

    `line_count` and `length` are how many lines and characters the document has; both are 0
    where it has no text.
    """

    def __init__(
        self, locator: str, *, path: str, folder: Path, line_count: int, length: int
    ) -> None:
        super().__init__(locator, folder=folder)
        self.path = path
        self.line_count = line_count
        self.length = length
        if not length:
            held = f"{path} holds no text; `pincite info {folder} --problems` may say why"
        else:
            lines = f"{line_count} line{'' if line_count == 1 else 's'}"
            held = f"{path} has {lines}, {length} character{'' if length == 1 else 's'}"
        self.args = (f"no place {locator!r} in the index of {folder}: {held}",)


class TextChanged(DocumentNotFound):
    """A citation of a text of the document that is no longer the one in the index.

    `was` and `now` name what read it, with the version: where they differ the file may be the
    same, and its words stand elsewhere in the text.
    """

    def __init__(self, locator: str, *, path: str, folder: Path, was: str, now: str) -> None:
        super().__init__(locator, folder=folder)
        self.path = path
        self.was = was
        self.now = now
        if was == now:
            why = f"{path} says something else now than when it was cited"
        else:
            why = f"{path} was read by {was} when it was cited, and by {now} now"
        self.args = (f"the place cited cannot be shown: {why}: ask again",)


class UnreadableDocument(PinciteError):
    """One file that could not be read; indexing goes on without it.

    `need` names what it could be read with (`password`), None where there is no such thing.
    """

    def __init__(self, path: str, *, reason: str, need: str | None = None) -> None:
        self.path = path
        self.reason = reason
        self.need = need
        super().__init__(f"{path}: {reason}")


class StoreError(PinciteError):
    """Something about the directory that holds an index."""


class StoreNotFound(StoreError):
    """There is no index for this folder yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(
            f"{folder} is not indexed yet: run `pincite index {folder}`, "
            f"which also names the files that it cannot read"
        )


class StoreDamaged(StoreError):
    """The catalogue of the index is not readable as one."""

    def __init__(self, path: Path, *, detail: str) -> None:
        self.path = path
        self.detail = detail
        super().__init__(
            f"the index in {path} is damaged ({detail}): delete that directory and run "
            f"`pincite index` again; your documents are not touched"
        )


class StoreTooNew(StoreError):
    """The index was written by a later version of Pincite."""

    def __init__(self, path: Path, *, found: int, supported: int) -> None:
        self.path = path
        self.found = found
        self.supported = supported
        super().__init__(
            f"the index in {path} has format {found}, this Pincite reads up to {supported}: "
            f"upgrade Pincite, or delete that directory and index again"
        )


class StoreOfAnotherFolder(StoreError):
    """The directory holds the index of another folder, which still is there.

    `folder` is the one that was asked for, `made_for` the one that the index is of.
    """

    def __init__(self, path: Path, *, folder: Path, made_for: Path) -> None:
        self.path = path
        self.folder = folder
        self.made_for = made_for
        super().__init__(
            f"{path} holds the index of {made_for}, not of {folder}: choose another directory "
            f"with --store, or delete that one and run `pincite index` again"
        )


class StoreBusy(StoreError):
    """Another process is writing to the same index."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"another process is writing to the index in {path}: wait for it to end and try again"
        )


class CalibrationDamaged(StoreError):
    """The file that keeps what `pincite calibrate` learnt cannot be read as one."""

    def __init__(self, path: Path, *, detail: str) -> None:
        self.path = path
        self.detail = detail
        super().__init__(
            f"the calibration in {path} cannot be read ({detail}): run `pincite calibrate` again, "
            f"or with --reset to go back to that of the package"
        )


class StoreNotWritable(StoreError):
    """The index cannot be written: permission, a read-only place, or a full disk."""

    def __init__(self, path: Path, *, reason: str) -> None:
        self.path = path
        self.reason = reason
        remedy = "free space there" if _NO_SPACE.search(reason) else "make it writable"
        super().__init__(
            f"cannot write the index in {path}: {reason}; nothing was changed: "
            f"{remedy}, or choose another place with --store"
        )


class BackupUnusable(PinciteError):
    """A backup that is not whole, or none at all."""

    def __init__(self, path: Path, *, detail: str) -> None:
        self.path = path
        self.detail = detail
        super().__init__(f"the backup in {path} cannot be used: {detail}")


class DirectoryInUse(PinciteError):
    """An index, or the state of a server, that a running server uses."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"a server that is running uses {path}: stop it (`pincite serve` or `pincite mcp`) and "
            f"try again"
        )


class QuestionsUnusable(PinciteError):
    """A set of questions that cannot be asked or judged as it is; `faults` says why, by line."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        self.name = name
        self.faults = faults
        shown = faults[:REASONS_SHOWN]
        more = len(faults) - len(shown)
        rest = [f"and {more} more"] if more else []
        super().__init__(f"{name}: " + "; ".join([*shown, *rest]))


class AuditError(PinciteError):
    """Something about a log of answers."""


class AuditDamaged(AuditError):
    """A line of a log is not as it was written."""

    def __init__(self, path: Path, *, detail: str) -> None:
        self.path = path
        self.detail = detail
        super().__init__(
            f"the log in {path} is damaged ({detail}): `pincite audit verify {path}` says where"
        )


class AuditNotWritable(AuditError):
    """A line could not be brought to disk; the log is as it was before."""

    def __init__(self, path: Path, *, reason: str) -> None:
        self.path = path
        self.reason = reason
        remedy = "free space there" if _NO_SPACE.search(reason) else "make it writable"
        super().__init__(
            f"cannot write the log in {path}: {reason}; nothing was answered: {remedy}, or choose "
            f"another place with --audit"
        )


class ArchiveIncomplete(AuditError):
    """Documents that were asked are not kept any more, so that they cannot be asked again."""

    def __init__(self, path: Path, *, missing: tuple[str, ...]) -> None:
        self.path = path
        self.missing = missing
        more = f" and {len(missing) - REASONS_SHOWN} more" if len(missing) > REASONS_SHOWN else ""
        super().__init__(
            f"{path} does not keep {', '.join(missing[:REASONS_SHOWN])}{more}, or not as it was"
        )


class CheckpointUnusable(AuditError):
    """A checkpoint, or a key for one, that is none, or that does not fit."""

    def __init__(self, name: str, *, detail: str) -> None:
        self.name = name
        self.detail = detail
        super().__init__(f"{name} cannot be used: {detail}")


class RecordUnusable(PinciteError):
    """A saved record that is cut off, of a later version, or no record of an answer at all."""

    def __init__(self, name: str, *, detail: str) -> None:
        self.name = name
        self.detail = detail
        super().__init__(
            f"{name}: {detail}: give a record as `pincite ask --json` prints it, whole"
        )


class RiskNotKept(PinciteError):
    """A risk that no known threshold keeps to; `known` are those that can be asked for."""

    def __init__(self, risk: float, *, scorer: str, known: tuple[float, ...]) -> None:
        self.risk = risk
        self.scorer = scorer
        self.known = known
        can = ", ".join(f"{one:.2f}" for one in known)
        super().__init__(
            f"no threshold of {scorer} is known that keeps to a risk of {risk:g}"
            f"{f' (there is one for {can})' if can else ''}: learn one from questions about your "
            f"own documents with `pincite calibrate FOLDER QUESTIONS.jsonl --risk {risk:g}`"
        )


class PortTaken(PinciteError):
    """Nothing can be served at a port of this machine."""

    def __init__(self, port: int, *, reason: str) -> None:
        self.port = port
        self.reason = reason
        super().__init__(
            f"cannot serve at port {port}: {reason}: choose another with --port; 0 takes a free one"
        )


class MissingExtra(PinciteError):
    """A feature that needs a package or model which is not installed."""

    def __init__(self, feature: str, *, install: str) -> None:
        self.feature = feature
        self.install = install
        super().__init__(f"{feature} is not installed: {install}")
