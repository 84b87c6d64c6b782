"""What `.gitignore` and `.pinciteignore` files leave out, as git reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAMES = (".gitignore", ".pinciteignore")
"""In the order in which they are read: what the second says holds over the first."""

_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one folder, and those of the folders it is in."""

    prefix: str
    """The folder, with `/` at the end; empty for the topmost."""
    spec: GitIgnoreSpec
    above: Rules | None

    def leave_out(self, path: str, *, is_folder: bool) -> bool:
        """Whether the file or folder at `path`, somewhere in this folder, is left out.

        What is in a folder that is left out is not asked for: nothing brings it back.
        """
        rules: Rules | None = self
        while rules is not None:
            inside = path[len(rules.prefix) :] + ("/" if is_folder else "")
            said = rules.spec.check_file(inside).include
            if said is not None:
                return bool(said)
            rules = rules.above
        return False


def rules_of(
    directory: str, prefix: str, names: Collection[str], above: Rules | None
) -> tuple[Rules | None, dict[str, str]]:
    """The rules that hold in a folder whose files have these `names`; and problems, by path.

    `above` are those that hold where the folder is; they are given back where it adds none.
    """
    lines: list[str] = []
    problems: dict[str, str] = {}
    for name in NAMES:
        if name in names:
            try:
                lines += _lines(os.path.join(directory, name))
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                problems[prefix + name] = (
                    f"cannot be read, so that it leaves nothing out: {reason}; make it a small "
                    "file of text that may be read, or remove it"
                )
    if not lines:
        return above, problems
    # Most folders have no such file.
    from pathspec import GitIgnoreSpec

    kept = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except (ValueError, re.error):
            # As git does: a line that is no pattern matches nothing.
            continue
        kept.append(line)
    return Rules(prefix, GitIgnoreSpec.from_lines(kept), above), problems


def _lines(path: str) -> list[str]:
    if not os.path.isfile(path):
        raise ValueError("it is not a regular file")
    if os.path.getsize(path) > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_BYTES} bytes")
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
        # Not str.splitlines: to git only a line feed ends a line.
        return file.read().split("\n")
