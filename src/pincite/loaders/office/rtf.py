"""Rich Text Format (RTF): paragraphs, lists, tables and notes, each paragraph with its place."""

from __future__ import annotations

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.office.rtf_story import Story
from pincite.loaders.office.rtf_tokens import tokens
from pincite.loaders.office.running_text import RunningText, add_margins

_DEEPEST = 1_000
"""Groups inside one another."""
_MOST_WORDS = 5_000_000
"""Control words and groups; what comes after is left out. That is about 20 seconds of work."""


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The text of an RTF file as it is printed, notes after the paragraph that refers to them.

    Hidden words, comments and tracked deletions are not in the text; `notes` tells of them.
    Raises `UnreadableContent` for groups nested without end.
    """
    composer = Composer()
    text = RunningText(composer, {})
    story = Story(text.add)
    text.notes = story.notes
    depth = count = 0
    for word, number, words in tokens(data):
        count += word != ""
        if count > _MOST_WORDS:
            story.is_too_long = True
            break
        if word == "group{":
            depth += 1
            if depth > _DEEPEST:
                raise UnreadableContent(
                    f"holds groups nested more than {_DEEPEST:,} deep, which no ordinary document"
                    " does: it is not read"
                )
            story.start_group()
        elif word == "group}":
            depth -= 1
            story.end_group()
            if depth <= 0:
                # What follows the document is not shown by the programs either.
                break
        elif word:
            if not story.take_word(word, number):
                break
        else:
            story.take_bytes(words)
    story.finish()
    composer.close_headings(1)
    add_margins(composer, story.margins, set())
    notes = story.left_out.report("Word")
    if story.is_too_long:
        notes.insert(0, "it is read only in part: it is longer than what is read; split it")
    elif depth > 0:
        notes.insert(0, "it breaks off before its end: get another copy, or save it again")
    if not composer.length:
        notes.append("it holds no text")
    return composer.extracted(title=text.title or story.title, notes=notes)
