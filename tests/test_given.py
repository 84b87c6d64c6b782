"""Documents that come with a question."""

from __future__ import annotations

from pathlib import Path
from tempfile import gettempdir

import pytest

from pincite.errors import UnreadableDocument
from pincite.given import given_files, given_text
from pincite.loaders import DEFAULT
from pincite.prompted import ask_given
from pincite.records import Answer, Refusal

from .loaders.pdf_files import make_pdf, print_lines

MOON = "😀 Hello.\r\n\r\nThe moon is 384400 km away.\r\n"
PDF = make_pdf(
    [
        print_lines(72, 700, "The warranty covers the motor."),
        print_lines(72, 700, "Returns are free within thirty days."),
    ]
)


def test_places_in_a_text_count_its_own_code_points() -> None:
    found = ask_given("How far away is the moon?", [given_text(MOON, name="moon")])
    assert isinstance(found, Answer)
    (citation,) = found.citations
    assert citation.position.of(MOON) == citation.quote.exact == "The moon is 384400 km away."


@pytest.mark.parametrize("text", ["%PDF-1.7 is how a PDF begins.", '{"a": "The sky is blue."}'])
def test_a_text_is_taken_as_text_whatever_it_looks_like(text: str) -> None:
    given = given_text(text, name="one")
    assert (given.document.text, given.document.extraction.extractor) == (text, "plain")


def test_a_text_may_be_given_its_title() -> None:
    assert given_text("# Moon\n\nFar.", name="1", title="Sky").document.source.title == "Sky"
    assert given_text("# Moon\n\nFar.", name="1").document.source.title == "Moon"


def test_a_pdf_is_cited_by_its_page() -> None:
    (given,) = given_files([("one.pdf", PDF)])
    found = ask_given("Within how many days are returns free?", [given])
    assert isinstance(found, Answer)
    (citation,) = found.citations
    assert (citation.pages, citation.quote.exact) == ((2,), "Returns are free within thirty days.")
    assert citation.position.of(given.document.text) == citation.quote.exact


def test_what_is_read_apart_is_what_is_read_here() -> None:
    from pincite.loaders import document_of_bytes
    from pincite.text.passages import split_passages

    (given,) = given_files([("one.pdf", PDF)])
    here = document_of_bytes(PDF, name="one.pdf")
    assert (given.document.text, given.document.marks) == (here.text, here.marks)
    assert given.document.extraction == here.extraction
    assert list(given.passages) == split_passages(here)


def test_documents_that_do_not_say_are_refused() -> None:
    given = [given_text(MOON, name="moon"), *given_files([("one.pdf", PDF)])]
    assert isinstance(ask_given("What is the capital of Mongolia?", given), Refusal)


def test_a_file_that_cannot_be_read_is_named() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        given_files([("one.pdf", PDF), ("two.pdf", b"%PDF-1.7 and nothing else")], DEFAULT)
    assert caught.value.path == "two.pdf"


def test_nothing_stays_on_the_disk() -> None:
    def left() -> set[Path]:
        return set(Path(gettempdir()).glob("pincite-given-*"))

    before = left()
    given_files([("one.pdf", PDF)])
    with pytest.raises(UnreadableDocument):
        given_files([("two.pdf", b"%PDF-1.7 and nothing else")])
    assert left() <= before


def test_documents_that_take_too_long_together_are_given_up() -> None:
    with pytest.raises(UnreadableDocument, match=r"longer than 0\.001 seconds to read together"):
        given_files([("one.pdf", PDF), ("two.pdf", PDF)], seconds=0.001)
