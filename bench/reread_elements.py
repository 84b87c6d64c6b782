"""Elements of web pages read anew: the markup at their offsets, and the element at their path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from bench.reread_words import Found, Stretch, Verdict, bare, decoded, in_order, visible
from pincite.places import ElementPlace

_STEP = re.compile(r"/([^/\[]+)(?:\[(\d+)\])?")
_HEADING = re.compile(r"h[1-6]")


def compare_elements(data: bytes, place: ElementPlace, stretches: Sequence[Stretch]) -> Found:
    """Whether `stretches` stand in the markup at the place's offsets, and in the element it names.

    The element is looked up in the tree that html5lib makes of the page, as browsers do.
    """
    source = decoded(data)
    wrong = _not_in_element(source, place, stretches)
    if wrong:
        return Found(Verdict.WRONG, wrong)
    if not place.end:
        return Found(Verdict.INSIDE)
    markup = source[place.start : place.end]
    found = bare(visible(markup))
    words = bare("".join(one.words for one in stretches))
    if found == words:
        return Found(Verdict.EXACT, markup)
    # Words that are repeated from elsewhere come in another order.
    holds = in_order(words, found) or all(bare(one.words) in found for one in stretches)
    return Found(Verdict.INSIDE if holds else Verdict.WRONG, markup)


def _not_in_element(source: str, place: ElementPlace, stretches: Sequence[Stretch]) -> str:
    """What is wrong with the path or the id of `place`; empty where they are right."""
    # Whether a page is read as XML is told by what it comes in, which is not known here.
    wrong = [_not_in_tree(tree, place, stretches) for tree in _trees(source)]
    return "" if "" in wrong else wrong[0]


def _not_in_tree(tree: Any, place: ElementPlace, stretches: Sequence[Stretch]) -> str:
    way = _elements_at(tree, place.path)
    if way is None:
        return f"there is no element at {place.path}"
    missing = next((one for one in stretches if bare(one.words) not in _words(way[-1])), None)
    if missing is not None:
        return f"{missing.words[:60]!r} is not in the element at {place.path}"
    around = [one.get("id") for one in way if one.get("id")]
    # A heading may have its id on the words in it.
    inside = [one.get("id") for one in way[-1].iter()] if _HEADING.fullmatch(way[-1].tag) else []
    if place.id and place.id not in (*around[-1:], *inside):
        return f"the id at {place.path} is {around[-1:]}, not {place.id!r}"
    return ""


@lru_cache(maxsize=4)
def _trees(source: str) -> tuple[Any, ...]:
    """The page as browsers read it: as HTML and, where it can be read so, as XML."""
    import html5lib

    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    trees = [parser.parse(source, scripting=True)]
    if "xmlns" in source[:2000] or source.lstrip().startswith("<?xml"):
        with suppress(ElementTree.ParseError):
            root = ElementTree.fromstring(re.sub(r"\A\s*<\?xml.*?\?>", "", source))
            for element in root.iter():
                element.tag = str(element.tag).rpartition("}")[2]
            trees.append(root)
    return tuple(trees)


@lru_cache(maxsize=512)
def _elements_at(tree: Any, path: str) -> tuple[Any, ...] | None:
    """The elements from the root to the one at `path`."""
    way: list[Any] = []
    for name, number in _STEP.findall(path):
        same = [one for one in (way[-1] if way else [tree]) if one.tag == name]
        if len(same) < int(number or 1) or (not number and len(same) > 1):
            return None
        way.append(same[int(number or 1) - 1])
    return tuple(way) or None


@lru_cache(maxsize=512)
def _words(element: Any) -> str:
    return bare("".join(element.itertext()))
