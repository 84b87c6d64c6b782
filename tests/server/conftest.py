"""A client of an application over one small folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pincite.server.app import create_app
from tests.server.small import RETURNS, indexed, inside, settings

LAMP = "The KLR-118 weighs 2.4 kg.\nError E14 means that the arm is blocked.\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return indexed(tmp_path / "shop", {"returns.md": RETURNS, "products/lamp.txt": LAMP})


@pytest.fixture
def http(tmp_path: Path, shop: Path) -> Iterator[TestClient]:
    """Of an application that serves the folder as `shop`."""
    app = create_app(settings(tmp_path / "state", shop=shop))
    with inside(app) as client:
        yield client
