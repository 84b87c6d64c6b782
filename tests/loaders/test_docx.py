"""Word documents: the words as they are printed, each paragraph with its place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders import xml_events
from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.formats import extract
from pincite.places import ParagraphPlace, place_of
from pincite.records import BlockKind
from tests.loaders.office_files import WORD, archive, docx, paragraph, table


def read(data: bytes) -> Extracted:
    form, extracted = extract(data, "a.docx", DEFAULT)
    assert form.name == "docx"
    return extracted


def place(made: Extracted, words: str) -> object:
    start = made.text.index(words)
    return place_of(made.marks, start, start + len(words))


STYLES = (
    '<w:style w:type="paragraph" w:styleId="Rub1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Chapter"/>'
    '<w:basedOn w:val="Rub1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="character" w:styleId="H"><w:name w:val="x"/>'
    "<w:rPr><w:vanish/></w:rPr></w:style>"
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
    '<w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
    '<w:lvlText w:val="%1.%2"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>'
    '<w:lvlText w:val="(%3)"/></w:lvl></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>'
    '<w:lvlText w:val="&#xF0B7;"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
    '<w:startOverride w:val="7"/></w:lvlOverride></w:num>'
)


def item(words: str, list_id: int, level: int = 0) -> str:
    numbering = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return paragraph(words, numbering)


def styled(words: str, style: str) -> str:
    return paragraph(words, f'<w:pStyle w:val="{style}"/>')


def test_headings_are_told_by_their_style_and_what_it_is_based_on() -> None:
    made = read(docx(
        styled("The handbook", "T") + styled("Leave", "Own") + paragraph("Thirty days.")
        + paragraph("Sick leave", '<w:outlineLvl w:val="1"/>') + paragraph("Tell us."),
        styles=STYLES,
    ))  # fmt: skip
    assert [(block.kind, block.level, block.heading_path) for block in made.blocks] == [
        (BlockKind.HEADING, 1, ("The handbook",)),
        (BlockKind.HEADING, 1, ("Leave",)),
        (BlockKind.PARAGRAPH, 0, ("Leave",)),
        (BlockKind.HEADING, 2, ("Leave", "Sick leave")),
        (BlockKind.PARAGRAPH, 0, ("Leave", "Sick leave")),
    ]
    assert made.title == "The handbook"
    assert place(made, "Tell us.") == ParagraphPlace(5, 5)


def test_lists_have_the_numbers_word_prints() -> None:
    made = read(docx(
        item("one", 1) + item("under", 1, 1) + item("letter", 1, 2) + item("letter", 1, 2)
        + item("two", 1) + item("under two", 1, 1) + paragraph("Between.") + item("three", 1)
        + item("seven", 3) + item("dot", 2),
        numbering=NUMBERING,
    ))  # fmt: skip
    assert made.text == (
        "1. one\n1.1 under\n(a) letter\n(b) letter\n2. two\n2.1 under two\n\nBetween.\n\n"
        "3. three\n\n7. seven\n\n- dot\n"
    )
    assert {block.group for block in made.blocks[:6]} == {1}


def test_a_row_says_the_head_of_each_column_and_each_cell_its_place() -> None:
    made = read(docx(table(["Item", "Fee"], ["Lamp", "9 euros"], header=True)))
    assert made.text == "Item | Fee\nItem: Lamp; Fee: 9 euros\n"
    assert [block.kind for block in made.blocks] == [BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW]
    assert place(made, "Fee: 9 euros") == ParagraphPlace(4, 4, "body", 1, 2, 2)
    assert place(made, "Lamp") == ParagraphPlace(3, 3, "body", 1, 2, 1)


def test_a_merged_cell_is_said_in_every_row_it_spans() -> None:
    merged = "<w:tcPr><w:vMerge{}/></w:tcPr>"
    first = merged.format(' w:val="restart"') + paragraph("Oslo")
    second = merged.format("") + paragraph("")
    made = read(docx(
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc>" + paragraph("City") + "</w:tc><w:tc>"
        + paragraph("Day") + "</w:tc></w:tr><w:tr><w:tc>" + first + "</w:tc><w:tc>"
        + paragraph("Monday") + "</w:tc></w:tr><w:tr><w:tc>" + second + "</w:tc><w:tc>"
        + paragraph("Friday") + "</w:tc></w:tr></w:tbl>"
    ))  # fmt: skip
    assert made.text.splitlines()[1:] == ["City: Oslo; Day: Monday", "City: Oslo; Day: Friday"]
    assert place(made, "City: Oslo; Day: Friday") == ParagraphPlace(6, 6, "body", 1, 3, 2)


def test_a_table_around_a_table_is_layout() -> None:
    made = read(docx(table(["Left", table(["a", "b"], ["c", "d"]) + "<w:p/>"])))
    assert made.text == "Left\n\na | b\nc | d\n"
    assert place(made, "d") == ParagraphPlace(5, 5, "body", 2, 2, 2)


def test_what_is_deleted_hidden_or_remarked_is_left_out_and_told() -> None:
    made = read(docx(
        "<w:p><w:r><w:t>We pay </w:t></w:r>"
        "<w:del><w:r><w:delText>five</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>nine</w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t> secret</w:t></w:r>"
        '<w:r><w:rPr><w:rStyle w:val="H"/></w:rPr><w:t> secret</w:t></w:r>'
        '<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t> white</w:t></w:r>'
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> euros.</w:t></w:r>'
        '<w:r><w:commentReference w:id="0"/></w:r></w:p>',
        styles=STYLES,
    ))  # fmt: skip
    assert made.text == "We pay nine euros.\n"
    assert made.notes == (
        "hidden text is left out (17 characters): show it in Word to have it read",
        "tracked deletions are left out (1): reject them in Word to have them read",
        "comments are left out (1)",
    )


def test_what_is_struck_through_is_left_out_and_a_raised_digit_is_none_of_the_number() -> None:
    made = read(docx(
        "<w:p><w:r><w:t>We pay 50</w:t></w:r>"
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>1</w:t></w:r>'
        "<w:r><w:rPr><w:strike/></w:rPr><w:t> dollars</w:t></w:r>"
        '<w:r><w:rPr><w:strike w:val="0"/></w:rPr><w:t> euros a m</w:t></w:r>'
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r></w:p>'
    ))  # fmt: skip
    assert made.text == "We pay 50¹ euros a m2\n"
    assert made.notes == (
        "text that is struck through is left out (7 characters): take the line away in Word to have"
        " it read",
    )


def test_raised_and_lowered_digits_beside_a_number_are_none_of_it() -> None:
    def run(words: str, align: str = "") -> str:
        look = f'<w:rPr><w:vertAlign w:val="{align}"/></w:rPr>' if align else ""
        return f'<w:r>{look}<w:t xml:space="preserve">{words}</w:t></w:r>'

    up, down = "superscript", "subscript"
    made = read(docx(
        f"<w:p>{run('We pay 50.')}{run('1', up)}{run(' Then ')}{run('2', up)}{run('60 euros,')}"
        f"{run(' 101')}{run('2', down)}{run(' times, H')}{run('2', down)}{run('O')}</w:p>"
    ))  # fmt: skip
    assert made.text == "We pay 50.¹ Then ²60 euros, 101₂ times, H2O\n"


def test_styles_strike_words_through_and_raise_digits_unless_the_run_says_otherwise() -> None:
    styles = STYLES + (
        '<w:style w:type="character" w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/>'
        "</w:rPr></w:style>"
    )

    def run(words: str, style: str, more: str = "") -> str:
        look = f'<w:rPr><w:rStyle w:val="{style}"/>{more}</w:rPr>'
        return f'<w:r>{look}<w:t xml:space="preserve">{words}</w:t></w:r>'

    made = read(docx(
        f"<w:p>{run('We pay', '')}{run(' 40', 'Old')}"
        + run(" euros 50", "Old", '<w:strike w:val="0"/>')
        + f"{run('1', 'Up')}</w:p>",
        styles=styles,
    ))  # fmt: skip
    assert made.text == "We pay euros 50¹\n"


def test_white_words_on_a_paragraph_of_a_colour_are_seen() -> None:
    ground = '<w:shd w:val="clear" w:fill="1F3864"/>'
    white = '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>'
    made = read(docx(paragraph("Nine euros.", ground, run=white) + paragraph("Gone.", run=white)))
    assert made.text == "Nine euros.\n"


def test_numbers_beside_a_formula_and_digits_moved_up_make_no_other_number() -> None:
    def term(*parts: str) -> str:
        return "".join(f"<m:r><m:t>{part}</m:t></m:r>" for part in parts)

    half = f"<m:f><m:num>{term('1')}</m:num><m:den>{term('2')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{term('10')}</m:e><m:sup>{term('3')}</m:sup></m:sSup>"
    up = '<w:r><w:rPr><w:position w:val="6"/></w:rPr><w:t>1</w:t></w:r>'
    made = read(docx(
        f"<w:p><m:oMath>{term('2')}{half}{term('3')}{power}{half}</m:oMath></w:p>"
        f"<w:p><w:r><w:t>We pay 50</w:t></w:r>{up}</w:p>"
    ))  # fmt: skip
    assert made.text == "2 1/2 3 10^3 1/2\n\nWe pay 50¹\n"


def test_a_paragraph_whose_end_is_deleted_goes_on_in_the_next() -> None:
    made = read(docx(paragraph("We pay", run="") .replace(
        "<w:pPr></w:pPr>", "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    ) + paragraph(" nine euros.")))  # fmt: skip
    assert made.text == "We pay nine euros.\n"
    assert place(made, "pay nine") == ParagraphPlace(1, 2)


def test_fields_show_their_result_and_never_their_code() -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    made = read(docx(
        "<w:p><w:r><w:t>See </w:t></w:r>" + mark.format("begin")
        + "<w:r><w:instrText>REF x</w:instrText></w:r>" + mark.format("begin")
        + "<w:r><w:t>inner code</w:t></w:r>" + mark.format("end") + mark.format("separate")
        + "<w:r><w:t>page 3</w:t></w:r>" + mark.format("end") + "<w:r><w:t>.</w:t></w:r></w:p>"
    ))  # fmt: skip
    assert made.text == "See page 3.\n"


def test_a_table_of_contents_is_not_quoted() -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    made = read(docx(
        "<w:p>" + mark.format("begin") + "<w:r><w:instrText> TOC \\o </w:instrText></w:r>"
        + mark.format("separate") + "<w:r><w:t>Leave 3</w:t></w:r></w:p><w:p>"
        + mark.format("end") + "</w:p>" + paragraph("Thirty days.")
    ))  # fmt: skip
    assert [block.kind for block in made.blocks] == [BlockKind.MARKUP, BlockKind.PARAGRAPH]


def test_a_note_stands_after_the_paragraph_that_refers_to_it() -> None:
    made = read(docx(
        '<w:p><w:r><w:t>Paid.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
        + paragraph("Next."),
        footnotes='<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="2">' + paragraph(" In euros.") + "</w:footnote>",
    ))  # fmt: skip
    assert made.text == "Paid.\n\n[1] In euros.\n\nNext.\n"
    assert place(made, "In euros.") == ParagraphPlace(2, 2, "footnotes")


def test_a_text_box_that_is_in_the_file_twice_is_read_once() -> None:
    box = "<w:txbxContent>" + paragraph("In the box.") + "</w:txbxContent>"
    made = read(docx(
        "<w:p><w:r><mc:AlternateContent><mc:Choice>" + box + "</mc:Choice><mc:Fallback>" + box
        + "</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Beside it.</w:t></w:r></w:p>"
        + paragraph("After.")
    ))  # fmt: skip
    assert made.text == "Beside it.\n\nIn the box.\n\nAfter.\n"
    assert place(made, "In the box.") == ParagraphPlace(1, 1, "text boxes")
    assert place(made, "After.") == ParagraphPlace(2, 2)


def test_headers_and_footers_are_kept_and_not_quoted() -> None:
    made = read(docx(
        paragraph("Body.") + '<w:sectPr><w:headerReference r:id="header"/></w:sectPr>',
        header=paragraph("Confidential"),
    ))  # fmt: skip
    assert made.text == "Body.\n\nConfidential\n"
    assert made.blocks[1].kind is BlockKind.MARKUP
    assert place(made, "Confidential") == ParagraphPlace(1, 1, "headers")


def test_breaks_tabs_hyphens_symbols_and_formulas_are_read_as_printed() -> None:
    made = read(docx(
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>co\u00adop</w:t><w:softHyphen/>"
        '<w:noBreakHyphen/><w:sym w:font="Symbol" w:char="F0B3"/></w:r><m:oMath>'
        "<m:r><m:t>x</m:t></m:r><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:oMath></w:p>"
    ))  # fmt: skip
    assert made.text == "a\tb\ncoop-≥x^2\n"


def test_strict_documents_and_other_names_of_parts_are_read() -> None:
    namespace = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    document = f'<x:document xmlns:x="{namespace}"><x:p><x:r><x:t>Yes.</x:t></x:r></x:p>'
    made = read(archive({
        "[Content_Types].xml": "", "Word/Document.xml": document + "</x:document>",
        "word/x": "",
    }))  # fmt: skip
    assert made.text == "Yes.\n"


def test_a_document_that_breaks_off_is_read_up_to_there_and_says_so() -> None:
    broken = f"<w:document {WORD}><w:body>{paragraph('Whole.')}<w:p><w:r><w:t>Half"
    made = read(archive({"[Content_Types].xml": "", "word/document.xml": broken}))
    assert made.text == "Whole.\n\nHalf\n"
    assert "read only in part" in made.notes[0]


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
    with pytest.raises(UnreadableContent, match="declares an XML entity"):
        read(archive({"[Content_Types].xml": "", "word/document.xml": bomb}))


def test_an_external_entity_is_not_fetched() -> None:
    spy = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><x>&a;</x>'
    with pytest.raises(UnreadableContent, match="declares an XML entity"):
        read(archive({"[Content_Types].xml": "", "word/document.xml": spy}))


def test_a_part_that_would_unpack_to_too_much_is_refused() -> None:
    bomb = b" " * 40_000_000
    with pytest.raises(UnreadableContent, match="would unpack to more than a document needs"):
        read(archive({"[Content_Types].xml": "", "word/document.xml": bomb}))


def test_nesting_without_end_is_refused() -> None:
    deep = f"<w:document {WORD}>" + "<w:tbl><w:tr><w:tc>" * 5_000
    with pytest.raises(UnreadableContent, match="nested more than"):
        read(archive({"[Content_Types].xml": "", "word/document.xml": deep}))


def test_a_cut_off_archive_says_what_to_do() -> None:
    with pytest.raises(UnreadableContent, match=r"damaged \.docx file .* save it again"):
        extract(docx(paragraph("Body."))[:300], "a.docx", DEFAULT)


words = st.text(alphabet="ab ", min_size=1, max_size=5)


def formula(inner: str) -> str:
    """A paragraph with a formula; numbers in it are words."""
    words = re.sub(r"(?<=>)([^<>]+)(?=<)", r"<m:r><m:t>\1</m:t></m:r>", inner)
    return f"<w:p><m:oMath>{words}</m:oMath></w:p>"


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        ("<m:f><m:num>a+1</m:num><m:den>2</m:den></m:f>", "(a+1)/2"),
        ("<m:rad><m:e>2</m:e></m:rad><m:e>5</m:e>", "√2 5"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>i=1</m:sub><m:sup>10</m:sup>'
            "<m:e>5</m:e></m:nary>",
            "∑_(i=1)^10 5",
        ),
        ("<m:e>2</m:e><m:d><m:e>3</m:e><m:e>4</m:e></m:d>", "2(3|4)"),
        (
            "<m:m><m:mr><m:e>1</m:e><m:e>2</m:e></m:mr><m:mr><m:e>3</m:e><m:e>4</m:e></m:mr></m:m>",
            "1, 2; 3, 4",
        ),
        ("<m:eqArr><m:e>x=1</m:e><m:e>2y=3</m:e></m:eqArr>", "x=1; 2y=3"),
        ("<m:sSup><m:e>x</m:e><m:sup>n+1</m:sup></m:sSup>", "x^(n+1)"),
    ],
)
def test_numbers_of_a_formula_stand_apart(inner: str, shown: str) -> None:
    assert read(docx(formula(inner))).text == f"{shown}\n"


def test_a_sentence_shows_where_a_formula_stands_in_it_that_is_an_object() -> None:
    made = read(docx(
        '<w:p><w:r><w:t>Cut 3</w:t></w:r><w:r><w:object><o:OLEObject ProgID="Equation.DSMT4"'
        ' xmlns:o="urn:schemas-microsoft-com:office:office"/></w:object></w:r>'
        "<w:r><w:t> inches.</w:t></w:r></w:p>"
    ))  # fmt: skip
    assert made.text == "Cut 3\ufffc inches.\n"
    assert made.notes[0].startswith("embedded files are not read (1)")


def test_a_cell_goes_with_the_head_above_it_where_a_row_begins_further_right() -> None:
    short = "<w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>" + "".join(
        f"<w:tc>{paragraph(words)}</w:tc>" for words in ("nine", "ten")
    )
    rows = table(["Item", "Fee", "Tax"], ["Lamp", "1", "2"], header=True)
    made = read(docx(rows.replace("</w:tbl>", f"{short}</w:tr></w:tbl>")))
    assert made.text.splitlines()[-1] == "Fee: nine; Tax: ten"


def test_white_words_are_read_where_the_style_of_their_run_has_a_ground() -> None:
    styles = (
        '<w:style w:type="character" w:styleId="B"><w:rPr><w:shd w:val="clear" w:fill="000000"/>'
        "</w:rPr></w:style>"
    )
    white = '<w:rStyle w:val="B"/><w:color w:val="FFFFFF"/>'
    assert read(docx(paragraph("Nine euros.", run=white), styles=styles)).text == "Nine euros.\n"


@settings(deadline=None)
@given(st.lists(st.one_of(words, st.lists(st.lists(words, min_size=2, max_size=2), min_size=1))))
def test_every_mark_covers_words_of_the_paragraph_it_names(
    body: list[str | list[list[str]]],
) -> None:
    parts = [paragraph(one) if isinstance(one, str) else table(*one) for one in body]
    written = re.findall(r"preserve\">([^<]*)<", "".join(parts))
    made = read(docx("".join(parts)))
    covered = dict.fromkeys(range(1, len(written) + 1), "")
    for mark in made.marks:
        assert isinstance(mark.place, ParagraphPlace)
        if not mark.secondary:
            covered[mark.place.first] += made.text[mark.start : mark.end]
    # Every word of every paragraph is in the text once, and nothing else is covered.
    assert {n: w.strip() for n, w in covered.items()} == {
        number: one.strip() for number, one in enumerate(written, 1)
    }


def test_what_is_printed_before_an_item_is_short_whatever_the_file_says() -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/>'
        f'<w:lvlText w:val="{"%1." * 10_000}"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    assert len(read(docx(item("one", 1), numbering=numbering)).text) < 100


def test_a_part_with_elements_without_end_is_read_up_to_a_bound_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xml_events, "MOST_ELEMENTS", 20)
    made = read(docx(paragraph("One.") * 50))
    assert made.text.startswith("One.\n\nOne.")
    assert "more than 20 elements" in made.notes[0]
