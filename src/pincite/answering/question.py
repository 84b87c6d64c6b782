"""A question as it is worked on: its terms, by language, and the kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from pincite.answering.answer_types import expected_types
from pincite.text.stop_words import stop_words
from pincite.text.tokens import tokens

CARRIED_WEIGHT = 0.3
"""What a word taken over from an earlier turn counts, beside one the question has itself."""

_WORD = re.compile(r"[^\W\d_]+")
# Words that say what kind of answer is wanted, not what it is about. English has most of them
# among its stop words; in other languages the lists leave them out.
ASKING = re.compile(
    "|".join(
        (
            r"\bhow (?:long|many|much|often|far|soon|quickly|old|tall|big|large)\b",
            r"\bwhat (?:kind|type|sort) of\b|\bdo you know\b",
            r"\b(?:can|could) you (?:please )?(?:tell|explain|describe)\b",
            r"\bi (?:want|need|would like) to (?:know|find)\b",
            r"\bwie ?(?:viele?|lange|oft|groß|hoch|alt)\b|\bwelche[mnrs]?\b",
            r"\bwor(?:an|auf|in|um)\b",
            r"\bwomit\b|\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bworaus\b|\bwofür\b|\bwodurch\b",
            r"\bcombien\b|\bquels?\b|\bquelles?\b|\bqui\b|\bquoi\b|\blequel\b|\bquand\b|\bcomment\b",
            r"\bcu[aá]nt[oa]s?\b|\bcu[aá]l(?:es)?\b|\bqui[eé]n(?:es)?\b|\bqu[eé]\b|\bd[oó]nde\b",
            r"\bcu[aá]ndo\b|\bc[oó]mo\b",
            r"\bquant[oaie]s?\b|\bqua(?:l|is|le|li)\b|\bque[mn]\b|\bonde\b|\bquando\b|\bdove\b|\bchi\b",
            r"\bhoeveel\b|\bwelke?\b|\bwie\b|\bwaar\b|\bwanneer\b|\bhoe\b",
            r"\bhvo(?:r|rdan|rfor)\b|\bhvilke[nt]?\b|\bhvem\b|\bhva\b|\bmange\b",
            r"\b(?:care|cine|c[âa]t[eăiă]?|c[âa]ți|unde|c[âa]nd|cum|ce)\b",
            r"\bкак(?:ой|ая|ое|ие|им|ими|их|ого|ому|ую|ом)\b|\bсколько\b|\bкто\b|\bк(?:ого|ому|ем|ак)\b",
            r"\bкогда\b|\bгде\b|\bкуда\b|\bпочему\b|\bзачем\b|\bч(?:то|его|ему|ем|ей|ья|ьё)\b",
            r"\bπο[ιί](?:ος|α|ο|οι|ες|ους|ου|ας|ον|αν)\b|\bπόσ(?:ο|α|οι|ες|ους|η|ος)\b|\bπο[ύυ]\b|\bπότε\b",
            r"\bτι\b|\bπώς\b|\bγιατί\b",
            r"\b(?:kaç|hangi(?:si|leri)?|ne(?:dir|ler|yi|den|rede|ydi)?|kim(?:dir|in|e|i)?|nasıl|zaman)\b",
            r"(?<!\w)(?:ما|ماذا|من|متى|أين|كم|كيف|لماذا|أي|أية|هو|هي)(?!\w)",
            r"(?<!\w)(?:क्या|कौन|किस|किसने|किसका|किसके|किसकी|किसे|कब|कहाँ|कहां|कितन[ेीा]|कैसे|क्यों|कौनसा|कौनसी)(?!\w)",
            r"\b(?:bao nhiêu|cái gì|gì|nào|ai|đâu|khi nào|tại sao|thế nào|mấy)\b",
            r"什么|多少|哪[个里些年位种]?|谁|为何|为什么|如何|怎么样?|何时|几[个位次年]?|是不是",
            r"何(?:ですか|という|[人個回冊本台枚年月日時])?|どこ|だれ|誰|いつ|なぜ|どのよう[にな]?|どれ|どの|でしょうか|ですか|ますか",
            r"누구|무엇|언제|어디|어떻게|얼마나|몇|무슨|어느|왜",
            r"อะไร|ใคร|เมื่อไร|เมื่อใด|ที่ไหน|เท่าไร|เท่าใด|กี่|อย่างไร|ทำไม|ใด",
        )
    ),
    re.IGNORECASE,
)


def common_words(question: str, languages: Iterable[str]) -> frozenset[str]:
    """The stop words of the language the question is in, as far as they tell.

    That is the one of `languages` or English whose stop words it has most of, the first by code
    among equals; empty when it has none. Telling the language of a line by its letters would
    take longer than answering it.
    """
    words = [match.group().casefold() for match in _WORD.finditer(question)]
    best: frozenset[str] = frozenset()
    most = 0
    for language in sorted({*languages, "en"}):
        known = stop_words(language)
        found = sum(word in known for word in words)
        if found > most:
            best, most = known, found
    return best


def question_terms(
    question: str, language: str, *, common: Set[str] = frozenset()
) -> tuple[str, ...]:
    """The terms of `question` as a text in `language` would have them, in order.

    `common` words are left out as well: those of the question's own language. To a French
    document the English "the" is a rare word, and would be looked for.
    """
    for asked in (ASKING.sub(" ", question), question):
        found = [
            term
            for token in tokens(asked, language)
            if asked[token.start : token.end].casefold() not in common
            for term in token.terms
        ]
        if found:
            return tuple(found)
    return ()


__all__ = ["CARRIED_WEIGHT", "common_words", "expected_types", "question_terms"]
