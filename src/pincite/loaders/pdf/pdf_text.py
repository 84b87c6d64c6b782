"""From blocks of lines to text with marks: line ends become spaces, parted words are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.loaders.composer import Piece, Printed
from pincite.loaders.pdf.pdf_layout import Line
from pincite.loaders.pdf.pdf_pages import SOFT_HYPHEN, Fragment, PageText
from pincite.places import EDGE_SCALE, Box, Page, PagePlace

_HYPHENS = (SOFT_HYPHEN, "-", "\u2010")
_WORD_BEFORE = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*\Z")
_WORD_AFTER = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W_]+)*")
_AFTER_A_PREFIX = frozenset("and or to und oder bis et ou y o e og och en of".split())
_DIGITS = 5


class Vocabulary:
    """The words of the document, by which it is told whether a hyphen belongs to a word."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._words: set[str] = set()
        self._parts_words = False
        self._is_read = False

    def _read(self) -> None:
        """Only once it is asked for: many documents part no word."""
        self._is_read = True
        parted: list[tuple[str, str]] = []
        count = 0
        before = ""
        for line in self._lines:
            for fragment in line.fragments:
                count += 1
                words = _WORDS.findall(fragment.text.lower())
                first = 0
                if before and words:
                    # Parts of words are no words.
                    parted.append((before, words[0]))
                    first = 1
                before = words.pop() if words and fragment.text[-1] in _HYPHENS else ""
                self._words.update(words[first:])
        joined = sum(one + other in self._words for one, other in parted)
        kept = sum(self._is_compound(one, other) for one, other in parted)
        # Where nothing tells: programs that part words part many.
        self._parts_words = joined > kept or (joined == kept and len(parted) > 0.03 * count)

    def _is_compound(self, one: str, other: str) -> bool:
        return one + other not in self._words and (
            f"{one}-{other}" in self._words or (one in self._words and other in self._words)
        )

    def joint(self, before: str, after: str) -> str | None:
        """What stands between two lines of which the first ends with a hyphen.

        Empty where the hyphen only parts a word; `-` where it belongs to it; None where the
        hyphen is kept and a space follows.
        """
        first = _WORD_BEFORE.search(before.lower())
        second = _WORD_AFTER.match(after.lower())
        if first is None or second is None:
            return None if second is None or before.endswith((" ", "-")) else "-"
        if second[0] in _AFTER_A_PREFIX:
            return None
        if not after[0].islower():
            return "-"
        if not self._is_read:
            self._read()
        one, other = first[0], second[0]
        if one + other in self._words:
            return ""
        if f"{one}-{other}" in self._words or not self._parts_words:
            return "-"
        return "-" if one in self._words and other in self._words and len(one) > 2 else ""


def pieces_of(lines: Sequence[Line], skipped: int, vocabulary: Vocabulary) -> list[Piece]:
    """The words of `lines` as one run of text, without the first `skipped` code points."""
    pieces: list[Piece] = []
    stretches = [(line, fragment) for line in lines for fragment in line.fragments]
    for number, (line, fragment) in enumerate(stretches):
        start, end = min(skipped, len(fragment.text)), len(fragment.text)
        skipped = max(0, skipped - len(fragment.text) - 1)
        if start == end:
            continue
        separator = " "
        following = stretches[number + 1][1].text if number + 1 < len(stretches) else ""
        if fragment.text[-1] in _HYPHENS and end - start > 1:
            joint = vocabulary.joint(fragment.text[:-1], following) if following else "-"
            if joint == "":
                end -= 1
            separator = " " if joint is None else ""
        elif following and _is_unspaced(fragment.text[-1]) and _is_unspaced(following[0]):
            separator = ""
        pieces += _marked(line, fragment, start, end)
        if following:
            pieces.append((separator, None))
    return pieces


def _is_unspaced(letter: str) -> bool:
    """Whether no space stands between this letter and the next in its language."""
    return "\u2e80" <= letter <= "\u9fff" or "\uf900" <= letter <= "\uffef"


def _marked(line: Line, fragment: Fragment, start: int, end: int) -> list[Piece]:
    text = fragment.text.replace(SOFT_HYPHEN, "-")
    if fragment.edges:
        edges = fragment.edges[start : end + 1]
        page = line.page
        box = Box(
            edges[0] / EDGE_SCALE,
            _share(fragment.top, page.height),
            edges[-1] / EDGE_SCALE,
            _share(fragment.bottom, page.height),
        )
        return [(text[start:end], Printed(_place(page, line.number, box), edges))]
    pieces: list[Piece] = []
    for word in fragment.words:
        first, last = max(word.start, start), min(word.end, end)
        if first >= last:
            continue
        if pieces:
            pieces.append((" ", None))
        box = _box(line.page, word.left, word.top, word.right, word.bottom)
        pieces.append((text[first:last], _place(line.page, line.number, box)))
    return pieces


def _place(page: PageText, number: int, box: Box) -> PagePlace:
    return PagePlace((Page(page.number, page.label, (box,), number, number, page.is_recognised),))


def _box(page: PageText, left: float, top: float, right: float, bottom: float) -> Box:
    return Box(
        _share(left, page.width),
        _share(top, page.height),
        _share(right, page.width),
        _share(bottom, page.height),
    )


def _share(length: float, whole: float) -> float:
    return round(min(max(length / whole, 0.0), 1.0), _DIGITS)
