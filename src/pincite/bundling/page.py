"""A bundle as one HTML file that needs nothing beside it and asks nothing of any network."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from typing import Any

from pincite.auditing.entries import Line
from pincite.bundling.evidence import Evidence, ShownPage
from pincite.records import Citation, Role
from pincite.render.leaf_html import LEAF_STYLE, leaf_html, text_html
from pincite.render.noted import warning_text
from pincite.render.record import Json, dumps
from pincite.render.saved import SavedAnswer
from pincite.render.terminal import one_line
from pincite.render.text import where_text
from pincite.verifications import Status
from pincite.version import __version__

_ROLES = {Role.ANSWER: "Answers", Role.PART: "Answers a part", Role.ALSO: "Says the same"}
_SHOWN_WORDS = 2_000


def record_sha256(saved: SavedAnswer) -> str:
    """The hash by which a bundle names its record: of the record as one line of JSON."""
    return hashlib.sha256(dumps(saved.record).encode()).hexdigest()


def bundle_page(saved: SavedAnswer, evidence: Sequence[Evidence], entry: Line | None = None) -> str:
    """The HTML file for an answer or refusal, and the entry of an audit log that holds it.

    The same arguments give the same characters.
    """
    style = _part("bundle.css") + LEAF_STYLE
    script = _part("sha256.js") + _part("shown.js") + _part("check.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src '{_source_hash(style)}'",
            f"script-src '{_source_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    title = one_line(saved.question) or "A citation"
    body = "\n".join(
        [
            *_head(saved),
            *_checker(),
            *(part for number, one in enumerate(evidence, 1) for part in _quote(number, one)),
            *_near(saved),
            *_about(saved, entry),
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text_html(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n"
        f'<script type="application/json" id="bundle">{_data(saved, evidence, entry)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _part(name: str) -> str:
    return (resources.files("pincite.bundling") / name).read_text(encoding="utf-8")


def _source_hash(source: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode('ascii')}"


def _data(saved: SavedAnswer, evidence: Sequence[Evidence], entry: Line | None) -> str:
    """What the check in the browser reads; no character of it can end the element it stands in."""
    texts: list[Json] = []
    places: dict[tuple[str, int, str], int] = {}
    cited: list[int] = []
    for one in evidence:
        held = one.held
        key = (held.path, held.start, held.text)
        if key not in places:
            places[key] = len(texts)
            texts.append(
                {
                    "path": held.path,
                    "start": held.start,
                    "whole": held.is_whole,
                    "from_record": held.from_record,
                    "text": held.text,
                }
            )
        cited.append(places[key])
    data: dict[str, Any] = {
        "format": "pincite.bundle/1",
        "record": dumps(saved.record),
        "record_sha256": record_sha256(saved),
        "texts": texts,
        "citations": cited,
        "shown": [[one.leaf.span.start, one.leaf.span.end] for one in evidence],
        "made_by": __version__,
        "audit": None,
    }
    if entry is not None:
        data["audit"] = {
            "entry": entry.entry.hashed.decode("ascii"),
            "sha256": entry.entry.sha256,
            "content": entry.content.decode("ascii"),
        }
    return dumps(data).replace("<", "\\u003c")


def _head(saved: SavedAnswer) -> Iterator[str]:
    record = saved.record
    yield '<header><p class="what">Evidence of an answer by Pincite</p>'
    if saved.question:
        yield f'<h1 id="question" dir="auto">{text_html(saved.question)}</h1>'
    else:
        yield "<h1>A citation</h1>"
    yield "</header>"
    if saved.status == "refused":
        yield '<section aria-labelledby="h-answer"><h2 id="h-answer">Refused</h2>'
        yield f'<p id="answer" class="answer" dir="auto">{text_html(saved.text)}</p>'
        for key in ("explanation", "advice"):
            if isinstance(record.get(key), str) and record[key]:
                yield f'<p dir="auto">{text_html(record[key])}</p>'
        yield "</section>"
    elif saved.status:
        yield '<section aria-labelledby="h-answer"><h2 id="h-answer">Answer</h2>'
        words = text_html(saved.text)
        yield f'<blockquote id="answer" class="answer" dir="auto">{words}</blockquote>'
        yield "<p>These are words of the documents below, and nothing else.</p>"
        match record.get("confidence"):
            case float(confidence):
                yield f"<p>Confidence {math.floor(confidence * 100) / 100:.2f} of 1.</p>"
        for part in _strings(record.get("unanswered_parts")):
            yield f'<p class="note">Not answered: <q dir="auto">{text_html(part)}</q></p>'
        if record.get("conflicts"):
            yield '<p class="note">The documents below contradict each other: read both.</p>'
        yield "</section>"


def _checker() -> Iterator[str]:
    yield (
        '<section class="checker" aria-labelledby="h-check"><h2 id="h-check">Check it here</h2>\n'
        "<noscript><p>The check needs JavaScript; the rest of this page does not.</p></noscript>\n"
        '<div id="controls" hidden>\n'
        '<p><label for="files">Original files, to be compared with what was cited (optional; '
        "they are read here and go nowhere)</label><br>"
        '<input type="file" id="files" multiple></p>\n'
        '<p><button type="button" id="check">Verify</button></p>\n</div>\n'
        '<div id="outcome" role="status" aria-live="polite"></div>\n'
        '<ul id="checks"></ul>\n'
        "<p>The check shows that this file is whole in itself and, where you choose the originals, "
        "that they are the files cited. Anyone can write a file that is whole in itself: that the "
        "words are from a document, only the document shows. How a text is made of a PDF or an "
        "office file is not done again here; <code>pincite verify</code> does it.</p>\n</section>"
    )


def _quote(number: int, one: Evidence) -> Iterator[str]:
    citation = one.citation
    where = where_text(citation.document.path, citation.lines, citation.place)
    yield f'<article class="quote" aria-labelledby="h-{number}">'
    # What a place is called is not worked out again by the check; lines are.
    named = "" if citation.place is None else ' class="place"'
    place = f'<span{named} dir="auto">{text_html(where)}</span>'
    yield f'<h2 id="h-{number}">Quote {number}: {place}</h2>'
    if citation.heading_path:
        path = " › ".join(map(one_line, citation.heading_path))
        yield f'<p class="path" dir="auto">{text_html(path)}</p>'
    yield f"<p>{_ROLES[citation.role]}{_parts(citation)}.</p>"
    yield (
        f'<blockquote class="exact" id="exact-{number}" dir="auto">'
        f"{text_html(citation.quote.exact)}</blockquote>"
    )
    if citation.cells:
        yield f'<p class="path" dir="auto">{text_html(citation.cells)}</p>'
    for warning in citation.warnings:
        words = f' <q dir="auto">{text_html(warning.words)}</q>' if warning.words else ""
        yield f'<p class="note">Note ({warning.kind.value}):{words}</p>'
    yield _state(one)
    for page in one.pages:
        yield _page(number, page)
    source = " (as the record gives it)" if one.held.from_record else ""
    yield f"<h3>In its text{source}</h3>"
    yield leaf_html(one.leaf, prefix=f"quote-{number}-", top=4)
    yield _hashes(citation)
    yield "</article>"


def _parts(citation: Citation) -> str:
    return "".join(f' <q dir="auto">{text_html(part)}</q>' for part in citation.parts)


def _state(one: Evidence) -> str:
    """What was found of the citation when the bundle was made."""
    if one.verification is None:
        return (
            '<p class="note state">The document was not looked at when this file was made: '
            "the words are those of the record.</p>"
        )
    status, reason = one.verification.status, one.verification.reason
    name = status.value.replace("_", " ")
    kind = "holds" if status is Status.VALID else "broken"
    now = ""
    if one.verification.now:
        now = f'<br>It says now: <q dir="auto">{text_html(one.verification.now[:_SHOWN_WORDS])}</q>'
    # What the record warns of is told beside; here what the document warns of besides.
    for warning in one.verification.warnings:
        if warning not in one.citation.warnings:
            now += f"<br>It warns now: {text_html(warning_text(warning))}"
    return (
        f'<p class="state {kind}">When this file was made: <strong>{escape(name)}</strong>, '
        f"{text_html(reason)}.{now}</p>"
    )


def _page(number: int, page: ShownPage) -> str:
    named = f"Page {page.number}" + (f" ({one_line(page.label)})" if page.label else "")
    boxes = "".join(
        f'<rect x="{box.left:.5f}" y="{box.top:.5f}" width="{max(0, box.right - box.left):.5f}" '
        f'height="{max(0, box.bottom - box.top):.5f}"/>'
        for box in page.boxes
    )
    data = base64.b64encode(page.png).decode("ascii")
    alt = f"{named}; the words of quote {number} are marked"
    return (
        f'<figure><figcaption>{text_html(named)}</figcaption><div class="sheet">'
        f'<img alt="{text_html(alt)}" width="{page.width}" height="{page.height}" '
        f'src="data:image/png;base64,{data}">'
        '<svg class="boxes" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">'
        f"{boxes}</svg></div></figure>"
    )


def _hashes(citation: Citation) -> str:
    document, text = citation.document, citation.text
    return _facts(
        "What is cited",
        [
            ("File", document.path),
            ("SHA-256 of the file", document.sha256),
            ("Kind", document.media_type),
            ("Last changed", document.modified),
            ("Extractor", f"{text.extractor} {text.extractor_version}"),
            ("SHA-256 of the extracted text", text.sha256),
            ("Position", f"{citation.position.start}-{citation.position.end} (code points)"),
        ],
    )


def _near(saved: SavedAnswer) -> Iterator[str]:
    """For a refusal, what was found nearest, called what it is."""
    retrieved = saved.record.get("retrieved")
    if saved.status != "refused" or not isinstance(retrieved, list) or not retrieved:
        return
    yield '<section aria-labelledby="h-near"><h2 id="h-near">Nearest, and no answer</h2><ul>'
    for one in retrieved:
        match one:
            case {"document": {"path": str(path)}, "text": str(words)}:
                shown = one_line(words)[:_SHOWN_WORDS]
                yield (
                    f'<li><strong dir="auto">{text_html(path)}</strong><br>'
                    f'<span dir="auto">{text_html(shown)}</span></li>'
                )
    yield "</ul></section>"


def _about(saved: SavedAnswer, entry: Line | None) -> Iterator[str]:
    record = saved.record
    facts = [("SHA-256 of the record", record_sha256(saved))]
    match record.get("index"):
        case {"fingerprint": str(fingerprint), "generation": int(generation)}:
            facts.append(("Fingerprint of the index", fingerprint))
            facts.append(("Generation of the index", str(generation)))
    match record.get("pincite"):
        case {"version": str(version)}:
            facts.append(("Answered by", f"pincite {version}"))
    facts += [
        (name, record[key])
        for name, key in (("Chosen by", "scorer"), ("Vectors of", "encoder"))
        if isinstance(record.get(key), str) and record[key]
    ]
    facts.append(("This file made by", f"pincite {__version__}"))
    yield '<section aria-labelledby="h-about"><h2 id="h-about">Where this is from</h2>'
    yield _facts("The record", facts)
    if entry is not None:
        one = entry.entry
        yield _facts(
            "The entry in the audit log",
            [
                ("Entry", f"{one.sequence} ({one.kind})"),
                ("Time", one.time),
                ("SHA-256 of its content", one.content_sha256),
                ("SHA-256 of the entry before", one.previous),
                ("SHA-256 of the entry", one.sha256),
            ],
        )
    yield (
        "<details><summary>The record as JSON</summary>"
        '<pre id="record" tabindex="0" dir="ltr"></pre></details>\n</section>'
    )


def _facts(name: str, facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f'<dt>{escape(key)}</dt><dd dir="auto">{text_html(one_line(value))}</dd>'
        for key, value in facts
        if value
    )
    return f"<details><summary>{escape(name)}</summary><dl>{rows}</dl></details>"


def _strings(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
