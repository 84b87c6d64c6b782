"""Two documents that answer the same differently."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import pincite
from pincite.answering.conflicts import date_of, difference
from pincite.records import ConflictKind
from pincite.render import load_schema, to_json
from pincite.render.text import answer_text


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("A refund takes 5 working days.", "A refund takes 7 working days.", ConflictKind.AMOUNT),
        ("A refund takes 5 working days.", "Refunds take up to 7 working days.", None),
        ("A refund takes 5 working days.", "A refund takes 5 working days.", None),
        ("A refund takes 5 working days.", "A parcel weighs 7 kg at most here.", None),
        (
            "A gift card can be returned to the shop.",
            "A gift card can not be returned to the shop.",
            ConflictKind.NEGATION,
        ),
        ("5 days", "7 days", None),
    ],
)
def test_sentences_about_the_same_differ_in_an_amount_or_a_negation(
    one: str, other: str, kind: ConflictKind | None
) -> None:
    assert difference(one, other) is kind
    assert difference(other, one) is kind


@pytest.mark.parametrize(
    ("path", "beginning", "date"),
    [
        ("terms-2023.md", "", "2023"),
        ("terms_2023-05.md", "", "2023-05"),
        ("terms.md", "# Terms\n\nEffective 2026-05-01\n", "2026-05-01"),
        ("terms.md", "Founded in 1999.", ""),
        ("terms.md", "Last updated: May 2024", "2024"),
    ],
)
def test_the_date_of_a_document_is_what_it_gives(path: str, beginning: str, date: str) -> None:
    assert date_of(path, "Terms", beginning) == date


def test_an_answer_tells_that_documents_differ_the_newer_first(tmp_path: Path) -> None:
    for year, days in (("2023", 5), ("2026", 7)):
        text = f"# Refunds\n\nA refund takes {days} working days.\n"
        (tmp_path / f"refunds-{year}.md").write_text(text, "utf-8")
    with pincite.Index.open_or_build(tmp_path, lexical=True) as index:
        answer = index.ask("How many working days does a refund take?")
    assert isinstance(answer, pincite.Answer)
    assert answer.text == "A refund takes 7 working days.\n\nA refund takes 5 working days."
    record = to_json(answer)
    Draft202012Validator(load_schema("answer-1")).validate(record)
    (conflict,) = record["conflicts"]
    assert [(one["date"], one["citation"]) for one in conflict["documents"]] == [
        ("2026", 0),
        ("2023", 1),
    ]
    shown = answer_text(answer)
    assert "The documents differ: refunds-2026.md (2026) says otherwise than" in shown
