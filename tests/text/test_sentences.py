"""Sentence ends: a table of hard cases, then what holds for every text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.records import Block, BlockKind, Sentence, Span
from pincite.text.sentences import MAXIMUM_LENGTH, split_sentences


def paragraph(text: str, kind: BlockKind = BlockKind.PARAGRAPH) -> Block:
    return Block(kind, Span(0, len(text)), Span(0, len(text)))


def quotes(text: str, language: str = "en", kind: BlockKind = BlockKind.PARAGRAPH) -> list[str]:
    sentences = split_sentences(text, [paragraph(text, kind)], language)
    return [sentence.quote.of(text) for sentence in sentences]


# Each case is the list of its sentences; the text is these with one space between them.
ENGLISH = [
    ["Returns are free.", "Refunds take five days."],
    ["Ask Dr. Lena Okafor first.", "She knows."],
    ["Mr. and Mrs. Tan met Prof. Ito.", "They agreed."],
    ["Use a soft cloth, e.g. Cotton or linen.", "Wipe twice."],
    ["Large parcels, i.e. Those over 30 kg, cost more.", "Ask us."],
    ["We sell bulbs, lamps, cables etc. in two shops.", "Both are open."],
    ["We sell bulbs, lamps, etc.", "Prices vary."],
    ["See item No. 5 in the list.", "It is marked."],
    ["Is the fee due?", "No.", "The first year is free."],
    ["Fig. 3 shows the switch.", "Eq. 4 gives the load."],
    ["The load follows Eq. A and App. B of the manual.", "Read both."],
    ["It weighs approx. 3.5 kg.", "The cable is 2.25 m long."],
    ["See vol. 2, pp. 14 and p. 20.", "The rest is older."],
    ["The U.S. Army bought some.", "The U.K. did not."],
    ["We ship to the U.S.", "The fee is 9 euros."],
    ["Doors open at 9 a.m. Monday to Friday.", "They close at 5 p.m.", "The café stays open."],
    ["J. K. Rowling and C. S. Lewis wrote.", "We read."],
    ["Choose plan B.", "Then pay."],
    ["Take vitamin C.", "Iron comes later."],
    ["He knew more than I.", "Then he left."],
    ["The price rose 3.5 mm per step in version 2.0.", "Version 2.1.3 fixed it."],
    ["Open https://example.com/help.", "Choose a topic."],
    ["Edit config.yaml and run main.py.", "Restart the service."],
    ["ASP.NET needs .NET 8.", "Node.js does not."],
    ["The site uses ASP.NET.", "Microsoft makes it."],
    ["Wait…", "There is more.", "And then…", "Nothing came."],
    ["Wait...", "Something moved."],
    ["The words [...] were left out.", "So be it."],
    ["She said “Stop.”", "He stopped."],
    ['"Is it open?" he asked.', "It was."],
    ["(See the label.)", "It lists the codes."],
    ["**Note.**", "Keep the box."],
    ["*Keep dry.*", "_Do not freeze._", "`Reset` clears all."],
    ["[Read the terms.](https://example.com/terms)", "They are short."],
    ["The lake is deep.[12]", "Its shore is long.[^3]", "Boats sail."],
    ["Really?!", "Yes!", "It works."],
    ["1. Unplug the lamp.", "Wait ten minutes."],
    ["Step 2. Press the button.", "Hold it."],
    ["Section 4.1. Fees are due monthly.", "Interest applies."],
    ["It recurs every year .", "Any change counts ."],
    ["He wrote `` yes . ''", "She read it ."],
    ["Born in 1990.", "25 people came."],
    ["The firm, Acme Inc. of Oslo, closed.", "Its rival, Bolt Ltd. Berlin, grew."],
    ["It was made by Acme Inc.", "The firm is old."],
    ["St. Peter and Mt. Fuji are far.", "Ft. Worth is not."],
    ["Pay by Jan. 5 or Feb. 10.", "No fee applies."],
    ["Tap the app.", "Close the tab.", "Enjoy modern art.", "Look at the sun.", "Bob sat."],
    ["Smith et al. (2010) agree.", "Jones et al. Found nothing."],
    ["Jane Roe, Ph.D. Professor of law, spoke.", "We listened."],
    ["She starred in Boom! (1998) and in What? (2001).", "Then she retired."],
    ["Prices: $5.", "Delivery: free."],
    ["the shop opens early.", "the café opens late."],
    ["is it on?", "then press it."],
    ["Escaped stops end too\\.", "This is Markdown\\."],
    ["World War II.", "Churchill spoke."],
    ["The bridge is 300 ft. long.", "It is old."],
    ["Keep it cool (approx. 5 °C).", "Do not freeze it."],
    ["Use <b>care.</b>", "Stay safe."],
]

# fmt: off
OTHER_LANGUAGES = [
    ("de", ["Am 3. Oktober ist geschlossen.", "Das gilt auch am 24. Dezember."]),
    ("de", ["Das gilt z.B. Montags bzw. Dienstags.", "Nr. 5 ist frei."]),
    ("de", ["Es war im 19. Jahrhundert.", "Heinrich VIII. König von England regierte."]),
    ("de", ["Der Preis stieg auf 15.", "Die Miete blieb."]),
    ("fr", ["M. Dupont habite ici.", "Voir art. 5 et p. 12.", "Quoi ?", "Rien."]),
    ("fr", ["« Bonjour. »", "Il sourit."]),
    ("es", ["El Sr. Ruiz vive en EE. UU. desde 2010.", "¿Quién es?", "¡Nadie!"]),
    ("pt", ["O Dr. Silva chegou.", "A pág. 5 falta."]),
    ("it", ["Il sig. Rossi e il Dott. Neri partono.", "Tornano domani."]),
    ("ru", ["А. С. Пушкин родился в 1799 г. в Москве.", "Он писал стихи."]),
    ("nl", ["Dhr. Jansen komt bijv. morgen.", "Hij blijft."]),
    ("el", ["Πού είναι;", "Εδώ είναι."]),
    ("hi", ["दुकान खुली है।", "डॉ. सिंह आए।"]),
    ("ar", ["هل المتجر مفتوح؟", "نعم، هو مفتوح.", "شكرا."]),
    ("hy", ["Խանութը բաց է։", "Արի։"]),
]
UNSPACED = [
    ("zh", ["商店九点开门。", "你来吗？", "来！"]),
    ("zh", ["他说：“好。”", "然后走了。"]),
    ("zh", ["价格是3.5元。", "第2.1版更新了。"]),
    ("ja", ["「はい。」と答えた。", "そして帰った。"]),
    ("ja", ["開店は九時です。", "（土曜は休み。）", "要予約。"]),
]
# fmt: on


@pytest.mark.parametrize("sentences", ENGLISH, ids=lambda case: case[0][:30])
def test_english_ends_where_a_reader_would_stop(sentences: list[str]) -> None:
    assert quotes(" ".join(sentences)) == sentences


@pytest.mark.parametrize(("language", "sentences"), OTHER_LANGUAGES)
def test_other_languages_end_where_a_reader_would_stop(language: str, sentences: list[str]) -> None:
    assert quotes(" ".join(sentences), language) == sentences


@pytest.mark.parametrize(("language", "sentences"), UNSPACED)
def test_scripts_without_spaces_end_at_their_own_stops(language: str, sentences: list[str]) -> None:
    assert quotes("".join(sentences), language) == sentences


def test_a_line_end_inside_a_paragraph_does_not_end_a_sentence() -> None:
    assert quotes("Return it within\n30 days. Keep the\r\nlabel.") == [
        "Return it within\n30 days.",
        "Keep the\r\nlabel.",
    ]


def test_a_line_end_that_shows_ends_a_sentence() -> None:
    assert quotes("Name: Lamp  \nPrice: 5\\\nWeight: 2 kg\n\nEnd") == [
        "Name: Lamp",
        "Price: 5\\",
        "Weight: 2 kg",
        "End",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The wrench costs  \n66 euros today.",
        "The wrench costs\\\n66 euros today.",
        "The wrench costs<br>\nParis 66 euros.",
        "The wrench\ncosts\n<br>\n66 euros.",
    ],
)
def test_a_line_end_that_shows_does_not_cut_a_sentence_that_goes_on(text: str) -> None:
    assert quotes(text) == [text]


def test_an_emphasised_line_does_not_go_on() -> None:
    assert quotes("**To weigh an instance by its cost**  \nConsider 2 of them.") == [
        "**To weigh an instance by its cost**",
        "Consider 2 of them.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The wrench costs <!-- TODO. Check. This --> 66 euros.",
        "The wrench costs <!-- a.\n\nB. --> 66 euros.",
        'The wrench costs <img alt="Big. Red. Wrench"> 66 euros.',
        "The wrench costs approx. <b>66</b> euros.",
        "The wrench costs approx. <!-- now --> 66 euros.",
    ],
)
def test_stops_inside_comments_and_tags_end_nothing(text: str) -> None:
    assert quotes(text) == [text]


def test_a_sentence_may_begin_with_a_tag() -> None:
    assert quotes("It is red. <b>The</b> lamp is not. It is x<y. But z is.") == [
        "It is red.",
        "<b>The</b> lamp is not.",
        "It is x<y.",
        "But z is.",
    ]


def test_the_mark_of_a_quotation_is_in_no_quote_but_inside_one_it_stays() -> None:
    text = "> First. Second goes\n> on.\n> Third."
    block = Block(BlockKind.QUOTATION, Span(0, len(text)), Span(2, len(text)))
    found = split_sentences(text, [block], "en")
    assert [sentence.quote.of(text) for sentence in found] == [
        "First.",
        "Second goes\n> on.",
        "Third.",
    ]


@pytest.mark.parametrize("kind", [BlockKind.HEADING, BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER])
def test_headings_and_rows_are_one_sentence(kind: BlockKind) -> None:
    assert quotes("Fees. Terms. Dates.", kind=kind) == ["Fees. Terms. Dates."]


def test_code_is_a_sentence_a_line_and_layout_has_nothing_to_quote() -> None:
    assert quotes("run. Now.\n\n  stop", kind=BlockKind.CODE) == ["run. Now.", "stop"]
    assert quotes("-----", kind=BlockKind.MARKUP) == [""]


def test_markers_and_gaps_belong_to_spans_but_to_no_quote() -> None:
    text = "\n- Lamp.\n\n  - Bulb. Cable.\n"
    blocks = [
        Block(BlockKind.LIST_ITEM, Span(1, 8), Span(3, 8), level=1, group=1),
        Block(BlockKind.LIST_ITEM, Span(10, 26), Span(14, 26), level=2, group=1),
    ]
    found = split_sentences(text, blocks, "en")
    assert [(text[s.start : s.end], s.quote.of(text)) for s in found] == [
        ("\n- Lamp.\n\n", "Lamp."),
        ("  - Bulb. ", "Bulb."),
        ("Cable.\n", "Cable."),
    ]


def test_the_second_of_two_equal_sentences_keeps_its_own_place() -> None:
    text = "Fees rise. Fees rise. 👋 Bye."
    found = split_sentences(text, [paragraph(text)], "en")
    assert [(s.quote.start, s.quote.end) for s in found] == [(0, 10), (11, 21), (22, 28)]


def test_no_text_has_no_sentence_and_white_space_has_no_quote() -> None:
    assert split_sentences("", [], "und") == []
    assert split_sentences(" \n", [], "und") == [Sentence(0, 2, Span(0, 0), BlockKind.MARKUP)]


def test_thai_is_cut_at_spaces_once_a_clause_is_long() -> None:
    clause = "ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้าถึงหกโมงเย็นและมีที่จอดรถสำหรับลูกค้าทุกคนที่มาซื้อของ"
    assert quotes(f"{clause} {clause}", "th") == [clause, clause]


def test_what_has_no_stop_is_cut_at_a_clause_or_a_space() -> None:
    clauses = quotes("lamp and bulb; " * 200)
    words = quotes("lamp " * 500)
    assert all(len(quote) <= MAXIMUM_LENGTH for quote in clauses + words)
    assert all(quote.endswith(";") for quote in clauses)
    assert all(quote.endswith("lamp") for quote in words)


def test_a_hard_cut_parts_no_line_end_and_no_visible_character() -> None:
    accented = "e\u0301" * 2_000
    assert all(not quote.startswith("\u0301") for quote in quotes(accented))
    text = "x" * 999 + "\r\n" + "y" * 999
    found = split_sentences(text, [paragraph(text)], "en")
    assert all(text[s.end - 1 : s.end + 1] != "\r\n" for s in found)


_PIECES = st.sampled_from(
    ["A", "b", "Dr", "No", "5", "é", "。", "「", "」", "！", "?", ".", "…", "'", '"', ")", "(",
     "[1]", " ", "  ", "\n", "\r\n", "\r", "\t", "\\", ">", "`", "*", ";", "\x00", "\u0301", "क",
     "।", "ร", "\ud83d", "👋", "<br>", "<!--", "-->", "<a b=\"", "](x)", "''", "word" * 60]
)  # fmt: skip
TEXTS = st.lists(_PIECES, max_size=80).map("".join)


@st.composite
def texts_with_blocks(draw: st.DrawFn) -> tuple[str, list[Block]]:
    text = draw(TEXTS)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    blocks = []
    for start, end in zip(places[::2], places[1::2], strict=False):
        inner = draw(st.tuples(st.integers(start, end), st.integers(start, end)))
        kind = draw(st.sampled_from(list(BlockKind)))
        blocks.append(Block(kind, Span(start, end), Span(min(inner), max(inner))))
    return text, blocks


@settings(max_examples=300, deadline=None)
@given(texts_with_blocks(), st.sampled_from(["en", "de", "ja", "th", "el", "hi", "und"]))
def test_sentences_partition_every_text(case: tuple[str, list[Block]], language: str) -> None:
    text, blocks = case
    position = 0
    for sentence in split_sentences(text, blocks, language):
        assert sentence.start == position
        assert sentence.start < sentence.end <= sentence.start + MAXIMUM_LENGTH
        assert sentence.start <= sentence.quote.start <= sentence.quote.end <= sentence.end
        quote = sentence.quote.of(text)
        assert quote == quote.strip()
        position = sentence.end
    assert position == len(text)


def test_no_sentence_goes_on_over_a_paragraph_separator() -> None:
    text = "Opening hours of\u2029the shop in Ghent. Closed on\u2028Sundays\u2029\u2029"
    assert quotes(text) == ["Opening hours of", "the shop in Ghent.", "Closed on\u2028Sundays"]


@pytest.mark.parametrize("line_end", ["\x85", "\u2028", "\u2029"])
def test_a_stop_before_any_line_end_is_a_stop(line_end: str) -> None:
    assert quotes(f"Returns are free.{line_end}Refunds take five days.") == [
        "Returns are free.",
        "Refunds take five days.",
    ]
