"""XML stays the text it is; each element with words can be quoted at its path."""

from __future__ import annotations

from pincite.loaders.data.xml_text import extract, structure
from pincite.loaders.extracted import DEFAULT, Extracted
from pincite.places import NodePlace, place_of
from pincite.records import BlockKind


def values(made: Extracted) -> list[tuple[str, str]]:
    found = []
    for block in made.blocks:
        if block.kind is not BlockKind.MARKUP:
            place = place_of(made.marks, block.content.start, block.content.end)
            assert isinstance(place, NodePlace)
            found.append((block.content.of(made.text), place.path))
    return found


def test_an_element_with_words_is_quoted_at_its_path() -> None:
    made = structure("<shop><item><fee>9</fee></item><item><fee>8</fee></item><é>Ä</é></shop>")
    assert values(made) == [
        ("<fee>9</fee>", "/shop/item[1]/fee"),
        ("<fee>8</fee>", "/shop/item[2]/fee"),
        ("<é>Ä</é>", "/shop/é"),
    ]


def test_small_records_of_a_list_are_rows() -> None:
    one = "<c><name>Oslo</name><size>9</size></c>"
    two = "<c><name>Rome</name><size>7</size></c>"
    made = structure(f"<towns>\n{one}\n{two}\n</towns>")
    assert values(made) == [(one, "/towns/c[1]"), (two, "/towns/c[2]")]
    start = made.text.index("7")
    assert place_of(made.marks, start, start + 1) == NodePlace("/towns/c[2]/size")


def test_what_attributes_say_can_be_quoted() -> None:
    made = structure('<s><item fee="9" id="x"/><item id="y"/><g fee="8"><a>b</a></g></s>')
    assert [words for words, _ in values(made)] == [
        '<item fee="9" id="x"/>', '<g fee="8">', "<a>b</a>",
    ]  # fmt: skip


def test_words_around_elements_stay_one_sentence() -> None:
    made = structure("<doc><p><b>Note</b> that the lamp is <i>not</i> returned.</p></doc>")
    assert values(made) == [("<b>Note</b> that the lamp is <i>not</i> returned.", "/doc/p")]


def test_titles_are_headings_of_what_follows_in_their_part() -> None:
    made = structure("<book><sec><title>Fees</title><p>Nine</p></sec><sec><p>Ten</p></sec></book>")
    assert made.title == "Fees"
    paths = {block.content.of(made.text): block.heading_path for block in made.blocks}
    assert paths["<p>Nine</p>"] == ("Fees",)
    assert paths["<p>Ten</p>"] == ()


def test_comments_are_not_quoted() -> None:
    made = structure("<a><!-- hidden words --><b>shown</b></a>")
    assert [words for words, _ in values(made)] == ["<b>shown</b>"]


def test_the_encoding_that_is_declared_does_not_matter_once_decoded() -> None:
    data = '<?xml version="1.0" encoding="utf-16"?><a>Füße</a>'.encode("utf-16")
    assert values(extract(data, "a.xml", DEFAULT)) == [("<a>Füße</a>", "/a")]


def test_entities_are_neither_fetched_nor_expanded() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "xxxx"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    outside = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
    for text in (bomb, outside):
        made = structure(text)
        assert made.text == text
        assert "declares an entity" in made.notes[0]


def test_what_is_no_xml_is_plain_text_with_a_note() -> None:
    for text in ("<a><b></a>", "<a>", "words", "<a/><b/>", "<a>" * 300 + "</a>" * 300):
        made = structure(text)
        assert made.text == text
        assert "read as plain text" in made.notes[0]
