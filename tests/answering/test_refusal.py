"""Which words of the question the nearest passages do not have."""

from __future__ import annotations

from pincite.answering.refusal import missing_words
from pincite.loaders import document_of_text
from pincite.protocols import Query
from pincite.records import Passage
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
