"""Markdown's blocks: what each line is, under which headings, and that no line is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders.text import markdown
from pincite.loaders.text.markdown import find_blocks, find_title, plain_words
from pincite.loaders.text.regions import Region, RegionKind
from pincite.records import BlockKind

H, P, L, TH, TR, C, Q, M = (
    BlockKind.HEADING,
    BlockKind.PARAGRAPH,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_HEADER,
    BlockKind.TABLE_ROW,
    BlockKind.CODE,
    BlockKind.QUOTATION,
    BlockKind.MARKUP,
)


def contents(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, block.content.of(text)) for block in find_blocks(text)]


CASES: list[tuple[str, str, list[tuple[BlockKind, str]]]] = [
    ("headings", "# One #\n\n## Two\nText.\n", [(H, "One"), (H, "Two"), (P, "Text.")]),
    ("underlined", "One\n===\n\nTwo\nlines\n---\n", [(H, "One"), (H, "Two\nlines")]),
    ("empty heading", "#\n\n## \n", [(H, ""), (H, "")]),
    ("anchor", '## Fees<a name="fees"></a>\n', [(H, "Fees")]),
    ("attributes", "## Fees {#fees}\n## Terms <!-- omit -->\n", [(H, "Fees"), (H, "Terms")]),
    ("paragraph", "One\ntwo.\n\nThree.", [(P, "One\ntwo."), (P, "Three.")]),
    ("bullets", "- a\n* b\n+ c\n", [(L, "a"), (L, "b"), (L, "c")]),
    ("numbers", "1. a\n2. b\n   c\n", [(L, "a"), (L, "b\n   c")]),
    ("tasks", "- [ ] open\n- [x] done\n", [(L, "open"), (L, "done")]),
    ("loose item", "1. a\n\n   b\n\nc\n", [(L, "a"), (L, "b"), (P, "c")]),
    ("empty item", "- \n- a\n", [(M, "-"), (L, "a")]),
    ("fence", "```sh\nls\n\ncd\n```\n", [(M, "```sh"), (C, "ls\n\ncd"), (M, "```")]),
    ("open fence", "~~~\nls\n", [(M, "~~~"), (C, "ls")]),
    ("empty fence", "```\n```\n", [(M, "```"), (M, "```")]),
    ("indented code", "Run:\n\n    ls -l\n", [(P, "Run:"), (C, "ls -l")]),
    ("quotation", "> One\n> two.\n\nThree.", [(Q, "One\n> two."), (P, "Three.")]),
    ("alert", "> [!NOTE]\n> Keep dry.\n", [(Q, "Keep dry.")]),
    ("rule", "One.\n\n***\n", [(P, "One."), (M, "***")]),
    (
        "table",
        "| Item | Days |\n|:--|--:|\n| Lamp | 30 |\n| Bulb | 14 |\n",
        [(TH, "| Item | Days |"), (M, "|:--|--:|"), (TR, "| Lamp | 30 |"), (TR, "| Bulb | 14 |")],
    ),
    (
        "front matter",
        "---\ntitle: Fees\n---\nText.\n",
        [(M, "---\ntitle: Fees\n---"), (P, "Text.")],
    ),
    ("not front matter", "---\n\nText.\n\n---\n", [(M, "---"), (P, "Text."), (M, "---")]),
    (
        "rules are not front matter",
        "---\n\nNote: a\n\n---\n",
        [(M, "---"), (P, "Note: a"), (M, "---")],
    ),
    ("comment", "<!-- hidden -->\n\nShown.\n", [(M, "<!-- hidden -->"), (P, "Shown.")]),
    (
        "comments around",
        "<!-- a --> Shown. <!-- b -->\n",
        [(M, "<!-- a -->"), (P, "Shown."), (M, "<!-- b -->")],
    ),
    (
        "comment between",
        "Shown. <!-- hidden --> It too.\n",
        [(P, "Shown."), (M, "<!-- hidden -->"), (P, "It too.")],
    ),
    (
        "comment by itself",
        "Shown.\n<!-- hidden -->\nIt too.\n",
        [(P, "Shown."), (M, "<!-- hidden -->"), (P, "It too.")],
    ),
    (
        "comment after a colon",
        "Bring these:\n<!-- hidden -->\n- a\n",
        [(P, "Bring these:"), (M, "<!-- hidden -->"), (L, "a")],
    ),
    ("comment as code", "Write `<!-- x -->` so.\n", [(P, "Write `<!-- x -->` so.")]),
    ("html", "<div>\nShown.\n</div>\n\n<br>\n", [(P, "<div>\nShown.\n</div>"), (M, "<br>")]),
    (
        "script",
        "<script>\nlet a = 1;\n</script>\n",
        [(M, "<script>\nlet a = 1;\n</script>")],
    ),
    (
        "link definition",
        "[a]: http://x.example\n\nSee [a].\n",
        [(M, "[a]: http://x.example"), (P, "See [a].")],
    ),
    ("nul", "a\x00b\n", [(P, "a\x00b")]),
    ("line ends", "# A\r\n\r\n- b\r- c\r\r\nd\n", [(H, "A"), (L, "b"), (L, "c"), (P, "d")]),
]


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_each_line_is_what_markdown_says(text: str, expected: list[tuple[BlockKind, str]]) -> None:
    assert contents(text) == expected


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (P, "The wrench costs <!-- TODO: check --> 66 euros today."),
        (P, "The wrench costs <!-- TODO: check. Ask\nJim. --> 66 euros today."),
        (P, "The wrench costs\n<!-- TODO: check -->\n66 euros today."),
        (P, "The wrench costs\n<!-- TODO: check --> 66 euros today."),
        (P, "The wrench costs <!-- a --><!-- b --> 66 euros today."),
        (P, "The wrench costs approx. <!-- a --> 66 euros today."),
        (P, "The wrench costs <!-- not closed 66 euros today."),
        (P, "<p>The wrench costs <!-- a --> 66 euros today.</p>"),
        (P, "<div>\nThe wrench costs\n<!-- a -->\n66 euros today.\n</div>"),
        (P, "The wrench costs <b>66 euros</b> <br> today."),
        (L, "The wrench costs <!-- a --> 66 euros today."),
        (L, "The wrench costs\n  <!-- a -->\n  66 euros today."),
        (Q, "The wrench costs\n> <!-- a -->\n> 66 euros today."),
    ],
)
def test_a_sentence_around_a_comment_is_whole(kind: BlockKind, text: str) -> None:
    marker = {L: "- ", Q: "> "}.get(kind, "")
    assert contents(f"{marker}{text}\n") == [(kind, text)]


def test_a_comment_between_items_joins_nothing() -> None:
    text = "- The wrench\n<!-- a -->\n- 66 euros\n\n<p>One</p>\n<!-- b -->\n<p>Two</p>\n"
    assert [words for kind, words in contents(text) if kind is not M] == [
        "The wrench",
        "66 euros",
        "<p>One</p>",
        "<p>Two</p>",
    ]


def test_every_block_knows_the_headings_above_it() -> None:
    text = "Intro.\n# A\na\n### B\nb\n## C\nc\n# D\n- d\n"
    paths = {
        block.content.of(text): block.heading_path
        for block in find_blocks(text)
        if block.kind is not H
    }
    assert paths == {"Intro.": (), "a": ("A",), "b": ("A", "B"), "c": ("A", "C"), "d": ("D",)}


def test_a_heading_path_is_plain_words_and_the_quote_what_the_file_says() -> None:
    text = "# **Fees** for [Max\\_Size](x.md) &amp; `E27`\n"
    block = find_blocks(text)[0]
    assert block.heading_path == ("Fees for Max_Size & E27",)
    assert block.content.of(text) == "**Fees** for [Max\\_Size](x.md) &amp; `E27`"
    assert plain_words("snake_case_name * 2 * 3") == "snake_case_name * 2 * 3"


def test_nested_items_have_their_depth_and_one_list_one_number() -> None:
    text = "- a\n  1. b\n     - c\n- d\n\nText.\n\n- e\n\n| t |\n|---|\n"
    found = [(b.content.of(text), b.level, b.group) for b in find_blocks(text)]
    assert found == [
        ("a", 1, 1), ("b", 2, 1), ("c", 3, 1), ("d", 1, 1), ("Text.", 0, 0), ("e", 1, 2),
        ("| t |", 0, 3), ("|---|", 0, 3),
    ]  # fmt: skip


def test_code_inside_a_list_belongs_to_the_list() -> None:
    text = "1. Run:\n   ```\n   ls\n   ```\n2. Done.\n"
    assert {block.group for block in find_blocks(text)} == {1}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Small\n\n# Big\n", "Big"),
        ("---\ntitle: 'Front'\n---\n## Small\n", "Front"),
        ("## Small\n\nText.\n", "Small"),
        ("Text.\n", None),
        ("", None),
    ],
)
def test_the_title_is_the_first_top_heading_or_the_next_best(text: str, title: str | None) -> None:
    assert find_title(text, find_blocks(text)) == title


def test_nesting_deeper_than_the_parser_goes_is_not_lost() -> None:
    text = "".join("  " * depth + f"- item{depth}\n" for depth in range(120))
    words = " ".join(content for _, content in contents(text))
    assert all(f"item{depth}" in words for depth in range(120))
    assert "deep" in contents("> " * 500 + "deep")[-1][1]


_LINES = st.sampled_from(
    ["", "", "text", "Text. More", "# h", "## h #", "===", "---", "- a", "  - b", "1. c", "   d",
     "> q", ">", "> - x", "```", "~~~", "    code", "\tcode", "| a | b |", "|---|---|", "| c |",
     "a | b", "--- | ---", "<div>", "</div>", "<!--", "-->", "<!-- x --> y", "<script>", "[a]: b",
     "[a]:",
     "***", "+++", "- ", "-", "1.", "- [ ] t", "\x00", "\u2028x", "x\x0cy", "<a name='x'></a>",
     "[", "\\", "- *b* c", "- [l](m) d", "+ e", "2) f", "10. g", "* * *", "- - -", "___",
     "[l](m) n", "[l]: m", "_o_", "***p***", "— q", "• r", "٣. s", "\xa0", "\xa0t", "     u",
     "|c|", "|-|", "| \\| |", "| a | b", "|:--|--:| ", "|---|---|---|", "<p>", "<br> v", "<pre>",
     "<?", "<!D>", "<!-->", "<!-- w", "<!-- | -->", "> ```", "- ```", "  ```", "- <div>", "  <!--"]
)  # fmt: skip
DOCUMENTS = st.builds(
    "".join,
    st.lists(
        st.builds(str.__add__, _LINES, st.sampled_from(["\n", "\n", "\r\n", "\r"])), max_size=30
    ),
)


def read_whole(text: str, starts: Sequence[int], first: int) -> Iterator[Region]:
    yield Region(RegionKind.OTHER, first, len(starts))


@settings(max_examples=1_000, deadline=None)
@given(DOCUMENTS)
def test_what_needs_no_parser_is_read_as_the_parser_would(text: str) -> None:
    shortened = find_blocks(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "split_regions", read_whole)
        assert shortened == find_blocks(text)


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS)
def test_blocks_are_in_order_and_only_white_space_is_between_them(text: str) -> None:
    position = 0
    for block in find_blocks(text):
        assert position <= block.span.start <= block.content.start
        assert block.content.start <= block.content.end <= block.span.end
        assert not text[position : block.span.start].strip()
        position = block.span.end
    assert not text[position:].strip()
