"""What has to be read with a quote: its exceptions and marks, and documents that say otherwise.

Wherever a quote is read, as text or in the format of another program, it is said in these words.
"""

from __future__ import annotations

from pincite.records import CitationWarning, Conflict, WarningKind
from pincite.render.terminal import one_line, visible_path


def warning_text(warning: CitationWarning) -> str:
    """What should be known of a quote, on one line."""
    words = one_line(warning.words)
    match warning.kind:
        case WarningKind.QUALIFIED:
            return f"but: {words}"
        case WarningKind.GOVERNED:
            return f"said under: {words}"
        case WarningKind.QUOTATION:
            return "the document quotes these words itself"
    return f"marked as {warning.kind.value}: {words}"


def conflict_text(conflict: Conflict) -> str:
    """That two documents differ, as a sentence."""
    return differ_text(
        (conflict.newer.document.path, conflict.newer_date),
        (conflict.older.document.path, conflict.older_date),
    )


def differ_text(newer: tuple[str, str], older: tuple[str, str]) -> str:
    """The same of their paths and dates; a date is empty where it is not known."""
    one, other = (
        visible_path(path) + (f" ({one_line(date)})" if date else "")
        for path, date in (newer, older)
    )
    return f"The documents differ: {one} says otherwise than {other}."
