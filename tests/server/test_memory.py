"""Answers that are asked for again are kept, and are what the index would say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite import Answer, Index, Refusal, RefusalReason
from pincite.server.memory import Memory
from tests.server.small import QUESTION, QUOTE, RETURNS


class Counted:
    """How often the index was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        ask = Index.ask_with_basis

        def counted(*arguments: Any, **named: Any) -> Any:
            self.times += 1
            return ask(*arguments, **named)

        monkeypatch.setattr(Index, "ask_with_basis", counted)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture
def index(shop: Path) -> Iterator[Index]:
    with Index.open(shop, lexical=True) as index:
        yield index


def ask(
    memory: Memory, index: Index, question: str = QUESTION, caller: str = "anna"
) -> Answer | Refusal:
    return memory.ask(index, question, caller=caller, collection="shop")


def test_the_same_question_of_the_same_caller_is_asked_once(index: Index, asked: Counted) -> None:
    memory = Memory(10)
    first = ask(memory, index)
    assert ask(memory, index) == first == index.ask(QUESTION)
    assert asked.times == 2


def test_what_another_caller_asked_is_asked_again(index: Index, asked: Counted) -> None:
    memory = Memory(10)
    ask(memory, index)
    ask(memory, index, caller="ben")
    assert asked.times == 2


def test_a_changed_file_is_not_quoted_from_memory(index: Index, shop: Path) -> None:
    memory = Memory(10)
    assert ask(memory, index).text == QUOTE
    (shop / "returns.md").write_text(RETURNS.replace("45", "60"))
    stale = ask(memory, index)
    assert isinstance(stale, Refusal)
    assert stale.reason is RefusalReason.STALE
    (shop / "returns.md").write_text(RETURNS)
    assert ask(memory, index).text == QUOTE


def test_after_a_run_of_indexing_the_answer_is_that_of_the_new_index(
    index: Index, shop: Path
) -> None:
    memory = Memory(10)
    ask(memory, index)
    (shop / "returns.md").write_text(RETURNS.replace("45", "60"))
    index.update()
    assert ask(memory, index) == index.ask(QUESTION)
    assert ask(memory, index).text == QUOTE.replace("45", "60")


def test_nothing_of_an_earlier_index_is_kept(index: Index, shop: Path) -> None:
    memory = Memory(10)
    ask(memory, index)
    ask(memory, index, "What does error E14 mean?")
    (shop / "returns.md").write_text(RETURNS.replace("45", "60"))
    index.update()
    ask(memory, index)
    kept = [answer.index.generation for answer, _ in memory._kept.values()]
    assert kept == [index.state.generation]


def test_so_many_answers_are_kept_and_no_more(index: Index, asked: Counted) -> None:
    memory = Memory(2)
    for question in (QUESTION, "What does error E14 mean?", QUESTION, "How heavy?", QUESTION):
        ask(memory, index, question)
    assert asked.times == 3
    ask(memory, index, "What does error E14 mean?")
    assert asked.times == 4
