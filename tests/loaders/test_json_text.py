"""JSON stays the text it is; every value can be quoted at its pointer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.loaders.data.json_text import structure
from pincite.loaders.extracted import Extracted
from pincite.places import NodePlace, place_of
from pincite.records import BlockKind


def values(made: Extracted) -> list[tuple[str, str]]:
    """Words and pointer of each block that can be quoted."""
    found = []
    for block in made.blocks:
        if block.kind is not BlockKind.MARKUP:
            place = place_of(made.marks, block.content.start, block.content.end)
            assert isinstance(place, NodePlace)
            found.append((block.content.of(made.text), place.path))
    return found


def test_each_value_is_quoted_with_its_key_also_on_one_line() -> None:
    made = structure('{"refund":{"refund_days":30,"a/b":"x"},"tags":["new","red"],"none":null}')
    assert values(made) == [
        ("refund", "/refund"),
        ('"refund_days":30', "/refund/refund_days"),
        ('"a/b":"x"', "/refund/a~1b"),
        ('"tags":["new","red"]', "/tags"),
        ('"none":null', "/none"),
    ]
    assert made.blocks[2].heading_path == ("refund",)
    assert made.blocks[-2].heading_path == ()


def test_small_records_of_a_list_are_rows_with_each_value_at_its_pointer() -> None:
    made = structure('[{"id": 1, "fee": 9}, {"id": 2, "fee": 8}]')
    assert values(made) == [('{"id": 1, "fee": 9}', "/0"), ('{"id": 2, "fee": 8}', "/1")]
    rows = [block for block in made.blocks if block.kind is BlockKind.TABLE_ROW]
    assert [block.group for block in rows] == [1, 1]
    start = made.text.index('"fee": 8')
    assert place_of(made.marks, start, start + 8) == NodePlace("/1/fee")


def test_larger_records_of_a_list_are_groups_of_their_own() -> None:
    made = structure('[{"id": 1, "tags": [1, 2]}, {"id": 2, "tags": [3]}]')
    rows = [block for block in made.blocks if block.kind is BlockKind.TABLE_ROW]
    assert [block.group for block in rows] == [2, 2, 3, 3]
    assert values(made)[-1] == ('"tags": [3]', "/1/tags")


def test_a_text_is_cut_where_its_escaped_line_ends_cut_it() -> None:
    text = r'{"about": "The lamp is returned within ten days.\nThe desk is not returned at all."}'
    made = structure(text)
    assert [words for words, _ in values(made)] == [
        "The lamp is returned within ten days.",
        "The desk is not returned at all.",
    ]
    assert len(made.text) == len(text)


def test_escaped_letters_are_read() -> None:
    made = structure(r'{"a": "caf\u00e9 \ud83d\ude00", "b": "\u0022 \ud83d \\u00e9"}')
    assert made.text == r'{"a": "café 😀", "b": "\u0022 \ud83d \\u00e9"}'


def test_lines_of_json_are_one_list_and_broken_ones_are_reported() -> None:
    lines = [f'{{"id": {number}}}' for number in range(12)]
    lines[3] = "{broken"
    made = structure("\n".join(lines))
    assert values(made)[3] == ('"id": 4', "/3/id")
    assert "1 line" in made.notes[0]
    assert made.text == "\n".join(lines)


def test_what_is_no_json_is_plain_text_with_a_note() -> None:
    for text in ('{"a": 1,}', '{"a": 1', "[1 2]", '{"a" 1}', "}", "words", '{"a": 1}]', "[,]"):
        made = structure(text)
        assert made.text == text
        assert "read as plain text" in made.notes[0], text


def test_too_many_values_are_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.loaders.data.json_text.MOST_TOKENS", 20)
    for text in (json.dumps(list(range(30))), '{"a": 1}\n' * 10):
        assert "too many values" in structure(text).notes[0]


def test_deep_nesting_ends() -> None:
    made = structure("[" * 100_000 + "]" * 100_000)
    assert "deep" in made.notes[0]


def test_the_title_of_the_record_is_that_of_the_document() -> None:
    assert structure('{"id": 1, "Title": "Meeting rooms"}').title == "Meeting rooms"


keys = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=5)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=90),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=20,
)


@given(documents, st.sampled_from([None, 2]), st.booleans())
def test_every_mark_stands_at_the_value_its_pointer_names(
    document: object, indent: int | None, is_ascii: bool
) -> None:
    made = structure(json.dumps(document, indent=indent, ensure_ascii=is_ascii))
    assert not made.notes
    for mark in made.marks:
        assert isinstance(mark.place, NodePlace)
        node = document
        for step in mark.place.path.split("/")[1:]:
            if isinstance(node, list):
                node = node[int(step)]
            else:
                assert isinstance(node, dict)
                node = node[step.replace("~1", "/").replace("~0", "~")]
        words = made.text[mark.start : mark.end]
        if isinstance(node, str):
            raw = structure(json.dumps([node], ensure_ascii=is_ascii)).text[2:-2]
            assert words.strip('", ') in raw or raw.strip() in words
        elif not isinstance(node, (list, dict)):
            assert words.endswith(json.dumps(node))
    for one, other in zip(made.blocks, made.blocks[1:], strict=False):
        assert one.span.end <= other.span.start
        assert not made.text[one.span.end : other.span.start].strip()


def test_a_line_separator_in_a_string_ends_no_line() -> None:
    lines = [f'{{"number": {number}, "words": "one\u2028two"}}' for number in range(30)]
    extracted = structure("\n".join([*lines[:15], "{broken", *lines[15:]]))
    assert extracted.notes == ("has 1 line of no valid JSON, which cannot be quoted",)
