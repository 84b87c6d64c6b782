"""What is noted beside a view: its rule, and which state of the index it follows."""

from __future__ import annotations

import functools
import json
import operator
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

from pincite.errors import StoreNotWritable
from pincite.store.location import VIEW_RULE, prepare
from pincite.visible import Visible

_FORMAT = 1
_SEEN = "seen"


def note_rule(view: Path, visible: Visible) -> None:
    """Make the directory of a view, with its rule."""
    if rule_of(view) == visible:
        return
    rule = {"format": _FORMAT, "rules": rules_to_json(visible)}
    beside = view / f"{VIEW_RULE}.{os.getpid()}"
    try:
        prepare(view)
        beside.write_text(json.dumps(rule, ensure_ascii=False) + "\n", "utf-8")
        os.replace(beside, view / VIEW_RULE)
    except OSError as error:
        raise StoreNotWritable(view, reason=error.strerror or str(error)) from error


def rules_to_json(visible: Visible) -> list[dict[str, tuple[str, ...]]]:
    """The rules that this one is made of, the same for equal ones."""
    return [{"allow": rule.allow, "deny": rule.deny} for rule in visible.rules]


def rule_of(view: Path) -> Visible | None:
    """The rule of a view; None where there is none that can be read."""
    try:
        rule = json.loads((view / VIEW_RULE).read_text("utf-8"))
        if rule["format"] != _FORMAT:
            return None
        rules = [Visible(tuple(one["allow"]), tuple(one["deny"])) for one in rule["rules"]]
        return functools.reduce(operator.or_, rules)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def note_seen(view: Path, mark: str) -> None:
    """Note which state of the source the view was last compared with, whoever asks next."""
    with suppress(OSError):
        beside = view / f"{_SEEN}.{os.getpid()}.{threading.get_ident()}"
        beside.write_text(mark, "ascii")
        os.replace(beside, view / _SEEN)


def seen(view: Path) -> str:
    """That state, as it was noted last; empty where none was. It may lag behind."""
    try:
        return (view / _SEEN).read_text("ascii")
    except (OSError, ValueError):
        return ""


def used(view: Path) -> float:
    """When the view was noted to be in use or, where it never was, made; in seconds."""
    for path in (view / VIEW_RULE, view):
        with suppress(OSError):
            return path.stat().st_mtime
    return 0.0


def mark_used(view: Path) -> None:
    """Note that the view is in use, at most once a day."""
    with suppress(OSError):
        if time.time() - used(view) > 86_400:
            os.utime(view / VIEW_RULE)
