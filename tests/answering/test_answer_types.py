"""Question wording to answer type, and answer types in sentences."""

from __future__ import annotations

import pytest

from pincite.answering.answer_types import expected_types, hard_types, holds


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many legs has the chair?", {"number"}),
        ("How long does delivery take?", {"duration"}),
        ("How many working days does it take?", {"duration"}),
        ("How much does express delivery cost?", {"money"}),
        ("When does the shop open?", {"date"}),
        ("Who wrote the policy?", {"name"}),
        ("Where is the shop?", {"place"}),
        ("Why was my card refused?", {"reason"}),
        ("How do I return a lamp?", {"method"}),
        ("Is the lamp safe?", {"yes_no"}),
        ("Wie lange dauert die Lieferung?", {"duration"}),
        ("Wann öffnet das Geschäft?", {"date"}),
        ("¿Cuántas sillas hay?", {"number"}),
        ("Когда открывается магазин?", {"date"}),
        ("Hvor mange stoler har dere?", {"number"}),
        ("Hvor ligger butikken?", {"place"}),
        ("¿Puedo devolver una silla?", {"yes_no"}),
        ("Можно ли вернуть стул?", {"yes_no"}),
        ("配送には何日間かかりますか", {"duration"}),
        ("椅子を返品できますか", {"yes_no"}),
        ("의자를 반품할 수 있나요?", {"yes_no"}),
        ("什么时候退款？", {"date"}),
        ("lamp cable", set()),
    ],
)
def test_the_wording_of_a_question_says_what_it_wants(question: str, expected: set[str]) -> None:
    assert expected_types(question) == expected


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("number", "It has 4 legs."),
        ("number", "It has four legs."),
        ("date", "Open since 1984."),
        ("date", "by 3 October"),
        ("date", "at 14:30"),
        ("date", "2pm"),
        ("duration", "within 5 working days"),
        ("duration", "two years"),
        ("duration", "3日"),
        ("money", "It costs €6."),
        ("money", "free of charge"),
        ("percent", "19 %"),
        ("reason", "because the cable broke"),
        ("method", "Open your account and choose Return."),
    ],
)
def test_a_sentence_holds_an_answer_of_a_type(kind: str, words: str) -> None:
    assert holds(kind, words, "en")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("number", "It has legs."),
        ("date", "It was a marathon."),
        ("duration", "within reach of 5 people"),
        ("money", "It is pretty."),
        ("percent", "a share of it"),
    ],
)
def test_a_sentence_lacks_an_answer_of_a_type(kind: str, words: str) -> None:
    assert not holds(kind, words, "en")


@pytest.mark.parametrize(
    ("kind", "words", "language"),
    [
        ("number", "Der Stuhl hat vier Beine.", "de"),
        ("number", "Стул имеет четыре ножки.", "ru"),
        ("number", "للكرسي أربعة أرجل.", "ar"),
        ("date", "le 3 février", "fr"),
        ("date", "wij sluiten in oktober", "nl"),
        ("date", "31 Aralık'a kadar", "tr"),
        ("date", "बुधवार को", "hi"),
        ("duration", "innerhalb von drei Wochen", "de"),
        ("duration", "dentro de cinco días", "es"),
        ("duration", "entro 14 giorni", "it"),
        ("duration", "em até sete dias", "pt"),
        ("duration", "innen to uker", "no"),
        ("duration", "तीन दिनों में", "hi"),
        ("duration", "三个月内", "zh"),
        ("duration", "3주 이내", "ko"),
        ("money", "ücretsiz kargo", "tr"),
        ("money", "送料は500円です", "ja"),
        ("reason", "لأن الكابل تالف", "ar"),
        ("method", "Abra su cuenta y elija Devolver.", "es"),
    ],
)
def test_each_language_has_its_own_words_for_it(kind: str, words: str, language: str) -> None:
    assert holds(kind, words, language)


def test_a_word_of_another_language_is_no_evidence() -> None:
    assert holds("number", "Ho sei sedie.", "it")
    assert not holds("number", "Es sei ein Stuhl.", "de")


def test_hard_types_come_in_a_fixed_order() -> None:
    assert hard_types({"money", "name", "number"}) == ["number", "money"]
