"""What should be known of a quote that it does not say."""

from __future__ import annotations

import pytest

from pincite.loaders import document_of_text
from pincite.records import Span, WarningKind
from pincite.text.passages import split_passages
from pincite.verifying.warning import warnings_of


def warned(text: str, quote: str, name: str = "terms.md") -> list[tuple[WarningKind, str]]:
    document = document_of_text(text, name=name)
    start = text.index(quote)
    position = Span(start, start + len(quote))
    passage = next(
        one
        for one in split_passages(document)
        if one.span.start <= start and position.end <= one.span.end
    )
    return [(one.kind, one.words) for one in warnings_of(passage, position, beginning=text)]


RETURN = "You may return a lamp."


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        (f"{RETURN} After that we repair it.", RETURN, []),
        (
            f"{RETURN} However, a used lamp cannot be returned.",
            RETURN,
            [(WarningKind.QUALIFIED, "However, a used lamp cannot be returned.")],
        ),
        (
            f"{RETURN} This does not apply to lamps on sale.",
            RETURN,
            [(WarningKind.QUALIFIED, "This does not apply to lamps on sale.")],
        ),
        (
            "You may return a lamp unless it was used.",
            "You may return a lamp",
            [(WarningKind.QUALIFIED, "unless it was used")],
        ),
        (
            "If it is broken, we pay the postage for you.",
            "we pay the postage for you.",
            [(WarningKind.GOVERNED, "If it is broken,")],
        ),
        (
            "We do not accept:\n\n- lamps without a box\n- gift cards\n",
            "gift cards",
            [(WarningKind.GOVERNED, "We do not accept:")],
        ),
        ("We accept:\n\n- lamps in their box\n- gift cards\n", "gift cards", []),
        (
            f"# Cover\n\n## What is not covered\n\n{RETURN}\n",
            RETURN,
            [(WarningKind.GOVERNED, "What is not covered")],
        ),
        (f"# Cover\n\n## Why is a lamp not covered?\n\n{RETURN}\n", RETURN, []),
        (
            f"# Terms\n\n## Superseded rules\n\n{RETURN}\n",
            RETURN,
            [(WarningKind.SUPERSEDED, "Superseded rules")],
        ),
        (
            f"# Terms\n\n## Example\n\n{RETURN}\n",
            RETURN,
            [(WarningKind.EXAMPLE, "Example")],
        ),
        (
            f"# Terms\n\nThis policy has been replaced by another.\n\n## Returns\n\n{RETURN}\n",
            RETURN,
            [(WarningKind.SUPERSEDED, "This policy has been replaced")],
        ),
        (
            f"# Terms\n\nStatus: draft\n\n## Returns\n\n{RETURN}\n",
            RETURN,
            [(WarningKind.DRAFT, "Status: draft")],
        ),
        (f"# Terms\n\n> {RETURN}\n", RETURN, [(WarningKind.QUOTATION, "")]),
    ],
)
def test_a_warning_is_given_with_the_words_that_give_cause(
    text: str, quote: str, expected: list[tuple[WarningKind, str]]
) -> None:
    assert warned(text, quote) == expected


def test_the_name_of_a_document_may_say_what_state_it_is_in() -> None:
    assert warned(RETURN, RETURN, "old/terms-DRAFT.md") == [
        (WarningKind.DRAFT, "old/terms-DRAFT.md")
    ]
    assert warned(RETURN, RETURN, "drafting.md") == []
