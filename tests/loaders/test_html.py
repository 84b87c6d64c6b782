"""The words of a web page as a reader sees them, each with its exact place in the source."""

from __future__ import annotations

import html
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.web.html import decode_page, extract
from pincite.places import ElementPlace, place_of
from pincite.records import BlockKind


def read(source: str, name: str = "page.html") -> Extracted:
    return extract(source.encode(), name, DEFAULT)


def lines(source: str, name: str = "page.html") -> list[tuple[str, str]]:
    """Kind and words of each block."""
    made = read(source, name)
    return [(block.kind.value, block.span.of(made.text)) for block in made.blocks]


def place(source: str, words: str, name: str = "page.html") -> ElementPlace:
    made = read(source, name)
    start = made.text.index(words)
    found = place_of(made.marks, start, start + len(words))
    assert isinstance(found, ElementPlace)
    return found


def test_blocks_are_what_the_elements_say() -> None:
    page = """<!DOCTYPE html><title>Shop &amp; Co</title>
    <h1>Fees</h1><p>Nine <b>euros</b> a
       month.<p>No deposit.
    <ul><li>Lamp<li>Desk<ul><li>Small</ul></ul>
    <ol start=3><li>Pay<li value=7>Collect</ol>
    <blockquote>Good desks.</blockquote><pre>
one
  two</pre>"""
    assert lines(page) == [
        ("heading", "Fees"),
        ("paragraph", "Nine euros a month."),
        ("paragraph", "No deposit."),
        ("list_item", "- Lamp"),
        ("list_item", "- Desk"),
        ("list_item", "- Small"),
        ("list_item", "3. Pay"),
        ("list_item", "7. Collect"),
        ("quotation", "Good desks."),
        ("code", "one\n  two"),
    ]
    made = read(page)
    assert made.title == "Shop & Co"
    assert [block.heading_path for block in made.blocks][1] == ("Fees",)
    assert [block.level for block in made.blocks if block.kind is BlockKind.LIST_ITEM] == [
        1, 1, 2, 1, 1,
    ]  # fmt: skip


def test_the_place_is_the_element_the_id_around_it_and_the_markup_of_the_words() -> None:
    page = '<body><div id="fees"><p>One.</p><p>A fee of <b>9&nbsp;&euro;</b>  is due.</p></div>'
    found = place(page, "fee of 9\xa0€ is")
    assert found.path == "/html/body/div/p[2]"
    assert found.id == "fees"
    assert page[found.start : found.end] == "fee of <b>9&nbsp;&euro;</b>  is"


def test_the_id_of_a_heading_may_stand_on_its_words() -> None:
    assert place('<h2><span id="History">History</span></h2>', "History").id == "History"


def test_words_in_a_table_are_rows_with_the_heads_of_their_columns() -> None:
    page = """<table><caption>Prices</caption>
    <thead><tr><th>Item<th>Fee</thead>
    <tr><td>Lamp<td>9 euros</tr><tr><td rowspan=2>Desk<td>20 euros<tr><td>30 euros</table>"""
    assert lines(page) == [
        ("paragraph", "Prices"),
        ("table_header", "Item | Fee"),
        ("table_row", "Item: Lamp; Fee: 9 euros"),
        ("table_row", "Item: Desk; Fee: 20 euros"),
        ("table_row", "Item: Desk; Fee: 30 euros"),
    ]
    # What is repeated from elsewhere does not move the place of a row.
    assert place(page, "Item: Lamp; Fee: 9 euros").path == "/html/body/table/tbody/tr[1]"
    assert place(page, "30 euros").path == "/html/body/table/tbody/tr[3]/td"


def test_heads_over_several_columns_and_rows_go_with_their_values() -> None:
    page = """<table><tr><th rowspan=2>Year<th colspan=2>Sales<tr><th>North<th>South
    <tr><th>2024<td>5<td>6</table>"""
    assert lines(page)[-1] == (
        "table_row", "Year: 2024; Sales North: 5; Sales South: 6",
    )  # fmt: skip


def test_a_table_without_heads_is_rows_and_one_that_lays_out_the_page_is_not() -> None:
    assert lines("<table><tr><td>Lamp<td>9<tr><td>Desk<td>20</table>") == [
        ("table_row", "Lamp | 9"),
        ("table_row", "Desk | 20"),
    ]
    layout = "<table><tr><td><h1>Fees</h1><p>Nine euros.</p><td>More</table>"
    assert [kind for kind, _ in lines(layout)] == ["heading", "paragraph", "paragraph"]


def test_a_row_whose_first_cell_is_its_head_names_the_value() -> None:
    assert lines("<table><tr><th>Warranty<td>24 months</table>") == [
        ("table_row", "Warranty: 24 months")
    ]


def test_a_term_goes_with_its_description() -> None:
    assert lines(
        "<dl><dt>Warranty<dd>24 months<dd>Parts only<dt>Fee<dd><ul><li>none</ul></dl>"
    ) == [
        ("list_item", "Warranty: 24 months"),
        ("list_item", "Parts only"),
        ("list_item", "Fee"),
        ("list_item", "- none"),
    ]


def test_navigation_is_kept_and_not_quotable() -> None:
    page = "<nav><a href=/>Home</a> <a href=/a>About us</a></nav><main><p>Words.</p></main>"
    assert lines(page) == [("markup", "Home About us"), ("paragraph", "Words.")]


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display:none">{}</p>',
        "<p hidden>{}</p>",
        "<div style='visibility: hidden'><p>{}</p></div>",
        '<span style="font-size:0">{}</span>',
        '<span style="color:#fff; background: white">{}</span>',
        '<span style="position:absolute; left:-9999px">{}</span>',
        "<style>.gone, #x {{ display: none }}</style><p class='a gone'>{}</p>",
        "<style>#x {{ display: none }}</style><p id=x>{}</p>",
        "<dialog>{}</dialog>",
        "<del>{}</del>",
        "<s><a href=x>{}</a></s>",
        '<p style="font-size:.4px">{}</p>',
        '<p style="clip-path: inset(100%)">{}</p>',
        '<p style="transform: scale(0)">{}</p>',
        '<p style="content-visibility:hidden">{}</p>',
        '<p style="color:#fefefe">{}</p>',
        "<style>.pale {{ color: white }}</style><p class=pale>{}</p>",
        "<style>@media screen {{ .gone {{ display: none }} }}</style><p class=gone>{}</p>",
        "<style>a[href='}}'] {{}} .gone {{ display: none }}</style><p class=gone>{}</p>",
        "<style>@media print {{ p {{ }} }} .gone {{ display: none }}</style><p class=gone>{}</p>",
        "<font color=white>{}</font>",
        "<div popover>{}</div>",
    ],
)
def test_what_a_reader_does_not_see_is_left_out_and_reported(hidden: str) -> None:
    made = read(f"<p>Seen.</p>{hidden.format('ninety nine years')}<p>Also seen.</p>")
    assert made.text == "Seen.\n\nAlso seen.\n"
    assert made.notes[0].startswith("left out: 3 words that the page does not show")


def test_white_words_are_seen_where_something_has_a_ground() -> None:
    page = '<div style="background:navy"><p style="color:white">Seen.</p></div>'
    assert read(page).text == "Seen.\n"


def test_a_raised_digit_after_a_number_is_no_digit_of_it() -> None:
    page = "<p>The fee is 50<sup>1</sup> for 10<sup><a href=#n>6</a></sup> m<sup>2</sup>.</p>"
    made = read(page)
    assert made.text == "The fee is 50¹ for 10⁶ m2.\n"
    at = made.text.index("¹")
    where = place_of(made.marks, at, at + 1)
    assert isinstance(where, ElementPlace)
    assert page[where.start : where.end] == "1"


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("It costs 50.<sup>1</sup> Ask.", "It costs 50.¹ Ask."),
        ("1,000,<sup>2</sup> and 50%<sup>3</sup>", "1,000,² and 50%³"),
        ("50 €<sup>1</sup> or 60<sup>1</sup>,<sup>2</sup>", "50 €¹ or 60¹,²"),
        ("<sup>1</sup>50 euros, <sup>2</sup>60 euros", "¹50 euros, ²60 euros"),
        ("50<sup>1</sup><sup>2</sup> euros", "50¹² euros"),
        ("101<sub>2</sub> is five, log<sub>2</sub>8 is three", "101₂ is five, log₂8 is three"),
        ("H<sub>2</sub>O, CO<sub>2</sub> and m<sup>2</sup>", "H2O, CO2 and m2"),
        ("3<sup>5</sup>&frasl;<sub>8</sub> inch", "3⁵⁄8 inch"),
        ('$12<span style="vertical-align: super">99</span>', "$12⁹⁹"),
        ("the 1<sup>st</sup> of 3", "the 1st of 3"),
        ("<math><msup><mn>10</mn><mn>3</mn></msup></math> is", "10³ is"),
        ("<math><msup> <mn>10</mn> <mrow><mo>-</mo><mn>3</mn></mrow></msup></math>", "10⁻³"),
        ("<math><mn>2</mn><mfrac><mn>1</mn><mrow><mn>2</mn></mrow></mfrac></math>", "2 1/2"),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>5 kg", "1/2 5 kg"),
        ("<math><msqrt><mn>2</mn></msqrt><mn>5</mn></math>", "√2 5"),
        (
            "<math><munderover><mo>∑</mo><mn>1</mn><mn>10</mn></munderover><mn>5</mn></math>",
            "∑₁¹⁰5",
        ),
        (
            "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>",
            "(a+1)/2",
        ),
        ("<math><mtable><mtr><mtd><mn>1</mn><mtd><mn>2</mn></mtable></math>", "1 2"),
        ("<math><mphantom><mn>9</mn></mphantom><mn>5</mn></math>", "5"),
        (
            '50<b style="vertical-align: .4em">1</b> and 5<b style="vertical-align:1px">0</b>',
            "50¹ and 50",
        ),
        ('50<b style="position: relative; top: -4px">1</b> euros', "50¹ euros"),
        ("<style>.n{vertical-align:super}</style>50<b class=n>1</b> euros", "50¹ euros"),
        ("<style>.c{font-size:60%;vertical-align:top}</style>$12<b class=c>99</b>", "$12⁹⁹"),
        ("<style>sup{vertical-align:baseline}</style>50<sup>1</sup> euros", "50¹ euros"),
        (
            "50.-<sup>1</sup> or 50–<sup>2</sup> or 50&#8203;<sup>3</sup>",
            "50.-¹ or 50–² or 50\u200b³",
        ),
        ("५०<sup>१</sup> and <sup>１</sup>50", "५०¹ and ¹50"),
    ],
)
def test_digits_that_stand_higher_or_lower_make_no_other_number(page: str, shown: str) -> None:
    assert read(f"<p>{page}</p>").text == f"{shown}\n"


@pytest.mark.parametrize(
    "page",
    [
        '<div style="font-size:0"><span style="font-size:16px">Nine euros.</span></div>',
        "<style>.row{font-size:0}.cell{font-size:16px}</style>"
        "<div class=row><div class=cell>Nine euros.</div></div>",
        '<div style="visibility:hidden"><p style="visibility:visible">Nine euros.</p></div>',
        '<p style="color:#fff"><span style="color:#000">Nine euros.</span></p>',
        '<table style="font-size:0"><tr><td style="font-size:12px">Nine euros.</table>',
        '<s style="text-decoration:none">Nine euros.</s>',
        "<style>del{text-decoration:none}</style><del>Nine euros.</del>",
        "<style media=print>.n{display:none}</style><p class=n>Nine euros.</p>",
        "<style>.tab{display:none}.tab.open{display:block}</style>"
        '<div class="tab open">Nine euros.</div>',
        "<style>[hidden]{display:block}</style><p hidden>Nine euros.</p>",
        '<p style="clip-path:inset(50% 0 0 0)">Nine euros.</p>',
        '<p hidden style="display:block">Nine euros.</p>',
        "<style>.w{display:none}@media (min-width:600px){.w{display:block}}</style>"
        "<p class=w>Nine euros.</p>",
        "<style>@media (max-width:600px){.w{display:none}}</style><p class=w>Nine euros.</p>",
        '<h1 style="background:linear-gradient(red,blue);background-clip:text;color:transparent">'
        "Nine euros.</h1>",
        "<style>.t{color:transparent}.k{-webkit-background-clip:text}</style>"
        '<h1 class="t k">Nine euros.</h1>',
        '<p style="margin-left:108pt;text-indent:-108.0pt">Nine euros.</p>',
        "<style>.in{opacity:0;animation:in 1s forwards}</style><p class=in>Nine euros.</p>",
        '<p style="position:absolute;width:0;height:0">Nine euros.</p>',
        '<style type="text/less">.x{display:none}</style><p class=x>Nine euros.</p>',
        "<template><style>.x{display:none}</style></template><p class=x>Nine euros.</p>",
        "<style>.x{color:red;.y{display:none}}</style><p class=y>Nine euros.</p>",
    ],
)
def test_what_an_element_or_a_rule_shows_again_is_read(page: str) -> None:
    assert read(page).text == "Nine euros.\n"


@pytest.mark.parametrize(
    "page",
    [
        'It is <span style="text-decoration: line-through">nine</span> ten.',
        'It is <span style="text-decoration-line:line-through">nine</span> ten.',
        "<style>.old{text-decoration:line-through red}</style>It is <b class=old>nine</b> ten.",
        'It is <del>nine<b style="text-decoration:none"> to</b></del> ten.',
        "<style>.a{text-decoration:none}</style>"
        'It is <i style="display:none" class=a>nine</i> ten.',
        '<div style="font-size:0">one <i style="font-size:50%">two</i></div>It is ten.',
        "<style>.tab.shut{display:none}</style>It is <b class='tab shut'>nine</b> ten.",
        '<p style="font-size:0"><script style="font-size:9px">1</script></p>It is ten.',
    ],
)
def test_what_any_style_strikes_through_or_hides_for_good_is_not_quoted(page: str) -> None:
    assert read(f"<body>{page}").text == "It is ten.\n"


def test_numbers_that_a_style_puts_below_each_other_are_not_made_one() -> None:
    page = '<span style="display:block">30</span><span style="display:block">40</span>'
    assert read(f"<p>{page}</p>").text == "30 40\n"


@pytest.mark.parametrize(
    ("sheet", "is_shown"),
    [
        (".a.b{display:none}.a.c{display:block}", True),
        (".a.b{display:block}.a.c{display:none}", False),
        (".b{display:none}.c{display:block}", True),
        (".b{display:block}.c{display:none}", False),
        (".c{display:none!important}.c{display:block}", False),
        (".c{display:block!important}#x{display:none}", True),
        ("#x{display:block}.a.b.c{display:none}", True),
        (".a.b{display:block}.c{display:none}", True),
        ("p.c{display:block}.c{display:none}", True),
        (".c{display:none}p{display:block}", False),
    ],
)
def test_of_rules_that_say_otherwise_the_one_that_a_browser_follows_counts(
    sheet: str, is_shown: bool
) -> None:
    page = f"<style>{sheet}</style><p id=x class='a b c'>Nine euros.</p>"
    assert read(page).text == ("Nine euros.\n" if is_shown else "")


def test_a_style_that_is_marked_as_important_counts_before_an_element_s_own() -> None:
    sheet = "<style>.no{display:none!important}.yes{display:block!important}</style>"
    page = '<p class=no style="display:block">No.</p><p class=yes style="display:none">Yes.</p>'
    assert read(sheet + page).text == "Yes.\n"


def test_scripts_styles_templates_and_comments_are_no_words() -> None:
    page = (
        "<script>if (a < b) '<p>script</p>'</script><style>p{}</style><noscript>none</noscript>"
        "<template><p>later</p></template><textarea>typed <b></textarea>"
        "<p>Seen<!-- not this -->.</p>"
    )
    made = read(page)
    assert made.text == "Seen.\n"
    assert made.notes == ("left out: 2 words in comments",)


def test_a_rule_for_paper_only_hides_nothing() -> None:
    page = "<style>@media print { .x { display: none } }</style><p class=x>Seen.</p>"
    assert lines(page) == [("paragraph", "Seen.")]


def test_a_forced_line_end_stays_and_two_begin_a_paragraph() -> None:
    assert read("<p>Main St. 1<br>\nSpringfield<br><br>Open daily.").text == (
        "Main St. 1  \nSpringfield\n\nOpen daily.\n"
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("<p>Gebühr".encode("utf-16"), "Gebühr"),
        ('<meta charset="windows-1251"><p>Цена'.encode("cp1251"), "Цена"),
        ('<meta charset="iso-8859-1"><p>“9 €”'.encode("cp1252"), "“9 €”"),
        ('<meta charset="iso-8859-1"><p>“9 €”'.encode(), "“9 €”"),
        ('<meta charset="utf-16"><p>Gebühr'.encode(), "Gebühr"),
        (b'<meta charset="rot13"><p>Fee', "Fee"),
        ('<?xml version="1.0" encoding="Shift_JIS"?><html><p>料金'.encode("cp932"), "料金"),
        (
            b'<meta http-equiv=x content="text/html; charset=EUC-JP"><p>' + "料金".encode("euc_jp"),
            "料金",
        ),
    ],
)
def test_the_encoding_is_what_the_page_says_where_that_can_be(data: bytes, words: str) -> None:
    assert extract(data, "a.html", DEFAULT).text == f"{words}\n"


def test_markup_that_is_broken_loses_no_words() -> None:
    assert lines(
        "<p>a < b & c &copy; &unknown; <3 <b>bold <i>both</b> still</i><p>end <a href='x"
    ) == [
        ("paragraph", "a < b & c © &unknown; <3 bold both still"),
        ("paragraph", "end <a href='x"),
    ]
    assert lines("<table><tr><td>a</b></td></div><td>b</table></p>c") == [
        ("table_row", "a | b"),
        ("paragraph", "c"),
    ]


def test_in_xhtml_an_empty_tag_is_closed() -> None:
    page = '<html><body><script src="a.js"/><p><a id="x"/>Words.</p><p/><p>More</p></body></html>'
    assert lines(page, "a.xhtml") == [("paragraph", "Words."), ("paragraph", "More")]
    assert place(page, "More", "a.xhtml").path == "/html/body/p[3]"


@pytest.mark.parametrize("depth", [10_000, 100_000])
def test_deep_nesting_loses_no_words(depth: int) -> None:
    made = read("<div>a " * depth + "<p>Deep.</p>" + "</div>" * depth + "<p>After.</p>")
    assert made.text.count("a\n") == depth
    assert made.text.endswith("Deep.\n\nAfter.\n")
    assert (
        max(len(mark.place.path) for mark in made.marks if isinstance(mark.place, ElementPlace))
        < 1000
    )


@pytest.mark.parametrize(
    "piece",
    [
        "<!--", "<a b='", '<a b=">" ', "<p a", "</", "<![", "<title>", "&#", "<table><td>",
        "<p><table>", "<table><tr><td><p>x</table", "<b><p>", "<svg><a>", "<li><ul>", "<ol><li>",
        "<select><option>", "<a><div></b>", "<span></p>", "<h1><td>", "x" * 9, "  ", "<dt>x",
        "<td rowspan=65534 colspan=1000>x",
    ],
)  # fmt: skip
def test_hostile_markup_is_read_to_its_end_and_the_text_does_not_outgrow_it(piece: str) -> None:
    # Were the time to grow with the square of the size, the run would be stopped.
    source = "<table>" * 3 + piece * 30_000
    assert len(read(source).text) <= 4 * len(source) + 2_000_000


def test_a_page_without_words_for_its_size_is_reported() -> None:
    made = read(f"<p>Loading</p><script>{'x();' * 10_000}</script>")
    assert "only 8 characters" in made.notes[0]


def test_a_page_of_too_many_pieces_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.loaders.web.html_page.MOST_STRETCHES", 2)
    made = read("<p>One</p><p>Two</p><p>Three</p><p>Four</p>")
    assert made.text == "One\n\nTwo\n\nThree\n"
    assert "read only in part: the first 32 characters of its source of 43" in made.notes[0]


def test_a_page_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.loaders.web.html.MAXIMUM_BYTES", 10)
    with pytest.raises(UnreadableContent, match="split it"):
        read("<p>eleven characters")


_TAGS = ("p", "b", "li", "ul", "td", "tr", "table", "th", "h2", "pre", "div", "dl", "dt", "dd", "a")
_parts = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in _TAGS] + [f"</{tag}>" for tag in _TAGS] + ["<br>"]),
    st.sampled_from(
        ["&amp;", "&nbsp;", "&#32;", "&shy;", "&lt", "&Aacute;", "&#1;", "&ampx", "&", "<"]
    ),
    st.text(alphabet="ab \n\r\t.é\xa0\xad\u3000", max_size=6),
)


def words_of(markup: str) -> str:
    """The words of a stretch of markup: without tags, its references resolved."""
    return "".join(html.unescape(re.sub(r"</?[a-z][^>]*>", "", markup)).replace("\xad", "").split())


@settings(max_examples=400, deadline=None)
@given(st.lists(_parts, max_size=30).map("".join), st.data())
def test_any_stretch_of_the_text_stands_in_the_source_where_its_place_says(
    source: str, data: st.DataObject
) -> None:
    made = read(source)
    for one, other in pairwise(made.marks):
        assert one.end <= other.start
    start = data.draw(st.integers(0, len(made.text)))
    end = data.draw(st.integers(start, len(made.text)))
    found = place_of(made.marks, start, end)
    touched = [mark for mark in made.marks if mark.end > start and mark.start < end]
    touched = [mark for mark in touched if not mark.secondary] or touched
    quoted = "".join(made.text[max(mark.start, start) : min(mark.end, end)] for mark in touched)
    if found is None:
        assert not quoted.strip()
        return
    assert isinstance(found, ElementPlace)
    if any(one.place.end > other.place.start for one, other in pairwise(touched)):
        return  # A cell repeated below, between others of its rows.
    assert words_of(decode_page(source.encode())[found.start : found.end]) == "".join(
        quoted.split()
    )
