"""PowerPoint files: slides in the order they are shown, and what stands on them as it is read."""

from __future__ import annotations

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.formats import extract
from pincite.places import SlidePlace, place_of
from pincite.records import BlockKind
from tests.loaders.office_files import SLIDE, pptx, shape


def read(data: bytes) -> Extracted:
    form, extracted = extract(data, "a.pptx", DEFAULT)
    assert form.name == "pptx"
    return extracted


def place(made: Extracted, words: str) -> object:
    start = made.text.index(words)
    return place_of(made.marks, start, start + len(words))


def test_slides_come_in_the_order_they_are_shown_with_their_titles() -> None:
    made = read(pptx(
        [shape("Last words.") + shape("The end", kind="title"), shape("Start", kind="ctrTitle")],
        order=[2, 1],
    ))  # fmt: skip
    assert made.text == "Start\n\nThe end\n\nLast words.\n"
    assert place(made, "Last words.") == SlidePlace(2, 2, "The end")
    assert made.blocks[2].heading_path == ("The end",)
    assert made.title == "Start"


def test_numbers_of_a_formula_stand_apart() -> None:
    maths = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

    def part(name: str, words: str) -> str:
        return f"<m:{name}><m:r><m:t>{words}</m:t></m:r></m:{name}>"

    formula = f"<m:oMath {maths}><m:f>{part('num', '1')}{part('den', 'a+2')}</m:f></m:oMath>"
    line = f"<a:r><a:t>Cut 3</a:t></a:r>{formula}<a:r><a:t>50 times</a:t></a:r>"
    made = read(pptx([f"<p:sp><p:txBody><a:p>{line}</a:p></p:txBody></p:sp>"]))
    assert made.text == "Cut 3 1/(a+2)50 times\n"


def test_what_is_struck_through_is_left_out_and_raised_digits_are_none_of_a_number() -> None:
    def run(words: str, look: str = "") -> str:
        return f"<a:r><a:rPr {look}/><a:t>{words}</a:t></a:r>"

    up, down = 'baseline="30000"', 'baseline="-25000"'
    words = (
        run("Pay ") + run("40 ", 'strike="sngStrike"') + run("50.", 'strike="noStrike"')
        + run("1", up) + run(" or ") + run("2", up) + run("60, 101") + run("2", down)
    )  # fmt: skip
    made = read(pptx([shape("WORDS").replace("<a:r><a:t>WORDS</a:t></a:r>", words)]))
    assert made.text == "Pay 50.¹ or ²60, 101₂\n"
    assert made.notes == (
        "text that is struck through is left out (2 characters): take the line away in PowerPoint"
        " to have it read",
    )


def test_a_slide_without_title_is_not_below_that_of_the_slide_before() -> None:
    made = read(pptx([shape("Fees", kind="title"), shape("Other.")]))
    assert made.blocks[1].heading_path == ()


def test_hidden_slides_are_left_out_told_and_counted() -> None:
    made = read(pptx([shape("One."), shape("Secret."), shape("Three.")], hidden=(2,)))
    assert made.text == "One.\n\nThree.\n"
    assert place(made, "Three.") == SlidePlace(3, 3)
    assert made.notes == (
        "hidden slides are left out (2): show them in PowerPoint to have them read",
    )


def test_notes_stand_after_their_slide_and_are_marked_as_notes() -> None:
    notes = shape("7", kind="sldNum") + shape("Say this.", kind="body")
    made = read(pptx([shape("Fees", kind="title"), shape("Next.")], notes={1: notes}))
    assert made.text == "Fees\n\nSay this.\n\nNext.\n"
    assert place(made, "Say this.") == SlidePlace(1, 1, "Fees", notes=True)


def test_boxes_are_read_by_where_they_stand_when_the_file_has_them_otherwise() -> None:
    made = read(pptx([
        shape("Below.", at=(0, 500, 900, 100))
        + shape("Right.", at=(500, 100, 400, 300))
        + shape("Left.", at=(0, 100, 400, 300))
    ]))  # fmt: skip
    assert made.text == "Left.\n\nRight.\n\nBelow.\n"


def test_columns_stay_as_the_file_has_them() -> None:
    boxes = {"L1": (0, 0), "L2": (0, 500), "R1": (500, 0), "R2": (500, 500)}
    made = read(pptx(
        ["".join(shape(words, at=(x, y, 400, 400)) for words, (x, y) in boxes.items())]
    ))  # fmt: skip
    assert made.text == "L1\n\nL2\n\nR1\n\nR2\n"


def test_places_inside_a_group_are_those_on_the_slide() -> None:
    group = (
        '<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="1000"/><a:ext cx="100" cy="100"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>'
        + shape("Grouped.", at=(0, 0, 100, 100)) + "</p:grpSp>"
    )  # fmt: skip
    made = read(pptx([group + shape("Above.", at=(0, 500, 100, 100))]))
    assert made.text == "Above.\n\nGrouped.\n"


def test_bullets_and_numbers_are_those_that_are_shown() -> None:
    numbered = '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>'
    made = read(pptx([shape(
        '<a:pPr><a:buChar char="•"/></a:pPr>dot', "plain", numbered + "first", numbered + "second",
    )]))  # fmt: skip
    assert made.text == "- dot\n\nplain\n\na) first\nb) second\n"
    assert made.blocks[2].group == made.blocks[3].group != made.blocks[0].group


def test_bullets_of_a_placeholder_come_from_its_layout() -> None:
    layout = (
        f'<p:sldLayout {SLIDE}><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr>'
        '<p:txBody><a:lstStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr></a:lstStyle></p:txBody>'
        "</p:sp></p:sldLayout>"
    )
    slide = shape("dot", kind="body") + shape("plain")
    made = read(pptx([slide], parts={"rIdL": ("slideLayout", layout)}))
    assert made.text == "- dot\n\nplain\n"


def test_tables_say_the_head_of_each_column_and_cells_that_span() -> None:
    def row(*cells: str) -> str:
        made = ""
        for cell in cells:
            attributes, _, words = cell.rpartition("|")
            made += (
                f"<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{words}</a:t></a:r></a:p>"
                "</a:txBody></a:tc>"
            )
        return f"<a:tr>{made}</a:tr>"

    made = read(pptx([
        '<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>' + row("City", "Day")
        + row('rowSpan="2"|Oslo', "Monday") + row('vMerge="1"|', "Friday")
        + "</a:tbl></p:graphicFrame>"
    ]))  # fmt: skip
    assert made.text == "City | Day\nCity: Oslo; Day: Monday\nCity: Oslo; Day: Friday\n"


def test_a_chart_is_a_table_of_what_it_shows() -> None:
    chart = (
        f"<c:chartSpace {SLIDE}><c:chart><c:title><a:t>Sales</a:t></c:title><c:ser>"
        '<c:tx><c:v>2026</c:v></c:tx><c:cat><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:cat><c:val>'
        '<c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>0.25</c:v></c:pt></c:val></c:ser>'
        "</c:chart></c:chartSpace>"
    )
    made = read(pptx(
        ['<p:graphicFrame><c:chart r:id="rIdC"/></p:graphicFrame>'],
        parts={"rIdC": ("chart", chart)},
    ))  # fmt: skip
    assert made.text == "Sales\n\n2026\nQ1; 2026: 25%\n"
    assert place(made, "25%") == SlidePlace(1, 1)


def test_footers_and_slide_numbers_are_kept_and_not_quoted() -> None:
    made = read(pptx([shape("Words.") + shape("Confidential", kind="ftr")]))
    assert [block.kind for block in made.blocks] == [BlockKind.PARAGRAPH, BlockKind.MARKUP]


def test_a_slide_that_is_missing_costs_itself_only() -> None:
    made = read(pptx([shape("One.")], order=[1, 9]))
    assert made.text == "One.\n"
    assert made.notes == ("slide 2 is missing from the file",)


def test_a_file_without_slides_says_so() -> None:
    with pytest.raises(UnreadableContent, match="names no slides"):
        read(pptx([]))
