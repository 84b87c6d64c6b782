"""The files of the page: what comes with them, and whose they are."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

import pincite.server
from pincite.server.routes import page

PAGE = Path(pincite.server.__file__).parent / "page"


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    app.include_router(page.router)
    return TestClient(app)


def test_what_is_of_pdf_js_is_what_its_makers_published() -> None:
    listed = dict(
        reversed(line.split("  ")) for line in (PAGE / "pdfjs/SHA256SUMS").read_text().splitlines()
    )
    found = {
        path.relative_to(PAGE / "pdfjs").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (PAGE / "pdfjs").rglob("*")
        if path.is_file() and path.name not in ("SHA256SUMS", "VENDORED.md")
    }

    assert found == listed


def test_the_page_lets_nothing_in_from_elsewhere_and_is_asked_for_again(client: TestClient) -> None:
    said = client.get("/")

    assert said.headers["content-security-policy"].startswith("default-src 'none'; ")
    assert "unsafe" not in said.headers["content-security-policy"]
    assert said.headers["cache-control"] == "no-cache"
    assert "<style" not in said.text
    assert "style=" not in said.text
    assert "<script>" not in said.text


def test_files_of_the_page_are_kept_by_browsers_and_have_another_address_when_they_change(
    client: TestClient,
) -> None:
    script = client.get("/").text.partition('src="')[2].partition('"')[0]

    said = client.get(f"/{script}")

    assert said.status_code == 200
    assert said.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in said.headers["cache-control"]
    assert client.get(f"/{script.replace('page/', 'page/0')}").status_code == 404


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "", "pdfjs"])
def test_only_the_files_of_the_page_are_served(client: TestClient, name: str) -> None:
    version = client.get("/").text.partition("page/")[2].partition("/")[0]

    assert client.get(f"/page/{version}/{name}").status_code == 404
