"""Which questions the reader is not trained on, so that it can be judged on them."""

from __future__ import annotations

import zlib
from typing import Any

UNNAMED = frozenset({"tatqa_dev"})
"""Sets whose documents have no titles."""


def is_held_out(set_name: str, title: str) -> bool:
    """Whether the questions whose best sentence is in this document are kept for fitting."""
    return zlib.crc32(f"{set_name}/{title}".encode()) % 6 == 0


def title_of(line: dict[str, Any]) -> str:
    """The title of the document that the first sentence stands in, or what tells it as well."""
    if line["set"] in UNNAMED:
        return str(line["question"])
    around: str = line["sentences"][0]["around"]
    return around.split(" | ")[0].split(" > ")[0]
