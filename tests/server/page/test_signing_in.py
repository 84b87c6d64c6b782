"""People with tokens: what each sees of the page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from pincite.server.access import DocumentRule, Right
from pincite.server.access.tokens import add_token, revoke_token
from tests.server.page.conftest import Visit, indexed, served

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def address(tmp_path: Path, tokens: Path) -> Iterator[str]:
    # A server without any token serves whoever is on its machine.
    add_token(tokens, "first", rights=frozenset(Right), now=NOW)
    folder = indexed(
        tmp_path / "handbook",
        {
            "pay/bonus.md": "# Bonus\n\nThe bonus of the clerks is 900 euros.\n",
            "travel.md": "# Travel\n\nA journey is paid within 20 days.\n\n## Hotels\n\nHotels are "
            "booked by the desk.\n",
        },
    )
    with served(tmp_path / "state", tokens=tokens, handbook=folder) as address:
        yield address


def token_of(tokens: Path, name: str, *rights: Right, but: str = "") -> str:
    """A token for the handbook, without the documents `but`."""
    rules = [DocumentRule("handbook", but=(but,) if but else ())]
    return add_token(tokens, name, rights=frozenset(rights), rules=rules, now=NOW)


def sign_in(visit: Visit, token: str) -> None:
    page = visit.open()
    page.fill("#token", token)
    page.press("#token", "Enter")


def test_a_token_lets_in_for_as_long_as_the_tab_is_open(visit: Visit, tokens: Path) -> None:
    sign_in(visit, token_of(tokens, "ada", *Right))
    page = visit.page

    visit.ask("What is the bonus of the clerks?")
    assert page.inner_text(".reply blockquote") == "The bonus of the clerks is 900 euros."
    assert page.inner_text("#who").startswith("ada")

    page.reload()
    page.wait_for_selector(".reply")
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("Object.keys(localStorage)") == ["pincite-questions:ada"]

    page.click("text=Sign out")
    page.wait_for_selector("#token")
    assert page.evaluate("sessionStorage.length") == 0
    assert page.locator(".reply").count() == 0


def test_a_wrong_token_is_told_and_a_revoked_one_asks_for_another(
    visit: Visit, tokens: Path
) -> None:
    page = visit.page
    sign_in(visit, "pincite_wrong")
    page.wait_for_selector(".sign-in .fault:visible")
    assert Axe().run(page).response["violations"] == []

    page.fill("#token", token_of(tokens, "bob", *Right))
    page.press("#token", "Enter")
    page.wait_for_selector("#question")
    revoke_token(tokens, "bob", now=NOW)
    page.fill("#question", "How soon is a journey paid?")
    page.press("#question", "Enter")

    page.wait_for_selector("#token")


def test_who_may_not_see_a_document_finds_no_trace_of_it(visit: Visit, tokens: Path) -> None:
    sign_in(visit, token_of(tokens, "clara", *Right, but="pay/"))
    page = visit.page

    visit.ask("What is the bonus of the clerks?")
    assert page.locator(".refused").count() == 1
    assert "bonus.md" not in page.inner_text(".reply")

    page.click("nav >> text=Documents")
    page.wait_for_selector(".listing tbody tr")
    assert page.locator(".listing tbody th").all_inner_texts() == ["travel.md"]

    page.goto(f"{visit.address}#show=pay%2Fbonus.md&collection=handbook")
    page.wait_for_selector(".source .fault:visible")
    assert "900" not in page.inner_text("body")


def test_who_may_only_ask_sees_the_passages_of_a_quote_and_no_more(
    visit: Visit, tokens: Path
) -> None:
    sign_in(visit, token_of(tokens, "dan", Right.ASK))
    page = visit.page

    visit.ask("How soon is a journey paid?")
    page.click(".quotes .place")
    page.wait_for_selector(".source mark")

    assert page.inner_text(".source mark") == "A journey is paid within 20 days."
    assert page.locator("text=Save the file").count() == 0
    assert page.locator("nav >> text=Unanswered").is_hidden()
    page.keyboard.press("Escape")
    page.click("nav >> text=Documents")
    page.wait_for_selector(".listing tbody tr")
    assert page.locator("text=Index again").count() == 0
