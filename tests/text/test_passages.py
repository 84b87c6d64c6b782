"""Passages follow the structure of a document and partition its text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.records import Block, BlockKind, Document, Extraction, Passage, Source, Span
from pincite.text.lines import count_lines_before
from pincite.text.passages import MAXIMUM_LENGTH, split_passages
from pincite.text.sentences import split_sentences

H, P, L, TH, TR, C, M = (
    BlockKind.HEADING,
    BlockKind.PARAGRAPH,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_HEADER,
    BlockKind.TABLE_ROW,
    BlockKind.CODE,
    BlockKind.MARKUP,
)
Line = tuple[BlockKind, str]


def document(*lines: Line) -> Document:
    """Blocks of the given kinds with an empty line between them; lists and tables grouped."""
    blocks: list[Block] = []
    path: tuple[str, ...] = ()
    position = 0
    group = 0
    before: BlockKind | None = None
    for kind, words in lines:
        if kind is H:
            path = (words,)
        in_group = kind in (L, TH, TR)
        if in_group and before not in ((L,) if kind is L else (TH, TR)):
            group += 1
        span = Span(position, position + len(words))
        blocks.append(Block(kind, span, span, path, group=group if in_group else 0))
        position += len(words) + 2
        before = kind
    return made("\n\n".join(words for _, words in lines), tuple(blocks))


def made(text: str, blocks: tuple[Block, ...]) -> Document:
    source = Source("a.txt", "A", "text/plain", "", "")
    return Document(source, Extraction("plain", "1", ""), text, blocks, "en")


def texts(*lines: Line) -> list[str]:
    return [passage.text.strip() for passage in split_passages(document(*lines))]


def words(count: int, name: str = "word") -> str:
    return " ".join(f"{name.title()} {name} {name}." for _ in range(count))


def test_small_neighbours_of_one_section_are_put_together() -> None:
    assert texts((P, "One."), (P, "Two.")) == ["One.\n\nTwo."]
    assert len(texts((P, words(40)), (P, words(40)))) == 2


def test_sections_are_never_mixed_and_a_heading_goes_with_what_follows() -> None:
    found = split_passages(document((H, "Fees"), (P, "None."), (H, "Terms"), (P, "Ten days.")))
    assert [(p.text.strip(), p.heading_path) for p in found] == [
        ("Fees\n\nNone.", ("Fees",)),
        ("Terms\n\nTen days.", ("Terms",)),
    ]


def test_headings_right_after_each_other_stay_together() -> None:
    found = split_passages(document((H, "Shop"), (H, "Fees"), (P, "None.")))
    assert [(p.text, p.heading_path) for p in found] == [("Shop\n\nFees\n\nNone.", ("Fees",))]


def test_a_list_stays_with_the_line_that_introduces_it() -> None:
    found = texts((P, words(40)), (P, "To return an item:"), (L, words(20)), (L, words(20)))
    assert found == [
        words(40),
        f"To return an item:\n\n{words(20)}\n\n{words(20)}",
    ]


def test_a_long_list_is_cut_between_its_items() -> None:
    found = texts((P, "Bring:"), *[(L, f"{words(9)} {number}.") for number in range(20)])
    assert len(found) > 2
    assert found[0].startswith("Bring:\n\nWord")
    assert all(text.count("Word") % 9 == 0 for text in found)


def test_a_table_keeps_its_header_and_is_cut_between_its_rows() -> None:
    rows = [(TR, f"| row {number} | {'x' * 90} |") for number in range(30)]
    found = split_passages(document((H, "Prices"), (P, "All prices:"), (TH, "| a | b |"), *rows))
    assert found[0].text.startswith("Prices\n\nAll prices:\n\n| a | b |\n\n| row 0 |")
    assert len(found) > 2
    assert all(passage.text.strip().endswith("|") for passage in found)
    assert {passage.heading_path for passage in found} == {("Prices",)}


def test_a_long_paragraph_is_cut_between_its_sentences_into_similar_parts() -> None:
    found = texts((P, words(100)))
    assert len(found) == 2
    assert all(text.startswith("Word") and text.endswith("word.") for text in found)
    assert abs(len(found[0]) - len(found[1])) < 100


def test_each_passage_knows_its_first_line() -> None:
    text = "# A\r\n\r\nOne.\r\r# B\n\nTwo.\n"
    blocks = (
        Block(H, Span(0, 3), Span(2, 3), ("A",), 1),
        Block(P, Span(7, 11), Span(7, 11), ("A",)),
        Block(H, Span(13, 16), Span(15, 16), ("B",), 1),
        Block(P, Span(18, 22), Span(18, 22), ("B",)),
    )
    found = split_passages(made(text, blocks))
    assert [(passage.ordinal, passage.first_line) for passage in found] == [(0, 1), (1, 5)]


def test_no_text_has_no_passage_and_white_space_has_one_without_a_quote() -> None:
    assert split_passages(made("", ())) == []
    [passage] = split_passages(made(" \n", ()))
    assert (passage.text, [s.quote for s in passage.sentences]) == (" \n", [Span(0, 0)])


def check_partition(document: Document, passages: list[Passage]) -> None:
    position = 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert passage.span.start == position
        assert passage.text == passage.span.of(document.text) != ""
        assert passage.first_line == count_lines_before(document.text, position) + 1
        for sentence in passage.sentences:
            assert sentence.start == position
            position = sentence.end
        assert position == passage.span.end
    assert position == len(document.text)
    assert [s for passage in passages for s in passage.sentences] == split_sentences(
        document.text, document.blocks, document.language
    )


_LINES = st.lists(
    st.tuples(
        st.sampled_from([H, P, L, TH, TR, C, M]),
        st.integers(1, 1_500).map(lambda length: ("Some words. " * 130)[:length].strip() or "x"),
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=200, deadline=None)
@given(_LINES)
def test_passages_partition_every_document_and_are_not_too_long(lines: list[Line]) -> None:
    whole = document(*lines)
    passages = split_passages(whole)
    check_partition(whole, passages)
    assert all(len(passage.text) <= MAXIMUM_LENGTH for passage in passages)
