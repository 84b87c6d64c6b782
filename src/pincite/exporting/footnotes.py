"""An answer with numbered footnotes, in Markdown or HTML."""

from __future__ import annotations

import re
from html import escape

from pincite.exporting.exported import Exported, label_of
from pincite.exporting.links import link_of
from pincite.records import Citation, Role
from pincite.render.noted import warning_text
from pincite.render.places import lines_text, place_text

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#+!|&~$:.()-])")
_LINE = re.compile(r"\r\n?|\n")


def markdown(answer: Exported) -> str:
    """The quotes as block quotations, each with the numbers of its footnotes, and these below.

    What has to be read with a quote, and that documents differ, are paragraphs behind it.
    """
    parts = [_in_markdown(answer.question)] if answer.question else []
    for quote, numbers, warnings in _numbered(answer):
        marks = "".join(f"[^{number}]" for number in numbers)
        lines = "\n".join(f"> {_in_markdown(line)}".rstrip() for line in _LINE.split(quote))
        parts.append(f"{lines}{marks}")
        parts += map(_in_markdown, warnings)
    parts += map(_in_markdown, answer.conflicts)
    if not answer.citations:
        parts.append(_in_markdown(answer.text))
    notes = [
        f"[^{number}]: [{_in_markdown(label_of(citation.document))}]"
        f"(<{link_of(citation, answer.texts)}>), "
        f"{_in_markdown(_place(citation))}. SHA-256 `{citation.document.sha256}`"
        for number, citation in enumerate(answer.citations, start=1)
    ]
    return "\n\n".join([*parts, *notes]) + "\n"


def html(answer: Exported) -> str:
    """The same as a piece of HTML."""
    parts = [f"<p>{escape(answer.question)}</p>"] if answer.question else []
    for quote, numbers, warnings in _numbered(answer):
        marks = "".join(
            f'<sup><a href="#fn{number}" id="fnref{number}">{number}</a></sup>'
            for number in numbers
        )
        parts.append(f"<blockquote><p>{escape(quote)}{marks}</p></blockquote>")
        parts += [f"<p>{escape(warning)}</p>" for warning in warnings]
    parts += [f"<p>{escape(conflict)}</p>" for conflict in answer.conflicts]
    if not answer.citations:
        parts.append(f"<p>{escape(answer.text)}</p>")
    notes = [
        f'<li id="fn{number}"><a href="{escape(link_of(citation, answer.texts))}">'
        f"{escape(label_of(citation.document))}</a>, {escape(_place(citation))}. "
        f'SHA-256 <code>{citation.document.sha256}</code> <a href="#fnref{number}">&#8617;</a></li>'
        for number, citation in enumerate(answer.citations, start=1)
    ]
    listed = ["<ol>", *notes, "</ol>"] if notes else []
    return "\n".join([*parts, *listed]) + "\n"


def _numbered(answer: Exported) -> list[tuple[str, list[int], list[str]]]:
    """The quotes, each with the numbers of the citations of its words, from 1, and warnings."""
    found: list[tuple[str, list[int], list[str]]] = []
    for number, citation in enumerate(answer.citations, start=1):
        if citation.role is Role.ALSO and found:
            found[-1][1].append(number)
        else:
            warnings = [warning_text(one) for one in citation.warnings]
            found.append((citation.quote.exact, [number], warnings))
    return found


def _place(citation: Citation) -> str:
    if citation.place is not None:
        return place_text(citation.place)
    return lines_text(citation.lines)


def _in_markdown(text: str) -> str:
    """The words as they are, whatever signs are in them."""
    return _MARKUP.sub(r"\\\1", _LINE.sub(" ", text))
