"""OpenDocument texts and presentations: the words as they are printed, at their places."""

from __future__ import annotations

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.formats import extract
from pincite.places import ParagraphPlace, SlidePlace, place_of
from pincite.records import BlockKind
from tests.loaders.office_files import odf


def read(data: bytes, kind: str = "odt") -> Extracted:
    form, extracted = extract(data, f"a.{kind}", DEFAULT)
    assert form.name == kind
    return extracted


def place(made: Extracted, words: str) -> object:
    start = made.text.index(words)
    return place_of(made.marks, start, start + len(words))


LISTS = (
    '<text:list-style style:name="N">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="("'
    ' style:num-suffix=")"/></text:list-style>'
    '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/>'
    "</text:list-style>"
)


def items(*lines: str, style: str = "N", more: str = "") -> str:
    made = "".join(
        f"<text:list-item>{line if line.startswith('<') else f'<text:p>{line}</text:p>'}"
        "</text:list-item>"
        for line in lines
    )
    return f'<text:list text:style-name="{style}" {more}>{made}</text:list>'


def test_a_sentence_shows_where_a_formula_stands_in_it_that_is_an_object() -> None:
    formula = "<draw:object><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></draw:object>"
    frame = f'<draw:frame text:anchor-type="as-char">{formula}</draw:frame>'
    made = read(odf(f"<text:p>Cut 3{frame} inches.</text:p>"))
    assert made.text == "Cut 3\ufffc inches.\n"


def test_headings_and_paragraphs_are_read_with_white_space_as_it_is_shown() -> None:
    made = read(odf(
        '<text:h text:outline-level="2">Leave</text:h>'
        "<text:p>\n  Thirty   days<text:s text:c=\"2\"/>a\u00ad year<text:tab/>paid,"
        "<text:line-break/>no\n more. </text:p>"
    ))  # fmt: skip
    assert made.text == "Leave\n\nThirty days  a year\tpaid,\nno more.\n"
    assert (made.blocks[0].kind, made.blocks[0].level) == (BlockKind.HEADING, 2)
    assert place(made, "no more") == ParagraphPlace(2, 2)


def test_what_is_struck_through_is_left_out_and_raised_digits_are_none_of_a_number() -> None:
    def style(name: str, look: str) -> str:
        look = f"<style:text-properties {look}/>"
        return f'<style:style style:name="{name}" style:family="text">{look}</style:style>'

    def span(words: str, name: str) -> str:
        return f'<text:span text:style-name="{name}">{words}</text:span>'

    made = read(odf(
        f"<text:p>Pay {span('40 ', 'S')}50.{span('1', 'U')} or {span('2', 'U')}60,"
        f" 101{span('2', 'D')}</text:p>",
        style("S", 'style:text-line-through-style="solid"')
        + style("U", 'style:text-position="super 58%"')
        + style("D", 'style:text-position="-33% 58%"'),
    ))  # fmt: skip
    assert made.text == "Pay 50.¹ or ²60, 101₂\n"
    assert len(made.notes) == 1
    assert made.notes[0].startswith("text that is struck through is left out (2 characters)")


def test_lists_have_the_numbers_that_are_printed() -> None:
    made = read(odf(
        items("one", "<text:p>two</text:p>" + items("deep", "deeper")) + "<text:p>Between.</text:p>"
        + items("three", more='text:continue-numbering="true"') + items("dot", style="B"),
        LISTS,
    ))  # fmt: skip
    assert made.text == ("1. one\n2. two\n(a) deep\n(b) deeper\n\nBetween.\n\n3. three\n\n- dot\n")


def test_headings_have_the_numbers_of_the_outline() -> None:
    outline = (
        '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
        "</text:outline-style>"
    )
    heading = '<text:h text:outline-level="{}">{}</text:h>'
    made = read(odf(
        heading.format(1, "A") + heading.format(1, "B") + heading.format(2, "C"), outline
    ))  # fmt: skip
    assert made.text == "1 A\n\n2 B\n\n2.1 C\n"


def test_what_is_hidden_deleted_or_remarked_is_left_out_and_told() -> None:
    made = read(odf(
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        '<text:p>Nine<text:span text:style-name="H"> secret</text:span>'
        '<text:span text:style-name="W"> white</text:span>'
        "<office:annotation><text:p>Really?</text:p></office:annotation> euros.</text:p>"
        '<text:section text:display="none"><text:p>gone</text:p></text:section>',
        '<style:style style:name="H" style:family="text">'
        '<style:text-properties text:display="none"/></style:style>'
        '<style:style style:name="W" style:family="text">'
        '<style:text-properties fo:color="#FFFFFF"/></style:style>',
    ))  # fmt: skip
    assert made.text == "Nine euros.\n"
    assert place(made, "Nine euros.") == ParagraphPlace(1, 1)
    assert made.notes == (
        "hidden text is left out (15 characters): show it in LibreOffice to have it read",
        "tracked deletions are left out (1): reject them in LibreOffice to have them read",
        "comments are left out (1)",
    )


def test_notes_and_text_boxes_stand_after_their_paragraph() -> None:
    made = read(odf(
        '<text:p>Paid<text:note text:note-class="footnote"><text:note-citation>1'
        "</text:note-citation><text:note-body><text:p>In euros.</text:p></text:note-body>"
        "</text:note> out.<draw:frame><draw:text-box><text:p>In the box.</text:p></draw:text-box>"
        "</draw:frame></text:p><text:p>Next.</text:p>"
    ))  # fmt: skip
    assert made.text == "Paid out.\n\nIn the box.\n\n[1] In euros.\n\nNext.\n"
    assert place(made, "In the box.") == ParagraphPlace(1, 1, "text boxes")
    assert place(made, "In euros.") == ParagraphPlace(1, 1, "footnotes")
    assert place(made, "Next.") == ParagraphPlace(2, 2)


def test_tables_say_the_head_of_each_column_and_cells_that_span() -> None:
    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def cell(words: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{words}</text:p></table:table-cell>"

    made = read(odf(
        "<table:table><table:table-header-rows>" + row(cell("City"), cell("Day"))
        + "</table:table-header-rows>"
        + row(cell("Oslo", 'table:number-rows-spanned="2"'), cell("Monday"))
        + row("<table:covered-table-cell/>", cell("Friday")) + "</table:table>"
    ))  # fmt: skip
    assert made.text == "City | Day\nCity: Oslo; Day: Monday\nCity: Oslo; Day: Friday\n"
    assert place(made, "City: Oslo; Day: Friday") == ParagraphPlace(5, 5, "body", 1, 3, 2)


def test_a_table_of_contents_and_headers_are_kept_and_not_quoted() -> None:
    made = read(odf(
        "<text:table-of-content><text:index-body><text:p>Leave 3</text:p></text:index-body>"
        "</text:table-of-content><text:p>Thirty days.</text:p>",
        master="<style:header><text:p>Confidential</text:p></style:header>",
    ))  # fmt: skip
    assert [(block.kind, block.span.of(made.text)) for block in made.blocks] == [
        (BlockKind.MARKUP, "Leave 3"),
        (BlockKind.PARAGRAPH, "Thirty days."),
        (BlockKind.MARKUP, "Confidential"),
    ]
    assert place(made, "Confidential") == ParagraphPlace(1, 1, "headers")


def test_slides_are_read_with_titles_notes_and_without_hidden_ones() -> None:
    def page(shapes: str, style: str = "") -> str:
        return f'<draw:page draw:style-name="{style}">{shapes}</draw:page>'

    def frame(words: str, kind: str = "", at: str = "") -> str:
        return (
            f'<draw:frame presentation:class="{kind}" {at}><draw:text-box><text:p>{words}</text:p>'
            "</draw:text-box></draw:frame>"
        )

    low = 'svg:x="1cm" svg:y="9cm" svg:width="5cm" svg:height="2cm"'
    high = 'svg:x="1cm" svg:y="20mm" svg:width="5cm" svg:height="2cm"'
    made = read(odf(
        page(frame("Below.", at=low) + frame("Above.", at=high) + frame("Fees", "title")
             + "<presentation:notes>" + frame("Say this.", "notes") + "</presentation:notes>")
        + page(frame("Secret."), "X") + page(frame("Three.")),
        '<style:style style:name="X" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>',
        kind="presentation",
    ), "odp")  # fmt: skip
    assert made.text == "Fees\n\nAbove.\n\nBelow.\n\nSay this.\n\nThree.\n"
    assert place(made, "Above.") == SlidePlace(1, 1, "Fees")
    assert place(made, "Say this.") == SlidePlace(1, 1, "Fees", notes=True)
    assert place(made, "Three.") == SlidePlace(3, 3)
    assert made.blocks[-1].heading_path == ()
    assert "hidden slides are left out (2)" in made.notes[0]


def test_a_file_with_a_password_says_so() -> None:
    with pytest.raises(UnreadableContent, match="with a password"):
        read(odf("<text:p>x</text:p>", manifest="<manifest:encryption-data/>"))


def test_a_file_that_breaks_off_is_read_up_to_there_and_says_so() -> None:
    made = read(odf("<text:p>Whole.</text:p><text:p>Half</text:h>"))
    assert made.text == "Whole.\n\nHalf\n"
    assert "read only in part" in made.notes[0]
