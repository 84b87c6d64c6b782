"""Waiting for a first index: how far it is tells how much there is, and only to whoever sees it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pincite.server.access import Caller, DocumentRule, Right
from pincite.server.collections import Collections
from pincite.server.errors import NotReady
from pincite.server.mcp.waiting import until_ready
from pincite.server.service import Service
from pincite.server.settings import NamedFolder
from tests.server.mcp.agents import LAMP

CHIEF = Caller("chief", frozenset(Right), (DocumentRule(),))
CLERK = Caller("clerk", frozenset(Right), (DocumentRule("docs", but=("pay/",)),))

Told = list[tuple[float, float | None, str | None]]


async def wait(service: Service, caller: Caller) -> Told:
    told: Told = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    await until_ready(service, caller, "docs", report)
    return told


def test_how_far_it_is_is_told_to_those_for_whom_all_documents_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "pay").mkdir(parents=True)
    for number in range(400):
        (folder / "pay" / f"{number}.md").write_text(LAMP * 30, encoding="utf-8")

    async def both(service: Service) -> tuple[Told, Told]:
        return await asyncio.gather(wait(service, CHIEF), wait(service, CLERK))

    with Collections((NamedFolder("docs", folder),), lexical=True) as collections:
        collections.open()
        to_chief, to_clerk = asyncio.run(both(Service(collections)))
    assert "/400 files" in str(to_chief[-1][2])
    assert to_clerk == [(0, None, "being indexed")]


def test_why_there_is_no_index_is_told_to_those_for_whom_all_documents_are_there(
    tmp_path: Path,
) -> None:
    folder, store = tmp_path / "docs", tmp_path / "store"
    folder.mkdir()
    store.write_text("no directory", encoding="utf-8")
    said = []
    with Collections((NamedFolder("docs", folder, store),), lexical=True) as collections:
        collections.open()
        for caller in (CHIEF, CLERK):
            with pytest.raises(NotReady) as raised:
                asyncio.run(wait(Service(collections), caller))
            said.append(str(raised.value))
    assert said[0].startswith("the collection 'docs' has no index: ")
    assert said[1] == "the collection 'docs' has no index"
