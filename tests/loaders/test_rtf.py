"""Rich Text Format: the words as they are printed, each paragraph with its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.formats import extract
from pincite.places import ParagraphPlace, place_of
from pincite.records import BlockKind

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 Mincho;}"
    r"{\f2\fcharset2 Symbol;}{\f3\fcharset204 Cyr;}}{\colortbl;\red255\green0\blue0;"
    r"\red255\green255\blue255;}{\stylesheet{\s0 Normal;}{\s7\outlinelevel1 Chapter;}"
    r"{\s8 heading 1;}}{\info{\title The fees}{\author Someone}}"
)


def read(body: str) -> Extracted:
    form, extracted = extract((HEAD + body + "}").encode("ascii"), "a.rtf", DEFAULT)
    assert form.name == "rtf"
    return extracted


def place(made: Extracted, words: str) -> object:
    start = made.text.index(words)
    return place_of(made.marks, start, start + len(words))


def test_a_sentence_shows_where_a_formula_stands_in_it() -> None:
    formula = r"{\mmath{\*\moMath{\mf{\mnum{\mr 1}}{\mden{\mr 2}}}}}"
    made = read("Cut 3" + formula + " inches.")
    assert made.text == "Cut 3\ufffc inches.\n"


def test_paragraphs_and_headings_are_read_with_their_places() -> None:
    made = read(
        r"\pard\s8 Fees\par\pard\s7 Lamps\par\pard\plain Nine"
        "\r\n euros.\\par\\par Ten\\line more.}"
    )
    assert made.text == "Fees\n\nLamps\n\nNine euros.\n\nTen\nmore.\n"
    assert [(block.kind, block.level) for block in made.blocks[:3]] == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
        (BlockKind.PARAGRAPH, 0),
    ]
    assert made.blocks[2].heading_path == ("Fees", "Lamps")
    assert place(made, "more.") == ParagraphPlace(5, 5)
    assert made.title == "The fees"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"caf\'e9 \endash  \ldblquote x\rdblquote", "café – “x”"),
        (r"\uc1\u233?t\u233?", "été"),
        (r"\uc2\u8364\'80\'80 9", "€ 9"),
        (r"\uc0\u-10179\u-8704 ", "😀"),
        (r"{\f1 \'83A\'83\'42}", "アィ"),
        (r"{\f3 \'cf\'f0}", "Пр"),
        (r"{\f2 \'b3} 9", "≥ 9"),
        (r"a\~b\_c\-d \{\}\\", "a\xa0b-cd {}\\"),
        (r"{\upr{old}{\*\ud{new}}}", "new"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}", "link"),
        (r"{\*\unknown gone}{\pict 0a0b}left", "left"),
        (r"{\pict\bin5 }}}{{}left", "left"),
    ],
)
def test_characters_are_those_that_are_shown(written: str, shown: str) -> None:
    assert read(written).text == shown + "\n"


def test_lists_have_the_numbers_written_for_readers_that_do_not_count() -> None:
    made = read(
        r"{\listtext 1.\tab}\ls1 one\par{\listtext\f2 \'b7\tab}\ls1\ilvl1 dot\par\pard plain\par"
    )
    assert made.text == "1. one\n- dot\n\nplain\n"
    assert [(block.kind, block.level) for block in made.blocks[:2]] == [
        (BlockKind.LIST_ITEM, 1),
        (BlockKind.LIST_ITEM, 2),
    ]


def test_tables_say_the_head_of_each_column_and_merged_cells_are_repeated() -> None:
    made = read(
        r"\trowd\trhdr\cellx1\cellx2\pard\intbl City\cell Day\cell\row"
        r"\trowd\clvmgf\cellx1\cellx2\pard\intbl Oslo\cell Monday\cell\row"
        r"\trowd\clvmrg\cellx1\cellx2\pard\intbl\cell Friday\cell\row\pard After.\par"
    )
    assert made.text == ("City | Day\nCity: Oslo; Day: Monday\nCity: Oslo; Day: Friday\n\nAfter.\n")
    assert place(made, "City: Oslo; Day: Friday") == ParagraphPlace(6, 6, "body", 1, 3, 2)
    assert place(made, "After.") == ParagraphPlace(7, 7)


def test_what_is_hidden_deleted_or_remarked_is_left_out_and_told() -> None:
    made = read(
        r"Nine{\v secret}{\deleted old} euros{\cf2 white}.{\*\annotation{\*\atndate 1}Why?}\par"
    )
    assert made.text == "Nine euros.\n"
    assert made.notes == (
        "hidden text is left out (11 characters): show it in Word to have it read",
        "tracked deletions are left out (1): reject them in Word to have them read",
        "comments are left out (1)",
    )


def test_what_is_struck_through_is_left_out_and_raised_digits_are_none_of_a_number() -> None:
    made = read(
        r"Pay {\strike 40 }50.{\super 1} or {\up6 2}60, 101{\sub 2}, m{\super 2\nosupersub 5}\par"
    )
    assert made.text == "Pay 50.¹ or ²60, 101₂, m²5\n"
    assert made.notes == (
        "text that is struck through is left out (2 characters): take the line away in Word to have"
        " it read",
    )


def test_notes_text_boxes_and_headers_stand_apart_from_the_sentence() -> None:
    made = read(
        r"{\header\pard Confidential\par}Paid{\super\chftn}{\footnote In euros.\par} out."
        r"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt In the box.\par}}}\par Next.\par"
    )
    assert made.text == "Paid out.\n\nIn the box.\n\n[1] In euros.\n\nNext.\n\nConfidential\n"
    assert place(made, "In euros.") == ParagraphPlace(1, 1, "footnotes")
    assert place(made, "In the box.") == ParagraphPlace(1, 1, "text boxes")
    assert place(made, "Next.") == ParagraphPlace(2, 2)
    assert made.blocks[-1].kind is BlockKind.MARKUP


def test_a_file_that_breaks_off_is_read_up_to_there_and_says_so() -> None:
    _, made = extract(rb"{\rtf1 Whole.\par {\b Half", "a.rtf", DEFAULT)
    assert made.text == "Whole.\n\nHalf\n"
    assert "breaks off" in made.notes[0]


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(UnreadableContent, match="nested more than"):
        extract(rb"{\rtf1 " + b"{" * 5_000, "a.rtf", DEFAULT)


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab é€", min_size=1, max_size=6), min_size=1, max_size=6))
def test_every_mark_covers_the_words_of_the_paragraph_it_names(paragraphs: list[str]) -> None:
    body = ""
    for words in paragraphs:
        for letter in words:
            body += letter if letter.isascii() else f"\\u{ord(letter)}?"
        body += "\\par "
    made = read(body)
    covered = {
        mark.place.first: made.text[mark.start : mark.end]
        for mark in made.marks
        if isinstance(mark.place, ParagraphPlace)
    }
    assert covered == {
        number: words.strip() for number, words in enumerate(paragraphs, 1) if words.strip()
    }
