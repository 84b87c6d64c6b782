"""YAML stays the text it is; values, long texts and comments can be quoted."""

from __future__ import annotations

from pincite.loaders.data.yaml_text import structure
from pincite.loaders.extracted import Extracted
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


def test_values_stand_with_their_keys_under_the_keys_around_them() -> None:
    made = structure("refund:\n  days: 30\n  tags: [a, b]\nitems:\n- name: Lamp\n  fee: 9.50\n")
    assert values(made) == [
        ("refund", "/refund"),
        ("days: 30", "/refund/days"),
        ("tags: [a, b]", "/refund/tags"),
        ("items", "/items"),
        ("name: Lamp\n  fee: 9.50", "/items/0"),
    ]
    assert made.blocks[1].heading_path == ("refund",)


def test_a_long_text_is_prose_a_paragraph_for_each_part() -> None:
    made = structure("note: |\n  The refund is paid to the card.\n\n  It takes ten days or more.\n")
    assert values(made) == [
        ("The refund is paid to the card.", "/note"),
        ("It takes ten days or more.", "/note"),
    ]


def test_comments_can_be_quoted() -> None:
    made = structure("# Paid within thirty days\n# of the return.\nfee: 9 # before tax\n")
    assert [words for words, _ in values(made)] == [
        "Paid within thirty days\n# of the return.", "fee: 9", "before tax",
    ]  # fmt: skip


def test_aliases_are_not_expanded() -> None:
    lines = ["a0: &a0 [x, x, x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 30)]
    text = "\n".join(lines)
    made = structure(text)
    assert made.text == text
    assert len(made.blocks) < 300


def test_several_documents_are_a_list() -> None:
    assert values(structure("a: 1\n---\nb: 2\n"))[1] == ("b: 2", "/1/b")


def test_a_key_that_is_a_list_or_has_no_value_does_no_harm() -> None:
    made = structure("? [k1, k2]\n: v\nempty:\n{a: b}: c\n")
    assert made.text.startswith("? [k1")
    assert ("empty:", "/empty") in values(structure("empty:\nfull: 1\n"))


def test_tags_are_not_acted_on() -> None:
    made = structure("a: !!python/object/apply:os.system ['true']\n")
    assert not made.notes


def test_what_is_no_yaml_is_plain_text_with_a_note() -> None:
    for text in ("a: [1, 2", "a: b: c", "\tx: 1", "[" * 5000, "a: \x01"):
        made = structure(text)
        assert made.text == text
        assert "read as plain text" in made.notes[0]
