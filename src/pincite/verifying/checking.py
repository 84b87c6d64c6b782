"""What has become of a citation: whether its document says it, where, and what it says now."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Sequence

from pincite.places import Place, pages_of, place_of, without_boxes
from pincite.records import Citation, CitationWarning, Document, Lines, Span
from pincite.text.lines import count_line_ends
from pincite.text.passages import split_passages
from pincite.verifications import Change, Check, Status, Verification
from pincite.verifying.governing import left_out, sentence_around
from pincite.verifying.locating import between_context, by_context, is_alike, most_alike, sides
from pincite.verifying.matching import is_whole, occurrences
from pincite.verifying.stating import Passages, misstated, warnings_at
from pincite.version import __version__

LONGEST = 700
"""A longer sentence may be quoted in pieces, as `text.sentences` cuts it."""
_AROUND = 400
"""Code points around a quote that are looked at where the text is known to be the one cited."""
_MOST_COMPARED = 62_500
"""Pairs of words; of words that recur, comparing takes the time of their cube."""
_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)


def verify(citation: Citation, document: Document, *, version: str = "") -> Verification:
    """Whether `document`, as it is read now, says what is cited, and where.

    Nothing is believed of the citation but the words themselves: a quote that is the text at its
    position and only a part of an amount or word, or that leaves out an exception, is not valid.
    `version` is that of the Pincite that wrote the citation, where it is known: what another one
    warned of is not compared.
    """
    return verify_each([citation], document, [version])[0]


def verify_each(
    citations: Sequence[Citation], document: Document, versions: Sequence[str]
) -> list[Verification]:
    """`verify` of several citations of one document, each with the version that wrote it."""
    passages = functools.cache(lambda: split_passages(document))
    return [
        _verified(citation, document, passages, version in ("", __version__))
        for citation, version in zip(citations, versions, strict=True)
    ]


def _verified(
    citation: Citation, document: Document, passages: Passages, is_own_version: bool
) -> Verification:
    text = document.text
    is_same_text = citation.text.sha256 == document.extraction.sha256
    checks = [
        _equal("file", citation.document.sha256, document.source.sha256),
        _equal(
            "extractor",
            f"{citation.text.extractor} {citation.text.extractor_version}",
            f"{document.extraction.extractor} {document.extraction.extractor_version}",
        ),
        _equal("text", citation.text.sha256, document.extraction.sha256),
    ]
    found = _found(citation, text, is_same_text)
    is_in_place = found is not None and _is_same_place(found, citation.position, text)
    at_position = citation.position.of(text)
    checks.append(
        Check("position", is_in_place, "" if is_in_place else f"there is: {at_position[:200]!r}")
    )
    checks.append(Check("quote", found is not None, "" if found else "the words are not there"))
    if found is None:
        return _changed_or_gone(citation, document, checks, is_same_text)
    beside = sides(found, citation.quote, text)
    checks.append(Check("context", beside == 2, "" if beside == 2 else _beside(beside)))
    rest = left_out(text, found)
    if rest and _is_cut_by_length(text, found):
        checks.append(Check("complete", None, f"a sentence of more than {LONGEST} code points"))
        rest = None
    else:
        lacking = f"left out: {rest.of(text)!r}" if rest else ""
        checks.append(Check("complete", rest is None, lacking))
    place, lines = place_of(document.marks, found.start, found.end), lines_of(text, found)
    is_same_file = checks[0].passed is True and checks[1].passed is True
    named = _is_same_named_place(citation, place, lines, whole=is_same_file)
    named = named and (is_same_text or _is_under_headings(citation.heading_path, found, document))
    checks.append(Check("place", named, "" if named else "it is another one now"))
    wrong: list[str] | None = None
    warnings = warnings_at(document, found, passages)
    warned: bool | None = None
    if is_same_text and checks[1].passed:
        wrong = misstated(citation, document, found, passages)
        if warnings is not None and is_own_version:
            warned = warnings == citation.warnings
    stated = None if wrong is None else not wrong
    checks.append(Check("stated", stated, f"not so: {', '.join(wrong)}" if wrong else ""))
    checks.append(Check("warnings", warned, _warned_of(warnings) if warned is False else ""))
    outcome = functools.partial(
        _outcome,
        warnings=warnings or (),
        not_compared=_not_compared(citation, checks, is_same_text=is_same_text),
    )
    if wrong and not rest:
        reason = f"the record states {' and '.join(wrong)} that the document does not have there"
        return outcome(Status.CHANGED, citation, document, checks, reason, found)
    if warned is False and not rest:
        reason = "the record does not warn of what the document gives cause for, or of other things"
        return outcome(Status.CHANGED, citation, document, checks, reason, found)
    if rest or (is_same_text and is_in_place and beside < 2):
        said = Span(min(found.start, rest.start), max(found.end, rest.end)) if rest else found
        reason = (
            "the quote leaves out words of its sentence that limit or deny it"
            if rest
            else "the words around the quote are not those that the citation gives"
        )
        return outcome(Status.CHANGED, citation, document, checks, reason, said)
    if is_in_place and named:
        reason = "the document says these words in this place"
        return outcome(Status.VALID, citation, document, checks, reason, found)
    reason = "the document says these words in another place"
    return outcome(Status.MOVED, citation, document, checks, reason, found)


def unverified(citation: Citation, status: Status, reason: str) -> Verification:
    """What is said of a citation whose document could not be looked at."""
    check = Check("file", None if status is Status.NOT_CHECKABLE else False, reason)
    return Verification(status, (check,), citation.document.path, citation.quote.exact, reason)


def lines_of(text: str, span: Span) -> Lines:
    """The lines of `text` that `span` stands on, as citations count them."""
    first = 1 + count_line_ends(text, 0, span.start)
    return Lines(first, first + count_line_ends(text, span.start, max(span.start, span.end - 1)))


def _found(citation: Citation, text: str, is_same_text: bool) -> Span | None:
    """The place that says the quote and is the one cited; None where only others do, or none."""
    quote, cited = citation.quote, citation.position
    is_inside = cited.end <= len(text)
    if is_same_text and is_inside and cited.of(text) == quote.exact and is_whole(text, cited):
        return cited
    if is_same_text:
        start = max(0, cited.start - _AROUND)
        around = text[start : cited.end + _AROUND]
        for span in occurrences(quote.exact, around):
            here = Span(span.start + start, span.end + start)
            if _is_same_place(here, cited, text):
                return here
    ranked = by_context(occurrences(quote.exact, text), quote, text, cited.start)
    if not ranked:
        return None
    best = ranked[0]
    if best.sides == 2:
        return best.span
    if is_same_text:
        return None
    # Of two equal sentences the other one may be left, while the one cited says something else.
    instead = between_context(quote, text)
    if instead is not None and is_alike(instead.of(text), quote):
        within = [one for one in ranked if instead.start <= one.span.start < instead.end]
        return within[0].span if within else None
    return best.span


def _changed_or_gone(
    citation: Citation, document: Document, checks: list[Check], is_same_text: bool
) -> Verification:
    text, quote = document.text, citation.quote
    if is_same_text and citation.position.of(text).strip():
        now: Span | None = Span(citation.position.start, min(citation.position.end, len(text)))
        reason = "the text that is cited does not say these words there"
    else:
        now = between_context(quote, text)
        if now is None or (now.start < now.end and not is_alike(now.of(text), quote)):
            now = most_alike(quote, text, citation.position.start)
        elif now.start == now.end:
            now = None
        reason = "the document says something else now"
    if now is None:
        reason = "the document is there, and the words and their like are not in it"
        return _outcome(Status.GONE, citation, document, checks, reason, None)
    return _outcome(Status.CHANGED, citation, document, checks, reason, now)


def _outcome(
    status: Status,
    citation: Citation,
    document: Document,
    checks: list[Check],
    reason: str,
    now: Span | None,
    warnings: tuple[CitationWarning, ...] = (),
    not_compared: tuple[str, ...] = (),
) -> Verification:
    words = now.of(document.text) if now is not None else ""
    is_changed = status is Status.CHANGED
    return Verification(
        status=status,
        checks=tuple(checks),
        path=citation.document.path,
        quote=citation.quote.exact,
        reason=reason,
        position=now,
        lines=None if now is None else lines_of(document.text, now),
        place=None if now is None else place_of(document.marks, now.start, now.end),
        now=words if is_changed else "",
        changes=changes(citation.quote.exact, words) if is_changed else (),
        warnings=warnings,
        not_compared=not_compared,
    )


def _not_compared(
    citation: Citation, checks: Sequence[Check], *, is_same_text: bool
) -> tuple[str, ...]:
    """What the citation states that no check of these looked at."""
    passed = {check.name: check.passed for check in checks}
    found = ["modified", "parts", "score"]
    if passed["stated"] is None:
        found += ["title", "media_type", "cells", *(["headings"] if is_same_text else [])]
    elif not passed["file"]:
        found += ["title", "media_type"]
    if passed["warnings"] is None:
        found.append("warnings")
    is_stated = {"headings": citation.heading_path, "cells": citation.cells}
    return tuple(sorted(name for name in found if is_stated.get(name, True)))


def _warned_of(warnings: Sequence[CitationWarning] | None) -> str:
    told = "; ".join(f"{one.kind.value}: {one.words}" for one in warnings or ())
    return f"it gives cause for: {told}" if told else "it gives cause for none"


def changes(before: str, after: str) -> tuple[Change, ...]:
    """What was taken out and put in, word by word, to come from one to the other.

    Of a great deal of other words only where they begin and end is told.
    """
    one, other = _PIECE.findall(before), _PIECE.findall(after)
    head = _same_beginning(one, other)
    tail = _same_beginning(one[head:][::-1], other[head:][::-1])
    old, new = one[head : len(one) - tail], other[head : len(other) - tail]
    found: list[Change] = []
    _add(found, "same", one[:head])
    if len(old) * len(new) <= _MOST_COMPARED:
        for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
            if kind == "equal":
                _add(found, "same", old[i:j])
            else:
                _add(found, "removed", old[i:j])
                _add(found, "added", new[k:m])
    else:
        _add(found, "removed", old)
        _add(found, "added", new)
    _add(found, "same", one[len(one) - tail :])
    return tuple(found)


def _same_beginning(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pieces both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _add(found: list[Change], kind: str, pieces: Sequence[str]) -> None:
    """Add a change, or go on with the one before it."""
    if not pieces:
        return
    words = "".join(pieces)
    if found and found[-1].kind == kind:
        words = found.pop().words + words
    found.append(Change(kind, words))


def _is_cut_by_length(text: str, quote: Span) -> bool:
    """Whether the sentence is so long that a quote is cut from it that is not all of it."""
    sentence = sentence_around(text, quote)
    return sentence.end - sentence.start > LONGEST


def _is_same_place(one: Span, other: Span, text: str) -> bool:
    """Whether two spans are the same but for white space at their ends."""
    if one.start == other.start and one.end == other.end:
        return True
    if max(one.end, other.end) > len(text):
        return False
    between = (
        text[min(one.start, other.start) : max(one.start, other.start)]
        + text[min(one.end, other.end) : max(one.end, other.end)]
    )
    return not between.strip()


def _is_same_named_place(
    citation: Citation, place: Place | None, lines: Lines, *, whole: bool
) -> bool:
    cited = citation.place
    if not whole:
        # Boxes may be a hair beside in a file that was written anew.
        cited, place = without_boxes(cited), without_boxes(place)
    return cited == place and citation.pages == pages_of(place) and citation.lines == lines


def _is_under_headings(cited: tuple[str, ...], found: Span, document: Document) -> bool:
    """Whether it stands under the headings that are cited, or under more, or fewer, of them."""
    now: tuple[str, ...] = ()
    for block in document.blocks:
        if block.span.start > found.start:
            break
        now = block.heading_path
    return all(one == other for one, other in zip(cited, now, strict=False))


def _equal(name: str, cited: str, now: str) -> Check:
    return Check(name, cited == now, "" if cited == now else f"it is {now}")


def _beside(count: int) -> str:
    if count:
        return "on one side stands something else"
    return "on both sides stands something else"
