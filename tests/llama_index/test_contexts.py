import pytest

from pincite.llama_index.contexts import described_texts, quotable_texts
from pincite.prompted import About, quotes_from_texts


def test_metadata_before_a_node_is_no_text() -> None:
    context = "file_path: /docs/a.md\n\nFirst text.\n\nfile_path: /docs/b.md\n\nSecond text."
    assert quotable_texts(context) == ("First text.", "Second text.")


def test_metadata_on_the_line_after_a_text_begins_the_next_node() -> None:
    context = "file_path: a.md\n\nFirst: text.\nfile_path: b.md\n\nSecond text."
    assert quotable_texts(context) == ("First: text.", "Second text.")


def test_metadata_of_several_lines_is_no_text() -> None:
    context = (
        "page_label: 3\nfile_path: a.pdf\n\nOn page 3.\n\n"
        "page_label: 4\nfile_path: a.pdf\n\nOn page 4."
    )
    assert quotable_texts(context) == ("On page 3.", "On page 4.")


def test_metadata_keys_of_ones_own_are_known_again_at_the_next_node() -> None:
    context = "author: Ada\nyear: 2024\n\nText one.\n\nauthor: Bo\nyear: 2023\n\nText two."
    assert quotable_texts(context) == ("Text one.", "Text two.")


def test_a_line_of_prose_with_a_colon_is_text() -> None:
    context = "file_path: a.md\n\nRefund deadline: 30 days.\n\nNote: closed on Sundays."
    assert quotable_texts(context) == ("Refund deadline: 30 days.\n\nNote: closed on Sundays.",)


def test_prose_with_a_colon_at_the_head_of_a_node_without_metadata_is_text() -> None:
    assert quotable_texts("Warranty: two years.\n\nMore.") == ("Warranty: two years.\n\nMore.",)


def test_a_text_keeps_its_paragraphs_and_blank_ones_go() -> None:
    assert quotable_texts("file_path: a.md\n\n# Title\n\nOne.\n\nTwo.") == (
        "# Title\n\nOne.\n\nTwo.",
    )
    assert quotable_texts("file_path: a.md\n\nfile_path: b.md\n\nText.") == ("Text.",)
    assert quotable_texts("") == ()


def test_metadata_at_the_end_of_a_context_is_no_text() -> None:
    assert quotable_texts("\nfile_path: a.md\n\nText.\nfile_path: b.md\n") == ("Text.",)


def test_headings_that_a_node_names_are_known_of_its_text() -> None:
    context = (
        "file_path: a.md\nheadings: Lamps > Care\n\nFirst.\n\nfile_path: b.md\n\nSecond.\n\n"
        "file_path: c.md\nheadings: Shops\n\nThird."
    )
    assert [(text, about.heading_path) for text, about in described_texts(context)] == [
        ("First.", ("Lamps", "Care")),
        ("Second.", ()),
        ("Third.", ("Shops",)),
    ]


def test_a_heading_helps_to_find_and_is_never_quoted() -> None:
    texts = ["It weighs 2.4 kg.", "It weighs 9 kg."]
    about = [About("Lamps", ("Lamps", "LMP-310")), About("Desks", ("Desks", "TRK-510"))]
    (quote,) = quotes_from_texts("How much does the LMP-310 weigh?", texts, about=about)
    assert (quote.text_index, quote.text) == (0, "It weighs 2.4 kg.")


@pytest.mark.parametrize(("asked", "said"), [("Sub question", "Response"), ("Question", "Answer")])
def test_of_answers_to_parts_the_questions_are_headings_and_no_text(asked: str, said: str) -> None:
    first, second = f"{asked}: How long?\n{said}: Two days.", f"{asked}: Where?\n{said}: Here."
    found = described_texts(f"{first}\n\n\n{second}")
    assert [text for text, _ in found] == ["Two days.", "Here."]
    assert [about.heading_path for _, about in found] == [("How long?",), ("Where?",)]
    # Further down the same words are a document's own.
    assert quotable_texts(f"Two days.\n\n{second}") == (f"Two days.\n\n{second}",)
