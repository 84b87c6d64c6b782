"""Speech: whole sentences, each word at its time."""

from __future__ import annotations

from pincite.loaders.data.subtitles import extract
from pincite.loaders.extracted import DEFAULT, Extracted
from pincite.places import TimePlace, place_of


def read(text: str) -> Extracted:
    return extract(text.encode(), "a.vtt", DEFAULT)


def lines(made: Extracted) -> list[str]:
    return [block.content.of(made.text) for block in made.blocks]


def place(made: Extracted, words: str) -> object:
    start = made.text.index(words)
    return place_of(made.marks, start, start + len(words))


def test_a_sentence_over_several_cues_is_whole_and_timed() -> None:
    made = read(
        "1\n00:00:01,000 --> 00:00:03,500\nThe refund is paid\nwithin ten\n\n"
        "2\n00:00:03,500 --> 00:00:05,000\n<i>business</i> {\\an8}days.\n\n"
        "3\n00:01:00,000 --> 00:01:02,000\nLater on.\n"
    )
    assert lines(made) == ["The refund is paid within ten business days.", "Later on."]
    assert place(made, "within ten business days") == TimePlace(1000, 5000)
    assert place(made, "business") == TimePlace(3500, 5000)


def test_speakers_part_paragraphs_and_stand_before_them() -> None:
    made = read(
        "WEBVTT\n\nNOTE by nobody\n\nSTYLE\n::cue {color: red}\n\n"
        "intro\n00:01.000 --> 00:02.000 align:left\n<v.loud Ann Lee>Is it open?\n\n"
        "00:02.000 --> 00:03.000\n<v Bo>Yes &amp; <00:02.500><c>no</c>.\n"
    )
    assert made.text == "Ann Lee: Is it open?\n\nBo: Yes & no.\n"
    assert place(made, "Yes & no.") == TimePlace(2000, 3000, "Bo")
    assert place(made, "Bo") == TimePlace(2000, 3000, "Bo")
    assert lines(made)[1] == "Yes & no."
    assert "comment" in made.notes[0]


def test_lines_shown_again_while_the_display_rolls_are_read_once() -> None:
    made = read(
        "WEBVTT\n\n00:01.000 --> 00:02.000\nwe go to\n\n00:02.000 --> 00:03.000\nwe go to\n"
        "the lake\n\n00:03.000 --> 00:04.000\nthe lake\ntoday\n"
    )
    assert lines(made) == ["we go to the lake today"]


def test_two_people_in_one_cue_are_two_paragraphs() -> None:
    made = read("1\n00:00:01,000 --> 00:00:02,000\n- Where?\n- Here.\n")
    assert lines(made) == ["- Where?", "- Here."]


def test_broken_times_cost_no_words_and_are_reported() -> None:
    made = read("1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n00:xx --> 00:03\nTwo.\n\n3\n")
    assert lines(made) == ["One. Two."]
    assert place(made, "Two.") == TimePlace(2000, 2000)
    assert "1 cue whose time" in made.notes[0]


def test_cues_without_empty_lines_between_them_are_told_apart() -> None:
    made = read("1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:02,000 --> 00:00:03,000\nTwo.")
    assert lines(made) == ["One. Two."]


def test_a_file_without_cues_is_plain_text() -> None:
    assert "read as plain text" in read("Only words.").notes[0]
    assert read("WEBVTT\n") == Extracted("", ())
