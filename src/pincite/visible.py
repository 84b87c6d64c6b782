"""Which documents of a folder somebody may see: a rule over their paths, and nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

EVERYTHING = "**"


@dataclass(frozen=True, slots=True)
class Visible:
    """The documents at paths that one pattern of `allow` fits and none of `deny`, and the `others`.

    Patterns are written as in a `.gitignore` file, one at a time, and cannot be negated: `hr/` is
    a folder, `/hr/` one at the top, `*.md` a kind of file, `**` everything. `one | other` sees what
    one of both sees: what a rule denies another may allow. ValueError for what is no pattern, or
    would never fit: a rule that was meant to hide something must not go unnoticed.
    """

    allow: tuple[str, ...] = (EVERYTHING,)
    deny: tuple[str, ...] = ()
    others: tuple[Visible, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "allow", _normal(self.allow))
        object.__setattr__(self, "deny", _normal(self.deny))
        for pattern in (*self.allow, *self.deny):
            check_pattern(pattern)

    def __or__(self, other: Visible) -> Visible:
        rules = {(one.allow, one.deny) for one in (*self.rules, *other.rules) if one.allow}
        first, *rest = [Visible(*rule) for rule in sorted(rules)] or [Visible(())]
        found = Visible(first.allow, first.deny, tuple(rest))
        return Visible() if found.is_everything else found

    @property
    def rules(self) -> tuple[Visible, ...]:
        """The rules that this one is made of, each by itself."""
        own = Visible(self.allow, self.deny) if self.others else self
        return (own, *self.others)

    @property
    def is_everything(self) -> bool:
        """Whether the rule itself leaves nothing out, whatever documents there are."""
        return any(EVERYTHING in rule.allow and not rule.deny for rule in self.rules)

    def sees(self, path: str) -> bool:
        """Whether a document at this path, as the index writes it, is visible."""
        asked = unicodedata.normalize("NFC", path)
        if _fits(self.allow, asked) and not _fits(self.deny, asked):
            return True
        return any(other.sees(asked) for other in self.others)

    def sees_about(self, path: str) -> bool:
        """Whether what is said of the file or folder at this path may be told.

        Of a folder that may be told only to who sees what is in it.
        """
        return self.sees(path) and self.sees(f"{path}/-")


def check_pattern(pattern: str) -> None:
    """ValueError, which says why, where `pattern` is none that `Visible` takes."""
    wrong = _fault(pattern)
    if wrong:
        raise ValueError(f"{pattern!r} is no pattern of paths: {wrong}")


def _fault(pattern: str) -> str:
    if not pattern.strip() or pattern != pattern.strip():
        return "it is empty, or has spaces around it"
    if any(unicodedata.category(character) == "Cc" for character in pattern):
        return "it has a line end or another control character"
    if pattern.startswith("!"):
        return "a pattern is not turned round with `!`: name what is left out as that"
    if "\\" in pattern:
        return "write folders with `/`, and a character that has a meaning in brackets: `[*]`"
    if {".", ".."} & set(pattern.split("/")):
        return "paths begin at the folder of documents, and have no `.` or `..`"
    try:
        found = _spec((pattern,)).patterns
    except (ValueError, re.error) as error:
        return str(error)
    if [one.include for one in found] != [True]:
        return "nothing would ever fit it"
    return ""


def _fits(patterns: tuple[str, ...], path: str) -> bool:
    return bool(_spec(patterns).match_file(path))


def _normal(patterns: Iterable[str]) -> tuple[str, ...]:
    """Sorted, each once; composed, as a keyboard writes them and some file systems do not."""
    return tuple(sorted({unicodedata.normalize("NFC", pattern) for pattern in patterns}))


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    # Who asks a folder on their own machine has no rules.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)
