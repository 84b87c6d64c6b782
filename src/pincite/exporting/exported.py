"""What is exported: an answer, and where it is known the texts that it quotes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from pincite.places import (
    ChapterPlace,
    MemberPlace,
    MessagePlace,
    Place,
)
from pincite.records import Citation, Role, Source, Span
from pincite.render.noted import warning_text
from pincite.text.units import CODE_POINTS, converted

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exported:
    """An answer with its citations."""

    question: str
    text: str
    citations: tuple[Citation, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    """By path, the extracted texts of the documents as they were cited; may lack any of them."""
    unit: str = CODE_POINTS
    """What offsets into documents are counted in; another one needs their texts."""
    conflicts: tuple[str, ...] = ()
    """That documents differ, a sentence each."""

    def offset(self, citation: Citation, place: int) -> int:
        """An offset into the document of a citation, in the unit asked for.

        ValueError where its text is needed and not there.
        """
        if self.unit == CODE_POINTS:
            return place
        if citation.document.path not in self.texts:
            raise ValueError(f"offsets in {self.unit} need the text of {citation.document.path}")
        return converted(self.texts[citation.document.path], place, self.unit)

    def numbers(self) -> dict[str, int]:
        """The documents by path, numbered from 0 as they are cited first."""
        paths = dict.fromkeys(one.document.path for one in self.citations)
        return {path: number for number, path in enumerate(paths)}

    def notes(self, citation: Citation) -> list[str]:
        """What has to be read with a quote, and that documents differ, a line each; mostly none."""
        return [*map(warning_text, citation.warnings), *self.conflicts]

    def noted(self) -> Json:
        """The same of all quotes, as a field beside a form that has no place for it; or none."""
        warnings = [
            {"citation": number, "note": warning_text(one)}
            for number, citation in enumerate(self.citations)
            for one in citation.warnings
        ]
        if not warnings and not self.conflicts:
            return {}
        return {"pincite": {"warnings": warnings, "conflicts": list(self.conflicts)}}

    def quoted(self) -> list[tuple[Citation, Span]]:
        """The citations whose quotes make up the answer's text, each with its span there."""
        found = []
        end = 0
        for citation in self.citations:
            if citation.role is Role.ALSO:
                continue
            # The quotes stand in the text one after the other.
            start = self.text.find(citation.quote.exact, end)
            if start >= 0:
                end = start + len(citation.quote.exact)
                found.append((citation, Span(start, end)))
        return found


def label_of(source: Source) -> str:
    """What a document is called where it has to be known among others: its title and its path.

    Titles alone do not tell them apart: many files have that of a template, or of the company.
    """
    if source.title in ("", source.path, PurePosixPath(source.path).name):
        return source.path
    return f"{source.title} ({source.path})"


def innermost(place: Place | None) -> Place | None:
    """The place inside of the chapter, message or archive."""
    while isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)) and place.within is not None:
        place = place.within
    return place
