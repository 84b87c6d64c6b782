"""A click on a citation: its document opens at the place, with the words marked."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.loaders.office_files import docx, paragraph
from tests.loaders.office_files import table as docx_table
from tests.loaders.pdf_files import make_pdf, print_at, print_lines
from tests.loaders.workbooks import workbook
from tests.server.page.conftest import Visit, indexed, served

JPEG_2000 = base64.b64decode(
    "/0//UQApAAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAABBwEB/1IADAAAAAEAAwQEAAH/XAANQEBISFBI"
    "SFBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAAAVAAH/k9+ACAeAgID/2Q=="
).decode("latin-1")
"""Eight dots by eight, black."""
FAX = "\xff\x00\x10\x01"
"""Eight lines without a change, and the end (ITU-T T.6)."""


def stamped(content: str, resources: str, *objects: str) -> bytes:
    """A page with a stamp: a drawing with resources of its own; `objects` are from 7 on."""
    box = "[0 0 600 800]"
    return make_pdf(
        [print_lines(60, 700, "A sheet with a stamp.", size=12)],
        page=f"/MediaBox {box} /Annots [5 0 R]",
        objects=[
            f"<< /Type /Annot /Subtype /Stamp /F 4 /Rect {box} /AP << /N 6 0 R >> >>",
            f"<< /Type /XObject /Subtype /Form /BBox {box} /Resources << {resources} >> "
            f"/Length {len(content)} >>\nstream\n{content}\nendstream",
            *objects,
        ],
    )


def picture(data: str, filters: str) -> str:
    """A picture of eight dots by eight, grey."""
    return (
        f"<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray {filters} "
        f"/Length {len(data)} >>\nstream\n{data}\nendstream"
    )


FILES: dict[str, str | bytes] = {
    "garden.md": "# Garden\n\nRoses are cut in March.\n\n- Ivy is cut in August.\n",
    "kitchen.html": "<h1>Kitchen</h1><p>The oven is cleaned on Mondays.</p>",
    "cellar.docx": docx(
        paragraph("The cellar door is locked at nine.")
        + docx_table(["Wine", "Rack"], ["Port", "Rack seven"], header=True)
    ),
    "letter.eml": (
        "From: ada@example.org\nTo: bob@example.org\nSubject: Piano\n\n"
        "The piano tuner comes on Thursday.\n"
    ),
    "prices.xlsx": workbook(
        {"Prices": [["Product", "Fee", "Days"], ["Desk lamp", 4.5, 3], ["Floor lamp", 9, 5]]}
    ),
    "stock.csv": "Spice,Grams\nSaffron,12\nCumin,900\n",
    "handbook.pdf": make_pdf(
        [
            print_at(60, 740, "Staff handbook", size=20, font="F2"),
            print_lines(60, 700, "Every gardener has 31 days of holiday a year.", size=12),
        ]
    ),
    "turned.pdf": make_pdf(
        [print_lines(60, 700, "The greenhouse is heated from October.", size=12)],
        page="/MediaBox [0 0 600 800] /Rotate 90",
    ),
    "jpeg2000.pdf": stamped(
        "q 200 0 0 200 100 100 cm /I Do Q",
        "/XObject << /I 7 0 R >>",
        picture(JPEG_2000, "/BitsPerComponent 8 /Filter /JPXDecode"),
    ),
    "fax.pdf": stamped(
        "q 200 0 0 200 100 100 cm /I Do Q",
        "/XObject << /I 7 0 R >>",
        picture(
            FAX,
            "/BitsPerComponent 1 /Decode [1 0] /Filter /CCITTFaxDecode "
            "/DecodeParms << /K -1 /Columns 8 /Rows 8 >>",
        ),
    ),
    "symbols.pdf": stamped(
        "BT /S 90 Tf 100 100 Td (abc) Tj ET",
        "/Font << /S 7 0 R >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
    ),
    "japanese.pdf": stamped(
        "BT /J 90 Tf 100 100 Td <93fa967b8cea> Tj ET",
        "/Font << /J 7 0 R >>",
        "<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H "
        "/DescendantFonts [8 0 R] >>",
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo "
        "<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor "
        "<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 0 1 1] "
        "/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>",
    ),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    house = indexed(tmp_path_factory.mktemp("house"), FILES)
    with served(tmp_path_factory.mktemp("state"), house=house) as address:
        yield address


@pytest.mark.parametrize(
    ("question", "file", "place", "marked"),
    [
        ("When are roses cut?", "garden.md", "line 3", ["Roses are cut in March."]),
        (
            "On which day is the oven cleaned?",
            "kitchen.html",
            "/html/body/p",
            ["The oven is cleaned on Mondays."],
        ),
        (
            "When is the cellar door locked?",
            "cellar.docx",
            "paragraph 1",
            ["The cellar door is locked at nine."],
        ),
        (
            "On which day does the piano tuner come?",
            "letter.eml",
            "body",
            ["The piano tuner comes on Thursday."],
        ),
        (
            "What is the fee of the floor lamp?",
            "prices.xlsx",
            "sheet Prices, A3:C3, row 'Floor lamp'",
            ["Floor lamp", "9", "5"],
        ),
        (
            "How many grams of saffron are there?",
            "stock.csv",
            "A2:B2, row 'Saffron'",
            ["Saffron", "12"],
        ),
    ],
)
def test_a_citation_opens_its_document_with_the_words_marked(
    visit: Visit, question: str, file: str, place: str, marked: list[str]
) -> None:
    page = visit.open()
    visit.ask(question)

    page.click(".quotes .place")
    page.wait_for_selector(".source mark")

    assert page.inner_text("#source-title") == file
    assert page.inner_text(".source .where") == place
    assert page.locator(".source mark").all_inner_texts() == marked
    assert in_view(page, ".source mark")
    assert visit.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_button_that_closes_a_document_stays_on_one_line(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    headings = "".join(f"{'#' * level} {'Conditions' * 9}\n\n" for level in range(1, 5))
    folder = indexed(tmp_path / "deep", {"deep.md": f"{headings}The gate opens at seven.\n"})
    with (
        served(tmp_path / "state", deep=folder) as address,
        browser.new_context(viewport={"width": width, "height": 800}) as context,
    ):
        visit = Visit(context, address)
        page = visit.open()
        visit.ask("When does the gate open?")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")
        lines = page.evaluate(
            """() => {
              const range = document.createRange();
              range.selectNodeContents(document.querySelector(".source .close"));
              return range.getClientRects().length;
            }"""
        )
        box = page.locator(".source .close").bounding_box()
    assert lines == 1
    assert box is not None
    assert box["x"] + box["width"] <= width


@pytest.mark.parametrize(
    ("question", "file", "number"),
    [
        ("How many days of holiday does a gardener have?", "handbook.pdf", 2),
        ("From which month on is the greenhouse heated?", "turned.pdf", 1),
    ],
)
def test_a_page_of_a_pdf_is_shown_as_printed_with_the_words_in_a_box(
    visit: Visit, question: str, file: str, number: int
) -> None:
    page = visit.open()
    visit.ask(question)

    page.click(".quotes .place")
    page.wait_for_selector(".source .box")

    assert page.inner_text("#source-title") == file
    assert page.inner_text(".turning .count").startswith(f"Page {number} of ")
    assert in_view(page, ".source .box")
    # All that is printed on the page is the sentence, and a box is around it.
    inside, outside = ink(page)
    assert inside > 100
    assert outside <= inside // 50
    assert visit.complaints == []


def ink(page: Page) -> tuple[int, int]:
    """How many dark dots of the page are inside its boxes, and how many are not."""
    inside, outside = page.evaluate(
        """() => {
          const canvas = document.querySelector(".sheet canvas");
          const around = canvas.getBoundingClientRect();
          const scale = canvas.width / around.width;
          const boxes = [...document.querySelectorAll(".sheet .box")].map((box) => {
            const { left, top, right, bottom } = box.getBoundingClientRect();
            return [left - around.left, top - around.top, right - around.left, bottom - around.top]
              .map((edge) => edge * scale);
          });
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const counts = [0, 0];
          for (let dot = 0; dot < data.length / 4; dot += 1) {
            if (data[4 * dot] > 128) continue;
            const [x, y] = [dot % canvas.width, Math.floor(dot / canvas.width)];
            const isOn = ([l, t, r, b]) => x > l - 2 && x < r + 2 && y > t - 2 && y < b + 2;
            counts[boxes.some(isOn) ? 0 : 1] += 1;
          }
          return counts;
        }"""
    )
    return inside, outside


def in_view(page: Page, selector: str) -> bool:
    """Whether the first of these can be seen without scrolling."""
    seen: bool = page.evaluate(
        """(selector) => {
          const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }""",
        selector,
    )
    return seen


def test_the_pages_of_a_pdf_are_turned_made_larger_and_read_as_text(visit: Visit) -> None:
    page = visit.open()
    visit.ask("How many days of holiday does a gardener have?")
    page.click(".quotes .place")
    page.wait_for_selector(".source .box")

    page.click(".turning >> text=Previous")
    page.wait_for_selector(".turning >> text=Page 1 of 2")
    assert page.locator(".source .box").count() == 0
    assert page.locator("[aria-label='Previous page']").is_disabled()

    page.click(".turning >> text=Next")
    page.wait_for_selector(".source .box")
    width = page.locator("canvas").bounding_box()["width"]
    page.click(".turning >> text=Larger")
    page.wait_for_selector(".turning >> text=Smaller >> visible=true")
    assert page.locator("canvas").bounding_box()["width"] > 1.3 * width

    page.keyboard.press("Escape")
    page.click(".quotes .place")
    page.wait_for_selector(".source .box")
    page.click(".source-actions >> text=As text")
    page.wait_for_selector(".source mark")
    assert page.inner_text(".source mark") == "Every gardener has 31 days of holiday a year."


def test_pdf_js_is_loaded_when_a_pdf_is_opened_and_not_before(visit: Visit) -> None:
    page = visit.open()
    visit.ask("When are roses cut?")
    page.click(".quotes .place")
    page.wait_for_selector(".source mark")
    before = [request.url for request in visit.requests if "pdf" in request.url]

    page.keyboard.press("Escape")
    visit.ask("How many days of holiday does a gardener have?")
    page.click(".quotes .place")
    page.wait_for_selector(".source .box")

    assert before == []
    assert any("pdf.worker" in request.url for request in visit.requests)


@pytest.mark.parametrize(
    ("file", "needed"),
    [
        ("jpeg2000.pdf", "decoders/openjpeg_nowasm_fallback.js"),
        ("fax.pdf", "decoders/jbig2_nowasm_fallback.js"),
        ("symbols.pdf", "standard_fonts/FoxitSymbol.pfb"),
        ("japanese.pdf", "cmaps/90ms-RKSJ-H.bcmap"),
    ],
)
def test_what_a_pdf_needs_besides_comes_from_the_server_and_is_drawn(
    visit: Visit, file: str, needed: str
) -> None:
    page = visit.open(f"#show={file}&collection=house")
    page.wait_for_selector(".source canvas")

    _, drawn = ink(page)

    assert drawn > 1000
    assert any(request.url.endswith(needed) for request in visit.requests)
    assert visit.hosts == {visit.address.split("/")[2]}
    assert visit.complaints == []


def test_a_passage_that_was_only_looked_at_opens_too(visit: Visit) -> None:
    page = visit.open()
    visit.ask("Are there lions in the garden, the kitchen, or the greenhouse?")

    page.click(".nearest .place:has-text('.md')")
    page.wait_for_selector(".source mark")

    assert "Roses are cut in March." in page.inner_text(".source .leaf")


def test_a_link_to_a_place_opens_it_in_another_tab(visit: Visit) -> None:
    page = visit.open()
    visit.ask("When are roses cut?")
    fragment = page.get_attribute(".quotes .place", "href")

    page.goto("about:blank")
    visit.open(fragment or "")
    page.wait_for_selector(".source mark")

    assert page.inner_text(".source mark") == "Roses are cut in March."


def test_a_file_is_saved_as_it_is(visit: Visit) -> None:
    page = visit.open()
    visit.ask("When are roses cut?")
    page.click(".quotes .place")
    page.wait_for_selector(".source mark")

    with page.expect_download() as download:
        page.click("text=Save the file")

    assert download.value.suggested_filename == "garden.md"
    assert download.value.path().read_text() == FILES["garden.md"]


def test_a_long_document_is_shown_around_the_place_and_more_of_it_when_asked(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    filler = "".join(f"Paragraph {n} is about nothing in particular.\n\n" for n in range(900))
    text = f"# Long\n\nIt begins here.\n\n{filler}The anchor weighs 12 tons.\n\n{filler}"
    folder = indexed(tmp_path_factory.mktemp("long"), {"long.md": text})
    state = tmp_path_factory.mktemp("state")
    with served(state, long=folder) as address, browser.new_context() as context:
        visit = Visit(context, address)
        page = visit.open()
        visit.ask("How many tons does the anchor weigh?")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")

        assert in_view(page, ".source mark")
        assert page.locator(".gap").count() == 2
        assert "It begins here." not in page.inner_text(".leaf")

        page.click("text=Show more of it")
        page.wait_for_selector(".leaf >> text=Paragraph 500 ")
        page.click("text=Show more of it")
        page.wait_for_selector(".leaf >> text=It begins here.")
        assert page.locator(".gap").count() == 0


def test_a_file_that_changed_meanwhile_is_shown_as_the_text_that_was_quoted(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = indexed(tmp_path_factory.mktemp("pdf"), {"handbook.pdf": FILES["handbook.pdf"]})
    state = tmp_path_factory.mktemp("state")
    with served(state, staff=folder) as address, browser.new_context() as context:
        visit = Visit(context, address)
        page = visit.open()
        visit.ask("How many days of holiday does a gardener have?")
        (folder / "handbook.pdf").write_bytes(b"%PDF-1.4 something else")

        page.click(".quotes .place")
        page.wait_for_selector(".source mark")

        assert "changed since it was indexed" in page.inner_text(".source .fault")
        assert page.inner_text(".source mark") == "Every gardener has 31 days of holiday a year."
