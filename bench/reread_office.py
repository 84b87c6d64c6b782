"""Paragraphs (DOCX, ODT, RTF) and slides (PPTX, ODP) read anew, by walks over the XML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from xml.etree import ElementTree

from bench.reread_words import archive_members
from pincite.places import ParagraphPlace, SlidePlace

Element = ElementTree.Element


@dataclass(slots=True)
class _Paragraph:
    words: str
    cell: tuple[int, int, int] = (0, 0, 0)
    """Table, row and column; 0 outside tables."""


@dataclass(slots=True)
class _Walk:
    """Counts paragraphs through the parts of a document."""

    parts: dict[str, list[_Paragraph]] = field(default_factory=dict)
    tables: Counter[str] = field(default_factory=Counter)

    def add(self, part: str, paragraph: _Paragraph) -> None:
        self.parts.setdefault(part, []).append(paragraph)


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _value(element: Element, name: str) -> str:
    """An attribute by its local name."""
    return next((v for key, v in element.items() if key.rpartition("}")[2] == name), "")


def _xml(data: bytes, path: str) -> Element | None:
    """The root of a part of a package; entities are not expanded, for none are declared there."""
    content = archive_members(data).get(path)
    if content is None or b"<!ENTITY" in content:
        return None
    try:
        return ElementTree.fromstring(content)
    except ElementTree.ParseError:
        return None


def _relations(data: bytes, path: str) -> dict[str, tuple[str, str]]:
    """Kind and target of each relationship of a part, by its id."""
    folder, _, file = path.rpartition("/")
    root = _xml(data, f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
    found: dict[str, tuple[str, str]] = {}
    for one in root if root is not None else ():
        target = _value(one, "Target")
        steps = [] if target.startswith("/") else folder.split("/") if folder else []
        for step in target.strip("/").split("/"):
            steps = steps[:-1] if step == ".." else [*steps, step]
        kind = _value(one, "Type").rpartition("/")[2]
        found[_value(one, "Id")] = (kind, "/".join(steps))
    return found


_BREAKS = frozenset(("tab", "ptab", "br", "cr", "line-break"))


@lru_cache(maxsize=4)
def word_paragraphs(data: bytes) -> dict[str, list[_Paragraph]]:
    """The paragraphs of each part of a Word document, in the order of the file."""
    main = next(
        (to for kind, to in _relations(data, "").values() if kind == "officeDocument"),
        "word/document.xml",
    )
    walk = _Walk()
    root = _xml(data, main)
    if root is None:
        return {}
    _walk_word(root, walk, "body", (0, 0, 0))
    related = _relations(data, main)
    for part in ("footnotes", "endnotes"):
        target = next((to for kind, to in related.values() if kind == part), "")
        notes = _xml(data, target) if target else None
        if notes is not None:
            _walk_word(notes, walk, part, (0, 0, 0))
    seen: list[str] = []
    for reference in root.iter():
        if _tag(reference) in ("headerReference", "footerReference"):
            kind, target = related.get(_value(reference, "id"), ("", ""))
            margin = _xml(data, target) if target and target not in seen else None
            if margin is not None:
                seen.append(target)
                _walk_word(margin, walk, f"{kind}s", (0, 0, 0))
    return walk.parts


def _walk_word(element: Element, walk: _Walk, part: str, cell: tuple[int, int, int]) -> None:
    tag = _tag(element)
    if tag in ("Fallback", "del", "moveFrom", "rt"):
        return
    if tag == "txbxContent":
        part, cell = "text boxes", (0, 0, 0)
    if tag == "p":
        walk.add(part, _Paragraph("".join(_word_words(element)), cell))
    if tag == "tbl":
        walk.tables[part] += 1
        table = walk.tables[part]
        rows = [row for row in element.iter() if _tag(row) == "tr"]
        own = [row for row in rows if not _is_deeper(element, row, "tbl")]
        for number, row in enumerate(own, 1):
            column = 1
            for inner in row.iter():
                if _tag(inner) == "gridBefore":
                    column += int(_value(inner, "val") or 0)
            for inner in (one for one in row.iter() if _tag(one) == "tc"):
                if _is_deeper(row, inner, "tbl"):
                    continue
                for child in inner:
                    _walk_word(child, walk, part, (table, number, column))
                spans = [one for one in inner.iter() if _tag(one) == "gridSpan"]
                column += int(_value(spans[0], "val") or 1) if spans else 1
        return
    for child in element:
        _walk_word(child, walk, part, cell)


def _is_deeper(outer: Element, inner: Element, tag: str) -> bool:
    """Whether another `tag` lies between the two."""
    return any(
        one is not outer and _tag(one) == tag and any(deep is inner for deep in one.iter())
        for one in outer.iter()
    )


def _word_words(element: Element) -> Iterator[str]:
    for child in element:
        tag = _tag(child)
        if tag in ("del", "moveFrom", "txbxContent", "Fallback", "rt", "p"):
            continue
        if tag == "t":
            yield child.text or ""
        elif tag in _BREAKS:
            yield " "
        elif tag == "noBreakHyphen":
            yield "-"
        else:
            yield from _word_words(child)


@lru_cache(maxsize=4)
def open_document_paragraphs(data: bytes) -> dict[str, list[_Paragraph]]:
    """The paragraphs of an OpenDocument text, in the order of the file."""
    root = _xml(data, "content.xml")
    walk = _Walk()
    body = next((one for one in root.iter() if _tag(one) == "text"), None) if root else None
    struck = _struck_styles(root) if root else frozenset()
    for child in body if body is not None else ():
        _walk_open_document(child, walk, "body", struck)
    return walk.parts


def _struck_styles(root: Element) -> frozenset[str]:
    """The styles that draw a line through words, which therefore are not to be quoted."""
    return frozenset(
        _value(style, "name")
        for style in root.iter()
        if _tag(style) == "style"
        and any(_value(one, "text-line-through-style") not in ("", "none") for one in style)
    )


def _walk_open_document(element: Element, walk: _Walk, part: str, struck: frozenset[str]) -> None:
    tag = _tag(element)
    if tag in ("tracked-changes", "annotation", "forms", "sequence-decls"):
        return
    if tag == "note":
        part = "endnotes" if _value(element, "note-class") == "endnote" else "footnotes"
    if tag == "text-box":
        part = "text boxes"
    if tag in ("p", "h"):
        walk.add(part, _Paragraph("".join(_open_words(element, struck))))
    for child in element:
        _walk_open_document(child, walk, part, struck)


def _open_words(element: Element, struck: frozenset[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = _tag(child)
        if tag in _BREAKS or tag == "s":
            yield " "
        elif tag not in ("note", "annotation", "text-box") and (
            _value(child, "style-name") not in struck
        ):
            yield from _open_words(child, struck)
        yield child.tail or ""


@lru_cache(maxsize=4)
def _rich_paragraphs(data: bytes) -> list[str]:
    """The paragraphs and cells of an RTF file, as striprtf reads it."""
    from striprtf.striprtf import rtf_to_text

    words = rtf_to_text(data.decode("latin-1"), errors="replace")
    # The end of a row ends no paragraph.
    return re.split(r"\|\n?|\n", words)


def paragraph_words(data: bytes, place: ParagraphPlace) -> str | None:
    """The words of the paragraphs of `place`; None for files that are not read here."""
    if data.startswith(b"{\\rtf"):
        if place.part != "body":
            return None
        return "\n".join(_rich_paragraphs(data)[place.first - 1 : place.last])
    if not data.startswith(b"PK"):
        return None
    parts = word_paragraphs(data) if "[Content_Types].xml" in archive_members(data) else None
    if parts is None:
        parts = open_document_paragraphs(data)
    chosen = parts.get(place.part, [])[place.first - 1 : place.last]
    if place.table and any(one.cell[0] and one.cell[0] != place.table for one in chosen):
        return f"in table {chosen[0].cell}"
    return "\n".join(one.words for one in chosen)


@lru_cache(maxsize=4)
def _slides(data: bytes) -> tuple[tuple[str, str], ...]:
    """The words of each slide and of its notes, in the order of the slides."""
    root = _xml(data, "content.xml")
    if root is not None:
        pages = [one for one in root.iter() if _tag(one) == "page"]
        return tuple(
            ("\n".join(_drawn_words(page)), "\n".join(_drawn_words(page))) for page in pages
        )
    main = next(
        (to for kind, to in _relations(data, "").values() if kind == "officeDocument"),
        "ppt/presentation.xml",
    )
    root = _xml(data, main)
    related = _relations(data, main)
    listed = [one for one in (root.iter() if root is not None else ()) if _tag(one) == "sldId"]
    slides = []
    for one in listed:
        # Both `id` and `r:id` are there.
        reference = next(v for key, v in one.items() if key.endswith("}id"))
        part = related.get(reference, ("", ""))[1]
        words = {"slide": [part], "notesSlide": []}
        for kind, target in _relations(data, part).values():
            home = "notesSlide" if kind == "notesSlide" else "slide"
            if kind in ("notesSlide", "chart", "diagramData", "chartEx"):
                words[home].append(target)
        slides.append(
            tuple(
                "\n".join(
                    line
                    for target in words[kind]
                    if (xml := _xml(data, target)) is not None
                    for line in _drawn_words(xml)
                )
                for kind in ("slide", "notesSlide")
            )
        )
    return tuple((slide, notes) for slide, notes in slides)


def _drawn_words(root: Element) -> Iterator[str]:
    """The paragraphs of a drawing, and the values of a chart."""
    for element in root.iter():
        tag = _tag(element)
        if tag in ("p", "h"):
            yield "".join(
                (one.text or "") if _tag(one) == "t" else " " if _tag(one) in _BREAKS else ""
                for one in element.iter()
            ) or "".join(element.itertext())
        elif tag in ("v", "f"):
            yield element.text or ""


def slide_words(data: bytes, place: SlidePlace) -> str | None:
    """The words on the slides of `place`, or in their notes."""
    chosen = _slides(data)[place.first - 1 : place.last]
    return "\n".join(notes if place.notes else f"{slide}\n{notes}" for slide, notes in chosen)
