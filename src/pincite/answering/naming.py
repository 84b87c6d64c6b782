"""Which file a question names, so that it is asked inside that file.

"What does the warranty cover according to Terms_2024.pdf?" is about one document, and the words
of its name are not what to look for in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_ENDING = re.compile(r"(?<=[\w)\]])\.([A-Za-z][A-Za-z0-9]{1,4})(?![\w.])")
_BREAK = re.compile(r"[\s_-]+")
_WORD = re.compile(r"""[^\s"'“”„‘’«»`?!;:]+""")
MOST_WORDS = 8
"""Words of a file's name that stand apart in a question."""
_LEADING_IN = re.compile(
    r"[\s,(\"'“„‘«`]*(?:\b(?:as (?:described|stated|explained|written) in|according to|based on|"
    r"per|in|from|by|of|within|inside|laut|gemäß|nach|in|im|selon|d'après|dans|según|en|secondo|"
    r"nel|volgens)\s+)?(?:\bthe\s+)?(?:\b(?:file|document)\s+)?[\"'“„‘«`]*$",
    re.IGNORECASE,
)
_LEADING_OUT = re.compile(r"^[\"'”“’»`)]*(?:\s+(?:file|document|pdf)\b)?,?", re.IGNORECASE)


def folded(name: str) -> str:
    """A file's name as it is compared: case, underscores, hyphens and spaces count for nothing."""
    return _BREAK.sub(" ", name).strip().casefold()


def asked_inside(question: str, paths: Callable[[], Sequence[str]]) -> tuple[str, str] | None:
    """The path of the file that the question names, and the question without the name.

    `paths` gives the documents there are; it is called only where the question may name a file.
    None where it names none of them, or a name that several have, or nothing but the name.
    """
    endings = list(_ENDING.finditer(question))
    if not endings:
        return None
    called: dict[str, list[str]] = {}
    for path in paths():
        called.setdefault(folded(path.rpartition("/")[2]), []).append(path)
    for ending in endings:
        starts = [word.start() for word in _WORD.finditer(question, 0, ending.start() + 1)]
        # The longest name first: "plus terms.pdf" before "terms.pdf".
        for start in starts[-MOST_WORDS:]:
            found = called.get(folded(question[start : ending.end()].rpartition("/")[2]), [])
            if len(found) != 1:
                continue
            rest = _without(question, start, ending.end())
            return (found[0], rest) if re.search(r"\w", rest) else None
    return None


def _without(question: str, start: int, end: int) -> str:
    before = _LEADING_IN.sub("", question[:start])
    after = _LEADING_OUT.sub("", question[end:])
    return f"{before} {after.lstrip()}".strip() if after[:1].isspace() else (before + after).strip()
