"""Which file a question names, so that it is asked inside that file.

"What does the warranty cover according to Terms_2024.pdf?" is about one document, and the words
of its name are not what to look for in it. So is "... in the Warranty Terms 2024?": a name
without its ending counts where the question says that it is a document's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pincite.answering.follow_up import has_topic
from pincite.answering.patterns import whole_words

MOST_WORDS = 8
"""Words of a file's name that stand apart in a question."""
FEWEST_WORDS = 2
"""Words of a name without its ending: a single one is a topic as well ("the terms")."""
FEWEST_WORDS_IN = 3
"""The same, after a mere "in" or "under"."""

_ENDING = re.compile(r"(?<=[\w)\]])\.([A-Za-z][A-Za-z0-9]{1,4})(?![\w.])")
_BREAK = re.compile(r"[\s_-]+")
_WORD = re.compile(r"""[^\s"'“”„‘’«»`?!;:]+""")
_QUOTES = "\"'“”„‘’«»`"
_SOURCE = (
    r"as (?:described|stated|explained|written|outlined|defined|set out) (?:in|by)|according to|"
    r"based on|considering|laut|gemäß|selon|d'après|según|secondo|volgens"
)
_WITHIN = r"per|in|from|by|of|under|within|inside|nach|im|dans|en|nel"
_LEADING_IN = re.compile(
    rf"[\s,({_QUOTES}]*(?:\b(?:{_SOURCE}|{_WITHIN})\s+)?(?:\bthe\s+)?"
    rf"(?:\b(?:file|document)\s+)?[{_QUOTES}]*$",
    re.IGNORECASE,
)
_LEADING_OUT = re.compile(rf"^[{_QUOTES})]*(?:\s+(?:file|document|pdf)\b)?,?", re.IGNORECASE)
_SAYS = (
    r"(?:say|state|explain|describe|define|mention|outline|specify|tell)s?"
    r"(?: (?:us|me))?(?: about| on)?\b"
)
_CITED = re.compile(
    rf"\b(?:(?P<sure>{_SOURCE}|(?:do|does|did)(?=[^?.]* {_SAYS}))|{_WITHIN})\s+"
    rf"(?:(?:the|file|document)\s+)*[{_QUOTES}]*",
    re.IGNORECASE,
)
"""What comes before the name of a document; `sure` is empty where it comes before much else."""
_ASKED_OF_IT = re.compile(r"^.*\b(?:do|does|did)$", re.IGNORECASE | re.DOTALL)
_SAID = re.compile(rf"^\s*{_SAYS}\s*", re.IGNORECASE)
_DOCUMENT = re.compile(
    whole_words(
        "agenda|agreement|analysis|brochure|catalog(?:ue)?|charter|contract|datasheet|details|"
        "document(?:ation)?|faqs?|guide(?:lines?|book)?|handbook|instructions?|letter|library|manual|"
        "memo(?:randum)?|minutes|notes|options|overview|paper|plan|polic(?:y|ies)|presentation|"
        "procedures?|protocol|readme|regulations|report|rules|slides|specifications?|spec|"
        "statement|stud(?:y|ies)|summary|terms|bericht|handbuch|leitfaden|richtlinie|vertrag|"
        "anleitung|contrat|guía|informe|manuel|rapport|relazione|politique|política"
    )
    + r"\W*(?:\d[\d .]*)?$",
    re.IGNORECASE,
)
"""How a name ends that is a document's and no topic's; a year or version may follow."""
_CAPITAL = re.compile(r"\b[^\W\d_a-zß-öø-ÿ]")


def folded(name: str) -> str:
    """A file's name as it is compared: case, underscores, hyphens and spaces count for nothing."""
    return _BREAK.sub(" ", name).strip().casefold()


def asked_inside(question: str, paths: Callable[[], Sequence[str]]) -> tuple[str, str] | None:
    """The path of the file that the question names, and the question without the name.

    `paths` gives the documents there are; it is called only where the question may name a file.
    None where it names none of them, or a name that several have, or nothing but the name.
    """
    endings = list(_ENDING.finditer(question))
    cited = list(_CITED.finditer(question))
    if not endings and not cited:
        return None
    known = paths()
    for path, start, end in (
        *_with_ending(question, endings, known),
        *_cited(question, cited, known),
    ):
        rest = _without(question, start, end)
        return (path, rest) if has_topic(rest) else None
    return None


def _with_ending(
    question: str, endings: Sequence[re.Match[str]], paths: Sequence[str]
) -> Iterator[tuple[str, int, int]]:
    """Each file whose whole name stands in the question, and where."""
    called = _called(paths, lambda name: (name,)) if endings else {}
    for ending in endings:
        starts = [word.start() for word in _WORD.finditer(question, 0, ending.start() + 1)]
        # The longest name first: "plus terms.pdf" before "terms.pdf".
        for start in starts[-MOST_WORDS:]:
            found = called.get(folded(question[start : ending.end()].rpartition("/")[2]), [])
            if len(found) == 1:
                yield found[0], start, ending.end()


def _cited(
    question: str, cited: Sequence[re.Match[str]], paths: Sequence[str]
) -> Iterator[tuple[str, int, int]]:
    """Each file whose name stands without its ending where a document is cited, and where."""
    called = _called(paths, _without_ending) if cited else {}
    for cue in cited:
        words = [found.span() for found in _WORD.finditer(question, cue.end())][:MOST_WORDS]
        for _, after in reversed(words):
            name = question[cue.end() : after].rstrip(".,)")
            found = called.get(folded(name), [])
            if len(found) == 1 and (cue["sure"] or _is_a_documents(name, found[0])):
                yield found[0], cue.end(), cue.end() + len(name)


def _is_a_documents(name: str, path: str) -> bool:
    """Whether a name after "in" or "under" is no topic that a file happens to be named by."""
    stem = folded(path.rpartition("/")[2]).rpartition(".")[0]
    return (
        len(folded(name).split()) >= FEWEST_WORDS_IN
        and _DOCUMENT.search(stem) is not None
        and len(_CAPITAL.findall(_BREAK.sub(" ", name))) >= FEWEST_WORDS
    )


def _without_ending(name: str) -> tuple[str, ...]:
    """The name without its ending, and also without the word that says it is a document."""
    stem = name.rpartition(".")[0] or name
    shorter = _DOCUMENT.sub("", stem).strip()
    names = dict.fromkeys((stem, shorter))
    return tuple(one for one in names if len(one.split()) >= FEWEST_WORDS)


def _called(paths: Sequence[str], names: Callable[[str], Sequence[str]]) -> dict[str, list[str]]:
    called: dict[str, list[str]] = {}
    for path in paths:
        for name in names(folded(path.rpartition("/")[2])):
            called.setdefault(name, []).append(path)
    return called


def _without(question: str, start: int, end: int) -> str:
    """The question without the name, and without what only says that it is cited."""
    before = _LEADING_IN.sub("", question[:start])
    after = _LEADING_OUT.sub("", question[end:])
    if _ASKED_OF_IT.match(before) and (said := _SAID.match(after)):
        return f"What is there about {after[said.end() :]}"
    return f"{before} {after.lstrip()}".strip() if after[:1].isspace() else (before + after).strip()
