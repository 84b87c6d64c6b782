"""What kind of answer a question asks for, and whether a sentence holds one.

"How many" wants a number, "when" a date or a time, "how long" a duration, "how much" money or
an amount, "who" a name, "how do I" an instruction. The cues are words of many languages; a
question in a language without cues expects nothing, and nothing is held against it.
"""

from __future__ import annotations

import functools
import json
import pkgutil
import re
from collections.abc import Iterable, Set

from pincite.answering.patterns import whole_words

NUMBER, DATE, DURATION, MONEY, PERCENT = "number", "date", "duration", "money", "percent"
NAME, PLACE, REASON, METHOD, YES_NO = "name", "place", "reason", "method", "yes_no"

HARD_TYPES = (NUMBER, DATE, DURATION, MONEY, PERCENT)
"""The types a sentence visibly has or lacks."""


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# One line a language or family of cues; scripts without spaces between words have no \b.
_QUESTION_CUES: dict[str, re.Pattern[str]] = {
    DURATION: _any_of(
        (
            r"\bhow (?:long|soon|quickly|fast)\b",
            r"\bhow many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)\b",
            r"\bwie (?:lange|schnell)\b",
            r"\bcombien de temps\b",
            r"\bcu[aá]nto tiempo\b",
            r"\bquanto tempo\b",
            r"\bhoe ?lang\b",
            r"\bhvor lenge\b",
            r"\bкак долго\b|\bсколько времени\b",
            r"\bne kadar s[uü]re\b",
            r"كم من الوقت|कितने समय|多久|多长时间",
            r"どのくらいの(?:期間|時間)|何(?:年|日|時)間|얼마나 오래",
        )
    ),
    NUMBER: _any_of(
        (
            r"\bhow (?:many|far|tall|old|large|big|high|deep|wide|heavy|often)\b",
            r"\bnumber of\b|\bwhat (?:age|number|size|population)\b",
            r"\bwie ?viele?\b",
            r"\bcombien\b",
            r"\bcu[aá]nt[oa]s?\b",
            r"\bquant[oaie]s?\b",
            r"\bhoeveel\b",
            r"\bhvor mange\b",
            r"\bсколько\b",
            r"\bkaç\b",
            r"\bكم\b|कितन[ेीा]|多少|几[个位次年]|幾|いくつ|何(?:人|個|回|冊|本|台|枚)|몇",
        )
    ),
    MONEY: _any_of(
        (
            r"\bhow much\b|\b(?:cost|price|fee|charge)s?\b",
            r"\b(?:was|wie ?viel) kostet\b",
            r"\bcombien coûte\b",
            r"\bcu[aá]nto cuesta\b",
            r"\bquanto (?:custa|costa)\b",
            r"\bсколько стоит\b",
            r"多少钱|いくら|얼마",
        )
    ),
    PERCENT: _any_of(
        (
            r"\bpercent(?:age)?\b|\bwhat (?:share|proportion)\b|%",
            r"\bprozent\b|\bpourcentage\b|\bp[eo]rce?nt(?:aje|ual|agem|uale)\b|\bprocent|\bprosent",
            r"процент|百分|\byüzde\b|प्रतिशत|パーセント|퍼센트|نسبة",
        )
    ),
    DATE: _any_of(
        (
            r"\bwhen\b|\bwhat (?:year|date|day|month|time|century|decade)\b",
            r"\bin which (?:year|month|century)\b|\bdeadline\b",
            r"\bwann\b|\bin welchem jahr\b",
            r"\bquand\b|\bquelle (?:ann[ée]e|date)\b",
            r"\bcu[aá]ndo\b|\bqu[eé] a[nñ]o\b",
            r"\bquando\b|\bque ano\b",
            r"\bwanneer\b|\bnår\b",
            r"\bкогда\b|\bв каком году\b",
            r"\bne zaman\b|\bhangi yıl\b",
            r"\bمتى\b|कब\b|什么时候|何时|哪一?年|いつ|何年|何月|언제|몇 년",
        )
    ),
    NAME: _any_of(
        (
            r"\bwho(?:se|m)?\b|\bwhat (?:is|was|are) the names?\b",
            r"\bwhich (?:person|company|team|author|president|king|queen|actor|singer)\b",
            r"\bwe[rmn]\b",
            r"\bqui\b|\bqui[eé]n(?:es)?\b|\bquem\b|\bchi\b",
            r"\bhvem\b|\bwie is\b",
            r"\bкто\b|\bкого\b|\bkim\b",
            r"\bمن\b|किसने|कौन|谁|誰|だれ|누가|누구",
        )
    ),
    PLACE: _any_of(
        (
            r"\bwhere\b",
            r"\b(?:what|which) (?:city|country|state|place|town|region|continent|location|river)\b",
            r"\bwo(?:hin|her)?\b",
            r"\boù\b|\bd[oó]nde\b|\bonde\b|\bdove\b",
            r"\bwaar\b|\bhvor\b(?! (?:mange|mye|lenge|ofte|stor|gammel|langt|høy))",
            r"\bгде\b|\bnerede\b",
            r"\bأين\b|कहाँ|कहां|哪里|哪儿|在哪|どこ|어디",
        )
    ),
    REASON: _any_of(
        (
            r"\bwhy\b|\bfor what reason\b|\bwhat (?:caused|causes|is the reason|was the reason)\b",
            r"\b(?:warum|wieso|weshalb)\b",
            r"\bpourquoi\b|\bpor qu[eé]\b|\bperch[eé]\b",
            r"\bwaarom\b|\bhvorfor\b",
            r"\bпочему\b|\bneden\b",
            r"\bلماذا\b|क्यों|为什么|为何|なぜ|왜",
        )
    ),
    METHOD: _any_of(
        (
            r"\bhow (?:do|can|could|should|would|to|does one)\b",
            r"\bwhat (?:steps|should i do|do i do|do i need to do)\b|\bsteps to\b",
            r"\bwie (?:kann|können|mache|setze|funktioniert)\b",
            r"\bcomment (?:faire|puis|peut)\b",
            r"\bc[oó]mo (?:puedo|se|hacer)\b",
            r"\bcomo (?:posso|fazer|fa[cç]o)\b|\bcome (?:posso|si|fare)\b",
            r"\bhoe (?:kan|moet|doe)\b|\bhvordan\b",
            r"\bкак (?:мне|можно|сделать)\b|\bnasıl\b",
            r"\bكيف\b|कैसे|如何|怎么|怎样|どうやって|どのように|어떻게",
        )
    ),
    YES_NO: _any_of(
        (
            r"^\W*(?:(?:and|but|so) )?(?:is|are|was|were|do|does|did|can|will)\b",
            r"^\W*(?:(?:and|but|so) )?(?:may|must|has|have|had|am|could|would|should)\b",
            r"^\W*(?:ist|sind|kann|können|darf|muss|hat|haben|gibt)\b",
            r"^\W*(?:est-ce|puis-je|(?:peut|dois|faut|sont|est|a)-)",
            r"^\W*(?:puedo|puede|se puede|es|son|está|hay|tiene|tengo|debo|existe)\b",
            r"^\W*(?:posso|pode|é|são|há|tem|tenho|devo|può|si può|è|sono|ha|devo|esiste)\b",
            r"^\W*(?:kan|mag|moet|is|zijn|heeft|heb|er|har|må|finnes)\b",
            r"^\W*(?:можно|могу|есть|нужно|должен|является)\b|\bли\b|\bm[ıiuü](?:y[ıiuü]m)?\W*$",
            r"^\W*(?:هل|أ)\b|^\W*क्या\b|[吗嗎]\W*$",
            # Every question ends so; one that asks for something has a word for it.
            r"^(?!.*(?:何|どこ|誰|だれ|いつ|なぜ|どの|どれ|どう|いくら|いくつ|幾)).*(?:です|ます)か\W*$",
            r"^(?!.*(?:누구|누가|무엇|뭐|언제|어디|어떻|얼마|몇|무슨|어느|왜|어떤)).*(?:까|나요|가요)\W*$",
        )
    ),
}

_DIGIT = r"[0-9\u0660-\u0669\u0966-\u096f\uff10-\uff19]"
_CHINESE_NUMBER = "[一二三四五六七八九十百千万億亿两]"

# What holds an answer in any language; the words of each stand in answer_words.json.
_EVIDENCE: dict[str, tuple[str, ...]] = {
    NUMBER: (_DIGIT, rf"{_CHINESE_NUMBER}+[个個人年月日次回名位种座所本]"),
    DATE: (
        r"\b(?=\d)(?:1[0-9]{3}s?|20[0-9]{2}s?"
        r"|\d{1,2}(?:(?:st|nd|rd|th) century|[:.]\d{2}| ?[ap]\.?m))\b",
        rf"(?:{_DIGIT}|{_CHINESE_NUMBER})+ ?(?:[年月日]|世[纪紀])",
        rf"{_DIGIT}+ ?[년월일]",
    ),
    DURATION: (
        rf"(?:{_DIGIT}|{_CHINESE_NUMBER})+ ?个?"
        r"(?:年|天|日|周|小时|小時|时间|時間|週間|か月|ヶ月|個月|月|分|秒|世[纪紀])",
        rf"{_DIGIT}+ ?(?:년|일|시간|개월|주|분)",
    ),
    MONEY: (
        r"[$€£¥₹₽]",
        rf"(?:{_DIGIT}|{_CHINESE_NUMBER})+ ?(?:[元円圓원]|美元|ドル|달러)|免费|無料|무료",
    ),
    PERCENT: (
        r"%|٪|\bp[eo]r ?c(?:ent|ento|iento)\b|\bpro[cs]ent\b|\bprozent\b|\byüzde\b",
        r"процент|प्रतिशत|بالمئة|بالمائة|百分之|パーセント|퍼센트",
    ),
    REASON: (r"因为|由于|所以|ため|から|때문",),
    METHOD: (r"点击|选择|打开|输入|クリック|選択|押し|클릭|선택",),
}
_WORDS_OF = {
    NUMBER: ("number",),
    DATE: ("month", "weekday"),
    MONEY: ("money",),
    REASON: ("reason",),
    METHOD: ("method",),
}
"""Which words of a language are evidence by themselves; for a duration they go with a number."""
_BETWEEN_WORDS = re.compile(r"\s+(?![^(]*\))")
_NUMBER_THEN_UNIT = r"[\w\s.,–-]{0,14}?"


_AS_ENGLISH = {"und": "en"}
"""Too little text to tell its language by is read as English."""


@functools.cache
def _words() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = json.loads(
        pkgutil.get_data("pincite.answering", "answer_words.json") or b""
    )
    return words


def _one_of(language: str, *kinds: str) -> str:
    """A pattern for one whole word of these kinds; empty where none of the language is known."""
    known = _words().get(language, {})
    alternatives = "|".join(word for kind in kinds for word in _BETWEEN_WORDS.split(known[kind]))
    if language == "ar":
        # "And", "in", "for" and the article are written together with the word.
        return rf"(?<!\w)(?:[وف])?(?:[بلك])?(?:ال|ل)?(?:{alternatives})(?!\w)"
    if language == "hi":
        # Its vowel signs are no letters to `\b`.
        return rf"(?<![\u0900-\u097f])(?:{alternatives})(?![\u0900-\u097f])"
    return whole_words(alternatives)


@functools.cache
def _evidence(kind: str, language: str) -> re.Pattern[str]:
    patterns = list(_EVIDENCE[kind])
    if language in _words():
        if kind == DURATION:
            number, unit = _one_of(language, "number"), _one_of(language, "unit")
            patterns.append(rf"(?:{_DIGIT}|{number}){_NUMBER_THEN_UNIT}{unit}")
        elif kind in _WORDS_OF:
            patterns.append(_one_of(language, *_WORDS_OF[kind]))
    return _any_of(patterns)


def expected_types(question: str) -> frozenset[str]:
    """The answer types the question's wording asks for; empty when it names none."""
    found = {kind for kind, cue in _QUESTION_CUES.items() if cue.search(question)}
    if found & {DURATION, MONEY}:
        found.discard(NUMBER)
    if METHOD in found:
        found -= {NAME, PLACE}
    return frozenset(found)


def holds(kind: str, words: str, language: str) -> bool:
    """Whether `words`, the part of a sentence the question did not say, hold such an answer.

    Of a language whose words are not known, only what is written alike in all of them counts.
    """
    return bool(_evidence(kind, _AS_ENGLISH.get(language, language)).search(words))


def hard_types(expected: Set[str]) -> list[str]:
    """Those expected types that a sentence visibly has or lacks, in a fixed order."""
    return [kind for kind in HARD_TYPES if kind in expected]
