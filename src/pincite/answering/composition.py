"""From the best sentence to a quote that reads by itself: contiguous, verbatim, and short."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answering import answer_types
from pincite.answering.several import asks_for_several
from pincite.protocols import Query, ScoredCandidate
from pincite.records import BlockKind, Passage, Sentence, Span
from pincite.text.lines import LINE_END

LONGEST_LEAN = 400
"""A sentence that leans on the one before takes it along up to this many code points in all."""
FEWEST_WORDS = 2
"""So few ("No.") say nothing by themselves: the sentence after them is quoted as well."""
LONGEST_PAIR = 320
RIVAL_MARGIN = 1.1
"""Scores are log-odds: within this, the neighbour is at least a third as likely the answer. At 1.5
one more of the 82 questions of the examples is answered, none of 200 of squad2 and clapnq, and
quotes are longer."""
LONGEST_TITLE = 80
LONGEST_LIST = 900
"""A list is quoted whole up to this many code points, else from its lead-in to the item."""

_LEANS_BACK = re.compile(
    r"\W*(?:it|its|this|that|these|those|they|their|them|he|his|she|her|such|otherwise|however|"
    r"in (?:this|that) case|if so|das|dies\w*|sie|er|es|cela|celui-ci|esto|eso|isto|questo|"
    r"ésta?|isso|dit|deze|dette|det|это|он|она|они)\b",
    re.IGNORECASE,
)
_QUALIFIES = re.compile(
    r"\W*(?:unless|except|exceptions?|only (?:if|when|where)|but|however|otherwise|provided that|"
    r"as long as|th(?:is|ese|at) (?:do(?:es)? not|doesn['’]t|don['’]t|appl(?:y|ies) only) |"
    r"es sei denn|außer|ausgenommen|jedoch|sauf|à moins|salvo|excepto|pero|tranne|a meno|exceto|"
    r"behalve|tenzij|unntatt|men|кроме|но)\b",
    re.IGNORECASE,
)
_QUESTION_END = re.compile(r"[?？؟]\W*$")
_LABEL = re.compile(r"\W*(?:\*\*|__)[^*_]{1,60}(?:\*\*|__)\W*")
_LEAD_IN = re.compile(r"[:：]\W*$")
_SENTENCE_END = re.compile(r"[.!?;,。！？][\"'”’»)\]]*\W*$")
_NO_ANSWER = (BlockKind.MARKUP, BlockKind.TABLE_HEADER)


def compose(query: Query, best: ScoredCandidate, scored: Sequence[ScoredCandidate]) -> Span:
    """The span of the document to quote for the chosen sentence.

    Takes along: the answer below a question or lead-in line that was chosen itself, the items
    of the list when steps or several things were asked for, the sentence before one that starts
    with a word pointing back ("It", "This"), and a neighbour that is nearly as likely to be the
    answer. For a question of yes or no, the line that leads in the list, which may say "not",
    and the sentence after that makes an exception. Stays inside the passage.
    """
    candidate = best.candidate
    passage = candidate.passage
    first = last = candidate.sentence_index
    chosen = passage.sentences[first]
    words = _words(passage, chosen)
    wants_all = answer_types.METHOD in query.expects or asks_for_several(query.text)
    if chosen.kind is BlockKind.LIST_ITEM and wants_all:
        first, last = _whole_list(passage, first)
    elif chosen.kind is BlockKind.LIST_ITEM and answer_types.YES_NO in query.expects:
        first = _lead_in_of(passage, first)
    elif _introduces(words, chosen) or _is_title(passage, first):
        first, last = _what_follows(passage, first)
    elif _LEANS_BACK.match(words):
        first = _sentence_before(passage, first)
    if first == last == candidate.sentence_index:
        first, last = _with_rival(best, scored)
    if first == last and _is_word_or_two(passage, first):
        last = _sentence_after(passage, first)
    if answer_types.YES_NO in query.expects:
        last = _with_exception(passage, first, last)
    return Span(_start(passage, first, last), passage.sentences[last].quote.end)


def _start(passage: Passage, first: int, last: int) -> int:
    """Where the quote starts: with the marker of its first item where more items follow."""
    sentence = passage.sentences[first]
    if first == last or sentence.kind is not BlockKind.LIST_ITEM:
        return sentence.quote.start
    if passage.sentences[last].kind is not BlockKind.LIST_ITEM:
        return sentence.quote.start
    lead = passage.text[
        sentence.start - passage.span.start : sentence.quote.start - passage.span.start
    ]
    return sentence.quote.start - len(lead.lstrip())


def _is_word_or_two(passage: Passage, index: int) -> bool:
    return len(_words(passage, passage.sentences[index]).split()) <= FEWEST_WORDS


def _sentence_after(passage: Passage, index: int) -> int:
    after = index + 1
    if (
        after < len(passage.sentences)
        and passage.sentences[after].kind is passage.sentences[index].kind
        and passage.sentences[index].kind is BlockKind.PARAGRAPH
        and not _apart(passage, index, after)
        and _length(passage, index, after) <= LONGEST_LEAN
    ):
        return after
    return index


def _with_exception(passage: Passage, first: int, last: int) -> int:
    """The last sentence of the quote, or the one after it that begins with "unless" or the like."""
    after = _sentence_after(passage, last)
    if after != last and _QUALIFIES.match(_words(passage, passage.sentences[after])):
        return after if _length(passage, first, after) <= LONGEST_LEAN else last
    return last


def _lead_in_of(passage: Passage, index: int) -> int:
    """The line that leads in the list of an item, or the item where none does or it is far."""
    first = index
    while first > 0 and _continues_list(passage, first - 1):
        first -= 1
    if first == 0 or not _LEAD_IN.search(_words(passage, passage.sentences[first - 1])):
        return index
    return first - 1 if _length(passage, first - 1, index) <= LONGEST_LIST else index


def _with_rival(best: ScoredCandidate, scored: Sequence[ScoredCandidate]) -> tuple[int, int]:
    """The sentence with the neighbour that came close to it, if there is one."""
    index = best.candidate.sentence_index
    passage = best.candidate.passage
    if passage.sentences[index].kind is BlockKind.TABLE_ROW:
        return index, index
    rivals = [
        other
        for other in scored
        if other.candidate.passage == passage
        and abs(other.candidate.sentence_index - index) == 1
        and best.score - other.score <= RIVAL_MARGIN
        and passage.sentences[other.candidate.sentence_index].kind is passage.sentences[index].kind
    ]
    if not rivals:
        return index, index
    rival = max(rivals, key=lambda other: (other.score, -other.candidate.sentence_index))
    first, last = sorted((index, rival.candidate.sentence_index))
    if _length(passage, first, last) > LONGEST_PAIR or _apart(passage, first, last):
        return index, index
    return first, last


def _apart(passage: Passage, first: int, last: int) -> bool:
    """Whether a blank line lies between two sentences."""
    return _lines_between(passage, first, last) > 1


def _lines_between(passage: Passage, first: int, last: int) -> int:
    start = passage.sentences[first].quote.end - passage.span.start
    end = passage.sentences[last].quote.start - passage.span.start
    return len(LINE_END.findall(passage.text, start, end))


def _introduces(words: str, sentence: Sentence) -> bool:
    return bool(
        _LEAD_IN.search(words)
        or _QUESTION_END.search(words)
        or _LABEL.fullmatch(words)
        or sentence.kind is BlockKind.HEADING
    )


def _is_title(passage: Passage, index: int) -> bool:
    """Whether it is a line by itself that does not end as a sentence, above others of a text."""
    sentence = passage.sentences[index]
    words = _words(passage, sentence)
    after = index + 1
    return (
        sentence.kind is BlockKind.PARAGRAPH
        and len(words) <= LONGEST_TITLE
        and not _SENTENCE_END.search(words)
        and ":" not in words
        and (index == 0 or _lines_between(passage, index - 1, index) > 1)
        and after < len(passage.sentences)
        and passage.sentences[after].kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
        and _lines_between(passage, index, after) > 1
    )


def _words(passage: Passage, sentence: Sentence) -> str:
    start = passage.span.start
    return passage.text[sentence.quote.start - start : sentence.quote.end - start]


def _length(passage: Passage, first: int, last: int) -> int:
    return passage.sentences[last].quote.end - passage.sentences[first].quote.start


def is_quotable(sentence: Sentence) -> bool:
    """Whether a sentence may be chosen: layout and the header row of a table say nothing."""
    return sentence.quote.end > sentence.quote.start and sentence.kind not in _NO_ANSWER


def _sentence_before(passage: Passage, index: int) -> int:
    before = index - 1
    if (
        before >= 0
        and passage.sentences[before].kind is passage.sentences[index].kind
        and is_quotable(passage.sentences[before])
        and _length(passage, before, index) <= LONGEST_LEAN
    ):
        return before
    return index


def _whole_list(passage: Passage, index: int) -> tuple[int, int]:
    """The list around an item, with its lead-in line where it fits."""
    first = last = index
    while first > 0 and _continues_list(passage, first - 1):
        first -= 1
    while last + 1 < len(passage.sentences) and _continues_list(passage, last + 1):
        last += 1
    while last > index and not is_quotable(passage.sentences[last]):
        last -= 1
    while first < index and not is_quotable(passage.sentences[first]):
        first += 1
    if first > 0 and _LEAD_IN.search(_words(passage, passage.sentences[first - 1])):
        first -= 1
    if _length(passage, first, last) > LONGEST_LIST:
        return index, index
    return first, last


def _continues_list(passage: Passage, index: int) -> bool:
    sentence = passage.sentences[index]
    return sentence.kind is BlockKind.LIST_ITEM or not is_quotable(sentence)


def _what_follows(passage: Passage, index: int) -> tuple[int, int]:
    """A question, heading or lead-in line with what it introduces."""
    last = index
    sentences = passage.sentences
    following = index + 1
    while following < len(sentences) and not is_quotable(sentences[following]):
        following += 1
    if following == len(sentences) or sentences[following].kind is BlockKind.HEADING:
        return index, index
    kind = sentences[following].kind
    last = following
    if kind in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER):
        while (
            last + 1 < len(sentences)
            and sentences[last + 1].kind in (kind, BlockKind.TABLE_ROW, BlockKind.MARKUP)
            and _length(passage, index, last + 1) <= LONGEST_LIST
        ):
            last += 1
        while last > following and not is_quotable(sentences[last]):
            last -= 1
    if _length(passage, index, last) > LONGEST_LIST:
        return index, index
    # The question or heading itself is no part of the answer; a lead-in line is.
    asks = _QUESTION_END.search(_words(passage, sentences[index]))
    return (following if asks or sentences[index].kind is BlockKind.HEADING else index), last
