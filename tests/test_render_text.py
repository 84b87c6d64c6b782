"""What a person reads: the quote as it stands, its place, and nothing a terminal would obey."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.places import Page, PagePlace, Place, pages_of
from pincite.records import (
    Answer,
    Citation,
    Excerpt,
    Extraction,
    IndexReport,
    IndexState,
    Lines,
    Problem,
    Quote,
    Refusal,
    RefusalReason,
    Retrieved,
    Role,
    Source,
    Span,
)
from pincite.render.terminal import clip, columns, one_line, visible, visible_path
from pincite.render.text import (
    answer_text,
    changes_text,
    excerpt_text,
    not_read_text,
    problems_text,
    refusal_text,
    report_text,
    search_text,
)

SOURCE = Source("a/returns.md", "Returns", "text/markdown", "a" * 64, "2026-01-02T03:04:05Z")
EXTRACTION = Extraction("markdown", "1", "b" * 64)
STATE = IndexState(generation=3, fingerprint="c" * 64)


def citation(exact: str, *, line: int = 3, place: Place | None = None) -> Citation:
    return Citation(
        role=Role.ANSWER,
        document=SOURCE,
        text=EXTRACTION,
        quote=Quote(exact, prefix="", suffix=""),
        position=Span(10, 10 + len(exact)),
        lines=Lines(line, line + exact.count("\n")),
        pages=pages_of(place),
        place=place,
        heading_path=("Returns", "Time"),
        score=1.0,
    )


def retrieved(text: str, *, rank: int = 1, used: bool = False) -> Retrieved:
    return Retrieved(
        rank=rank,
        score=7.0,
        used=used,
        document=SOURCE,
        position=Span(0, len(text)),
        lines=Lines(1, 4),
        place=None,
        heading_path=("Returns",),
        text=text,
    )


def answer(*citations: Citation, others: tuple[Retrieved, ...] = ()) -> Answer:
    text = "\n".join(one.quote.exact for one in citations)
    return Answer("How long?", text, 0.9, citations, others, STATE)


def refusal(reason: RefusalReason, *, missing: tuple[str, ...] = ()) -> Refusal:
    near = (retrieved("Something near."),)
    return Refusal(
        *("Why?", "The documents do not say.", 0.1, reason, near, STATE, missing),
        explanation="None of them states it.",
        advice="Ask in other words.",
    )


def excerpt(text: str, marked: Span, lines: Lines, *, first_line: int = 9) -> Excerpt:
    last_line = first_line + text.count("\n")
    shifted = Span(marked.start + 100, marked.end + 100)
    return Excerpt(
        document=SOURCE,
        text=EXTRACTION,
        heading_path=("Returns",),
        excerpt=text,
        position=Span(100, 100 + len(text)),
        lines=Lines(first_line, last_line),
        marked=shifted,
        marked_lines=lines,
        place=None,
        stale=False,
    )


def test_an_answer_is_the_quote_then_its_place_then_what_was_not_used() -> None:
    shown = answer_text(
        answer(
            citation("You have\nthirty days."),
            others=(retrieved("Used.", used=True), retrieved("Other words.", rank=2)),
        )
    )
    assert shown == (
        "You have\n"
        "thirty days.\n"
        "\n"
        "  a/returns.md:3-4  Returns > Time\n"
        "  a/returns.md#char=10,31\n"
        "\n"
        "Also found, not used:\n"
        "  a/returns.md:1-4  Other words.\n"
    )


@pytest.mark.parametrize(
    ("confidence", "lines"),
    [
        (0.414, ["Thirty days.", "", "  (not sure: confidence 0.41)", "", "  a/returns.md:3"]),
        (0.4999, ["Thirty days.", "", "  (not sure: confidence 0.49)", "", "  a/returns.md:3"]),
        (0.5, ["Thirty days.", "", "  a/returns.md:3"]),
    ],
)
def test_an_answer_of_little_confidence_says_so_above_its_place(
    confidence: float, lines: list[str]
) -> None:
    unsure = replace(answer(citation("Thirty days.")), confidence=confidence)
    shown = answer_text(unsure).partition("  Returns > Time")[0]
    assert shown == "\n".join(lines)


def test_every_quote_stands_above_its_own_place() -> None:
    shown = answer_text(answer(citation("One.", line=1), citation("Two.", line=8)))
    assert [line for line in shown.splitlines() if line] == [
        "One.",
        "  a/returns.md:1  Returns > Time",
        "  a/returns.md#char=10,14",
        "Two.",
        "  a/returns.md:8  Returns > Time",
        "  a/returns.md#char=10,14",
    ]


def test_the_place_in_the_file_is_named_where_the_file_has_places() -> None:
    place = PagePlace((Page(12, "xii", first_line=3, last_line=4),))
    shown = answer_text(answer(citation("One.", place=place)))
    assert "  a/returns.md  page 12 (xii), lines 3-4  Returns > Time\n" in shown


def test_a_refusal_says_so_and_why_and_labels_what_is_near() -> None:
    shown = refusal_text(refusal(RefusalReason.NOT_STATED, missing=("gift", "card")))
    assert shown == (
        "The documents do not say.\n"
        "\n"
        "Why: None of them states it.\n"
        'The nearest passages do not have: "gift", "card"\n'
        "What to do: Ask in other words.\n"
        "\n"
        "Nearest passages (not an answer):\n"
        "  a/returns.md:1-4  Something near.\n"
    )


def test_a_refusal_names_a_missing_word_once() -> None:
    told = replace(
        refusal(RefusalReason.NOT_STATED, missing=("gift", "card")),
        explanation='Some passages come near, but none of them mentions "gift".',
    )
    shown = refusal_text(told)
    assert shown.count('"gift"') == 1
    assert 'The nearest passages do not have: "card"\n' in shown
    assert "do not have" not in refusal_text(replace(told, missing=("gift",)))


def test_the_parts_of_a_question_stand_above_their_quotes_and_those_without_are_named() -> None:
    first = replace(citation("One."), role=Role.PART, parts=("How long",))
    again = replace(citation("One.", line=9), role=Role.ALSO, parts=("How long",))
    shown = answer_text(replace(answer(first, again), unanswered_parts=("who pays?",)))
    assert shown == (
        "How long\n\nOne.\n\n"
        "  a/returns.md:3  Returns > Time\n"
        "  a/returns.md#char=10,14\n"
        "  also: a/returns.md:9  Returns > Time\n\n"
        "who pays?\n\nThe documents do not say.\n"
    )


def test_a_row_of_a_table_is_shown_as_it_stands_and_under_its_headers() -> None:
    shown = answer_text(answer(replace(citation("| small | 4.50 |"), cells="Fee: 4.50")))
    assert shown.startswith("| small | 4.50 |\n  (Fee: 4.50)\n\n  a/returns.md:3")


def test_a_search_is_a_ranked_list_of_places_that_can_be_shown() -> None:
    assert search_text([retrieved("Two\n\nlines.")]) == (
        "1. a/returns.md:1-4\n   Returns\n   Two lines.\n"
    )
    page = replace(retrieved("Two."), place=PagePlace((Page(2),)))
    assert search_text([page]) == (
        "1. a/returns.md  page 2\n   Returns\n   a/returns.md#char=0,4\n   Two.\n"
    )
    assert search_text([]) == "No passage has to do with the question.\n"


def test_show_numbers_the_lines_and_marks_those_asked_for() -> None:
    shown = excerpt_text(excerpt("one\ntwo\nthree\n", Span(4, 8), Lines(10, 10)))
    assert shown == "a/returns.md:10  Returns\n\n   9  one\n> 10  two\n  11  three\n"


def test_show_repeats_the_words_asked_for_where_they_are_part_of_a_line() -> None:
    shown = excerpt_text(excerpt("One. Two. Three.", Span(5, 9), Lines(9, 9)))
    assert shown.endswith("> 9  One. Two. Three.\n\nThe words asked for:\nTwo.\n")


def test_show_counts_lines_as_an_editor_does() -> None:
    shown = excerpt_text(excerpt("one\r\ntwo\rform\ffeed\nend", Span(0, 3), Lines(9, 9)))
    assert [line[2:4].strip() for line in shown.splitlines()[2:]] == ["9", "10", "11", "12"]
    assert "11  form\\x0cfeed" in shown


def test_a_report_says_what_was_done() -> None:
    report = IndexReport(
        STATE, ("a", "b"), ("c",), (), 4, (Problem("d.bin", "not text"),), text_bytes=1
    )
    assert report_text(report, "docs") == (
        "7 documents in the index (2 new, 1 changed); "
        "1 file not read: `pincite info docs --problems`\n"
    )
    nothing = IndexReport(STATE, (), (), (), 1, (), text_bytes=0)
    assert report_text(nothing, "docs") == "1 document in the index (unchanged)\n"
    assert problems_text(report.problems) == "d.bin: not text\n"


def test_a_file_read_in_part_is_counted_once_and_not_as_unread() -> None:
    problems = (
        Problem("a.html", "5 words left out", is_partial=True),
        Problem("a.html", "4 words in comments left out", is_partial=True),
        Problem("b.bin", "not text"),
    )
    assert not_read_text(problems[:2], "docs") == (
        "1 file read only in part: `pincite info docs --problems`"
    )
    counts = "1 file not read, 1 only in part: `pincite info docs --problems`"
    assert not_read_text(problems, "docs") == counts
    report = IndexReport(STATE, (), (), (), 1, problems, text_bytes=0)
    assert report_text(report, "docs") == f"1 document in the index (unchanged); {counts}\n"


def test_a_run_without_changes_says_how_many_documents_there_are_before_what_is_not_read() -> None:
    report = IndexReport(STATE, (), (), (), 2, (Problem("b.bin", "not text"),), text_bytes=0)
    told = "2 documents in the index (unchanged)\n"
    assert changes_text(report) == f"{told}not read: b.bin: not text\n"
    assert changes_text(report, report.problems) == told
    added = replace(report, added=("c.md",))
    assert changes_text(added, report.problems) == "added: c.md\n"


def test_escape_sequences_of_a_document_do_not_reach_the_terminal() -> None:
    hostile = "Pay \x1b]0;title\x07\x1b[2Jnow\x9b31m \u202etxt.exe \ud800"
    path = replace(SOURCE, path="a\x1b[1m\n.md")
    shown = answer_text(
        Answer(
            "?",
            hostile,
            0.9,
            (replace(citation(hostile), document=path, heading_path=("\x1b[5mH",)),),
            (replace(retrieved(hostile), document=path),),
            STATE,
        )
    )
    assert "Pay \\x1b]0;title\\x07\\x1b[2Jnow\\x9b31m \\u202etxt.exe \\ud800" in shown
    assert "a\\x1b[1m\\x0a.md:3" in shown
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\ud800"} & set(shown)


@given(st.text(alphabet=st.characters(codec=None)), st.integers(20, 100))
def test_clipped_text_is_one_safe_line_that_fits(text: str, width: int) -> None:
    line = clip(text, width)
    assert columns(line) <= width
    assert len(line.splitlines()) <= 1
    assert visible(line) == line


def test_clipping_ends_between_words_and_says_so() -> None:
    assert clip("The quick brown fox jumps over", 20) == "The quick brown fox…"
    assert clip("Two  words\nhere", 20) == "Two words here"


def test_wide_characters_take_two_columns() -> None:
    assert columns("中文 ab") == 7
    assert clip("中" * 30, 21) == "中" * 10 + "…"


@given(st.text(alphabet=st.characters(codec=None)))
def test_what_is_shown_can_be_written_and_holds_no_control(text: str) -> None:
    assert "\x1b" not in visible(text).encode().decode()
    assert len(visible_path(text).split("\n")) == 1
    assert "\n" not in one_line(text)
