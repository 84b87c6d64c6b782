"""What a loader of one format gives back, and what it raises."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pincite.places import Mark
from pincite.records import Block, Need


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a file, its structure, and where each part of it stands in the file."""

    text: str
    blocks: tuple[Block, ...]
    """In reading order, without overlaps; between two of them is only white space."""
    title: str = ""
    """As the file names itself; empty where it does not."""
    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know was left out or may be wrong, each with what to do about it."""
    needs: tuple[Need, ...] = ()
    """What more of the file could be read with: it is read again once that is there."""


LEAST_MEMORY = 300_000_000
"""Bytes; an interpreter with its libraries takes a good part of them."""


MAXIMUM_UNPACKED_BYTES = 256 * 1024 * 1024
MAXIMUM_UNPACKED_FILES = 10_000


class Allowance:
    """What may still be unpacked from one file, the archives and messages inside it included."""

    def __init__(
        self, size: int = MAXIMUM_UNPACKED_BYTES, count: int = MAXIMUM_UNPACKED_FILES
    ) -> None:
        self.bytes_left = size
        self.files_left = count

    def take(self, size: int) -> None:
        """Count one file of `size` bytes as unpacked."""
        self.bytes_left = max(0, self.bytes_left - size)
        self.files_left = max(0, self.files_left - 1)


@dataclass(frozen=True, slots=True)
class LoadSettings:
    """What reading files may depend on besides the files."""

    passwords: tuple[str, ...] = field(default=(), repr=False)
    """Tried in this order on files that ask for one."""
    recognise: bool = False
    """Read pages that are pictures by character recognition."""
    depth: int = 0
    """How many archives or messages the file at hand is inside of."""
    seconds: float = 30.0
    """A file of which reading takes longer is given up; ten times that where `recognise` is set."""
    memory: int = 1_500_000_000
    """Bytes; a file that takes more to read is given up. Windows has no such limit."""

    allowance: Allowance | None = field(default=None, repr=False, compare=False)
    """Shared by all files inside of one; None where the file at hand is inside of nothing."""

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"seconds must be above 0, not {self.seconds}")
        if self.memory < LEAST_MEMORY:
            raise ValueError(f"memory must be {LEAST_MEMORY} bytes or more, not {self.memory}")

    def inside(self) -> tuple[LoadSettings, Allowance]:
        """The settings for files inside the one at hand, and what they may unpack together."""
        allowance = self.allowance or Allowance()
        return replace(self, depth=self.depth + 1, allowance=allowance), allowance


DEFAULT = LoadSettings()


class UnreadableContent(Exception):
    """The content of a file that a loader cannot read; the message says why and what to do.

    `need` says what it could be read with, such as `Need.PASSWORD`.
    """

    def __init__(self, message: str, *, need: Need | None = None) -> None:
        super().__init__(message)
        self.need = need
