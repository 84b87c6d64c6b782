"""Answers of several quotes: to the parts of a question, from several documents, the same again."""

from __future__ import annotations

from pincite.engine import ask
from pincite.protocols import Candidate, Corpus, Query, ScoredCandidate
from pincite.records import Answer, Refusal, Role, Turn
from tests.corpora import corpus_of

SHOP = {
    "delivery.md": "# Delivery\n\nExpress delivery costs 6 euros.\n",
    "warranty.md": "# Warranty\n\nThe warranty on lamps is 3 years.\n",
}


class Told:
    """A scorer that knows how well each sentence answers by a word in it."""

    name = "told/1"
    threshold = 0.3

    def __init__(self, scores: dict[str, float], confidence: float = 0.9) -> None:
        self._scores = scores
        self._confidence = confidence

    def score(
        self, query: Query, candidates: list[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:  # type: ignore[override]
        found = []
        for candidate in candidates:
            quote = candidate.passage.sentences[candidate.sentence_index].quote
            offset = candidate.passage.span.start
            words = candidate.passage.text[quote.start - offset : quote.end - offset]
            score = max((s for word, s in self._scores.items() if word in words), default=-9.0)
            found.append(ScoredCandidate(candidate, score, self._confidence))
        return found


def answer(question: str, files: dict[str, str], scorer: Told | None = None) -> Answer:
    found = ask(question, corpus_of(files), scorer=scorer)
    assert isinstance(found, Answer), found
    return found


def test_each_part_of_a_question_gets_its_quote() -> None:
    found = answer("How much is express delivery, and how long is the warranty on lamps?", SHOP)
    assert found.text == "Express delivery costs 6 euros.\n\nThe warranty on lamps is 3 years."
    assert [(one.role, one.parts) for one in found.citations] == [
        (Role.PART, ("How much is express delivery",)),
        (Role.PART, ("how long is the warranty on lamps?",)),
    ]
    assert [one.rank for one in found.retrieved] == [1, 2]
    assert all(one.used for one in found.retrieved)


def test_the_part_that_is_not_answered_is_named() -> None:
    found = answer("How much is express delivery? And who painted the chapel ceiling?", SHOP)
    assert found.text == "Express delivery costs 6 euros."
    assert found.unanswered_parts == ("who painted the chapel ceiling?",)


def test_where_no_part_is_answered_the_question_is_refused() -> None:
    question = "Who painted the chapel ceiling, and when was Rome founded?"
    found = ask(question, corpus_of(SHOP))
    assert isinstance(found, Refusal)
    assert found.question == question


def test_a_quote_that_answers_both_parts_is_given_once() -> None:
    files = {"a.md": "Ann Lee founded the lamp shop in 1990.\n"}
    found = answer("Who founded the lamp shop and when was the lamp shop founded?", files)
    assert found.text == "Ann Lee founded the lamp shop in 1990."
    assert len(found.citations[0].parts) == 2


def test_the_same_words_elsewhere_are_a_place_more_and_no_more_text() -> None:
    files = {
        "a.md": "The fee for a lamp is 5 euros.\n",
        "b.md": "# Fees\n\n**The fee for a lamp is 5 euros.**\n",
    }
    found = answer("What is the fee for a lamp?", files)
    assert sorted((one.document.path, one.role) for one in found.citations) == [
        ("a.md", Role.ANSWER if found.citations[0].document.path == "a.md" else Role.ALSO),
        ("b.md", Role.ANSWER if found.citations[0].document.path == "b.md" else Role.ALSO),
    ]
    assert found.text.count("fee") == 1


TWO = {
    "a.md": "The fee for a lamp is 5 euros.\n",
    "b.md": "A lamp has a fee of 6 euros in winter.\n",
    "c.md": "A lamp has a fee.\n",
}


def test_another_document_that_answers_as_surely_is_cited_after_the_first() -> None:
    found = answer("How much is the fee for a lamp?", TWO, Told({"5": 4.0, "6": 3.5, "fee.": 3.4}))
    assert [one.document.path for one in found.citations] == ["a.md", "b.md"]
    assert found.text == "\n\n".join(one.quote.exact for one in found.citations)
    assert {one.document.path for one in found.retrieved if one.used} == {"a.md", "b.md"}


def test_a_less_likely_sentence_or_one_beside_a_doubtful_answer_is_not_cited() -> None:
    question = "How much is the fee for a lamp?"
    assert len(answer(question, TWO, Told({"5": 4.0, "6": 2.5})).citations) == 1
    assert len(answer(question, TWO, Told({"5": 4.0, "6": 3.9}, confidence=0.4)).citations) == 1


def test_a_follow_up_part_keeps_the_subject_of_the_first() -> None:
    files = {
        "a.md": "A gift card costs 10 euros. A gift card is valid for 5 years.\n",
        "b.md": "A parking permit is valid for 1 year.\n",
    }
    found = answer("How much is a gift card and how long is it valid?", files)
    assert "5 years" in found.text
    asked = ask(
        "how long is it valid?", corpus_of(files), history=[Turn("user", "What is a gift card?")]
    )
    assert isinstance(asked, Answer)
    assert "5 years" in asked.text


def test_of_two_booklets_of_one_kind_both_are_cited_where_the_question_names_none() -> None:
    booklets = {
        "basic.md": "# Basic\n\n## Dental\n\nBasic pays for fillings.\n",
        "plus.md": "# Plus\n\n## Dental\n\nPlus pays for fillings.\n",
        "other.md": "# Other\n\n## Eyes\n\nOther pays for fillings.\n",
    }
    told = Told({"Basic pays": 2.0, "Plus pays": 1.8, "Other pays": 1.9}, confidence=0.4)
    found = answer("Are fillings paid for?", booklets, told)
    assert [one.document.path for one in found.citations] == ["basic.md", "plus.md"]
