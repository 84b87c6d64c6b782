"""RIS, as reference managers import it: an entry a citation, with its locator and the quote."""

from __future__ import annotations

from pincite.exporting.csl import locator_of
from pincite.exporting.exported import Exported, label_of
from pincite.exporting.links import link_of
from pincite.records import Citation


def export(answer: Exported) -> str:
    """The entries, one after the other, with the line ends that the format has."""
    return "".join(_entry(citation, answer) for citation in answer.citations)


def _entry(citation: Citation, answer: Exported) -> str:
    label, locator = locator_of(citation)
    first, _, last = locator.partition("-")
    fields = [
        ("TY", "GEN"),
        ("TI", label_of(citation.document)),
        ("M1", f"{label} {locator}"),
        *([("SP", first), ("EP", last or first)] if label == "page" else []),
        ("L1", link_of(citation, answer.texts)),
        ("N1", citation.quote.exact),
        *(("N1", note) for note in answer.notes(citation)),
        ("ID", citation.document.sha256),
        ("ER", ""),
    ]
    # A field is one line, and nothing in it may look like the next.
    return "".join(f"{name}  - {' '.join(value.split())}\r\n" for name, value in fields) + "\r\n"
