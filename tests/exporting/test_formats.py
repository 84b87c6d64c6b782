"""Answers in the formats of others: the same words and places come out of each again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.cli.exporting import NAMES
from pincite.exporting import FORMATS, Exported
from pincite.exporting.exported import label_of
from pincite.exporting.links import link_of, text_directive
from pincite.exporting.web_annotation import CONTEXT
from pincite.loaders import document_of_text
from pincite.places import ElementPlace, Page, PagePlace, SlidePlace
from pincite.records import Citation, Quote, Role, Source, Span
from pincite.text.units import UNITS, as_rfc5147, code_points, converted

from ..verifying.vectors import citation_of

TEXT = "# Fees 😀\r\n\r\nYou pay 5 € & more, a well-known fee. It is <b>due</b> at once.\r\n"
FEE = "You pay 5 € & more, a well-known fee."
DUE = "It is <b>due</b> at once."


def answer(*citations: Citation, **fields: Any) -> Exported:
    quotes = [one.quote.exact for one in citations if one.role is not Role.ALSO]
    return Exported("What is the fee?", "\n\n".join(quotes), citations, **fields)


def cited(words: str = FEE, text: str = TEXT, **fields: Any) -> Citation:
    return replace(citation_of(words, text), **fields)


def in_pages(*numbers: int) -> Citation:
    place = PagePlace(tuple(Page(number) for number in numbers))
    return cited(place=place, pages=numbers)


@pytest.mark.parametrize("name", [one for one in FORMATS if one != "web-annotation"])
def test_documents_with_the_same_title_are_told_apart(name: str) -> None:
    one, other = (
        cited(words, document=Source(path, "Contoso", "text/html", digest * 64, ""))
        for words, path, digest in ((FEE, "benefits/plan.html", "a"), (DUE, "plan.html", "b"))
    )
    made = FORMATS[name](answer(one, other))
    shown = made if isinstance(made, str) else json.dumps(made)
    shown = re.sub(r"\\(.)", r"\1", shown)
    assert "Contoso (benefits/plan.html)" in shown
    assert "Contoso (plan.html)" in shown


def test_a_title_that_is_the_name_of_the_file_is_not_said_twice() -> None:
    assert label_of(Source("a/plan.pdf", "plan.pdf", "", "", "")) == "a/plan.pdf"
    assert label_of(Source("a/plan.pdf", "", "", "", "")) == "a/plan.pdf"


def test_the_command_names_every_format() -> None:
    assert tuple(FORMATS) == NAMES


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_hold_any_answer_and_is_the_same_every_time(name: str) -> None:
    for made in (
        answer(),
        answer(cited(), cited(DUE)),
        answer(in_pages(3, 4)),
        answer(cited(place=SlidePlace(2, 3))),
        answer(cited(), cited(role=Role.ALSO)),
    ):
        one, other = FORMATS[name](made), FORMATS[name](made)
        assert one == other
        assert isinstance(one, str) or json.loads(json.dumps(one)) == one


def test_a_web_annotation_has_what_the_model_demands_and_selects_the_words() -> None:
    page = FORMATS["web-annotation"](answer(cited(DUE), in_pages(12)))
    assert isinstance(page, dict)
    assert page["type"] == "AnnotationPage"
    ids = [one["id"] for one in page["items"]]
    assert len(set(ids)) == 2
    for one in page["items"]:
        assert one["@context"] == CONTEXT
        assert one["type"] == "Annotation"
        assert re.fullmatch("urn:sha256:[0-9a-f]{64}", one["id"])
        selectors = {each["type"]: each for each in one["target"]["selector"]}
        position, quote = selectors["TextPositionSelector"], selectors["TextQuoteSelector"]
        assert TEXT[position["start"] : position["end"]] == quote["exact"]
        assert quote["prefix"] + quote["exact"] + quote["suffix"] in TEXT
    fragment = page["items"][1]["target"]["selector"][0]
    assert (fragment["type"], fragment["value"]) == ("FragmentSelector", "page=12")
    assert fragment["refinedBy"]["exact"] == FEE


@pytest.mark.parametrize(
    ("citation", "kind", "start", "end"),
    [
        (cited(), "char_location", TEXT.index(FEE), TEXT.index(FEE) + len(FEE)),
        (in_pages(3, 4), "page_location", 3, 5),
        (cited(place=SlidePlace(2, 3)), "content_block_location", 1, 3),
    ],
)
def test_anthropic_locations_end_behind_their_last(
    citation: Citation, kind: str, start: int, end: int
) -> None:
    message = FORMATS["anthropic"](answer(citation))
    assert isinstance(message, dict)
    (block,) = message["content"]
    (location,) = block["citations"]
    assert location["type"] == kind
    assert [value for name, value in location.items() if re.match("start_|end_", name)] == [
        start,
        end,
    ]
    assert location["cited_text"] == block["text"] == FEE
    assert message["documents"][location["document_index"]]["path"] == citation.document.path


@pytest.mark.parametrize("unit", UNITS)
def test_offsets_are_of_the_unit_asked_for(unit: str) -> None:
    made = answer(cited(), texts={"terms.md": TEXT}, unit=unit)
    message = FORMATS["anthropic"](made)
    assert isinstance(message, dict)
    found = message["content"][0]["citations"][0]
    encoded = {"codepoint": "utf-32-le", "utf16": "utf-16-le", "byte": "utf-8"}[unit]
    width = {"codepoint": 4, "utf16": 2, "byte": 1}[unit]
    data = TEXT.encode(encoded)
    words = data[width * found["start_char_index"] : width * found["end_char_index"]]
    assert words.decode(encoded) == FEE


def test_other_units_need_the_text() -> None:
    with pytest.raises(ValueError, match=r"need the text of terms\.md"):
        FORMATS["anthropic"](answer(cited(), unit="byte"))


@given(st.text(max_size=40), st.data(), st.sampled_from(UNITS))
def test_units_are_converted_back(text: str, data: st.DataObject, unit: str) -> None:
    place = data.draw(st.integers(0, len(text)))
    assert code_points(text, converted(text, place, unit), unit) == place


def test_openai_annotations_stand_behind_their_quotes_in_the_answer() -> None:
    made = answer(cited(), cited(role=Role.ALSO), cited(DUE))
    message = FORMATS["openai"](made)
    assert isinstance(message, dict)
    (content,) = message["content"]
    one, also, other = content["annotations"]
    assert content["text"][: one["index"]] == FEE
    assert also["index"] == one["index"]
    assert content["text"][: other["index"]].endswith(DUE)
    refusal = FORMATS["openai"](Exported("?", "The documents do not say.", ()))
    assert isinstance(refusal, dict)
    assert refusal["content"] == [{"type": "refusal", "refusal": "The documents do not say."}]


def test_a_link_to_a_web_page_has_a_text_fragment_with_its_signs_escaped() -> None:
    page = cited(place=ElementPlace("/html/body/p"))
    url = link_of(page, {})
    assert url.startswith("terms.md#:~:text=")
    directive = text_directive(page)
    found, suffix = directive.split(",-")
    assert not set("-&,") & set(found)
    assert unquote(found) == FEE
    assert unquote(suffix).split() == "It is <b>due</b> at".split()


def test_a_long_quote_is_named_by_its_ends() -> None:
    words = " ".join(f"word{number}" for number in range(90))
    long = cited(words, words, place=ElementPlace("/html/body/p"))
    first, last = text_directive(long).split(",")
    assert unquote(first) == "word0 word1 word2 word3 word4 word5"
    assert unquote(last) == "word84 word85 word86 word87 word88 word89"


def test_links_to_files_name_the_page_the_lines_or_the_characters() -> None:
    assert link_of(in_pages(12), {}) == "terms.md#page=12"
    assert link_of(cited(), {}) == "terms.md#line=2,3"
    start, end = map(int, link_of(cited(), {"terms.md": TEXT}).partition("=")[2].split(","))
    # As RFC 5147 counts: each line end is one character.
    assert TEXT.replace("\r\n", "\n")[start:end] == FEE
    assert link_of(cited(place=SlidePlace(1, 1)), {}) == "terms.md"


def test_one_line_is_not_told_as_a_range() -> None:
    made = FORMATS["links"](answer(cited()))
    assert isinstance(made, dict)
    assert made["links"][0]["place"] == "line 3"


def test_a_path_is_escaped_in_a_link() -> None:
    source = Source("a: b/50% #1.txt", "T", "text/plain", "a" * 64, "")
    assert link_of(cited(document=source), {}) == "a%3A%20b/50%25%20%231.txt#line=2,3"


@given(st.text("a\r\n", max_size=12), st.data())
def test_rfc5147_counts_every_line_end_once(text: str, data: st.DataObject) -> None:
    places = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n" or not n]
    place = data.draw(st.sampled_from(places))
    plain = text[:place].replace("\r\n", "\n")
    assert as_rfc5147(text, place) == len(plain)


def test_csl_has_an_item_with_a_locator_a_citation() -> None:
    made = FORMATS["csl-json"](answer(in_pages(3, 4), cited()))
    assert isinstance(made, dict)
    assert [(one["label"], one["locator"]) for one in made["citationItems"]] == [
        ("page", "3-4"),
        ("line", "3"),
    ]
    assert all(one["itemData"]["type"] == "document" for one in made["citationItems"])


def test_ris_fields_are_lines_of_their_own() -> None:
    title = "A title\nER  - of two lines"
    source = Source("a.pdf", title, "application/pdf", "a" * 64, "")
    entry = FORMATS["ris"](answer(replace(in_pages(3, 4), document=source)))
    assert isinstance(entry, str)
    lines = entry.split("\r\n")
    assert [line[:6] for line in lines if line] == [
        f"{name}  - " for name in ("TY", "TI", "M1", "SP", "EP", "L1", "N1", "ID", "ER")
    ]
    assert "SP  - 3" in lines
    assert f"N1  - {FEE}" in lines


class Text(HTMLParser):
    """The words of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("words", [FEE, DUE, "*a* _b_ [c](d) `e` <i>f</i> # 1. & \\"])
def test_footnotes_show_the_words_as_they_are(words: str) -> None:
    text = f"{words}\n"
    citation = replace(
        citation_of(words, text), quote=Quote(words, "", "\n"), position=Span(0, len(words))
    )
    assert document_of_text(text, name="a.txt").text[: len(words)] == words
    made = answer(citation)
    of_html, of_markdown = Text(), Text()
    of_html.feed(str(FORMATS["html"](made)))
    of_markdown.feed(MarkdownIt("js-default").render(str(FORMATS["markdown"](made))))
    assert words in "".join(of_html.words)
    assert words in "".join(of_markdown.words)


@pytest.mark.parametrize("path", ["//example.org/fees.md", "/etc/fees.md", "///fees.md"])
@pytest.mark.parametrize("name", ["links", "web-annotation", "openai", "ris", "markdown", "html"])
def test_no_path_is_a_link_to_another_host_or_to_the_root(path: str, name: str) -> None:
    one = cited()
    forged = replace(one, document=replace(one.document, path=path))
    made = FORMATS[name](answer(forged))
    text = made if isinstance(made, str) else json.dumps(made)
    links = re.findall(r"""[^\s<>"']*fees\.md#[^\s<>"']*|(?<="id": ")[^"]*fees\.md""", text)
    # It has links of web pages alone.
    assert links or name == "openai"
    for link in links:
        absolute = urljoin("https://here.example/documents/", link)
        assert absolute.startswith("https://here.example/documents/")
