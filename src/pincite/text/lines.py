"""Lines of a text as an editor counts them: ended by \\n, \\r\\n or \\r, and by nothing else.

U+0085, U+2028 and U+2029 end a line for whoever reads and so for what a text is made of (blocks,
sentences), but not for the numbers that editors show.
"""

from __future__ import annotations

import re

from pincite.records import Lines, Passage, Span

LINE_END = re.compile(r"\r\n?|\n")
_NEWLINE = re.compile("\n")
PARAGRAPH_SEPARATOR = "\u2029"


def line_starts(text: str) -> list[int]:
    """Where each line of `text` begins; the first is 0, also for the empty text.

    A line end as the last character begins one more, empty line.
    """
    ends = LINE_END if "\r" in text else _NEWLINE
    return [0, *map(re.Match.end, ends.finditer(text))]


def count_line_ends(text: str, start: int, end: int) -> int:
    """Number of line ends that are finished inside `text[start:end]`.

    A \\r whose \\n stands at `end` is not finished; a \\n at `start` after a \\r counts.
    """
    returns = text.count("\r", start, end)
    found = text.count("\n", start, end) + returns
    if returns:
        found -= text.count("\r\n", start, end)
        if text[end - 1 : end + 1] == "\r\n":
            found -= 1
    return found


def count_lines_before(text: str, offset: int) -> int:
    """Number of lines that end before `offset`: one less than the line `offset` is on."""
    return count_line_ends(text, 0, offset)


def lines_in(passage: Passage, span: Span) -> Lines:
    """The lines of the document that `span`, which lies inside `passage`, stands on.

    The line of a line end is the line it ends. An empty span is on one line.
    """
    start = span.start - passage.span.start
    last = max(start, span.end - passage.span.start - 1)
    first_line = passage.first_line + count_line_ends(passage.text, 0, start)
    return Lines(first_line, first_line + count_line_ends(passage.text, start, last))
