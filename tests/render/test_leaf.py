"""Leaves: the text of documents as blocks and as HTML, with quotes marked."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite import Index
from pincite.errors import DocumentNotFound, PlaceNotFound, TextChanged
from pincite.loaders import document_of_bytes, document_of_text
from pincite.records import Document, Extraction, Span
from pincite.render.leaf import Leaf, leaf, leaf_text, leaf_to_json, stretch_of
from pincite.render.leaf_html import leaf_html

from ..loaders.office_files import docx, table

XHTML = "{http://www.w3.org/1999/xhtml}"
ELEMENTS = {
    "div", "p", "h2", "h3", "h4", "h5", "h6", "ul", "li", "pre", "code", "blockquote",
    "table", "tbody", "tr", "td", "th", "mark", "span", "strong", "em",
}  # fmt: skip
ATTRIBUTES = {
    "class", "id", "dir", "lang", "data-n", "role", "tabindex", "scope", "colspan", "aria-label",
}  # fmt: skip


def parsed(html: str) -> Element:
    """The element that a browser would make."""
    (root,) = html5lib.parseFragment(html, treebuilder="etree")
    return root


def elements(root: Element) -> Iterator[Element]:
    return (one for one in root.iter() if isinstance(one.tag, str))


def text_of(element: Element) -> str:
    return "".join(element.itertext())


def marked(root: Element, number: int = 1) -> list[str]:
    """The words in the marks of a quote, in order."""
    found = root.findall(f".//{XHTML}mark[@class='quote-{number}']")
    return [text_of(one) for one in found]


def shown(document: Document, *quotes: tuple[int, int]) -> Leaf:
    return leaf(stretch_of(document), [Span(*quote) for quote in quotes])


def span_of(words: str, text: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


def html_of(document: Document, *words: str) -> Element:
    """The leaf of a document in which each of the words is a quote."""
    quotes = [span_of(one, document.text) for one in words]
    return parsed(leaf_html(shown(document, *quotes)))


def rows(root: Element) -> list[list[str]]:
    """The cells of all rows, as they are seen: without what is aside."""
    found = []
    for row in root.iter(f"{XHTML}tr"):
        if row.get("class") == "rule":
            continue
        found.append([seen(cell) for cell in row])
    return found


def seen(element: Element) -> str:
    words = element.text or ""
    for child in element:
        if child.get("class") != "aside":
            words += seen(child)
        words += child.tail or ""
    return words


GUIDE = """# Returns

Send it back within 30 days. We pay the *postage*.

It must be unused.

- in its box
- with the bill
  and the card

| Goods | Fee |
|-------|-----|
| Lamp  | 4   |
| Table | 20  |

> Keep the bill.

```
return --all
  now
```
"""


def test_every_block_of_a_document_is_the_element_it_is() -> None:
    root = html_of(document_of_text(GUIDE, name="guide.md"))
    names = [one.tag.removeprefix(XHTML) for one in root]
    assert names == ["h2", "p", "p", "ul", "div", "blockquote", "div", "pre", "div"]
    assert [text_of(one) for one in root.iter(f"{XHTML}li")] == [
        "- in its box",
        "- with the bill\n  and the card",
    ]
    assert rows(root) == [["Goods", "Fee"], ["Lamp", "4"], ["Table", "20"]]
    assert text_of(root) == GUIDE
    assert root.get("lang") == "en"


def test_a_quote_is_marked_where_it_stands_and_nowhere_else() -> None:
    document = document_of_text("Open on 5 May.\n\nOpen on 5 May.\n", name="a.txt")
    root = parsed(leaf_html(shown(document, (16, 30))))
    first, second = root.findall(f"{XHTML}p")
    assert first.find(f"{XHTML}mark") is None
    assert marked(second) == ["Open on 5 May."]


def test_a_quote_over_several_blocks_is_marked_in_each_and_has_one_id() -> None:
    root = html_of(document_of_text(GUIDE, name="guide.md"), "unused.\n\n- in its box\n- with")
    assert marked(root) == ["unused.", "- in its box", "- with"]
    ids = [one.get("id") for one in root.iter(f"{XHTML}mark")]
    assert ids == ["quote-1", None, None]


def test_quotes_that_overlap_are_each_marked_whole() -> None:
    root = html_of(
        document_of_text("one two three four", name="a.txt"), "one two three", "two three four"
    )
    assert "".join(marked(root, 1)) == "one two three"
    assert "".join(marked(root, 2)) == "two three four"
    assert text_of(root) == "one two three four"


def test_a_row_of_a_csv_file_is_a_row_of_cells_without_the_heads_said_again() -> None:
    document = document_of_bytes(b"Name,Fee,Days\nA; B | C,4.50,3\nD,,5\n", name="fees.csv")
    root = html_of(document, "Fee: 4.50")
    assert rows(root) == [["Name", "Fee", "Days"], ["A; B | C", "4.50", "3"], ["D", "", "5"]]
    assert [cell.tag for cell in root.iter(f"{XHTML}th")] == [f"{XHTML}th"] * 3
    (cell,) = root.findall(f".//{XHTML}td[@class='marked']")
    assert seen(cell) == "4.50"
    assert cell.find(f"{XHTML}mark").get("id") == "quote-1"  # type: ignore[union-attr]
    assert "".join(marked(root)) == "Fee: 4.50"


def test_a_row_of_a_web_page_is_a_row_of_cells() -> None:
    page = (
        b"<table><tr><th>Name<th>Fee</tr><tr><td>A<td>4.50</tr>"
        b"<tr><td>B<td>5 &amp; more</tr></table>"
    )
    root = html_of(document_of_bytes(page, name="fees.html"))
    assert rows(root) == [["Name", "Fee"], ["A", "4.50"], ["B", "5 & more"]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", docx(table(["", "Food", "Fee"], ["Tea", "Leaves", "50"], ["", "", "60"]))),
        ("a.csv", b",Food,Fee\nTea,Leaves,50\n,,60\n"),
        ("a.md", b"| | Food | Fee |\n|---|---|---|\n| Tea | Leaves | 50 |\n| | | 60 |\n"),
        (
            "a.html",
            b"<table><tr><th><th>Food<th>Fee</tr><tr><td>Tea<td>Leaves<td>50</tr>"
            b"<tr><td><td><td>60</tr></table>",
        ),
    ],
)
def test_heads_stand_over_their_columns_where_the_corner_is_empty(name: str, data: bytes) -> None:
    root = html_of(document_of_bytes(data, name=name))
    assert rows(root) == [["", "Food", "Fee"], ["Tea", "Leaves", "50"], ["", "", "60"]]


def test_a_table_inside_an_archive_is_a_table_too() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("fees.csv", "Name,Fee\nA,4.50\nB,5\n")
    root = html_of(document_of_bytes(packed.getvalue(), name="fees.zip"), "4.50")
    assert rows(root) == [["Name", "Fee"], ["A", "4.50"], ["B", "5"]]
    assert marked(root) == ["4.50"]


def test_the_margin_counts_the_rows_of_a_sheet_and_the_lines_of_a_text() -> None:
    csv = html_of(document_of_bytes(b"Name,Fee\nA,4\n\nB,5\n", name="fees.csv"))
    assert [one.get("data-n") for one in elements(csv) if one.get("data-n")] == ["1", "2", "4"]
    text = html_of(document_of_text("one\n\ntwo\r\n\r\nthree", name="a.txt"))
    assert [one.get("data-n") for one in text] == ["1", "3", "5"]


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "</p></div><iframe src=//example.org>",
    "</code></pre><style>*{display:none}</style>",
    "<!--",
    "--><base href=//example.org>",
    "&lt;b&gt; &#60;b&#62; &amp;",
    "</textarea></title></table><form action=//example.org>",
    "<![CDATA[<b>]]>",
    "\x00<b\x00>",
)


@pytest.mark.parametrize("words", HOSTILE)
def test_what_looks_like_markup_is_shown_as_text(words: str) -> None:
    for text, name in (
        (f"Say {words} now.", "a.txt"),
        (f"# {words}\n\n- {words}\n\n| a | b |\n|---|---|\n| {words} | c |\n", "a.md"),
        (f"```\n{words}\n```\n\n> {words}\n", "a.md"),
    ):
        document = document_of_text(text, name=name)
        root = parsed(leaf_html(shown(document, (0, len(text)))))
        assert {one.tag.removeprefix(XHTML) for one in elements(root)} <= ELEMENTS
        assert {name for one in elements(root) for name in one.attrib} <= ATTRIBUTES
        assert text_of(root) == text.replace("\x00", "\ufffd")


# Words, ends of lines, and what structure and markup are made of.
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            "# |- |> |```\n|\n|\n\n|\r\n|\r|\x0c|\x0b|\u2028|\u2029|\xa0|<b>|</td>|&amp;|\x00|\x85"
            "|\ud800|\U0001f600|a\u0301|\u202e|One. |two |3; |4: |\t|    |1. ".split("|")
        ),
        st.just("|"),
        st.just("\n|---|---|\n"),
        st.text(max_size=6),
    ),
    max_size=40,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["a.md", "a.txt", "a.rst"]), st.data())
def test_the_text_is_that_of_the_document_and_marks_cover_the_quotes_only(
    text: str, name: str, data: st.DataObject
) -> None:
    document = document_of_text(text, name=name)
    places = st.integers(0, len(text))
    quotes = [tuple(sorted(data.draw(st.tuples(places, places)))) for _ in range(2)]
    made = shown(document, *quotes)  # type: ignore[arg-type]
    assert leaf_text(made) == text
    covered: dict[int, set[int]] = {1: set(), 2: set()}
    at = 0
    gaps: set[int] = set()
    for block in made.blocks:
        assert not block.lead.strip(" \t\r\n\f")
        gaps.update(range(at, at + len(block.lead)))
        at += len(block.lead)
        for run in [*block.runs, *(run for cell in block.cells for run in cell.runs)]:
            for number in run.quotes:
                covered[number].update(range(at, at + len(run.text)))
            at += len(run.text)
    gaps.update(range(at, len(text)))
    for number, (start, end) in enumerate(quotes, 1):
        assert covered[number] == set(range(start, end)) - gaps
    root = parsed(leaf_html(made))
    held = text.translate({0: "\ufffd", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")})
    assert text_of(root) == held
    assert {one.tag.removeprefix(XHTML) for one in elements(root)} <= ELEMENTS
    json.dumps(leaf_to_json(made))


CELLS = st.lists(
    st.lists(
        st.sampled_from(["", "Name", "4.50", "a; b", "c | d", "e: f", "<td>", "7"]),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(CELLS)
def test_the_text_of_tables_is_that_of_the_document(table: list[list[str]]) -> None:
    csv = "\n".join(",".join(row) for row in table) + "\n"
    document = document_of_bytes(csv.encode(), name="a.csv")
    made = shown(document, (0, len(document.text)))
    assert leaf_text(made) == document.text
    assert text_of(parsed(leaf_html(made))) == document.text
    for block in made.blocks:
        columns = [cell.column for cell in block.cells]
        assert columns == sorted(set(columns))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index of a guide, a table and a long text."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "guide.md").write_text(GUIDE)
    (folder / "fees.csv").write_text("Name,Fee\nA,4.50\nB,5\n")
    (folder / "long.txt").write_text("\n\n".join(f"This is part {n}. " * 30 for n in range(40)))
    with Index.open_or_build(folder, lexical=True) as opened:
        yield opened


@pytest.mark.parametrize("name", ["guide.md", "fees.csv", "long.txt"])
def test_a_document_of_an_index_is_shown_as_it_is_from_its_file(index: Index, name: str) -> None:
    document = document_of_bytes((index.folder / name).read_bytes(), name=name)
    quotes = [Span(3, 12)]
    kept = leaf_html(leaf(index.stretch(name), quotes))
    assert kept == leaf_html(leaf(stretch_of(document), quotes))
    assert text_of(parsed(kept)) == document.text


def test_around_a_place_the_whole_passages_are_shown_with_the_lines_of_the_document(
    index: Index,
) -> None:
    text = (index.folder / "long.txt").read_text()
    quote = Span(*span_of("This is part 20.", text))
    stretch = index.stretch("long.txt", around=quote, reach=100)
    made = leaf(stretch, [quote])
    assert leaf_text(made) == made.span.of(text)
    assert made.span.start <= quote.start - 100
    assert made.span.end >= quote.end + 100
    assert made.span.end - made.span.start < 5_000
    assert made.length == len(text)
    (block,) = [one for one in made.blocks if any(run.quotes for run in one.runs)]
    assert block.line == 41
    document = document_of_text(text, name="long.txt")
    assert leaf(stretch_of(document, quote, reach=100), [quote]).blocks == made.blocks


def test_what_an_index_cannot_show_is_told(index: Index) -> None:
    with pytest.raises(DocumentNotFound):
        index.stretch("none.md")
    with pytest.raises(PlaceNotFound):
        index.stretch("guide.md", around=Span(0, 10_000))
    with pytest.raises(TextChanged):
        index.stretch("guide.md", text=Extraction("markdown", "1", "0" * 64))


def test_a_file_that_changed_since_is_shown_as_it_was_and_called_stale(index: Index) -> None:
    (index.folder / "fees.csv").write_text("Name,Fee\nA,9\n")
    made = leaf(index.stretch("fees.csv"))
    assert made.stale
    assert "4.50" in leaf_text(made)
    assert not leaf(index.stretch("guide.md")).stale


def test_signs_of_markdown_are_not_seen_and_say_how_words_are_shown() -> None:
    text = "## Gift cards ##\n\nHold **M** and `x_y`, *then* see [the page](/a?b). 2 * 3 * 4.\n"
    root = html_of(document_of_text(text, name="a.md"), "**M** and `x_y`")
    assert text_of(root) == text
    unseen = [text_of(one) for one in root.iter(f"{XHTML}span") if one.get("class") == "sign"]
    assert unseen == ["## ", " ##", "**", "**", "`", "`", "*", "*", "[", "](/a?b)"]
    styled = [(one.tag.removeprefix(XHTML), text_of(one)) for one in root.iter()]
    assert [one for one in styled if one[0] in ("strong", "code", "em")] == [
        ("strong", "M"), ("code", "x_y"), ("em", "then"),
    ]  # fmt: skip
    assert "".join(marked(root)) == "**M** and `x_y`"
    # What is scrolled to is the first of the marks that is seen.
    (named,) = (one for one in root.iter() if one.get("id"))
    assert text_of(named) == "M"


def test_signs_are_words_where_the_document_is_no_markdown() -> None:
    root = html_of(document_of_text("# Not a heading, **not** strong.\n", name="a.txt"))
    assert not list(root.iter(f"{XHTML}strong"))


@pytest.mark.parametrize(
    "words",
    [
        " ".join("`" * count for count in range(1, 1_200)),
        "# a" + " " * 200_000 + "b",
        "# a" + " #" * 100_000,
        "**" * 200_000,
        "*a " * 100_000,
        "[" * 200_000,
        "[a](" * 50_000,
    ],
)
def test_signs_without_end_do_not_hold_up_anybody(words: str) -> None:
    # It would take minutes; how long it does take is not told here.
    document = document_of_text(words + "\n", name="a.md")
    assert leaf_text(shown(document)) == words + "\n"
