"""Records as replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from pincite.render import dumps
from pincite.server.described import COLLECTION_HEADER


def record(content: Mapping[str, Any], *, collection: str = "", status: int = 200) -> Response:
    """A record as the command line prints it, byte for byte."""
    headers = {COLLECTION_HEADER: header_value(collection)} if collection else {}
    data = dumps(content, pretty=True).encode() + b"\n"
    return Response(data, status, headers, "application/json")


def header_value(name: str) -> str:
    """A name as headers can hold it: what is not ASCII as in an address."""
    from urllib.parse import quote

    return quote(name, safe="")
