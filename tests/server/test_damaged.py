"""An index that is damaged while it is served: whoever runs the server is told of it."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pincite.server.app import create_app
from tests.server.small import QUESTION, QUOTE, RETURNS, indexed, inside, settings


def test_an_index_that_is_damaged_is_told_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shop = indexed(tmp_path / "shop", {"returns.md": RETURNS})
    desk = indexed(tmp_path / "desk", {"desk.md": "The desk weighs 30 kg.\n"})
    with inside(create_app(settings(tmp_path / "state", shop=shop, desk=desk))) as http:
        assert http.get("/readyz").status_code == 200
        for file in (desk / ".pincite").glob("catalogue*"):
            file.write_bytes(b"\xff" * 8192)
        with caplog.at_level(logging.WARNING, "pincite.server"):
            # That nothing is said cannot be told where not everything can be asked.
            failed = http.post("/ask", json={"question": QUESTION})
        assert failed.status_code == 503
        assert str(tmp_path) not in failed.text
        assert str(desk / ".pincite") in caplog.text
        assert QUESTION not in caplog.text

        named = http.post("/ask", json={"question": QUESTION, "collection": "shop"})
        assert named.json()["text"] == QUOTE
        assert http.get("/readyz").status_code == 503
        states = {one["collection"]: one for one in http.get("/index").json()["collections"]}
        assert (states["desk"]["ready"], states["shop"]["ready"]) == (False, True)
        assert states["desk"]["problem"]
