"""Which language a text is found to be in, from a paragraph down to nothing at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.languages import DETECTION_LENGTH, LANGUAGES, UNDETERMINED, detect

WARRANTY = {
    "ar": "المصباح له ضمان لمدة خمس سنوات يبدأ من يوم التسليم.",
    "bg": "Лампата има гаранция от пет години, която започва да тече от деня на доставката.",
    "ca": "El llum té una garantia de cinc anys que comença el dia que us el lliurem.",
    "cs": "Lampa má pětiletou záruku, která začíná běžet dnem, kdy ji zákazník převezme.",
    "da": "Lampen har fem års garanti, som begynder at løbe den dag, hvor den bliver leveret.",
    "de": "Die Leuchte hat eine Garantie von fünf Jahren, die am Tag der Lieferung beginnt.",
    "el": "Το φωτιστικό έχει εγγύηση πέντε ετών, που αρχίζει την ημέρα της παράδοσης.",
    "en": "The lamp comes with a warranty of five years, which starts on the day of delivery.",
    "es": "La lámpara tiene una garantía de cinco años que empieza el día de la entrega.",
    "fa": "این چراغ پنج سال ضمانت دارد که از روز تحویل آغاز می‌شود.",
    "fi": "Lampulla on viiden vuoden takuu, joka alkaa siitä päivästä, jona se toimitetaan.",
    "fr": "La lampe est garantie cinq ans à partir de la livraison, sauf pour les ampoules.",
    "he": "למנורה יש אחריות לחמש שנים, שמתחילה ביום המסירה.",
    "hi": "इस लैंप पर पाँच साल की गारंटी है, जो डिलीवरी के दिन से शुरू होती है।",
    "hu": "A lámpára öt év garancia van, amely a kiszállítás napján kezdődik.",
    "id": "Lampu ini bergaransi lima tahun yang dimulai pada hari pengiriman.",
    "it": "La lampada ha una garanzia di cinque anni che inizia il giorno della consegna.",
    "ja": "このランプには、お届けの日から五年間の保証が付いています。",
    "ko": "이 램프는 배송일로부터 5년 동안 보증됩니다.",
    "nl": "De lamp heeft een garantie van vijf jaar, die begint op de dag van de levering.",
    "no": "Lampen har fem års garanti, som begynner å løpe den dagen den blir levert til deg.",
    "pl": "Lampa ma pięć lat gwarancji, która zaczyna się w dniu dostawy do klienta.",
    "pt": "O candeeiro tem uma garantia de cinco anos, que começa no dia em que foi entregue.",
    "ro": "Lampa are o garanție de cinci ani, care începe în ziua în care este livrată.",
    "ru": "На лампу даётся гарантия пять лет, которая начинается в день доставки.",
    "sv": "Lampan har fem års garanti, som börjar gälla den dag då den levereras till dig.",
    "th": "โคมไฟนี้มีการรับประกันห้าปีนับจากวันที่จัดส่ง",
    "tr": "Lambanın garanti süresi beş yıldır ve teslim edildiği gün başlar.",
    "uk": "На лампу надається гарантія п'ять років, яка починається з дня доставки.",
    "vi": "Chiếc đèn này được bảo hành năm năm kể từ ngày giao hàng.",
    "zh": "这盏灯自送货之日起享有五年保修。",
}


@pytest.mark.parametrize("code", sorted(WARRANTY))
def test_one_sentence_tells_the_language(code: str) -> None:
    assert detect(WARRANTY[code]) == code


def test_every_language_that_can_be_found_is_found_here() -> None:
    assert set(WARRANTY) == set(LANGUAGES)


def test_a_longer_text_is_told_by_its_common_words() -> None:
    text = (
        "You may return an item within 45 days of the day it reached you. It must be complete, "
        "but you do not need the box. We pay for the label, and the money is back in a week."
    )
    assert detect(text) == "en"
    assert detect(text.upper()) == "en"


def test_both_written_forms_of_norwegian_are_one_language() -> None:
    assert detect("Eg veit ikkje kvifor lampa ikkje lyser, men ho har vore slik ei veke.") == "no"
    assert detect("Jeg vet ikke hvorfor lampen ikke lyser, men den har vært slik en uke.") == "no"


@pytest.mark.parametrize("text", ["", " \n\t", "12 34.5", "E14", "OK", "€ – % …", "٣٠ ۱۲"])
def test_text_with_hardly_a_letter_is_undetermined(text: str) -> None:
    assert detect(text) == UNDETERMINED


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("iPhone 15 を買う", "ja"),
        ("KLR-118 USB-C 充电器 保修", "zh"),
        ("KLR-118 램프 보증", "ko"),
        ("東京都庁に電話する", "ja"),
    ],
)
def test_latin_names_do_not_hide_an_east_asian_language(text: str, code: str) -> None:
    assert detect(text) == code


@pytest.mark.parametrize(
    "foreign", ["αβγδε θλμπσφω", "北京", "שלום", "カメラ"], ids=["greek", "han", "hebrew", "kana"]
)
def test_a_few_foreign_words_do_not_hide_the_language(foreign: str) -> None:
    assert detect(f"{WARRANTY['en']} It says {foreign} on the box of the lamp.") == "en"


def test_only_the_beginning_is_looked_at() -> None:
    beginning = (WARRANTY["de"] + " ") * (DETECTION_LENGTH // len(WARRANTY["de"]) + 1)
    assert detect(beginning + WARRANTY["ja"] * 1000) == "de"


@given(st.text())
def test_any_text_has_a_known_language_or_none(text: str) -> None:
    assert detect(text) in {*LANGUAGES, UNDETERMINED}
