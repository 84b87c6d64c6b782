"""Groups: rules over documents, and rights, that several people have together.

A file of TOML, written by hand::

    everyone = ["staff"]              # of whoever a proxy names; may be left out

    [groups.staff]
    rights = ["ask", "read"]          # of people that a proxy names
    collections = ["handbook"]        # left out: every one
    paths = ["**"]                    # left out: all
    but = ["pay/"]

    [users]
    "anna@example.org" = ["staff", "payroll"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.server.access.callers import EVERY_COLLECTION, DocumentRule, Right
from pincite.server.access.errors import AccessFileUnusable
from pincite.server.access.tokens import check_name


@dataclass(frozen=True, slots=True)
class Group:
    """What its members have."""

    rights: frozenset[Right] = frozenset()
    rules: tuple[DocumentRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups by name, and who is in them."""

    groups: dict[str, Group]
    users: dict[str, tuple[str, ...]]
    everyone: tuple[str, ...] = ()
    """The groups of whoever a proxy names."""

    def of_user(self, name: str) -> tuple[str, ...]:
        """The groups of a person that a proxy names."""
        return tuple(dict.fromkeys((*self.everyone, *self.users.get(name, ()))))

    def rules(self, names: Iterable[str]) -> tuple[DocumentRule, ...]:
        """What is there for members of these groups; a group that is not there gives nothing."""
        return tuple(rule for name in names if name in self.groups for rule in self[name].rules)

    def rights(self, names: Iterable[str]) -> frozenset[Right]:
        """What members of these groups may do."""
        return frozenset(
            right for name in names if name in self.groups for right in self[name].rights
        )

    def __getitem__(self, name: str) -> Group:
        return self.groups[name]


NO_GROUPS = Groups({}, {})


def read_groups(file: Path) -> Groups:
    """The groups in a file; `AccessFileUnusable`, which names what is wrong in it."""
    try:
        with open(file, "rb") as opened:
            content = tomllib.load(opened)
    except OSError as error:
        raise AccessFileUnusable(file, detail=error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AccessFileUnusable(file, detail=f"it is no TOML: {error}") from error
    try:
        _only(content, {"everyone", "groups", "users"}, "the file")
        groups = {name: _group(name, entry) for name, entry in _table(content, "groups").items()}
        users = {
            name: _members(f"users.{name}", names, groups)
            for name, names in _table(content, "users").items()
        }
        everyone = _members("everyone", content.get("everyone", []), groups)
    except ValueError as error:
        raise AccessFileUnusable(file, detail=str(error)) from error
    return Groups(groups, users, everyone)


def _group(name: str, entry: Any) -> Group:
    where = f"groups.{name}"
    check_name(name)
    if not isinstance(entry, dict):
        raise ValueError(f"{where} is no table")
    _only(entry, {"rights", "collections", "paths", "but"}, where)
    collections = _strings(f"{where}.collections", entry.get("collections", [EVERY_COLLECTION]))
    rule = DocumentRule(
        paths=_strings(f"{where}.paths", entry.get("paths", ["**"])),
        but=_strings(f"{where}.but", entry.get("but", [])),
    )
    known = ", ".join(Right)
    rights = _strings(f"{where}.rights", entry.get("rights", []))
    if unknown := [right for right in rights if right not in set(Right)]:
        raise ValueError(f"{where}.rights has {unknown[0]!r}: rights are {known}")
    return Group(
        frozenset(map(Right, rights)),
        tuple(DocumentRule(one, rule.paths, rule.but) for one in collections),
    )


def _members(where: str, names: Any, groups: dict[str, Group]) -> tuple[str, ...]:
    found = _strings(where, names)
    if unknown := [name for name in found if name not in groups]:
        raise ValueError(f"{where} names the group {unknown[0]!r}, which there is not")
    return found


def _table(content: dict[str, Any], name: str) -> dict[str, Any]:
    found = content.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name} is no table: write [{name}] above it")
    return found


def _strings(where: str, found: Any) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError(f'{where} is no list of texts: write it as ["..."]')
    return tuple(found)


def _only(found: dict[str, Any], known: set[str], where: str) -> None:
    """A key that is misspelt would leave somebody in, or out."""
    if unknown := sorted(found.keys() - known):
        raise ValueError(
            f"{where} has {unknown[0]!r}, which is not known: it may have "
            f"{', '.join(sorted(known))}"
        )
