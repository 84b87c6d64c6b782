"""What is there for a caller is put together apart, and nobody else waits for it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from pincite import Index, Visible
from pincite.server.access import DocumentRule, Right
from pincite.server.app import create_app
from pincite.server.errors import NotReady
from pincite.server.parts import Parts
from pincite.server.settings import NamedFolder, ServerSettings

from .served import bearing, token
from .small import QUESTION, QUOTE, indexed, inside

DESK = Visible(("desk.md",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return indexed(tmp_path / "shop", {"lamp.md": QUOTE, "desk.md": "The desk weighs 30 kg.\n"})


class Slow:
    """An index whose parts take as long as they are held up."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.has_made = index.has_made
        self.let = threading.Event()
        self.made = 0

    def only(self, visible: Visible) -> Index:
        assert self.let.wait(60)
        self.made += 1
        return self._index.only(visible)


def test_whoever_comes_while_a_part_is_made_is_told_to_come_again_and_then_has_it(
    folder: Path,
) -> None:
    parts = Parts(seconds=0.05)
    with Index.open(folder, lexical=True) as index:
        slow = Slow(index)
        for _ in range(3):
            with pytest.raises(NotReady, match="come again"):
                parts.of(slow, DESK)
        slow.let.set()
        making = parts.make(slow, DESK)
        part = making.result(60) if making else index.only(DESK)
        assert [one.path for one in part.info().documents] == ["desk.md"]
        assert slow.made == 1
        # It is at hand now, for whoever opens the index later too.
        assert parts.make(slow, DESK) is None
    with Index.open(folder, lexical=True) as again:
        assert again.has_made(DESK)


def test_why_a_part_cannot_be_made_is_told_and_it_is_tried_again(folder: Path) -> None:
    parts = Parts(seconds=60)
    with Index.open(folder, lexical=True) as index:
        slow = Slow(index)
        slow.only = broken  # type: ignore[method-assign, assignment]
        with pytest.raises(ZeroDivisionError):
            parts.of(slow, DESK)
        assert parts.of(index, DESK).info().document_count == 1


def broken(_: Visible) -> Index:
    raise ZeroDivisionError


def test_what_is_there_for_those_who_have_tokens_is_put_together_when_the_server_starts(
    folder: Path, tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    rule = DocumentRule(paths=("lamp.md",))
    secret = token(tokens, "anna", (rule,), Right.ASK)
    settings = ServerSettings(
        folders=(NamedFolder("shop", folder),),
        state=tmp_path / "state",
        tokens=tokens,
        lexical=True,
    )
    visible = Visible(rule.paths)
    with Index.open(folder, lexical=True) as index:
        assert not index.has_made(visible)
    with inside(create_app(settings)) as client:
        until = time.monotonic() + 60
        with Index.open(folder, lexical=True) as index:
            while not index.has_made(visible) and time.monotonic() < until:
                time.sleep(0.02)
            assert index.has_made(visible)
        said = client.post("/ask", json={"question": QUESTION}, headers=bearing(secret))
        assert said.json()["text"] == QUOTE
