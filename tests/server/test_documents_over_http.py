"""Documents over HTTP: listed, as files, as text, as pictures; and nothing else of the machine."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from pincite.server.app import create_app
from tests.loaders.pdf_files import make_pdf, print_at
from tests.server.small import QUOTE, RETURNS, indexed, inside, settings, until_indexed


def test_documents_are_listed_with_their_state(http: TestClient, shop: Path) -> None:
    (shop / "returns.md").write_text("Other words.\n")
    (listing,) = http.get("/documents").json()["collections"]
    paths = [one["path"] for one in listing["documents"]]
    assert (listing["collection"], paths) == ("shop", ["products/lamp.txt", "returns.md"])
    assert listing["stale"] == ["returns.md"]
    (under,) = http.get("/documents", params={"under": "products/"}).json()["collections"]
    assert [one["path"] for one in under["documents"]] == ["products/lamp.txt"]


def test_a_file_is_given_as_it_is_and_can_do_nothing(http: TestClient) -> None:
    reply = http.get("/documents/shop/returns.md")
    assert reply.content == RETURNS.encode()
    assert reply.headers["content-type"].startswith("text/markdown")
    assert reply.headers["content-disposition"] == "attachment; filename*=UTF-8''returns.md"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in reply.headers["content-security-policy"]
    again = http.get("/documents/shop/returns.md", headers={"If-None-Match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_file_that_changed_since_is_not_given(http: TestClient, shop: Path) -> None:
    (shop / "returns.md").write_text("Other words.\n")
    assert http.get("/documents/shop/returns.md").status_code == 409


@pytest.mark.parametrize(
    "path",
    [
        "/documents/shop/../secret.md",
        "/documents/shop/%2e%2e/secret.md",
        "/documents/shop/..%2fsecret.md",
        "/documents/shop//etc/passwd",
        "/documents/shop/%2Fetc%2Fpasswd",
        "/documents/shop/products/..%2Freturns.md",
        "/documents/shop/.pincite/catalogue.sqlite",
        "/documents/shop/returns.md%00",
        "/documents/shop/returns.md/",
        "/documents/../shop/returns.md",
        "/documents/%2e%2e/returns.md",
        "/texts/shop/..%2fsecret.md",
        "/pages/shop/1/..%2fsecret.md",
        "/leaf?collection=shop&path=../secret.md",
        "/leaf?collection=..&path=secret.md",
    ],
)
def test_no_address_leads_out_of_the_documents(http: TestClient, shop: Path, path: str) -> None:
    (shop.parent / "secret.md").write_text("A secret.\n")
    reply = http.get(path)
    assert reply.status_code == 404
    assert str(shop) not in reply.text
    assert "A secret" not in reply.text


def test_a_text_has_the_place_that_is_asked_for(http: TestClient) -> None:
    start = RETURNS.index(QUOTE)
    place = {"start": start, "end": start + len(QUOTE)}
    found = http.get("/texts/shop/returns.md", params=place).json()
    assert found["content"] == RETURNS
    assert found["marked"]["position"] == {"unit": "codepoint", **place}
    assert found["marked"]["lines"] == {"start": 5, "end": 5}
    assert http.get("/texts/shop/returns.md", params={"start": 3}).status_code == 422
    beyond = http.get("/texts/shop/returns.md", params={"start": 0, "end": 10**6})
    assert beyond.status_code == 404


def test_a_leaf_is_blocks_with_the_quote_marked(http: TestClient) -> None:
    start = RETURNS.index(QUOTE)
    query = {"collection": "shop", "path": "returns.md", "quote": f"{start},{start + len(QUOTE)}"}
    leaf = http.get("/leaf", params=query).json()
    words = [run for block in leaf["blocks"] for run in block["runs"]]
    assert [run["text"] for run in words if isinstance(run, dict) and run.get("quotes")] == [QUOTE]
    assert http.get("/leaf", params={**query, "quote": "9,1"}).status_code == 422


def test_a_page_of_a_pdf_file_is_drawn(tmp_path: Path) -> None:
    folder = indexed(tmp_path / "plans", {"plan.pdf": make_pdf([print_at(50, 700, "A plan.")])})
    app = create_app(settings(tmp_path / "state", plans=folder))
    with inside(app) as http:
        reply = http.get("/pages/plans/1/plan.pdf", params={"width": 400})
        missing = http.get("/pages/plans/2/plan.pdf")
    assert reply.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(reply.content)) as picture:
        assert picture.width == 400
    assert missing.status_code == 404


def test_a_name_of_any_letters_is_a_header_of_ascii(tmp_path: Path) -> None:
    folder = indexed(tmp_path / "größe", {"maße.md": "The lamp is 40 cm high.\n"})
    app = create_app(settings(tmp_path / "state", größe=folder))
    with inside(app) as http:
        reply = http.get("/documents/größe/maße.md")
        answer = http.post("/ask", json={"question": "How high is the lamp?"})
    assert reply.headers["content-disposition"].endswith("UTF-8''ma%C3%9Fe.md")
    assert answer.headers["pincite-collection"] == "gr%C3%B6%C3%9Fe"


def test_a_pipe_in_the_place_of_a_document_holds_up_nobody(tmp_path: Path) -> None:
    folder = indexed(tmp_path / "shop", {"returns.md": RETURNS, "empty.txt": ""})
    app = create_app(settings(tmp_path / "state", shop=folder))
    with inside(app) as http:
        # What the run at the start of the server finds is no document any more.
        until_indexed(http)
        for name in ("returns.md", "empty.txt"):
            (folder / name).unlink()
            os.mkfifo(folder / name)
            for address in ("documents/shop", "pages/shop/1"):
                assert http.get(f"/{address}/{name}").status_code == 409
        (listing,) = http.get("/documents").json()["collections"]
    assert listing["stale"] == ["empty.txt", "returns.md"]
