"""The peers do what they are said to do."""

from pathlib import Path

from bench.data import Question, SourceText
from bench.folder import file_names, write
from bench.peers import Lesson, SentenceBm25, sentence_places

DOCUMENTS = (
    SourceText("r", "Refunds", "# Refunds\n\nRefunds reach your card in five days. Ask by mail."),
    SourceText("l", "Lamps", "The LMP-204 lamp is safe. It hums.\n"),
)
PATHS = file_names(DOCUMENTS)


def _quote(place: tuple[str, int, int] | None) -> str | None:
    if place is None:
        return None
    texts = {document.doc_id: document.text for document in DOCUMENTS}
    return texts[place[0]][place[1] : place[2]]


def test_the_lesson_quotes_the_sentence_that_shares_most_five_letter_stems() -> None:
    place, score = Lesson(DOCUMENTS, PATHS).answer(
        Question("1", "When does a refunded amount reach the cards?", True)
    )

    # refun(ds), reach; card and cards differ within five letters.
    assert _quote(place) == "Refunds reach your card in five days."
    assert score == 2


def test_the_lesson_refuses_below_two_shared_words() -> None:
    place, score = Lesson(DOCUMENTS, PATHS).answer(Question("1", "Is the lamp heavy?", False))

    assert (place, score) == (None, 1)


def test_sentence_bm25_quotes_the_best_sentence_and_no_heading(tmp_path: Path) -> None:
    write(DOCUMENTS, tmp_path, PATHS)
    peer = SentenceBm25(tmp_path, PATHS)

    assert _quote(peer.answer(Question("1", "refunds", True))[0]) == (
        "Refunds reach your card in five days."
    )
    assert peer.answer(Question("2", "giraffe", False)) == (None, 0.0)


def test_peers_asked_inside_a_document_quote_only_from_it(tmp_path: Path) -> None:
    write(DOCUMENTS, tmp_path, PATHS)
    question = Question("1", "Do refunds reach the lamp safely?", False, scope="l")

    assert Lesson(DOCUMENTS, PATHS).answer(question)[0] is None
    place, _ = SentenceBm25(tmp_path, PATHS).answer(question)
    assert _quote(place) == "The LMP-204 lamp is safe."


def test_sentences_end_after_stops_and_at_line_ends() -> None:
    text = "One. Two!  \r\n Three 3.5\nFour"

    assert [text[start:end] for _, start, end in sentence_places("a", text)] == [
        "One.",
        "Two!",
        "Three 3.5",
        "Four",
    ]
