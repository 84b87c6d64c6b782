"""Files and directories that only their owner may read: they hold what was asked, and by whom."""

from __future__ import annotations

import os
from pathlib import Path


def make_private(directory: Path) -> None:
    """Make a directory for its owner only; one that is there stays as it is."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)


def private(path: str, flags: int) -> int:
    """An `opener` for `open`: a file that it makes is for its owner only."""
    return os.open(path, flags, 0o600)
