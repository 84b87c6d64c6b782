"""A link to each place, with the fragment that its kind of file has.

Web pages have text fragments (`#:~:text=`), PDF files pages, text files lines or characters as RFC
5147 counts them. Links are relative to the folder that was asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pincite.exporting.exported import Exported, Json, label_of
from pincite.places import ElementPlace, PagePlace
from pincite.records import Citation
from pincite.render.noted import warning_text
from pincite.render.places import lines_text, place_text
from pincite.text.units import as_rfc5147

_LONGEST = 300
"""A longer quote is named by how it begins and ends."""
_WORDS = 6
_WORD = re.compile(r"\S+")


def export(answer: Exported) -> Json:
    """The links, in the order of the citations."""
    return {
        "question": answer.question,
        "links": [
            {
                "url": link_of(citation, answer.texts),
                "title": label_of(citation.document),
                "place": (
                    lines_text(citation.lines)
                    if citation.place is None
                    else place_text(citation.place)
                ),
                "quote": citation.quote.exact,
                **_noted("warnings", [warning_text(one) for one in citation.warnings]),
            }
            for citation in answer.citations
        ],
        **_noted("conflicts", answer.conflicts),
    }


def _noted(name: str, notes: Sequence[str]) -> Json:
    """A field that is left out where it is empty, as mostly."""
    return {name: list(notes)} if notes else {}


def link_of(citation: Citation, texts: Mapping[str, str]) -> str:
    """The path as a relative URL, with the fragment of the place where its kind of file has one."""
    url = path_url(citation.document.path)
    match citation.place:
        case ElementPlace():
            return f"{url}#:~:text={text_directive(citation)}"
        case PagePlace(pages=pages):
            return f"{url}#page={pages[0].number}"
        case None:
            return f"{url}#{_plain_fragment(citation, texts)}"
    return url


def path_url(path: str) -> str:
    """A path in the folder as a URL relative to it, whatever it begins with."""
    # With two strokes before it, it would name another host, with one the root.
    return f"./{quote(path)}" if path.startswith("/") else quote(path)


def text_directive(citation: Citation) -> str:
    """The quote as the directive of a text fragment, with the words beside it."""
    exact = citation.quote.exact
    words = _WORD.findall(exact)
    if len(exact) > _LONGEST and len(words) > 2 * _WORDS:
        found = f"{_escaped(words[:_WORDS])},{_escaped(words[-_WORDS:])}"
    else:
        found = _escaped(words)
    # The outermost words of the context may be cut.
    before = _WORD.findall(citation.quote.prefix.split("\n")[-1])[1:]
    after = _WORD.findall(citation.quote.suffix.split("\n")[0])[:-1]
    prefix = f"{_escaped(before)}-," if before else ""
    suffix = f",-{_escaped(after)}" if after else ""
    return f"{prefix}{found}{suffix}"


def _escaped(words: list[str]) -> str:
    # These three are signs of the directive itself.
    return quote(" ".join(words), safe="").replace("-", "%2D")


def _plain_fragment(citation: Citation, texts: Mapping[str, str]) -> str:
    text = texts.get(citation.document.path)
    if text is not None:
        start = as_rfc5147(text, citation.position.start)
        end = as_rfc5147(text, citation.position.end)
        return f"char={start},{end}"
    # Lines are counted there from 0, and the one behind the last is named.
    return f"line={citation.lines.start - 1},{citation.lines.end}"
