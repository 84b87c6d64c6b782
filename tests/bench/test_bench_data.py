"""Reading data sets, and writing their corpora as folders."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from bench.data import DataSet, Gold, Question, SourceText, by_language, limited, read
from bench.folder import file_names, write
from hypothesis import given
from hypothesis import strategies as st


def _write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def _question(**more: Any) -> dict[str, Any]:
    return {"id": "q", "question": "Where?", "answerable": True, "answers": [], **more}


def test_a_question_is_read_with_its_evidence_scope_language_and_earlier_turns(
    tmp_path: Path,
) -> None:
    _write_lines(tmp_path / "corpus.jsonl", [{"doc_id": "a", "title": "A", "text": "In Ulm."}])
    evidence = [{"doc_id": "a", "start": 3, "end": 6, "text": "Ulm", "kind": "short answer"}]
    history = [{"role": "user", "text": "Hi"}, {"role": "agent", "text": "Hello"}]
    _write_lines(
        tmp_path / "questions.jsonl",
        [_question(evidence=evidence, scope_doc_id="a", lang="de", doc_id="a", history=history)],
    )

    data = read(tmp_path)

    assert data.documents == (SourceText("a", "A", "In Ulm."),)
    assert data.questions == (
        Question(
            id="q",
            text="Where?",
            answerable=True,
            gold=(Gold("a", 3, 6),),
            scope="a",
            history=(("user", "Hi"), ("assistant", "Hello")),
            language="de",
            about="a",
            relevant=frozenset({"a"}),
        ),
    )
    assert data.off_topic == ()


def test_a_byte_order_mark_is_no_text_and_the_evidence_moves_with_it(tmp_path: Path) -> None:
    _write_lines(tmp_path / "corpus.jsonl", [{"doc_id": "a", "text": "\ufeffIn Ulm."}])
    evidence = [{"doc_id": "a", "start": 4, "end": 7, "text": "Ulm"}]
    _write_lines(tmp_path / "questions.jsonl", [_question(evidence=evidence)])

    data = read(tmp_path)

    (place,) = data.questions[0].gold
    assert data.documents[0].text[place.start : place.end] == "Ulm"


def test_off_topic_questions_are_read_as_unanswerable(tmp_path: Path) -> None:
    _write_lines(tmp_path / "corpus.jsonl", [{"doc_id": "a", "title": None, "text": "Ulm"}])
    _write_lines(tmp_path / "questions.jsonl", [])
    _write_lines(tmp_path / "ood_questions.jsonl", [_question(answerable=True)])

    assert read(tmp_path).off_topic == (Question("q", "Where?", answerable=False),)


def test_a_line_separator_inside_a_text_does_not_end_the_line(tmp_path: Path) -> None:
    _write_lines(tmp_path / "corpus.jsonl", [{"doc_id": "a", "text": "one\u2028two\u0085three"}])
    _write_lines(tmp_path / "questions.jsonl", [])

    assert read(tmp_path).documents[0].text == "one\u2028two\u0085three"


def test_each_language_gets_its_own_questions_and_documents() -> None:
    data = DataSet(
        "many",
        (SourceText("d", "", "Ja"), SourceText("e", "", "Yes"), SourceText("x", "", "?")),
        (
            Question("1", "Ja?", True, (Gold("d", 0, 2),), language="de"),
            Question("2", "Yes?", False, about="e", language="en"),
        ),
    )

    parts = by_language(data)

    assert [(part.name, [d.doc_id for d in part.documents]) for part in parts] == [
        ("many-de", ["d"]),
        ("many-en", ["e"]),
    ]


def test_a_set_in_one_language_keeps_all_its_documents() -> None:
    data = DataSet("one", (SourceText("x", "", "?"),), (Question("1", "Ja?", True, language="de"),))

    assert by_language(data) == [data]


def test_a_limit_takes_questions_from_the_whole_set_and_keeps_the_corpus() -> None:
    questions = tuple(Question(str(number), "?", True) for number in range(10))
    data = DataSet("set", (SourceText("a", "", ""),), questions, questions[:2])

    some = limited(data, 5)

    assert [question.id for question in some.questions] == ["0", "2", "4", "6", "8"]
    assert (some.documents, some.off_topic) == (data.documents, questions[:2])


@pytest.mark.parametrize(
    ("doc_id", "title", "by_title", "by_id"),
    [
        ("p1", "Amazon", "Amazon.txt", "p1.txt"),
        ("p1", "", "p1.txt", "p1.txt"),
        ("guide/src/EBS.md", "Encryption", "guide/src/Encryption.md", "guide/src/EBS.md"),
        ("p1", "AC/DC: live?", "AC DC live.txt", "p1.txt"),
        ("../../up", "..", "up.txt", "up.txt"),
        ("p1", "...hidden", "hidden.txt", "p1.txt"),
        ("report.pdf", "line\nbreak", "line break.txt", "report.pdf.txt"),
        ("p1", "東大寺の仏像", "東大寺の仏像.txt", "p1.txt"),
    ],
)
def test_files_are_named_safely_by_title_or_by_id(
    doc_id: str, title: str, by_title: str, by_id: str
) -> None:
    document = SourceText(doc_id, title, "")

    assert file_names([document]) == {doc_id: by_title}
    assert file_names([document], names="id") == {doc_id: by_id}


def test_titles_that_differ_only_in_case_get_their_ids_added() -> None:
    documents = [SourceText("p1", "Ulm", ""), SourceText("p2", "ULM", "")]

    assert file_names(documents) == {"p1": "Ulm.txt", "p2": "ULM p2.txt"}


_names = st.text(max_size=300)


@given(st.lists(st.tuples(_names, _names), max_size=8, unique_by=lambda pair: pair[0]))
def test_every_document_gets_a_path_of_its_own_inside_the_folder(
    named: list[tuple[str, str]],
) -> None:
    paths = file_names([SourceText(doc_id, title, "") for doc_id, title in named])

    assert len({path.casefold() for path in paths.values()}) == len(named)
    for path in paths.values():
        parts = path.split("/")
        assert not {"", ".", ".."} & set(parts)
        assert all(len(part.encode()) <= 255 for part in parts)
        assert not any(unicodedata.category(letter) == "Cc" for letter in path if letter < "\x80")


@pytest.mark.parametrize("backwards", [False, True])
def test_texts_are_written_byte_for_byte(tmp_path: Path, backwards: bool) -> None:
    documents = [SourceText("a", "", "one\r\ntwo\rthree\n"), SourceText("b", "", "naïve")]

    written = write(documents, tmp_path, file_names(documents), backwards=backwards)

    assert (tmp_path / "a.txt").read_bytes() == b"one\r\ntwo\rthree\n"
    assert (tmp_path / "b.txt").read_bytes() == b"na\xc3\xafve"
    assert written == 21
