"""The page of documents: which there are, how they are, and having them indexed again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.loaders.pdf_files import make_pdf
from tests.server.page.conftest import Visit, indexed, served


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return indexed(
        tmp_path / "shop",
        {
            "fees/lamp.md": "# Fees\n\nThe lamp costs 3 euros.\n",
            "terms.md": "# Terms of sale\n\nWe sell lamps.\n",
            "scan.pdf": b"%PDF-1.4 nothing of the kind",
        },
    )


@pytest.fixture
def address(folder: Path, tmp_path: Path) -> Iterator[str]:
    with served(tmp_path / "state", shop=folder) as address:
        yield address


def test_documents_are_listed_with_their_state_and_what_could_not_be_read(
    visit: Visit, folder: Path
) -> None:
    (folder / "terms.md").write_text("# Terms of sale\n\nWe sell nothing.\n")

    page = visit.open("#documents")
    page.wait_for_selector(".listing tbody tr")

    assert page.locator(".listing tbody th").all_inner_texts() == ["fees/lamp.md", "terms.md"]
    states = page.locator(".listing tbody td:nth-child(4)").all_inner_texts()
    assert states == ["Indexed", "Changed since: not quoted"]
    page.click(".problems summary")
    assert page.inner_text(".problems tbody th") == "scan.pdf"
    assert page.inner_text(".problems tbody td >> nth=0") == "Not read"
    assert page.inner_text(".problems tbody td >> nth=1") != ""


def test_why_a_file_was_not_read_and_what_it_needs_are_two_sentences(
    browser: Browser, tmp_path: Path
) -> None:
    files = {"a.md": "One.\n", "locked.pdf": make_pdf([""], password="secret")}
    shop = indexed(tmp_path / "locked", files)
    with (
        served(tmp_path / "state", shop=shop) as address,
        browser.new_context() as context,
    ):
        page = Visit(context, address).open("#documents")
        page.click(".problems summary")
        assert page.inner_text(".problems tbody td >> nth=1").endswith(". It asks for a password.")


def test_documents_are_found_by_name_or_title(visit: Visit) -> None:
    page = visit.open("#documents")
    page.wait_for_selector(".listing tbody tr")

    page.fill("#filter", "OF SALE")

    assert page.locator(".listing tbody th").all_inner_texts() == ["terms.md"]


def test_a_collection_is_indexed_again_on_demand(visit: Visit, folder: Path) -> None:
    page = visit.open("#documents")
    page.wait_for_selector("text=Index again")
    (folder / "new.md").write_text("# New\n\nThe chair costs 9 euros.\n")

    page.click("text=Index again")
    page.wait_for_selector(".listing >> text=new.md", timeout=60_000)
    page.click("nav >> text=Ask")
    visit.ask("How much does the chair cost?")

    assert page.inner_text(".reply blockquote") == "The chair costs 9 euros."


def test_one_goes_from_a_document_to_a_question_inside_it(visit: Visit) -> None:
    page = visit.open("#documents")
    page.wait_for_selector(".listing tbody tr")

    page.click("[aria-label='Ask in fees/lamp.md']")
    visit.ask("How much does the lamp cost?")

    assert page.input_value("#document") == "fees/lamp.md"
    assert page.inner_text(".reply .file >> nth=0") == "fees/lamp.md"


def test_a_document_is_opened_from_the_list(visit: Visit) -> None:
    page = visit.open("#documents")
    page.click(".listing >> text=terms.md")

    page.wait_for_selector(".source .leaf >> text=We sell lamps.")
    page.keyboard.press("Escape")

    assert page.evaluate("document.activeElement.textContent") == "terms.md"
