"""Text, blocks and marks are put together at the offsets where they stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.loaders.composer import Composer, Repeated
from pincite.loaders.extracted import Extracted
from pincite.places import CellPlace, Mark, MemberPlace, NodePlace, ParagraphPlace, place_of
from pincite.records import BlockKind, Span


def test_blocks_stand_where_their_words_were_put() -> None:
    composer = Composer()
    composer.heading([("Fees", ParagraphPlace(1, 1))], 1)
    composer.add(BlockKind.PARAGRAPH, [("  Nine euros. ", ParagraphPlace(2, 2))])
    group = composer.new_group()
    for number in (3, 4):
        place = ParagraphPlace(number, number)
        composer.add(BlockKind.LIST_ITEM, [("item", place)], level=1, group=group, marker="- ")
    made = composer.extracted(title=" The\nfees ")
    assert made.text == "Fees\n\nNine euros.\n\n- item\n- item\n"
    assert [block.content.of(made.text) for block in made.blocks] == [
        "Fees", "Nine euros.", "item", "item",
    ]  # fmt: skip
    assert [mark.place for mark in made.marks] == [ParagraphPlace(n, n) for n in (1, 2, 3, 4)]
    assert [made.text[mark.start : mark.end] for mark in made.marks] == [
        "Fees", "Nine euros.", "item", "item",
    ]  # fmt: skip
    assert made.blocks[1].heading_path == ("Fees",)
    assert made.title == "The fees"


def test_a_block_without_words_is_not_made() -> None:
    composer = Composer()
    composer.heading([(" \n", None)], 1)
    composer.add(BlockKind.PARAGRAPH, [("", None), ("\t", NodePlace("/a"))])
    assert composer.extracted() == Extracted("", ())


def test_a_part_is_put_below_the_open_headings_with_its_marks_around() -> None:
    part = Composer()
    part.heading([("Inner", NodePlace("/title"))], 1)
    part.add(BlockKind.PARAGRAPH, [("Words.", NodePlace("/body"))])
    whole = Composer()
    whole.heading([("a.json", MemberPlace("a.json"))], 1)
    whole.embed(part.extracted(), lambda place: MemberPlace("a.json", place))
    made = whole.extracted()
    assert made.text == "a.json\n\nInner\n\nWords.\n"
    assert made.blocks[2].heading_path == ("a.json", "Inner")
    assert made.blocks[2].span == Span(15, 21)
    assert made.marks[-1] == Mark(15, 21, MemberPlace("a.json", NodePlace("/body")))
    # The line ends inside the part belong to the part as a whole.
    assert Mark(13, 15, MemberPlace("a.json"), secondary=True) in made.marks


words = st.text(alphabet="ab \n", max_size=6)


@given(st.lists(st.lists(st.tuples(words, st.integers(1, 3)), max_size=3), max_size=5))
def test_every_mark_covers_the_words_it_was_given_for(blocks: list[list[tuple[str, int]]]) -> None:
    composer = Composer()
    for pieces in blocks:
        composer.add(
            BlockKind.PARAGRAPH, [(text, NodePlace(f"/{text.strip()}")) for text, _ in pieces]
        )
    made = composer.extracted()
    for mark in made.marks:
        assert isinstance(mark.place, NodePlace)
        found = made.text[mark.start : mark.end].replace(" ", "").replace("\n", "")
        expected = mark.place.path[1:].replace(" ", "").replace("\n", "")
        # Neighbours with equal places share a mark.
        assert not expected or found == expected * (len(found) // len(expected))
    for one, other in zip(made.marks, made.marks[1:], strict=False):
        assert one.end <= other.start
    for one, other in zip(made.blocks, made.blocks[1:], strict=False):
        assert made.text[one.span.end : other.span.start] == "\n\n"


def test_words_repeated_from_elsewhere_are_marked_as_that() -> None:
    composer = Composer()
    head, value = CellPlace("", 1, 1, 1, 1), CellPlace("", 1, 2, 1, 2)
    composer.add(BlockKind.TABLE_ROW, [("Fee", Repeated(head)), (": ", None), ("9", value)])
    part = composer.extracted()
    assert part.marks == (Mark(0, 3, head, secondary=True), Mark(5, 6, value))
    whole = Composer()
    whole.embed(part, lambda place: MemberPlace("a.csv", place))
    made = whole.extracted()
    assert place_of(made.marks, 0, 6) == MemberPlace("a.csv", value)
