"""What a text is searched by: words, numbers and codes, in many scripts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.text.stop_words import stop_words
from pincite.text.tokens import terms, tokens

# --- codes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LMP-204", ["lmp204"]),
        ("lmp204", ["lmp204"]),
        ("LMP\u2011204", ["lmp204"]),  # a hyphen that does not break
        ("E27", ["e27"]),
        ("(E27),", ["e27"]),
        ("MRW-SEC-07", ["mrwsec07"]),
        ("CVE-2024-3094", ["cve20243094"]),
        ("utf-8", ["utf8"]),
        ("utf-8-sig", ["utf8sig"]),
        ("log4j", ["log4j"]),
        ("v5.2.1", ["v5.2.1"]),
        ("5G", ["5g"]),
        ("978-3-16-148410-0", ["9783161484100"]),
        ("0561-555-0188", ["05615550188"]),
    ],
)
def test_a_code_is_one_term(text: str, expected: list[str]) -> None:
    assert terms(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E12/E13", ["e12", "e13"]),
        ("KLR-118/ODL-75", ["klr118", "odl75"]),
        ("E12,E13", ["e12", "e13"]),
        ("code:E14", ["code", "e14"]),
        ("LMP-204's", ["lmp204"]),
        ("LMP-204’s", ["lmp204"]),
        ("C-131/12", ["c131", "12"]),
    ],
)
def test_what_is_joined_to_a_code_is_separate(text: str, expected: list[str]) -> None:
    assert terms(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E27-Fassung", ["e27", "fassung"]),
        ("COVID-19-Pandemie", ["covid19", "pandemi"]),
        ("A4-Papier", ["a4", "papi"]),
    ],
)
def test_a_compound_with_a_code_holds_the_code(text: str, expected: list[str]) -> None:
    assert terms(text, "de") == expected


def test_a_part_of_a_code_does_not_match_the_code() -> None:
    assert not {"klr", "118"} & set(terms("KLR-118 MRW-118-7", "en"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max_connections", ["max_connections", "max", "connect"]),
        ("settings.json", ["settings.json", "set", "json"]),
        ("logs/app-5.log", ["log", "app5.log"]),
        ("__init__.py", ["__init__.py", "init", "py"]),
        ("jo@example.com", ["jo@example.com", "jo", "exampl", "com"]),
        ("https://example.com/KLR-118", ["https", "example.com", "exampl", "com", "klr118"]),
    ],
)
def test_names_of_files_and_settings_are_found_whole_and_by_their_words(
    text: str, expected: list[str]
) -> None:
    assert terms(text, "en") == expected


@pytest.mark.parametrize("text", ["__bold__", "_bold_", "**bold**", "bold"])
def test_emphasis_does_not_make_another_word(text: str) -> None:
    assert terms(text, "en") == ["bold"]


@pytest.mark.parametrize("text", ["", " \n", "...", "______", "– — ,", "?!"])
def test_what_holds_no_word_has_no_terms(text: str) -> None:
    assert terms(text, "en") == []


# --- numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("45", ["45"]),
        ("£4.50", ["4.50"]),
        ("4,50 €", ["4.50"]),
        ("2,700", ["2700"]),
        ("1,234.56", ["1234.56"]),
        ("10 %", ["10"]),
        ("9:30", ["9:30"]),
        ("9:30–19:00", ["9:30", "19:00"]),
        ("9:30-19:00", ["9:30", "19:00"]),
        ("1,000-2,000", ["1000", "2000"]),
        ("24/7", ["24", "7"]),
        ("2024-03-01", ["2024", "03", "01"]),
        ("01.03.2026", ["01.03.2026"]),
        ("4.2.1.", ["4.2.1"]),
        ("4.9.x", ["4.9.x"]),
        ("1.0.0-rc1", ["1.0.0rc1"]),
        ("1.0.0rc1", ["1.0.0rc1"]),
    ],
)
def test_a_number_keeps_its_points_and_loses_its_grouping(text: str, expected: list[str]) -> None:
    assert terms(text, "en") == expected


@pytest.mark.parametrize(
    ("joined", "apart"),
    [
        ("30-day", "30 day"),
        ("10,000-mile", "10,000 mile"),
        ("3.5mm", "3.5 mm"),
        ("10kg", "10 kg"),
        ("2.4GHz", "2.4 GHz"),
        ("12V", "12 V"),
        ("No.5", "No. 5"),
        ("p.45", "p. 45"),
        ("mid-1990s", "mid 1990s"),
    ],
)
def test_a_number_and_its_word_match_joined_or_apart(joined: str, apart: str) -> None:
    assert terms(joined, "en") == terms(apart, "en")


@pytest.mark.parametrize("thirty", ["30", "３０", "٣٠", "۳۰", "३०", "๓๐"])
def test_digits_of_every_script_are_the_same_number(thirty: str) -> None:
    assert terms(thirty, "und") == ["30"]


# --- words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("customer's", "customers"),
        ("customer’s", "customer"),
        ("returned", "returning"),
        ("e-mail", "email"),
        ("E-Mails", "emails"),
        ("X-ray", "xray"),
        ("U.S.", "US"),
        ("U.S.-based", "US based"),
        ("ﬁle", "file"),
        ("soft\u00adhyphen", "softhyphen"),
        ("cafe\u0301", "café"),
        ("İstanbul", "istanbul"),
        ("customers²", "customers"),
    ],
)
def test_two_spellings_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one, "en") == terms(other, "en") != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("AT&T", ["att"]), ("R&D", ["rd"]), ("Q&A", ["qa"]), ("salt&pepper", ["salt", "pepper"])],
)
def test_letters_joined_by_and_are_a_name(text: str, expected: list[str]) -> None:
    assert terms(text, "en") == expected


def test_words_joined_by_hyphens_are_found_singly() -> None:
    assert terms("well-known, two-step sign-in", "en") == ["well", "known", "two", "step", "sign"]


def test_words_of_a_question_are_no_terms_but_negation_is_one() -> None:
    assert terms("What is it that cannot, does not or will never be?", "en") == [
        "cannot",
        "not",
        "never",
    ]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("de", "Straße", "STRASSE"),
        ("de", "Lieferungen", "Lieferung"),
        ("fr", "l'ampoule", "ampoules"),
        ("fr", "l’ampoule", "ampoule"),
        ("es", "garantías", "garantía"),
        ("it", "l'ordine", "ordini"),
        ("nl", "leveringen", "levering"),
        ("ru", "гарантии", "гарантия"),
        ("el", "εγγύηση", "ΕΓΓΎΗΣΗ"),
        ("ar", "الضمانُ", "الضمان"),
        ("ar", "الضـمان", "الضمان"),
        ("hi", "गारंटियाँ", "गारंटी"),
        ("he", "שָׁלוֹם", "שלום"),
    ],
)
def test_two_forms_of_a_word_are_one_term_in(language: str, one: str, other: str) -> None:
    assert terms(one, language) == terms(other, language) != []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Das ist die Lampe und der Stuhl", ["lamp", "stuhl"]),
        ("fr", "c'est la lampe de l'atelier", ["lamp", "ateli"]),
        ("ru", "это лампа и стул", ["ламп", "стул"]),
        ("hi", "की गारंटी।", ["गारंट"]),
    ],
)
def test_stop_words_of_other_languages_are_left_out(
    language: str, text: str, expected: list[str]
) -> None:
    assert terms(text, language) == expected


def test_an_unknown_language_has_no_stemming_and_no_stop_words() -> None:
    assert terms("The returned lamps", "und") == terms("The returned lamps", "xx")
    assert terms("The returned lamps", "und") == ["the", "returned", "lamps"]
    assert stop_words("xx") == frozenset()


# --- scripts without spaces --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("zh", "保修五年", ["保修", "修五", "五年"]),
        ("zh", "保", ["保"]),
        ("zh", "保修。五年", ["保修", "五年"]),
        ("ja", "返品は30日以内", ["返品", "品は", "30", "日以", "以内"]),
        ("ja", "ランプ", ["ラン", "ンプ"]),
        ("ja", "ﾗﾝﾌﾟ", ["ラン", "ンプ"]),  # half width
        ("ko", "배송은 3일", ["배송", "송은", "3", "일"]),
        ("th", "โคม", ["โค", "คม"]),
        ("zh", "KLR-118型", ["klr118", "型"]),
        ("zh", "用USB-C充电", ["用", "usb", "c", "充电"]),
    ],
)
def test_scripts_without_spaces_yield_pairs_of_characters(
    language: str, text: str, expected: list[str]
) -> None:
    assert terms(text, language) == expected


def test_vowel_signs_stay_inside_their_word() -> None:
    assert [t.start for t in tokens("डिलीवरी के दिन।", "hi")] == [0, 8, 11]
    assert tokens("दिन।", "hi")[0].end == 3


# --- places ------------------------------------------------------------------------------------


def test_tokens_tell_where_each_word_stands_stop_words_included() -> None:
    text = "The KLR-118 costs £45.50."
    assert [(text[t.start : t.end], t.terms) for t in tokens(text, "en")] == [
        ("The", ()),
        ("KLR-118", ("klr118",)),
        ("costs", ("cost",)),
        ("45.50", ("45.50",)),
    ]


LANGUAGE_CODES = st.sampled_from(["en", "de", "fr", "tr", "ar", "hi", "ja", "zh", "und"])
TEXT = st.text() | st.text(alphabet="aEé1٣२_-./'’:,&@ \u00ad\u0301保ラ배हि")


@given(TEXT, LANGUAGE_CODES)
def test_terms_are_the_terms_of_the_tokens(text: str, language: str) -> None:
    assert terms(text, language) == [term for t in tokens(text, language) for term in t.terms]


@given(TEXT, LANGUAGE_CODES)
def test_tokens_are_in_order_and_do_not_overlap(text: str, language: str) -> None:
    ends = [place for t in tokens(text, language) for place in (t.start, t.end)]
    assert ends == sorted(ends)
    assert all(0 <= t.start < t.end <= len(text) for t in tokens(text, language))


@given(TEXT, LANGUAGE_CODES)
@example("\ufdfa", "ar")  # one sign that stands for four words
@example("Όταν έως", "el")  # all ending, to the stemmer
def test_no_term_is_empty_or_holds_white_space(text: str, language: str) -> None:
    assert all(term and not any(map(str.isspace, term)) for term in terms(text, language))


@given(st.from_regex(r"[B-KR][A-Z]{1,3}-[0-9]{2,4}", fullmatch=True))
def test_a_code_is_the_same_term_however_it_is_written(code: str) -> None:
    spellings = [code, code.lower(), code.replace("-", ""), f"({code}).", f"{code}'s", f"“{code}”"]
    assert {tuple(terms(spelling, "en")) for spelling in spellings} == {
        (code.replace("-", "").lower(),)
    }


def test_what_markdown_escapes_is_one_code_as_without_the_escapes() -> None:
    assert terms(r"db\.m5\.12xlarge in us\-east\-2, max\_connections, attached\.", "en") == terms(
        "db.m5.12xlarge in us-east-2, max_connections, attached.", "en"
    )
    assert terms(r"C:\docs\report", "en") == ["c", "doc", "report"]


def test_an_en_dash_joins_what_a_hyphen_joins() -> None:
    assert terms("HX–204, 1990–2000, well–known", "en") == terms(
        "HX-204, 1990-2000, well-known", "en"
    )
