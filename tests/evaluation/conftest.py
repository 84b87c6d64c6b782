"""A small folder of documents, its index, and questions about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite import Index

RETURNS = """\
# Returns

You may return a lamp within 45 days of delivery. A refund takes 5 working days.

## Can I return a gift card?

No, gift cards cannot be returned.

If your parcel was damaged, we send a new one at once.
"""
LAMP = "The KLR-118 weighs 2.4 kg. Error E14 means that the arm is blocked.\n"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    folder = tmp_path / "documents"
    (folder / "products").mkdir(parents=True)
    (folder / "returns.md").write_text(RETURNS, encoding="utf-8")
    (folder / "products" / "lamp.txt").write_text(LAMP, encoding="utf-8")
    with Index.open_or_build(folder, lexical=True) as index:
        yield index


def jsonl(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


REFUND = {"document": "returns.md", "text": "A refund takes 5 working days."}
ASKED: tuple[dict[str, Any], ...] = (
    {"id": "refund", "question": "How long does a refund take?", "evidence": [REFUND]},
    {"id": "weight", "question": "How much does the KLR-118 weigh?", "answers": ["2.4 kg"]},
    {"id": "off", "question": "Who composed the opera Fidelio?", "answerable": False},
    {"id": "e15", "question": "What does error E15 mean?", "answerable": False},
    {"id": "wrong", "question": "How much does the KLR-118 weigh?", "answers": ["3 kg"]},
)
