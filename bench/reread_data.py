"""Values in JSON, YAML and XML, cells of notebooks and cues of recordings, read anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

from bench.reread_words import Found, Stretch, Verdict, decoded, visible
from pincite.places import NodePlace, NotebookPlace, TimePlace

Element = ElementTree.Element

_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\[nrtbf]")
_PART_OF_REFERENCE = re.compile(r"\A#?\w{0,6};|&#?\w{0,6}\Z")
_PART_OF_TAG = re.compile(r"\A[^<>]*>|<[^<>]*\Z")


def compare_nodes(data: bytes, place: NodePlace, stretches: Sequence[Stretch]) -> Found:
    """The text is the file, which is written in many ways: letters and digits must agree."""
    text = decoded(data)
    is_xml = text.lstrip().startswith("<")
    there = _xml_words(text, place.path) if is_xml else data_words(text, place.path)
    if there is None:
        return Found(Verdict.UNREAD)
    known = _alphanumeric(there)
    for stretch in stretches:
        words = stretch.words
        if is_xml:
            words = _PART_OF_REFERENCE.sub("", words)
            found = (
                _alphanumeric(unescape(words)) in known
                or _alphanumeric(visible(_PART_OF_TAG.sub("", words))) in known
            )
        else:
            found = _alphanumeric(_ESCAPE.sub(_unescaped, words)) in known
        if not found:
            return Found(Verdict.WRONG, f"{words[:60]!r} is not in {there[:200]!r}")
    words = "".join(one.words for one in stretches)
    is_all = known == _alphanumeric(unescape(words) if is_xml else words)
    return Found(Verdict.EXACT if is_all else Verdict.INSIDE, there)


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else ""


def _alphanumeric(words: str) -> str:
    return "".join(letter for letter in words if letter.isalnum())


def data_words(text: str, pointer: str) -> str | None:
    """The value at a JSON Pointer of JSON or YAML, with the key that leads to it; None for other
    text. `` where there is no such value.
    """
    documents = _documents(text)
    if not documents:
        return None
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    # Several documents in one file are counted.
    for value in (documents[0],) if len(documents) == 1 else (documents, documents[0]):
        try:
            for step in steps:
                value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            continue
        return f"{steps[-1] if steps else ''}: {_flat(value)}"
    return ""


@lru_cache(maxsize=4)
def _documents(text: str) -> list[Any]:
    import yaml

    try:
        # Numbers as they are written.
        return [json.loads(text, parse_float=str, parse_int=str)]
    except (ValueError, RecursionError):
        pass
    try:
        lines = [line for line in text.splitlines() if line.strip()]
        return [json.loads(line, parse_float=str, parse_int=str) for line in lines]
    except (ValueError, RecursionError):
        pass
    try:
        return list(yaml.load_all(text, Loader=yaml.BaseLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return []


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}: {_flat(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(_flat(one) for one in value)
    return {True: "true", False: "false", None: "null"}.get(value, str(value))


@lru_cache(maxsize=4)
def _xml_tree(text: str) -> Element | None:
    """With names as they are written, prefixes included."""
    if "<!ENTITY" in text:
        return None
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(re.sub(r"\A\s*<\?xml.*?\?>", "", text).encode("utf-8", "replace"), True)
    except expat.ExpatError:
        return None
    return builder.close()


def _xml_words(text: str, path: str) -> str | None:
    """Names, attributes and words of the element at `path`, as they are written."""
    root = _xml_tree(text)
    if root is None:
        return None
    above = Element("")
    above.append(root)
    for step in filter(None, path.split("/")):
        name, _, number = step.rstrip("]").partition("[")
        same = [child for child in above if child.tag == name]
        if len(same) < int(number or 1):
            return ""
        above = same[int(number or 1) - 1]
    return "".join(_written(above))


def _written(element: Element) -> Iterator[str]:
    yield f"<{element.tag}"
    for name, value in element.items():
        yield f' {name}="{value}"'
    if not element.text and not len(element):
        yield "/>"
        return
    yield f">{element.text or ''}"
    for child in element:
        yield from _written(child)
        yield child.tail or ""
    yield f"</{element.tag}>"


def notebook_words(data: bytes, place: NotebookPlace) -> str | None:
    """The source and the outputs of the cells of `place`."""
    book = json.loads(decoded(data))
    cells = book.get("cells")
    if cells is None:
        cells = [cell for sheet in book.get("worksheets", ()) for cell in sheet.get("cells", ())]
    chosen = cells[place.first - 1 : place.last]
    return "\n".join(_flat_strings(cell) for cell in chosen)


def _flat_strings(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(_flat_strings(one) for one in value.values())
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        return "\n".join(_flat_strings(one) for one in value)
    # A text is written in one string or in one for each line.
    words = "".join(value) if isinstance(value, list) else str(value)
    words = re.sub(r"\x1b\[[0-9;]*m", "", words)
    return f"{words}\n{visible(words)}"


_CUE = re.compile(
    r"(?m)^[ \t]*((?:\d+:)?\d+:\d+[.,]\d+)[ \t]*-->[ \t]*((?:\d+:)?\d+:\d+[.,]\d+)[^\n]*\n"
    r"((?:[^\n]*\S[^\n]*(?:\n|\Z))*)"
)


def cue_words(data: bytes, place: TimePlace) -> str | None:
    """The words of the cues between the two times of `place`."""
    text = decoded(data).replace("\r\n", "\n")
    return "\n".join(
        visible(words) + " ".join(re.findall(r"<v[.\w]*\s+([^>]+)>", words))
        for first, last, words in _CUE.findall(text)
        if place.start <= _milliseconds(first) and _milliseconds(last) <= place.end
    )


def _milliseconds(time: str) -> int:
    *clock, fraction = re.split(r"[:.,]", time)
    seconds = 0
    for part in clock:
        seconds = seconds * 60 + int(part)
    return seconds * 1000 + int(fraction.ljust(3, "0")[:3])
