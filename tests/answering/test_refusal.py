"""Which words of the question the nearest passages do not have."""

from __future__ import annotations

import pytest

from pincite.answering.refusal import explained, missing_words, reason_for
from pincite.loaders import document_of_text
from pincite.protocols import Query
from pincite.records import Passage, RefusalReason
from pincite.text.passages import split_passages
from pincite.text.tokens import terms

ENGLISH = "The lamp comes with a plug and it can be returned within a month."
GERMAN = "Die Lampe wird mit einem Stecker geliefert und kann zurückgegeben werden."


def passages(*texts: str) -> list[Passage]:
    return [
        passage
        for number, text in enumerate(texts)
        for passage in split_passages(document_of_text(text, name=f"{number}.txt"))
    ]


def missing(question: str, near: list[Passage]) -> tuple[str, ...]:
    sought = {language: tuple(terms(question, language)) for language in ("de", "en")}
    return missing_words(Query(question, sought, {}), near, question)


def test_words_are_given_as_the_question_writes_them_in_its_order() -> None:
    near = passages(ENGLISH)
    assert missing("Is Zurich, or Basel, where lamps come from?", near) == ("Zurich", "Basel")


def test_a_word_that_any_near_passage_has_is_not_missing() -> None:
    assert missing("Is the Stecker in Zurich?", passages(ENGLISH, GERMAN)) == ("Zurich",)


def test_words_too_common_to_look_for_are_not_missing_in_a_folder_of_two_languages() -> None:
    assert missing("What is the capital of Mongolia?", []) == ("capital", "Mongolia")
    near = passages(ENGLISH, GERMAN)
    assert missing("What is the capital of Mongolia?", near) == ("capital", "Mongolia")


def reason(question: str, *texts: str) -> RefusalReason:
    sought = {"en": tuple(terms(question, "en"))}
    return reason_for(Query(question, sought, {}), passages(*texts))


@pytest.mark.parametrize(
    ("question", "saying_so"),
    [
        ("What is the weather in Leeds today?", "The weather in Leeds is mild."),
        ("Do you like lamps?", "Tell us what you like about lamps."),
        ("Which lamp is the best?", "The best lamp of the year is the KLR-118."),
        ("What is the total of all orders?", "The total of all orders was 900 euros."),
        ("What will the lamp cost next year?", "Next year the lamp will cost 50 euros."),
    ],
)
def test_what_no_document_says_is_called_so_unless_one_has_the_words(
    question: str, saying_so: str
) -> None:
    assert reason(question, ENGLISH) is RefusalReason.NOT_FOR_DOCUMENTS
    assert reason(question, ENGLISH, saying_so) is not RefusalReason.NOT_FOR_DOCUMENTS


def test_every_reason_is_explained_in_its_own_words_with_what_to_do() -> None:
    query = Query("Do you like lamps?", {}, {})
    told = [explained(reason, query, [], ["lamps"]) for reason in RefusalReason]
    assert len(set(told)) == len(RefusalReason)
    assert all(explanation and advice for explanation, advice in told)
    assert '"lamps"' in explained(RefusalReason.NOT_STATED, query, [], ["lamps"])[0]


def test_a_missing_word_that_other_passages_have_is_told_to_be_there() -> None:
    query = Query("Is a taxi reimbursed?", {}, {})
    explanation, advice = explained(
        RefusalReason.NOT_STATED, query, [], ["taxi"], elsewhere=["taxi"]
    )
    assert explanation == 'Some passages come near, but none of them mentions "taxi".'
    assert advice == (
        "Read the nearest passages, or ask in the words that the documents use; other passages "
        'have "taxi".'
    )
