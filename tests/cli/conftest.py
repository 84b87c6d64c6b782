"""A small folder of documents, and `pincite` run on it in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

RETURNS = """\
# Returns

## How long you have

You may return a lamp within 45 days of delivery.

After that we repair it.

## Refund

A refund takes 5 working days. It goes to the card that you paid with.
"""
LAMP = """\
The KLR-118 weighs 2.4 kg.
Error E14 means that the arm is blocked.
"""
QUESTION = "Within how many days may I return a lamp?"
QUOTE = "You may return a lamp within 45 days of delivery."
REFUND = "How long does a refund take?"
UNANSWERED = "Who composed the opera Fidelio?"


class Pincite(Protocol):
    """Runs `pincite` with these arguments and returns what came of it, as bytes."""

    def __call__(
        self,
        *arguments: str | Path,
        stdin: bytes = b"",
        environment: dict[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> subprocess.CompletedProcess[bytes]: ...


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    (folder / "products").mkdir(parents=True)
    (folder / "returns.md").write_text(RETURNS, encoding="utf-8")
    (folder / "products" / "lamp.txt").write_text(LAMP, encoding="utf-8")
    return folder


@pytest.fixture
def pincite(tmp_path: Path) -> Pincite:
    """Its cache directory is a temporary one."""

    def run(
        *arguments: str | Path,
        stdin: bytes = b"",
        environment: dict[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "pincite", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            env={
                **os.environ,
                "HOME": str(tmp_path / "home"),
                "XDG_CACHE_HOME": str(tmp_path / "home" / "cache"),
                **(environment or {}),
            },
            preexec_fn=before,
            check=False,
        )

    return run
