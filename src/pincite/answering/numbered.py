"""Things of a kind that a number tells apart: tier 2, severity 3, error 15, building 7.

What is said of one is no answer about another, however alike the sentences are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# Not clauses, sections, pages or steps: a sentence about one often refers to another.
_KINDS = (
    "tier level severity priority grade class stage phase error code room floor building gate "
    "platform terminal zone band group category type unit module round season episode volume "
    "stufe klasse kategorie priorität fehler raum etage gebäude gruppe typ zone "
    "niveau classe catégorie groupe étage bâtiment erreur nivel clase categoría grupo piso "
    "edificio livello categoria gruppo piano errore nível erro ошибка уровень класс этаж"
)
_LONGEST_RANGE = 100
_NUMBER = r"\d{1,4}(?:\.\d{1,4})*(?![\w.]*\d)"
_AND = r"\s*(?:,|;|&|and|or|to|und|oder|bis|et|ou|à|y|o|a|e|и|или|до|-|–|—)\s*"
_NAMED = re.compile(
    rf"\b(?P<kind>{'|'.join(sorted(set(_KINDS.split())))})s?\s*#?"
    rf"(?P<numbers>{_NUMBER}(?:{_AND}{_NUMBER})*)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,4})\s*(?:to|bis|à|a|до|-|–|—)\s*(\d{1,4})(?![\d.])", re.IGNORECASE)
_SINGLE = re.compile(_NUMBER)

Named = Mapping[str, frozenset[str]]


def numbered(text: str) -> Named:
    """For each kind of thing in `text` the numbers that it is named with, a range in full."""
    found: dict[str, frozenset[str]] = {}
    for match in _NAMED.finditer(text):
        kind, said = match["kind"].casefold(), match["numbers"]
        numbers = set(_SINGLE.findall(said))
        for first, last in _RANGE.findall(said):
            if int(first) < int(last) <= int(first) + _LONGEST_RANGE:
                numbers.update(map(str, range(int(first), int(last) + 1)))
        found[kind] = found.get(kind, frozenset()) | numbers
    return found


def is_of_another(asked: Named, words: str, above: str) -> bool:
    """Whether `words` name, of a kind that is asked about, only things with other numbers.

    Under headings (`above`) that name the thing asked about, they may mention another.
    """
    said = numbered(words)
    for kind, numbers in asked.items():
        own = said.get(kind)
        if own and own.isdisjoint(numbers):
            return numbers.isdisjoint(numbered(above).get(kind, frozenset()))
    return False
