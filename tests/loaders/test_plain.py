"""Plain text's blocks: only what is obvious is structure, and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders.text.plain import find_blocks, find_title
from pincite.records import BlockKind

H, P, L, TH, TR, Q, M = (
    BlockKind.HEADING,
    BlockKind.PARAGRAPH,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_HEADER,
    BlockKind.TABLE_ROW,
    BlockKind.QUOTATION,
    BlockKind.MARKUP,
)
WRAPPED = "This line of a letter is as wide as its writer let it become and\nthen goes on here."


def contents(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, block.content.of(text)) for block in find_blocks(text)]


CASES: list[tuple[str, str, list[tuple[BlockKind, str]]]] = [
    ("paragraphs", "One.\n\n\nTwo.\n", [(P, "One."), (P, "Two.")]),
    ("wrapped lines", WRAPPED, [(P, WRAPPED)]),
    ("title", "Delivery times\n\nTwo days.\n", [(H, "Delivery times"), (P, "Two days.")]),
    ("no title", "It is late.\n\nTwo days.\n", [(P, "It is late."), (P, "Two days.")]),
    (
        "capitals",
        "It is.\n\nSECTION 2. FEES\n\nNone.",
        [(P, "It is."), (H, "SECTION 2. FEES"), (P, "None.")],
    ),
    ("shouting", "It is.\n\nSTOP DOING THAT!\n", [(P, "It is."), (P, "STOP DOING THAT!")]),
    ("underlined", "Fees\n====\nNone.\n", [(H, "Fees"), (P, "None.")]),
    ("bullets", "Bring:\n- a lamp\n- a bulb\n", [(P, "Bring:"), (L, "a lamp"), (L, "a bulb")]),
    (
        "numbers",
        "1. Open it.\n2) Look.\n(a) Close.\n",
        [(L, "Open it."), (L, "Look."), (L, "Close.")],
    ),
    ("wrapped item", "• a lamp\n  with bulb\n• b\n", [(L, "a lamp\n  with bulb"), (L, "b")]),
    ("rule", "One.\n\n-----\n\nTwo.", [(P, "One."), (M, "-----"), (P, "Two.")]),
    ("quotation", "He wrote:\n\n> Go\n> now.\n", [(H, "He wrote"), (Q, "Go\n> now.")][1:]),
    (
        "tabs",
        "Item\tDays\nLamp\t30\nBulb\t14\n",
        [(TH, "Item\tDays"), (TR, "Lamp\t30"), (TR, "Bulb\t14")],
    ),
    (
        "grid",
        "| a | b |\n+---+---+\n| 1 | 2 |\n",
        [(TH, "| a | b |"), (M, "+---+---+"), (TR, "| 1 | 2 |")],
    ),
    ("numbers first", "1\t2\n3\t4\n", [(TR, "1\t2"), (TR, "3\t4")]),
    (
        "speakers",
        "Chair: We meet again on the third of May, as we all agreed in\nClerk: Good.\n",
        [
            (P, "Chair: We meet again on the third of May, as we all agreed in"),
            (P, "Clerk: Good."),
        ],
    ),
    (
        "short lines",
        "Name: Lamp\nPrice: 5 euros\nWeight: 2 kg\n",
        [(P, "Name: Lamp"), (P, "Price: 5 euros"), (P, "Weight: 2 kg")],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_each_line_is_what_it_looks_like(text: str, expected: list[tuple[BlockKind, str]]) -> None:
    found = contents(text)
    assert found[-len(expected) :] == expected


def test_a_sentence_that_happens_to_wrap_before_a_number_is_no_list() -> None:
    text = "The shop has been open since the spring of the year\n1990. It closes on Sundays now."
    assert contents(text) == [(P, text)]


@pytest.mark.parametrize(
    "text",
    [
        "The zipper lasts long and it costs\n2 euros per metre.",
        "The zipper we sell was made in\nParis by our own tailor in\nMarch.",
        "The zipper costs\n2 euros.",
        "Zippers cost\n2 euros per metre.",
        "The zipper lasts long and costs\n2 euros per metre, for all who buy it in our own shop.",
        "Send it to\nJohn Smith.",
        "The colours are made in\nParis: red and blue.",
        "Note: the zipper lasts long and costs\n2 euros per metre.",
        "The zipper was sold to us by Dr.\nSmith.",
        "THE ZIPPER LASTS LONG AND COSTS\n2 EUROS.",
        "拉链每米的价格非常便宜只要\n２欧元左右。",
    ],
)
def test_a_narrow_sentence_is_not_cut_before_a_capital_or_a_number(text: str) -> None:
    assert contents(text) == [(P, text)]


def test_an_item_is_not_cut_before_a_number() -> None:
    assert contents("- The zipper costs\n2 euros.\n- A lamp.\n") == [
        (L, "The zipper costs\n2 euros."),
        (L, "A lamp."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Zipper Shop\n12 Main Street\nLondon\nUnited Kingdom",
        "Two zippers\nRed thread\n3 needles",
        "Roses are red\nViolets are blue\nSugar is sweet\nAnd so are you",
        "Opening hours\nWe open at nine.",
        "The prices of our shop:\n2 euros",
        "Staff who work in the shop on Sundays\nHours:",
    ],
)
def test_short_lines_and_lines_after_a_colon_stay_apart(text: str) -> None:
    assert contents(text) == [(P, line) for line in text.split("\n")]


def test_blocks_have_the_headings_above_them() -> None:
    text = "Handbook\n\nIntro text.\n\nFEES\n\nNone.\n\nTERMS\n\n- Thirty days.\n"
    paths = [b.heading_path for b in find_blocks(text) if b.kind is not H]
    assert paths == [("Handbook",), ("Handbook", "FEES"), ("Handbook", "TERMS")]


def test_items_have_their_depth_and_one_list_one_number() -> None:
    text = "- a\n  - b\n- c\n\nThat was it.\n\n- d\n"
    found = [(b.content.of(text), b.level, b.group) for b in find_blocks(text)]
    assert found == [("a", 1, 1), ("b", 2, 1), ("c", 1, 1), ("That was it.", 0, 0), ("d", 1, 2)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Delivery  times\n\nTwo days.\n", "Delivery times"),
        ("Delivery times\nTwo days.\n", None),
        ("Two days.\n\nThen more.\n", None),
        ("\n", None),
    ],
)
def test_the_title_is_a_first_line_by_itself(text: str, title: str | None) -> None:
    assert find_title(text, find_blocks(text)) == title


_LINES = st.sampled_from(
    ["", "", "text", "Text. More", "LOUD", "===", "---", "- a", "  - b", "1. c", "(a) d", "> q",
     ">", "a\tb", "1\t2", "| a | b |", "+---+", "***", "• x", "\x00", "\u2028x", "x\x0cy", " ", "-",
     "word " * 30, "It costs", "2 euros", "Paris in", "Name: x", "Dr."]
)  # fmt: skip
DOCUMENTS = st.builds(
    "".join,
    st.lists(st.builds(str.__add__, _LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=30),
)


@settings(max_examples=300, deadline=None)
@given(DOCUMENTS)
def test_blocks_are_in_order_and_only_white_space_is_between_them(text: str) -> None:
    position = 0
    for block in find_blocks(text):
        assert position <= block.span.start <= block.content.start
        assert block.content.start <= block.content.end <= block.span.end
        assert not text[position : block.span.start].strip()
        position = block.span.end
    assert not text[position:].strip()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\x85", "\u2028"])
def test_lines_are_told_by_any_line_end(line_end: str) -> None:
    text = line_end.join(["- one lamp", "- two bulbs", "", "Ask us.", ""])
    assert contents(text) == [(L, "one lamp"), (L, "two bulbs"), (P, "Ask us.")]


def test_a_paragraph_separator_parts_paragraphs() -> None:
    text = "Hours\u2029We are open on\u2028weekdays.\u2029Ask us.\u2029"
    assert contents(text) == [(H, "Hours"), (P, "We are open on\u2028weekdays."), (P, "Ask us.")]
